/*
 * estr2048.h - the 2048 of ESTR1002 for C programs.
 *
 * Link with libestr2048.a or libestr2048.so. This file is generated from src/ffi by `make header`: change it there.
 *
 * A board is the assignment's int game_board[4][4]: game_board[row][col], row 0 at the top, 0 for an empty cell.
 * The functions estr_game_... play the game of any of five courses; the functions estr_cells_... work on int *cells,
 * boards of any size, row by row.
 * No function crashes on any ints in the board, on any direction, or on a NULL pointer. Every function says what it takes
 * (shapes, units, ranges), what it returns, how it fails, and which threads may call it, in this order.
 */

#ifndef ESTR2048_H
#define ESTR2048_H

#include <stddef.h>
#include <stdint.h>
#include "tinymt32.h"

/*
 * The student ID is part of the computer player's name. It must be the ID that the library was built with
 * (make STUDENT_ID=...); with another one the linker says that aiplayer_<ID> is undefined.
 */
#ifndef ESTR_STUDENT_ID
#define ESTR_STUDENT_ID 1155123456
#endif

#define ESTR_JOIN_NAMES(a, b) a##b
#define ESTR_JOIN(a, b) ESTR_JOIN_NAMES(a, b)

/** The name aiplayer_<ID>, for programs that work with any ID. */
#define ESTR_AIPLAYER ESTR_JOIN(aiplayer_, ESTR_STUDENT_ID)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The computer player: chooses a move by looking at nothing but the board.
 *
 * game_board: 16 ints, game_board[row][col]; any values. It is not changed, and nothing is printed.
 *
 * Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board.
 * Errors: ESTR_NO_DIRECTION (-1) only if no direction does; ESTR_NULL_POINTER.
 * Threads: safe from any thread; each has a player of its own, and all share the network.
 */
int ESTR_AIPLAYER(int game_board[4][4]);

#ifdef __cplusplus
}
#endif

/**
 * Direction: tiles move towards row 0.
 */
#define ESTR_UP 0

/**
 * Direction: tiles move towards row 3.
 */
#define ESTR_DOWN 1

/**
 * Direction: tiles move towards column 0.
 */
#define ESTR_LEFT 2

/**
 * Direction: tiles move towards column 3.
 */
#define ESTR_RIGHT 3

/**
 * A player has no direction to give: the input ended (human_player), or no move exists (aiplayer).
 */
#define ESTR_NO_DIRECTION (-1)

/**
 * Error: a pointer argument is NULL.
 */
#define ESTR_NULL_POINTER (-2)

/**
 * Error: a direction is not one of 0, 1, 2, 3.
 */
#define ESTR_BAD_DIRECTION (-3)

/**
 * Error: the board has no empty cell.
 */
#define ESTR_BOARD_FULL (-4)

/**
 * Error: the generator never draws any of the empty cells.
 */
#define ESTR_CELL_UNREACHABLE (-5)

/**
 * Error: an option of the computer player has a value that cannot be.
 */
#define ESTR_BAD_OPTION (-6)

/**
 * Error: the network file cannot be read, is damaged, or is of another kind.
 */
#define ESTR_BAD_WEIGHTS (-7)

/**
 * Error: the board has other tiles than 2, 4, 8, ... 65536, or more than one 65536.
 */
#define ESTR_BAD_BOARD (-8)

/**
 * Error: there is no network; estr_player_status says why.
 */
#define ESTR_NO_NETWORK (-9)

/**
 * Error: the boards tell too little to search for a seed.
 */
#define ESTR_TOO_FEW_BOARDS (-10)

/**
 * Error: a board or line of that size is not allowed, or has no such row or column.
 */
#define ESTR_BAD_SIZE (-20)

/**
 * Error: there is no course of that number.
 */
#define ESTR_BAD_COURSE (-21)

/**
 * Error: there is not enough memory.
 */
#define ESTR_NO_MEMORY (-22)

/**
 * Error: a file cannot be opened, read or written.
 */
#define ESTR_FILE_ERROR (-23)

/**
 * Error: a file is not a saved game.
 */
#define ESTR_BAD_FILE (-24)

/**
 * Error: a bound of random numbers is not positive.
 */
#define ESTR_BAD_BOUND (-25)

/**
 * Course: ESTR1002, CUHK.
 */
#define ESTR_COURSE_ESTR1002 0

/**
 * Course: PSA3, UCSD CSE 8B, Winter 2018.
 */
#define ESTR_COURSE_PSA3 1

/**
 * Course: PA4, UCSD CSE 8B, Winter 2020.
 */
#define ESTR_COURSE_PA4 2

/**
 * Course: COMP 1020, University of Manitoba, Assignment 2.
 */
#define ESTR_COURSE_COMP1020 3

/**
 * Course: CS 61B, UC Berkeley, Project 0.
 */
#define ESTR_COURSE_CS61B 4

/**
 * The largest number of rows or columns of a board.
 */
#define ESTR_MAX_SIDE 128

/**
 * The version of this header: the first number. Another one means another interface.
 */
#define ESTR_VERSION_MAJOR 0

/**
 * The version of this header: the second number. While the first is 0, another one may mean another interface, too.
 */
#define ESTR_VERSION_MINOR 1

/**
 * The version of this header: the third number.
 */
#define ESTR_VERSION_PATCH 0

/**
 * A player plays with the network inside the library.
 */
#define ESTR_PLAYER_STANDARD 0

/**
 * A player plays with the network of a file.
 */
#define ESTR_PLAYER_FILE 1

/**
 * A player plays with the network inside the library, because the file that ESTR_WEIGHTS names cannot be used.
 */
#define ESTR_PLAYER_INSTEAD 2

/**
 * A player is the small one without a network, which is much weaker: memory is short, or the library was built without.
 */
#define ESTR_PLAYER_SMALL 3

/**
 * The largest number of moves of a best line.
 */
#define ESTR_MAX_LINE 32

/**
 * The clairvoyant player tries the assignment's zero parameters, then the official ones.
 */
#define ESTR_TINYMT_ANY 0

/**
 * The clairvoyant player tries the assignment's generator only: all parameters zero.
 */
#define ESTR_TINYMT_ZERO 1

/**
 * The clairvoyant player tries the parameters that TinyMT's authors publish, and no others.
 */
#define ESTR_TINYMT_OFFICIAL 2

/**
 * Room for the message of an estr_file_error.
 */
#define ESTR_MESSAGE_LENGTH 200

/**
 * A running game of one of the five courses. Made by estr_game_new or estr_game_load, freed by estr_game_free, and not
 * to be used after that. Different games may be used by different threads, one game only by one thread at a time.
 */
typedef struct estr_game estr_game;

/**
 * A computer player of one's own, beside that of the process. Made by estr_player_new, freed by estr_player_free, and not
 * to be used after that. Where a function takes an estr_player, NULL means the player of the process: that of
 * aiplayer_<ID>, with the settings of estr_player_configure.
 */
typedef struct estr_player estr_player;

/**
 * Options of a computer player. Set all of it to zero first; zero means "as usual".
 */
typedef struct estr_player_options {
  /**
   * sizeof(estr_player_options), by which later versions know what an older program means; 0 means the same.
   */
  size_t size;
  /**
   * Most time for a move, in microseconds; 0: no limit in time.
   */
  uint64_t move_us;
  /**
   * Most network evaluations for a move. With such a limit the player is deterministic: the same board always gets
   * the same move, on every machine and with any number of threads. If both limits are given, this one counts. If
   * neither is, it is 5000, which takes about a millisecond, and the last 31 moves before a sum that needs all
   * sixteen cells (65536, 98304, 114688, ...) and the first 20 behind it are solved exactly, which takes up to a
   * second each. That is deterministic too.
   */
  uint64_t nodes;
  /**
   * Threads for a move, at most 64; 0 means 1. With one thread none is ever started. More of them think further
   * within a time limit, and are sooner done with 20000 evaluations and more.
   */
  uint32_t threads;
  /**
   * Path of a network file, or NULL: the file that the environment variable ESTR_WEIGHTS names, or else the network
   * inside the library.
   */
  const char *weights;
} estr_player_options;

/**
 * What a player thinks of a board, for estr_player_analyse. Set all of it to zero first.
 */
typedef struct estr_analysis {
  /**
   * sizeof(estr_analysis), by which later versions know how much room an older program has; 0 means the same.
   */
  size_t size;
  /**
   * The expected number of further moves after each direction, by its number; -1 for one that changes nothing.
   */
  double values[4];
  /**
   * The exact probability of coming through the fill ahead, or the one just behind, under best play, 0 to 1; -1 if
   * none was computed. (A fill is a sum that needs all sixteen cells: 65536, 98304, 114688, ... A board has come
   * through when three cells are empty after a move, at this sum or at most 40 points behind it.) Of a board that the
   * network's tablebase knows for a fill, on the last 4096 points before it, the chance that was found beforehand; -1 of one that it
   * knows for the way to 131070.
   */
  double passing;
  /**
   * Network evaluations that were made.
   */
  uint64_t evaluations;
  /**
   * The best direction.
   */
  int direction;
  /**
   * The largest number of moves that was looked ahead.
   */
  int depth;
  /**
   * Moves that are proved to be survived whatever cells are drawn.
   */
  int survives;
  /**
   * 1 if one move more may be fatal, 0 if it is not known.
   */
  int survives_is_exact;
  /**
   * Moves of the best line.
   */
  int line_length;
  /**
   * The directions of the best line.
   */
  int line_directions[ESTR_MAX_LINE];
  /**
   * The cell of the new 2 after each move of the best line, row * 4 + col: the one that hurts most.
   */
  int line_cells[ESTR_MAX_LINE];
} estr_analysis;

/**
 * Options of the clairvoyant player, for estr_clairvoyant_configure. Set all of it to zero first; zero means "as
 * usual".
 */
typedef struct estr_clairvoyant_options {
  /**
   * sizeof(estr_clairvoyant_options), by which later versions know what an older program means; 0 means the same.
   */
  size_t size;
  /**
   * Most time for a call, in milliseconds, up to 4500; 0: 2000.
   */
  uint32_t call_ms;
  /**
   * Which generators are tried: ESTR_TINYMT_ANY, ESTR_TINYMT_ZERO or ESTR_TINYMT_OFFICIAL.
   */
  uint32_t tinymt;
  /**
   * Boards in the beam of the plan, up to 8192; 0: 16. More find the perfect game more surely, and slower.
   */
  uint32_t beam;
  /**
   * Threads for the search of the seed, up to 256; 0: as many as there are processors.
   */
  uint32_t threads;
} estr_clairvoyant_options;

/**
 * Where a file is damaged, for estr_game_load_checked. Set all of it to zero first.
 */
typedef struct estr_file_error {
  /**
   * sizeof(estr_file_error), by which later versions know how much room an older program has; 0 means the same.
   */
  size_t size;
  /**
   * The line, counted from 1; 0 if the file could not be read at all, or holds a board that the course does not allow.
   */
  int line;
  /**
   * The character in that line, counted from 1; or 0.
   */
  int column;
  /**
   * What was expected there and what was found, in English, without a newline.
   */
  char message[ESTR_MESSAGE_LENGTH];
} estr_file_error;

/**
 * A java.util.Random: its 48-bit state. Call estr_java_random_init before anything else; a copy goes on by itself.
 */
typedef struct estr_java_random {
  /**
   * The state, in the low 48 bits.
   */
  uint64_t state;
} estr_java_random;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Says in words what a return value of this library means.
 *
 * code: any int; values from 0 up mean success.
 *
 * Returns a static English text without a newline, never NULL. Do not free it.
 * Errors: none; an unknown code has a text of its own.
 * Threads: safe from any thread.
 */
const char *estr_strerror(int code);

/**
 * The earlier name of estr_strerror.
 *
 * code: any int.
 *
 * Returns what estr_strerror returns.
 * Errors: none.
 * Threads: safe from any thread.
 */
const char *estr_error_message(int code);

/**
 * The version of the library that the program runs with, for example "0.1.0". ESTR_VERSION_MAJOR, _MINOR and _PATCH are
 * the version of the header that it was compiled with.
 *
 * Returns a static text, never NULL. Do not free it.
 * Errors: none.
 * Threads: safe from any thread.
 */
const char *estr_version(void);

/**
 * Packs all tiles towards the edge in the given direction and keeps their order. Nothing combines.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if the board changed, 0 if not (nothing is written then).
 * Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION; the board is unchanged.
 * Threads: safe from any thread; no two calls on the same board at once.
 */
int estr_pull(int game_board[4][4], int direction);

/**
 * Combines equal neighbours. Every row (or column) is scanned from the edge in the given direction: two equal tiles
 * side by side become one tile of twice the value in the cell nearer the edge; the other cell becomes empty. A tile
 * made by this call does not combine again. Gaps are neither closed nor jumped over.
 *
 * Two equal tiles whose double does not fit an int stay as they are. Negative tiles combine like positive ones.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if the board changed, 0 if not (nothing is written then).
 * Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION; the board is unchanged.
 * Threads: safe from any thread; no two calls on the same board at once.
 */
int estr_combine(int game_board[4][4], int direction);

/**
 * One whole move: pull, combine, pull again. No new cell is added.
 *
 * Two equal tiles whose double does not fit an int do not combine. Negative tiles move and combine like positive ones.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if the board changed, 0 if not (nothing is written then).
 * Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION; the board is unchanged.
 * Threads: safe from any thread; no two calls on the same board at once.
 */
int estr_move(int game_board[4][4], int direction);

/**
 * Tells whether estr_move would change the board, by the same rules. The board is not changed.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if it would, 0 if not.
 * Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION.
 * Threads: safe from any thread, also on the same board while nobody changes it.
 */
int estr_can_move(int game_board[4][4], int direction);

/**
 * Tells whether the game is over: no direction changes the board. The board is not changed.
 *
 * A board without any tile counts as over: nothing on it can move. So does a full board whose only equal neighbours are
 * too large to combine.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 *
 * Returns 1 if the game is over, 0 if a move exists.
 * Errors: ESTR_NULL_POINTER.
 * Threads: safe from any thread, also on the same board while nobody changes it.
 */
int estr_is_over(int game_board[4][4]);

/**
 * The earlier name of estr_is_over, which old programs use. The functions estr_game_... are those of an estr_game.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 *
 * Returns what estr_is_over returns.
 * Errors: as estr_is_over.
 * Threads: as estr_is_over.
 */
int estr_game_over(int game_board[4][4]);

/**
 * Adds a 2 in an empty cell, drawn as in the assignment: row = next number % 4, col = next number % 4, both again
 * until that cell is empty.
 *
 * A few seeds only ever draw half of the cells, so the assignment's loop may never end. This function gives up after
 * 65536 draws; the chance of that with a generator that draws every cell is below 10^-1800.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, any other int is a tile that is in the way.
 * state: a generator that tinymt32_init has seeded; it is stepped twice for every draw.
 *
 * Returns the new cell as row * 4 + col (0 to 15).
 * Errors: ESTR_BOARD_FULL (nothing is drawn), ESTR_CELL_UNREACHABLE (65536 draws were made), ESTR_NULL_POINTER; the board
 * is unchanged.
 * Threads: safe from any thread; no two calls on the same board or generator at once.
 */
int estr_new_cell(int game_board[4][4], tinymt32_t *state);

/**
 * The score of the game: the sum of all tiles.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 *
 * Returns the sum, which is from 2 to 131070 in a real game. On a board with negative tiles it may be negative itself.
 * Errors: ESTR_NULL_POINTER (-2).
 * Threads: safe from any thread, also on the same board while nobody changes it.
 */
int64_t estr_score(int game_board[4][4]);

/**
 * Prints the board to standard output in the assignment's look: cells of four characters in a frame of +, - and |,
 * empty cells blank. A column with a tile of more than four characters is as wide as that tile.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 *
 * Returns 0, also if standard output takes nothing: ferror(stdout) tells.
 * Errors: ESTR_NULL_POINTER; nothing is printed.
 * Threads: safe from any thread; two boards printed at once may mix.
 */
int estr_print_board(int game_board[4][4]);

/**
 * Asks the person at the keyboard for a move: prints the board and a prompt, and reads one command from standard
 * input.
 *
 * The commands are the capital letters U, D, L and R. Blanks, newlines, carriage returns and a byte-order mark are
 * skipped. Any other key, and a move that changes nothing, is answered with one message, and the prompt comes again; a
 * letter of any alphabet (in UTF-8) and an arrow key are one key each. Only the bytes up to the command are read; the
 * rest stays in C's stdin for the next call or for the caller. A signal that interrupts the waiting does not end it. No
 * other stream than stdin and stdout is touched.
 *
 * game_board: 16 ints, game_board[row][col]; it is not changed.
 *
 * Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board.
 * Errors: ESTR_NO_DIRECTION (-1) at the end of the input, or if no direction changes the board (nothing is read);
 * ESTR_NULL_POINTER (nothing is printed or read).
 * Threads: safe from any thread; two questions at once share one keyboard.
 */
int human_player(int game_board[4][4]);

/**
 * Sets what the player of the process may spend on a move, and the network that it plays with. Holds for all threads,
 * from their next move on.
 *
 * Without this function the player makes at most 5000 network evaluations a move, solves the last moves before a full
 * board exactly, and plays with the network inside the library. The first move, or this function, unpacks that network,
 * which takes a good part of a second.
 *
 * options: the new settings, or NULL for the usual ones.
 *
 * Returns 0.
 * Errors: ESTR_BAD_OPTION if threads is above 64, weights is no UTF-8 text, or size is none; ESTR_BAD_WEIGHTS if the
 * network file cannot be read, is damaged, or has a shape that this library does not know; ESTR_NO_MEMORY. The settings
 * do not change then.
 * Threads: safe from any thread.
 */
int estr_player_configure(const struct estr_player_options *options);

/**
 * Makes a player of its own: two of them can differ in network and effort.
 *
 * options: what it may spend and what it plays with, or NULL for the usual player. Without a file in `weights` it always
 * plays, if need be without a network: estr_player_status tells.
 * player: where the new player's address goes; NULL is put there on an error. Free it with estr_player_free.
 *
 * Returns 0.
 * Errors: as estr_player_configure; ESTR_NULL_POINTER if `player` is NULL.
 * Threads: safe from any thread. Players with the library's own network share one copy of it.
 */
int estr_player_new(const struct estr_player_options *options, struct estr_player **player);

/**
 * Chooses a move by looking at nothing but the board.
 *
 * player: from estr_player_new; or NULL for the player of the process, which is what aiplayer_<ID> is.
 * game_board: 16 ints, game_board[row][col]; any values. It is not changed, and nothing is printed.
 *
 * Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board.
 * Errors: ESTR_NO_DIRECTION (-1) only if no direction does; ESTR_NULL_POINTER if `game_board` is NULL.
 * Threads: safe from any thread; one player by one thread at a time, but NULL by any number. With one thread for a move a
 * call may be left by siglongjmp: the player of the process then forgets what it was doing and leaves up to 20 MB
 * unused, while one from estr_player_new is not to be used any more, not even freed.
 */
int estr_player_choose(struct estr_player *player, int game_board[4][4]);

/**
 * Tells what a player thinks of a board: the value of every direction, the best line, and how long the board survives.
 *
 * player: from estr_player_new; or NULL for the player of the process.
 * game_board: 16 ints, game_board[row][col]: 0 or tiles of a game, 2 to 65536. It is not changed.
 * moves: moves of the best line that are wanted, 0 to ESTR_MAX_LINE; each takes some thousand evaluations for every empty
 * cell.
 * analysis: where the answer goes; its field `size` says how much room there is.
 *
 * Returns the best direction, 0 up, 1 down, 2 left, 3 right.
 * Errors: ESTR_NO_DIRECTION (-1) if no direction changes the board; ESTR_BAD_BOARD, ESTR_NO_NETWORK, ESTR_NO_MEMORY,
 * ESTR_NULL_POINTER; ESTR_BAD_OPTION if `moves` or `size` is out of range. Nothing is written then.
 * Threads: as estr_player_choose.
 */
int estr_player_analyse(struct estr_player *player, int game_board[4][4], int moves, struct estr_analysis *analysis);

/**
 * Tells which network a player plays with, and why: whether it is the strong player that was asked for. For the player
 * of the process the network is unpacked if that has not happened yet, so that the first move after this is quick.
 *
 * player: from estr_player_new; or NULL for the player of the process.
 * text: room for `size` characters, for an English text without a newline; may be NULL if `size` is 0.
 * size: at most size - 1 characters are written, and a NUL after them.
 *
 * Returns ESTR_PLAYER_STANDARD, ESTR_PLAYER_FILE, ESTR_PLAYER_INSTEAD or ESTR_PLAYER_SMALL.
 * Errors: ESTR_NULL_POINTER if `text` is NULL and `size` is not 0.
 * Threads: as estr_player_choose.
 */
int estr_player_status(const struct estr_player *player, char *text, size_t size);

/**
 * Gives back what a player takes up. For the player of the process that is its network, what this thread's player
 * remembers, and the games of the clairvoyant player; other threads give theirs back with their next move or their end.
 * Its settings stay, and its next move unpacks the network again.
 *
 * player: from estr_player_new, and not to be used any more; or NULL for the player of the process.
 *
 * Returns nothing.
 * Errors: none.
 * Threads: safe from any thread; one player by one thread at a time, but NULL by any number.
 */
void estr_player_free(struct estr_player *player);

/**
 * Sets what estr_clairvoyant_player may do. Holds for games that begin after the call; games that have begun are
 * forgotten and go on as fair games.
 *
 * options: the new settings, or NULL for the usual ones.
 *
 * Returns 0.
 * Errors: ESTR_BAD_OPTION if a value is out of range, or size is none; the settings do not change then.
 * Threads: safe from any thread.
 */
int estr_clairvoyant_configure(const struct estr_clairvoyant_options *options);

/**
 * The clairvoyant player: recovers the seed of the game from the boards that it is shown, plans the whole game with
 * all cells known, and plays the plan, which nearly always ends at 131070, the highest score there is.
 *
 * This is an exploit of the 32-bit seed of the assignment, not fair play: the fair player is aiplayer_<ID>,
 * which uses nothing but the board. Until the seed is known (about twenty rounds), and whenever a new cell is not the
 * one that was foreseen (another generator, another way to add cells, a game that it did not see from its first board
 * on), this player plays fair, too.
 *
 * It plans and plays with the network of the computer player: the one inside the library, or the one that
 * estr_player_configure has set. A game keeps the network that it began with. The other settings of
 * estr_player_configure are not for this player.
 *
 * Call it once for every board of a game, from the first board (one 2) on, and make the move that it returns. It
 * remembers its games between calls: a new game is noticed by its first board, and up to 8 games can be played at the
 * same time, from any threads. It prints nothing. One call takes up to two seconds while the seed is searched and the
 * game planned (see estr_clairvoyant_configure), later next to nothing.
 *
 * game_board: 16 ints, game_board[row][col]; it is not changed.
 *
 * Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board.
 * Errors: ESTR_NO_DIRECTION (-1) if none does; ESTR_NULL_POINTER.
 * Threads: safe from any thread; up to 8 games at once are told apart by their boards. A call may be left by siglongjmp
 * only if `threads` is 1; its game goes on as a fair game then.
 */
int estr_clairvoyant_player(int game_board[4][4]);

/**
 * Finds the seed of a game from its boards.
 *
 * boards: `count` boards of a game, from its first one (one 2) on, each after the new cell; boards[i][row][col].
 * count: number of boards; about 20 tell a seed for certain, fewer than about 9 are too few.
 * tinymt: ESTR_TINYMT_ANY, ESTR_TINYMT_ZERO or ESTR_TINYMT_OFFICIAL.
 * threads: threads of the search, up to 256; 0: as many as there are processors. All seeds of a set take some seconds.
 * seed: where the first seed that fits goes; may be NULL.
 * found_tinymt: where its generator goes, ESTR_TINYMT_ZERO or ESTR_TINYMT_OFFICIAL; may be NULL.
 *
 * Returns how many seeds fit: 1 if the seed is known, 0 if it is none of 32 bits, more if more boards are needed.
 * Errors: ESTR_BAD_BOARD if the first board is not that of a game, or one does not follow from the one before it;
 * ESTR_TOO_FEW_BOARDS, ESTR_BAD_OPTION, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing is written then.
 * Threads: safe from any thread. Not to be left by siglongjmp.
 */
int estr_recover(int boards[][4][4], size_t count, uint32_t tinymt, uint32_t threads, uint32_t *seed, uint32_t *found_tinymt);

/**
 * Plans a whole game with all cells known, with the network of the player of the process: nearly always up to 131070,
 * the highest score that the rules allow.
 *
 * seed: the seed of the game.
 * tinymt: ESTR_TINYMT_ZERO (or ESTR_TINYMT_ANY), or ESTR_TINYMT_OFFICIAL.
 * beam: boards in the beam, up to 8192; 0: 16. More find the perfect game more surely, and slower.
 * limit_ms: most time, in milliseconds; 0: no limit. A game takes some seconds.
 * moves: where the directions go, 0 to 3, one a move; may be NULL if `room` is 0.
 * room: directions that there is room for; no game has more than 65534.
 *
 * Returns the number of moves of the plan, of which at most `room` were written; the score of the game is twice this
 * number and 2.
 * Errors: ESTR_BAD_OPTION, ESTR_NO_NETWORK, ESTR_CELL_UNREACHABLE, ESTR_NULL_POINTER; nothing is written then.
 * Threads: safe from any thread. May be left by siglongjmp; what it took up stays unused.
 */
int estr_plan(uint32_t seed, uint32_t tinymt, uint32_t beam, uint32_t limit_ms, uint8_t *moves, size_t room);

/**
 * One move of one line towards its first place: pull, combine, pull again.
 *
 * line: `length` ints; 0 is an empty place, every other int is a tile.
 * length: number of places, from 0; the caller vouches that the line has so many.
 * gain: where the sum of all tiles made by combining goes; may be NULL.
 *
 * Returns 1 if the line changed, 0 if not (no tile is written then).
 * Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
 * Threads: safe from any thread; no two calls on the same line at once.
 */
int estr_line_move(int *line, int length, int64_t *gain);

/**
 * One whole move of a board, without a new tile.
 *
 * cells: rows * cols ints, row by row; 0 is an empty cell, every other int is a tile.
 * rows, cols: from 1 to ESTR_MAX_SIDE.
 * direction: 0 up, 1 down, 2 left, 3 right.
 * gain: where the sum of all tiles made by combining goes; may be NULL.
 *
 * Returns 1 if the board changed, 0 if not (no cell is written then).
 * Errors: ESTR_BAD_SIZE, ESTR_BAD_DIRECTION, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
 * Threads: safe from any thread; no two calls on the same cells at once.
 */
int estr_cells_move(int *cells, int rows, int cols, int direction, int64_t *gain);

/**
 * Tells whether estr_cells_move would change the board.
 *
 * cells: rows * cols ints, row by row; 0 is an empty cell, every other int is a tile.
 * rows, cols: from 1 to ESTR_MAX_SIDE.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if it would, 0 if not.
 * Errors: ESTR_BAD_SIZE, ESTR_BAD_DIRECTION, ESTR_NO_MEMORY, ESTR_NULL_POINTER.
 * Threads: safe from any thread, also on the same cells while nobody changes them.
 */
int estr_cells_can_move(const int *cells, int rows, int cols, int direction);

/**
 * Tells whether no direction changes the board. A board without any tile counts as over.
 *
 * cells: rows * cols ints, row by row; 0 is an empty cell, every other int is a tile.
 * rows, cols: from 1 to ESTR_MAX_SIDE.
 *
 * Returns 1 if it is over, 0 if a move exists.
 * Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER.
 * Threads: safe from any thread, also on the same cells while nobody changes them.
 */
int estr_cells_is_over(const int *cells, int rows, int cols);

/**
 * Copies one row or column (COMP 1020's extractLine).
 *
 * cells, rows, cols: as for estr_cells_move.
 * i: number of the line, from 0.
 * vertical: not 0 for column i, 0 for row i.
 * reverse: not 0 for the order from the bottom or from the right.
 * line: room for `rows` ints if vertical, else for `cols`.
 *
 * Returns the length of the line.
 * Errors: ESTR_BAD_SIZE (also if there is no line i), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing is copied.
 * Threads: safe from any thread, also on the same cells while nobody changes them.
 */
int estr_cells_extract_line(const int *cells, int rows, int cols, int i, int vertical, int reverse, int *line);

/**
 * Puts a line where estr_cells_extract_line with the same arguments takes it from (COMP 1020's insertLine).
 *
 * cells, rows, cols: as for estr_cells_move.
 * i, vertical, reverse: as for estr_cells_extract_line.
 * line: `rows` ints if vertical, else `cols`.
 *
 * Returns the length of the line.
 * Errors: ESTR_BAD_SIZE (also if there is no line i), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
 * Threads: safe from any thread; no two calls on the same cells at once.
 */
int estr_cells_insert_line(int *cells, int rows, int cols, int i, int vertical, int reverse, const int *line);

/**
 * Tilts one column up (CS 61B's tiltColumn).
 *
 * cells, rows, cols, gain: as for estr_cells_move.
 * c: number of the column, from 0.
 *
 * Returns 1 if the column changed, 0 if not.
 * Errors: ESTR_BAD_SIZE (also if there is no column c), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
 * Threads: safe from any thread; no two calls on the same cells at once.
 */
int estr_cells_tilt_column(int *cells, int rows, int cols, int c, int64_t *gain);

/**
 * Moves one tile up as far as it can go, and lets it combine with an equal tile that it runs into (CS 61B's
 * moveTileUpAsFarAsPossible).
 *
 * cells, rows, cols: as for estr_cells_move; row 0 is at the top.
 * r, c: row and column of the tile, from 0.
 * min_r: the highest row that it may reach; below 0 counts as 0.
 *
 * Returns 1 + the row of the combined tile, from 1 to `rows`; 0 if nothing combined.
 * Errors: ESTR_BAD_SIZE (also if there is no row r or column c), ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
 * Threads: safe from any thread; no two calls on the same cells at once.
 */
int estr_cells_move_tile_up(int *cells, int rows, int cols, int r, int c, int min_r);

/**
 * Turns the board a quarter to the left (PA4's rotateCounterClockwise): the last column becomes the first row.
 * Afterwards the ints are a board of `cols` rows and `rows` columns.
 *
 * cells, rows, cols: as for estr_cells_move.
 *
 * Returns 0.
 * Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
 * Threads: safe from any thread; no two calls on the same cells at once.
 */
int estr_cells_rotate_counter_clockwise(int *cells, int rows, int cols);

/**
 * Turns the board a quarter to the right: the first column, from the bottom up, becomes the first row. Afterwards the ints
 * are a board of `cols` rows and `rows` columns.
 *
 * cells, rows, cols: as for estr_cells_move.
 *
 * Returns 0.
 * Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; nothing changes.
 * Threads: safe from any thread; no two calls on the same cells at once.
 */
int estr_cells_rotate_clockwise(int *cells, int rows, int cols);

/**
 * Starts a game with the start tiles of its course.
 *
 * course: ESTR_COURSE_ESTR1002 (4 x 4 only), ESTR_COURSE_PSA3 (square, from 2 x 2), ESTR_COURSE_PA4 (any rectangle),
 * ESTR_COURSE_COMP1020 or ESTR_COURSE_CS61B (any square).
 * rows, cols: sides of the board, at most ESTR_MAX_SIDE.
 * seed: for TinyMT32 with all parameters 0 (ESTR1002; its low 32 bits) or java.util.Random (all others). The courses'
 * own seeds are 420 (PSA3), 118 (PA4) and 5 (CS 61B).
 * game: where the new game's address goes; NULL is put there on an error. Free it with estr_game_free.
 *
 * Returns 0.
 * Errors: ESTR_BAD_COURSE, ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_CELL_UNREACHABLE, ESTR_NULL_POINTER.
 * Threads: safe from any thread.
 */
int estr_game_new(int course, int rows, int cols, int64_t seed, struct estr_game **game);

/**
 * Ends a game and gives back its memory.
 *
 * game: from estr_game_new or estr_game_load, and not to be used any more; or NULL, which is left alone.
 *
 * Returns nothing.
 * Errors: none.
 * Threads: safe from any thread; one game by one thread at a time.
 */
void estr_game_free(struct estr_game *game);

/**
 * Moves all tiles and, if that changed the board, adds a tile as the course draws it. A game that is over takes no
 * move; a CS 61B game that this move ends gets no new tile.
 *
 * game: from estr_game_new or estr_game_load.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if the board changed, 0 if not.
 * Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION, ESTR_NO_MEMORY, ESTR_CELL_UNREACHABLE; the game is as before.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_move(struct estr_game *game, int direction);

/**
 * Takes back the last change: a move with its new tile, an added tile, set cells or a set score. The random numbers
 * go back too, so that the same moves give the same game again. There is no limit but the start of the game.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns 1 if a change was taken back, 0 at the start of the game (nothing changes).
 * Errors: ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_undo(struct estr_game *game);

/**
 * Tells whether a move in this direction would change the board.
 *
 * game: from estr_game_new or estr_game_load.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if it would, 0 if not.
 * Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_can_move(const struct estr_game *game, int direction);

/**
 * Tells whether the game is over by its course's rule: nothing can move; for COMP 1020 also no empty place; for
 * CS 61B no move exists or a 2048 is on the board.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns 1 if it is over, 0 if not.
 * Errors: ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_is_over(const struct estr_game *game);

/**
 * Tells whether a winning tile is on the board. Only CS 61B has one, 2048; in the other courses nobody wins.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns 1 if it is, 0 if not.
 * Errors: ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_has_won(const struct estr_game *game);

/**
 * The score: the sum of all tiles on the board for ESTR1002, the sum of all combined tiles for the others (COMP 1020
 * itself keeps no score). A score that was set or loaded may be negative.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns the score.
 * Errors: ESTR_NULL_POINTER (-2, which may be a score, too).
 * Threads: safe from any thread; one game by one thread at a time.
 */
int64_t estr_game_score(const struct estr_game *game);

/**
 * Number of rows of a game's board.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns a number from 1 to ESTR_MAX_SIDE.
 * Errors: ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_rows(const struct estr_game *game);

/**
 * Number of columns of a game's board.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns a number from 1 to ESTR_MAX_SIDE.
 * Errors: ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_cols(const struct estr_game *game);

/**
 * Copies all cells, row by row; 0 is an empty cell.
 *
 * game: from estr_game_new or estr_game_load.
 * cells: room for `count` ints.
 * count: rows * cols of the game, or more.
 *
 * Returns the number of cells.
 * Errors: ESTR_BAD_SIZE if `count` is smaller (nothing is copied), ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_get_cells(const struct estr_game *game, int *cells, size_t count);

/**
 * Replaces all cells, row by row. The score stays, and the change can be undone.
 *
 * game: from estr_game_new or estr_game_load.
 * cells: `count` ints; 0 is an empty cell, every other int is a tile.
 * count: rows * cols of the game, exactly.
 *
 * Returns 0.
 * Errors: ESTR_BAD_SIZE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; the game is as before.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_set_cells(struct estr_game *game, const int *cells, size_t count);

/**
 * Sets the score (PA4's setScore). It goes on from there with what combines, and the change can be undone.
 *
 * game: from estr_game_new or estr_game_load.
 * score: any number; it may be negative.
 *
 * Returns 0.
 * Errors: ESTR_BAD_COURSE in a game of ESTR1002, whose score is the sum of its tiles, ESTR_NO_MEMORY,
 * ESTR_NULL_POINTER; the game is as before.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_set_score(struct estr_game *game, int64_t score);

/**
 * Draws the value of a tile with the game's random numbers, and puts it nowhere (PA4's randomTile): a 2 in 70 of 100 cases
 * for PA4, in 90 for PSA3 and COMP 1020. An undo of an earlier change takes its random numbers back as well.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns 2 or 4.
 * Errors: ESTR_BAD_COURSE in a game of ESTR1002 or CS 61B, which do not draw a value by itself (nothing is drawn),
 * ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_random_tile(struct estr_game *game);

/**
 * Adds a tile as the course draws it. It can be undone.
 *
 * game: from estr_game_new or estr_game_load.
 *
 * Returns its value, 2 or 4.
 * Errors: ESTR_BOARD_FULL (nothing is drawn), ESTR_CELL_UNREACHABLE, ESTR_NO_MEMORY, ESTR_NULL_POINTER; the board is as
 * before.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_add_tile(struct estr_game *game);

/**
 * Writes the board as the course prints it.
 *
 * game: from estr_game_new or estr_game_load.
 * buffer: room for `size` characters; may be NULL if `size` is 0.
 * size: as for snprintf, at most size - 1 characters are written, and a NUL after them.
 *
 * Returns the length of the whole text without the NUL: the text was cut off if that is not less than `size`.
 * Errors: ESTR_NULL_POINTER, ESTR_NO_MEMORY.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_render(const struct estr_game *game, char *buffer, size_t size);

/**
 * Saves board and score: in PSA3's board file for PSA3, in PA4's save file for all other courses, which have none of
 * their own. The random numbers and the history are not saved.
 *
 * game: from estr_game_new or estr_game_load.
 * path: the file's name. An old file of that name is replaced once the new one is written whole beside it; if that
 * fails, the old file is as it was. It keeps its permissions, and a link is followed.
 *
 * Returns 0.
 * Errors: ESTR_FILE_ERROR (errno tells more; the old file is as it was), ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_save(const struct estr_game *game, const char *path);

/**
 * Goes on with a game that estr_game_save saved, or that PSA3's or PA4's own program saved. The random numbers start
 * afresh, and there is no history.
 *
 * course, seed, game: as for estr_game_new.
 * path: the file's name. The file is not changed.
 *
 * Returns 0.
 * Errors: ESTR_FILE_ERROR (it cannot be read), ESTR_BAD_FILE (it is no saved game), ESTR_BAD_COURSE, ESTR_BAD_SIZE,
 * ESTR_NO_MEMORY, ESTR_NULL_POINTER; `*game` is NULL then.
 * Threads: safe from any thread.
 */
int estr_game_load(int course, const char *path, int64_t seed, struct estr_game **game);

/**
 * The same as estr_game_load, and says where a file is damaged.
 *
 * course, path, seed, game: as for estr_game_load.
 * error: where the place and the reason of a failure go; it is left alone if there is none. May be NULL.
 *
 * Returns 0.
 * Errors: as estr_game_load.
 * Threads: safe from any thread.
 */
int estr_game_load_checked(int course, const char *path, int64_t seed, struct estr_game **game, struct estr_file_error *error);

/**
 * Saves a game with the state of its random numbers, so that it goes on as if it had never been interrupted: the same
 * moves bring the same tiles. The file is one of the library's own, a text with a version in it. The history is not
 * saved.
 *
 * game: from estr_game_new, estr_game_load or estr_game_resume.
 * path: the file's name. An old file of that name is replaced once the new one is written whole beside it.
 *
 * Returns 0.
 * Errors: ESTR_FILE_ERROR (errno tells more; the old file is as it was), ESTR_NULL_POINTER.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int estr_game_suspend(const struct estr_game *game, const char *path);

/**
 * Goes on with a game that estr_game_suspend saved, whatever its course. There is no history.
 *
 * path: the file's name. The file is not changed.
 * game: where the game's address goes; NULL is put there on an error. Free it with estr_game_free.
 * error: where the place and the reason of a failure go; it is left alone if there is none. May be NULL.
 *
 * Returns 0.
 * Errors: ESTR_FILE_ERROR (it cannot be read), ESTR_BAD_FILE (it is no such game), ESTR_NO_MEMORY, ESTR_NULL_POINTER.
 * Threads: safe from any thread.
 */
int estr_game_resume(const char *path, struct estr_game **game, struct estr_file_error *error);

/**
 * Seeds a generator like Java's new Random(seed).
 *
 * random: the generator to seed; NULL is left alone.
 * seed: any number; its low 48 bits count.
 *
 * Returns nothing.
 * Errors: none.
 * Threads: safe from any thread; no two calls on the same generator at once.
 */
void estr_java_random_init(struct estr_java_random *random, int64_t seed);

/**
 * Java's nextInt().
 *
 * random: a generator that estr_java_random_init has seeded.
 *
 * Returns any of the 2^32 ints.
 * Errors: 0 if `random` is NULL.
 * Threads: safe from any thread; no two calls on the same generator at once.
 */
int32_t estr_java_random_next_int(struct estr_java_random *random);

/**
 * Java's nextInt(bound): a number from 0 to bound - 1.
 *
 * random: a generator that estr_java_random_init has seeded.
 * bound: at least 1.
 *
 * Returns the number.
 * Errors: ESTR_BAD_BOUND (nothing is drawn; Java throws), ESTR_NULL_POINTER.
 * Threads: safe from any thread; no two calls on the same generator at once.
 */
int estr_java_random_next_int_below(struct estr_java_random *random, int32_t bound);

/**
 * Java's nextLong().
 *
 * random: a generator that estr_java_random_init has seeded.
 *
 * Returns a 64-bit number; not every one can come, because the state has 48 bits.
 * Errors: 0 if `random` is NULL.
 * Threads: safe from any thread; no two calls on the same generator at once.
 */
int64_t estr_java_random_next_long(struct estr_java_random *random);

/**
 * Java's nextDouble().
 *
 * random: a generator that estr_java_random_init has seeded.
 *
 * Returns a number from 0.0 up to, but never, 1.0.
 * Errors: 0.0 if `random` is NULL.
 * Threads: safe from any thread; no two calls on the same generator at once.
 */
double estr_java_random_next_double(struct estr_java_random *random);

/**
 * Makes one move in each of many games by one call.
 *
 * games: `count` games, each from estr_game_new or estr_game_load and each there only once.
 * count: number of games.
 * directions: `count` directions, 0 up, 1 down, 2 left, 3 right: one for each game.
 * restart: 1: a game that is over starts again instead of moving, with its random numbers going on, so that there is no
 * end to the games, and none of them keeps a history: the moves of this function cannot be undone then. 0: a game that is
 * over stays as it is.
 * cells: where all boards go, one after the other, each row by row; NULL if they are not wanted.
 * gains: where it goes what every move added to the score, 0 for a game that started again; NULL if it is not wanted.
 * over: where a 1 goes for every game that is over after this call, else a 0; NULL if it is not wanted.
 *
 * Returns how many boards a move changed.
 * Errors: ESTR_NULL_POINTER, ESTR_BAD_DIRECTION, ESTR_BAD_OPTION if `restart` is neither 0 nor 1; nothing happens then. A
 * game that has no memory for its history, or whose random numbers reach no empty cell, stays as it is, and counts as over
 * in the second case.
 * Threads: safe from any thread; one game by one thread at a time.
 */
int64_t estr_games_step(struct estr_game *const *games, size_t count, const int *directions, int restart, int *cells, int64_t *gains, int *over);

#ifdef __cplusplus
}
#endif 

#endif  /* ESTR2048_H */
