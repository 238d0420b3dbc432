/*
 * A whole assignment as a student writes it, with a human_player, an aiplayer and functions called move, pull, combine,
 * print, board ... of its own: none of them may clash with the library, from which it takes TinyMT32 and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tinymt32.h"

tinymt32_t state;
int board[4][4];
int score;

int pull(int direction);
int combine(int direction);
int move(int direction);
int can_move(int direction);
void new_cell(void);
void print(void);
int human_player(int game_board[4][4]);
int aiplayer_1155123456(int game_board[4][4]);
void play(void);

/* The cell at place k of line i, counted from the edge that the tiles move to. */
static int *cell(int direction, int i, int k)
{
    switch (direction) {
    case 0: return &board[k][i];
    case 1: return &board[3 - k][i];
    case 2: return &board[i][k];
    default: return &board[i][3 - k];
    }
}

int pull(int direction)
{
    int i, k, changed = 0;

    for (i = 0; i < 4; i++) {
        int free = 0;

        for (k = 0; k < 4; k++) {
            int tile = *cell(direction, i, k);

            if (tile != 0) {
                if (k != free) {
                    *cell(direction, i, free) = tile;
                    *cell(direction, i, k) = 0;
                    changed = 1;
                }
                free++;
            }
        }
    }
    return changed;
}

int combine(int direction)
{
    int i, k, changed = 0;

    for (i = 0; i < 4; i++)
        for (k = 0; k < 3; k++)
            if (*cell(direction, i, k) != 0 && *cell(direction, i, k) == *cell(direction, i, k + 1)) {
                *cell(direction, i, k) *= 2;
                *cell(direction, i, k + 1) = 0;
                changed = 1;
            }
    return changed;
}

int move(int direction)
{
    int changed = pull(direction);

    changed |= combine(direction);
    pull(direction);
    return changed;
}

int can_move(int direction)
{
    int i, k;

    for (i = 0; i < 4; i++)
        for (k = 0; k < 3; k++) {
            int near = *cell(direction, i, k), far = *cell(direction, i, k + 1);

            if (far != 0 && (near == 0 || near == far))
                return 1;
        }
    return 0;
}

void new_cell(void)
{
    int i, j;

    do {
        i = tinymt32_generate_uint32(&state) % 4;
        j = tinymt32_generate_uint32(&state) % 4;
    } while (board[i][j] != 0);
    board[i][j] = 2;
    score += 2;
}

void print(void)
{
    int i, j;

    for (i = 0; i < 4; i++) {
        for (j = 0; j < 4; j++)
            printf("|%5d", board[i][j]);
        printf("|\n");
    }
}

int human_player(int game_board[4][4])
{
    char command;

    if (game_board != board)
        abort();
    for (;;) {
        if (scanf(" %c", &command) != 1)
            return -1;
        switch (command) {
        case 'U': return 0;
        case 'D': return 1;
        case 'L': return 2;
        case 'R': return 3;
        }
    }
}

/* It shares its name with the library's player of the default ID, and must be the one that is called. */
int aiplayer_1155123456(int game_board[4][4])
{
    (void)game_board;
    return 77;
}

void play(void)
{
    if (aiplayer_1155123456(board) != 77)
        abort();
    while (can_move(0) || can_move(1) || can_move(2) || can_move(3)) {
        int direction;

        print();
        direction = human_player(board);
        if (direction < 0)
            return;
        if (move(direction))
            new_cell();
    }
    print();
}

int main(void)
{
    unsigned int seed;

    if (scanf("%u", &seed) != 1)
        return 1;
    tinymt32_init(&state, seed);
    new_cell();
    play();
    printf("Your score is %d.\n", score);
    return 0;
}
