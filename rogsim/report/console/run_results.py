"""What `rogsim run` prints at the end: the answer, the balance sheet and tables, or one JSON object for scripts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich.console import Console

from rogsim.base.text import fold
from rogsim.experiments.run import LevelPrecision, Look, Run
from rogsim.game.fair import Sides, noun_of
from rogsim.game.registry import get_game
from rogsim.game.topics import SEATS, Topic, dealt_columns, question_topic
from rogsim.report import words
from rogsim.report.balance.sheet import answer_of, judged_topic, question_of, sheet_of
from rogsim.report.balance.sources import material_of, played
from rogsim.report.console.text_table import (
    MANY_INTERVALS,
    Level,
    Table,
    chance_note,
    gain,
    give_or_take,
    judged_line,
    number,
    percentage,
    show_tables,
)
from rogsim.report.document import Badge, Sheet, SheetCell
from rogsim.results.results import Results
from rogsim.scenario.axes import change_words
from rogsim.scenario.own_components import asked_changes
from rogsim.scenario.precision import Target
from rogsim.scenario.reconstructed import reconstructed_in
from rogsim.stats.balance.level_by_seat import BETWEEN
from rogsim.stats.estimates import ALPHA, Clusters, Estimate, clusters, mean, share
from rogsim.stats.prospects import two_figures

FEWEST_GAMES = 10  # of a draw: with fewer, an interval is so wide that the numbers say nothing

VALUES = ("win_share", "points")
MEASURE = 24  # columns for the names of measures: with three numbers of players the sheet fits 100

Groups = dict[tuple[Any, ...], dict[str, Clusters]]


@dataclass(frozen=True)
class Summary:
    """What results say at a glance: question, answer and verdict, who played, what limits it, sheet and tables."""

    question: str
    answer: str
    verdict: Badge
    played: str
    caveat: str
    sheet: Sheet
    tables: tuple[Table, ...]

    @property
    def line(self) -> str:
        """Return the answer with its verdict."""
        return judged_line(self.verdict, self.answer)


def summary_of(results: Results) -> Summary:
    """Return what results say at a glance."""
    spec = get_game(str(results.manifest["scenario"]["game"]))
    about = question_topic(spec.topics, results.manifest)
    dealt = set(dealt_columns(spec.topics, results.manifest))
    measured = [topic.name for topic in spec.topics if topic.kind == "parts" or dealt & set(topic.columns)]
    material = material_of([results], list(dict.fromkeys([SEATS, "shape", about, *measured])))
    section = None
    if not (judged_topic(material) and "?" in str(results.manifest["question"])):
        from rogsim.report.balance.build import section_named  # with all that draws figures

        section = section_named(material, about)
    answer, badge = answer_of(material, section)
    changed = change_words(change) if (change := asked_changes(results.manifest["scenario"])) else ""
    return Summary(
        question_of(material, section),
        answer,
        badge,
        f"{played(material)}, by {material.last.label}.{f' Changed: {changed}' if changed else ''}",
        material.reconstructed.text([topic for topic in spec.topics if topic.name == about]),
        sheet_of(material),
        tuple(build_tables(results)),
    )


def print_results(results: Results, console: Console | None = None, more: Sequence[Table] = ()) -> None:
    """Print the question and its answer, the balance sheet, the tables that a scenario asks for, and `more` tables."""
    found = summary_of(results)
    heading = words.joined(found.question, found.line, found.played, found.caveat)
    show_tables(heading, [sheet_table(found.sheet), *found.tables, *more], console)


def sheet_table(sheet: Sheet) -> Table:
    """Return the balance sheet as a table: each number with its interval, below its name if it has one."""
    rows = [(fold(row.measure, MEASURE), *map(_sheet_cell, row.cells)) for row in sheet.rows]
    return Table("Balance sheet", ("95% intervals", *sheet.columns), tuple(rows))


def _sheet_cell(cell: SheetCell | None) -> str:
    if cell is None:
        return words.NOTHING
    name, _, number = cell.text.rpartition(" ")
    return f"{name}\n{number} ({cell.reach})".strip()


def build_tables(results: Results) -> list[Table]:
    """Return the tables of a run: by seat if that is its question, by bot if several play, and those asked for."""
    scenario = results.manifest["scenario"]
    about = question_topic(get_game(str(scenario["game"])).topics, results.manifest)
    asked = [factor for factor in scenario["tables"] if factor != "seat"]
    wanted = [*(["seat"] if about == SEATS else []), *(["bot"] if len(results.manifest["bots"]) > 1 else []), *asked]
    in_games = {row[1] for row in results.manifest["columns"] if row[0] == "games"}
    tables: list[Table] = []
    for factor in dict.fromkeys(wanted):
        if factor in in_games:
            tables += _game_factor_tables(results, factor)
        else:
            tables += _seat_factor_tables(results, factor)
    # A stable sort: within a number of players, tables stay in the order requested.
    order = [words.players(players) for players in scenario["players"]]
    return sorted(tables, key=lambda table: order.index(table.title.split(":")[0]))


def _seat_factor_tables(results: Results, factor: str) -> list[Table]:
    tables, labels = [], _labels(results, factor)
    for players in map(int, results.manifest["games"]):
        sides, rows = results.sides(players), results.seats().filter(pl.col("players") == players)
        if factor == "seat" and sides.is_one:
            continue  # the balance sheet says how often they win together
        if factor == "seat" and not sides.are_seats:
            of = [sides.levels[side] for side in sides.of_seats]
            team = pl.col("seat").replace_strict(list(range(1, players + 1)), of, return_dtype=pl.String).alias("seat")
            keys = "players", "block", "game", team
            rows = rows.group_by(keys, maintain_order=True).agg(pl.first("win_share"), pl.sum("points"))
        levels = _by_players(clusters(rows, VALUES, ["players", factor])).get(players, {})
        fair = dict(zip(sides.levels, sides.shares, strict=True)) if factor == "seat" else {}
        shares = [fair.get(str(level), sides.fair) for (level,) in levels]
        noun = noun_of(sides.levels) if factor == "seat" else _words(factor)
        tables.append(_share_table(players, factor, noun, levels, shares, labels))
    return tables


def _share_table(
    players: int, factor: str, noun: str, levels: Groups, shares: Sequence[float], labels: Mapping[str, str]
) -> Table:
    """Return one row for each level: how often seats of that level win, what would be fair, and what they score."""
    rows = []
    for ((level,), values), fair in zip(levels.items(), shares, strict=True):
        won, points = share(values["win_share"]), mean(values["points"])
        rows.append(
            (
                _level(level, labels),
                f"{won.n:,}",
                percentage(won),
                words.NOTHING if math.isnan(fair) else f"{fair:.1%}",
                words.NOTHING if math.isnan(fair) else gain(won, fair),
                number(points),
            )
        )
    header = (noun, "n", "win share (95%)", "fair", "diff pp", "points (95%)")
    of = tuple(Level(players, factor, str(level)) for (level,) in levels)
    return Table(f"{words.players(players)}: by {noun}", header, tuple(rows), chance_note(len(levels)), levels=of)


def _game_factor_tables(results: Results, factor: str) -> list[Table]:
    """Return one row for each level: how often each seat wins games of that level, points and turns."""
    games = results.games().select("players", "game", "block", "turns", factor)
    seats = results.seats().select("players", "game", "block", "seat", *VALUES)
    joined = seats.join(games.drop("block", "turns"), on=["players", "game"], how="left")
    by_level = _by_players(clusters(games, ["turns"], ["players", factor]))
    by_seat = _by_players(clusters(joined, ["win_share"], ["players", factor, "seat"]))
    points = _by_players(clusters(joined, ["points"], ["players", factor]))
    labels = _labels(results, factor)
    return [
        _game_table(results.sides(players), factor, levels, by_seat[players], points[players], labels)
        for players, levels in by_level.items()
    ]


def _game_table(
    sides: Sides, factor: str, levels: Groups, by_seat: Groups, points: Groups, labels: Mapping[str, str]
) -> Table:
    players = len(sides.of_seats)
    seats = range(1, players + 1)
    rows, of = [], []
    for key, values in levels.items():
        turns = mean(values["turns"])
        if turns.n < FEWEST_GAMES:
            continue
        cells = [(share(by_seat[(*key, seat)]["win_share"]), 100) for seat in seats]
        cells += [(mean(points[key]["points"]), 1), (turns, 1)]
        rows.append((_level(key[0], labels), f"{turns.n:,}", *(give_or_take(*cell) for cell in cells)))
        of.append(Level(players, factor, str(key[0])))
    header = (_words(factor), "n", *(f"seat {seat} %" for seat in seats), "points", "turns")
    left = len(levels) - len(rows)
    few = (f"Left out: {left} row{'s' * (left > 1)} with fewer than {FEWEST_GAMES} games.",) if left else ()
    fair = () if not sides.are_equal or sides.is_one else (f"Fair share of each seat: {sides.fair:.1%}.",)
    notes = (*fair, *few, *chance_note(len(rows) * players))
    return Table(f"{words.players(players)}: by {_words(factor)}", header, tuple(rows), notes, levels=tuple(of))


def _by_players(groups: Groups) -> dict[int, Groups]:
    """Split groups whose first key is the number of players."""
    split: dict[int, Groups] = {}
    for (players, *rest), values in groups.items():
        split.setdefault(players, {})[tuple(rest)] = values
    return split


def _labels(results: Results, factor: str) -> Mapping[str, str]:
    return level_labels(get_game(str(results.manifest["scenario"]["game"])).topics, factor)


def level_labels(topics: Iterable[Topic], factor: str) -> Mapping[str, str]:
    """Return the game's words for the levels of a column."""
    of_levels = (topic.labels for topic in topics if factor in topic.columns and topic.kind in ("level", "draw"))
    return next(of_levels, {})


def _level(level: Any, labels: Mapping[str, str]) -> str:
    """Return the game's words for a level, or for the members of a draw."""
    if level is None:
        return "none"
    parts = BETWEEN.split(str(level)) if labels and str(level) not in labels else [str(level)]
    return ", ".join(labels.get(part, part) for part in parts)


def _words(name: str) -> str:
    return name.replace("_", " ")


PROMISE = "Each single interval holds at all looks with 95% probability, so stopping early does not invalidate it."


def until_table(look: Look, targets: Sequence[Target], cap: int, topics: Sequence[Topic] = ()) -> Table:
    """Return a table of the width of each interval, with notes on why the run stopped.

    Parameters
    ----------
    cap
        The most games allowed.
    topics
        Those of the game, which have the words for levels.
    """
    rows = tuple(_row(precision, topics) for precision in look.precisions)
    title = f"{words.players(look.players)}: until {' and '.join(target.text for target in targets)}"
    notes = (_stop_note(look, targets, cap, topics), PROMISE, *_many_note(len(look.precisions)))
    return Table(title, ("level", "n", "value (95% at any time)", "half width", "requested"), rows, notes)


def _row(precision: LevelPrecision, topics: Sequence[Topic]) -> tuple[str, ...]:
    target, estimate = precision.target, precision.estimate
    show = percentage if target.value == "win_share" else number
    value = show(estimate, _digits(target))
    return (
        _name(precision, topics),
        f"{estimate.n:,}",
        value,
        _half_width(precision),
        _width(target, target.half_width),
    )


def _stop_note(look: Look, targets: Sequence[Target], cap: int, topics: Sequence[Topic]) -> str:
    if look.is_done:
        return f"Stopped after {look.games:,} games: {' and '.join(_known(target) for target in targets)}."
    so_far = f"The cap of {cap:,} games is reached" if look.games >= cap else f"{look.games:,} games are played"
    widest, more = look.widest, f"about {two_figures(look.more_games):,} more games would"
    name = f"{_name(widest, topics)} ({_value(widest.target)})"
    if math.isnan(widest.estimate.half_width):
        return f"{so_far}: {name} is in only {widest.blocks} blocks, too few for an interval; {more} give one."
    asked = _width(widest.target, widest.target.half_width)
    return f"{so_far}: the widest interval, {name}, is ±{_half_width(widest)} instead of ±{asked}; {more} be enough."


def _many_note(count: int) -> tuple[str, ...]:
    if count < MANY_INTERVALS:
        return ()
    return (
        f"Of {count} such intervals up to {count * ALPHA:.1f} may miss the true value at some look by chance alone.",
    )


def _known(target: Target) -> str:
    return f"every {_factor(target)}'s {_value(target)} is known to ±{_width(target, target.half_width)}"


def _name(precision: LevelPrecision, topics: Sequence[Topic]) -> str:
    level = "none" if precision.level is None else str(precision.level)
    return f"{_factor(precision.target)} {level_labels(topics, precision.target.factor).get(level, level)}"


def _factor(target: Target) -> str:
    return target.factor.replace("_", " ")


def _value(target: Target) -> str:
    return "win share" if target.value == "win_share" else "mean of points"


def _half_width(precision: LevelPrecision) -> str:
    """Return a half width with its unit, rounded up so that it never looks narrower than it is."""
    half_width = precision.estimate.half_width
    if math.isnan(half_width):
        return "-"
    target = precision.target
    digits = _digits(target) + 1
    upward = math.ceil(half_width * _scale(target) * 10**digits - 1e-6) / 10**digits
    return f"{upward:.{digits}f} {_unit(target)}"


def _width(target: Target, width: float) -> str:
    text = f"{width * _scale(target):.12g} {_unit(target)}"
    return text.removesuffix("s") if text == "1 points" else text


def _scale(target: Target) -> int:
    return 100 if target.value == "win_share" else 1


def _unit(target: Target) -> str:
    return "pp" if target.value == "win_share" else "points"


def _digits(target: Target) -> int:
    """Return how many decimal places show the first significant digit of the target's width; at least 1."""
    return max(1, -math.floor(math.log10(target.half_width * _scale(target))))


def print_run(run: Run, console: Console | None = None) -> None:
    """Print the question and its answer, the balance sheet, the scenario's tables, and why an adaptive run stopped."""
    manifest = run.results.manifest
    topics = get_game(str(manifest["scenario"]["game"])).topics
    looks = [until_table(look, run.targets, manifest["scenario"]["games"], topics) for look in run.looks.values()]
    print_results(run.results, console, looks)


def run_as_data(run: Run) -> dict[str, Any]:
    """Return what was played and the table by seat, for scripts: times in seconds, shares from 0 to 1."""
    manifest, log = run.results.manifest, run.log
    games = {int(players): count for players, count in manifest["games"].items()}
    return {
        "folder": None if run.results.folder is None else str(run.results.folder),
        "name": manifest["name"],
        "key": manifest["key"],
        "games": {str(players): count for players, count in games.items()},
        "played": log.games,
        "resumed": log.found,
        "replayed": log.replayed,
        "seconds": round(log.seconds, 3),
        "games_per_second": round(log.games / log.seconds, 3),
        "backend": log.backend,
        "workers": log.workers,
        **({"reconstructed": found} if (found := _reconstructed(manifest["scenario"])) else {}),
        "seats": _seats(run),
        "until": {str(players): _look(look) for players, look in run.looks.items()},
    }


def _reconstructed(scenario: Mapping[str, Any]) -> dict[str, Any]:
    return reconstructed_in(get_game(str(scenario["game"])), [scenario]).data()


def _seats(run: Run) -> list[dict[str, Any]]:
    groups = clusters(run.results.seats(), ["win_share", "points"], ["players", "seat"])
    return [
        {
            "players": players,
            "seat": seat,
            "win_share": _estimate(share(values["win_share"])),
            "points": _estimate(mean(values["points"])),
        }
        for (players, seat), values in groups.items()
    ]


def _look(look: Look) -> dict[str, Any]:
    return {
        "games": look.games,
        "narrow_enough": look.is_done,
        "more_games": look.more_games,
        "intervals": [
            {
                "name": precision.target.factor,
                "level": precision.level,
                "asked": precision.target.text,
                **_estimate(precision.estimate),
            }
            for precision in look.precisions
        ],
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    low, high = (None if math.isnan(end) else end for end in (estimate.low, estimate.high))
    return {"value": estimate.value, "low": low, "high": high, "n": estimate.n}
