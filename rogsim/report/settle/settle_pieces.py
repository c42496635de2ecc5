"""What pages show of a ladder of strength: figures, tables, and how its verdicts are to be read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

from rogsim.experiments.settle.ladder_verdicts import SEATS, ClaimFamily, LadderVerdicts, RungStep, SettledClaim
from rogsim.report import words
from rogsim.report.document import Grid, Picture, TableColumn
from rogsim.report.settle.settle_figures import against_strength
from rogsim.report.settle.settle_words import rising_words, short_name
from rogsim.stats.contrasts import columns, table
from rogsim.stats.settling import LOOKS, RUNGS, SHRINKING

FAMILY = (
    "With each number of players, the claims of a section share their error rates (Holm's method): the probability "
    "that any of them is called settled although a change is not within the margin is at most 5%, and so is the "
    "probability that any is called still moving although its effect does not move. Both rates are divided equally "
    f"among {LOOKS} planned looks at the games, so they hold for all looks together."
)
SETTLED = (
    "Settled means that two changes are within the margin, over the last step of the ladder and over the last two "
    "steps, and that both are steps to a bot that is shown to be stronger. Each change is shown by two one-sided "
    "tests. Still moving means that the changes are not shown to be within the margin, and that a test of equal "
    f"effects on the last {RUNGS} rungs rejects. Everything else is not known yet."
)
STRONGER = (
    "To show that the bots get stronger, each plays the one before, both of them in every seat on the same deals, in a "
    "tenth as many games. The score of a bot is the share of meetings in which it finished ahead. The test bets on the "
    "scores, and holds for any number of games and looks. All steps of the ladder together share an error rate of 5% "
    "(Holm's method): the probability that any bot is called stronger although it is not. Each interval holds on its "
    "own."
)
ASSUMPTION = (
    "Settled rests on an assumption that no finite ladder can prove: that the changes go in one direction and keep "
    f"shrinking, each to at most about {SHRINKING:g} times the one before. Then all further steps together "
    "change the effect by less than the last two steps did. An effect that kept drifting by less than half the margin "
    "per step would also be called settled."
)
GAMES = (
    "In every game the same bot plays all seats. All bots play the same deals. After the first look only the last "
    f"{RUNGS} bots play on, and the next games go to the one where they make the undecided verdicts most "
    "precise. A verdict stays once it is found, unless more games show that a moving effect is settled; effects, "
    "their intervals and p-values are always those of all games."
)
MIRRORED = "With 2 players seat 2 has the same effect with the opposite sign."


def pictures_of(ladder: LadderVerdicts, family: ClaimFamily, start: str = "") -> Iterator[Picture]:
    """Yield a figure of the effects against strength for each player count; start: of the figures' names."""
    for players in dict.fromkeys(claim.players for claim in ladder.of(family.name)):
        panels = [(family.label(claim.found.series.name), claim.found) for claim in ladder.of(family.name, players)]
        listed = "; ".join(
            f"{title}: {words.pp(float(found.series.values[-1]))} with the last bot, {found.verdict}"
            for title, found in panels
        )
        yield Picture(
            f"{start}{family.name}-{players}",
            f"{family.title} with {words.players(players)}: the effect with each bot, the last one on "
            "the right. The band is the margin around the last value. In brackets: the lead over the first bot in Elo "
            "points, the sum of the leads over the bot before.",
            f"Line chart of effects against strength. {listed}.",
            partial(against_strength, panels, _labels(ladder, players), ladder.margin),
        )


def grid_of(ladder: LadderVerdicts, family: ClaimFamily, start: str = "") -> Grid:
    """Return the table of a family: the effect with each bot, the change, and the verdict; start: of its name."""
    mirrored = family.name == SEATS and any(claim.players == 2 for claim in ladder.of(family.name))
    caption = f"{family.title}: the effect with each bot" if start else "Effect with each bot"
    played = () if start else (games_of_bots(ladder, family),)  # in a report, another table has them
    notes = (*played, *([MIRRORED] if mirrored else []))
    return Grid(f"{start}{family.name}", caption, tuple(_columns(ladder, family)), frame_of(ladder, family), notes)


def frame_of(ladder: LadderVerdicts, family: ClaimFamily) -> pl.DataFrame:
    """Return one row for each claim of a family: the effect on each rung, the changes and the verdict."""
    return table(_row(ladder, claim) for claim in ladder.of(family.name))


def games_of_bots(ladder: LadderVerdicts, family: ClaimFamily) -> str:
    """Say how many games each bot played with the player counts of a family."""
    counts = dict.fromkeys(claim.players for claim in ladder.of(family.name))
    parts = [
        f"{words.listed([words.count(games) for games in ladder.games[players]])} with {words.players(players)}"
        for players in counts
    ]
    return f"Games with each bot, from left to right: {'; '.join(parts)}."


def games_words(ladder: LadderVerdicts) -> str:
    """Say how many games were played with each player count."""
    parts = []
    for players, games in ladder.games.items():
        top = words.listed([words.count(count) for count in games[-RUNGS:]])
        parts.append(
            f"{words.games(sum(games))} with {words.players(players)}, of which {top} by the last {RUNGS} bots"
        )
    return "; ".join(parts)


def each_words(ladder: LadderVerdicts) -> str:
    """Say how many games each bot played with each player count."""
    parts = []
    for players, games in ladder.games.items():
        fewest, most = min(games), max(games)
        span = words.games(most) if fewest == most else f"{words.count(fewest)} to {words.games(most)}"
        parts.append(f"{span} with {words.players(players)}")
    return f"Each bot played {words.listed(parts)}."


def steps_grid(ladder: LadderVerdicts, name: str) -> Grid:
    """Return the table of how far each bot leads the one before, with each player count."""
    steps = {(step.players, step.bot): step for step in ladder.steps}
    rows = [
        {
            "bot": bot,
            **{key: cell for players in ladder.games for key, cell in _cells(players, steps.get((players, bot)))},
        }
        for bot in ladder.bots[1:]
    ]
    shown = [
        TableColumn(f"lead_{players}", words.players(players), "gain", interval=True, digits=0)
        for players in ladder.games
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    columns = (TableColumn("bot", "bot"), *shown)
    return Grid(name, "Lead over the bot before, in Elo points (95%)", columns, frame, (rising_words(ladder),))


def _cells(players: int, step: RungStep | None) -> Iterator[tuple[str, float | None]]:
    """Yield the columns of a step with one player count; None for one that the file of a ladder lacks."""
    for name in ("lead", "low", "high", "p_stronger", "p_weaker", "games"):
        end = "" if name == "lead" else f"_{name}"
        yield f"lead_{players}{end}", getattr(step, name, None)


def _labels(ladder: LadderVerdicts, players: int) -> list[str]:
    """Return the bots as an axis names them, with their leads over the first one."""
    leads = {step.bot: step.lead for step in ladder.steps if step.players == players}
    total, labels = 0.0, [short_name(ladder.bots[0])]
    for bot in ladder.bots[1:]:
        total += leads.get(bot, math.nan)
        labels.append(f"{short_name(bot)} ({words.number(total, 0, sign=True)})")
    return labels


def rungs_grid(ladder: LadderVerdicts, name: str, caption: str) -> Grid:
    """Return the table of the bots of a ladder with their games and hashes."""
    frame = pl.DataFrame(
        [
            {
                "bot": rung.bot,
                **{f"{players} players": games[place] for players, games in ladder.games.items()},
                "seed": ladder.played.seed,
                "source": rung.source_hash,
                "weights": rung.weights_hash,
            }
            for place, rung in enumerate(ladder.rungs)
        ]
    )
    kinds: dict[str, Any] = {f"{players} players": "count" for players in ladder.games}
    heads = {"source": "hash of its source", "weights": "hash of its weights"}
    shown = tuple(TableColumn(key, heads.get(key, key), kinds.get(key, "text")) for key in frame.columns)
    return Grid(name, caption, shown, frame)


def _columns(ladder: LadderVerdicts, family: ClaimFamily) -> Iterator[TableColumn]:
    yield TableColumn("label", family.noun)
    yield TableColumn("players", "players", "count")
    yield TableColumn("verdict", "verdict")
    for place, bot in enumerate(ladder.bots):
        yield TableColumn(f"rung_{place + 1}", short_name(bot), "gain", interval=True)
    yield TableColumn("last_two_steps", "last two steps", "gain", interval=True)
    yield TableColumn("p_moving", "p (equal)", "p")
    yield TableColumn("more_games", "more games", "count")


def _row(ladder: LadderVerdicts, claim: SettledClaim) -> dict[str, Any]:
    found, series = claim.found, claim.found.series
    row: dict[str, Any] = {
        "claim": claim.family.name,
        "level": series.name,
        "label": claim.family.label(series.name),
        "players": claim.players,
    }
    for place, bot in enumerate(ladder.bots):
        row |= columns(f"rung_{place + 1}", series.estimate(place))
        row |= {f"rung_{place + 1}_bot": bot, f"rung_{place + 1}_games": claim.games[place]}
    row |= {"verdict": found.verdict, "more_games": claim.more_games, "look": found.look}
    row |= columns("last_step", found.last_step) | columns("last_two_steps", found.last_two)
    return row | {"p_settled": found.p_settled, "p_moving": found.p_moving}
