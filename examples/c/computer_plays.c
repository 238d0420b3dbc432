/*
 * Lets the computer player make the first 100 moves of the ESTR1002 game with seed 1234.
 *
 *     make
 *     gcc -Iinclude examples/c/computer_plays.c libestr2048.a -lpthread -ldl -lm -o computer_plays
 */
#include <stdio.h>

#include "estr2048.h"

int main(void)
{
    int game_board[4][4] = { { 0 } };
    tinymt32_t state = { 0 };
    estr_player_options options = { 0 };
    int move;

    options.nodes = 1000;
    if (estr_player_configure(&options) != 0)
        return 1;
    tinymt32_init(&state, 1234);
    estr_new_cell(game_board, &state);
    for (move = 0; move < 100; move++) {
        int direction = ESTR_AIPLAYER(game_board);

        if (direction == ESTR_NO_DIRECTION)
            break;
        putchar("UDLR"[direction]);
        estr_move(game_board, direction);
        estr_new_cell(game_board, &state);
    }
    putchar('\n');
    estr_print_board(game_board);
    printf("Score %ld\n", (long)estr_score(game_board));
    return 0;
}
