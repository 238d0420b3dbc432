"""TinyMT32, the generator of the ESTR1002 game, bit for bit."""

import ctypes

from ._library import TinyMt, lib

#: The parameters that TinyMT's authors publish.
OFFICIAL = (0x8F7011EE, 0xFC78FF1F, 0x3793FDFF)
#: What the assignment's program uses: a global `tinymt32_t` is all zero, and `tinymt32_init` does not set them.
ZERO = (0, 0, 0)


class TinyMT32:
    """One generator.

    `seed` is a number from 0 to 4294967295, or a list of such numbers (`tinymt32_init_by_array`). `parameters` are
    `(mat1, mat2, tmat)`: `ZERO`, the default, as in the game, or `OFFICIAL`, or your own.

    >>> TinyMT32(1, OFFICIAL).next()
    2545341989
    """

    def __init__(self, seed, parameters=ZERO):
        self._state = TinyMt()
        self._state.mat1, self._state.mat2, self._state.tmat = parameters
        keys = [seed] if isinstance(seed, int) else list(seed)
        for key in keys:
            if not 0 <= key <= 0xFFFFFFFF:
                raise ValueError(f"a seed is a number from 0 to 4294967295, not {key}")
        if isinstance(seed, int):
            lib.tinymt32_init(self._state, seed)
        else:
            lib.tinymt32_init_by_array(self._state, (ctypes.c_uint32 * len(keys))(*keys), len(keys))

    def next(self):
        """The next number, uniform from 0 to 4294967295."""
        return lib.tinymt32_generate_uint32(self._state)

    def random(self):
        """The next double r, 0.0 <= r < 1.0, with 32 random bits."""
        return lib.tinymt32_generate_32double(self._state)

    @property
    def status(self):
        """The four words of the state."""
        return tuple(self._state.status)

    def __iter__(self):
        return self

    __next__ = next
