"""Results as tables for people: win shares and points with intervals, and what they show in one sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console

from rogsim.game.registry import get_game
from rogsim.game.topics import Topic, dealt_columns
from rogsim.report import words
from rogsim.report.console.run_answer import JudgedSeats, answer_of, judged_seats
from rogsim.report.console.text_table import Table, chance_note, gain, give_or_take, number, percentage, show_tables
from rogsim.results.results import Results
from rogsim.scenario.axes import change_words
from rogsim.scenario.own_components import asked_changes
from rogsim.scenario.reconstructed import reconstructed_in
from rogsim.stats.balance.draws import BETWEEN
from rogsim.stats.balance.levels import Levels
from rogsim.stats.estimates import Clusters, Estimate, clusters, mean, share
from rogsim.stats.verdict_words import look_words

FEWEST_GAMES = 10  # of a draw: with fewer, an interval is so wide that the numbers say nothing

VALUES = ("win_share", "points")
AS_PLAYED = "These are the shares as played; `rogsim seats` and `rogsim report` adjust them for the luck of the deal."

Groups = dict[tuple[Any, ...], dict[str, Clusters]]


def build_tables(results: Results, seats: Mapping[int, JudgedSeats] | None = None) -> list[Table]:
    """Return the tables that a scenario asks for: by seat, by bot if several play, and by other factors.

    `seats` is what `judged_seats` returned, if it is known.
    """
    scenario = results.manifest["scenario"]
    wanted = ["seat", *(["bot"] if len(results.manifest["bots"]) > 1 else []), *scenario["tables"]]
    in_games = {row[1] for row in results.manifest["columns"] if row[0] == "games"}
    tables: list[Table] = []
    for factor in dict.fromkeys(wanted):
        if factor == "seat":
            tables += _seat_tables(results, judged_seats(results) if seats is None else seats)
        elif factor in in_games:
            tables += _game_factor_tables(results, factor)
        else:
            tables += _seat_factor_tables(results, factor)
    # A stable sort: within a number of players, tables stay in the order requested.
    order = [f"{players} players" for players in scenario["players"]]
    return sorted(tables, key=lambda table: order.index(table.title.split(":")[0]))


def print_tables(results: Results, console: Console | None = None) -> None:
    """Print the question and the tables of results."""
    seats = judged_seats(results)
    show_tables(heading_of(results, seats), build_tables(results, seats), console)


def heading_of(results: Results, seats: Mapping[int, JudgedSeats]) -> str:
    """Return the question, the changed parameters, which reconstructed values the results rest on, and the answer."""
    question, scenario = str(results.manifest["question"]), results.manifest["scenario"]
    changed = f"Changed: {change_words(change)}" if (change := asked_changes(scenario)) else ""
    spec = get_game(str(scenario["game"]))
    topics = [topic for topic in spec.topics if set(topic.columns) & set(scenario["tables"])]
    rests_on = reconstructed_in(spec, [scenario]).text(topics)
    return words.joined(question, changed, rests_on, answer_of(results, seats))


def verdict(seats: JudgedSeats) -> str:
    """Say in a sentence or two whether the seats of one player count differ.

    The largest effect is selected, so its interval is simultaneous: it holds for all seats together.
    """
    if not seats.is_tested:
        return "Too few games to show whether a seat is favoured."
    found = seats.farthest()
    if found is None:
        return f"No seat differs from its fair share by more than chance would explain.{look_words(seats.look)}"
    level, effect = found
    word = "more" if effect.value > 0 else "less"
    return (
        f"Seat {level} wins {abs(effect.value):.1f} pp {word} than its fair share "
        f"(simultaneous 95% interval {words.interval(effect.low, effect.high, sign=True)}).{look_words(seats.look)}"
    )


def _gap_notes(seats: Levels) -> tuple[str, ...]:
    values = [level.share.value for level in seats.levels]
    gap = f"The best and worst seats differ by {100 * (max(values) - min(values)):.1f} pp."
    if math.isnan(seats.band):
        return (gap,)
    return gap, f"In a fair game of this size they would differ by less than {seats.band:.1f} pp in 95% of runs."


def _seat_tables(results: Results, seats: Mapping[int, JudgedSeats]) -> list[Table]:
    by_seat = clusters(results.seats(), VALUES, ["players", "seat"])
    by_players = clusters(results.games(), ["turns"], ["players"])
    topics = get_game(str(results.manifest["scenario"]["game"])).topics
    dealt_note = (AS_PLAYED,) if dealt_columns(topics, results.manifest) else ()
    tables = []
    for (players,), group in by_players.items():
        levels: Groups = {(key[1],): values for key, values in by_seat.items() if key[0] == players}
        turns, judged = mean(group["turns"]), seats[players]
        notes = (
            f"{words.games(turns.n)} of {_turns(turns)} turns.",
            *_gap_notes(judged.levels),
            verdict(judged),
            *dealt_note,
        )
        tables.append(_share_table(players, "seat", levels, notes, {}))
    return tables


def _turns(turns: Estimate) -> str:
    """Return the length of the games; that of a single game is known."""
    return words.number(turns.value) if turns.n == 1 else number(turns)


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
