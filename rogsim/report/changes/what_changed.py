"""What changed between two sides: a verdict on each question that both asked, and what differs between their games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.game.parameters import leaves
from rogsim.report import words
from rogsim.report.changes.sides import NOT_SETTINGS, Found, Side, matched, values_of
from rogsim.scenario.axes import value_words
from rogsim.stats.independent_differences import independent_answer
from rogsim.stats.paired.difference_verdicts import Judged, judge_differences
from rogsim.stats.paired.differences import Question

LEVEL = "level"  # the noun of every question: the names of seats begin with theirs
RUN_KEYS = ("rules", "engine", "versions", "margin", "seed", "games")  # columns of what was played, as compared
FAR_AWAY = 300  # characters; a longer value is cut


@dataclass(frozen=True)
class ChangedFinding:
    """A question that both sides asked: what each found, and whether the effects differ."""

    before: Found
    after: Found
    judged: Judged

    @property
    def is_other_verdict(self) -> bool:
        """Return whether the two sides have different verdicts."""
        return self.before.verdict != self.after.verdict


@dataclass(frozen=True)
class WhatChanged:
    """Two sides and what changed between them.

    Attributes
    ----------
    findings
        The questions that both asked.
    only
        The questions that only one side asked, in words.
    several_bots
        Whether several sets of bots are compared, so that findings name them.
    """

    before: Side
    after: Side
    margin: float
    findings: tuple[ChangedFinding, ...]
    only: tuple[str, ...]
    several_bots: bool

    def on(self, title: str) -> list[ChangedFinding]:
        """Return the findings on one question."""
        return [finding for finding in self.findings if finding.after.title == title]

    @property
    def titles(self) -> list[str]:
        """Return the titles of the questions, in order."""
        return list(dict.fromkeys(finding.after.title for finding in self.findings))

    @property
    def share_deals(self) -> bool:
        """Return whether some games of the two sides have the same deals: the same rules and seed."""
        return bool(self.before.seeds & self.after.seeds) and _rules(self.before) == _rules(self.after)


def compare_sides(before: Side, after: Side) -> WhatChanged:
    """Return what changed from one side to the other.

    Raises
    ------
    RogsimError
        If they are of different games, hold the same games, or have no question in common.
    """
    if before.game != after.game:
        raise RogsimError(
            f"{before.place} is of {before.game} and {after.place} of {after.game}: only runs of one game are compared"
        )
    margin = min(before.margin, after.margin)
    answers = []
    pairs = []
    for earlier, later in matched(before, after):
        question = Question(later.claim.topic, later.title, "pp", LEVEL, margin=margin)
        answer = independent_answer(question, later.bots, earlier.claim, later.claim)
        if answer is not None:
            answers.append(answer)
            pairs.append((earlier, later))
    if not answers:
        raise RogsimError(
            f"{before.place} and {after.place}: have no question in common: they need the same number of players"
        )
    if before.seeds & after.seeds and before.games & after.games:
        raise RogsimError(
            f"{after.place}: holds games of {before.place} (same bots, settings and seed), so nothing can differ"
        )
    judged = judge_differences(answers)
    findings = tuple(ChangedFinding(*pair, found) for pair, found in zip(pairs, judged, strict=True))
    sets = {(earlier.bots, later.bots) for earlier, later in pairs}
    return WhatChanged(before, after, margin, findings, tuple(_only(before, after, findings)), len(sets) > 1)


def differing(before: Side, after: Side) -> list[tuple[str, str, str]]:
    """Return what differs between two sides: its name, and its value on each side."""
    rows = [("bots", *(words.listed(_bots(side)) for side in (before, after)))]
    rows += [(key, values_of(before.runs, key), values_of(after.runs, key)) for key in RUN_KEYS[:2]]
    keys = dict.fromkeys(key for side in (before, after) for setting in side.settings for key in _flat(setting))
    rows += [
        (key, _values(before, key), _values(after, key))
        for key in keys
        if key not in (*NOT_SETTINGS, "bots", "name") or key == "players"
    ]
    rows += [(key, values_of(before.runs, key), values_of(after.runs, key)) for key in RUN_KEYS[2:]]
    rows += _hashes(before, after)
    return [(name, _short(one), _short(other)) for name, one, other in rows if one != other]


def _only(before: Side, after: Side, findings: tuple[ChangedFinding, ...]) -> Iterator[str]:
    """Yield the questions that only one side asked, for each number of players."""
    compared = {(finding.after.title, finding.after.claim.players) for finding in findings}
    for side in (before, after):
        alone: dict[str, list[str]] = {}
        for found in side.found:
            if (found.title, found.claim.players) not in compared:
                counts = alone.setdefault(found.title, [])
                counts += [str(found.claim.players)] if str(found.claim.players) not in counts else []
        if alone:
            what = words.listed([f"{title} with {words.listed(counts)} players" for title, counts in alone.items()])
            yield f"Not compared, because only {side.place} has it: {what}."


def _rules(side: Side) -> str:
    return values_of(side.runs, "rules")


def _bots(side: Side) -> list[str]:
    return list(dict.fromkeys(found.bots for found in side.found))


def _flat(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a scenario; those of its tables as `options.name`."""
    flat: dict[str, Any] = {}
    for key, value in setting.items():
        if key == "components" and isinstance(value, Mapping):
            flat[key] = str(value.get("file", ""))  # its values are changes
        elif key in ("options", "change") and isinstance(value, Mapping):
            flat |= {".".join((key, *path)): entry for path, entry in leaves(value)}
        else:
            flat[key] = value
    return flat


def _values(side: Side, key: str) -> str:
    """Return the values of a key of the scenarios of a side as one text."""
    found = [flat[key] for flat in map(_flat, side.settings) if key in flat]
    return "; ".join(dict.fromkeys(value_words(value) for value in found)) or words.NOTHING


def _hashes(before: Side, after: Side) -> Iterator[tuple[str, str, str]]:
    """Yield the bots of one name whose source or weights differ."""
    for kind in ("source", "weights"):
        known = [{str(row["bot"]): str(row.get(kind)) for row in side.bots} for side in (before, after)]
        for bot in known[0]:
            if bot in known[1]:
                yield f"{bot}: hash of its {kind}", known[0][bot], known[1][bot]


def _short(text: str) -> str:
    return text if len(text) <= FAR_AWAY else f"{text[: FAR_AWAY - 1]}…"
