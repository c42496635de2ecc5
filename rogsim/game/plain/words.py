"""A game in words and for learners: views, traces, the text of a trace, vectors; all from its declared fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rogsim.base.text import capital
from rogsim.game.kit import recording
from rogsim.game.kit.kinds import OWNER, Count, Counts, Field, Listed, OneOf, Seats
from rogsim.game.kit.menus import ActionList
from rogsim.game.kit.narration import Narrator, paragraph, seat_name, table
from rogsim.game.kit.recording import winners_of
from rogsim.game.kit.vector import VectorField, bits, category, number, seat
from rogsim.game.plain.fields import Counted, Deck, Members, Own, Pile, Row, Seat
from rogsim.game.plain.hidden import Parts

MOST_CATEGORIES = 128  # a card of a larger set is a number for learners, not one of so many categories


def in_words(fields: Sequence[Field], record: Any, is_mine: bool = True) -> dict[str, Any]:
    """Return the fields of a record in words and plain numbers; `is_mine`: whether its owner asks, or who sees all."""
    counts, found = {field.more.by for field in fields if isinstance(field.more, Counted)}, {}
    for field in fields:
        if not field.kind.shown or field.name in counts:
            continue
        value = record[field.name]
        if isinstance(field.more, Counted):
            value = value[: int(record[field.more.by])]
        found[field.name] = field.kind.words(value) if is_mine or not isinstance(field.kind, Own) else None
    return found


def state_in_words(parts: Parts, state: Any, me: int | None = None) -> dict[str, Any]:
    """Return a state, or a view of it by a seat, in words and plain numbers."""
    seats = range(int(state["seats"]))
    players = [in_words(parts.player, state["players"][seat], me is None or seat == me) for seat in seats]
    fields = [field for field in parts.state if field.name not in ("seats", "turn")]
    return {"turn": int(state["turn"]) + 1, **in_words(fields, state), "players": players}


class Recorder(recording.Recorder):
    """Records games of a plain game; `recorder_of` makes one for each game."""

    parts: Parts
    actions: ActionList

    def take(self, action: int) -> None:
        """Apply an action, and record it; at the end of a turn, what the seats have then."""
        chooser, turn = int(self.rules.actor(self.state)), int(self.state.turn)
        words = action_words(self.parts, self.actions, self.state, action)
        self.apply(action)
        self.steps.append({"seat": chooser, **words})
        if self.state.turn != turn or self.state.over:
            self.end_turn(chooser, state=state_in_words(self.parts, self.state))

    def body(self) -> dict[str, Any]:
        """Return the turns and the end of the game."""
        scores = self.scores()
        points = [int(score.points) for score in scores]
        return {"turns": self.turns, "final": {"points": points, "winners": winners_of(scores)}}


def action_words(parts: Parts, actions: ActionList, state: Any, action: int) -> dict[str, Any]:
    """Return an action in words; of a place in a row, the card that is there."""
    named = {field.name: field for field in parts.state if isinstance(field.kind, Pile)}
    own = {field.name: field for field in parts.player if isinstance(field.kind, Pile)}
    words = actions.words(action, lambda place: place)
    for name, place in words.items():
        if name in named and isinstance(place, int):
            cards = state[name]["cards"]
        elif name in own and isinstance(place, int):
            cards = state["players"][int(state["actor"])][name]["cards"]
        else:
            continue
        field = named.get(name) or own[name]
        words[name] = field.kind.cards.names[int(cards[place])] if cards[place] >= 0 else place
    return words


class PlainNarrator(Narrator):
    """Tells a trace of a plain game as text."""

    def opening(self) -> Iterator[str]:
        """Say who plays, and with which changes."""
        yield from paragraph(", ".join(self.name(place) for place in range(len(self.bots))) + ".")
        if change := self.trace.get("change"):
            yield from paragraph("Changed: " + ", ".join(f"{name} = {value}" for name, value in change.items()) + ".")

    def turn(self, turn: Mapping[str, Any]) -> Iterator[str]:
        """Tell the choices of a turn."""
        self.seat, self.state = turn["seat"], turn["state"]
        yield self.name(turn["seat"])
        for step in turn["steps"]:
            yield from self.sentence("decision", step)

    def _tell_decision(self, step: Mapping[str, Any]) -> list[str]:
        others = "" if step["seat"] == self.seat else f"{seat_name(step['seat'])}: "
        what = [str(value) for name, value in step.items() if name not in ("seat", "do")]
        return paragraph(others + capital(" ".join([step["do"].replace("_", " "), *what])) + ".", 2)

    def position(self) -> Iterable[str]:
        """Show what the seats have, as far as it is a number or a word."""
        players = self.state["players"]
        shown = [name for name, value in players[0].items() if isinstance(value, int | str)]
        rows = [["", *map(seat_name, range(len(players)))]]
        rows += [[name.replace("_", " "), *(str(player[name]) for player in players)] for name in shown]
        return table(rows, "l" + "r" * len(players))

    def ending(self) -> Iterable[str]:
        """Say who won."""
        return self.verdict()


def described(parts: Parts, view: Any, me: int, chance: Any, facts: Any) -> dict[str, Any]:
    """Return what a Python bot is shown: the view in words, its seat, the numbers of the game, its random numbers."""
    shown = state_in_words(parts, view, me)
    return {"me": me, "actor": int(view["actor"]), **shown, "numbers": facts, "random": chance}


def vector_fields(parts: Parts) -> tuple[VectorField, ...]:
    """Return the fields of a view for learners, with their bounds."""
    found = [seat("actor")]
    for field in parts.state:
        if field.name not in ("actor", "seats"):
            found += _vector(field.kind, field.name + "[seat]" * isinstance(field.kind, Seats))
    for field in parts.player:
        found += _vector(field.kind, f"players[seat].{field.name}")
    return tuple(found)


def _vector(kind: Any, path: str, places: Sequence[str] = ()) -> Iterator[VectorField]:
    mine = path.replace("[seat]", "[me]") if kind.seen_by == OWNER else path
    if isinstance(kind, Pile):
        if not isinstance(kind, Row):
            yield number(f"{path}.count", 0, kind.size)
        if isinstance(kind, Deck):
            return
        if len(kind.cards.names) <= MOST_CATEGORIES:
            yield category(f"{mine}.cards", kind.cards.names)
        else:
            yield number(f"{mine}.cards", *kind.limits)
    elif not kind.shown:
        return
    elif isinstance(kind, Listed):
        yield from _vector(kind.each, path, kind.bounds["places"])
    elif isinstance(kind, Own | Seats):
        yield from _vector(kind.each, mine, places)
    elif isinstance(kind, Members):
        yield bits(path, kind.names, places)
    elif isinstance(kind, Seat):
        yield seat(path, places)
    elif isinstance(kind, OneOf):
        yield category(path, kind.names, places=places)
    elif isinstance(kind, Count):
        yield number(path, *kind.limits, places=kind.names if isinstance(kind, Counts) else places)
