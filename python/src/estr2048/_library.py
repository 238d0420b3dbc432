"""Finds libestr2048 and declares the functions that the package calls."""

import ctypes
import ctypes.util
import os
from ctypes import (
    POINTER, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p,
)
from pathlib import Path

NAME = "libestr2048.so.0"


class Error(Exception):
    """What the library answered instead of a result; `code` is its number, as in estr2048.h."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class TinyMt(ctypes.Structure):
    """`tinymt32_t` of tinymt32.h."""

    _fields_ = [("status", c_uint32 * 4), ("mat1", c_uint32), ("mat2", c_uint32), ("tmat", c_uint32)]


class PlayerOptions(ctypes.Structure):
    """`estr_player_options` of estr2048.h."""

    _fields_ = [
        ("size", c_size_t), ("move_us", c_uint64), ("nodes", c_uint64), ("threads", c_uint32), ("weights", c_char_p),
    ]


MAX_LINE = 32


class Analysis(ctypes.Structure):
    """`estr_analysis` of estr2048.h."""

    _fields_ = [
        ("size", c_size_t), ("values", c_double * 4), ("passing", c_double), ("evaluations", c_uint64),
        ("direction", c_int), ("depth", c_int), ("survives", c_int), ("survives_is_exact", c_int),
        ("line_length", c_int), ("line_directions", c_int * MAX_LINE), ("line_cells", c_int * MAX_LINE),
    ]


Board = (c_int * 4) * 4


def _candidates():
    """Where the library may be, the first one that exists wins."""
    named = os.environ.get("ESTR2048_LIBRARY")
    if named:
        # A library that was named and is not there is an error, never a reason to take another one.
        yield named
        return
    here = Path(__file__).resolve().parent
    yield here / NAME
    # The package inside the project's own folder, before any installation.
    yield here.parents[2] / NAME
    found = ctypes.util.find_library("estr2048")
    if found:
        yield found
    for folder in ("/usr/local/lib", "/usr/lib"):
        yield Path(folder) / NAME


def _load():
    tried = []
    for candidate in _candidates():
        is_path = os.sep in str(candidate)
        if is_path and not Path(candidate).exists():
            tried.append(str(candidate))
            continue
        return ctypes.CDLL(str(candidate))
    raise ImportError(
        "libestr2048 was not found (looked at " + ", ".join(tried) + "). Build it with `make shared` and install this "
        "package again, or let the environment variable ESTR2048_LIBRARY name it."
    )


lib = _load()

_CELLS = POINTER(c_int)
_GAME = c_void_p


def _declare(name, result, *arguments):
    function = getattr(lib, name)
    function.restype = result
    function.argtypes = list(arguments)


_declare("estr_strerror", c_char_p, c_int)
_declare("estr_version", c_char_p)
for _name, _result in {
    "tinymt32_generate_uint32": c_uint32,
    "tinymt32_generate_float": c_float,
    "tinymt32_generate_32double": c_double,
}.items():
    _declare(_name, _result, POINTER(TinyMt))
_declare("tinymt32_init", None, POINTER(TinyMt), c_uint32)
_declare("tinymt32_init_by_array", None, POINTER(TinyMt), POINTER(c_uint32), c_int)
_declare("estr_game_new", c_int, c_int, c_int, c_int, c_int64, POINTER(_GAME))
_declare("estr_game_free", None, _GAME)
_declare("estr_game_move", c_int, _GAME, c_int)
_declare("estr_game_undo", c_int, _GAME)
_declare("estr_game_can_move", c_int, _GAME, c_int)
_declare("estr_game_is_over", c_int, _GAME)
_declare("estr_game_has_won", c_int, _GAME)
_declare("estr_game_score", c_int64, _GAME)
_declare("estr_game_rows", c_int, _GAME)
_declare("estr_game_cols", c_int, _GAME)
_declare("estr_game_get_cells", c_int, _GAME, _CELLS, c_size_t)
_declare("estr_game_set_cells", c_int, _GAME, _CELLS, c_size_t)
_declare("estr_game_render", c_int, _GAME, c_char_p, c_size_t)
_declare("estr_game_save", c_int, _GAME, c_char_p)
_declare("estr_game_load", c_int, c_int, c_char_p, c_int64, POINTER(_GAME))
_PLAYER = c_void_p
_BOARD = POINTER(c_int * 4)
_declare("estr_player_new", c_int, POINTER(PlayerOptions), POINTER(_PLAYER))
_declare("estr_player_choose", c_int, _PLAYER, _BOARD)
_declare("estr_player_analyse", c_int, _PLAYER, _BOARD, c_int, POINTER(Analysis))
_declare("estr_player_status", c_int, _PLAYER, c_char_p, c_size_t)
_declare("estr_player_free", None, _PLAYER)
_declare("estr_recover", c_int, POINTER(Board), c_size_t, c_uint32, c_uint32, POINTER(c_uint32), POINTER(c_uint32))
_declare("estr_plan", c_int, c_uint32, c_uint32, c_uint32, c_uint32, POINTER(c_uint8), c_size_t)
_declare(
    "estr_games_step", c_int64, POINTER(_GAME), c_size_t, POINTER(c_int), c_int, POINTER(c_int), POINTER(c_int64),
    POINTER(c_int),
)


def check(code):
    """The result of a call; an error code becomes an `Error`."""
    if code < 0:
        raise Error(code, lib.estr_strerror(code).decode())
    return code
