"""Nothing that rogsim did not write is ever removed or written over, and no link is followed to do so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import rogsim
from rogsim.base.errors import ResultsError, RogsimError
from rogsim.game.spec import GameSpec
from rogsim.report.render.write import check_place, check_with_page
from rogsim.results.inventory import clear
from rogsim.results.output_folders import FolderKind, writing
from rogsim.simulation.traces import TraceError, write_lines
from tests.security.crafted import KEYS

pytestmark = pytest.mark.once_uncompiled

Plant = Callable[[Path, Path], Path]  # a foreign thing in a folder; the second folder is elsewhere


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of somebody's, with years of work in it."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    chunk = "p2-000000000-000000006-0123456789abcdef-0123456789abcdef.parquet"
    for name in ("draft.tmp", "manifest.json", "years.txt", chunk):
        (folder / name).write_text("years")
    return folder


def file(name: str) -> Plant:
    def plant(folder: Path, _: Path) -> Path:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("years")
        return folder / name

    plant.__name__ = name
    return plant


def link(name: str, target: str) -> Plant:
    def plant(folder: Path, elsewhere: Path) -> Path:
        path = folder / name
        if path.is_dir():
            path.rename(elsewhere.parent / "moved")
        path.unlink(missing_ok=True)
        path.symlink_to(elsewhere / target)
        return path

    plant.__name__ = f"link-{name}"
    return plant


PLANTS = [file(name) for name in ("draft.tmp", "seats/draft.tmp", "seats/people.parquet", "games/p.parquet", "x.tmp")]
PLANTS += [file("seats/manifest.json"), file("manifest.json.tmp"), file("manifest.json.backup.tmp"), file(".lock")]
PLANTS += [link("seats", "."), link("manifest.json", "manifest.json"), link(".lock", "years.txt")]
PLANTS += [link("manifest.json.0123abcd.tmp", "draft.tmp"), link("seats/p2-0.abcd.tmp", "draft.tmp")]


def all_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
@pytest.mark.parametrize("replace", [False, True])
def test_a_run_removes_nothing_foreign(
    dice_race: GameSpec, tmp_path: Path, elsewhere: Path, plant: Plant, replace: bool
) -> None:
    """Not with --replace either: the folder is refused, and what is foreign is named."""
    rogsim.run(KEYS, out=tmp_path / "out")
    path = plant(tmp_path / "out", elsewhere)
    before, theirs = all_of(tmp_path / "out"), all_of(elsewhere)
    with pytest.raises(ResultsError, match="which does not belong to results; name another folder") as refused:
        rogsim.run(KEYS | {"seed": 4}, out=tmp_path / "out", replace=replace)
    assert path.relative_to(tmp_path / "out").as_posix() in str(refused.value)
    assert (all_of(tmp_path / "out"), all_of(elsewhere)) == (before, theirs)
    clear(tmp_path / "out")  # whoever calls it without asking first
    assert path.is_symlink() or path.read_text() == "years"
    assert all_of(elsewhere) == theirs


@pytest.mark.parametrize("content", ["years", '{"name": "my web app"}', "{}", "[1]"])
def test_a_manifest_of_something_else_is_not_written_over(dice_race: GameSpec, tmp_path: Path, content: str) -> None:
    """Many programs have a manifest.json; only one that says so, or lies beside chunks, is rogsim's."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "manifest.json").write_text(content)
    for replace in (False, True):
        with pytest.raises(ResultsError, match=r'holds "manifest.json", which does not belong to results'):
            rogsim.run(KEYS, out=tmp_path / "app", replace=replace)
    assert all_of(tmp_path / "app") == {"manifest.json": content.encode()}


def make_report(folder: Path) -> None:
    (folder / "figures").mkdir(parents=True)
    data = {
        "format": "rogsim-report/2",
        "figures": [],
        "sections": [{"figures": [{"name": "seats"}]}],
        "files": ["report.xlsx"],
    }
    (folder / "report.json").write_text(json.dumps(data))
    for name in ("index.html", "report.md", "figures/seats.png", "figures/seats.svg"):
        (folder / name).write_text("")


def no_data(folder: Path, _: Path) -> Path:
    (folder / "report.json").unlink()
    return folder / "report.json"


def other_data(folder: Path, _: Path) -> Path:
    (folder / "report.json").write_text('{"format": "mine", "sections": []}')
    return folder / "report.json"


REPORT_PLANTS = [file("figures/holiday.png"), file("notes.md"), link("figures", "."), link("index.html", "years.txt")]
REPORT_PLANTS += [link("figures/seats.png", "years.txt"), no_data, other_data]
REPORT_PLANTS += [file("tables/seats.csv")]  # not rogsim's where the data does not list it


@pytest.mark.parametrize("name", ["a\tb", " ", "a\u202eb"])
def test_a_name_that_cannot_be_shown_is_refused_before_anything_is_played(tmp_path: Path, name: str) -> None:
    """The checks that come first refuse it, for every kind of page, not only the writing at the end."""
    kind = FolderKind("tournament", ("bots",))
    for check in (check_place, lambda folder: check_with_page(kind, folder)):
        with pytest.raises(ResultsError, match="a name must not"):
            check(tmp_path / name)


@pytest.mark.parametrize("plant", REPORT_PLANTS, ids=lambda plant: plant.__name__)
def test_a_report_replaces_only_a_report(tmp_path: Path, elsewhere: Path, plant: Plant) -> None:
    """A website of somebody's, or a figure that a report's data does not name, stops it."""
    make_report(tmp_path / "page")
    check_place(tmp_path / "page")
    plant(tmp_path / "page", elsewhere)
    theirs = all_of(elsewhere)
    with pytest.raises(ResultsError, match="name another folder"):
        check_place(tmp_path / "page")
    assert all_of(elsewhere) == theirs


def test_what_comes_to_lie_there_meanwhile_stays(tmp_path: Path) -> None:
    """A report is drawn for a while; its place is looked at again before anything is moved."""
    make_report(tmp_path / "page")
    with pytest.raises(ResultsError, match=r"notes\.txt"), writing(tmp_path / "page", check_place) as draft:
        (draft / "index.html").write_text("new")
        (tmp_path / "page" / "notes.txt").write_text("years")
    assert (tmp_path / "page" / "notes.txt").read_text() == "years"
    assert [path.name for path in tmp_path.iterdir()] == ["page"]


@pytest.mark.parametrize("manifest", ["{}", '{"format": "rogsim-profile/1"}', "", "[" * 5000])
def test_a_folder_of_tables_is_known_by_its_manifest(tmp_path: Path, manifest: str) -> None:
    """Names alone do not make it rogsim's."""
    kind = FolderKind("tournament", ("bots",))
    (tmp_path / "tournament.json").write_text(manifest)
    with pytest.raises(ResultsError, match=r"tournament.json is not its manifest; name another folder"):
        check_with_page(kind, tmp_path)
    (tmp_path / "tournament.json").write_text('{"format": "rogsim-tournament/1"}')
    check_with_page(kind, tmp_path)
    (tmp_path / "bots.csv").symlink_to("tournament.json")
    with pytest.raises(ResultsError, match=r'holds "bots.csv", which does not belong to a tournament'):
        check_with_page(kind, tmp_path)


def test_a_single_file_is_written_over_only_where_it_is_of_its_kind(tmp_path: Path, elsewhere: Path) -> None:
    """Tables and traces: neither somebody's text, nor through a link."""
    path = tmp_path / "notes.txt"
    path.write_text("years of notes")
    (tmp_path / "link").symlink_to(path)
    for target in (path, tmp_path / "link"):
        with pytest.raises((TraceError, RogsimError), match="choose another name"):
            write_lines(iter([{"format": "dice-race-trace/1", "game": 0}]), target)
    assert path.read_text() == "years of notes"
    traces = tmp_path / "games.jsonl"
    for game in (0, 1):
        write_lines(iter([{"format": "dice-race-trace/1", "game": game}]), traces)
    assert json.loads(traces.read_text())["game"] == 1
