/*
 * estr2048.h - the 2048 of ESTR1002 for C programs.
 *
 * Link with libestr2048.a. This file is generated from src/ffi by `make header`: change it there.
 *
 * A board is the assignment's int game_board[4][4]: game_board[row][col], row 0 at the top, 0 for an empty cell.
 * No function crashes on any ints in the board, on any direction, or on a NULL pointer.
 */

#ifndef ESTR2048_H
#define ESTR2048_H

#include <stdint.h>
#include "tinymt32.h"

/*
 * Your student ID is part of the computer player's name. It must be the ID that the library was built with
 * (make STUDENT_ID=...); with another one the linker says that aiplayer_<ID> is undefined.
 */
#ifndef STUDENT_ID
#define STUDENT_ID 1155123456
#endif

#define ESTR_JOIN_NAMES(a, b) a##b
#define ESTR_JOIN(a, b) ESTR_JOIN_NAMES(a, b)

/** The name aiplayer_<STUDENT_ID>, for programs that work with any ID. */
#define ESTR_AIPLAYER ESTR_JOIN(aiplayer_, STUDENT_ID)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The computer player: chooses a move by looking at nothing but the board.
 *
 * game_board: 16 ints, game_board[row][col]; any values. It is not changed, and nothing is printed.
 *
 * Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board; ESTR_NO_DIRECTION (-1) only if no
 * direction does; ESTR_NULL_POINTER.
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
 * Options of the clairvoyant player, for estr_clairvoyant_configure. Set all of it to zero first; zero means "as
 * usual".
 */
typedef struct estr_clairvoyant_options {
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

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Says in words what a return value of this library means.
 *
 * code: any int; values from 0 up mean success.
 *
 * Returns a static English text without a newline, never NULL. Do not free it.
 */
const char *estr_error_message(int code);

/**
 * The version of this library, for example "0.1.0".
 *
 * Returns a static text, never NULL. Do not free it.
 */
const char *estr_version(void);

/**
 * Packs all tiles towards the edge in the given direction and keeps their order. Nothing combines.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if the board changed, 0 if not, ESTR_NULL_POINTER or ESTR_BAD_DIRECTION (board unchanged).
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
 * Returns 1 if the board changed, 0 if not, ESTR_NULL_POINTER or ESTR_BAD_DIRECTION (board unchanged).
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
 * Returns 1 if the board changed, 0 if not, ESTR_NULL_POINTER or ESTR_BAD_DIRECTION (board unchanged).
 */
int estr_move(int game_board[4][4], int direction);

/**
 * Tells whether estr_move would change the board, by the same rules. The board is not changed.
 *
 * game_board: 16 ints, game_board[row][col]; 0 is an empty cell, every other int is a tile.
 * direction: 0 up, 1 down, 2 left, 3 right.
 *
 * Returns 1 if it would, 0 if not, ESTR_NULL_POINTER or ESTR_BAD_DIRECTION.
 */
int estr_can_move(int game_board[4][4], int direction);

/**
 * Tells whether the game is over: no direction changes the board. The board is not changed.
 *
 * game_board: 16 ints, game_board[row][col]. A board without any tile counts as over: nothing on it can move. So does
 * a full board whose only equal neighbours are too large to combine.
 *
 * Returns 1 if the game is over, 0 if a move exists, ESTR_NULL_POINTER.
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
 * Returns the new cell as row * 4 + col (0 to 15), ESTR_BOARD_FULL (nothing is drawn), ESTR_CELL_UNREACHABLE or
 * ESTR_NULL_POINTER. The board is unchanged if the value is negative.
 */
int estr_new_cell(int game_board[4][4], tinymt32_t *state);

/**
 * The score of the game: the sum of all tiles.
 *
 * game_board: 16 ints, game_board[row][col].
 *
 * Returns the sum, which is from 2 to 131070 in a real game, or ESTR_NULL_POINTER (-2). On a board with negative
 * tiles the sum itself may be negative.
 */
int64_t estr_score(int game_board[4][4]);

/**
 * Prints the board to standard output in the assignment's look: cells of four characters in a frame of +, - and |,
 * empty cells blank. A column with a tile of more than four characters is as wide as that tile.
 *
 * game_board: 16 ints, game_board[row][col].
 *
 * Returns 0 or ESTR_NULL_POINTER (nothing is printed).
 */
int estr_print_board(int game_board[4][4]);

/**
 * Asks the person at the keyboard for a move: prints the board and a prompt, and reads one command from standard
 * input.
 *
 * The commands are the capital letters U, D, L and R. Blanks, newlines and carriage returns are skipped. Any other
 * character, and a move that changes nothing, is answered with a message, and the prompt comes again. Only the bytes
 * up to the command are read; the rest stays in C's stdin for the next call or for the caller.
 *
 * game_board: 16 ints, game_board[row][col]; it is not changed.
 *
 * Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board; ESTR_NO_DIRECTION (-1) at the
 * end of the input, or if no direction changes the board (nothing is read); ESTR_NULL_POINTER (nothing is printed or
 * read).
 */
int human_player(int game_board[4][4]);

/**
 * Sets what estr_clairvoyant_player may do. Holds for games that begin after the call; games that have begun are
 * forgotten and go on as fair games.
 *
 * options: the new settings, or NULL for the usual ones.
 *
 * Returns 0, or ESTR_BAD_OPTION if a value is out of range; the settings do not change then.
 */
int estr_clairvoyant_configure(const struct estr_clairvoyant_options *options);

/**
 * The clairvoyant player: recovers the seed of the game from the boards that it is shown, plans the whole game with
 * all cells known, and plays the plan, which nearly always ends at 131070, the highest score there is.
 *
 * This is an exploit of the 32-bit seed of the assignment, not fair play: the fair player is aiplayer_<STUDENT_ID>,
 * which uses nothing but the board. Until the seed is known (about twenty rounds), and whenever a new cell is not the
 * one that was foreseen (another generator, another way to add cells, a game that it did not see from its first board
 * on), this player plays fair, too.
 *
 * Call it once for every board of a game, from the first board (one 2) on, and make the move that it returns. It
 * remembers its games between calls: a new game is noticed by its first board, and up to 8 games can be played at the
 * same time, from any threads. It prints nothing. One call takes up to two seconds while the seed is searched and the
 * game planned (see estr_clairvoyant_configure), later next to nothing.
 *
 * game_board: 16 ints, game_board[row][col]; it is not changed.
 *
 * Returns 0 up, 1 down, 2 left, 3 right: always a direction that changes the board; ESTR_NO_DIRECTION (-1) if none
 * does; ESTR_NULL_POINTER.
 */
int estr_clairvoyant_player(int game_board[4][4]);

#ifdef __cplusplus
}
#endif 

#endif  /* ESTR2048_H */
