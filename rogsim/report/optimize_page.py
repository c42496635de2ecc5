"""The page of a search: which values reach the goals, how sure that is, and what less or more change would give."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rogsim.base import __version__
from rogsim.base.text import capital, listing
from rogsim.experiments.optimize import Candidate, SearchOutcome
from rogsim.report import words
from rogsim.report.balance.proposals import parameters_of, steps_to_fair
from rogsim.report.curve import curve_section
from rogsim.report.document import ColumnKind, Finding, Grid, Picture, Report, Section, Step, TableColumn
from rogsim.report.effects_section import estimate_data, finding_of, prospect_data
from rogsim.report.figures.forest_plots import forest
from rogsim.report.figures.style import INK, colour, legend_of, marker, new_figure, styled
from rogsim.report.optimize_words import (
    BADGES,
    GOAL_WORDS,
    between_words,
    changed_words,
    closer_words,
    direction_words,
    farthest_words,
    found_words,
    goal_scale,
    level_words,
    may_improve,
    noun,
    topic_name,
    typed,
)
from rogsim.report.provenance import facts_grid, scenario_text
from rogsim.report.sentences import answer_words
from rogsim.results.store import describe
from rogsim.scenario.axes import AS_IT_IS
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.goals import Goal
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.stats.contrasts import columns, table
from rogsim.stats.judgement import judge
from rogsim.stats.paired.deviations import Deviations

ANCHOR = "searches-sweeps-and-ratings"
FAMILY = (
    "Candidates are judged on new deals, which the search did not use. The answer is chosen from the listed ones, so "
    "their intervals hold together, and each is judged at 5% divided by their number. The numbers of a curve, and the "
    "seats, are two more families; in each, at most 5% of pages make any wrong claim."
)


def optimize_report(outcome: SearchOutcome, out: str, source: Sequence[str]) -> Report:
    """Return the page of a search.

    Parameters
    ----------
    out
        Its folder, for the command that reproduces it.
    source
        The scenario file and the options that change it, for commands that search further.
    """
    request, manifest = outcome.request, _manifest(outcome)
    experiment = request.experiment
    sections = [
        _answer_section(outcome),
        *([_curve_section(outcome)] if outcome.curves else []),
        *(_level_section(outcome, goal) for goal in request.goals if not (goal.level and outcome.curves)),
        *_seats_section(outcome),
    ]
    pictures = [picture for section in sections[1:2] if outcome.curves for picture in section.pictures]
    return Report(
        title=f"{experiment.spec.title}: optimize {experiment.name}",
        question=experiment.question or f"Which values give {_goals(outcome)}?",
        answer=found_words(outcome),
        context=_context(outcome),
        sections=tuple(sections),
        family=FAMILY,
        provenance=(_played_grid(outcome, manifest),),
        scenarios=((experiment.name, scenario_text(manifest)),),
        command=_command(outcome, out),
        verdict="missed" if between_words(outcome) else BADGES[outcome.chosen.found.kind],
        picture=pictures[0] if pictures else _trade_picture(outcome),
        steps=tuple(_steps(outcome, source)),
        reconstructed=reconstructed_of(experiment).data(varied=[axis.name for axis in request.space.axes]),
    )


def _goals(outcome: SearchOutcome) -> str:
    return listing([goal.text for goal in outcome.request.goals])


def _context(outcome: SearchOutcome) -> str:
    counts = listing([str(players) for players in outcome.request.players])
    bots = listing(list(dict.fromkeys(outcome.request.experiment.scenario.bots)))
    return (
        f"Goal: {_goals(outcome)}. {words.games(outcome.chosen.found.games)} of each candidate with {counts} players "
        f"by {bots}, on new deals (seed {outcome.seed}); other bots may need other values."
    )


def _steps(outcome: SearchOutcome, source: Sequence[str]) -> Iterator[Step]:
    """Yield what to do next: another parameter beside this one, or more games."""
    chosen, request = outcome.chosen, outcome.request
    goals = [word for goal in request.goals for word in ("--goal", goal.text)]
    axes = [word for axis in request.space.axes for word in ("--over", typed(axis))]
    command = ["rogsim", "optimize", *source, *goals, *axes]
    if chosen.found.kind == "beyond" or between_words(outcome):
        beside = _beside(outcome)
        if beside:
            name, meaning, low, high = beside
            over = f"{name} = {{ from = {low}, to = {high} }}"
            yield Step(f"Search {name} beside it: {meaning}.", shlex.join([*command, "--over", over]))
        elif between_words(outcome):
            level = capital(level_words(outcome, chosen.found, chosen.found.farthest))
            yield Step(f"{level} has no other number that brings it closer: take the better one, or change a rule.")
    if may_improve(outcome) and not between_words(outcome):
        more = words.about(2 * outcome.games).replace(",", "")
        yield Step("The search ran out of games. With more, it may find better values.", _with(command, "games", more))
    if chosen.found.prospect:
        games, chance = chosen.found.prospect.games, chosen.found.prospect.words("reached", "not reached")
        total = chosen.found.games + games
        text = f"About {words.count(games)} more games would decide whether the goal is reached {chance}."
        yield Step(text, _with(command, "confirm", total))
    setting = chosen.design_point.setting
    changed = [f"--change={axis.name} = {setting[axis.name]}" for axis in request.space.axes if axis.name in setting]
    if chosen.found.kind == "within" and chosen.change and all(axis.is_number for axis in request.space.axes):
        yield Step("See everything that this changes.", shlex.join(["rogsim", "compare", *source, *changed]))


def _with(command: Sequence[str], name: str, value: object) -> str:
    return shlex.join([*command, f"--{name}", str(value)])


def _beside(outcome: SearchOutcome) -> tuple[str, str, int, int] | None:
    """Return another parameter of the level that is farthest off, with values that bring it closer to fair."""
    experiment, found, place = outcome.request.experiment, outcome.chosen.found, outcome.chosen.found.farthest
    goal, level = found.goals[place], level_words(outcome, found, place)
    if not goal.factor:
        return None
    scenario = outcome.chosen.design_point.experiment.scenario.model_dump(mode="json")
    searched = {axis.name for axis in outcome.request.space.axes}
    own = parameters_of(experiment.spec, topic_name(outcome, goal), level, found.players[place], scenario)
    others = [parameter for parameter in own if parameter.name not in searched and not parameter.words]
    effect = float(found.value[place])
    for parameter, value in steps_to_fair(experiment.spec, others, effect):
        end = value + (value - parameter.value)
        ends = [bound for bound in (parameter.low, parameter.high) if bound is not None]
        end = value if any((end - bound) * (value - bound) < 0 for bound in ends) else end
        low, high = sorted((parameter.value, end))
        return parameter.name, parameter.meaning, low, high
    return None


def _answer_section(outcome: SearchOutcome) -> Section:
    """Return the section with the best candidate for each amount of change."""
    chosen, base = outcome.chosen, outcome.listed[0]
    shown = [chosen] if chosen is base else [chosen, base]
    findings = [
        Finding(BADGES[one.found.kind], f"{_name(outcome, one)}: {farthest_words(outcome, one.found)}.", _data(one))
        for one in shown
    ]
    closer = "" if chosen is base else f" {closer_words(outcome, base, chosen)}"
    text = f"{_name(outcome, chosen)}: {farthest_words(outcome, chosen.found)}.{closer}"
    heads = (
        TableColumn("setting", "candidate", "long"),
        TableColumn("change", "amount", "number", digits=0),
        TableColumn("n", "games", "count"),
        TableColumn("distance", f"farthest, {goal_scale(outcome)[1]} (95%)".replace(", (", " ("), "number", True),
        TableColumn("farthest", "level"),
        TableColumn("goal", "goal"),
    )
    return Section(
        "answer",
        "What to change",
        "Which values reach the goal with the least change?",
        text,
        f"{words.count(chosen.found.games)} games of each candidate with each player count, seed {outcome.seed}",
        tuple(findings),
        (_trade_picture(outcome),),
        (Grid("listed", "The best candidate for each amount of change", heads, _listed_frame(outcome)),),
        "The answer is the least change that clearly reaches the goal; without one, the closest candidate.",
        ANCHOR,
        BADGES[chosen.found.kind],
    )


def _trade_picture(outcome: SearchOutcome) -> Picture:
    scale, unit = goal_scale(outcome)
    return Picture(
        "change",
        "How far the best candidate is from the goal, for each amount of change. Dashed: the tolerance.",
        f"Largest deviation by amount of change. {found_words(outcome)}",
        partial(_trade, _listed_frame(outcome), scale, f"largest deviation, {unit}".rstrip(", ")),
    )


def _trade(frame: pl.DataFrame, allowed: float, axis: str) -> Figure:
    """Draw the largest deviation against the amount of change, with intervals, and the tolerance as a line."""
    with styled():
        figure = new_figure(3.1)
        axes = figure.subplots()
        for place, chosen in enumerate((False, True)):
            part = frame.filter(pl.col("chosen") == chosen)
            x, y, low, high = (
                part[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
                for name in ("change", "distance", "distance_low", "distance_high")
            )
            label = "the answer" if chosen else "other amounts of change"
            axes.errorbar(
                x,
                y,
                np.abs(np.stack([y - low, high - y])),
                fmt=marker(place),
                label=label,
                zorder=3 + place,
                color=colour(place),
                markersize=7 if chosen else 5.5,
                capsize=3,
                linewidth=1.4,
            )
        axes.axhline(allowed, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label="tolerance")
        axes.set(xlabel="amount of change", ylabel=axis)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")
        legend_of(figure, axes.get_legend_handles_labels()[0])
    return figure


def _curve_section(outcome: SearchOutcome) -> Section:
    """Return the section with the win share by number, if a single one was searched."""
    axis = outcome.request.space.axes[0]
    return curve_section(
        outcome.curves,
        axis,
        f"With which {axis.name} is {outcome.curves[0].level} fair?",
        f"{words.count(outcome.chosen.found.games)} games with each number, seed {outcome.seed}",
        "The numbers nearest to the answer, on the same new deals, judged together (Holm's method).",
    )


def _level_section(outcome: SearchOutcome, goal: Goal) -> Section:
    """Return the section with every level as it is and with the answer."""
    series = [(AS_IT_IS, outcome.listed[0])]
    if outcome.chosen is not outcome.listed[0]:
        series.append(("with the answer", outcome.chosen))
    rows = [
        {
            "panel": words.players(confirmed.found.players[place]),
            "level": capital(level_words(outcome, confirmed.found, place)),
            "series": name,
            "n": int(confirmed.found.n[place]),
            **columns("estimate", confirmed.found.measured[place]),
            **columns("deviation", confirmed.found.estimate(place)),
        }
        for name, confirmed in series
        for place in confirmed.found.places(goal)
    ]
    frame, tolerance = table(rows), goal.within * goal.scale
    drawn = frame.rename({"deviation": "value", "deviation_low": "low", "deviation_high": "high"})
    unit = "percentage points" if goal.unit == "pp" else goal.unit or goal.value
    name = f"{goal.factor or 'all'}-{goal.value}".replace("_", "-")
    picture = Picture(
        name,
        f"How far each {noun(outcome, goal)} is from the goal. The band is the tolerance.",
        f"Forest plot of deviations from {goal.text}. {found_words(outcome)}",
        partial(
            forest,
            drawn,
            tolerance,
            f"deviation from the goal, {unit} (95% interval)",
            "exactly on the goal",
            goal.unit.removesuffix("s") if tolerance == 1 else goal.unit,
            band="tolerance",
            ranked=goal.factor != "seat",
        ),
    )
    share = goal.value == "win_share"
    heads = (
        TableColumn("level", noun(outcome, goal)),
        TableColumn("panel", "players"),
        TableColumn("series", "values"),
        TableColumn("n", "n", "count"),
        TableColumn("estimate", f"{'win share' if share else words.name(goal.value)} (95%)", _kind(share), True),
        TableColumn("deviation", f"off the goal{', pp' * share} (95%)", "gain", True),
    )
    said = [f"{name}, {_most(outcome, confirmed.found, goal)}" for name, confirmed in series]
    return Section(
        name,
        f"Every {noun(outcome, goal)}" if goal.factor else capital(words.name(goal.value)),
        f"How far is each {noun(outcome, goal)} from the goal {goal.text}?",
        f"{capital('; '.join(said))}.",
        f"{words.count(outcome.chosen.found.games)} games with each player count, new deals, seed {outcome.seed}",
        pictures=(picture,),
        grids=(Grid(name, f"Goal: {goal.text}", heads, frame),),
        method="Each interval holds by itself; games that share a deal count as one observation.",
        anchor="intervals",
    )


def _kind(share: bool) -> ColumnKind:
    return "share" if share else "number"


def _most(outcome: SearchOutcome, found: Deviations, goal: Goal) -> str:
    """Return the largest deviation from a goal: "seat 1 is off by +1.2 pp (+0.1 to +2.3)"."""
    place = max(found.places(goal), key=lambda place: abs(found.value[place]))
    off = found.estimate(place)
    ends = words.interval(off.low, off.high, sign=True) or "too few games"
    size = f"{words.number(off.value, sign=True)} {goal.unit}".strip()
    return f"{level_words(outcome, found, place)} is off by {size} ({ends})"


def _seats_section(outcome: SearchOutcome) -> Iterator[Section]:
    """Yield how fair the seats are as the scenario is and with the answer, if no goal is about them."""
    if any(goal.factor == "seat" for goal in outcome.request.goals):
        return
    judged = judge(outcome.seats, outcome.request.experiment.scenario.margin)
    counts = len(outcome.request.players)
    runs = [AS_IT_IS, *(["with the answer"] if len(judged) > counts else [])]
    findings = [
        finding_of(judgement, f"{capital(run)}, {words.players(judgement.effects.players)}", on_top=False)
        for run, part in zip(runs, (judged[:counts], judged[counts:]), strict=False)
        for judgement in part
    ]
    yield Section(
        "seats",
        "Seats",
        "Are the seats still fair?",
        answer_words(judged[-counts:]),
        f"{words.count(outcome.chosen.found.games)} games with each player count, new deals, seed {outcome.seed}",
        tuple(findings),
        method="Judged together (Holm's method), apart from the goal.",
        anchor="tests-claims-and-screens",
        verdict=findings[-1].verdict,
    )


def _listed_frame(outcome: SearchOutcome) -> pl.DataFrame:
    """Return one row for each confirmed candidate; with a single goal the deviation is in its unit."""
    rows, (scale, _) = [], goal_scale(outcome)
    for confirmed in outcome.listed:
        low, high = confirmed.found.distance_interval()
        chosen = confirmed is outcome.chosen
        rows.append(
            {
                "setting": f"{changed_words(outcome, confirmed)}{' (the answer)' * chosen}",
                "change": confirmed.change,
                "n": confirmed.found.games,
                "distance": confirmed.found.distance * scale,
                "distance_low": low * scale,
                "distance_high": high * scale,
                "farthest": direction_words(outcome, confirmed.found),
                "goal": GOAL_WORDS[confirmed.found.kind],
                "chosen": chosen,
            }
        )
    return table(rows)


def _name(outcome: SearchOutcome, confirmed: Candidate) -> str:
    return changed_words(outcome, confirmed).replace(AS_IT_IS, capital(AS_IT_IS))


def _data(confirmed: Candidate) -> dict[str, object]:
    low, high = confirmed.found.distance_interval()
    place = confirmed.found.farthest
    return {
        "setting": dict(confirmed.design_point.setting),
        "change": confirmed.change,
        "games": confirmed.found.games,
        "farthest": confirmed.found.levels[place],
        "deviation": estimate_data(confirmed.found.estimate(place)),
        "unit": confirmed.found.goals[place].unit,
        "distance": {"value": confirmed.found.distance, "low": low, "high": high},
        "goal": GOAL_WORDS[confirmed.found.kind],
        **prospect_data(confirmed.found.prospect),
    }


def _manifest(outcome: SearchOutcome) -> dict[str, object]:
    """Return the manifest of the scenario as it is: what was played, and with which versions."""
    experiment = outcome.request.experiment
    games = dict.fromkeys(outcome.request.players, outcome.games)
    return describe(experiment, identity_of(experiment), "complete", games, [], []).model_dump(mode="json")


def _played_grid(outcome: SearchOutcome, manifest: dict[str, object]) -> Grid:
    scenario, identity = outcome.request.experiment.scenario, manifest["identity"]
    assert isinstance(identity, dict)
    confirmed = words.count(outcome.chosen.found.games)
    refused = f" ({outcome.refused} more were refused by the game)" if outcome.refused else ""
    tried = f"{len(outcome.played)} of {outcome.request.space.size:,} candidates{refused}"
    facts = {
        "scenario": outcome.request.experiment.name,
        "bots": ", ".join(scenario.bots),
        "search": f"{tried}, {words.count(outcome.games)} games with each player count, seed {scenario.seed}",
        "check": f"{confirmed} for each of {len(outcome.listed)}, seed {outcome.seed}",
        **({"curve": f"{confirmed} for each number, seed {outcome.seed}"} if outcome.curves else {}),
        "rules": f"{manifest['title']}, version {identity['rules']}",
        "engine": identity["engine"],
        "version": f"rogsim {__version__}",
    }
    return facts_grid("played", facts)


def _command(outcome: SearchOutcome, out: str) -> str:
    request = outcome.request
    parts = ["rogsim", "optimize", f"{request.experiment.name}.toml"]
    parts += [word for goal in request.goals for word in ("--goal", goal.text)]
    parts += [word for axis in request.space.axes for word in ("--over", typed(axis))]
    given = {"--games": request.games, "--confirm": request.confirm}
    parts += [word for name, value in given.items() if value for word in (name, str(value))]
    return f"# with rogsim {__version__}, and the scenario below\n{shlex.join([*parts, '--out', out])}"
