/*
 * main.c - the 2048 of ESTR1002: read a seed, then play round by round until no move is left.
 *
 * The rules, the boards and the players come from libestr2048.a; this file is the game itself.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estr2048.h"
#include "tinymt32.h"

enum { FINISHED = 0, NO_OUTPUT = 1, BAD_USE = 2, NO_CELL = 3 };

/* A global is all zeros, so the generator has the parameters mat1 = mat2 = tmat = 0. */
tinymt32_t state;

/* ============================== The command line ============================== */

static const char help[] =
    "Usage: ./game [--player human|ai|clairvoyant] [--tinymt zero|official] [--help]\n"
    "\n"
    "Plays the 2048 of ESTR1002. Reads the random seed (0 to 4294967295) from standard\n"
    "input, then, for the human player, the moves: U up, D down, L left, R right.\n"
    "\n"
    "  --player human     ask for every move (default)\n"
    "  --player ai        let the computer play\n"
    "  --player clairvoyant\n"
    "                     let the computer play that recovers the seed and knows the\n"
    "                     next cells: an exploit, not fair play\n"
    "  --tinymt zero      the assignment's generator: all parameters 0 (default)\n"
    "  --tinymt official  the parameters that TinyMT's authors publish\n"
    "  --help             print this text\n"
    "\n"
    "Example: ./game < moves.txt\n"
    "Exit status: 0 the game or the input ended, 1 the output could not be written,\n"
    "2 bad option or seed, 3 the seed's random numbers never reach an empty cell.\n";

struct options {
    int (*player)(int game_board[4][4]);
    int official;
};

static void fail(const char *problem, const char *text)
{
    fprintf(stderr, "./game: %s: %s\nTry './game --help'.\n", problem, text);
    exit(BAD_USE);
}

/* The last step of every run that prints: a full disk must not pass for a game. */
static int leave(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "./game: the output could not be written; is the disk full, or standard output closed?\n");
    return NO_OUTPUT;
}

static struct options read_options(int argc, char *argv[])
{
    struct options options = { human_player, 0 };

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "nothing";

        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            exit(leave(FINISHED));
        } else if (strcmp(argv[i], "--player") == 0) {
            if (strcmp(value, "ai") == 0)
                options.player = ESTR_AIPLAYER;
            else if (strcmp(value, "clairvoyant") == 0)
                options.player = estr_clairvoyant_player;
            else if (strcmp(value, "human") == 0)
                options.player = human_player;
            else
                fail("--player must be human, ai or clairvoyant, not", value);
            i++;
        } else if (strcmp(argv[i], "--tinymt") == 0) {
            if (strcmp(value, "official") != 0 && strcmp(value, "zero") != 0)
                fail("--tinymt must be zero or official, not", value);
            options.official = strcmp(value, "official") == 0;
            i++;
        } else {
            fail("unknown option (moves are read from standard input: ./game < moves.txt)", argv[i]);
        }
    }
    return options;
}

/* =================================== The seed ================================== */

static uint32_t read_seed(void)
{
    char digits[32] = "";
    unsigned long long seed;
    int next;

    printf("Please enter the random seed: ");
    fflush(stdout);
    if (scanf(" %31[0-9]", digits) == EOF)
        fail("no random seed", "the input is empty");
    next = getchar();
    printf("\n");
    seed = strtoull(digits, NULL, 10);
    if (digits[0] == '\0' || (next != EOF && !isspace(next)) || seed > UINT32_MAX)
        fail("bad random seed", "it must be a whole number from 0 to 4294967295");
    return (uint32_t)seed;
}

/* =================================== The game ================================== */

static int finish(int game_board[4][4], const char *reason, int status)
{
    printf("Your score is %lld.\n%s\n", (long long)estr_score(game_board), reason);
    return leave(status);
}

int main(int argc, char *argv[])
{
    struct options options = read_options(argc, argv);
    int game_board[4][4] = { { 0 } };
    int direction;

    if (options.official) {
        state.mat1 = 0x8f7011ee;
        state.mat2 = 0xfc78ff1f;
        state.tmat = 0x3793fdff;
    }
    tinymt32_init(&state, read_seed());
    estr_new_cell(game_board, &state);

    while (!estr_game_over(game_board)) {
        /* human_player prints the board itself, because it asks about it. */
        if (options.player != human_player)
            estr_print_board(game_board);

        direction = options.player(game_board);
        if (direction < 0)
            return finish(game_board, "The input ended before the game did.", FINISHED);

        estr_move(game_board, direction);
        if (estr_new_cell(game_board, &state) < 0) {
            estr_print_board(game_board);
            return finish(game_board, "The random numbers of this seed never reach an empty cell.", NO_CELL);
        }
    }

    estr_print_board(game_board);
    return finish(game_board, "The game is over!", FINISHED);
}
