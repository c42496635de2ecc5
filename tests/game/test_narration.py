"""The narration of the kit, on a made-up game in which seats pick plums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rogsim.base.text import capital, counted, listing
from rogsim.game.kit.narration import (
    WIDTH,
    Narrator,
    paragraph,
    plain,
    ruled,
    table,
    unbroken,
)

pytestmark = pytest.mark.once_uncompiled


class Orchard(Narrator):
    title = "Orchard"
    told = 0

    def opening(self) -> Iterator[str]:
        yield "Nobody has plums."

    def turn(self, turn: Mapping[str, Any]) -> list[str]:
        self.seat = turn["seat"]
        self.told += 1
        lines = [f"Turn {self.told}"]
        for step in turn["steps"]:
            lines += self.sentence(step["do"], step)
        return lines

    def position(self) -> list[str]:
        return [f"  after {self.told}"]

    def ending(self) -> list[str]:
        return [
            *self.score_table([("plums", [[1, 2], {"red": 3}]), ("jam", [1, 1])], "(what counts)"),
            *self.verdict("jam", 1),
        ]

    def _tell_pick(self, step: Mapping[str, Any]) -> list[str]:
        return [*self._say(step, "picks", counted(step["plums"], "plum") + "."), *self._note("sweet")]


def game_of(*turns: tuple[int, list[dict[str, Any]]], points: tuple[int, ...] = (4, 4), **final: Any) -> dict[str, Any]:
    played = [{"seat": seat, "steps": steps} for seat, steps in turns]
    end = {"points": list(points), "winners": [0], **final}
    bots = ["picker", "a bot of a very long name"]
    return {"game": 3, "seed": 7, "players": 2, "bots": bots, "turns": played, "final": end}


def test_a_game_is_told_in_its_frame() -> None:
    """Heading, opening, turns with their sentences, the position after each round and at the end, points, winner."""
    pick = {"do": "pick", "plums": 1}
    trace = game_of((0, [pick]), (1, [{**pick, "plums": 2, "seat": 0}]), (0, []))
    assert Orchard(trace).text().splitlines() == [
        "Orchard: deal 3 of seed 7, 2 players",
        "====================================",
        "Nobody has plums.",
        "",
        "Turn 1",
        "  Picks 1 plum.",
        "    sweet",
        "",
        "Turn 2",
        "  Seat 1 (picker) picks 2 plums.",
        "    sweet",
        "",
        ruled("After round 1"),
        "  after 2",
        "",
        "Turn 3",
        "",
        ruled("End of the game"),
        "  after 3",
        "",
        "                 seat 1        seat 2",
        "  (what counts)  picker  a bot of a..",
        "  plums               3             3",
        "  jam                 1             1",
        "  total               4             4",
        "Seat 1 (picker) wins with 4 points and 1 jam left: more jam than seat 2 (a bot of a..) with as",
        "  many points.",
    ]


class Rounds(Orchard):
    def turn(self, turn: list[Mapping[str, Any]]) -> Iterator[str]:
        yield from self.tell(turn)

    def position(self) -> list[str]:
        return [f"  {self.state['left']} left"]

    def _tell_round(self, step: Mapping[str, Any]) -> list[str]:
        return [f"Round {step['round']}"]

    def _tell_decision(self, step: Mapping[str, Any]) -> list[str]:
        return [f"{self.name(step['seat'])} picks"]


def test_a_trace_of_steps_is_told_round_by_round() -> None:
    """An event `round` begins a round; a position follows each but the steps before the first, in its last state."""
    steps = [
        {"seat": 0, "state": {"left": 9}},
        {"event": "round", "round": 1},
        {"seat": 1, "state": {"left": 8}},
        {"event": "round", "round": 2},
        {"seat": 0, "state": {"left": 7}},
    ]
    trace = {key: value for key, value in game_of().items() if key != "turns"} | {"steps": steps}
    assert Rounds(trace).text().splitlines()[3:15] == [
        "",
        "seat 1 (picker) picks",
        "",
        "Round 1",
        "seat 2 (a bot of a..) picks",
        "",
        ruled("After round 1"),
        "  8 left",
        "",
        "Round 2",
        "seat 1 (picker) picks",
        "",
    ]


def test_an_unknown_kind_of_step_is_an_error() -> None:
    """A step of a kind that the game does not tell raises ValueError, which names it."""
    with pytest.raises(ValueError, match='"eat" is not a kind of step'):
        Orchard(game_of((0, [{"do": "eat"}]))).text()


@pytest.mark.parametrize(
    ("points", "winners", "tie_breaker", "words"),
    [
        ((5, 1), [0], "jam", "Seat 1 (picker) wins with 5 points."),
        ((1, 1), [0, 1], "", "Seat 1 (picker) and seat 2 (a bot of a..) share the victory with 1 point."),
        (
            (2, 2),
            [0, 1],
            "jam",
            "Seat 1 (picker) and seat 2 (a bot of a..) share the victory with 2 points and 0 jam left.",
        ),
    ],
)
def test_the_verdict_says_who_won_and_why(
    points: tuple[int, ...], winners: list[int], tie_breaker: str, words: str
) -> None:
    """One winner, a shared win, and a shared win in a game with a tie-breaker that did not decide."""
    trace = game_of(points=points, winners=winners)
    assert " ".join(" ".join(Orchard(trace).verdict(tie_breaker)).split()) == words


def test_text_keeps_within_its_width_and_together_what_belongs_together() -> None:
    """Paragraphs are broken at blanks only, not at those within `unbroken` text, and later lines hang."""
    lines = paragraph("x" * 90 + " " + unbroken("1 ripe plum") + " y", indent=2, hang=3)
    assert lines == ["  " + "x" * 90, "     1 ripe plum y"]
    assert all(len(line) <= WIDTH for line in lines)
    assert len(ruled("A title")) == WIDTH


def test_tables_align_their_columns_and_wrap_the_last() -> None:
    """Columns are as wide as their widest cell; a last column of words is wrapped under its own beginning."""
    assert table([("a", "10"), ("long", "9")], "lr") == ["  a     10", "  long   9"]
    first, second = table([("ab", "word " * 30)], "ll")
    assert first.startswith("  ab  word word")
    assert second.startswith(" " * 6 + "word")
    assert table([], "lr") == []


def test_words_are_counted_listed_and_capitalised() -> None:
    """One and several things, up to three words, a first letter."""
    assert (counted(1, "point"), counted(0, "point")) == ("1 point", "0 points")
    assert [listing("abc"[:size]) for size in (0, 1, 2, 3)] == ["", "a", "a and b", "a, b and c"]
    assert capital("seat 1 (Bot)") == "Seat 1 (Bot)"
    assert plain("a\x1bb") == "a?b"
