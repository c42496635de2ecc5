"""What is printed of results: the answer to their question, the balance sheet, and the tables of a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console

from rogsim.game.registry import get_game
from rogsim.game.topics import SEATS, Topic, dealt_columns, question_topic
from rogsim.report import words
from rogsim.report.balance.pieces import played
from rogsim.report.balance.sheet import answer_of, judged_topic, question_of, sheet_of
from rogsim.report.balance.sources import material_of
from rogsim.report.console.text_table import (
    Table,
    chance_note,
    gain,
    give_or_take,
    judged_line,
    number,
    percentage,
    show_tables,
)
from rogsim.report.document import Sheet
from rogsim.results.results import Results
from rogsim.scenario.axes import change_words
from rogsim.scenario.own_components import asked_changes
from rogsim.stats.balance.level_by_seat import BETWEEN
from rogsim.stats.estimates import Clusters, clusters, mean, share

FEWEST_GAMES = 10  # of a draw: with fewer, an interval is so wide that the numbers say nothing

VALUES = ("win_share", "points")

Groups = dict[tuple[Any, ...], dict[str, Clusters]]


def print_results(results: Results, console: Console | None = None, more: Sequence[Table] = ()) -> None:
    """Print the question and its answer, the balance sheet, the tables that a scenario asks for, and `more` tables."""
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
    asked = question_of(material, section)
    changed = change_words(change) if (change := asked_changes(results.manifest["scenario"])) else ""
    heading = words.joined(
        asked,
        judged_line(badge, answer),
        f"{played(material)}, by {material.last.label}.{f' Changed: {changed}' if changed else ''}",
        material.reconstructed.text([topic for topic in spec.topics if topic.name == about]),
    )
    show_tables(heading, [sheet_table(sheet_of(material)), *build_tables(results), *more], console)


def sheet_table(sheet: Sheet) -> Table:
    """Return the balance sheet as a table: each number with its interval."""
    rows = [
        (row.measure, *(f"{cell.text} ({cell.reach})" if cell else words.NOTHING for cell in row.cells))
        for row in sheet.rows
    ]
    return Table("Balance sheet", ("95% intervals", *sheet.columns), tuple(rows))


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
    order = [f"{players} players" for players in scenario["players"]]
    return sorted(tables, key=lambda table: order.index(table.title.split(":")[0]))


def _seat_factor_tables(results: Results, factor: str) -> list[Table]:
    groups = clusters(results.seats(), VALUES, ["players", factor])
    labels = _labels(results, factor)
    return [
        _share_table(players, factor, levels, chance_note(len(levels)), labels)
        for players, levels in _by_players(groups).items()
    ]


def _share_table(players: int, factor: str, levels: Groups, notes: tuple[str, ...], labels: Mapping[str, str]) -> Table:
    """Return one row for each level: how often seats of that level win, and what they score."""
    rows = []
    for (level,), values in levels.items():
        won, points = share(values["win_share"]), mean(values["points"])
        rows.append(
            (
                _level(level, labels),
                f"{won.n:,}",
                percentage(won),
                f"{100 / players:.1f}%",
                gain(won, 1 / players),
                number(points),
            )
        )
    header = (_words(factor), "n", "win share (95%)", "fair", "diff pp", "points (95%)")
    return Table(f"{players} players: by {_words(factor)}", header, tuple(rows), notes)


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
        _game_table(players, factor, levels, by_seat[players], points[players], labels)
        for players, levels in by_level.items()
    ]


def _game_table(
    players: int, factor: str, levels: Groups, by_seat: Groups, points: Groups, labels: Mapping[str, str]
) -> Table:
    seats = range(1, players + 1)
    rows = []
    for key, values in levels.items():
        turns = mean(values["turns"])
        if turns.n < FEWEST_GAMES:
            continue
        cells = [(share(by_seat[(*key, seat)]["win_share"]), 100) for seat in seats]
        cells += [(mean(points[key]["points"]), 1), (turns, 1)]
        rows.append((_level(key[0], labels), f"{turns.n:,}", *(give_or_take(*cell) for cell in cells)))
    header = (_words(factor), "n", *(f"seat {seat} %" for seat in seats), "points", "turns")
    left = len(levels) - len(rows)
    few = (f"Left out: {left} row{'s' * (left > 1)} with fewer than {FEWEST_GAMES} games.",) if left else ()
    notes = (f"Fair share of each seat: {100 / players:.1f}%.", *few, *chance_note(len(rows) * players))
    return Table(f"{players} players: by {_words(factor)}", header, tuple(rows), notes)


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
