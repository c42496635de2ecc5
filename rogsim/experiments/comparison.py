"""Comparisons: reads a base and its variants, and plays them on the same deals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.experiments.design_points import DesignPoint, Resources, play_design_points
from rogsim.results.results import Results
from rogsim.scenario.arguments import ArgumentError
from rogsim.scenario.axes import setting_words
from rogsim.scenario.changes import change_notes, changed_parts
from rogsim.scenario.model import AnyScenario, Experiment, ScenarioError, load
from rogsim.scenario.scenario_files import file_of


@dataclass(frozen=True)
class Comparison:
    """A base and its variants, ready to be played.

    Attributes
    ----------
    base, variants
        The runs that are compared.
    same
        Labels of variants that change nothing, so that their games are the same as the base's.
    notes
        What the user should know, one line each.
    """

    base: DesignPoint
    variants: tuple[DesignPoint, ...]
    same: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def design_points(self) -> tuple[DesignPoint, ...]:
        """Return all design points, the base first."""
        return (self.base, *self.variants)

    @property
    def margin(self) -> float:
        """Return the base's margin, in percentage points of win share."""
        return self.base.experiment.scenario.margin


def arrange(
    base: AnyScenario,
    variants: Sequence[AnyScenario],
    change: Mapping[str, Any],
    games: int | None = None,
    seed: int | None = None,
    replaced: Mapping[str, Any] | None = None,
) -> Comparison:
    """Read and check a base and its variants.

    All runs use the games, the seed and the margin of the base, and the player counts that they have in common.

    Parameters
    ----------
    base, variants
        Scenarios of the same game.
    change
        Parameters by name that make one more variant of the base; empty for none.
    games, seed
        Replace those of the base; None keeps them.
    replaced
        Values that replace keys of all scenarios, such as bots; None keeps a key.

    Raises
    ------
    RogsimError
        If there is no variant, or if files cannot be read or played, are of different games, or have no player count in
        common.
    """
    if not variants and not change:
        raise ArgumentError("name a variant to compare with: a scenario file, or --change NAME=VALUE")
    first = load(base, {"games": games, "seed": seed, **(replaced or {})}, option_prefix="--")
    others = [load(path, replaced, option_prefix="--") for path in variants]
    for path, experiment in zip(map(file_of, variants), others, strict=True):
        _check_game(path, experiment, first)
    if change:
        others.append(_changed(base, first, change, replaced or {}))
    players = _common_players(first, others)
    labels = _labels(
        [first.name, *(experiment.name for experiment in others)], [file_of(one) for one in (base, *variants)]
    )
    design_points = [
        _design_point(experiment, label, players, first)
        for experiment, label in zip([first, *others], labels, strict=True)
    ]
    same = tuple(design_point.label for design_point in design_points[1:] if design_point.key == design_points[0].key)
    kept = tuple(design_point for design_point in design_points[1:] if design_point.label not in same)
    given = {name for name, value in (("games", games), ("seed", seed)) if value is not None}
    notes = _notes([first, *others], labels, players, given)
    changes = _change_notes(first, labels[0], design_points[1:])
    same_notes = (f"{label}: changes nothing, so its games are the same as those of {labels[0]}." for label in same)
    return Comparison(design_points[0], kept, same, (*notes, *changes, *same_notes))


def _change_notes(first: Experiment, label: str, variants: Sequence[DesignPoint]) -> list[str]:
    """Return which changes have no effect, and where: what the base says is not repeated for its variants."""
    known = change_notes(first)
    return [f"{label}: {note}" for note in known] + [
        f"{variant.label}: {note}"
        for variant in variants
        for note in change_notes(variant.experiment)
        if note not in known
    ]


def play(comparison: Comparison, resources: Resources) -> list[Results]:
    """Play the missing games of the base and its variants, and return their results, the base's first."""
    return play_design_points(comparison.design_points, resources)


def _changed(
    base: AnyScenario, first: Experiment, change: Mapping[str, Any], replaced: Mapping[str, Any]
) -> Experiment:
    """Return the base with parameters changed, named after the first of them."""
    keys = {"games": first.scenario.games, "seed": first.scenario.seed, "change": dict(change)}
    made = load(base, {**keys, **replaced}, "--")
    parts = list(changed_parts(first, made, False, {})) or [setting_words(dict(change))]
    return replace(made, name=parts[0] + (f" and {len(parts) - 1} more" if len(parts) > 1 else ""))


def _check_game(path: Path, experiment: Experiment, first: Experiment) -> None:
    if experiment.spec.id != first.spec.id:
        rule = f"{first.name} is {first.spec.id}, and only scenarios of the same game can be compared"
        raise ScenarioError(f'{path}: key "game": {not_allowed(experiment.spec.id, rule)}')


def _common_players(first: Experiment, others: Sequence[Experiment]) -> tuple[int, ...]:
    counts = [experiment.scenario.players for experiment in (first, *others)]
    common = tuple(players for players in counts[0] if all(players in allowed for allowed in counts))
    if not common:
        listed = "; ".join(
            f"{experiment.name} has {', '.join(map(str, its_counts))}"
            for experiment, its_counts in zip((first, *others), counts, strict=True)
        )
        raise RogsimError(f'key "players": the scenarios have no player count in common: {listed}')
    return common


def _labels(names: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """Return unique labels: a name that is not unique gets its folder or, if that is not enough, a number."""
    folders = [path.resolve().parent.name for path in paths]
    labels = [
        f"{folders[place]}/{name}" if place < len(paths) and names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
    return [f"{label} #{place + 1}" if labels.count(label) > 1 else label for place, label in enumerate(labels)]


def _design_point(experiment: Experiment, label: str, players: tuple[int, ...], first: Experiment) -> DesignPoint:
    """Return a run with the games and the seed of the base and the given player counts."""
    scenario = experiment.scenario.model_copy(update={"players": players, "sweep": None, "balance": None})
    setups = {count: experiment.setups[count] for count in players}
    design_point = DesignPoint(label, {}, replace(experiment, name=label, scenario=scenario, setups=setups))
    return design_point.with_games(first.scenario.games).with_seed(first.scenario.seed)


def _notes(
    experiments: Sequence[Experiment], labels: Sequence[str], players: tuple[int, ...], given: Collection[str]
) -> Iterator[str]:
    """Yield a line for each run that is not played as its file says. given: keys replaced on the command line."""
    base = experiments[0].scenario
    for experiment, label in zip(experiments, labels, strict=True):
        scenario = experiment.scenario
        differs = []
        if scenario.games != base.games and "games" not in given:
            differs.append(f"{base.games:,} games instead of {scenario.games:,}")
        if scenario.seed != base.seed and "seed" not in given:
            differs.append(f"seed {base.seed} instead of {scenario.seed}")
        if scenario.players != players:
            differs.append(f"{', '.join(map(str, players))} players only")
        if scenario.until:
            differs.append("all games, ignoring `until`")
        if differs:
            yield f"{label}: played with {'; '.join(differs)}, so that all runs can be compared."
