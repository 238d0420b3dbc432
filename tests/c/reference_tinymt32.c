/*
 * A tinymt32.c with exactly the prototypes of the authors': it must compile against the library's tinymt32.h, which says
 * that it is a drop-in for theirs, and its functions must take the place of the library's. The vectors tell whether both
 * work together: the seeding is this file's, the steps are the library's.
 */
#include "tinymt32.h"

#define MIN_LOOP 8
#define PRE_LOOP 8

int own_seedings = 0;

static uint32_t mixed(uint32_t x, uint32_t factor)
{
    return (x ^ x >> 27) * factor;
}

static void finish_seeding(tinymt32_t *random)
{
    static const char name[] = "TINY";
    uint32_t *status = random->status;
    int i;

    if ((status[0] & TINYMT32_MASK) == 0 && status[1] == 0 && status[2] == 0 && status[3] == 0)
        for (i = 0; i < 4; i++)
            status[i] = (uint32_t)name[i];
    for (i = 0; i < PRE_LOOP; i++)
        tinymt32_next_state(random);
}

static void begin_seeding(tinymt32_t *random, uint32_t first)
{
    own_seedings++;
    random->status[0] = first;
    random->status[1] = random->mat1;
    random->status[2] = random->mat2;
    random->status[3] = random->tmat;
}

void tinymt32_init(tinymt32_t * random, uint32_t seed)
{
    uint32_t i;

    begin_seeding(random, seed);
    for (i = 1; i < MIN_LOOP; i++) {
        uint32_t last = random->status[(i - 1) % 4];

        random->status[i % 4] ^= i + UINT32_C(1812433253) * (last ^ last >> 30);
    }
    finish_seeding(random);
}

void tinymt32_init_by_array(tinymt32_t * random, uint32_t init_key[], int key_length)
{
    uint32_t *status = random->status;
    int rounds = key_length + 1 > MIN_LOOP ? key_length + 1 : MIN_LOOP;
    int i = 0, round;
    uint32_t r;

    begin_seeding(random, 0);
    for (round = 0; round < rounds; round++) {
        r = mixed(status[i] ^ status[(i + 1) % 4] ^ status[(i + 3) % 4], UINT32_C(1664525));
        status[(i + 1) % 4] += r;
        if (round == 0)
            r += (uint32_t)key_length;
        else
            r += (uint32_t)i + (round <= key_length ? init_key[round - 1] : 0);
        status[(i + 2) % 4] += r;
        status[i] = r;
        i = (i + 1) % 4;
    }
    for (round = 0; round < 4; round++) {
        r = mixed(status[i] + status[(i + 1) % 4] + status[(i + 3) % 4], UINT32_C(1566083941));
        status[(i + 1) % 4] ^= r;
        r -= (uint32_t)i;
        status[(i + 2) % 4] ^= r;
        status[i] = r;
        i = (i + 1) % 4;
    }
    finish_seeding(random);
}

#define main check_vectors
#include "tinymt32_vectors.c"
#undef main

int main(int argc, char *argv[])
{
    int result = check_vectors(argc, argv);

    return own_seedings > 0 ? result : 1;
}
