"""Files from strangers: whatever is in them, commands end with a line for each mistake and touch nothing else."""

from __future__ import annotations

import json
import math
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.base.files import parse_json
from rogsim.bots.weights import read_file
from rogsim.experiments.continued import load_state
from rogsim.game.registry import RegistryError, register, unregister
from rogsim.game.spec import GameSpec
from rogsim.results import manifest as manifest_module
from rogsim.results.manifest import MANIFEST, full_hash
from rogsim.scenario.fingerprint import key_of, short_hash
from rogsim.simulation.chunks import ChunkName
from tests.cli.test_broken_input import DICE, VARIED, as_toml, mutated, run_or_stop, scarred, stop
from tests.command_line import rogsim_command
from tests.dice_game import GAME
from tests.security.crafted import EVIL, KEYS, is_refused, named, rewrite
from tests.security.watch import Watch, watching

pytestmark = pytest.mark.once_uncompiled

EXAMPLES = int(os.environ.get("ROGSIM_TEST_CRAFTED", "60"))  # of manifests, and of scenarios; 1000 by hand
COMMANDS = [["status"], ["status", "--json"], ["verify", "--games", "2"], ["seats"], ["seats", "--json"]]
COMMANDS += [["seats", "--csv", "-"], ["verify", "--games", "2"]]
REPORT = ["report", "--out", "page"]
HOSTILE = ["\x1b]0;x\x07", "\u202etxt", "<script>alert(1)</script>", "``<b>`", "evil.py:f", "evil.py:f ", "\ud800"]
HOSTILE += ["q@dir/evil.py:f\nz", "../../x", "$\\frac$", "a|b\n---", "\x9b31m", "\u200b", "x" * 70_000]
crafted = settings(
    derandomize=EXAMPLES == 60,
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of results, played once."""
    folder = tmp_path_factory.mktemp("played") / "sent"
    register(GAME)
    rogsim.run(KEYS, out=folder)
    unregister(GAME.id)
    return folder


@pytest.fixture
def sent(played: Path, dice_race: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of results in the current folder, and a program beside it that leaves a trace if it runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dir").mkdir()
    for path in (tmp_path / "evil.py", tmp_path / "dir" / "evil.py"):
        path.write_text(EVIL.format(canary=str(tmp_path / "canary")))
    shutil.copytree(played, tmp_path / "sent")
    yield tmp_path / "sent"
    assert not (tmp_path / "canary").exists()


def refused_by_all(folder: Path, *more: list[str]) -> list[str]:
    """What every command that opens a folder says, which is a line and exit code 2."""
    before = snapshot(folder)
    said = []
    watch = Watch(folder.parent)
    for command in (*COMMANDS, REPORT, *more):
        with watching(watch):
            ended = rogsim_command(*command, folder.name)
        assert is_refused(ended), (command, ended)
        assert ended.out == ""
        said.append(ended.err.removesuffix("\n"))
    assert snapshot(folder) == before
    assert watch.outside == []
    assert not Path("page").exists()
    return said


def snapshot(folder: Path) -> dict[str, bytes | int]:
    """All that is in a folder, with the contents of files and what kind everything else is of."""
    found: dict[str, bytes | int] = {}
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        found[path.relative_to(folder).as_posix()] = path.read_bytes() if stat.S_ISREG(mode) else stat.S_IFMT(mode)
    return found


def put(*path: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


CHANGES = {
    "no-games": put("games", value={}),
    "zero-games": put("games", value={"2": 0}),
    "games-list": put("games", value=[6]),
    "other-games": put("games", value={"3": 6}),
    "many-games": put("games", value={"2": 10**400}),
    "bot-empty": put("bots", value=[{}]),
    "bot-number": put("bots", value=[{"name": 5}]),
    "bots-none": put("bots", value=[]),
    "bots-text": put("bots", value="runner"),
    "other-bots": put("bots", 0, "name", value="walker"),
    "weight-nan": put("bots", 0, "weights", value={"a": math.nan}),
    "option-nan": put("scenario", "options", "short", value=math.nan),
    "option-huge": put("scenario", "options", "short", value=10**400),
    "identity-nan": put("identity", "options", "short", value=math.nan),
    "identity-huge": put("identity", "options", "short", value=10**400),
    "margin-nan": put("scenario", "margin", value=math.nan),
    "weight-text": put("bots", 0, "weights", value={"a": "1"}),
    "identity-bots": put("identity", "bots", value=[{"name": 5}]),
    "identity-empty": put("identity", value={}),
    "identity-players": put("identity", "players", value=[]),
    "scenario-empty": put("scenario", value={}),
    "scenario-escape": put("scenario", "options", value={"end": "\x1b[2J"}),
    "identity-escape": put("identity", "options", value={"\u202e": 1}),
    "seed": put("scenario", "seed", value=2**63),
    "margin": put("scenario", "margin", value="2"),
    "name": put("name", value="x\x1b[31m"),
    "name-space": put("name", value=" x"),
    "state": put("state", value=["complete"]),
    "extra": put("extra", value=1),
    "chunk-huge": put("chunks", 0, "stop", value=10**9),
    "columns": put("columns", value=[[1, 2, 3, 4, 5]]),
    "sessions": put("sessions", value=[None]),
    "surrogate": put("question", value="\ud800"),
    "surrogate-bot": put("bots", 0, "name", value="\ud800"),
    "surrogate-key": put("factors", value={"\udfff": []}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_manifest_of_the_wrong_kind_is_one_line(sent: Path, what: str) -> None:
    """Wrong types, empty tables, text that is no text, names of what is not there: the same line from every command."""
    rewrite(sent, CHANGES[what])
    said = refused_by_all(sent)
    assert all(line.startswith("rogsim: error: ") and line.count("\n") == 0 for line in said)


TEXTS = {
    "nan": lambda text: text.replace('"margin": 2.0', '"margin": NaN'),
    "infinity": lambda text: text.replace('"margin": 2.0', '"margin": -Infinity'),
    "huge-float": lambda text: text.replace('"margin": 2.0', '"margin": 1e999'),
    "huge-number": lambda text: text.replace('"seed": 3', '"seed": ' + "9" * 5000),
    "deep": lambda text: text.replace('"question": ""', '"question": ' + "[" * 100_000 + "]" * 100_000),
    "deep-tables": lambda text: text.replace(
        '"options": {', '"options": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + ', "b": {', 1
    ),
    "doubled": lambda text: text.replace('"state":', '"state": "running", "state":', 1),
    "doubled-inside": lambda text: text.replace('"seed": 3', '"seed": 3, "seed": 3'),
    "surrogate": lambda text: text.replace('"question": ""', '"question": "\\ud800"'),
    "null-byte": lambda text: text.replace('"question": ""', '"question": "\0"'),
    "empty": lambda text: "",
    "zeros": lambda text: "\0" * 10_000,
    "list": lambda text: f"[{text}]",
    "utf-16": lambda text: text.encode("utf-16").decode("latin-1"),
    "bom": lambda text: "\ufeff" + text,
    "comment": lambda text: "// x\n" + text,
    "cut": lambda text: text[: len(text) // 2],
}


@pytest.mark.parametrize("game", ["chess", "../../dice", "evil", "\\\\host\\share"])
def test_a_game_that_is_not_installed_is_one_line(sent: Path, game: str) -> None:
    """What needs the rules refuses it, and `status`, which does not, finds that its files are of another run."""

    def renamed(data: dict[str, Any]) -> None:
        data["scenario"]["game"] = data["identity"]["game"] = game

    rewrite(sent, renamed)
    for command in (["verify"], ["seats"], REPORT):
        assert is_refused(rogsim_command(*command, "sent"))
    ended = rogsim_command("status", "sent")
    assert (ended.code, ended.err) == (1, "")
    assert "0 of 6 games, 6 missing (6 of them broken)" in ended.out


def test_a_chunk_lies_in_its_folder(sent: Path) -> None:
    """A manifest cannot name a file elsewhere."""
    data = json.loads((sent / MANIFEST).read_text())
    for name in ("../../evil.parquet", "/etc/passwd", data["chunks"][0]["seats"]["file"] + "/../x"):
        data["chunks"][0]["seats"]["file"] = name
        (sent / MANIFEST).write_text(json.dumps(data))
        refused_by_all(sent)


@pytest.mark.parametrize("what", TEXTS)
def test_text_that_is_no_manifest_is_one_line(sent: Path, what: str) -> None:
    """No number, nested without end, keys that are there twice, or no JSON at all."""
    text = json.dumps(json.loads((sent / MANIFEST).read_text()))
    (sent / MANIFEST).write_text(TEXTS[what](text), encoding="utf-8")
    assert all(MANIFEST in line for line in refused_by_all(sent))


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def endless(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**40)


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def linked_fifo(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


SPECIAL = [fifo, device, endless, loop, Path.mkdir, linked_fifo]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("make", SPECIAL, ids=lambda make: make.__name__)
def test_what_is_no_file_is_not_read(sent: Path, make: Callable[[Path], None]) -> None:
    """A pipe, device, folder, loop of links or file without end instead of a manifest holds up no command."""
    (sent / MANIFEST).unlink()
    make(sent / MANIFEST)
    for command in (*COMMANDS, REPORT):
        with watching(Watch(sent)):
            assert is_refused(rogsim_command(*command, "sent"))
    with watching(Watch(sent)):
        ended = run_or_stop("run", "x.toml", "--out", "sent")
    assert ended.code == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("make", SPECIAL, ids=lambda make: make.__name__)
@pytest.mark.parametrize("command", [["run"], ["scenario", "check"], ["scenario", "explain"], ["sweep"], ["show"]])
def test_input_that_is_no_file_is_not_read(sent: Path, make: Callable[[Path], None], command: list[str]) -> None:
    """The same of scenarios and traces, and of files of weights and of a tuning."""
    path = Path("input.toml")
    make(path)
    with watching(Watch(sent)):
        ended = rogsim_command(*command, "input.toml")
        with pytest.raises(RegistryError):
            read_file(path)
        with pytest.raises(RogsimError):
            load_state(path, "state/1", {}, dict)
    assert ended.code == 2
    assert (ended.out + ended.err).count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("make", SPECIAL, ids=lambda make: make.__name__)
def test_a_chunk_that_is_no_file_is_not_read(sent: Path, make: Callable[[Path], None]) -> None:
    """It is missing or broken, as any other that is not as it should be."""
    chunk = next((sent / "seats").iterdir())
    chunk.unlink()
    make(chunk)
    for command in (["verify"], ["seats"], REPORT):
        with watching(Watch(sent.parent)):
            assert is_refused(rogsim_command(*command, "sent"))
    with watching(Watch(sent.parent)):
        assert rogsim_command("status", "sent").code in (1, 2)


ROWS = {
    "other-columns": lambda rows: rows.drop("points"),
    "wrong-type": lambda rows: rows.with_columns(pl.col("points").cast(pl.String)),
    "bot-as-text": lambda rows: rows.with_columns(pl.col("bot").cast(pl.String)),
    "missing": lambda rows: rows.head(-2),
    "doubled": lambda rows: pl.concat([rows, rows]),
    "nulls": lambda rows: rows.with_columns(points=pl.lit(None, rows["points"].dtype)),
    "infinite": lambda rows: rows.with_columns(win_share=pl.lit(float("inf"), pl.Float32)),
    "nan": lambda rows: rows.with_columns(win_share=pl.lit(float("nan"), pl.Float32)),
    "shares": lambda rows: rows.with_columns(win_share=pl.lit(0.9, pl.Float32)),
    "seats": lambda rows: rows.with_columns(seat=pl.lit(1, pl.UInt8)),
    "players": lambda rows: rows.with_columns(players=pl.lit(0, pl.UInt8)),
    "empty": lambda rows: rows.clear(),
    "no-columns": lambda rows: pl.DataFrame({"x": [1]}),
}


@pytest.mark.parametrize("what", ROWS)
def test_rows_that_make_no_sense_are_one_line(sent: Path, what: str) -> None:
    """Whole files with checksums that fit: reports refuse them, and `verify` says that they are wrong."""
    data = json.loads((sent / MANIFEST).read_text())
    (chunk,) = data["chunks"]
    path = sent / "seats" / chunk["seats"]["file"]
    rows = ROWS[what](pl.read_parquet(path))
    path.unlink()
    rows.write_parquet(path)
    content = path.read_bytes()
    name = ChunkName.read(path.name)
    assert name is not None
    path = path.rename(path.with_name(str(ChunkName(name.chunk, name.key, short_hash(content)))))
    chunk["seats"] |= {"file": path.name, "sha256": full_hash(content), "bytes": len(content)}
    (sent / MANIFEST).write_text(json.dumps(data))
    for command in (["seats"], ["seats", "--json"], REPORT):
        assert is_refused(rogsim_command(*command, "sent"))
    assert rogsim_command("verify", "sent").code in (1, 2)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\xff" * 100 + b"PAR1", b"x" * 1000])
def test_a_parquet_file_that_is_none_is_one_line(sent: Path, content: bytes) -> None:
    """Also where its checksum fits."""
    data = json.loads((sent / MANIFEST).read_text())
    stored = data["chunks"][0]["games"]
    path = sent / "games" / stored["file"]
    name = ChunkName.read(path.name)
    assert name is not None
    path.write_bytes(content)
    path = path.rename(path.with_name(str(ChunkName(name.chunk, name.key, short_hash(content)))))
    stored |= {"file": path.name, "sha256": full_hash(content), "bytes": len(content)}
    (sent / MANIFEST).write_text(json.dumps(data))
    for command in (["seats"], REPORT, ["verify"]):
        assert is_refused(rogsim_command(*command, "sent")), command
    assert rogsim_command("status", "sent").code == 1


def test_a_manifest_is_not_read_beyond_its_limit(sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says how large it may be."""
    monkeypatch.setattr(manifest_module, "MOST_BYTES", 1000)
    assert "larger than" in refused_by_all(sent)[0]


@pytest.mark.parametrize(
    "text", ["1e999", "9" * 20, "[NaN]", '{"a": 1, "a": 2}', '"\\ud800"', "[" * 5000, "\ufeff1", "'a'", ""]
)
def test_json_is_read_in_one_way_only(text: str) -> None:
    """What readers of JSON differ about is refused."""
    with pytest.raises(ValueError):
        parse_json(text.encode())


# ------------------------------------------------------------------------------------------------ thousands of them


@st.composite
def manifests(draw: st.DrawFn, good: Any) -> bytes:
    """A manifest with some places changed, its hashes in line with that, sometimes with its bytes broken as well."""
    data = draw(mutated(good, most=2))
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        key = draw(st.sampled_from(["name", "question", "title", "scenario_folder", "bots", "scenario", "factors"]))
        text = draw(st.sampled_from(HOSTILE))
        if key == "bots" and draw(st.booleans()):
            with suppress(LookupError, TypeError, AttributeError):
                named(text)(data)
        elif key in ("bots", "scenario", "factors"):
            with suppress(LookupError, TypeError, AttributeError):
                inner = data[key][0] if key == "bots" else data[key]
                inner[draw(st.sampled_from(sorted(inner)))] = text
        else:
            data[key] = text
    for part, name in (("identity", "key"), ("scenario", "scenario_hash")):
        if isinstance(data.get(part), dict) and draw(st.integers(0, 5)):
            with suppress(UnicodeEncodeError):
                data[name] = key_of(data[part])
    return draw(scarred(json.dumps(data)))


def test_crafted_manifests_do_no_harm(sent: Path, tmp_path: Path) -> None:
    """No traceback, no hang, no file outside the folder touched, no program run, nothing raw on the terminal."""
    template, good = snapshot(sent), json.loads((sent / MANIFEST).read_text())
    watch, seen = Watch(tmp_path), {0: 0, 1: 0, 2: 0}

    @crafted
    @given(manifests(good), st.sampled_from([*COMMANDS, *COMMANDS, REPORT]))
    @example(json.dumps(good).encode(), ["status"])
    def check(content: bytes, command: list[str]) -> None:
        (sent / MANIFEST).write_bytes(content)
        with watching(watch):
            ended = rogsim_command(*command, "sent")
        assert ended.code in (0, 1) or is_refused(ended), ended
        assert all(one.isprintable() or one in "\n\t\N{NO-BREAK SPACE}" for one in ended.out + ended.err), ended
        seen[ended.code] += 1
        assert {**snapshot(sent), MANIFEST: b""} == {**template, MANIFEST: b""}
        assert watch.outside == []
        assert not (tmp_path / "canary").exists()
        shutil.rmtree("page", ignore_errors=True)

    check()
    assert seen[2] > 0
    assert seen[0] > 0
    print(f"crafted manifests: {seen}, slowest {watch.slowest:.2f} s of CPU")


@st.composite
def scenarios(draw: st.DrawFn) -> bytes:
    """A scenario with some places changed, hostile text in some, sometimes with its bytes broken as well."""
    good = draw(st.sampled_from([DICE, VARIED]))
    data = draw(mutated(good, most=2)) if draw(st.integers(0, 3)) else json.loads(json.dumps(good))
    for _ in range(draw(st.sampled_from([0, 0, 1]))):
        text = draw(st.sampled_from(HOSTILE))
        if isinstance(data.get("bots"), list) and draw(st.booleans()):
            data["bots"] = [text]
        else:
            data[draw(st.sampled_from(["game", "until", "tables", "options", "change", text]))] = text
    question = draw(st.sampled_from(["# Who wins?", "# \u202eWho?", "#\twins \u200b?", "", "# <script>``?"]))
    lines = [question, *(f"{as_toml(str(key))} = {as_toml(value)}" for key, value in data.items())]
    return draw(scarred("\n".join(lines) + "\n"))


def test_crafted_scenarios_do_no_harm(sent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checked, explained, and put up to where play would begin; the first two never run a bot's file."""
    monkeypatch.setattr("rogsim.experiments.sweep.play_sweep", stop)
    monkeypatch.setattr("rogsim.experiments.optimize.find_optimum", stop)
    monkeypatch.setattr("rogsim.experiments.run.play", lambda *_, **__: stop())
    watch, seen = Watch(tmp_path), {0: 0, 2: 0}
    looks = [["scenario", "check"], ["scenario", "explain"], ["scenario", "explain", "--json"]]

    fine = "\n".join(f"{key} = {as_toml(value)}" for key, value in DICE.items())

    @crafted
    @example(fine.encode(), ["scenario", "check"])
    @given(scenarios(), st.sampled_from([*looks, *looks, ["run"], ["sweep"], ["optimize"]]))
    def check(content: bytes, command: list[str]) -> None:
        Path("x.toml").write_bytes(content)
        before = set(tmp_path.rglob("*"))
        with watching(watch):
            ended = run_or_stop(*command, "x.toml")
        assert ended.code == 0 or is_refused(ended) or (ended.code == 2 and not ended.err), ended
        assert all(one.isprintable() or one in "\n\t\N{NO-BREAK SPACE}" for one in ended.out + ended.err), ended
        seen[ended.code] += 1
        assert watch.outside == []
        if command in looks:
            assert not (tmp_path / "canary").exists()
        (tmp_path / "canary").unlink(missing_ok=True)
        assert {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts} <= before

    check()
    assert min(seen.values()) > 0, seen
    print(f"crafted scenarios: {seen}, slowest {watch.slowest:.2f} s of CPU")
