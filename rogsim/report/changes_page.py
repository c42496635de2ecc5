"""The page on what changed between two reports: the same as a comparison, but of runs that played separately."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base import __version__
from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS
from rogsim.base.progress import Notify
from rogsim.base.text import listing
from rogsim.game.parameters import leaves
from rogsim.game.spec import GameSpec
from rogsim.game.topics import SEATS, question_topic
from rogsim.report import words
from rogsim.report.balance.sources import gather
from rogsim.report.compare_sections import APART, FAMILY, all_sections, answer, picture_of, sheet
from rogsim.report.document import Grid, Report, Step, TableColumn
from rogsim.report.provenance import played_row, provenance, scenario_text
from rogsim.report.render.data_files import DATA
from rogsim.results.manifest import MANIFEST, read_manifest
from rogsim.results.results import Results
from rogsim.scenario.axes import value_words
from rogsim.scenario.reconstructed import reconstructed_in
from rogsim.stats.balance.measure import claims
from rogsim.stats.effects import Effects, Question
from rogsim.stats.judgement import judge
from rogsim.stats.paired.compared import Compared, as_read, changed_by, distance_question
from rogsim.stats.paired.differences import independent_differences
from rogsim.stats.paired.fairness import independent_distance

SAME_SETTINGS = ("game", "rules", "options", "change", "mirrored")  # of one report
NOT_SETTINGS = (
    "games",
    "until",
    "margin",
    "tables",
    "seed",
    "players",
    "about",
)  # keys that leave the games as they are
MOST_NAMED = 4  # differences in the context
FAR_AWAY = 300  # characters; a longer value is cut

Labelled = tuple[str, Effects]  # with the bots that played


@dataclass(frozen=True)
class TwoSides:
    """The results of each side, or their folders."""

    before: tuple[Path | Results, ...]
    after: tuple[Path | Results, ...]


@dataclass(frozen=True)
class Side:
    """One side: what was found with each set of bots, the strongest last, and the manifests of its results folders."""

    place: str
    spec: GameSpec
    margin: float
    found: tuple[Labelled, ...]
    manifests: tuple[Mapping[str, Any], ...]

    @property
    def bots(self) -> list[str]:
        """Return the labels of the sets of bots."""
        return list(dict.fromkeys(label for label, _ in self.found))

    def values(self, key: str) -> str:
        """Return the distinct values of the folders, of what was played."""
        return "; ".join(dict.fromkeys(played_row(manifest)[key] for manifest in self.manifests))

    @property
    def runs(self) -> set[str]:
        """Return what determines the rows of each folder, except their number and the seed."""
        return {
            repr(
                (
                    manifest["identity"]["rules"],
                    manifest["identity"]["engine"],
                    sorted((key, repr(value)) for key, value in _settings(manifest).items() if key not in NOT_SETTINGS),
                    sorted(f"{bot['source_hash']}{bot['weights_hash']}" for bot in manifest["bots"]),
                )
            )
            for manifest in self.manifests
        }


def two_sides(
    folders: Sequence[Path | Results], against: Sequence[Path | Results], settled: Sequence[Path] = ()
) -> TwoSides | None:
    """Return the sides to compare; None if the results make one report.

    Two folders are compared without `against` if they hold the same game under other rules, options or changes, or the
    same bots in another version. RogsimError if one of them holds a page instead of results.
    """
    for folder in (*folders, *against):
        if isinstance(folder, Path) and (folder / DATA).is_file() and not (folder / MANIFEST).exists():
            raise RogsimError(f"{folder}: is a page; name the results folders that it was written from")
    sides = TwoSides(tuple(against), tuple(folders)) if against else None
    if sides is None and len(folders) == 2 and _are_versions(*folders):
        sides = TwoSides((folders[0],), (folders[1],))
    if sides and settled:
        raise RogsimError("--settled: cannot be combined with --against, or with two runs to compare")
    return sides


def make_changes(sides: TwoSides, out: Path, notify: Notify = lambda _: None) -> Report:
    """Compare two sides, and return the page. out: its folder, for the command that reproduces it."""
    before, after = (read_side(runs, notify) for runs in (sides.before, sides.after))
    return changes_report(before, after, compare_sides(before, after), sides, out)


def read_side(folders: Sequence[Path | Results], notify: Notify = lambda _: None) -> Side:
    """Return the side that results folders are."""
    material = gather(folders, notify=notify)
    found = [
        (source.label, effects)
        for source in material.sources
        for effects in claims([source.balance], material.spec.topics)
    ]
    manifests = [folder.manifest for source in material.sources for folder in source.folders]
    place = ", ".join(map(_place, folders))
    return Side(place, material.spec, material.margin, tuple(found), tuple(manifests))


def compare_sides(before: Side, after: Side) -> Compared:
    """Return what differs from one side to the other.

    Raises
    ------
    RogsimError
        If they are of different games, hold the same games, or have no question in common.
    """
    spec, margin = after.spec, min(before.margin, after.margin)
    if before.spec.id != spec.id:
        which = f"{before.place} is of {before.spec.title} and {after.place} of {spec.title}"
        raise RogsimError(f"{which}: only runs of one game are compared")
    about = question_topic(spec.topics, after.manifests[0])
    pairs = _matched(before, after)
    family = [
        found
        for label, earlier, later in pairs
        for found in _differences(label, earlier, later, margin, {SEATS, about})
        if found is not None
    ]
    if not family:
        raise RogsimError(
            f"{before.place} and {after.place}: have no question in common: they need the same number of players"
        )
    if _seeds(before) & _seeds(after) and before.runs & after.runs:
        raise RogsimError(
            f"{after.place}: holds games of {before.place} (same bots, settings and seed), so nothing can differ"
        )
    games = {later.players: later.games for _, _, later in pairs}
    games_before = {earlier.players: earlier.games for _, earlier, _ in pairs}
    return Compared(
        spec,
        about,
        as_read(spec, changed_by(spec, before.manifests[0], after.manifests)),
        dict(sorted(games.items())),
        before.place,
        tuple(dict.fromkeys(label for label, *_ in pairs)),
        margin,
        judge(family),
        games_before=games_before,
    )


def changes_report(before: Side, after: Side, found: Compared, sides: TwoSides, out: Path) -> Report:
    """Return the page. out: the folder it is written to, for the command that reproduces it."""
    said, verdict = answer(found)
    both = [("before", before), ("after", after)]
    differs = differing(before, after)
    scenarios = [manifest["scenario"] for side in (before, after) for manifest in side.manifests]
    sections = all_sections(found, APART, "two-separate-runs")
    return Report(
        title=f"{found.spec.title}: what changed",
        question=f"What changed from {before.place} to {after.place}?",
        answer=said,
        context=_context(before, after, found, differs),
        sections=sections,
        family=f"{FAMILY} Two different verdicts are not a change: a longer run decides more.",
        provenance=(
            differing_grid(before, after, differs),
            *provenance([({"side": when}, manifest) for when, side in both for manifest in side.manifests]),
        ),
        scenarios=tuple(
            (f"{when}: {manifest['name']}", scenario_text(manifest))
            for when, side in both
            for manifest in side.manifests
        ),
        command=f"# with rogsim {__version__}\n{_command(sides, out)}",
        verdict=verdict,
        picture=picture_of(found, found.about if found.on(found.about) else SEATS),
        steps=tuple(_steps(before, after, found)),
        sheet=sheet(found),
        reconstructed=reconstructed_in(found.spec, scenarios).data(found.spec.topics),
    )


def differing(before: Side, after: Side) -> list[tuple[str, str, str]]:
    """Return what differs between the games of two sides: its name, and its value on each side."""
    both = (before, after)
    rows = [("bots", *(listing(side.bots) for side in both))]
    rows += [(key, *(side.values(key) for side in both)) for key in ("rules", "engine")]
    settings = [[_settings(manifest) for manifest in side.manifests] for side in both]
    keys = dict.fromkeys(key for side in settings for setting in side for key in setting)
    rows += [
        (key, *(_texts(setting[key] for setting in side if key in setting) for side in settings))
        for key in keys
        if key not in (*NOT_SETTINGS, "bots", "name") or key == "players"
    ]
    rows += [(key, *(side.values(key) for side in both)) for key in ("versions", "seed", "games")]
    rows += _hashes(before, after)
    return [(name, _short(one), _short(other)) for name, one, other in rows if one != other]


def differing_grid(before: Side, after: Side, differs: Sequence[tuple[str, str, str]]) -> Grid:
    """Return the table of what differs between the games of the two sides."""
    frame = pl.DataFrame(list(differs), schema=["what", "before", "after"], orient="row")
    heads = (
        TableColumn("what", "what"),
        TableColumn("before", f"before: {before.place}", "long"),
        TableColumn("after", f"after: {after.place}", "long"),
    )
    return Grid("differing", "What differs between the games", heads, frame)


def _place(run: Path | Results) -> str:
    """Return a folder as a page names it; of results in memory, the folder that `rogsim run` would write."""
    if isinstance(run, Path):
        return words.portable_path(run)
    return words.portable_path(run.folder or REPORTS / str(run.manifest["name"]))


def _are_versions(before: Path | Results, after: Path | Results) -> bool:
    """Return whether two runs cannot be one report: other rules or settings, or other code of one bot."""
    first, second = (
        read_manifest(run).model_dump(mode="json") if isinstance(run, Path) else run.manifest for run in (before, after)
    )
    one, other = first["identity"], second["identity"]
    if one["game"] != other["game"] or not set(first["games"]) & set(second["games"]):
        return False
    if any(one.get(key) != other.get(key) for key in SAME_SETTINGS):
        return True
    names = [[bot["name"] for bot in identity["bots"]] for identity in (one, other)]
    return names[0] == names[1] and (one["engine"], one["bots"]) != (other["engine"], other["bots"])


def _matched(before: Side, after: Side) -> list[tuple[str, Effects, Effects]]:
    """Return the effects on the same question with the same number of players, with the bots of the later side.

    Sets of bots with the same label on both sides are compared with each other; if there are none, the last of each
    side, which is the one that answers on a page.
    """
    common = [(label, label) for label in after.bots if label in before.bots]
    pairs = common or [(before.bots[-1], after.bots[-1])] * bool(before.bots and after.bots)
    found = []
    for earlier, later in pairs:
        known = {_key(effects): effects for label, effects in before.found if label == earlier}
        own = [effects for label, effects in after.found if label == later]
        found += [(later, known[_key(effects)], effects) for effects in own if _key(effects) in known]
    return found


def _key(effects: Effects) -> tuple[str, str, int]:
    return effects.question.topic, effects.question.title, effects.players


def _differences(label: str, before: Effects, after: Effects, margin: float, far: set[str]) -> Iterator[Effects | None]:
    asked = after.question
    title = f"Win share by {asked.noun}" if asked.noun and asked.topic == SEATS else asked.title
    question = Question(asked.topic, title, "pp", asked.noun or "level", margin=margin)
    found = independent_differences(question, label, before, after)
    yield found
    if found and found.question.share and asked.topic in far:
        yield independent_distance(distance_question(question, margin), label, before, after)


def _context(before: Side, after: Side, found: Compared, differs: Sequence[tuple[str, str, str]]) -> str:
    named = [
        f"{name}: {one}, now {other}"
        for name, one, other in differs
        if name not in ("games", "seed", "versions") and len(one) + len(other) < 80
    ]
    rest = len(named) - MOST_NAMED
    what = "; ".join([*named[:MOST_NAMED], *([f"and {rest} more"] if rest > 0 else [])])
    games = [
        f"{found.games_before[players]:,} and {words.games(count)} with {words.players(players)}"
        for players, count in found.games.items()
    ]
    shared = " Both sides play the same deals but count as independent, so the intervals are too wide."
    compared = {(effects.question.topic, effects.players) for _, effects, _ in _matched(before, after)}
    only = {
        side.place: [
            f"{effects.question.title} with {words.players(effects.players)}"
            for _, effects in side.found
            if (effects.question.topic, effects.players) not in compared
        ]
        for side in (before, after)
    }
    alone = "".join(f" Only {place} has {listing(titles)}." for place, titles in only.items() if titles)
    return (
        f"{listing(games)}, before and after, by {listing(list(found.variants))}. "
        f"{f'What differs: {what}.' if what else 'Only the seed or the number of games differs.'}"
        f"{shared if _share_deals(before, after) else ''}{alone}"
    )


def _steps(before: Side, after: Side, found: Compared) -> Iterator[Step]:
    prospects = [(judgement, judgement.prospect) for judgement in found.judged if judgement.prospect]
    if prospects:
        times = max(1 + prospect.games / judgement.effects.games for judgement, prospect in prospects)
        yield Step(
            f"{len(prospects)} of {len(found.judged)} differences are not known yet. About {times:.1f} times as many "
            "games on both sides would decide them: `rogsim run` with more `--games` adds them."
        )
    if _share_deals(before, after):
        yield Step("On the same deals the same number of games shows more.", "rogsim compare BEFORE.toml AFTER.toml")


def _share_deals(before: Side, after: Side) -> bool:
    return bool(_seeds(before) & _seeds(after)) and before.values("rules") == after.values("rules")


def _seeds(side: Side) -> set[str]:
    return {str(manifest["identity"]["seed"]) for manifest in side.manifests}


def _command(sides: TwoSides, out: Path) -> str:
    after = [_place(run) for run in sides.after]
    before = [word for run in sides.before for word in ("--against", _place(run))]
    return shlex.join(["rogsim", "report", *after, *before, "--out", words.portable_path(out)])


def _settings(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a scenario; those of its tables as `options.name`."""
    flat: dict[str, Any] = {}
    for key, value in manifest["scenario"].items():
        if key in ("sweep", "balance") or value in ([], {}, None):
            continue
        if key == "components" and isinstance(value, Mapping):
            flat[key] = str(value.get("file", ""))  # its values are changes
        elif key in ("options", "change") and isinstance(value, Mapping):
            found = {".".join((key, *path)): entry for path, entry in leaves(value)}
            flat |= {name: entry for name, entry in found.items() if entry is not None}
        else:
            flat[key] = value
    return flat


def _texts(values: Iterator[Any]) -> str:
    return "; ".join(dict.fromkeys(value_words(value) for value in values)) or words.NOTHING


def _hashes(before: Side, after: Side) -> Iterator[tuple[str, str, str]]:
    """Yield the bots of one name whose source or weights differ."""
    for kind in ("source", "weights"):
        known = [
            {bot["name"]: str(bot[f"{kind}_hash"]) for manifest in side.manifests for bot in manifest["bots"]}
            for side in (before, after)
        ]
        for bot in known[0]:
            if bot in known[1]:
                yield f"{bot}: hash of its {kind}", known[0][bot], known[1][bot]


def _short(text: str) -> str:
    return text if len(text) <= FAR_AWAY else f"{text[: FAR_AWAY - 1]}…"
