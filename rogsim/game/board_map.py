"""A board as reports draw it: where its spaces are, and the columns that say how seats used them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Spaces:
    """Spaces of one kind on a board.

    Attributes
    ----------
    name
        One word for the kind, used in the names of tables.
    title
        The kind in the rulebook's words, such as "Harbours".
    noun
        The word for one of them.
    labels
        The name of each space by its column or, if there is a single column with a set, by its member.
    columns
        Seat columns: for each space the number of times that a seat used it, or a single set (`Column.members`) of the
        spaces that it used.
    use
        The word for one use, such as "stop".
    used
        What a seat did that used a space, such as "stopped there".
    places
        The middle of each space on the map, x to the right and y down, in units of the map.
    size
        Width and height of a space on the map.
    visit
        The words for a visit, such as "stops beside it".
    visits
        For each space the seat columns that, added up over all seats, say how often it is visited.
    """

    name: str
    title: str
    noun: str
    labels: Mapping[str, str]
    columns: tuple[str, ...]
    use: str
    used: str
    places: tuple[tuple[float, float], ...]
    size: tuple[float, float] = (1.0, 1.0)
    visit: str = ""
    visits: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Area:
    """A stretch of the map with a name, written at its left edge: from y to y."""

    name: str
    start: float
    end: float


@dataclass(frozen=True)
class BoardMap:
    """The board of a game, drawn as a map.

    Attributes
    ----------
    question
        What the map answers.
    course
        Points of the line that the board follows, as of `Spaces.places`; none for a board without one.
    width
        Width of that line.
    layout
        What the drawing simplifies, as a sentence; may be empty.
    income
        Seat columns that, added up, are the income of a seat; none for a board without a map of income.
    income_unit
        The word for what they count, such as "coins".
    """

    question: str
    spaces: tuple[Spaces, ...]
    areas: tuple[Area, ...] = ()
    course: tuple[tuple[float, float], ...] = ()
    width: float = 1.0
    layout: str = ""
    income: tuple[str, ...] = ()
    income_unit: str = ""
