"""Changes of parameters that contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.base.validation import Problem, key_text
from rogsim.game.parameters import leaves


def contradictions(change: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is given twice, and what is given as a whole beside one of its parts, such as a list and an entry."""
    names = Counter(path for path, _ in leaves(change))
    lengths = {len(path) for path in names}
    parts: dict[tuple[str, ...], str] = {}  # by what may be given as a whole: its first part
    for path in names:
        for whole in [path[:length] for length in lengths if length < len(path)]:
            parts.setdefault(whole, key_text(path))
    for path, count in names.items():
        if count > 1:
            yield Problem(path, "is given twice")
        if path in parts:
            yield Problem(path, f"is given as a whole, and so is its part {parts[path]}; give only one of them")
