"""The page of `rogsim settle`: which effects stay where they are as the bots get stronger? Also reads its verdicts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter
from pydantic import ValidationError

from rogsim.base import __version__
from rogsim.base.errors import ResultsError, RogsimError
from rogsim.base.files import parse_json, read_bytes
from rogsim.base.text import listing
from rogsim.base.validation import explain, format_fault
from rogsim.bots.names import read_bot_name
from rogsim.experiments.ladder import (
    FORMAT,
    KEY,
    SEATS,
    ClaimFamily,
    LadderVerdicts,
    RungStep,
    SettledClaim,
    SettleRecord,
    record_of,
    verdicts_of,
)
from rogsim.game.registry import get_game
from rogsim.report import words
from rogsim.report.document import Badge, Grid, Picture, Report, Section, Step, TableColumn
from rogsim.report.figures.style import (
    INK,
    axis_labels,
    colour,
    legend_of,
    new_figure,
    panels_of,
    rows_of,
    signed,
    styled,
)
from rogsim.report.provenance import scenario_text
from rogsim.report.render.data_files import DATA, MOST_BYTES
from rogsim.results.store import describe
from rogsim.scenario.fingerprint import identity_of
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.stats.contrasts import columns, table
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.settling import LOOKS, RUNGS, Settling, Word

if TYPE_CHECKING:  # `rogsim run` prints no such page, and need not load what plays a ladder
    from rogsim.experiments.settle import LadderOutcome


def read_settled(path: Path) -> LadderVerdicts:
    """Read the verdicts of `rogsim settle`.

    Parameters
    ----------
    path
        The folder that it wrote, or a file with what its `--json` printed.

    Raises
    ------
    ResultsError
        If there are no such verdicts, or if they are broken.
    """
    file = path / DATA if path.is_dir() else path
    data = _read(path, file)
    record = data.get(KEY) if isinstance(data, dict) else None
    if not isinstance(record, dict):
        raise ResultsError(f"{path}: holds no verdicts of rogsim settle")
    if why := format_fault(record, FORMAT, "call rogsim settle again"):
        raise ResultsError(f"{path}: {why}")
    try:
        checked = SettleRecord.model_validate(record)
        found = verdicts_of(checked, get_game(checked.played.game))
    except ValidationError as fault:
        problem = explain(fault, record, SettleRecord)[0]
        raise ResultsError(f"{file}: is broken: {_in_a_line(_where(problem.key) + problem.text)}") from fault
    except (RogsimError, ValueError) as fault:
        raise ResultsError(f"{file}: cannot be used: {_in_a_line(fault)}") from fault
    return replace(found, place=str(path))


def _read(path: Path, file: Path) -> Any:
    try:
        return parse_json(read_bytes(file, MOST_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        missing = f"has no {DATA}; name a folder that rogsim settle wrote" if path.is_dir() else "does not exist"
        raise ResultsError(f"{path}: {missing}") from None
    except OSError as fault:
        raise ResultsError(f"{file}: cannot be read: {fault.strerror}") from fault
    except ValueError as fault:
        raise ResultsError(f"{file}: cannot be read: {_in_a_line(fault)}") from fault


def _where(key: tuple[str, ...]) -> str:
    return f'key "{".".join((KEY, *key))}": '


def _in_a_line(text: object) -> str:
    return " ".join(str(text).split())[:200]


BADGES: Mapping[Word, Badge] = {"settled": "settled", "still moving": "moving", "not known yet": "open"}
VERBS: Mapping[Word, tuple[str, str]] = {
    "settled": ("stays", "stay"),
    "still moving": ("still moves", "still move"),
    "not known yet": ("is not known yet", "are not known yet"),
}
COLOURS: Mapping[Word, int] = {"settled": 2, "still moving": 1, "not known yet": 0}
LEAST_GAP = 0.07  # between the names of two lines, as part of the axis
REASONS = {
    "decided": "More games are not expected to change any verdict.",
    "games": "No further look is planned at this number of games.",
    "time": "The time was used up; the same command continues.",
}
FAMILY = (
    "With each number of players, the effects of a section share an error rate of 5% for each kind of verdict (Holm's "
    f"method), which is divided equally among {LOOKS} planned looks."
)
SETTLED = (
    f"Settled: over the last step and over the last {RUNGS - 1}, the effect changes by less than the margin and the "
    "bots get stronger."
)
MIRRORED = "With 2 players, seat 2 has the same effect with the opposite sign."


def settle_report(outcome: LadderOutcome, command: Sequence[str]) -> Report:
    """Return the page.

    Parameters
    ----------
    outcome
        The verdicts.
    command
        The words of the command that reproduces the page.
    """
    request, experiment = outcome.request, outcome.request.experiment
    first, *rest = (_section(outcome, family) for family in request.families if outcome.of(family.name))
    games = {players: counts[-1] for players, counts in outcome.games.items()}
    last = request.rungs[-1].experiment
    manifest = describe(last, identity_of(last), "complete", games, [], []).model_dump(mode="json")
    return Report(
        title=f"{experiment.spec.title}: does it hold with stronger bots?",
        question=f"Does it hold as the bots get stronger? {experiment.question}".rstrip(),
        answer=answer(outcome, outcome.claims),
        context=f"{_played(outcome)} {rising_words(outcome, brief=True)} {REASONS[outcome.stopped_by]}",
        sections=(replace(first, pictures=()), *rest),
        picture=first.pictures[0],
        family=FAMILY,
        provenance=(steps_grid(outcome), _rungs_grid(outcome)),
        scenarios=((experiment.name, scenario_text(manifest)),),
        command=f"# with rogsim {__version__}\n{shlex.join(command)}",
        verdict=_verdict(outcome.claims),
        steps=tuple(steps(outcome, shlex.join(command))),
        reconstructed=reconstructed_of(experiment).data(experiment.spec.topics),
        more={KEY: record_of(outcome)},
    )


def answer(ladder: LadderVerdicts, claims: Sequence[SettledClaim]) -> str:
    """Return how many effects stay as the bots get stronger, and the largest with the last bot, in one sentence."""
    found = [claim.found.verdict for claim in claims]
    said: list[str] = []
    for word, (one, several) in VERBS.items():
        if count := found.count(word):
            who = f"{count} of {len(found)} effects " if not said and len(found) > 1 else f"{count} "
            said.append(f"the effect {one}" if len(found) == 1 else f"{who}{one if count == 1 else several}")
    of = f"As the bots get stronger, {listing(said)}"
    most = max(claims, key=lambda claim: by_size(claim.found.series.estimate(-1).value))
    effect = _with_reach(most.found.series.estimate(-1))
    return f"{of}; the largest with {ladder.bots[-1]}: {_name(most)}, {effect}, {most.found.verdict}."


def steps(ladder: LadderVerdicts, command: str) -> Iterator[Step]:
    """Yield what to do next.

    Parameters
    ----------
    command
        The command that plays on.
    """
    undecided = [claim for claim in ladder.claims if _may_change(claim, ladder)]
    if undecided:
        count = len(ladder.claims)
        what = f"{len(undecided)} of {count} verdict{'s' * (count > 1)} may change with more games"
        if max(claim.found.look for claim in undecided) < LOOKS:
            yield Step(f"{what}: play on.", command)
        else:
            yield Step(f"{what}, but all {LOOKS} planned looks are used up: start with a larger first look.")
    if any(claim.found.verdict == "still moving" for claim in ladder.claims):
        yield Step("Some effects are still moving: add stronger bots at the end of the ladder.")
    if any(map(ladder.falls, ladder.games)):
        yield Step("One of the last bots is weaker than the one before: name the bots by rising strength.")
    for bots in ladder.sharing():
        yield Step(f"{listing(list(map(short_name, bots)))} share one evaluation, so they may share its errors.")
    if ladder.step != "doubling":
        yield Step("The last steps do not double one setting of a bot: settled means that these bots agree, no more.")


def rising_words(ladder: LadderVerdicts, brief: bool = False) -> str:
    """Say whether each bot is stronger than the one before it; brief: not by how much."""
    doubtful = [step for step in ladder.steps if not step.is_stronger]
    if not doubtful:
        return "Each bot is shown to be stronger than the one before."
    if brief:
        count = f"{len(doubtful)} of {len(ladder.steps)}"
        return f"Not every bot is shown to be stronger than the one before: {count} steps are not."
    listed = "; ".join(f"with {words.players(step.players)} {_step_words(step)}" for step in doubtful)
    return f"Not every bot is shown to be stronger than the one before: {listed}."


def short_name(bot: str) -> str:
    """Return a bot's name without the names of its settings, for the axis of a figure."""
    name = read_bot_name(bot)
    values = [part.partition("=")[2] for part in name.changes.split("+") if part]
    return " ".join([name.base, *values])


def picture_of(ladder: LadderVerdicts, family: ClaimFamily) -> Picture:
    """Return the figure of a family: its effects against strength, a panel for each number of players."""
    panels = [
        (words.players(players), [(family.label(claim.found.series.name), claim.found) for claim in claims])
        for players in ladder.games
        if (claims := ladder.of(family.name, players))
    ]
    last = "; ".join(f"{panel}: {', '.join(f'{name} {one.verdict}' for name, one in found)}" for panel, found in panels)
    return Picture(
        family.name,
        f"{family.title}: win share minus fair with each bot, the strongest on the right, 95% intervals.",
        f"Line chart of effects against strength. {last}.",
        partial(against_strength, panels, list(map(short_name, ladder.bots))),
    )


def against_strength(panels: Sequence[tuple[str, Sequence[tuple[str, Settling]]]], bots: Sequence[str]) -> Figure:
    """Draw effects against strength with 95% intervals: a line for each level, in the colour of its verdict.

    Parameters
    ----------
    panels
        Title of each panel, and the names and verdicts of its levels.
    bots
        The bots, the weakest first.
    """
    titles = [title for title, _ in panels]
    with styled():
        figure = new_figure(1.2 + 2.6 * rows_of(titles))
        axes = panels_of(figure, titles, sharex=True, sharey=True)
        for ax, (title, found) in zip(axes, panels, strict=True):
            ax.axhline(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
            for _, one in found:
                _line(ax, one)
            ax.set_title(title)
            ax.set_xticks(range(len(bots)), bots, rotation=45, ha="right", rotation_mode="anchor")
            ax.yaxis.set_major_formatter(FuncFormatter(signed))
            ax.grid(axis="y")
        for ax, (_, found) in zip(axes, panels, strict=True):  # once all lines are drawn, the axes are known
            _names(ax, found, len(bots))
        axis_labels(figure, "bots, by strength", "win share minus fair, pp (95%)")
        verdicts = dict.fromkeys(one.verdict for _, found in panels for _, one in found)
        look = {"marker": "o", "markersize": 5, "linewidth": 1.3}
        lines = [Line2D([], [], color=colour(COLOURS[word]), label=word, **look) for word in verdicts]  # type: ignore[arg-type]
        fair = Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label="fair")
        legend_of(figure, [*lines, fair])
    return figure


def _line(ax: Any, found: Settling) -> None:
    estimates = [found.series.estimate(rung) for rung in range(len(found.series.values))]
    low, high = (np.array([getattr(estimate, end) for estimate in estimates]) for end in ("low", "high"))
    values = np.where(np.isnan(low), np.nan, found.series.values)  # from too few games for an interval
    ends = np.nan_to_num(np.abs(np.stack([values - low, high - values])))
    look = {"markersize": 4, "capsize": 2.5, "linewidth": 1.3, "elinewidth": 0.8}
    ax.errorbar(np.arange(len(values)), values, ends, fmt="-o", color=colour(COLOURS[found.verdict]), **look)


def _names(ax: Any, found: Sequence[tuple[str, Settling]], rungs: int) -> None:
    """Write the names of the lines to the right of their ends, and not over each other."""
    bottom, top = ax.get_ylim()
    lowest = -np.inf
    ends = sorted((float(one.series.values[-1]), name) for name, one in found)
    for value, name in ends:
        if np.isfinite(value):
            lowest = max(value, lowest + LEAST_GAP * (top - bottom))
            ax.annotate(name, (rungs - 0.9, lowest), va="center", fontsize=8, annotation_clip=False)


def grid_of(ladder: LadderVerdicts, family: ClaimFamily) -> Grid:
    """Return the table of a family: the effect with each bot, the change, and the verdict."""
    mirrored = family.name == SEATS and any(claim.players == 2 for claim in ladder.of(family.name))
    heads = (
        TableColumn("label", family.noun),
        TableColumn("players", "players", "count"),
        TableColumn("verdict", "verdict"),
        TableColumn("last_two_steps", "change over the last two steps (95%)", "gain", interval=True),
        *(
            TableColumn(f"rung_{place}", short_name(bot), "gain", interval=True)
            for place, bot in reversed(list(enumerate(ladder.bots, 1)))
        ),
        TableColumn("more_games", "more games", "count"),
    )
    caption = f"{family.title}: win share minus fair with each bot, pp"
    notes = (MIRRORED,) if mirrored else ()
    claims = ladder.of(family.name)
    if family.name != SEATS:  # the strongest first
        claims = tuple(sorted(claims, key=lambda claim: (claim.players, -claim.found.series.values[-1])))
    return Grid(family.name, caption, heads, table(_row(ladder, claim) for claim in claims), notes)


def steps_grid(ladder: LadderVerdicts) -> Grid:
    """Return the table of how far each bot leads the one before, with each player count."""
    found = {(step.players, step.bot): step for step in ladder.steps}
    ends = ("lead", "low", "high", "p_stronger", "p_weaker", "games")
    rows = [
        {"bot": bot}
        | {
            f"lead_{players}{'' if end == 'lead' else f'_{end}'}": getattr(found.get((players, bot)), end, None)
            for players in ladder.games
            for end in ends
        }
        for bot in ladder.bots[1:]
    ]
    shown = [
        TableColumn(f"lead_{players}", words.players(players), "gain", interval=True, digits=0)
        for players in ladder.games
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    heads = (TableColumn("bot", "bot"), *shown)
    return Grid("steps", "Lead over the bot before, in Elo points (95%)", heads, frame, (rising_words(ladder),))


def _section(ladder: LadderVerdicts, family: ClaimFamily) -> Section:
    claims = ladder.of(family.name)
    return Section(
        family.name,
        family.title,
        f"Does the effect of each {family.noun} hold as the bots get stronger?",
        answer(ladder, claims),
        games_words(ladder),
        pictures=(picture_of(ladder, family),),
        grids=(grid_of(ladder, family),),
        method=SETTLED,
        anchor="settling",
        verdict=_verdict(claims),
    )


def games_words(ladder: LadderVerdicts) -> str:
    """Say how many games were played with each number of players."""
    return "; ".join(f"{words.games(sum(games))} with {words.players(count)}" for count, games in ladder.games.items())


def _verdict(claims: Sequence[SettledClaim]) -> Badge:
    found = {claim.found.verdict for claim in claims}
    worst: Sequence[Word] = ("still moving", "not known yet", "settled")
    return BADGES[next(word for word in worst if word in found)]


def _played(ladder: LadderVerdicts) -> str:
    """Say who played how many games."""
    parts = []
    for players, games in ladder.games.items():
        fewest, most = min(games), max(games)
        span = words.games(most) if fewest == most else f"{words.count(fewest)} to {words.games(most)}"
        parts.append(f"{span} with {words.players(players)}")
    return (
        f"{listing(list(ladder.bots))} played {listing(parts)} each, the same deals; a change of less than "
        f"{ladder.margin:g} pp does not matter."
    )


def _rungs_grid(ladder: LadderVerdicts) -> Grid:
    """Return the table of the bots of a ladder with their games and hashes."""
    rows = [
        {
            "bot": rung.bot,
            **{f"{players} players": games[place] for players, games in ladder.games.items()},
            "seed": ladder.played.seed,
            "source": rung.source_hash,
            "weights": rung.weights_hash,
        }
        for place, rung in enumerate(ladder.rungs)
    ]
    frame = pl.DataFrame(rows)
    kinds: dict[str, Any] = {f"{players} players": "count" for players in ladder.games}
    heads = {"source": "hash of its source", "weights": "hash of its weights"}
    shown = tuple(TableColumn(key, heads.get(key, key), kinds.get(key, "text")) for key in frame.columns)
    return Grid("played", "What was played", shown, frame)


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


def _may_change(claim: SettledClaim, ladder: LadderVerdicts) -> bool:
    """Return whether more games may change a verdict."""
    if ladder.falls(claim.players):
        return False
    return bool(ladder.doubtful(claim.players)) if claim.found.within else not claim.found.is_decided


def _name(claim: SettledClaim) -> str:
    return f"{claim.family.label(claim.found.series.name)} with {words.players(claim.players)}"


def _step_words(step: RungStep) -> str:
    bot, below = short_name(step.bot), short_name(step.below)
    reach = words.interval(step.low, step.high, digits=0, sign=True)
    lead = f"{words.number(step.lead, 0, sign=True)}{f', {reach}' if reach else ''} Elo"
    return f"{bot} is {'weaker' if step.is_weaker else 'not shown to be stronger'} than {below} ({lead})"


def _with_reach(estimate: Estimate) -> str:
    reach = words.interval(estimate.low, estimate.high, sign=True)
    return words.pp(estimate.value) + (f" ({reach})" if reach else "")
