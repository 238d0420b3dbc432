"""Gymnasium environments: one for each course, and one for many games at once.

>>> import gymnasium, estr2048.envs
>>> env = gymnasium.make("estr2048/ESTR1002-v0")
>>> observation, info = env.reset(seed=1)
>>> int(observation.sum()), info["score"]
(1, 2)
"""

import gymnasium
import numpy as np
from gymnasium import spaces

from .game import Course, Direction, Game, course_of

#: The largest exponent of a tile: no board of 128 by 128 cells and int tiles holds more than 2^30.
MAX_EXPONENT = 30


class Env(gymnasium.Env):
    """One game of a course.

    Observation: `rows` by `cols` exponents of the tiles, uint8, 0 for an empty cell, 1 for a 2, 2 for a 4.
    Action: 0 up, 1 down, 2 left, 3 right. `info["action_mask"]` has a 1 for every action that changes the board; any
    other action changes nothing and earns nothing.
    Reward: what the move added to the course's score. For ESTR1002, whose score is the sum of all tiles, that is the
    new 2 of every move that counts.
    A game terminates by its course's own rule.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, course=Course.ESTR1002, rows=4, cols=4, render_mode=None):
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.course = course_of(course)
        self.rows, self.cols = rows, cols
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Box(0, MAX_EXPONENT, (rows, cols), np.uint8)
        self.game = None
        # Bad sizes are an error now, not at the first reset.
        Game(self.course, rows, cols, 1)

    def reset(self, *, seed=None, options=None):
        """Starts a game with a seed drawn from the environment's generator, or with `options["game_seed"]`."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(0, 2**32))
        self.game = Game(self.course, self.rows, self.cols, (options or {}).get("game_seed", drawn))
        return self._observation(), self._info()

    def step(self, action):
        before = self.game.score
        self.game.move(int(action))
        reward = float(self.game.score - before)
        return self._observation(), reward, self.game.is_over, False, self._info()

    def render(self):
        return str(self.game) if self.render_mode == "ansi" and self.game else None

    def _observation(self):
        return exponents(np.array(self.game.cells)).reshape(self.rows, self.cols)

    def _info(self):
        mask = np.array([self.game.can_move(direction) for direction in Direction], np.int8)
        return {"score": self.game.score, "action_mask": mask}


def exponents(cells):
    """The exponents of tiles, uint8: 0 for 0, 1 for 2, 2 for 4."""
    return np.frexp(cells)[1].clip(1).astype(np.uint8) - 1


def register():
    """Makes `gymnasium.make("estr2048/COURSE-v0")` known, with the names of `Course`."""
    for course in Course:
        name = f"estr2048/{course.name}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="estr2048.envs:Env",
                vector_entry_point="estr2048.vector:VectorEnv",
                kwargs={"course": course.name},
            )


register()
