"""Chance taken apart: the way back through the mixer, for tests of what a bot could find out."""

from __future__ import annotations

from rogsim.game.rng import MIX_A, MIX_B

MASK = (1 << 64) - 1


def unmixed(value: int) -> int:
    """The number that `mix` makes into this one."""
    value = _unshifted(value, 31)
    value = _unshifted(value * pow(int(MIX_B), -1, 1 << 64) & MASK, 27)
    return _unshifted(value * pow(int(MIX_A), -1, 1 << 64) & MASK, 30)


def _unshifted(value: int, shift: int) -> int:
    """The number that, with itself shifted to the right crossed out of it, is this one."""
    while shift < 64:
        value ^= value >> shift
        shift *= 2
    return value
