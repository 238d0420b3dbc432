/*
 * The other side of the race: a plain C loop of the TinyMT32 recurrence, and the same loop through the library's
 * C functions. benches/speed.rs compiles this file with gcc -O2, links libestr2048.a into it and loads the result.
 */
#include <stdint.h>

#include "tinymt32.h"

/* The reference's recurrence and tempering, as static functions that gcc can inline. */
static void step(tinymt32_t *t)
{
    uint32_t y = t->status[3];
    uint32_t x = (t->status[0] & TINYMT32_MASK) ^ t->status[1] ^ t->status[2];

    x ^= x << TINYMT32_SH0;
    y ^= (y >> TINYMT32_SH0) ^ x;
    t->status[0] = t->status[1];
    t->status[1] = t->status[2];
    t->status[2] = x ^ (y << TINYMT32_SH1);
    t->status[3] = y;
    t->status[1] ^= -(y & 1) & t->mat1;
    t->status[2] ^= -(y & 1) & t->mat2;
}

static uint32_t output(const tinymt32_t *t)
{
    uint32_t t1 = t->status[0] + (t->status[2] >> TINYMT32_SH8);
    uint32_t t0 = t->status[3] ^ t1;

    return t0 ^ (-(t1 & 1) & t->tmat);
}

/* The sum of the next count numbers, by C alone. */
uint32_t sum_by_c(tinymt32_t *t, uint32_t count)
{
    uint32_t sum = 0;

    while (count-- > 0) {
        step(t);
        sum += output(t);
    }
    return sum;
}

/* The same by one call of the library for each number. */
uint32_t sum_by_library(tinymt32_t *t, uint32_t count)
{
    uint32_t sum = 0;

    while (count-- > 0)
        sum += tinymt32_generate_uint32(t);
    return sum;
}
