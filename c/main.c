/*
 * main.c - the 2048 of ESTR1002: read a seed, then play round by round until no move is left.
 *
 * The rules, the boards and the players come from libestr2048.a; this file is the game itself.
 */
/* POSIX, for signals and terminals: the shell's `fg` brings the game back, and its prompt. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "estr2048.h"
#include "tinymt32.h"

enum { FINISHED = 0, NO_OUTPUT = 1, BAD_USE = 2, NO_CELL = 3 };

/* A global is all zeros, so the generator has the parameters mat1 = mat2 = tmat = 0. */
tinymt32_t state;

/* ============================== The command line ============================== */

static const char help[] =
    "Usage: ./game [--player human|ai|clairvoyant] [--seed N] [--tinymt zero|official]\n"
    "       ./game --help | --version\n"
    "\n"
    "Plays the 2048 of ESTR1002. Reads the random seed (0 to 4294967295) from standard\n"
    "input, then, for the human player, the moves: U up, D down, L left, R right.\n"
    "\n"
    "  --player human     ask for every move (default)\n"
    "  --player ai        let the computer play\n"
    "  --player clairvoyant\n"
    "                     let the computer play that recovers the seed and knows the\n"
    "                     next cells: an exploit, not fair play\n"
    "  --seed N           the random seed; nothing is asked for it then\n"
    "  --tinymt zero      the assignment's generator: all parameters 0 (default)\n"
    "  --tinymt official  the parameters that TinyMT's authors publish\n"
    "  -h, --help         print this text\n"
    "  --version          print the version\n"
    "\n"
    "The environment variable ESTR_WEIGHTS names a network file for the computer players.\n"
    "\n"
    "Example: ./game < moves.txt\n"
    "Exit status: 0 the game or the input ended, 1 the output could not be written,\n"
    "2 bad option or seed, 3 the seed's random numbers never reach an empty cell.\n";

struct options {
    int (*player)(int game_board[4][4]);
    int official;
    const char *seed; /* or NULL: it is to be asked for */
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
    struct options options = { human_player, 0, NULL };

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "nothing";

        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            exit(leave(FINISHED));
        } else if (strcmp(argv[i], "--version") == 0) {
            printf("game (estr2048) %s\n", estr_version());
            exit(leave(FINISHED));
        } else if (strcmp(argv[i], "--seed") == 0) {
            if (i + 1 == argc)
                fail("--seed must be a whole number from 0 to 4294967295, not", value);
            options.seed = value;
            i++;
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

/* ================================== The prompt ================================= */

/* What a person is being asked, for when the shell has stopped the game and brings it back. */
static const char *volatile prompt = "";

#ifdef SIGCONT
static void ask_again(int signal_number)
{
    int error = errno;

    (void)signal_number;
    if (write(STDOUT_FILENO, prompt, strlen(prompt)) < 0) {
        /* A terminal that is gone tells the game itself. */
    }
    errno = error;
}
#endif

static void watch_for_fg(void)
{
#ifdef SIGCONT
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
        struct sigaction action;

        memset(&action, 0, sizeof action);
        action.sa_handler = ask_again;
        action.sa_flags = SA_RESTART;
        sigaction(SIGCONT, &action, NULL);
    }
#endif
}

/* =================================== The seed ================================== */

/* A signal that interrupts the waiting does not end the input. */
static int next_character(void)
{
    int character = getchar();

    while (character == EOF && ferror(stdin) && !feof(stdin) && errno == EINTR) {
        clearerr(stdin);
        character = getchar();
    }
    return character;
}

static void fail_seed(void)
{
    fail("bad random seed", "it must be a whole number from 0 to 4294967295");
}

static uint32_t to_seed(const char *digits)
{
    unsigned long long seed = strtoull(digits, NULL, 10);

    if (digits[0] == '\0' || digits[strspn(digits, "0123456789")] != '\0' || seed > UINT32_MAX)
        fail_seed();
    return (uint32_t)seed;
}

/* The seed is at most 31 digits, with a blank or the end of the input behind them. */
static uint32_t read_seed(void)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    char digits[32];
    size_t length = 0, mark = 0;
    int next;

    prompt = "Please enter the random seed: ";
    printf("%s", prompt);
    fflush(stdout);
    next = next_character();
    /* Windows' editor puts it at the start of a file. */
    while (mark < 3 && next == (unsigned char)byte_order_mark[mark]) {
        next = next_character();
        mark++;
    }
    while (mark % 3 == 0 && next != EOF && isspace(next))
        next = next_character();
    if (mark % 3 == 0 && next == EOF)
        fail("no random seed", "the input is empty");
    while (next != EOF && isdigit(next) && length < sizeof digits - 1) {
        digits[length++] = (char)next;
        next = next_character();
    }
    digits[length] = '\0';
    prompt = "";
    printf("\n");
    if (mark % 3 != 0 || (next != EOF && !isspace(next)))
        fail_seed();
    return to_seed(digits);
}

/* =================================== The game ================================== */

/* A computer player that is not the one that was asked for is not to be taken for it. */
static void say_who_plays(void)
{
    char who[300];
    int status = estr_player_status(NULL, who, sizeof who);

    if (status == ESTR_PLAYER_INSTEAD || status == ESTR_PLAYER_SMALL)
        fprintf(stderr, "./game: the computer plays with %s\n", who);
}

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
    if (options.player != human_player)
        say_who_plays();
    watch_for_fg();
    tinymt32_init(&state, options.seed != NULL ? to_seed(options.seed) : read_seed());
    estr_new_cell(game_board, &state);

    while (!estr_is_over(game_board)) {
        /* human_player prints the board itself, because it asks about it. */
        if (options.player != human_player)
            estr_print_board(game_board);
        else
            prompt = "Your move (U, D, L or R): ";

        direction = options.player(game_board);
        prompt = "";
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
