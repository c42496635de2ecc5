"""Drawing a game: shapes of SVG, escaped, whose looks follow from their classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Panel:
    """What a seat has: what is beside its name, its points so far, and facts as pairs of words."""

    name: str
    points: int
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Picture:
    """A position: a drawing of this width and height, what each seat has, and what the signs of the drawing mean.

    Parts of the drawing that an action may name have `data-names`, such as "shore:3".
    """

    width: float
    height: float
    drawing: str
    seats: tuple[Panel, ...] = ()
    legend: str = ""


def shape(kind: str, look: str, **numbers: float | str) -> str:
    """Return an element of SVG of a class, with its attributes."""
    given = "".join(f' {name}="{escape(_short(value))}"' for name, value in numbers.items())
    return f'<{kind} class="{escape(look)}"{given}/>'


def label(x: float, y: float, text: str, look: str) -> str:
    """Return a text."""
    return f'<text class="{escape(look)}" x="{_short(x)}" y="{_short(y)}">{escape(text)}</text>'


def group(x: float, y: float) -> Callable[..., str]:
    """Return a function that puts elements at a place, with what they are in words and what actions call it."""

    def put(inside: str, title: str = "", names: str = "") -> str:
        said = f"<title>{escape(title)}</title>" if title else ""
        named = f' data-names="{escape(names)}"' if names else ""
        return f'<g transform="translate({_short(x)} {_short(y)})"{named}>{said}{inside}</g>'

    return put


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
