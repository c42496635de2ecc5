"""Text for people: paragraphs, tables and listings, and the frame and sentences of a trace that is narrated."""

from __future__ import annotations

import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rogsim.base.text import capital, counted, listing

WIDTH = 96  # of a line
NO_BREAK = "\N{NO-BREAK SPACE}"


def unbroken(text: str) -> str:
    """Return a text that `paragraph` keeps on one line."""
    return text.replace(" ", NO_BREAK)


def heading(title: str) -> list[str]:
    """Return a title, underlined."""
    return [title, "=" * len(title)]


def ruled(title: str) -> str:
    """Return a title within a rule across the page."""
    return f"---- {title} ".ljust(WIDTH, "-")


class Continued(str):
    """A line that continues the one before."""

    __slots__ = ()


def paragraph(text: str, indent: int = 0, hang: int = 2) -> list[str]:
    """Break a text into lines; those after the first are indented by `hang` more."""
    first, later = " " * indent, " " * (indent + hang)
    lines = textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
    whole = [line.replace(NO_BREAK, " ") for line in lines]
    return [*whole[:1], *map(Continued, whole[1:])]


def table(rows: Sequence[Sequence[str]], align: str, indent: int = 2) -> list[str]:
    """Lay out rows in columns, aligned by the letters "l" or "r" of `align`; a last column "l" is wrapped."""
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(len(align))]
    hang = sum(widths[:-1]) + 2 * (len(widths) - 1)
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, align, strict=True)
        ]
        line = "  ".join(cells).rstrip()
        lines += paragraph(line, indent, hang) if align[-1] == "l" else [" " * indent + line]
    return lines


def unwrapped(lines: Iterable[str]) -> list[str]:
    """Return the lines of paragraphs and tables without indentation, and not broken; cells are parted by dots."""
    found: list[str] = []
    for line in lines:
        text = " · ".join(re.split(r"\s{2,}", line.strip()))
        if isinstance(line, Continued) and found:
            found[-1] += f" {text}"
        else:
            found.append(text)
    return found


NAME_WIDTH = 12  # of a bot's name
SUBJECT, NOTE = 2, 4  # indentation of sentences and of the lines below them

Trace = Mapping[str, Any]


def seat_name(seat: int) -> str:
    """Return a seat counted from 1, as in all tables: seat 0 of a trace is seat 1."""
    return f"seat {seat + 1}"


def plain(name: str) -> str:
    """Return a bot's name without control characters, and shortened if too long."""
    name = "".join(letter if letter.isprintable() else "?" for letter in name)
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 2] + ".."


class Narrator(ABC):
    """Narrates one trace, in lines of at most WIDTH columns.

    A game derives its own narrator. Besides the abstract methods, it has a method `_tell_<kind>` for each kind of step,
    which takes the step and returns lines. All methods are called in the order of play, so a narrator can keep track of
    the board. An incomplete trace raises KeyError, IndexError, TypeError or ValueError.

    Attributes
    ----------
    title
        The name of the game.
    trace
        The trace.
    bots
        The names of the bots by seat.
    seat
        The active seat, which is the subject of the sentences.
    state
        The state after the last step that `tell` told, once there is one.
    """

    title: str

    def __init__(self, trace: Trace) -> None:
        """Begin to narrate a trace."""
        self.trace, self.bots, self.seat = trace, trace["bots"], 0
        self.state: Trace = {}
        self._told: list[tuple[Trace, list[str]]] = []

    def sentences(self) -> list[tuple[Trace, list[str]]]:
        """Return each step that the text tells, in order, with its sentences."""
        self.text()
        return [(step, unwrapped(lines)) for step, lines in self._told]

    def text(self) -> str:
        """Return the whole game as text."""
        trace = self.trace
        which = f"{self.title}: deal {trace['game']} of seed {trace['seed']}, {trace['players']} players"
        lines = [*heading(which), *self.opening()]
        for turn, after in self.turns():
            lines += ["", *self.turn(turn)]
            if after:
                lines += ["", ruled(after), *self.position()]
        lines += ["", *self.ending()]
        return "\n".join(lines) + "\n"

    def turns(self) -> Iterator[tuple[Any, str]]:
        """Yield each turn with the heading of the position to show after it, or "" for none.

        In a trace that lists steps instead of turns, all steps of a round are one turn, which an event `round` begins.
        """
        if "steps" in self.trace:
            yield from self._rounds()
            return
        turns, players = self.trace["turns"], self.trace["players"]
        for number, turn in enumerate(turns, start=1):
            if number == len(turns):
                yield turn, "End of the game"
            else:
                yield turn, "" if number % players else f"After round {number // players}"

    def _rounds(self) -> Iterator[tuple[list[Trace], str]]:
        steps: list[Trace] = []
        for step in self.trace["steps"]:
            if step.get("event") == "round":
                yield steps, f"After round {step['round'] - 1}" if step["round"] > 1 else ""
                steps = []
            steps.append(step)
        yield steps, "End of the game"

    @abstractmethod
    def opening(self) -> Iterable[str]:
        """Return the lines about the game before its first turn."""

    @abstractmethod
    def turn(self, turn: Any) -> Iterable[str]:
        """Return the lines about a turn."""

    @abstractmethod
    def position(self) -> Iterable[str]:
        """Return the lines about the position after the last turn narrated."""

    @abstractmethod
    def ending(self) -> Iterable[str]:
        """Return the lines about the final scoring."""

    def name(self, seat: int) -> str:
        """Return a seat with its bot."""
        return f"{seat_name(seat)} ({plain(self.bots[seat])})"

    def sentence(self, kind: str, step: Trace) -> list[str]:
        """Return a step as lines; ValueError if it is of no known kind."""
        tell = getattr(self, f"_tell_{kind}", None)
        if tell is None:
            raise ValueError(f'"{kind}" is not a kind of step')
        lines: list[str] = tell(step)
        self._told.append((step, lines))
        return lines

    def tell(self, steps: Iterable[Trace]) -> Iterator[str]:
        """Yield the lines about steps, which are decisions or name their event, and may have the state after them."""
        for step in steps:
            yield from self.sentence(step.get("event", "decision"), step)
            self.state = step.get("state", self.state)

    def score_table(self, parts: Iterable[tuple[str, Iterable[object]]], note: str = "") -> list[str]:
        """Return a table of the points of every seat by source, with their totals.

        Parameters
        ----------
        parts
            The name of each source, and the points of the seats from it; a list or a table of points is added up.
        note
            What to say above the sources.
        """
        rows = [["", *map(seat_name, range(len(self.bots)))], [note, *map(plain, self.bots)]]
        rows += [[name, *map(_total, cells)] for name, cells in (*parts, ("total", self.trace["final"]["points"]))]
        return table(rows, "l" + "r" * len(self.bots))

    def verdict(self, tie_breaker: str = "", left: int = 0) -> list[str]:
        """Return who won and how.

        Parameters
        ----------
        tie_breaker, left
            What decides between equal points, if anything does, and how much of it the winners have.
        """
        points, winners = self.trace["final"]["points"], self.trace["final"]["winners"]
        if not winners:
            return paragraph("Nobody wins.")
        best = max(points)
        tied = [seat for seat, total in enumerate(points) if total == best]
        names, score = capital(listing(map(self.name, winners))), counted(best, "point")
        if len(tied) > 1 and tie_breaker:
            score += f" and {left} {tie_breaker} left"
        if len(winners) > 1:
            return paragraph(f"{names} share the victory with {score}.")
        if len(tied) > 1:
            others = listing(self.name(seat) for seat in tied if seat not in winners)
            score += f": more {tie_breaker} than {others} with as many points"
        return paragraph(f"{names} wins with {score}.")

    def _say(self, step: Trace, verb: str, rest: str) -> list[str]:
        """Return a sentence whose subject is the active seat, unless the step names another one."""
        seat = step.get("seat", self.seat)
        subject = "" if seat == self.seat else f"{self.name(seat)} "
        return paragraph(capital(f"{subject}{verb} {rest}"), SUBJECT)

    def _note(self, text: str) -> list[str]:
        """Return lines that belong to the preceding sentence."""
        return paragraph(text, NOTE)


def _total(points: object) -> str:
    """Return the points of a source, which may be given part by part."""
    parts = points.values() if isinstance(points, Mapping) else points
    return str(sum(parts) if isinstance(parts, Iterable) and not isinstance(parts, str) else parts)
