"""The games of the five courses."""

import ctypes
import os
from enum import IntEnum

from ._library import check, lib


class Direction(IntEnum):
    """The numbers of the assignment."""

    UP = 0
    DOWN = 1
    LEFT = 2
    RIGHT = 3


class Course(IntEnum):
    """Whose rules a game is played by; see docs/courses.md."""

    ESTR1002 = 0
    PSA3 = 1
    PA4 = 2
    COMP1020 = 3
    CS61B = 4


def course_of(course):
    """A course by number, by member or by name in any case."""
    return Course[course.upper()] if isinstance(course, str) else Course(course)


class Game:
    """A running game of any course, with undo to its start.

    `seed` seeds TinyMT32 with zero parameters (ESTR1002, its low 32 bits) or `java.util.Random` (the others).

    >>> game = Game("PA4", seed=118)
    >>> game.move(Direction.RIGHT), game.score
    (True, 4)
    """

    def __init__(self, course=Course.ESTR1002, rows=4, cols=4, seed=1):
        self.course = course_of(course)
        self._handle = ctypes.c_void_p()
        check(lib.estr_game_new(self.course, rows, cols, seed, ctypes.byref(self._handle)))
        self._measure()

    @classmethod
    def load(cls, course, path, seed=1):
        """The game of a file that `save` wrote, or of a course's own file, with a fresh generator."""
        game = cls.__new__(cls)
        game.course = course_of(course)
        game._handle = ctypes.c_void_p()
        check(lib.estr_game_load(game.course, os.fsencode(path), seed, ctypes.byref(game._handle)))
        game._measure()
        return game

    def _measure(self):
        self.rows = lib.estr_game_rows(self._handle)
        self.cols = lib.estr_game_cols(self._handle)

    def __del__(self):
        handle = getattr(self, "_handle", None)
        if handle and lib is not None:
            lib.estr_game_free(handle)
            self._handle = None

    @property
    def cells(self):
        """All cells in reading order; 0 is an empty one."""
        count = self.rows * self.cols
        cells = (ctypes.c_int * count)()
        check(lib.estr_game_get_cells(self._handle, cells, count))
        return list(cells)

    @property
    def board(self):
        """The board, a list of rows."""
        cells = self.cells
        return [cells[row * self.cols:(row + 1) * self.cols] for row in range(self.rows)]

    @board.setter
    def board(self, rows):
        cells = [int(cell) for row in rows for cell in row]
        check(lib.estr_game_set_cells(self._handle, (ctypes.c_int * len(cells))(*cells), len(cells)))

    def move(self, direction):
        """Moves all tiles and, if that changed the board, adds a tile as the course draws it. True if it changed."""
        return check(lib.estr_game_move(self._handle, int(direction))) == 1

    def undo(self):
        """Takes back the last change, the generator too. False at the start of the game."""
        return check(lib.estr_game_undo(self._handle)) == 1

    def can_move(self, direction):
        """Whether a move in this direction would change the board."""
        return check(lib.estr_game_can_move(self._handle, int(direction))) == 1

    @property
    def legal_moves(self):
        """The directions that change the board."""
        return [direction for direction in Direction if self.can_move(direction)]

    @property
    def is_over(self):
        """Whether the game is over by the course's own rule."""
        return check(lib.estr_game_is_over(self._handle)) == 1

    @property
    def has_won(self):
        """Whether a winning tile is on the board; only CS 61B has one."""
        return check(lib.estr_game_has_won(self._handle)) == 1

    @property
    def score(self):
        """The sum of all tiles (ESTR1002) or of all combined tiles (the others)."""
        return lib.estr_game_score(self._handle)

    def save(self, path):
        """Writes PSA3's board file, or PA4's save file for all other courses, and replaces what was there."""
        check(lib.estr_game_save(self._handle, os.fsencode(path)))

    def __str__(self):
        """The board as the course prints it."""
        size = check(lib.estr_game_render(self._handle, None, 0)) + 1
        buffer = ctypes.create_string_buffer(size)
        check(lib.estr_game_render(self._handle, buffer, size))
        return buffer.value.decode()
