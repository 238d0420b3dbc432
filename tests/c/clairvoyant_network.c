/*
 * clairvoyant_network.c - the clairvoyant player plays with the network that estr_player_configure has set.
 *
 * Usage: clairvoyant_network FILE, the file of another network than the library's. Before the seed can be known the
 * player plays fair, so that its first moves are those of the computer player with the same network and usual effort.
 */
#include <stdio.h>
#include <string.h>

#include "estr2048.h"
#include "tinymt32.h"

#undef NDEBUG
#include <assert.h>

enum { GAMES = 20, FIRST_MOVES = 8 };

static void use_network(const char *file)
{
    estr_player_options options = { 0, 0, 0, 0, NULL };

    options.weights = file;
    assert(estr_player_configure(&options) == 0);
}

/*
 * The first moves of the clairvoyant player in all games. If `keep` is set, every game begins with the network of the
 * file and then another one is set, which is not for this game.
 */
static void play(const char *file, int keep, int moves[GAMES][FIRST_MOVES])
{
    int game, move;

    for (game = 0; game < GAMES; game++) {
        tinymt32_t random = { { 0 }, 0, 0, 0 };
        int board[4][4] = { { 0 } };

        use_network(file);
        tinymt32_init(&random, (uint32_t)game);
        assert(estr_new_cell(board, &random) >= 0);
        for (move = 0; move < FIRST_MOVES; move++) {
            int direction = estr_clairvoyant_player(board);

            if (keep)
                use_network(NULL);
            else
                assert(direction == ESTR_AIPLAYER(board));
            assert(estr_move(board, direction) == 1);
            assert(estr_new_cell(board, &random) >= 0);
            moves[game][move] = direction;
        }
    }
}

int main(int argc, char *argv[])
{
    static int usual[GAMES][FIRST_MOVES], other[GAMES][FIRST_MOVES], kept[GAMES][FIRST_MOVES];

    assert(argc == 2);
    play(NULL, 0, usual);
    play(argv[1], 0, other);
    play(argv[1], 1, kept);
    assert(memcmp(usual, other, sizeof usual) != 0);
    assert(memcmp(kept, other, sizeof kept) == 0);
    puts("all checks passed");
    return 0;
}
