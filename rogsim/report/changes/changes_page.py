"""The page that says what changed between two reports, or between two runs that cannot be one report."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from threadpoolctl import threadpool_limits

from rogsim.base.errors import RogsimError
from rogsim.base.progress import Notify
from rogsim.base.version import __version__
from rogsim.game.kit.text_layout import capital
from rogsim.report import words
from rogsim.report.balance.build import build_report
from rogsim.report.balance.sources import Material, gather
from rogsim.report.changes.changes_sections import all_sections
from rogsim.report.changes.page_sides import is_page, read_page, side_of_page
from rogsim.report.changes.sides import Side, side_of
from rogsim.report.changes.what_changed import WhatChanged, compare_sides, differing
from rogsim.report.document import Grid, Report, TableColumn
from rogsim.report.render.json_data import as_data
from rogsim.report.render.write import check_place, write_report
from rogsim.results.manifest import read_manifest
from rogsim.stats.prospects import percent

UNITS = (
    "Differences are after minus before, in percentage points (pp) of win share, each with an interval in brackets. In "
    "findings, intervals are simultaneous: they hold for all levels of a question together. Changed, within margin and "
    "undecided are about the difference; imbalanced, fair and undecided before and after are the verdicts of each side."
)
FAMILY = (
    "All changes on this page form one family. Each question, for each number of players, has one test of all its "
    "levels. The p-values of these tests are adjusted by Holm's method, so if nothing had changed, a page would call "
    "something changed in at most 5% of cases. Levels are named only if the test of their question rejects. Within "
    "the margin means that two one-sided tests at 5% show it for every level; that error rate holds for each question "
    "by itself. Two different verdicts are not a change: a longer run decides more. The first look at the games of "
    "both sides may use 70% of every error rate and each further look a part of the rest."
)
SHARED = (
    " Both sides have games on the same deals but are treated as independent, which makes intervals too wide rather "
    "than too narrow."
)
SAME_SETTINGS = ("game", "rules", "options", "change", "mirrored")  # of one report
MOST_NAMED = 4  # differences in the lead


@dataclass(frozen=True)
class TwoSides:
    """The folders of each side."""

    before: tuple[Path, ...]
    after: tuple[Path, ...]


def two_sides(folders: Sequence[Path], against: Sequence[Path], settled: Sequence[Path] = ()) -> TwoSides | None:
    """Return the sides to compare; None if the folders make one report.

    Two folders are compared without `against` if both are pages, or if they hold the same game under other rules,
    options or changes, or the same bots in another version. RogsimError if pages and results are mixed in another way.
    """
    pages = [folder for folder in [*folders, *against] if is_page(folder)]
    sides = TwoSides(tuple(against), tuple(folders)) if against else None
    if sides is None and len(folders) == 2 and (pages or _are_versions(*folders)):
        sides = TwoSides((folders[0],), (folders[1],))
    if sides is None and pages:
        raise RogsimError(
            f"{pages[0]}: is a page, not results: name two folders, or one and --against another, to see what changed"
        )
    if sides and settled:
        raise RogsimError("--settled: cannot be combined with --against, or with two reports or runs to compare")
    return sides


def make_changes(sides: TwoSides, out: Path, notify: Notify = lambda _: None) -> tuple[Report, WhatChanged]:
    """Compare two sides, write the page into `out`, and return it with what was found."""
    check_place(out)
    with threadpool_limits(limits=1, user_api="blas"):  # for many small matrices threads cost more than they gain
        before, after = _read(sides, out, notify)
        found = compare_sides(before, after)
        report = changes_report(found, sides, out)
    write_report(report, out, notify)
    return report, found


def changes_report(found: WhatChanged, sides: TwoSides, out: Path) -> Report:
    """Return the page. out: the folder it is written to, for the command that reproduces it."""
    reconstructed = found.after.reconstructed or found.before.reconstructed
    return Report(
        title=f"{found.after.game}: what changed",
        lead=_lead(found),
        units=UNITS,
        next_steps=tuple(_next_steps(found)),
        sections=all_sections(found),
        family=FAMILY,
        provenance=tuple(_provenance(found)),
        scenarios=tuple(
            (f"{when}: {name}", text)
            for when, side in (("before", found.before), ("after", found.after))
            for name, text in side.scenarios
        ),
        command=f"# with rogsim {__version__}\n{_command(sides, out)}",
        reconstructed={"text": reconstructed} if reconstructed else {},
    )


def _read(sides: TwoSides, out: Path, notify: Notify) -> tuple[Side, Side]:
    """Return both sides: with covariances if both are results, else both as the pages have them, so names agree."""
    as_pages = any(map(is_page, (*sides.before, *sides.after)))
    read = [_side(folders, as_pages, out, notify) for folders in (sides.before, sides.after)]
    return read[0], read[1]


def _side(folders: Sequence[Path], as_page: bool, out: Path, notify: Notify) -> Side:
    place = ", ".join(words.portable_path(folder) for folder in folders)
    pages = [folder for folder in folders if is_page(folder)]
    if pages and len(folders) > 1:
        raise RogsimError(f"{pages[0]}: is a page; a side is one page, or any number of results folders")
    if pages:
        notify(f"reading {place}")
        return read_page(pages[0])
    material: Material = gather(folders, notify=notify)
    return side_of_page(as_data(build_report(material, out)), place) if as_page else side_of(material, place)


def _are_versions(before: Path, after: Path) -> bool:
    """Return whether two results folders cannot be one report: other rules or settings, or other code of one bot."""
    first, second = (read_manifest(folder).model_dump(mode="json") for folder in (before, after))
    one, other = first["identity"], second["identity"]
    if one["game"] != other["game"] or not set(first["games"]) & set(second["games"]):
        return False
    if any(one.get(key) != other.get(key) for key in SAME_SETTINGS):
        return True
    names = [[bot["name"] for bot in identity["bots"]] for identity in (one, other)]
    return names[0] == names[1] and (one["engine"], one["bots"]) != (other["engine"], other["bots"])


def _lead(found: WhatChanged) -> str:
    differences = [
        f"{name}: {before}, now {after}"
        for name, before, after in differing(found.before, found.after)
        if name not in ("games", "seed", "versions", "margin") and len(before) + len(after) < 80
    ]
    named = [
        *differences[:MOST_NAMED],
        *([f"and {len(differences) - MOST_NAMED} more"] * (len(differences) > MOST_NAMED)),
    ]
    what = f" What differs: {'; '.join(named)}." if named else " Only the seed or the number of games differs."
    return (
        f"Before: {found.before.place}. After: {found.after.place}.{what} Differences within ±{found.margin:g} "
        f"percentage points count as no change.{SHARED if found.share_deals else ''}"
    )


def _next_steps(found: WhatChanged) -> Iterator[str]:
    undecided = [finding for finding in found.findings if finding.judged.kind == "open"]
    if undecided:
        growth = [
            (1 + finding.judged.prospect.games / finding.judged.answer.games, finding.judged.prospect.chance)
            for finding in undecided
            if finding.judged.prospect
        ]
        times = ""
        if growth:
            each = "it" if len(undecided) == 1 else "each" if len(growth) == len(undecided) else "each of most of them"
            times = (
                f" About {math.ceil(max(growth)[0])} times as many games on both sides would decide {each} with a "
                f"chance of at least {percent(min(chance for _, chance in growth))}."
            )
        yield (
            f"{capital(words.undecided(len(undecided), len(found.findings)))}.{times} `rogsim run` with more `--games` "
            "adds them to each results folder."
        )
    if found.share_deals:
        yield "`rogsim compare BEFORE.toml AFTER.toml` plays both scenarios on the same deals, which takes fewer games."


def _command(sides: TwoSides, out: Path) -> str:
    after = [words.portable_path(folder) for folder in sides.after]
    before = [word for folder in sides.before for word in ("--against", words.portable_path(folder))]
    return shlex.join(["rogsim", "report", *after, *before, "--out", words.portable_path(out)])


def _provenance(found: WhatChanged) -> Iterator[Grid]:
    for name, caption, rows in (
        ("folders", "What was played", [side.runs for side in (found.before, found.after)]),
        ("bots-used", "Who played", [side.bots for side in (found.before, found.after)]),
    ):
        marked = [
            {"side": side, **_texts(row)} for side, part in zip(("before", "after"), rows, strict=True) for row in part
        ]
        frame = pl.DataFrame(marked, infer_schema_length=None)
        yield Grid(name, caption, tuple(TableColumn(key, key) for key in frame.columns), frame)


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {str(key): str(value) for key, value in row.items() if key != "side"}
