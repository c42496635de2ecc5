"""One side of a comparison of two reports: what was found on each question, from which games."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rogsim.report.balance.build import provenance, scenario_text
from rogsim.report.balance.commands import page_files
from rogsim.report.balance.pieces import KINDS
from rogsim.report.balance.sources import Material
from rogsim.report.verdict_titles import Badge
from rogsim.stats.claims import Claim
from rogsim.stats.verdicts import Verdict

NOT_SETTINGS = ("games", "until", "margin", "tables", "seed", "players")  # keys that leave the games as they are
SEATS, TURN_ORDER = "seats", "Turn order"


@dataclass(frozen=True)
class Found:
    """What one side found on one question with one number of players and one set of bots."""

    claim: Claim
    verdict: Badge
    bots: str

    @property
    def title(self) -> str:
        """Return the title of the question, as the page has it."""
        return TURN_ORDER if self.claim.topic == SEATS else self.claim.title


@dataclass(frozen=True)
class Side:
    """One side: its findings and where they come from.

    Attributes
    ----------
    place
        The folder, or several.
    game
        The title of the game.
    margin
        Margin of equivalence, in percentage points.
    found
        The findings, those of the strongest bots last.
    runs
        The row of the page on each results folder: its name, games, seed, rules, engine, versions.
    bots
        The row of the page on each bot that played.
    scenarios
        The name and the text of the scenario of each results folder.
    reconstructed
        The sentence on reconstructed values; empty if there is none.
    """

    place: str
    game: str
    margin: float
    found: tuple[Found, ...]
    runs: tuple[Mapping[str, Any], ...]
    bots: tuple[Mapping[str, Any], ...]
    scenarios: tuple[tuple[str, str], ...]
    reconstructed: str = ""

    @property
    def settings(self) -> list[dict[str, Any]]:
        """Return the settings of each run, as in its scenario; empty for one that cannot be read."""
        return [_settings(text) for _, text in self.scenarios]

    @property
    def games(self) -> set[str]:
        """Return what determines the rows of each run except their number and the seed."""
        settings = ({key: value for key, value in run.items() if key not in NOT_SETTINGS} for run in self.settings)
        hashes = {str(bot.get("source")) + str(bot.get("weights")) for bot in self.bots}
        return {
            repr((run.get("rules"), run.get("engine"), sorted(setting.items()), sorted(hashes)))
            for run, setting in zip(self.runs, settings, strict=False)
        }

    @property
    def seeds(self) -> set[str]:
        """Return the seeds of the runs."""
        return {str(run.get("seed")) for run in self.runs}


def side_of(material: Material, place: str) -> Side:
    """Return the side that results folders are."""
    folders, bots = provenance(material)
    texts = [scenario_text(part.manifest) for source in material.sources for part in source.folders]
    return Side(
        place,
        material.spec.title,
        material.margin,
        tuple(_found(material, verdict) for verdict in material.verdicts),
        tuple(folders.frame.to_dicts()),
        tuple(bots.frame.to_dicts()),
        tuple(zip(page_files(material), texts, strict=True)),
        str(material.reconstructed.data(material.spec.topics).get("text", "")),
    )


def matched(before: Side, after: Side) -> list[tuple[Found, Found]]:
    """Return the findings on the same question with the same number of players, in order.

    Sets of bots with the same label on both sides are compared with each other; if there are none, the last of each
    side, which is the one that answers on a page.
    """
    labels = [_labels(side) for side in (before, after)]
    common = [label for label in labels[1] if label in labels[0]]
    pairs = [(label, label) for label in common]
    if not common and all(labels):
        pairs = [(labels[0][-1], labels[1][-1])]
    found = []
    for earlier, later in pairs:
        known = {_key(entry): entry for entry in before.found if entry.bots == earlier}
        found += [(known[_key(entry)], entry) for entry in after.found if entry.bots == later and _key(entry) in known]
    topics = list(dict.fromkeys(entry.title for _, entry in found))
    return sorted(found, key=lambda pair: (topics.index(pair[1].title), pair[1].claim.players))


def _labels(side: Side) -> list[str]:
    return list(dict.fromkeys(entry.bots for entry in side.found))


def _key(found: Found) -> tuple[str, str, int]:
    return found.claim.topic, found.claim.title, found.claim.players


def _found(material: Material, verdict: Verdict) -> Found:
    return Found(verdict.claim, KINDS[verdict.kind], material.source_of(verdict).label)


def _settings(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def values_of(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """Return the distinct values of a column as one text."""
    return "; ".join(dict.fromkeys(str(row[key]) for row in rows if row.get(key) is not None))
