"""A report made by hand, with one of everything that a page shows: nothing is played."""

# ruff: noqa: RUF001
from __future__ import annotations

from functools import partial

import polars as pl

from rogsim.report.document import (
    Badge,
    Finding,
    Grid,
    Picture,
    Report,
    Section,
    Sheet,
    SheetCell,
    SheetRow,
    Step,
    TableColumn,
)
from rogsim.report.figures.forest_plots import forest

EFFECTS = {
    "Anna": -17.1,
    "Barnaby": 11.9,
    "Clara": 9.3,
    "Dominic": -5.2,
    "Eleanor": 3.1,
    "Ferdinand": -2.6,
    "Giovanni": 1.2,
    "Henrietta": -0.4,
}
LEVELS = pl.DataFrame(
    {
        "level": list(EFFECTS),
        "n": [7_000] * 8,
        "share": [(25 + effect) / 100 for effect in EFFECTS.values()],
        "share_low": [(23.6 + effect) / 100 for effect in EFFECTS.values()],
        "share_high": [(26.4 + effect) / 100 for effect in EFFECTS.values()],
        "effect": list(EFFECTS.values()),
        "effect_low": [effect - 1.4 for effect in EFFECTS.values()],
        "effect_high": [effect + 1.4 for effect in EFFECTS.values()],
    }
)
HEADS = (
    TableColumn("level", "character"),
    TableColumn("n", "n", "count"),
    TableColumn("share", "win share (95%)", "share", interval=True),
    TableColumn("effect", "against fair, pp (95%)", "gain", interval=True),
)
TURNS = pl.DataFrame({"turn": range(1, 41), "share": [place / 41 for place in range(1, 41)]})
TURN_HEADS = (TableColumn("turn", "turn", "count"), TableColumn("share", "leader wins", "share"))
COMMAND = "rogsim compare characters --players 4 --change 'character.anna.cost_favor = 0'"


def forest_plot(name: str, title: str) -> Picture:
    """Return a forest plot of the effects."""
    frame = LEVELS.select(
        pl.lit("4 players").alias("panel"),
        "level",
        pl.lit("").alias("series"),
        pl.col("effect").alias("value"),
        pl.col("effect_low").alias("low"),
        pl.col("effect_high").alias("high"),
    )
    draw = partial(forest, frame, 2.0, "win share against fair, pp", "fair share")
    return Picture(name, title, "Forest plot. Largest: Anna −17.1 pp.", draw)


def section(name: str, title: str, verdict: Badge, answer: str, rows: pl.DataFrame = LEVELS) -> Section:
    """Return a section with two tables and two findings, and two figures if something is out of balance."""
    findings = (
        Finding("out", "4 players: Anna −17.1 pp (−18.5 to −15.7).", {"effect": -17.1}),
        Finding("open", "2 players: Henrietta +1.2 pp (−0.2 to +2.6)."),
    )
    return Section(
        name,
        title,
        f"Do {title.lower()} matter?",
        answer,
        "7,000 games with 4 players",
        findings,
        (forest_plot("effects", "95% intervals."), forest_plot("more", "Other games.")) if verdict == "out" else (),
        (
            Grid(name, f"{title}: win share", HEADS, rows),
            Grid(f"{name}-turns", f"{title}: leads by turn", TURN_HEADS, TURNS, ("A tie counts as half.",)),
        ),
        "One joint test of all levels; games of one block share a deal.",
        "intervals",
        verdict,
    )


def cells(verdict: Badge, *texts: str) -> tuple[SheetCell | None, ...]:
    """Return a cell for each "number|interval"; None for an empty text."""
    parts = [text.partition("|") for text in texts]
    return tuple(SheetCell(number, reach, verdict) if number else None for number, _, reach in parts)


def hand_made() -> Report:
    """Return the report."""
    top = forest_plot("characters-top", "Win share against a fair 25%, four players, 95% intervals. Shaded: within ±2.")
    characters = section("characters", "Characters", "out", "Anna wins 7.9% (6.5 to 9.3) instead of 25%.")
    rows = (
        SheetRow(
            "First seat",
            cells("out", "+5.9|+4.7 to +7.1", "+5.4|+4.1 to +6.7", "+4.8|+3.4 to +6.2"),
            "wins too often with every number of players",
            "seats",
        ),
        SheetRow("Last seat", cells("slight", "−2.9|−4.1 to −1.7", "", "−2.1|−3.4 to −0.8"), "", "seats"),
        SheetRow(
            "Strongest character",
            cells("out", "Henrietta +14.2|+11.1 to +17.2", "Barnaby +9.2|+6.4 to +11.9", "Clara +11.9|+9.6 to +14.3"),
            "who it is depends on the number of players",
            "characters",
        ),
        SheetRow("Draws", cells("fair", "+0.3|−0.4 to +1.0", "+0.2|−0.6 to +1.0", "+0.1|−0.8 to +1.0")),
        SheetRow("Decks × seat", cells("open", "open", "open", "open"), "44,000 more games: 20% chance to decide"),
        SheetRow("Length, turns", cells("fact", "46|45.8 to 46.2", "50|49.7 to 50.3", "59|58.6 to 59.4")),
    )
    steps = (
        Step("Make Anna cheaper: each favor less is worth about +9 pp.", COMMAND),
        Step("See what Barnaby's points are worth, from 0 to 4.", "rogsim optimize characters --over 'points = 0..4'"),
        Step(
            "Play 44,000 more games; `rogsim run` continues the stored ones.",
            "rogsim run characters.toml --games 51000",
        ),
        Step("Add a stronger bot at the end of `--bots`."),
    )
    played = pl.DataFrame({"name": ["characters"], "games": ["7,000 with 4 players"], "seed": ["11"]})
    heads = (TableColumn("name", "name"), TableColumn("games", "games"), TableColumn("seed", "seed"))
    return Report(
        "River Race",
        "Is any character too strong or too weak?",
        "Yes. With four players, Anna wins 8 games in 100 instead of 25, and Barnaby 37.",
        "7,000 games by planner, the strongest of three bots. Anna is as weak with every bot tried; Barnaby gets "
        "weaker as the bots get stronger.",
        (
            Section(
                "seats",
                "Turn order",
                "Is any seat favoured?",
                "Seat 1 wins 29.8% (28.4 to 31.2) instead of 25% with four players.",
                "7,000 games with each number of players",
                grids=(Grid("seats", "Win share by seat", HEADS, LEVELS.head(4)),),
                verdict="out",
            ),
            characters,
            section("decks", "Decks", "open", "Decks change the win share of seat 1 by 0.9 pp (−1.3 to +3.1).", LEVELS),
            section(
                "cards", "Cards", "fair", "No card is worth more than 1.1 pp (0.2 to 2.0).", pl.concat([LEVELS] * 4)
            ),
            section("lead", "Who led", "fact", "The leader at half-time wins 41% (39 to 43) of the games."),
        ),
        "All verdicts share one error rate of 5% (Holm's method). Intervals are simultaneous 95% intervals.",
        (Grid("played", "What was played", heads, played),),
        (("characters", '# Is any character too strong?\ngame = "river-race"\nplayers = [2, 3, 4]\n'),),
        "rogsim run characters.toml\nrogsim report reports/characters",
        "out",
        top,
        steps,
        Sheet(("2 players", "3 players", "4 players"), rows),
    )
