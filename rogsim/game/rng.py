"""Chance without state: the n-th number of a purpose in a game is a pure function of (seed, game, purpose, n).

Each purpose (a shuffle, the dice of a seat, a bot) has a separate stream, so drawing more from one never changes
another: two rules or two bots can be compared on the same deals. The mixer is the finaliser of SplitMix64
(Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"), applied to a keyed counter.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from rogsim.game.compiler import ENABLED, kernel, part, wraps_around

# The stream of a bot: its key, and how many numbers were taken.
STREAM = np.dtype([("key", "u8"), ("count", "u8")], align=True)

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # odd, 2^64 / golden ratio: SplitMix64's step
PURPOSE_STEP = np.uint64(0xD1342543DE82EF95)  # odd; keeps purposes apart from counters
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31, SHIFT_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
ONE = np.uint64(1)


EVERY_BIT, STEP, FACTOR_A, FACTOR_B = (1 << 64) - 1, int(GOLDEN), int(MIX_A), int(MIX_B)


def mixed(value: int) -> int:
    """Return what `mix` does, computed with Python's whole numbers."""
    value = ((value ^ (value >> 30)) * FACTOR_A) & EVERY_BIT
    value = ((value ^ (value >> 27)) * FACTOR_B) & EVERY_BIT
    return value ^ (value >> 31)


if ENABLED:

    @part
    def mix(value: Any) -> Any:
        """Scramble 64 bits so that each input bit changes each output bit with probability one half."""
        value = np.uint64(value)
        value = (value ^ (value >> SHIFT_30)) * MIX_A
        value = (value ^ (value >> SHIFT_27)) * MIX_B
        return value ^ (value >> SHIFT_31)

    @part
    def scaled(value: Any, bound: int) -> Any:
        """Scale a 64-bit number to a whole number in 0..bound-1."""
        return np.int64(((value >> SHIFT_32) * np.uint64(bound)) >> SHIFT_32)

else:

    def mix(value: Any) -> Any:
        """Do the same with the numbers of Python, which are faster here."""
        return mixed(int(value))

    def scaled(value: Any, bound: int) -> Any:
        """Do the same with the numbers of Python."""
        return ((int(value) >> 32) * int(bound)) >> 32


@kernel
@wraps_around
def game_key(seed: int, game: int) -> Any:
    """Return the 64-bit key that determines all chance of one game."""
    return mix(mix(np.uint64(seed) + GOLDEN) + np.uint64(game) * GOLDEN)


@part
@wraps_around
def stream_key(key: Any, purpose: int) -> Any:
    """Return the key of one purpose within a game."""
    return mix(np.uint64(key) ^ (np.uint64(purpose + 1) * PURPOSE_STEP))


@part
def one_way(key: Any) -> Any:
    """Return the key of a bot's stream from the stream's key; 2^32 keys are equally likely to have given it.

    `mix` is invertible, and a bot knows the key of its stream. Without this step it could compute the game's key, and
    from it all dice and decks.
    """
    return mix(np.uint64(key) >> SHIFT_32)


@part
@wraps_around
def number(stream: Any, count: int) -> Any:
    """Return the 64-bit number at place `count` of a stream, given the stream's key."""
    return mix(np.uint64(stream) + np.uint64(count + 1) * GOLDEN)


@part
def below(stream: Any, count: int, bound: int) -> Any:
    """Return the whole number in 0..bound-1 at place `count` of a stream, uniform to within bound / 2^32."""
    return scaled(number(stream, count), bound)


@kernel
@wraps_around
def shuffle(stream: Any, items: Any, size: int) -> None:
    """Shuffle the first `size` items in place (Fisher-Yates), with the numbers 0..size-2 of the stream."""
    value, left = np.uint64(stream), np.uint64(size)
    while left > ONE:
        value += GOLDEN  # so `other` is what `below` gives, without a multiplication
        other = (mix(value) >> SHIFT_32) * left >> SHIFT_32
        left -= ONE
        items[left], items[other] = items[other], items[left]


@part
def draw(stream: Any, bound: int) -> Any:
    """Return the next whole number in 0..bound-1 of a bot's STREAM record, and advance it."""
    return scaled(fresh_key(stream), bound)


@part
def fresh_key(stream: Any) -> Any:
    """Return the next 64-bit number of a bot's STREAM record, to serve as a key, and advance it."""
    return advanced(stream, ONE)


if ENABLED:

    @part
    def advanced(stream: Any, numbers: Any) -> Any:
        """Advance a bot's STREAM record by some numbers, and return the last one: by 0, the same one again."""
        stream.count = stream.count + numbers
        return mix(stream.key + stream.count * GOLDEN)

else:

    def advanced(stream: Any, numbers: Any) -> Any:
        """Do the same with the numbers of Python."""
        count = stream.kept_count
        count[0] += int(numbers)
        return mixed((stream.kept_key[0] + count[0] * STEP) & EVERY_BIT)


class BotRandom(Random):
    """A bot's random numbers as a `random.Random`: the same key gives the same numbers."""

    def __init__(self, key: int) -> None:
        self._state = int(key)
        super().__init__()

    def seed(self, *_: Any, **__: Any) -> None:
        """Do nothing: the game decides where the stream begins."""

    def random(self) -> float:
        """Return a number from 0.0 up to, but excluding, 1.0."""
        return float(self._next() >> 11) * 2.0**-53

    def getrandbits(self, k: int) -> int:
        """Return a whole number of k random bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        words = -(-k // 64)
        joined = 0
        for _ in range(words):
            joined = joined << 64 | self._next()
        return joined >> (64 * words - k)

    def __reduce__(self) -> tuple[Any, ...]:
        """Make a copy continue from the current place."""
        return type(self), (self._state,)

    def getstate(self) -> Any:
        """Refuse: the state of a stream cannot be read."""
        raise NotImplementedError("this source of random numbers has no state to save")

    def setstate(self, _: Any) -> None:
        """Refuse: a stream cannot be reset."""
        raise NotImplementedError("this source of random numbers has no state to save")

    def _next(self) -> int:
        """Return the next 64 bits: the same as `number`, computed with Python's whole numbers."""
        self._state = (self._state + int(GOLDEN)) & EVERY_BIT
        return mixed(self._state)
