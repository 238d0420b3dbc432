/* A program that knows nothing of the library but its two headers: it plays one game and checks every step. */
#include <stdio.h>
#include <string.h>

#include "estr2048.h"
#include "tinymt32.h"

#undef NDEBUG
#include <assert.h>

static tinymt32_t state;

static void check_numbers(void)
{
    uint32_t keys[] = { 1 };
    tinymt32_t official = { { 0 }, 0x8f7011ee, 0xfc78ff1f, 0x3793fdff };

    assert(sizeof(tinymt32_t) == 28);
    tinymt32_init(&state, 1);
    assert(state.status[0] == 0x8ee3998a && state.status[3] == 0x85c105ba);
    assert(tinymt32_generate_uint32(&state) == 1604930872u);
    assert(tinymt32_generate_uint32(&state) == 1643955479u);

    tinymt32_init(&official, 1);
    assert(official.mat1 == 0x8f7011ee);
    assert(tinymt32_generate_uint32(&official) == 2545341989u);
    tinymt32_next_state(&official);
    assert(tinymt32_temper(&official) == 981918433u);
    assert(tinymt32_temper_conv(&official) >= 1.0f && tinymt32_temper_conv_open(&official) < 2.0f);
    assert(tinymt32_get_mexp(&official) == TINYMT32_MEXP);
    tinymt32_init_by_array(&official, keys, 1);
    assert((int)(tinymt32_generate_float(&official) * 1e7f) / 10 == 13245);
    assert(tinymt32_generate_float12(&official) >= 1.0f);
    assert(tinymt32_generate_float01(&official) < 1.0f);
    assert(tinymt32_generate_floatOC(&official) > 0.0f);
    assert(tinymt32_generate_floatOO(&official) > 0.0f);
    assert(tinymt32_generate_32double(&official) < 1.0);
}

static void check_steps(void)
{
    int game_board[4][4] = { { 2, 0, 2, 4 }, { 0, 0, 0, 0 }, { 4, 4, 4, 0 }, { 2, 2, 2, 2 } };

    assert(estr_can_move(game_board, ESTR_LEFT) == 1);
    assert(estr_pull(game_board, ESTR_LEFT) == 1);
    assert(game_board[0][1] == 2 && game_board[0][2] == 4);
    assert(estr_pull(game_board, ESTR_LEFT) == 0);
    assert(estr_combine(game_board, ESTR_LEFT) == 1);
    assert(game_board[0][0] == 4 && game_board[0][1] == 0 && game_board[0][2] == 4);
    assert(game_board[2][0] == 8 && game_board[2][1] == 0 && game_board[2][2] == 4);
    assert(game_board[3][0] == 4 && game_board[3][1] == 0 && game_board[3][2] == 4);
    assert(estr_move(game_board, ESTR_RIGHT) == 1);
    assert(game_board[0][3] == 8 && game_board[3][3] == 8 && game_board[2][3] == 4 && game_board[2][2] == 8);
    assert(estr_score(game_board) == 28);
}

static void play(void)
{
    int game_board[4][4] = { { 0 } };
    int moves = 0;

    tinymt32_init(&state, 2048);
    assert(estr_is_over(game_board) == 1);
    assert(ESTR_AIPLAYER(game_board) == ESTR_NO_DIRECTION);
    assert(estr_new_cell(game_board, &state) >= 0);
    while (!estr_is_over(game_board)) {
        int before[4][4];
        int direction, cell;

        memcpy(before, game_board, sizeof before);
        direction = ESTR_AIPLAYER(game_board);
        assert(memcmp(before, game_board, sizeof before) == 0);
        assert(direction >= 0 && direction <= 3);
        assert(estr_can_move(game_board, direction) == 1);
        assert(memcmp(before, game_board, sizeof before) == 0);
        assert(estr_move(game_board, direction) == 1);
        cell = estr_new_cell(game_board, &state);
        assert(cell >= 0 && cell < 16 && game_board[cell / 4][cell % 4] == 2);
        moves++;
        assert(estr_score(game_board) == 2 * (moves + 1));
        if (moves == 300)
            break;
    }
    assert(moves > 100);
    assert(estr_print_board(game_board) == 0);
}

int main(void)
{
    check_numbers();
    check_steps();
    play();
    puts("all checks passed");
    return 0;
}
