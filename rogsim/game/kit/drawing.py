"""Drawing a game: shapes of SVG, escaped, whose looks follow from their classes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

LINE = 14  # from one line of a text to the next


@dataclass(frozen=True)
class Panel:
    """What a seat has: what is beside its name, its points so far, and facts as pairs of words."""

    name: str
    points: int
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Drawing:
    """A position: a drawing of this width and height, what each seat has, and what the signs of the drawing mean.

    Parts of the drawing that an action may name have `data-names`: words such as "space:3", which is what `names_of`
    returns for an action that builds on space 3.
    """

    width: float
    height: float
    svg: str
    seats: tuple[Panel, ...] = ()
    legend: str = ""


def names_of(words: Mapping[str, Any]) -> list[str]:
    """Return what an action in words names: "space:3" for {"space": 3}, and "do:build" for what it does."""
    pairs = [
        (key, one) for key, value in words.items() for one in (value if isinstance(value, list | tuple) else [value])
    ]
    return [f"{key}:{one}".replace(" ", "_") for key, one in pairs]


def shape(kind: str, look: str, **numbers: float | str) -> str:
    """Return an element of SVG of a class, with its attributes."""
    given = "".join(f' {name}="{escape(_short(value))}"' for name, value in numbers.items())
    return f'<{kind} class="{escape(look)}"{given}/>'


def label(x: float, y: float, text: str, look: str) -> str:
    """Return a text."""
    return f'<text class="{escape(look)}" x="{_short(x)}" y="{_short(y)}">{escape(text)}</text>'


def lines(x: float, y: float, text: str, look: str, letters: int, most: int = 3) -> str:
    """Return a text in at most so many lines of about so many letters."""
    found = textwrap.wrap(text, letters, max_lines=most, placeholder="…")
    return "".join(label(x, y + LINE * number, line, look) for number, line in enumerate(found))


def seat_mark(x: float, y: float, seat: int, size: float = 8) -> str:
    """Return a marker of a seat, which has its colour and its number."""
    return shape("circle", f"mark seat-{seat}", cx=x, cy=y, r=size) + label(x, y + 4, str(seat + 1), "on-seat")


def group(x: float, y: float) -> Callable[..., str]:
    """Return a function that puts elements at a place, with what they are in words and what actions call it."""

    def put(inside: str, title: str = "", names: str | Iterable[str] = ()) -> str:
        said = f"<title>{escape(title)}</title>" if title else ""
        given = names if isinstance(names, str) else " ".join(names)
        named = f' data-names="{escape(given)}"' if given else ""
        return f'<g transform="translate({_short(x)} {_short(y)})"{named}>{said}{inside}</g>'

    return put


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
