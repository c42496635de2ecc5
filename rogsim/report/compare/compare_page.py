"""The page that compares a base with its variants: sections, the findings at the top, and the provenance."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
from threadpoolctl import threadpool_limits

from rogsim.base.progress import Notify
from rogsim.base.version import __version__
from rogsim.experiments.comparison import Comparison, play
from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.experiments.retraining.retrained_players import RetrainedPoint
from rogsim.game.kit.text_layout import capital
from rogsim.report import words
from rogsim.report.balance.build import scenario_text
from rogsim.report.balance.pieces import known
from rogsim.report.compare.compare_retraining import FAMILY_OF_THREE, with_retraining
from rogsim.report.compare.compare_sections import all_sections
from rogsim.report.compare.compare_words import WITHIN
from rogsim.report.document import Finding, Grid, Report, Section, TableColumn
from rogsim.report.render.write import write_report
from rogsim.report.retraining.training_parts import longer_training
from rogsim.results.results import Results
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.scenario.setting_labels import changed_label
from rogsim.stats.paired.compared import FAIRNESS, POINTS_MARGIN, TURNS_MARGIN, Compared, MeasuredRun, compared
from rogsim.stats.paired.difference_verdicts import FAMILY
from rogsim.stats.paired.moved import Moved, compared_twice
from rogsim.stats.prospects import percent

UNITS = (
    "Differences are variant minus base, with 95% intervals in brackets. Differences in win share are in percentage "
    "points (pp). In findings, the intervals hold for all levels of a question together. " + WITHIN
)
RETRAINED_TOO = (
    "Each scenario was played with stale players, who have the weights given, and again with retrained players, who "
    "were trained from these weights for its rules."
)
SEVERAL = (
    "Before you trust a difference, repeat the comparison with other bots, and on other deals with another `--seed`."
)


def make_comparison(
    comparison: Comparison,
    resources: Resources,
    out: Path,
    command: Sequence[str],
    notify: Notify = lambda _: None,
    players: Sequence[RetrainedPoint] = (),
) -> Report:
    """Play the missing games, compare them, and write the page into `out`.

    Parameters
    ----------
    comparison
        The base and its variants, from `arrange`.
    resources
        The folder in which the games are stored, and the number of workers.
    out
        The folder of the page.
    command
        The words of the command that reproduces the page.
    notify
        Receives lines on progress.
    players
        The base and its variants with players trained for their rules, from `retrain`; empty to play only as the
        scenarios say.
    """
    stale = play(comparison, resources)
    trained = play_design_points([point.retrained for point in players], resources) if players else []
    spec, margin = comparison.base.experiment.spec, comparison.margin
    with threadpool_limits(limits=1, user_api="blas"):  # for many small matrices threads cost more than they gain
        runs = list(_runs(comparison.design_points, stale))
        moved: tuple[Moved, ...] = ()
        if players:
            retrained = [
                replace(run, bot_names=point.names)
                for run, point in zip(_runs([point.retrained for point in players], trained), players, strict=True)
            ]
            found, moved = compared_twice(runs, retrained, spec, margin, notify)
        else:
            found = compared(runs[0], runs[1:], spec, margin, notify)
        report = compare_report(comparison, stale, found, command, players, trained, moved)
    write_report(report, out, notify)
    return report


def _runs(design_points: Sequence[DesignPoint], results: Sequence[Results]) -> Iterator[MeasuredRun]:
    for point, result in zip(design_points, results, strict=True):
        yield MeasuredRun(point.label, result, point.experiment.scenario.bots)


def compare_report(
    comparison: Comparison,
    results: Sequence[Results],
    found: Compared,
    command: Sequence[str],
    players: Sequence[RetrainedPoint] = (),
    trained: Sequence[Results] = (),
    moved: Sequence[Moved] = (),
) -> Report:
    """Return the page.

    Parameters
    ----------
    results
        Those of the base first.
    found
        The differences and verdicts; with retrained players if there are any.
    command
        The words of the command that reproduces the page.
    players, trained
        The base and its variants with retrained players, and their results.
    moved
        How far retraining moved the differences.
    """
    manifests = [result.manifest for result in results]
    sections = _with_same(comparison, all_sections(found))
    return Report(
        title=f"{found.spec.title}: comparison",
        lead=_lead(comparison, found, players),
        units=UNITS,
        next_steps=(*_next_steps(found), *longer_training(players)),
        sections=with_retraining(sections, found, moved, players) if players else sections,
        family=FAMILY + (FAMILY_OF_THREE if players else ""),
        provenance=tuple(_provenance(comparison, manifests, players, [result.manifest for result in trained])),
        scenarios=tuple(
            (label, scenario_text(manifest)) for label, manifest in zip(_names(comparison), manifests, strict=True)
        ),
        command=f"# with rogsim {__version__}\n{shlex.join(command)}",
        reconstructed=reconstructed_of(*(point.experiment for point in comparison.design_points)).data(
            found.spec.topics
        ),
    )


def command_of(
    base: Path, variants: Sequence[Path], asked: Sequence[str], comparison: Comparison, out: Path
) -> list[str]:
    """Return the words of the command that reproduces the page; of absolute paths only the last part.

    Parameters
    ----------
    asked
        The other options that were given.
    out
        The folder of the page.
    """
    scenario = comparison.base.experiment.scenario
    files = [words.portable_path(path) for path in (base, *variants)]
    numbers = ["--games", str(scenario.games), "--seed", str(scenario.seed)]
    return ["rogsim", "compare", *files, *asked, *numbers, "--out", words.portable_path(out)]


def _names(comparison: Comparison) -> list[str]:
    return [design_point.label for design_point in comparison.design_points]


def _lead(comparison: Comparison, found: Compared, players: Sequence[RetrainedPoint]) -> str:
    scenario = comparison.base.experiment.scenario
    variants = list(found.variants)
    against = f"{words.listed(variants)} against {found.base}"
    names = against if variants else f"{found.base} alone, because no variant changes anything"
    counts = words.listed([str(players) for players in found.games])
    games = sorted(set(found.games.values()))
    asked = [
        design_point.experiment.question
        for design_point in comparison.design_points[1:]
        if design_point.experiment.question.endswith("?")
    ]
    questions = [question for question in dict.fromkeys(asked) if question != comparison.base.experiment.question]
    return (
        f"{names}: {words.games(games[0])} each with {counts} players, all on the same deals "
        f"(seed {scenario.seed}), played by {words.listed(_bots(comparison))}. Win shares within ±{found.margin:g} "
        f"percentage points, points within ±{POINTS_MARGIN:g} and lengths within ±{TURNS_MARGIN:g} turn count as no "
        "change."
        + (f" {RETRAINED_TOO}" if players else "")
        + (f" Question: {' '.join(questions)}" if questions else "")
    )


def _bots(comparison: Comparison) -> list[str]:
    return list(
        dict.fromkeys(bot for design_point in comparison.design_points for bot in design_point.experiment.scenario.bots)
    )


def _with_same(comparison: Comparison, sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Add findings on the variants that change nothing, before the others."""
    texts = [f"{label} changes nothing: its games are those of {comparison.base.label}." for label in comparison.same]
    same = tuple(Finding("fact", text, {"same": True}, short=text) for text in texts)
    return tuple(
        Section(**{**vars(section), "findings": (*same, *section.findings)}) if section.name == FAIRNESS else section
        for section in sections
    )


def _next_steps(found: Compared) -> Iterator[str]:
    more = [
        (verdict.answer.games + verdict.prospect.games, verdict.prospect)
        for verdict in found.verdicts
        if verdict.prospect
    ]
    if more:
        rounded = words.about(max(games for games, _ in more)).replace(",", "")
        each = "decides it" if len(more) == 1 else "decides each of them by itself"
        yield (
            f"{capital(words.undecided(len(more), len(found.verdicts)))}. The same command with `--games {rounded}` "
            f"plays only the missing games, and {each} with a chance of at least "
            f"{percent(min(prospect.chance for _, prospect in more))}. The page then accounts for a second look at "
            "these runs."
        )
    if any(known(change.effect.low) for verdict in found.verdicts for change in verdict.answer.changes):
        yield SEVERAL


def _provenance(
    comparison: Comparison,
    manifests: Sequence[Mapping[str, Any]],
    players: Sequence[RetrainedPoint],
    trained: Sequence[Mapping[str, Any]],
) -> Iterator[Grid]:
    played = [
        (design_point.label, design_point, manifest)
        for design_point, manifest in zip(comparison.design_points, manifests, strict=True)
    ]
    played += [
        (f"{point.stale.label}, retrained", point.retrained, manifest)
        for point, manifest in zip(players, trained, strict=True)
    ]
    rows = [
        {"scenario": label, **_row(design_point, comparison.base, manifest)} for label, design_point, manifest in played
    ]
    heads = {"differs": "what differs from the base"}
    columns = tuple(
        TableColumn(name, heads.get(name, name), "long" if name in ("differs", "versions") else "text")
        for name in rows[0]
    )
    yield Grid("played", "What was compared", columns, pl.DataFrame(rows), comparison.notes)
    bots = [
        {
            "bot": bot["name"],
            "scenario": label,
            "source": bot["source_hash"],
            "weights": bot["weights_hash"],
        }
        for label, _, manifest in played
        for bot in manifest["bots"]
    ]
    hashes = {"source": "hash of its source", "weights": "hash of its weights"}
    frame = pl.DataFrame(bots, infer_schema_length=None)
    yield Grid(
        "bots-used", "Who played", tuple(TableColumn(name, hashes.get(name, name)) for name in frame.columns), frame
    )


def _row(design_point: DesignPoint, base: DesignPoint, manifest: Mapping[str, Any]) -> dict[str, str]:
    identity, sessions = manifest["identity"], manifest["sessions"]
    versions = dict.fromkeys(f"rogsim {session['rogsim']}, Python {session['python']}" for session in sessions)
    libraries = dict.fromkeys(
        f"{name} {version}" for session in sessions for name, version in session["libraries"].items()
    )
    return {
        "differs": changed_label(base.experiment, design_point.experiment)
        if design_point is not base
        else words.NOTHING,
        "games": "; ".join(f"{int(games):,} with {players} players" for players, games in manifest["games"].items()),
        "seed": str(identity["seed"]),
        "kept as": design_point.key,
        "rules": f"{manifest['title']}, version {identity['rules']}",
        "engine": identity["engine"],
        "versions": ", ".join([*versions, *libraries]),
    }
