"""What reports and profiles show of a game: topics, each a question and the columns that answer it, and its board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import polars as pl

SEATS = "seats"  # the topic that every game has

TopicKind = Literal["level", "draw", "member", "count", "setup", "parts"]


@dataclass(frozen=True)
class Topic:
    """One question that a report answers, and the columns that answer it.

    `kind` is the kind of the columns:
      level: a seat column whose levels are compared.
      draw: a game column with a name for each draw that lists its members, "a, b, c" or "a+b+c".
      member: a seat column that is a bit set (`Column.members`), or `seats_that`: which seat has which member.
      count: seat columns with numbers: win share by value, and for each additional unit.
      setup: game columns whose levels may change the game.
      parts: seat columns that add up to the points.
    """

    name: str  # one word; also the name of its command, if it has one
    title: str
    question: str
    kind: TopicKind
    columns: tuple[str, ...]  # of seats, or of games for a draw and a set-up
    noun: str = ""  # the word for one level; by default the title
    labels: Mapping[str, str] = field(default_factory=dict)  # the words for levels, members and columns
    whether: bool = False  # of a count: only whether there are any matters, not how many
    claim: bool = True  # few levels, each with a verdict; False: a screen of many, where some stand out by chance
    # Of a level: the options under which chance deals the levels before any choice is made, each equally often to
    # every seat. Empty: always; None: never.
    dealt: Mapping[str, Any] | None = None
    # The parameters whose values its claims name, by the beginnings of their names, such as "card" or "setup.first".
    # All other claims rest on parameters only through play.
    about: tuple[str, ...] = ()
    # Of a member that no column records: what is asked of each seat, in words, with the condition that its row meets,
    # as an expression of SQL; and the columns of the row that all of them read.
    seats_that: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = ()


def computed_columns(topics: Iterable[Topic]) -> dict[str, pl.Expr]:
    """Return the bit sets that answer questions and that no column records, by column: bit i is the i-th member."""
    import polars as pl

    return {
        topic.columns[0]: pl.sum_horizontal(
            pl.sql_expr(condition).fill_null(False).cast(pl.UInt64) * (1 << bit)
            for bit, condition in enumerate(topic.seats_that.values())
        )
        for topic in topics
        if topic.seats_that
    }


def dealt_columns(topics: Sequence[Topic], manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the columns of seats whose levels the set-up dealt at random in the results with this manifest."""
    options = manifest.get("scenario", {}).get("options", {})
    return tuple(
        column
        for topic in topics
        if topic.kind == "level" and topic.dealt is not None
        for column in topic.columns
        if all(options.get(name) == value for name, value in topic.dealt.items())
    )


def question_topic(topics: Sequence[Topic], manifest: Mapping[str, Any]) -> str:
    """Return the name of the topic that results are about; SEATS if they are about the turn order.

    It is the one that the scenario names with its key `about`; by default the first one whose levels the scenario's
    options have dealt to the seats, so that they can be compared, and else the seats.
    """
    scenario = manifest.get("scenario", {})
    if scenario.get("players") == [1]:
        return SEATS  # nothing else compares seats
    if about := scenario.get("about"):
        return str(about)
    dealt = dealt_columns([topic for topic in topics if topic.claim and topic.dealt], manifest)
    return next((topic.name for topic in topics if set(topic.columns) & set(dealt)), SEATS)


@dataclass(frozen=True)
class Lead:
    """Columns that show who led during games, without final scoring.

    Attributes
    ----------
    progress
        Seat columns with the points so far, at equal steps between the start and the end of a game.
    changes
        Game column with the number of times the lead changed.
    since
        Game column with the turn after which the winner was never behind again: 0 = from the start, -1 = behind when
        play ended.
    behind
        Game column with the winner's largest deficit.
    by_source
        For a seat column of points from one source, the seat columns of its points so far, at equal steps between the
        start and the end of a game.
    """

    progress: tuple[str, ...]
    changes: str
    since: str
    behind: str
    by_source: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """A number that shows how a bot plays: the sum of some seat columns, or its share of the sum of others (`of`)."""

    name: str
    columns: tuple[str, ...]
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProfileTable:
    """Numbers that belong together in a profile of bots."""

    title: str
    measures: tuple[Measure, ...]


Labels = Mapping[str, str]


def levels(
    name: str, title: str, column: str, noun: str, labels: Labels, *about: str, dealt: Mapping[str, Any] | None = None
) -> Topic:
    """Return a topic about the levels of a seat column, which should be equally strong."""
    question = f"Is any {noun} too strong or too weak?"
    return Topic(name, title, question, "level", (column,), noun, labels, dealt=dealt, about=about)


def counts(
    name: str, title: str, question: str, noun: str, labels: Labels, *about: str, whether: bool = False
) -> Topic:
    """Return a topic about numbers; the labels are those of its columns."""
    return Topic(name, title, question, "count", tuple(labels), noun, labels, whether, about=about)


def members(name: str, column: str, noun: str, labels: Labels, *about: str, title: str = "") -> Topic:
    """Return a topic about what a seat has or has not, of which some stand out by chance."""
    title, question = title or f"{noun.capitalize()}s", f"Does any single {noun} go with winning?"
    return Topic(name, title, question, "member", (column,), noun, labels, claim=False, about=about)


def sources(labels: Labels) -> Topic:
    """Return the topic about the sources of points; the labels are those of their columns."""
    question = "Where do the winners' points come from?"
    return Topic("sources", "Points by source", question, "parts", tuple(labels), "source", labels)


# For a game with the seat column `ended_game`.
ENDS = counts(
    "ends",
    "End of the game",
    "Does it pay to trigger the end of the game?",
    "triggered the end",
    {"ended_game": "Triggered the end"},
    whether=True,
)


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
