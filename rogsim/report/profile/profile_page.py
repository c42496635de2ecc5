"""The page of `rogsim bots --profile`: how bots differ in what they do."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.version import __version__
from rogsim.experiments.profile.profiles import ProfileRequest
from rogsim.report import words
from rogsim.report.balance.build import scenario_text
from rogsim.report.document import Finding, Grid, Picture, Report, Section, TableColumn
from rogsim.report.profile.profile_figures import draw_profile, played_measures
from rogsim.report.profile.profile_words import findings_of, singling_out
from rogsim.report.tournament.played_grids import bots_grid, files_grid
from rogsim.results.memory_store import describe
from rogsim.results.output_folders import FolderKind
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.reconstructed import reconstructed_of

FOLDER = FolderKind("profile", ("profile",))
UNITS = (
    "Shares of actions in %, and means per game and seat. In findings, intervals in brackets hold for all measures, "
    "bots and player counts together. Those in figures and tables are 95% intervals of their own, and among many, some "
    "miss the true value by chance."
)
FAMILY = (
    "A measure singles out a bot whose interval overlaps that of no other bot. These intervals hold together "
    "(Bonferroni's method): the probability that the page names any difference that is not there is at most 5%."
)
COMPUTED = (
    "Games that share a deal count as one observation. Every bot plays the same deals.",
    "Colours show the ratio to the median bot, whether or not the difference is more than chance.",
)
MOST_DRAWN = 8  # measures in the figure of the differences
ALONE = "In every game the same bot plays all seats, so the measures describe games between copies of a bot."
AGAINST = (
    "In every game the bot plays one seat, each seat in turn, and {against} plays the others; only the bot's seat "
    "counts."
)


def profile_report(request: ProfileRequest, profile: pl.DataFrame, folder: Path) -> Report:
    """Return the page. folder: where it is written, for the command that reproduces it."""
    experiment = request.experiment
    count = len(request.bots)
    return Report(
        title=f"{experiment.spec.title}: how {f'{count} bots play' if count > 1 else 'a bot plays'}",
        lead=_lead(request),
        units=UNITS,
        next_steps=tuple(_next_steps(request)),
        sections=tuple(_sections(request, profile)),
        family=FAMILY,
        provenance=(_games_grid(request), bots_grid(experiment), files_grid(FOLDER)),
        scenarios=_scenarios(request),
        command=f"# with rogsim {__version__}\n{shlex.join(_command(request, folder))}",
        reconstructed=reconstructed_of(experiment).data(),
    )


def _lead(request: ProfileRequest) -> str:
    how = ALONE if request.against is None else AGAINST.format(against=request.against)
    return f"{words.listed(list(request.bots))}: {_games(request)}. {how}"


def _games(request: ProfileRequest) -> str:
    counts = sorted(set(request.games.values()))
    games = words.games(counts[0]) if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} games"
    players = words.listed([str(players) for players in request.experiment.scenario.players])
    return f"{games} of each bot with {players} players"


def _sections(request: ProfileRequest, profile: pl.DataFrame) -> Iterator[Section]:
    n, played = _games(request), played_measures(profile)
    findings = findings_of(profile)
    yield Section(
        "differences",
        "How the bots differ",
        "What singles each bot out?",
        n,
        findings,
        tuple(_differences(findings, played)),
        (),
        (
            "A bot is listed with the measures in which it is clearly above or below all others: at most three, "
            "those farthest from the others' median first.",
        ),
    )
    for (table,), rows in profile.partition_by("table", maintain_order=True, as_dict=True).items():
        name = re.sub(r"\W+", "-", str(table))
        drawn = played.filter(table=table)
        pictures = (_picture(name, str(table), drawn),) if len(drawn) else ()
        yield Section(
            name,
            f"{str(table)[0].upper()}{str(table)[1:]}",
            "How do the bots compare?",
            n,
            (),
            pictures,
            (_grid(name, str(table), rows),),
            COMPUTED,
        )


def _differences(findings: Sequence[Finding], played: pl.DataFrame) -> Iterator[Picture]:
    """Yield the figure of the measures that single bots out with the largest player count; none if there are none."""
    players = max(played["players"].to_list(), default=0)
    named = singling_out(findings, players)[:MOST_DRAWN]
    rows = [played.filter(players=players, table=table, figure=measure) for table, measure in named]
    if rows:
        listed = words.listed([measure for _, measure in named])
        yield Picture(
            "differences",
            f"With {words.players(players)}, the measures that single bots out most, each with its 95% interval, "
            "coloured by its ratio to the median bot's.",
            f"Heat map with a row for each bot. It shows {listed}.",
            partial(draw_profile, pl.concat(rows).with_columns(table=pl.lit(""))),
        )


def _picture(name: str, table: str, rows: pl.DataFrame) -> Picture:
    players = max(rows["players"].to_list())
    largest = [
        f"most {measure}: {part.sort('value', descending=True, nulls_last=True)['bot'][0]}"
        for (measure,), part in rows.filter(players=players).group_by("figure", maintain_order=True)
    ]
    return Picture(
        name,
        f"{table[0].upper()}{table[1:]}: each measure with its 95% interval, coloured by its ratio to the median "
        "bot's.",
        f"Heat map with a row for each bot. With {words.players(players)}, {'; '.join(largest)}.",
        partial(draw_profile, rows),
    )


def _grid(name: str, table: str, rows: pl.DataFrame) -> Grid:
    """Return one table of a profile: a row for each bot and player count, a column for each measure."""
    measures = rows.select("figure", "share").unique(maintain_order=True).rows()
    shown = [TableColumn("bot", "bot"), TableColumn("players", "players", "count"), TableColumn("n", "games", "count")]
    for measure, is_share in measures:
        shown.append(TableColumn(measure, f"{measure} (95%)", "share" if is_share else "number", interval=True))
    lines: dict[tuple[int, str], dict[str, Any]] = {}
    for row in rows.iter_rows(named=True):
        line = lines.setdefault((row["players"], row["bot"]), {name: row[name] for name in ("bot", "players", "n")})
        line |= {f"{row['figure']}{end}": row[f"value{end}"] for end in ("", "_low", "_high")}
    frame = pl.DataFrame(list(lines.values()), infer_schema_length=None)
    caption = f"{table[0].upper()}{table[1:]}, per game and seat"
    return Grid(name, caption, tuple(shown), frame)


def _games_grid(request: ProfileRequest) -> Grid:
    scenario, spec = request.experiment.scenario, request.experiment.spec
    rules = f"{spec.title}, version {spec.version}"
    frame = pl.DataFrame(
        [
            {"bot": bot, "players": players, "games": request.games[bot], "seed": scenario.seed, "rules": rules}
            for players in scenario.players
            for bot in request.bots
        ]
    )
    kinds: Mapping[str, Any] = {"players": "count", "games": "count"}
    shown = tuple(TableColumn(name, name, kinds.get(name, "text")) for name in frame.columns)
    return Grid("played", "What was played", shown, frame)


def _scenarios(request: ProfileRequest) -> tuple[tuple[str, str], ...]:
    """Return the scenario of each bot with the first player count: the bot in its seats."""
    found = []
    players = request.experiment.scenario.players[0]
    for bot in request.bots:
        part = request.part(bot, players)
        manifest = describe(part, identity_of(part), "complete", {players: request.games[bot]}, [], [])
        found.append((f"{bot}, {words.players(players)}", scenario_text(manifest.model_dump(mode="json"))))
    return tuple(found)


def _command(request: ProfileRequest, folder: Path) -> list[str]:
    against = [] if request.against is None else [f"--against={request.against}"]
    games = sorted(set(request.games.values()))
    asked = [f"--games={games[0]}"] if len(games) == 1 else []  # otherwise each bot plays its usual number
    seed = f"--seed={request.experiment.scenario.seed}"
    out = f"--out={words.portable_path(folder)}"
    return ["rogsim", "bots", "--profile", *_asked(request), *against, *asked, seed, *request.given, out]


def _asked(request: ProfileRequest) -> list[str]:
    players = ",".join(map(str, request.experiment.scenario.players))
    return ["--bots", ",".join(request.bots), f"--players={players}"]


def _next_steps(request: ProfileRequest) -> Iterator[str]:
    bots = list(dict.fromkeys([*request.bots, *([request.against] if request.against else [])]))
    if len(bots) > 1:
        players = f"--players={','.join(map(str, request.experiment.scenario.players))}"
        command = ["rogsim", "tournament", "--bots", ",".join(bots), players, *request.given]
        yield f"`{shlex.join(command)}` shows how strong these bots are against each other."
    if request.against is None and len(bots) > 1:
        against = ["rogsim", "bots", "--profile", *_asked(request), f"--against={bots[0]}", *request.given]
        yield f"`{shlex.join(against)}` shows what each does in games that it does not control."
