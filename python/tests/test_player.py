"""The computer player and the players that know the seed."""

import pytest

from estr2048 import Direction, Error, Game, Player, ai_move, analyse, plan, recover

STUCK = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]]


def test_the_player_makes_moves_that_count():
    game = Game(seed=7)
    for _ in range(100):
        assert game.move(ai_move(game.board))
    assert game.score == 202


def test_no_move_is_none():
    assert ai_move(STUCK) is None
    assert analyse(STUCK).direction is None


@pytest.mark.parametrize("board", [[[0] * 4] * 3, [[0] * 5] * 4, []])
def test_a_board_of_another_size_is_refused(board):
    with pytest.raises(ValueError, match="4 rows of 4"):
        ai_move(board)


def test_thoughts_tell_about_the_moves_that_count():
    game = Game(seed=7)
    for _ in range(200):
        game.move(ai_move(game.board))
    player = Player(nodes=200)
    thoughts = player.analyse(game.board, moves=3)
    assert set(thoughts.values) == set(game.legal_moves)
    assert thoughts.direction == player.choose(game.board) == max(thoughts.values, key=thoughts.values.get)
    assert len(thoughts.line) == 3 and thoughts.line[0][0] == thoughts.direction
    assert player.status


def test_a_network_file_that_is_none_is_told(tmp_path):
    file = tmp_path / "no network"
    file.write_text("hello")
    with pytest.raises(Error):
        Player(weights=file)


def test_a_seed_is_recovered_from_boards():
    game = Game(seed=4321)
    boards = [game.board]
    while len(boards) < 30:
        game.move(game.legal_moves[len(boards) % len(game.legal_moves)])
        boards.append(game.board)
    assert recover(boards, "zero") == (4321, "zero")
    with pytest.raises(Error):
        recover(boards[:3])
    with pytest.raises(Error):
        recover(boards[5:])


def test_a_plan_can_be_played():
    moves = plan(1234, beam=1, limit_s=0.2)
    game = Game(seed=1234)
    assert moves and all(game.move(direction) for direction in moves)
    assert game.score == 2 * len(moves) + 2
    assert all(isinstance(direction, Direction) for direction in moves)
