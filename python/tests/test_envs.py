"""The environments, by Gymnasium's own checks and against the games."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import estr2048.envs  # noqa: E402,F401
from estr2048 import Course, Error, Game  # noqa: E402

NAMES = [f"estr2048/{course.name}-v0" for course in Course]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_no_fault(name):
    env = gymnasium.make(name, render_mode="ansi")
    check_env(env.unwrapped, skip_render_check=False)


@pytest.mark.parametrize("name", NAMES)
def test_rewards_add_up_to_the_score(name):
    env = gymnasium.make(name)
    observation, info = env.reset(seed=3)
    again, _ = gymnasium.make(name).reset(seed=3)
    assert (observation == again).all()
    total, terminated, steps = info["score"], False, 0
    while not terminated and steps < 5000:
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        assert not truncated
        total += reward
        steps += 1
    assert terminated or steps == 5000
    assert total == info["score"]


def test_many_games_are_those_of_one():
    many = gymnasium.make_vec("estr2048/ESTR1002-v0", num_envs=3)
    observations, _ = many.reset(seed=[11, 12, 13])
    games = [Game(seed=seed) for seed in (11, 12, 13)]
    actions = np.random.default_rng(1)
    for _ in range(60):
        for observation, game in zip(observations, games):
            assert (np.where(observation, 2 ** observation.astype(int), 0) == game.board).all()
        chosen = actions.integers(0, 4, 3)
        before = [game.score for game in games]
        observations, rewards, over, _, _ = many.step(chosen)
        for game, action in zip(games, chosen):
            game.move(action)
        assert (rewards == [game.score - score for game, score in zip(games, before)]).all()
        assert (over == [game.is_over for game in games]).all()
        if over.any():
            break


def test_a_game_that_ended_begins_anew():
    many = gymnasium.make_vec("estr2048/ESTR1002-v0", num_envs=2)
    many.reset(seed=5)
    actions = np.random.default_rng(2)
    ended = np.zeros(2, bool)
    begun = np.zeros(2, bool)
    while not begun.all():
        observations, rewards, over, _, _ = many.step(actions.integers(0, 4, 2))
        for i in np.flatnonzero(ended):
            assert observations[i].sum() == 1 and rewards[i] == 0 and not over[i]
        begun |= ended
        ended = over


def test_sizes_of_the_courses():
    assert gymnasium.make("estr2048/PA4-v0", rows=2, cols=7).reset(seed=1)[0].shape == (2, 7)
    with pytest.raises(Error):
        gymnasium.make("estr2048/ESTR1002-v0", rows=5, cols=5)
