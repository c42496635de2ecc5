"""A position as pages show it: a drawing or tables, what each seat has, and its choices in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

from rogsim.base.errors import RogsimError
from rogsim.base.text import capital, counted, listing
from rogsim.game.bot import in_a_line
from rogsim.game.kit.drawing import Drawing, Panel, names_of
from rogsim.game.rng import BotRandom
from rogsim.game.spec import GameSpec
from rogsim.simulation.session import Standing

MOST_DRAWING, MOST_LETTERS = 1_000_000, 300  # of a drawing; of a value in a table
# A drawing may be a stranger's: nothing in it but these can be shown, and none of these can run or fetch anything.
SHAPES = {"g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan", "title"}
ATTRIBUTES = {"class", "transform", "data-names", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "d"}
ATTRIBUTES |= {"x1", "x2", "y1", "y2", "points", "dx", "dy", "opacity", "fill", "stroke", "stroke-width"}
ATTRIBUTES |= {"stroke-dasharray", "text-anchor", "font-size", "font-weight"}
NOT_SHOWN = ("me", "actor", "numbers", "random", "players", "turn")  # of what a bot in Python is told


@dataclass(frozen=True)
class Shown:
    """A position to show.

    Attributes
    ----------
    picture
        Its drawing, if there is one.
    seats
        What each seat has.
    shared, each
        Without a drawing: what is on the table, as pairs of words; and rows of a name with what each seat has.
    note
        Why the drawing of the game is not shown.
    """

    picture: Drawing | None
    seats: tuple[Panel, ...]
    shared: Sequence[tuple[str, str]] = ()
    each: Sequence[tuple[str, Sequence[str]]] = ()
    note: str = ""


def shown(spec: GameSpec, setup: Any, state: Any, seat: int = 0) -> Shown:
    """Return a position, or the view of a seat, as its game draws it, or as tables.

    Parameters
    ----------
    seat
        Who sees it.
    """
    picture, note = None, ""
    try:
        picture = drawn(spec, setup, state)
    except Exception as fault:  # the drawing of a stranger's game may fail in any way
        note = f"The drawing of this game fails: {in_a_line(fault)}"
    if picture is not None and picture.seats:
        return Shown(picture, picture.seats)
    shared, each = _described(spec, setup, state, seat)
    points = [int(spec.rules.points(state, place)) for place in range(int(spec.rules.seats(state)))]
    if picture is None:
        return Shown(None, tuple(Panel("", number) for number in points), shared, each, note)
    facts = [tuple((name, values[place]) for name, values in each) for place in range(len(points))]
    return Shown(picture, tuple(Panel("", *both) for both in zip(points, facts, strict=True)))


def outcome(standing: Sequence[Standing], names: Sequence[str]) -> str:
    """Return who won, and with how many points."""
    won = [seat for seat, one in enumerate(standing) if one.win_share > 0]
    if not won:
        return "Nobody wins"
    who = capital(listing(names[seat] for seat in won))
    verb = "share the win" if len(won) > 1 else "win" if who == "You" else "wins"
    return f"{who} {verb} with {counted(standing[won[0]].points, 'point')}"


def drawn(spec: GameSpec, setup: Any, state: Any) -> Drawing | None:
    """Return the drawing of a position, or of the view of a seat, as safe markup, if the game draws itself."""
    found = spec.draw(setup, state) if spec.draw is not None else None
    return replace(found, svg=safe_markup(found.svg)) if found is not None else None


def safe_markup(drawing: str) -> Markup:
    """Return a drawing with its known shapes and attributes only; RogsimError if it is no SVG."""
    if len(drawing) > MOST_DRAWING or "<!" in drawing or "<?" in drawing:
        raise RogsimError(f"a drawing is at most {MOST_DRAWING:,} letters of elements and text")
    try:
        root = ElementTree.fromstring(f"<g>{drawing}</g>")
    except ElementTree.ParseError as fault:
        raise RogsimError(f"this is no SVG: {fault}") from fault
    _keep_known(root)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _keep_known(element: ElementTree.Element) -> None:
    for name in [name for name, value in element.attrib.items() if name not in ATTRIBUTES or "url" in value.lower()]:
        del element.attrib[name]
    for inner in list(element):
        if inner.tag in SHAPES:
            _keep_known(inner)
        else:
            element.remove(inner)


def _described(spec: GameSpec, setup: Any, state: Any, seat: int) -> tuple[list[Any], list[Any]]:
    """Return what a bot in Python is told: what all share, and by name what each seat has."""
    told = spec.rules.describe(setup, state, seat, BotRandom(0))
    if not isinstance(told, Mapping):
        return [], []
    players = [player for player in told.get("players", ()) if isinstance(player, Mapping)]
    shared = [(_plain(name), in_words(value)) for name, value in told.items() if name not in NOT_SHOWN]
    names = [name for name in (players[0] if players else ()) if name != "points"]
    return shared, [(_plain(name), _of_seats([player.get(name) for player in players])) for name in names]


def _of_seats(values: Sequence[Any]) -> list[str]:
    """Return the values of all seats in words; where one is a list, the number of another is that of hidden things."""
    is_list = any(isinstance(value, list | tuple) for value in values)
    return [f"{value} hidden" if is_list and isinstance(value, int) else in_words(value) for value in values]


def in_words(value: Any) -> str:
    """Return a value of a view in words: "wood 1, stone 2"."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return in_words([f"{_plain(name)} {in_words(inner)}" for name, inner in value.items()])
    if isinstance(value, list | tuple):
        text = ", ".join(map(in_words, value)) or "none"
        return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"
    return str(value)


@dataclass(frozen=True)
class Choice:
    """A legal action: what is done and each thing that it names, in words, and the names of these things.

    short: its words within its row.
    """

    action: int
    words: Sequence[str]
    names: str = ""
    short: str = ""

    @property
    def said(self) -> str:
        """Return all its words."""
        return " ".join(self.words)


def choice_of(spec: GameSpec, setup: Any, state: Any, action: int) -> Choice:
    """Return a legal action in words: those of the game, or of the step of a trace."""
    told = spec.rules.action_to_dict(setup, state, action)
    words = words_of(told) if spec.say is None else spec.say(setup, state, told)
    return Choice(action, words, " ".join(names_of(told)))


def words_of(told: Mapping[str, Any]) -> list[str]:
    """Return the words of a step of a trace; a single word needs no name."""
    things = {name: value for name, value in told.items() if name != "do"}
    is_clear = len(things) == 1 and all(isinstance(value, str) for value in things.values())
    said = [_named(value) if is_clear else f"{_plain(name)} {_named(value)}" for name, value in things.items()]
    return [capital(_plain(told["do"])), *said] if "do" in told else [capital(one) for one in said]


@dataclass(frozen=True)
class Group:
    """Choices that do the same: rows of those that also share the first thing they name."""

    title: str
    rows: Sequence[tuple[str, Sequence[Choice]]]

    @property
    def count(self) -> int:
        """Return the number of choices."""
        return sum(len(row) for _, row in self.rows)


def grouped(choices: Iterable[Choice]) -> list[Group]:
    """Return choices by what they do and what they name; what names nothing comes first."""
    by_do: dict[str, list[Choice]] = {}
    for one in choices:
        by_do.setdefault(one.words[0] if len(one.words) > 1 else "", []).append(one)
    return [_group(title, by_do[title]) for title in sorted(by_do, key=bool)]


def _group(title: str, choices: Sequence[Choice]) -> Group:
    firsts = {one.words[1] for one in choices if len(one.words) > 2}
    in_rows = len(firsts) < len(choices) and all(len(one.words) > 2 for one in choices)
    rows: dict[str, list[Choice]] = {}
    for one in choices:
        short = " ".join(one.words[2 if in_rows else bool(title) :])
        rows.setdefault(one.words[1] if in_rows else "", []).append(replace(one, short=short))
    return Group(title, list(rows.items()))


def _plain(name: Any) -> str:
    return str(name).replace("_", " ")


def _named(value: Any) -> str:
    return " and ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
