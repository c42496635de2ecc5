"""Chance without state: the n-th number of a purpose in a game is a pure function of (seed, game, purpose, n).

Each purpose (a shuffle, the dice of a seat, a bot) has a stream of its own, so drawing more in one never moves
another: two rules or two bots can be compared on the same luck. The mixer is the finaliser of SplitMix64
(Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"), applied to a keyed counter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.jit import inlined, kernel

# A bot's own stream: the key names the stream, the counter how many numbers were taken.
STREAM = np.dtype([("key", "u8"), ("count", "u8")], align=True)

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # odd, 2^64 / golden ratio: SplitMix64's step
PURPOSE_STEP = np.uint64(0xD1342543DE82EF95)  # odd; keeps purposes apart from counters
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31, SHIFT_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
ONE = np.uint64(1)


@inlined
def mix(value: Any) -> Any:
    """Scramble 64 bits so that each input bit changes each output bit with probability one half."""
    value = np.uint64(value)
    value = (value ^ (value >> SHIFT_30)) * MIX_A
    value = (value ^ (value >> SHIFT_27)) * MIX_B
    return value ^ (value >> SHIFT_31)


@kernel
def game_key(seed: int, game: int) -> Any:
    """Return the 64-bit key from which all the chance of one game follows."""
    return mix(mix(np.uint64(seed) + GOLDEN) + np.uint64(game) * GOLDEN)


@inlined
def stream_key(key: Any, purpose: int) -> Any:
    """Return the key of one purpose within a game."""
    return mix(np.uint64(key) ^ (np.uint64(purpose + 1) * PURPOSE_STEP))


@inlined
def number(stream: Any, count: int) -> Any:
    """Return the 64-bit number at place `count` of a stream, given the stream's key."""
    return mix(np.uint64(stream) + np.uint64(count + 1) * GOLDEN)


@inlined
def below(stream: Any, count: int, bound: int) -> Any:
    """Return the whole number in 0..bound-1 at place `count` of a stream; off uniform by less than bound / 2^32."""
    return np.int64(((number(stream, count) >> SHIFT_32) * np.uint64(bound)) >> SHIFT_32)


@kernel
def shuffle(stream: Any, items: Any, size: int) -> None:
    """Shuffle the first `size` items in place (Fisher-Yates), with the numbers 0..size-2 of the stream."""
    for last in range(size - 1, 0, -1):
        other = below(stream, size - 1 - last, last + 1)
        items[last], items[other] = items[other], items[last]


@inlined
def draw(stream: Any, bound: int) -> Any:
    """Take the next whole number in 0..bound-1 from a bot's own STREAM record, and advance it."""
    return np.int64(((fresh_key(stream) >> SHIFT_32) * np.uint64(bound)) >> SHIFT_32)


@inlined
def fresh_key(stream: Any) -> Any:
    """Take the next 64-bit number from a bot's own STREAM record, to serve as a key; and advance it."""
    stream.count = stream.count + ONE
    return mix(stream.key + stream.count * GOLDEN)
