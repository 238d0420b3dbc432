"""2048 as five university courses play it: games, TinyMT32, and strong players, over the library libestr2048.

>>> import estr2048
>>> game = estr2048.Game("ESTR1002", seed=1234)
>>> while game.score < 64:
...     _ = game.move(estr2048.ai_move(game.board))
>>> game.score
64

`estr2048.envs` has Gymnasium environments, one for each course.
"""

from ._library import Error, lib
from .game import Course, Direction, Game
from .player import Player, Seed, Thoughts, ai_move, analyse, plan, recover
from .tinymt32 import OFFICIAL, ZERO, TinyMT32

#: The version of the library.
__version__ = lib.estr_version().decode()

__all__ = [
    "Course", "Direction", "Error", "Game", "OFFICIAL", "Player", "Seed", "Thoughts", "TinyMT32", "ZERO", "ai_move",
    "analyse", "plan", "recover",
]
