"""The section of a sweep on players that were trained for its fairest settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rogsim.experiments.retraining.retrained_settings import RetrainedSweep, RetrainedTable
from rogsim.experiments.sweep.outcome import SweepOutcome
from rogsim.report import words
from rogsim.report.balance.pieces import estimate_data
from rogsim.report.document import Finding, Grid, Section, TableColumn
from rogsim.report.retraining.training_parts import (
    OF_TRAINING,
    RETRAINING,
    STALE,
    judged_checks,
    training_findings,
    training_grid,
    who_plays,
)
from rogsim.report.sweep.sweep_frames import setting_text
from rogsim.report.sweep.sweep_words import compared_words, distance_words, from_fair_words, margin_words
from rogsim.stats.contrasts import columns, table
from rogsim.stats.estimates import Estimate

ONLY_FAIREST = (
    "Only the fairest setting and the scenario as it is are played with retrained players, on the new deals on which "
    "they were also played with stale players. All other settings, and the effects of parameters, are those with stale "
    "players: with retrained players another setting may be the fairest."
)


def retraining_section(outcome: SweepOutcome, retrained: RetrainedSweep) -> Section:
    """Return the section: the fairest settings with stale and with retrained players."""
    checks = judged_checks(retrained.points)
    counts = [
        f"{words.games(one.retrained.responses[0].games)} with {words.players(players)}"
        for players, one in retrained.tables.items()
    ]
    return Section(
        RETRAINING,
        "Stale and retrained players",
        "Is the fairest setting as fair with players trained for it?",
        f"{words.listed(counts)} for each row, on new deals, seed {outcome.seed}",
        (*(_finding(outcome, players, one) for players, one in retrained.tables.items()), *training_findings(checks)),
        (),
        (_grid(outcome, retrained), training_grid(checks)),
        (STALE, ONLY_FAIREST, OF_TRAINING),
    )


def retraining_data(outcome: SweepOutcome, retrained: RetrainedSweep) -> list[dict[str, Any]]:
    """Return the settings with stale and with retrained players as rows."""
    return list(_rows(outcome, retrained))


def _finding(outcome: SweepOutcome, players: int, one: RetrainedTable) -> Finding:
    """Return how fair the fairest setting is with players trained for it, and how far that moved the verdict."""
    place = one.place
    best, unchanged = (one.retrained.responses[row].distance() for row in (place, 0))
    name = _setting(outcome, players, place) if place else "the scenario as it is"
    kind, margin = margin_words(one.retrained, place)
    text = f"{words.players(players)}: {who_plays(one.players[place])}, {name} is {from_fair_words(best)}"
    moved = one.change_moved() if place else one.moved(0)
    if place:
        text += f"; the scenario as it is: {distance_words(unchanged)}. {compared_words(one.retrained, place)}"
        text += f" With stale players, on the same deals: {_stale_change(one)}. "
    else:
        text += f"; with stale players, on the same deals: {distance_words(one.stale.responses[0].distance())}. "
    text += f"{_moved_words(moved, 'the difference' if place else 'it')} {margin}"
    data = {
        "players": players,
        "setting": dict(one.retrained.settings[place]),
        "distance": estimate_data(best),
        "as_it_is": estimate_data(unchanged),
        "change": estimate_data(one.retrained.change(place)),
        "stale_change": estimate_data(one.stale.change(place)),
        "moved": estimate_data(moved),
        "surely_fairer": one.retrained.is_fairer(place),
        "surely_fairer_stale": one.stale.is_fairer(place),
        "within_margin": one.retrained.is_within(place),
        "within_margin_stale": one.stale.is_within(place),
        "games": one.retrained.responses[place].games,
        "seed": outcome.seed,
    }
    return Finding(kind, text, data, short=text)


def _setting(outcome: SweepOutcome, players: int, place: int) -> str:
    """Return a setting in words; 0 is the scenario as it is, 1 the fairest setting."""
    swept = outcome.tables[players]
    return setting_text(outcome, swept, swept.judged[place])


def _stale_change(one: RetrainedTable) -> str:
    change = one.stale.change(one.place)
    sure = one.stale.is_fairer(one.place)
    verdict = "clearly fairer" if sure else "clearly less fair" if one.stale.is_less_fair(one.place) else "undecided"
    return f"{words.pp(change.value)} ({words.interval(change.low, change.high, sign=True)}), {verdict}"


def _moved_words(moved: Estimate, what: str) -> str:
    if moved.low == moved.high == 0:
        return "Retraining changed no game."
    return f"Retraining moved {what} by {words.pp(moved.value)} ({words.interval(moved.low, moved.high, sign=True)})."


def _rows(outcome: SweepOutcome, retrained: RetrainedSweep) -> Iterator[dict[str, Any]]:
    for players, one in retrained.tables.items():
        for place in range(len(one.players)):
            for who, of_players in (("stale", one.stale), ("retrained", one.retrained)):
                response = of_players.responses[place]
                moved = one.moved(place) if who == "retrained" else None
                yield {
                    "setting": _setting(outcome, players, place),
                    "players": players,
                    "bots": who,
                    "n": response.games,
                    **columns("distance", response.distance()),
                    **(columns("change", of_players.change(place)) if place else _nothing("change")),
                    **(columns("moved", moved) if moved else _nothing("moved")),
                }


def _nothing(name: str) -> dict[str, None]:
    return dict.fromkeys((name, f"{name}_low", f"{name}_high"))


def _grid(outcome: SweepOutcome, retrained: RetrainedSweep) -> Grid:
    heads = (
        TableColumn("setting", "setting", "long"),
        TableColumn("players", "players", "count"),
        TableColumn("bots", "bots"),
        TableColumn("n", "n", "count"),
        TableColumn("distance", "from fair, pp (95%)", "number", interval=True),
        TableColumn("change", "vs as it is, pp (95%)", "gain", interval=True),
        TableColumn("moved", "moved, pp (95%)", "gain", interval=True),
    )
    caption = "The fairest setting and the scenario as it is, with stale and with retrained players"
    notes = ("`moved` is how much farther from fair the setting is with retrained than with stale players.",)
    return Grid(RETRAINING, caption, heads, table(_rows(outcome, retrained)), notes)
