"""Checks that verdicts of `rogsim settle` are about the games of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.plain_text import safe
from rogsim.base.validation import show
from rogsim.experiments.settle.ladder_verdicts import LadderVerdicts
from rogsim.report import words
from rogsim.results.results import Results

FACTS = ("game", "rules")
TABLES = {"options": "option", "change": "changed parameter"}


def check_settled(settled: Sequence[LadderVerdicts], opened: Sequence[Results]) -> None:
    """Check that every ladder played what the report is about, and that no two answer the same question.

    Raises
    ------
    RogsimError
        If the game, its rules, an option or a changed parameter differs, if no player count is the same, if the
        margin is wider than that of the report, or if two ladders have a verdict on the same claims.
    """
    margin = min(float(results.manifest["scenario"]["margin"]) for results in opened)
    for ladder in settled:
        if ladder.margin > margin:
            raise RogsimError(
                f"{_place(ladder)}: was judged with a margin of {ladder.margin:g} pp, but the report has "
                f"{margin:g} pp: call rogsim settle with --margin {margin:g}"
            )
        for results in opened:
            where = f"{_place(ladder)}: cannot be used for {results.folder or results.manifest['name']}"
            if found := _difference(ladder, results.manifest["identity"]):
                raise RogsimError(safe(f"{where}: {found}"))
        counts = sorted({players for results in opened for players in results.manifest["scenario"]["players"]})
        if not {*counts} & {*ladder.games}:
            theirs, ours = (words.listed([str(count) for count in found]) for found in (sorted(ladder.games), counts))
            raise RogsimError(f"{_place(ladder)}: has games with {theirs} players, and the report with {ours}")
    _check_distinct(settled)


def _difference(ladder: LadderVerdicts, identity: Mapping[str, Any]) -> str:
    """Return how the games of a ladder differ from those of some results; empty if they do not."""
    theirs = vars(ladder.played)
    for name in FACTS:
        if theirs[name] != identity.get(name):
            return f"{name} is {show(theirs[name])} there, and {show(identity.get(name))} in the results"
    for name, noun in TABLES.items():
        ours = identity.get(name) or {}
        for key in dict.fromkeys([*ours, *theirs[name]]):
            if theirs[name].get(key) != ours.get(key):
                return f'{noun} "{key}" is {_shown(theirs[name], key)} there, and {_shown(ours, key)} in the results'
    return ""


def _check_distinct(settled: Sequence[LadderVerdicts]) -> None:
    seen: dict[tuple[str, int], LadderVerdicts] = {}
    for ladder in settled:
        for claim in {(claim.family.name, claim.players) for claim in ladder.claims}:
            if other := seen.get(claim):
                name, players = claim
                raise RogsimError(
                    f"{_place(other)} and {_place(ladder)} both have verdicts on {name} with {words.players(players)}: "
                    "give only one of them"
                )
            seen[claim] = ladder


def _place(ladder: LadderVerdicts) -> str:
    return ladder.place or "the verdicts of rogsim settle"


def _shown(table: Mapping[str, Any], key: str) -> str:
    return show(table[key]) if table.get(key) is not None else "not set"
