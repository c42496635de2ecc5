"""Machine code lies only where nobody else can put any, and only what rogsim made is ever removed there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rogsim.game import code_cache, compiler
from rogsim.game.code_cache import KEPT, LOCK, find_folder, take_notes
from rogsim.game.registry import get_game
from rogsim.simulation.preparation import announce_compiler

NAME = "0123456789abcdef-numba0.99.1"
ROOT = hasattr(os, "getuid") and os.getuid() == 0

pytestmark = [
    pytest.mark.once_compiled,
    pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here"),
]


@pytest.fixture
def bases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The three places that are tried, in a folder of this user's own."""
    compiler.cache_folder()  # of this process: it stays what it is
    for folder in (tmp_path / "named", tmp_path / "home", tmp_path / "tmp"):
        folder.mkdir(mode=0o700)
    monkeypatch.setenv(code_cache.VARIABLE, str(tmp_path / "named"))
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "home" / "rogsim"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "tmp"))
    (tmp_path / "tmp").chmod(0o1777)
    take_notes()
    return [tmp_path / "named", tmp_path / "home" / "rogsim", tmp_path / "tmp" / f"rogsim-{os.getuid()}"]


def made(base: Path, name: str = NAME) -> Path:
    """A folder of machine code as rogsim makes it."""
    folder = base / name
    (folder / "rules_1234").mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    (folder / LOCK).touch()
    for file in ("rules.play-12.py311.nbi", "rules.play-12.py311.1.nbc", "rules.play-12.py311.1.nbc.tmp.0123abcd"):
        (folder / "rules_1234" / file).write_bytes(b"code")
    return folder


def test_a_folder_is_made_for_this_user_alone(bases: list[Path]) -> None:
    """Mode 0700 down from the base, whatever the umask; and found again."""
    old = os.umask(0)
    try:
        for base in bases:
            folder = find_folder(NAME)
            assert folder == base / NAME
            assert folder.lstat().st_mode & 0o777 == 0o700
            assert find_folder(NAME) == folder
            assert take_notes() == []
            os.environ.pop(code_cache.VARIABLE, None)
            base.chmod(0o777)
            take_notes()
    finally:
        os.umask(old)


def others_write(base: Path) -> None:
    base.mkdir(exist_ok=True)
    base.chmod(0o770)


def others_write_inside(base: Path) -> None:
    made(base).chmod(0o722)


def linked(base: Path) -> None:
    made(base.parent / "real")
    if base.exists():
        base.rmdir()
    base.symlink_to(base.parent / "real")


def linked_inside(base: Path) -> None:
    base.mkdir(exist_ok=True)
    made(base.parent / "real")
    (base / NAME).symlink_to(base.parent / "real" / NAME)


def file_instead(base: Path) -> None:
    if base.exists():
        base.rmdir()
    base.write_text("mine")


def others_read_inside(base: Path) -> None:
    made(base).chmod(0o755)  # they might have been able to write a file in it


def others_own(base: Path) -> None:
    base.mkdir(exist_ok=True)
    os.chown(base, 12345, 12345)


def others_own_inside(base: Path) -> None:
    os.chown(made(base), 12345, 12345)


def others_own_above(base: Path) -> None:
    base.mkdir(exist_ok=True)
    os.chown(base.parent, 12345, 12345)


def others_write_above(base: Path) -> None:
    base.mkdir(exist_ok=True)
    base.parent.chmod(0o777)


ATTACKS = {
    others_write: "{base} is open to other users",
    others_write_inside: f"{{base}}/{NAME} is open to other users",
    linked: "{base} is not a folder",
    linked_inside: f"{{base}}/{NAME} is not a folder",
    file_instead: "{base} is not a folder",
    others_read_inside: f"{{base}}/{NAME} is open to other users",
    others_own: "{base} belongs to another user",
    others_own_inside: f"{{base}}/{NAME} belongs to another user",
    others_own_above: "{base.parent} belongs to another user",
    others_write_above: "{base.parent} is open to other users",
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_a_folder_that_others_can_change_is_not_used(bases: list[Path], tmp_path: Path, attack: object) -> None:
    """The next place is taken, and a line says what is wrong with the folder that NUMBA_CACHE_DIR names."""
    if "own" in attack.__name__ and not ROOT:  # type: ignore[attr-defined]
        pytest.skip("only the superuser can give files away")
    (tmp_path / "place").mkdir(mode=0o700)
    base = tmp_path / "place" / "codes"
    os.environ[code_cache.VARIABLE] = str(base)
    attack(base)  # type: ignore[operator]
    assert find_folder(NAME) == bases[1] / NAME
    fault = ATTACKS[attack].format(base=base)  # type: ignore[index]
    assert take_notes() == [f"NUMBA_CACHE_DIR is not used for machine code: {fault}."]


def test_links_above_the_base_are_followed_with_care(bases: list[Path], tmp_path: Path) -> None:
    """A home folder may be a link: where it leads must be safe, and that path is used."""
    (tmp_path / "disk").mkdir(mode=0o700)
    (tmp_path / "alias").symlink_to("disk")
    os.environ[code_cache.VARIABLE] = str(tmp_path / "alias" / "codes")
    assert find_folder(NAME) == tmp_path.resolve() / "disk" / "codes" / NAME
    (tmp_path / "disk").chmod(0o777)
    assert find_folder(NAME) == bases[1] / NAME


def test_without_a_safe_place_all_is_compiled_in_memory(
    bases: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """None is found, a line says so once, and whoever compiles holds up nobody."""
    bases[1].parent.chmod(0o777)
    bases[2].mkdir(mode=0o777)
    bases[2].chmod(0o777)
    bases[0].chmod(0o770)
    assert find_folder(NAME) is None
    said: list[str] = []
    for _ in range(2):
        announce_compiler(get_game("river-of-gold"), [], said.append)
    said = [line for line in said if not line.startswith("Compiling")]
    assert said == [
        f"NUMBA_CACHE_DIR is not used for machine code: {bases[0]} is open to other users.",
        "Machine code is not cached because no folder is safe for it: the rules are compiled at every start.",
    ]
    monkeypatch.setattr(compiler, "cache_folder", lambda: None)
    with compiler.compiling_alone(lambda: True):
        pass


def no_home(*_: object, **__: object) -> str:
    raise RuntimeError("could not determine the home directory")


def no_temporary_folder() -> str:
    raise FileNotFoundError("no usable temporary directory")


@pytest.mark.parametrize("home", [no_home, lambda *_, **__: "~/.cache/rogsim"], ids=["raises", "tilde"])
def test_places_that_do_not_exist_are_skipped(
    bases: list[Path], monkeypatch: pytest.MonkeyPatch, home: Callable[..., str]
) -> None:
    """As for a user without a home folder, whom the system does not know, and where there is no temporary folder."""
    monkeypatch.setattr("platformdirs.user_cache_dir", home)
    assert find_folder(NAME) == bases[0] / NAME
    monkeypatch.delenv(code_cache.VARIABLE)
    assert find_folder(NAME) == bases[2] / NAME
    assert take_notes() == []
    monkeypatch.setattr("tempfile.gettempdir", no_temporary_folder)
    assert find_folder(NAME) is None


def test_only_folders_of_machine_code_are_forgotten(bases: list[Path]) -> None:
    """Of its own the three latest stay; any other folder stays with all that is in it."""
    base = bases[0]
    names = [f"{number:016x}-numba0.{number}" for number in range(KEPT + 4)]
    for age, name in enumerate(names):
        folder = made(base, name)
        os.utime(folder, (age, age))
    foreign = {
        "my-numba-project": "notes.txt",
        f"{20:016x}-numba0.1": "notes.txt",
        f"{21:016x}-numba": "x.nbi",
        f"x{22:016x}-numba0.1": "x.nbi",
    }
    for name, file in foreign.items():
        (base / name).mkdir()
        (base / name / file).write_text(f"{name}\n")
        os.utime(base / name, (0, 0))
    (base.parent / "far").mkdir()
    (base.parent / "far" / "years.nbi").write_text("years")
    (base / f"{24:016x}-numba0.1").symlink_to(base.parent / "far")
    find_folder(NAME)
    left = {path.name for path in base.iterdir()}
    assert left == {NAME, *names[-KEPT:], *foreign, f"{24:016x}-numba0.1"}
    assert (base.parent / "far" / "years.nbi").read_text() == "years"
    assert all((base / name / file).exists() for name, file in foreign.items())


def test_foreign_files_in_a_folder_of_ours_stay(bases: list[Path]) -> None:
    """Machine code around them goes, links are not followed, and what is not ours is not touched."""
    for age in range(KEPT + 1):
        folder = made(bases[0], f"{age:016x}-numba0.1")
        os.utime(folder, (age, age))
    oldest = bases[0] / f"{0:016x}-numba0.1"
    outside = bases[0].parent / "outside.nbi"
    outside.write_text("not yours")
    (oldest / "rules_1234" / "notes.txt").write_text("mine")
    (oldest / "rules_1234" / "link.nbi").symlink_to(outside)
    (oldest / "linked").symlink_to(bases[0].parent)
    os.utime(oldest, (0, 0))
    find_folder(NAME)
    assert outside.read_text() == "not yours"
    left = {
        path.relative_to(oldest).as_posix() for path in oldest.rglob("*") if not path.is_relative_to(oldest / "linked")
    }
    assert left >= {"rules_1234/notes.txt", "rules_1234/link.nbi"}
    assert not list((oldest / "rules_1234").glob("rules*"))


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")
def test_the_second_start_loads_what_the_first_one_compiled(tmp_path: Path) -> None:
    """Through a folder named by NUMBA_CACHE_DIR that rogsim makes."""
    code = (
        "from rogsim.game import rng\n"
        "rng.game_key(1, 2)\n"
        "stats = rng.game_key.dispatcher_for(()).stats\n"
        "print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))\n"
    )
    environment = os.environ | {code_cache.VARIABLE: str(tmp_path / "codes")}
    told = [subprocess.check_output([sys.executable, "-c", code], text=True, env=environment) for _ in range(2)]
    assert told == ["0 1\n", "1 0\n"]
