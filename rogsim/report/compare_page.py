"""The page that compares a base with its variants on the same deals."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from rogsim.base import __version__
from rogsim.base.progress import Notify
from rogsim.base.text import listing
from rogsim.experiments.comparison import Comparison, play
from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.experiments.retraining import RetrainedPoint
from rogsim.report import words
from rogsim.report.compare_sections import FAMILY, all_sections, answer, picture_of, saving_sentence, sheet
from rogsim.report.document import Report, Step
from rogsim.report.provenance import provenance, scenario_text
from rogsim.report.retrained import longer_training, retraining_section
from rogsim.report.sentences import decides_words
from rogsim.results.results import Results
from rogsim.scenario.changes import changed_label
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.stats.paired.compared import RETRAINED, Compared, MeasuredRun, compared


def make_comparison(
    comparison: Comparison,
    resources: Resources,
    command: Sequence[str],
    notify: Notify = lambda _: None,
    players: Sequence[RetrainedPoint] = (),
) -> Report:
    """Play the missing games, compare them, and return the page.

    Parameters
    ----------
    comparison
        The base and its variants, from `arrange`.
    resources
        The folder in which the games are stored, and the number of workers.
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
    with threadpool_limits(limits=1, user_api="blas"):  # for many small matrices threads cost more than they gain
        runs = _runs(comparison.design_points, stale)
        again = [
            replace(run, bot_names=point.names)
            for run, point in zip(_runs([point.retrained for point in players], trained), players, strict=True)
        ]
        spec = comparison.base.experiment.spec
        found = compared(runs[0], runs[1:], spec, comparison.margin, notify, again)
        return compare_report(comparison, stale, found, command, players, trained)


def _runs(design_points: Sequence[DesignPoint], results: Sequence[Results]) -> list[MeasuredRun]:
    return [
        MeasuredRun(point.label, result, point.experiment.scenario.bots)
        for point, result in zip(design_points, results, strict=True)
    ]


def compare_report(
    comparison: Comparison,
    results: Sequence[Results],
    found: Compared,
    command: Sequence[str],
    players: Sequence[RetrainedPoint] = (),
    trained: Sequence[Results] = (),
) -> Report:
    """Return the page.

    Parameters
    ----------
    results
        Those of the base first.
    found
        The differences.
    command
        The words of the command that reproduces the page.
    players, trained
        The base and its variants with retrained players, and their results.
    """
    points = comparison.design_points
    said, verdict = answer(found)
    sections = all_sections(found) if found.judged else ()
    return Report(
        title=f"{found.spec.title}: comparison",
        question=_question(comparison),
        answer=said,
        context=_context(comparison, found),
        sections=(*sections, *([retraining_section(found, players)] if found.is_retrained else [])),
        family=FAMILY,
        provenance=tuple(provenance(list(_played(comparison, results, players, trained)), comparison.notes)),
        scenarios=tuple(
            (point.label, scenario_text(result.manifest)) for point, result in zip(points, results, strict=True)
        ),
        command=f"# with rogsim {__version__}\n{shlex.join(command)}",
        verdict=verdict,
        picture=picture_of(found, found.about),
        steps=(*_steps(found, command), *(Step(text) for text in longer_training(players))),
        sheet=sheet(found) if found.judged else None,
        reconstructed=reconstructed_of(*(point.experiment for point in points)).data(found.spec.topics),
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


def _question(comparison: Comparison) -> str:
    """Return the questions of the variants; without one of their own, what they change."""
    asked = dict.fromkeys(point.experiment.question for point in comparison.variants)
    own = [text for text in asked if text.endswith("?") and text != comparison.base.experiment.question]
    labels = [point.label for point in comparison.variants] or list(comparison.same)
    return " ".join(own) or f"What {'does' if len(labels) == 1 else 'do'} {listing(labels)} change?"


def _context(comparison: Comparison, found: Compared) -> str:
    """Return who played how many games, on which deals, and which variants change nothing."""
    scenario = comparison.base.experiment.scenario
    bots = dict.fromkeys(bot for point in comparison.design_points for bot in point.experiment.scenario.bots)
    counts = listing([str(players) for players in found.games])
    games = words.games(next(iter(found.games.values())))
    text = (
        f"{games} each of {listing([found.base, *(point.label for point in comparison.variants)])} with {counts} "
        f"players by {listing(list(bots))}, on the same deals (seed {scenario.seed})."
    )
    same = "".join(f" {label} changes nothing: its games are those of {found.base}." for label in comparison.same)
    return f"{text}{same}{saving_sentence(found)}"


def _steps(found: Compared, command: Sequence[str]) -> Iterator[Step]:
    words_of = list(command)
    more = [judgement for judgement in found.judged if judgement.prospect]
    prospects = [judgement.prospect for judgement in more if judgement.prospect]
    if prospects:
        games = max(each.effects.games + (each.prospect.games if each.prospect else 0) for each in more)
        rounded = words.about(games).replace(",", "")
        each = decides_words([prospect.chance for prospect in prospects])
        yield Step(
            f"{len(more)} of {len(found.judged)} differences are not known yet. Playing the missing games {each}.",
            shlex.join(_with_option(words_of, "--games", rounded)),
        )
    if any(not judgement.effects.untouched for judgement in found.judged):
        seed = int(words_of[words_of.index("--seed") + 1]) + 1 if "--seed" in words_of else 1
        yield Step("See whether it holds on other deals.", shlex.join(_with_option(words_of, "--seed", str(seed))))


def _with_option(command: Sequence[str], name: str, value: str) -> list[str]:
    kept = list(command)
    if name in kept:
        kept[kept.index(name) + 1] = value
        return kept
    return [*kept, name, value]


def _played(
    comparison: Comparison,
    results: Sequence[Results],
    players: Sequence[RetrainedPoint],
    trained: Sequence[Results],
) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    base = comparison.base
    labelled = [(point.label, point) for point in comparison.design_points]
    labelled += [(f"{point.stale.label}{RETRAINED}", point.retrained) for point in players]
    for (label, point), result in zip(labelled, (*results, *trained), strict=True):
        differs = words.NOTHING if point is base else changed_label(base.experiment, point.experiment)
        yield {"scenario": label, "differs": differs, "kept as": point.key}, dict(result.manifest)
