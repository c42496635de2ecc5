"""The names of weights that exist once for each combination of circumstances, such as player count and phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product


def names_of(*levels: Iterable[object]) -> tuple[str, ...]:
    """Return the names of all combinations, "4-early-build" and so on; the last level changes fastest.

    The place of a name is that of the weight in a bot's array: the combinations in order, as in nested loops.
    """
    return tuple("-".join(map(str, combination)) for combination in product(*levels))


def changed(weights: Mapping[str, float], changes: Mapping[str, float]) -> dict[str, float]:
    """Return weights with some changes; KeyError if there is no weight of a name."""
    for name in changes:
        if name not in weights:
            raise KeyError(f"no weight {name!r}: choose from {', '.join(weights)}")
    return {**weights, **changes}


def in_order_of(liked: Sequence[str], names: Iterable[str]) -> dict[str, float]:
    """Return a weight for each name, larger for those that are liked, and largest for the first of them.

    Raises
    ------
    KeyError
        If what is liked is not among the names.
    """
    return changed(dict.fromkeys(names, 1.0), {name: 2.0 + len(liked) - place for place, name in enumerate(liked)})
