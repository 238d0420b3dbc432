/*
 * tinymt32.h - the TinyMT32 generator of Saito and Matsumoto, as libestr2048.a implements it.
 *
 * A drop-in for the reference's header of the same name: the same struct, the same functions, the same numbers. A
 * program that includes "tinymt32.h" needs no tinymt32.c; it links with libestr2048.a instead.
 *
 *     tinymt32_t state;                           a global, so mat1, mat2 and tmat are 0, as in the assignment
 *     tinymt32_init(&state, seed);                any 32-bit seed
 *     tinymt32_generate_uint32(&state)            the next number
 *
 * The official parameters are mat1 = 0x8f7011ee, mat2 = 0xfc78ff1f, tmat = 0x3793fdff: set them before
 * tinymt32_init. A NULL generator is left alone and draws 0. Only the reference's inner helpers ini_func1, ini_func2 and
 * period_certification have no place here.
 */
#ifndef TINYMT32_H
#define TINYMT32_H

#include <inttypes.h>
#include <stdint.h>

#define TINYMT32_MEXP 127
#define TINYMT32_SH0 1
#define TINYMT32_SH1 10
#define TINYMT32_SH8 8
#define TINYMT32_MASK UINT32_C(0x7fffffff)
#define TINYMT32_MUL (1.0f / 16777216.0f)

#ifdef __cplusplus
extern "C" {
#endif

/** The state of one generator: 127 bits in status, and three parameters that the caller chooses before seeding. */
struct TINYMT32_T {
    uint32_t status[4];
    uint32_t mat1;
    uint32_t mat2;
    uint32_t tmat;
};

typedef struct TINYMT32_T tinymt32_t;

/** Seeds the generator with one number and keeps its parameters. */
void tinymt32_init(tinymt32_t *random, uint32_t seed);

/**
 * Seeds the generator with key_length numbers and keeps its parameters. NULL or a negative length is no numbers. The
 * numbers are not changed; they are not const because the reference's are not.
 */
void tinymt32_init_by_array(tinymt32_t *random, uint32_t init_key[], int key_length);

/** Steps the generator without drawing a number. */
void tinymt32_next_state(tinymt32_t *random);

/** The number that the present state stands for, without stepping. */
uint32_t tinymt32_temper(tinymt32_t *random);

/** The float r, 1.0 <= r < 2.0, that the present state stands for, without stepping. */
float tinymt32_temper_conv(tinymt32_t *random);

/** The float r, 1.0 < r < 2.0, that the present state stands for, without stepping. */
float tinymt32_temper_conv_open(tinymt32_t *random);

/** The Mersenne exponent of the generator: 127. */
int tinymt32_get_mexp(tinymt32_t *random);

/** The next number, uniform from 0 to 4294967295. */
uint32_t tinymt32_generate_uint32(tinymt32_t *random);

/** The next float r, 0.0 <= r < 1.0. */
float tinymt32_generate_float(tinymt32_t *random);

/** The next float r, 1.0 <= r < 2.0. */
float tinymt32_generate_float12(tinymt32_t *random);

/** The next float r, 0.0 <= r < 1.0, with 23 random bits. */
float tinymt32_generate_float01(tinymt32_t *random);

/** The next float r, 0.0 < r <= 1.0. */
float tinymt32_generate_floatOC(tinymt32_t *random);

/** The next float r, 0.0 < r < 1.0. */
float tinymt32_generate_floatOO(tinymt32_t *random);

/** The next double r, 0.0 <= r < 1.0, with 32 random bits. */
double tinymt32_generate_32double(tinymt32_t *random);

#ifdef __cplusplus
}
#endif

#endif /* TINYMT32_H */
