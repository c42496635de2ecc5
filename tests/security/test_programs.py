"""No program in a stranger's folder runs unless the user says where bots may be loaded from."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.bots.names import read_bot_name
from rogsim.game.registry import RegistryError
from rogsim.game.spec import GameSpec
from rogsim.report.console.answers import answer
from rogsim.results.verify import status_of, verify
from tests.command_line import rogsim_command
from tests.security.crafted import EVIL, KEYS, is_refused, named, rewrite

pytestmark = pytest.mark.once_uncompiled

FRAMES = ["{}", " {}", "{} ", "{}\n", "\n{}", "{}\nz", "{}\r", "\t{}", "{}\x00", "{}\u200b", "\u202e{}", "{}\u2028z"]
FRAMES += ["{}\x85", "\ufeff{}", "{}\x1b[0m", "@x@{}", "q@{}", "q@{}@w.toml", "{}@w.toml", "{}@a=1", "a=1@{}", "{}@{}"]
FRAMES += ["runner@{}", "runner@{} ", "{}@", "{}:f", "x:{}", "{}#", "{}?x", "file://{}", "{}\\", "{};runner"]
FILES = ["evil.py:f", "./evil.py:f", "dir/evil.py:f", "../evil.py:f", "dir/../evil.py:f", "~/evil.py:f", "evil.py:f.g"]
FILES += ["evil.PY:f", "evil.pyc:f", "evil:f", "evil.py", "evil.py:", "evil.py:f f", "evil.py::f", "evil.py :f", "evil"]
HANDMADE = [frame.replace("{}", file) for frame in FRAMES for file in FILES]
pieces = st.sampled_from([*"@:/ \n\t=.+", "evil.py:f", "dir/", "evil.py", ".py:", "f", "runner", "w.toml", "q", "\x85"])
around = st.lists(pieces | st.text(max_size=2), max_size=2).map("".join)
files = st.sampled_from(["evil.py:f", "@x@evil.py:f", "q@evil.py:f", "q@dir/evil.py:f", ""])
names = st.tuples(around, files, around).map("".join).filter(bool)


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A file that is there once `evil.py` has run; it lies wherever a path might lead."""
    path = tmp_path / "canary"
    for folder in (tmp_path, tmp_path / "dir", tmp_path / "@x@", tmp_path / "q@", tmp_path / "q@dir"):
        folder.mkdir(exist_ok=True)
        (folder / "evil.py").write_text(EVIL.format(canary=str(path)))
    for folder in ("@x@evil.py", "q@evil.py", "runner@evil.py"):
        (tmp_path / folder).write_text(EVIL.format(canary=str(path)))
    (tmp_path / "w.toml").write_text("format = 'rogsim-weights/1'\n")
    return path


@pytest.fixture
def sent(dice_race: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of results in the current folder."""
    monkeypatch.chdir(tmp_path)
    rogsim.run(KEYS, out=tmp_path / "sent")
    yield tmp_path / "sent"


def look(folder: Path, name: str, ways: Sequence[Callable[[Path], object]]) -> None:
    """Open a copy of a folder with a bot of that name in some ways."""
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)

    def change(data: dict[str, object]) -> None:
        named(name)(data)
        data["scenario_folder"] = str(folder.parent)

    try:
        rewrite(copy, change)
        for way in ways:
            try:
                way(copy)
            except RogsimError as fault:
                assert "\n" not in str(fault)
    finally:
        shutil.rmtree(copy)


VERIFY = (lambda path: verify(path, 1, 1),)
ALL_WAYS = (*VERIFY, rogsim.Results.open, status_of, lambda path: answer([path], "seats"))


@pytest.mark.parametrize("name", ["@x@evil.py:f ", "q@dir/evil.py:f\nz", "evil.py:f", "dir/evil.py:f@w.toml"])
def test_no_command_runs_what_a_manifest_names(sent: Path, canary: Path, name: str) -> None:
    """Not even `verify`, which asks for --bots-from where the bot is a program, and refuses other odd names."""
    rewrite(sent, named(name))
    for command in (["status"], ["status", "--json"], ["verify"], ["seats"], ["seats", "--json"]):
        ended = rogsim_command(*command, "sent")
        assert is_refused(ended) or command[0] != "verify", ended
    assert not canary.exists()


def test_hundreds_of_crafted_names_run_nothing(sent: Path, canary: Path) -> None:
    """Whatever is put around the name of a file: spaces, controls, several @, paths."""
    for place, name in enumerate(HANDMADE):
        look(sent, name, VERIFY if place % 8 else ALL_WAYS)
        assert not canary.exists(), name


def test_random_names_run_nothing(sent: Path, canary: Path) -> None:
    """Nor any mixture of pieces that have a meaning."""

    @settings(derandomize=True, max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(names.filter(lambda name: name.isascii() or name.encode("utf-8", "ignore").decode() == name))
    def check(name: str) -> None:
        look(sent, name, VERIFY)
        assert not canary.exists()

    check()


@given(names)
@settings(derandomize=True, max_examples=300, deadline=None, database=None)
def test_what_is_no_program_loads_no_file(name: str) -> None:
    """One function decides: it takes a name for a program, refuses it, or whatever is found is no file of Python's."""
    try:
        found = read_bot_name(name)
    except RegistryError:
        return
    assert found.is_program == (found.base.endswith(f".py:{found.attribute}") and bool(found.attribute))
    assert name == name.strip()
    assert "\n" not in name


def test_a_program_runs_where_the_user_says_so(dice_race: GameSpec, tmp_path: Path) -> None:
    """With --bots-from, which is what the refusal asks for."""
    (tmp_path / "mine.py").write_text("def choose(setup, race, menu, memory):\n    return 0\n")
    rogsim.run(KEYS | {"bots": [f"{tmp_path}/mine.py:choose"]}, out=tmp_path / "out")
    refused = rogsim_command("verify", str(tmp_path / "out"))
    assert is_refused(refused)
    assert "with --bots-from" in refused.err
    assert rogsim_command("verify", str(tmp_path / "out"), "--bots-from", str(tmp_path)).code == 0


@pytest.mark.parametrize("bot", ["evil.py:f", "dir/evil.py:f@a=1", "./evil.py:f@w.toml"])
def test_a_scenario_is_checked_and_explained_without_running_its_bots(sent: Path, canary: Path, bot: str) -> None:
    """Both say that the file was not loaded; sweeps over the same scenario load nothing either."""
    head = f'game = "dice-race"\nplayers = [2]\ngames = 4\nseed = 1\nbots = ["{bot}"]\n'
    Path("x.toml").write_text(head + "[sweep]\nover = { long = [20, 22] }\n")
    checked, told = rogsim_command("scenario", "check", "x.toml"), rogsim_command("scenario", "explain", "x.toml")
    assert (checked.code, checked.out) == (0, f"x.toml: ok ({bot}: not loaded, so not checked)\n")
    assert told.code == 0
    assert f"Not loaded: {bot}, a program in a file\n" in told.out
    assert not canary.exists()


def test_a_file_that_is_not_there_is_still_told(sent: Path) -> None:
    """What can be checked without running anything is checked."""
    Path("x.toml").write_text('game = "dice-race"\nplayers = [2]\ngames = 4\nseed = 1\nbots = ["gone.py:f"]\n')
    ended = rogsim_command("scenario", "check", "x.toml")
    assert (ended.code, ended.out) == (2, 'x.toml: key "bots": bot "gone.py:f": the file gone.py does not exist\n')


def test_a_bot_that_was_not_loaded_cannot_play(dice_race: GameSpec, canary: Path) -> None:
    """Making it ready is refused in a line."""
    source = find_bot(dice_race, "evil.py:f", canary.parent, load=False)
    with pytest.raises(RegistryError, match=r'bot "evil.py:f" was not loaded'):
        compile_bot(dice_race, source)
    assert not canary.exists()


@pytest.mark.parametrize("name", ["\x1b[31mx", "x ", "\tx", "x\u202e", "\ud800", "", "x\x9b"])
def test_a_scenario_is_not_called_anything(sent: Path, name: str) -> None:
    """Names of bots and of scenario files hold nothing that cannot be seen, and no spaces at their ends."""
    with pytest.raises(RogsimError, match=r"a name must not"):
        rogsim.run(KEYS | {"bots": [name]})
    if "\ud800" not in name and name:
        Path(f"{name}.toml").write_text("")
        ended = rogsim_command("run", f"{name}.toml")
        assert is_refused(ended)
        assert "a name must not" in ended.err
