"""The page of `rogsim bots --profile`: how bots differ in what they do; and its folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base import __version__
from rogsim.base.progress import doing
from rogsim.base.text import capital, listing
from rogsim.experiments.profile import (
    RESULT,
    Extreme,
    ProfileRequest,
    alike,
    extremes,
    make_profile,
    with_joint_intervals,
)
from rogsim.report import words
from rogsim.report.document import Finding, Grid, Picture, Report, Section, Step, TableColumn
from rogsim.report.figures.heat_map import BY_INTERVAL, heat_map
from rogsim.report.provenance import provenance, scenario_text
from rogsim.report.render.write import check_with_page, write_into
from rogsim.report.words import bot_label
from rogsim.results.output_folders import FolderKind, manifest_of, writing
from rogsim.results.store import describe
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.simulation.batch import check_workers

FOLDER = FolderKind("profile", ("profile",))
FAMILY = (
    "A bot stands out in a measure if its interval overlaps that of no other bot. The intervals in sentences hold for "
    "all measures, bots and player counts together (Bonferroni's method): at most 5% of pages name any difference that "
    "is not there. Those in figures and tables hold by themselves."
)
NARROW = 0.1  # half an interval: a narrower one gets one more digit
MOST_PAIRS = 3  # in a sentence
MOST_DRAWN = 8  # measures in the first figure
METHOD = "Every bot plays the same deals; games that share a deal count as one observation."
ANCHOR = "what-counts-as-one-observation"

check = partial(check_with_page, FOLDER)


def write_profile(request: ProfileRequest, folder: Path, jobs: int | None = None) -> Report:
    """Make a profile and write it into a folder, which appears when all is done: page, table and manifest."""
    check_workers("--jobs", jobs)
    check(folder)
    started = datetime.now(UTC)
    profile = make_profile(request, jobs)
    report = profile_report(request, profile, folder)
    with doing() as notify, writing(folder, check) as draft:
        players = list(request.experiment.scenario.players)
        more = {"against": request.against, "players": players, "games": dict(request.games)}
        FOLDER.write(draft, {"profile": profile}, manifest_of(FOLDER.name, request.experiment, started, more))
        write_into(report, draft, notify)
    return report


def profile_report(request: ProfileRequest, profile: pl.DataFrame, folder: Path) -> Report:
    """Return the page. folder: where it is written, for the command that reproduces it."""
    experiment, manifests = request.experiment, dict(_manifests(request))
    sections = tuple(_sections(request, profile))
    picture = _differences(profile)
    return Report(
        title=f"{experiment.spec.title}: how bots play",
        question=f"How {'do' if len(request.bots) > 1 else 'does'} {listing(list(request.bots))} play?",
        answer=sections[0].answer,
        context=_context(request),
        sections=sections,
        family=FAMILY,
        provenance=tuple(provenance([({"bot": bot}, manifest) for bot, manifest in manifests.items()])),
        scenarios=tuple((bot, scenario_text(manifest)) for bot, manifest in manifests.items()),
        command=f"# with rogsim {__version__}\n{shlex.join(_command(request, folder))}",
        picture=picture,
        steps=tuple(_steps(request)),
        reconstructed=reconstructed_of(experiment).data(),
    )


def _context(request: ProfileRequest) -> str:
    if request.against is None:
        how = "The same bot plays all seats"
    else:
        how = f"Each bot plays one seat, and {request.against} the others"
    return f"{capital(_games(request))}. {how}, so this is about how bots play, not about the game."


def _games(request: ProfileRequest) -> str:
    counts = sorted(set(request.games.values()))
    games = words.games(counts[0]) if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,} games"
    players = listing([str(players) for players in request.experiment.scenario.players])
    return f"{games} of each bot with {players} players"


def _sections(request: ProfileRequest, profile: pl.DataFrame) -> Iterator[Section]:
    n, found, players = _games(request), extremes(with_joint_intervals(profile)), max(profile["players"].to_list())
    yield Section(
        "differences",
        "How the bots differ",
        "What does each bot do that the others do not?",
        answer_words(profile, [one for one in found if one.players == players]),
        n,
        tuple(alike_findings(profile)),
        grids=tuple(_differences_grid(found, players)),
        method=METHOD,
        anchor=ANCHOR,
    )
    for (table,), rows in profile.partition_by("table", maintain_order=True, as_dict=True).items():
        name = re.sub(r"\W+", "-", str(table))
        if not rows["value"].max():
            continue
        yield Section(
            name,
            capital(str(table)),
            f"How do the bots differ in {table}?",
            answer_words(rows, [one for one in found if (one.players, one.table) == (players, table)]),
            n,
            grids=(_grid(name, str(table), rows),),
            method=METHOD,
            anchor=ANCHOR,
        )


def answer_words(rows: pl.DataFrame, found: Sequence[Extreme]) -> str:
    """Return in one sentence what distinguishes the bots most in some measures; found: the farthest first."""
    bots = rows["bot"].n_unique()
    if found:
        return f"{capital(found[0].bot)} stands out most: {extreme_words(found[0], bots)}."
    if bots > 1:
        return "No bot stands out: none is clearly above or below all others in any measure."
    known = rows.filter(players=max(rows["players"].to_list())).drop_nulls("value").sort("share", maintain_order=True)
    if known.is_empty():
        return "There is nothing to measure."
    row = known.row(0, named=True)
    scale, unit = (100, "%") if row["share"] else (1, "")
    reach = words.interval(row["value_low"], row["value_high"], scale) or words.TOO_FEW
    return f"{capital(row['bot'])} has {row['figure']}: {words.number(scale * row['value'])}{unit} ({reach})."


def alike_findings(profile: pl.DataFrame) -> Iterator[Finding]:
    """Yield which bots no measure tells apart, the largest player count first."""
    joint = with_joint_intervals(profile)
    for players in sorted(profile["players"].unique().to_list(), reverse=True):
        bots = joint.filter(players=players)["bot"].unique(maintain_order=True).to_list()
        if pairs := alike(joint, players, bots):
            more = [f"{len(pairs) - MOST_PAIRS} more pairs"] if len(pairs) > MOST_PAIRS else []
            listed = "; ".join([*(listing(list(pair)) for pair in pairs[:MOST_PAIRS]), *more])
            text = f"{words.players(players)}: no measure tells these apart: {listed}."
            yield Finding("open", text, {"players": players, "alike": pairs})


def extreme_words(extreme: Extreme, bots: int) -> str:
    """Return a measure in which a bot is above or below all others, with its values; bots: how many played."""
    table = "" if extreme.table == RESULT else f" ({extreme.table})"
    value, others = _values(extreme)
    return f"{extreme.end} in {extreme.measure}{table}: {value}, the other{'s' * (bots > 2)} {others}"


def _values(extreme: Extreme) -> tuple[str, str]:
    """Return a bot's value with its interval, and the range of the others' values."""
    scale, unit = (100, "%") if extreme.is_share else (1, "")
    digits = 2 if scale * (extreme.high - extreme.low) < 2 * NARROW else 1
    value = f"{words.number(scale * extreme.value, digits)}{unit}"
    least, most = (words.number(scale * other, digits) for other in extreme.others)
    others = f"{least}{unit}" if least == most else f"{least} to {most}{unit}"
    return f"{value} ({words.interval(extreme.low, extreme.high, scale, digits)})", others


def _differences_grid(found: Sequence[Extreme], players: int) -> Iterator[Grid]:
    """Yield the table of what bots stand out in with one player count, the farthest first; none if there is nothing."""
    rows = []
    for one in found:
        if one.players == players:
            value, others = _values(one)
            rows.append({"bot": one.bot, "measure": one.measure, "table": one.table, "value": value, "others": others})
    if rows:
        heads = {
            "bot": "bot",
            "measure": "stands out in",
            "table": "of",
            "value": "value (95%)",
            "others": "the others",
        }
        columns = tuple(TableColumn(key, head) for key, head in heads.items())
        caption = f"What bots stand out in, the largest differences first, {words.players(players)}"
        yield Grid("differences", caption, columns, pl.DataFrame(rows), first_shown=True)


def _differences(profile: pl.DataFrame) -> Picture | None:
    """Return the figure of the measures in which bots stand out with the largest player count; None without any."""
    players = max(profile["players"].to_list())
    found = [one for one in extremes(with_joint_intervals(profile)) if one.players == players]
    named = list(dict.fromkeys((one.table, one.measure) for one in found))[:MOST_DRAWN]
    rows = [profile.filter(players=players, table=table, figure=measure) for table, measure in named]
    if not rows:
        return None
    return Picture(
        "differences",
        f"The measures in which bots differ most, {words.players(players)}, coloured by the distance from the median "
        f"bot. {BY_INTERVAL.replace('0', 'that of the median bot')}",
        f"Heat map with a row for each bot. It shows {listing([measure for _, measure in named])}.",
        partial(heat_map, _against_median(pl.concat(rows), players), "distance from the median bot, %"),
    )


def _against_median(rows: pl.DataFrame, players: int) -> pl.DataFrame:
    """Return measures as cells of a heat map: up to 100% less or more than with the median bot."""
    middle = pl.col("value").median().over("table", "figure")

    def distance(end: str) -> pl.Expr:
        value = pl.col(f"value{end}")
        return 100 * pl.when(middle > 0).then((value / middle - 1).clip(-1, 1)).otherwise((value > 0).cast(pl.Float64))

    texts = [words.number(row["value"] * (100 if row["share"] else 1)) for row in rows.iter_rows(named=True)]
    return rows.select(
        pl.lit(words.players(players)).alias("panel"),
        pl.col("bot").replace_strict({bot: bot_label(bot) for bot in rows["bot"].unique()}).alias("row"),
        pl.concat_str("figure", pl.when("share").then(pl.lit(" %")).otherwise(pl.lit(""))).alias("column"),
        *(distance(end).alias(name) for end, name in (("", "value"), ("_low", "low"), ("_high", "high"))),
        pl.Series("text", texts),
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
    return Grid(name, f"{capital(table)}, per game and seat", tuple(shown), frame)


def _manifests(request: ProfileRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what each bot played with the first player count."""
    players = request.experiment.scenario.players[0]
    for bot in request.bots:
        part, games = request.part(bot, players), {players: request.games[bot]}
        yield bot, describe(part, identity_of(part), "complete", games, [], []).model_dump(mode="json")


def _command(request: ProfileRequest, folder: Path) -> list[str]:
    against = [] if request.against is None else [f"--against={request.against}"]
    games = sorted(set(request.games.values()))
    asked = [f"--games={games[0]}"] if len(games) == 1 else []  # otherwise each bot plays its usual number
    more = [*asked, f"--seed={request.experiment.scenario.seed}", *request.given]
    return ["rogsim", "bots", "--profile", *_asked(request), *against, *more, f"--out={words.portable_path(folder)}"]


def _asked(request: ProfileRequest) -> list[str]:
    players = ",".join(map(str, request.experiment.scenario.players))
    return ["--bots", ",".join(request.bots), f"--players={players}"]


def _steps(request: ProfileRequest) -> Iterator[Step]:
    bots = list(dict.fromkeys([*request.bots, *([request.against] if request.against else [])]))
    if len(bots) > 1:
        players = f"--players={','.join(map(str, request.experiment.scenario.players))}"
        command = ["rogsim", "tournament", "--bots", ",".join(bots), players, *request.given]
        yield Step("See how strong these bots are against each other.", shlex.join(command))
    if request.against is None and len(bots) > 1:
        against = ["rogsim", "bots", "--profile", *_asked(request), f"--against={bots[0]}", *request.given]
        yield Step("See what each bot does among others.", shlex.join(against))
