/*
 * clairvoyant.c - plays one game and shows the player nothing but boards.
 *
 * Usage: clairvoyant SEED [zero|official]. Prints the score, the number of moves, and the longest and the mean time of
 * a call in seconds. Exit status 1 if the player made a move that changes nothing, or changed the board.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "estr2048.h"
#include "tinymt32.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char *argv[])
{
    tinymt32_t random = { { 0 }, 0, 0, 0 };
    int board[4][4] = { { 0 } };
    int shown[4][4];
    double longest = 0, total = 0;
    long moves = 0;

    if (argc < 2)
        return 2;
    if (argc > 2 && strcmp(argv[2], "official") == 0) {
        random.mat1 = 0x8f7011ee;
        random.mat2 = 0xfc78ff1f;
        random.tmat = 0x3793fdff;
    }
    tinymt32_init(&random, (uint32_t)strtoul(argv[1], NULL, 10));
    estr_new_cell(board, &random);
    while (!estr_game_over(board)) {
        double start = now(), time;
        int direction;

        memcpy(shown, board, sizeof board);
        direction = estr_clairvoyant_player(shown);
        time = now() - start;
        total += time;
        if (time > longest)
            longest = time;
        if (memcmp(shown, board, sizeof board) != 0 || estr_move(board, direction) != 1) {
            printf("bad move %d\n", direction);
            return 1;
        }
        moves++;
        if (estr_new_cell(board, &random) < 0)
            break;
    }
    printf("seed %s score %lld moves %ld longest %.3f mean %.6f\n", argv[1], (long long)estr_score(board), moves,
           longest, total / (double)(moves > 0 ? moves : 1));
    return 0;
}
