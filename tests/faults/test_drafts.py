"""What a killed process leaves beside a folder or a file: cleared away by the next one, and nothing besides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from rogsim.base.errors import ResultsError
from rogsim.results.output_folders import alone_at, writing

pytestmark = pytest.mark.once_uncompiled

HEX = "0a1b2c3d"


def accept(folder: Path) -> None:
    """Any folder may be replaced."""


def left(folder: Path, *endings: str) -> None:
    """Leave what a process leaves that is killed while it writes a folder."""
    (folder.parent / f".{folder.name}.{HEX}.rogsim-draft").touch()
    for ending in endings:
        (folder.parent / f".{folder.name}.{HEX}{ending}").mkdir()
        (folder.parent / f".{folder.name}.{HEX}{ending}" / "page").write_text(ending)


def write(folder: Path) -> None:
    with writing(folder, accept) as draft:
        (draft / "page").write_text("mine")


@pytest.mark.parametrize("endings", [(), (".new",), (".new", ".old"), (".old",)])
def test_what_a_killed_process_left_is_cleared_away(tmp_path: Path, endings: tuple[str, ...]) -> None:
    """Whatever it was at, the next one leaves its own folder and nothing else."""
    left(tmp_path / "page", *endings)
    write(tmp_path / "page")
    assert [path.name for path in tmp_path.iterdir()] == ["page"]
    assert (tmp_path / "page" / "page").read_text() == "mine"


def test_the_older_folder_comes_back_if_the_new_one_never_came(tmp_path: Path) -> None:
    """Killed between two renames, the results of before are there again before anything else happens."""
    left(tmp_path / "page", ".new", ".old")
    with pytest.raises(ZeroDivisionError), writing(tmp_path / "page", accept):
        assert (tmp_path / "page" / "page").read_text() == ".old"
        raise ZeroDivisionError
    assert [path.name for path in tmp_path.iterdir()] == ["page"]
    assert (tmp_path / "page" / "page").read_text() == ".old"


def test_what_somebody_else_wrote_stays(tmp_path: Path) -> None:
    """Names that are not quite those of a draft, a link, and the draft of a live process."""
    others: list[Callable[[], object]] = [
        lambda: (tmp_path / ".page.0a1b2c3d.new").mkdir(),  # without its mark
        lambda: (tmp_path / ".page.notes.rogsim-draft").touch(),
        lambda: (tmp_path / ".page.eeeeeeee.rogsim-draft").symlink_to("nowhere"),
        lambda: (tmp_path / ".page2.dddddddd.rogsim-draft").touch(),
    ]
    for make in others:
        make()
    live = tmp_path / ".page.cccccccc.rogsim-draft"
    before = {path.name for path in tmp_path.iterdir()} | {live.name, ".page.cccccccc.new"}
    with FileLock(live):
        (tmp_path / ".page.cccccccc.new").mkdir()
        write(tmp_path / "page")
        assert {path.name for path in tmp_path.iterdir()} == before | {"page"}


def test_one_at_a_time_works_at_a_file(tmp_path: Path) -> None:
    """The second is refused in a line; drafts that a killed one left are removed, those of others are not."""
    path = tmp_path / "w.toml"
    ours = {f"w.toml.{HEX}.tmp": b"", "w.toml.22222222.tmp": b"# Weights of the bot"}
    theirs = {"w.toml.notes.tmp": b"", "w.toml.44444444.tmp2": b"", "w.tmp": b""}
    for name, content in (ours | theirs).items():
        (tmp_path / name).write_bytes(content)
    with alone_at(path, [path]):
        assert {one.name for one in tmp_path.iterdir()} == {*theirs, ".w.toml.rogsim-draft"}
        with pytest.raises(ResultsError, match=r"w.toml: another command is working on it"), alone_at(path, []):
            pass
    assert {one.name for one in tmp_path.iterdir()} == theirs.keys()
