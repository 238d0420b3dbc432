"""Many games of a course at once, moved by one call of the library a step."""

import ctypes

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._library import check, lib
from .envs import MAX_EXPONENT, exponents
from .game import Course, Game, course_of

_INTS = ctypes.POINTER(ctypes.c_int)
_LONGS = ctypes.POINTER(ctypes.c_int64)


class VectorEnv(gymnasium.vector.VectorEnv):
    """`num_envs` games of one course.

    Observations, actions, rewards and ends are those of `estr2048.envs.Env`, one row a game. A game that ended begins
    anew with the step after that, whatever its action is (Gymnasium's next-step autoreset); its random numbers go on.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs=1, course=Course.ESTR1002, rows=4, cols=4):
        self.num_envs = num_envs
        self.course = course_of(course)
        self.rows, self.cols = rows, cols
        self.single_action_space = spaces.Discrete(4)
        self.single_observation_space = spaces.Box(0, MAX_EXPONENT, (rows, cols), np.uint8)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._cells = np.zeros((num_envs, rows, cols), np.int32)
        self._gains = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.int32)
        self._games = []
        self._start(range(1, num_envs + 1))

    def _start(self, seeds):
        self._games = [Game(self.course, self.rows, self.cols, int(seed)) for seed in seeds]
        self._handles = (ctypes.c_void_p * self.num_envs)(*(game._handle.value for game in self._games))

    def reset(self, *, seed=None, options=None):
        # A number seeds the drawing of the games' seeds; a list names them.
        one = seed is None or isinstance(seed, int)
        super().reset(seed=seed if one else None)
        self._start(self.np_random.integers(0, 2**32, self.num_envs) if one else seed)
        for game, cells in zip(self._games, self._cells):
            cells[:] = game.board
        self._over[:] = 0
        return exponents(self._cells), {}

    def step(self, actions):
        actions = np.ascontiguousarray(actions, np.int32)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"there are {self.num_envs} games, and actions of shape {actions.shape}")
        pointer = lambda array, kind: array.ctypes.data_as(kind)  # noqa: E731
        check(lib.estr_games_step(
            self._handles, self.num_envs, pointer(actions, _INTS), 1, pointer(self._cells, _INTS),
            pointer(self._gains, _LONGS), pointer(self._over, _INTS),
        ))
        over = self._over.astype(bool)
        return exponents(self._cells), self._gains.astype(np.float64), over, np.zeros_like(over), {}
