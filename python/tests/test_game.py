"""The games, against whole games that were recorded outside this project."""

from pathlib import Path

import pytest

from estr2048 import Course, Direction, Error, Game

DATA = Path(__file__).parents[2] / "tests" / "data"


def recorded_games():
    """Seed and steps of `games.txt`: a line `game seed=N ...`, then a line for every input: letter, changed, score, board."""
    games = []
    for line in (DATA / "estr1002" / "games.txt").read_text().splitlines():
        letter, *words = line.split()
        if letter == "game":
            games.append((int(words[0].removeprefix("seed=")), []))
        elif letter in "UDLR":
            changed, score, board = words
            board = [[int(cell) for cell in row.split(",")] for row in board.split("/")]
            games[-1][1].append(("UDLR".index(letter), changed == "1", int(score), board))
    return games


def test_recorded_games_are_the_same():
    games = recorded_games()
    assert games and all(steps for _, steps in games)
    for seed, steps in games:
        game = Game(seed=seed)
        for direction, changed, score, board in steps:
            assert game.move(direction) == changed
            assert (game.score, game.board) == (score, board)


@pytest.mark.parametrize("course", list(Course))
def test_every_course_plays_undoes_and_comes_back(course, tmp_path):
    game = Game(course, seed=5)
    start = game.board
    moves = 0
    while not game.is_over and moves < 40:
        moves += game.move(game.legal_moves[0])
    board, score = game.board, game.score
    file = tmp_path / "a game"
    game.save(file)
    loaded = Game.load(course, file)
    assert (loaded.board, loaded.score) == (board, score)
    while game.undo():
        pass
    assert game.board == start
    assert str(game)


def test_boards_of_other_sizes():
    assert Game("PA4", 2, 7).board == Game("pa4", 2, 7).board
    with pytest.raises(Error, match="size"):
        Game("ESTR1002", 5, 5)
    with pytest.raises(Error, match="size"):
        Game("PA4", 0, 4)


def test_setting_a_board():
    game = Game()
    game.board = [[2, 2, 4, 8], [0] * 4, [0] * 4, [0] * 4]
    assert game.move(Direction.LEFT)
    assert game.board[0][:3] == [4, 4, 8]
    with pytest.raises(Error):
        game.board = [[2]]


def test_what_is_wrong_is_told(tmp_path):
    with pytest.raises(Error):
        Game.load("PSA3", tmp_path / "nothing")
    with pytest.raises(KeyError):
        Game("PSA9")
    with pytest.raises(Error):
        Game().move(4)
