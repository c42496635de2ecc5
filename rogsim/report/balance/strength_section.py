"""The section that shows whether findings hold as the bots get stronger: effects against strength, from a ladder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from rogsim.experiments.settle.ladder_verdicts import SEATS, LadderVerdicts
from rogsim.report import words
from rogsim.report.balance.sources import Material
from rogsim.report.balance.strength_words import ALL_TRIED
from rogsim.report.document import STRENGTH, Finding, Grid, Picture, Section, TableColumn
from rogsim.report.settle.settle_pieces import (
    ASSUMPTION,
    FAMILY,
    GAMES,
    SETTLED,
    STRONGER,
    games_words,
    grid_of,
    pictures_of,
    rungs_grid,
    steps_grid,
)
from rogsim.report.verdict_titles import TITLES

READING = (
    "The word beside a finding is the verdict on the levels that it names, or on all levels if it names none. If their "
    "verdicts differ, the word is still moving if any level is, and otherwise not known yet. A settled finding "
    "holds for all bots tried, of rising strength, if the strongest ones show the same effect, in the same direction "
    "and within the margin of the same size, or, where it is fair, if they are fair within the margin. Every other "
    "finding is only about the bots that played."
)
NOT_PLAYED = (
    "`rogsim settle` plays the same game with bots of rising strength and says for each effect whether it has stopped "
    "moving. `rogsim report` with `--settled` then puts its words beside the findings."
)


def strength_section(material: Material, sections: Sequence[Section]) -> Section:
    """Return the section, given those with the findings."""
    ladders = [_of_report(ladder, material) for ladder in material.settled]
    rows = list(_rows(sections))
    grids = [_words_grid(rows)]
    pictures: list[Picture] = []
    for number, ladder in enumerate(ladders, 1):
        start = f"{STRENGTH}-{number}-" if len(ladders) > 1 else f"{STRENGTH}-"
        for family in ladder.families:
            if ladder.of(family.name):
                pictures += pictures_of(ladder, family, start)
                grids.append(grid_of(ladder, family, start))
        grids.append(steps_grid(ladder, f"{start}steps"))
        grids.append(rungs_grid(ladder, f"{start}bots", "Bots of rising strength, and their games"))
    return Section(
        STRENGTH,
        "Does it hold for stronger players?",
        "Do the findings stay the same as the bots get stronger?",
        "; ".join(games_words(ladder) for ladder in ladders) or "no games of stronger bots",
        (_summary(rows),),
        tuple(pictures),
        tuple(grids),
        (READING, SETTLED, STRONGER, ASSUMPTION, FAMILY, GAMES) if ladders else (READING, NOT_PLAYED),
    )


def _of_report(ladder: LadderVerdicts, material: Material) -> LadderVerdicts:
    """Return a ladder without the player counts that the report does not have."""
    counts = material.player_counts
    return replace(
        ladder,
        claims=tuple(claim for claim in ladder.claims if claim.players in counts),
        games={players: games for players, games in ladder.games.items() if players in counts},
        steps=tuple(step for step in ladder.steps if step.players in counts),
    )


def _summary(rows: Sequence[Mapping[str, object]]) -> Finding:
    """Return how many findings hold for all bots tried, and how many have each word."""
    counts = Counter(str(row["word"]) for row in rows)
    holding = sum(row["holds"] == ALL_TRIED for row in rows)
    listed = words.listed([f"{count} {word}" for word, count in counts.most_common()])
    text = f"{holding} of {len(rows)} findings hold for {ALL_TRIED}: {listed}."
    return Finding("fact", text, {"findings": len(rows), "holding": holding, "words": dict(counts)})


def _words_grid(rows: Sequence[Mapping[str, object]]) -> Grid:
    """Return the table of all findings at the top of the page with their words."""
    schema = dict.fromkeys(("question", "players", "answer", "word", "holds", "detail"), pl.String)
    frame = pl.DataFrame(rows, {**schema, "players": pl.Int64})
    columns = (
        TableColumn("question", "question"),
        TableColumn("players", "players", "count"),
        TableColumn("answer", "answer with these bots"),
        TableColumn("word", "with stronger bots"),
        TableColumn("holds", "holds for"),
        TableColumn("detail", "why", "long"),
    )
    return Grid(STRENGTH, "Does each finding hold?", columns, frame)


def _rows(sections: Sequence[Section]) -> Iterator[dict[str, object]]:
    for section in sections:
        for finding in section.findings:
            if finding.short and (strength := finding.strength):
                yield {
                    "question": section.title if section.name == SEATS else finding.data["title"],
                    "players": finding.data["players"],
                    "answer": TITLES[finding.verdict].lower(),
                    "word": strength.word,
                    "holds": ALL_TRIED if strength.holds else "these bots",
                    "detail": strength.detail or strength.why,
                }
