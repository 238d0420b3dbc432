"""The computer player, what it thinks, and the players that know the seed."""

import ctypes
import os
from collections import namedtuple

from ._library import MAX_LINE, Analysis, Board, Error, PlayerOptions, check, lib
from .game import Direction

_NO_DIRECTION = -1
_SETS = {"any": 0, "zero": 1, "official": 2}
_MOST_MOVES = 65_534

#: What `Player.analyse` answers. `values`: the expected number of further moves for each direction that changes the
#: board; `direction`: the best one, or None; `line`: pairs of a direction and the (row, col) of the new 2 that hurts
#: most; `passing`: the exact probability of coming through a fill near by, or None; `survives`: so many moves whatever
#: cells are drawn, and `survives_is_exact` whether one more may be fatal; `evaluations` and `depth` of the search.
Thoughts = namedtuple("Thoughts", "direction values line passing survives survives_is_exact evaluations depth")
#: A seed and the name of its parameters, "zero" or "official".
Seed = namedtuple("Seed", "seed tinymt")


def _board(rows):
    rows = [[int(cell) for cell in row] for row in rows]
    if len(rows) != 4 or any(len(row) != 4 for row in rows):
        raise ValueError("a board of the computer player has 4 rows of 4 cells")
    return Board(*((ctypes.c_int * 4)(*row) for row in rows))


class Player:
    """The fair computer player: it uses nothing but the board.

    `move_ms`: most time for a move in milliseconds; `nodes`: most network evaluations for a move, which makes it
    deterministic; neither: 5000 evaluations, about a millisecond. `weights`: the path of a network file.
    """

    def __init__(self, move_ms=0, nodes=0, threads=1, weights=None):
        path = None if weights is None else os.fsencode(weights)
        options = PlayerOptions(ctypes.sizeof(PlayerOptions), int(move_ms * 1000), nodes, threads, path)
        self._handle = ctypes.c_void_p()
        check(lib.estr_player_new(options, ctypes.byref(self._handle)))

    def __del__(self):
        handle = getattr(self, "_handle", None)
        if handle and lib is not None:
            lib.estr_player_free(handle)
            self._handle = None

    def choose(self, board):
        """The move for a board of 4 rows of 4 tiles, or None if no direction changes it."""
        direction = lib.estr_player_choose(self._handle, _board(board))
        return None if direction == _NO_DIRECTION else Direction(check(direction))

    def analyse(self, board, moves=8):
        """What the player thinks of a board, as `Thoughts`, with `moves` moves of the best line (0 to 32)."""
        answer = Analysis(ctypes.sizeof(Analysis))
        direction = lib.estr_player_analyse(self._handle, _board(board), moves, answer)
        if direction == _NO_DIRECTION:
            return Thoughts(None, {}, [], None, 0, True, 0, 0)
        check(direction)
        values = {Direction(i): value for i, value in enumerate(answer.values) if value >= 0}
        steps = zip(answer.line_directions[: answer.line_length], answer.line_cells)
        line = [(Direction(direction), divmod(cell, 4)) for direction, cell in steps]
        passing = None if answer.passing < 0 else answer.passing
        return Thoughts(
            Direction(direction), values, line, passing, answer.survives, bool(answer.survives_is_exact),
            answer.evaluations, answer.depth,
        )

    @property
    def status(self):
        """A sentence that tells which network the player plays with, and why."""
        text = ctypes.create_string_buffer(1024)
        check(lib.estr_player_status(self._handle, text, len(text)))
        return text.value.decode(errors="replace")


_usual = None


def _usual_player():
    global _usual
    if _usual is None:
        _usual = Player()
    return _usual


def ai_move(board):
    """The move of the usual computer player, or None if no direction changes the board."""
    return _usual_player().choose(board)


def analyse(board, moves=8):
    """What the usual computer player thinks of a board; see `Player.analyse`."""
    return _usual_player().analyse(board, moves)


def recover(boards, tinymt="any", threads=0):
    """The seed of an ESTR1002 game from its boards, from the first one (one 2) on, about twenty of them.

    A `Seed`; None if no 32-bit seed draws these cells. `ValueError` if several seeds fit: give more boards.
    """
    boards = [_board(board) for board in boards]
    seed, found = ctypes.c_uint32(), ctypes.c_uint32()
    boards_array = (Board * len(boards))(*boards)
    count = check(lib.estr_recover(boards_array, len(boards), _SETS[tinymt], threads, seed, found))
    if count > 1:
        raise ValueError(f"{count} seeds fit these boards: give more of them")
    if count == 0:
        return None
    return Seed(seed.value, {number: name for name, number in _SETS.items()}[found.value])


def plan(seed, tinymt="zero", beam=0, limit_s=0):
    """The moves of a whole game for a known seed, nearly always up to 131070, the highest score that there is."""
    moves = (ctypes.c_uint8 * _MOST_MOVES)()
    count = check(lib.estr_plan(seed, _SETS[tinymt], beam, int(limit_s * 1000), moves, _MOST_MOVES))
    return [Direction(direction) for direction in moves[:count]]


__all__ = ["Error", "Player", "Seed", "Thoughts", "ai_move", "analyse", "plan", "recover", "MAX_LINE"]
