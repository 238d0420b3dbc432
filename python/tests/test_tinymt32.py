"""Known answers that TinyMT's authors publish, and the draws of the assignment's game."""

from pathlib import Path

import pytest

from estr2048 import OFFICIAL, TinyMT32

DATA = Path(__file__).parents[2] / "tests" / "data"


def test_the_published_numbers():
    text = (DATA / "tinymt" / "check32.out.txt").read_text().splitlines()
    start = next(i for i, line in enumerate(text) if "32-bit unsigned integers" in line) + 1
    expected = [int(word) for line in text[start:start + 10] for word in line.split()]
    random = TinyMT32(1, OFFICIAL)
    assert [random.next() for _ in expected] == expected


def test_zero_parameters_are_the_default():
    lines = (DATA / "tinymt" / "uint32_zero_seed_1234.txt").read_text().splitlines()
    expected = [int(word) for line in lines if not line.startswith("#") for word in line.split()]
    random = TinyMT32(1234)
    assert [next(random) for _ in expected] == expected


@pytest.mark.parametrize("seed", [-1, 2**32, [1, -1]])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match="0 to 4294967295"):
        TinyMT32(seed)


def test_doubles_and_seeds_of_several_numbers():
    random = TinyMT32([1, 2, 3], OFFICIAL)
    assert all(0 <= random.random() < 1 for _ in range(1000))
    assert TinyMT32([1, 2, 3]).status != TinyMT32(1).status
