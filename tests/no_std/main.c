/* Prints the scores of ten games that lib.rs plays. */
#include <stdint.h>
#include <stdio.h>

int64_t play(uint32_t seed);

int main(void)
{
    uint32_t seed;

    for (seed = 1; seed <= 10; seed++)
        printf("%ld\n", (long)play(seed));
    return 0;
}
