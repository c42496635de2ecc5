"""A thousand broken scenarios and manifests: each is refused with plain lines, or works, and no harm is done."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import rogsim
from rogsim.game import compiler
from rogsim.results.inventory import LOCK
from rogsim.results.manifest import MANIFEST
from rogsim.results.results import Results
from rogsim.results.store import check_target
from rogsim.scenario.fingerprint import key_of
from rogsim.simulation.batch import plans
from tests.command_line import Ended, rogsim_command

EXAMPLES = int(os.environ.get("ROGSIM_TEST_BROKEN", "0"))  # if set: this many of each kind, different ones every time

pytestmark = [
    pytest.mark.usefixtures("dice_race"),
    pytest.mark.skipif(not compiler.ENABLED, reason="input is checked the same way, compiled or not"),
]
broken = settings(
    derandomize=not EXAMPLES,
    max_examples=EXAMPLES or 500,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)

DICE = {
    "game": "dice-race",
    "players": [3, 2],
    "games": 6,
    "seed": 3,
    "bots": ["runner", "walker", "moody"],
    "tables": ["seat", "track"],
    "options": {"long": 20, "end": "fair", "handicap": "none"},
}
RIVER = {
    "game": "river-of-gold",
    "players": [2, 4],
    "games": 100,
    "until": ["seat_share ± 0.5 pp"],
    "seed": 3,
    "bots": ["balanced"],
    "options": {"masteries": "random", "patrons": "none"},
}
LONG = "é" * 300 + ".py"  # no file can have this name
HUGE = [10**9, 10**10 - 1, 10**10, 2**31, 2**63 - 1, 2**63, 10**18, 10**30, 10**400, -1, -(2**63), 0]
ODD_TEXTS = [
    "",
    " ",
    "..",
    "/",
    ".",
    "..:x",
    ":",
    "a@b",
    "runner@",
    "runner@x.toml",
    "runner@.",
    "runner@/dev/null",
    "runner@a=1",
    "balanced@a=nan",
    "balanced@=",
    "../x.py:y",
    "x.py:",
    "x.py:a.b",
    ".py:choose",
    "/etc/passwd",
    "/dev/null.py:x",
    "runner.py",
    "__init__",
    "rules:x",
    "a/b",
    "\0",
    "a\0.py:x",
    "x\n.py:y",
    "\x1b[31m",
    f"{LONG}:x",
    "a" * 5000,
    "a" * 300 + "/b.py:x",
    "seat_share ± 0 pp",
    "seat_share ± 1e999 pp",
    "seat_share +- 0.5",
    "bot_points ± 1_0",
    "colour_share ± 1 pp",
    "± ± ±",
    "seat_share ± 0.5 pp\n",
    "none",
    "each",
    "[options]",
    "{}",
    "\ud800",
]
VARIED: dict[str, Any] = DICE | {
    "change": {"spaces.more": 2, "head_start": [0, 1, 2, 3]},
    "sweep": {"sample": "grid", "over": {"players": [2, 3], "head_start.2": [0, 1], "spaces.*": {"from": 0, "to": 2}}},
    "balance": {
        "goal": ["seat_share equal ± 2 pp", "turns = 9 ± 1"],
        "games": 2_000,
        "over": {"head_start.1": {"by": [1, 2]}, "end": ["sudden", "fair"], "long": {"from": 20, "to": 24, "step": 2}},
    },
}
GOALS = ["seat_share equal ± 2 pp", "first_roll_points of 6 equal ± 1", "turns = 9 ± 1", "seat_share of 2 equal ± 1 pp"]
CHANGES = ["spaces.more = 3", "head_start.2 = 1", "head_start = [0, 1, 2, 3]", "played_out = true"]
FEWER = 200  # examples of the kinds that take longer
TELLING = ("identity", "scenario", "games", "bots", "until")  # keys that are broken more often than others
ODD_NUMBERS = [0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf"), *HUGE]
odd_values = st.one_of(
    st.sampled_from(ODD_TEXTS),
    st.sampled_from(ODD_NUMBERS),
    st.integers(-5, 12),
    st.booleans(),
    st.text(max_size=8),
)
junk = st.recursive(
    odd_values,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
keys_to_add = st.sampled_from(["game", "players", "games", "untill", "seed", "bots", "options", "long", "a.b", ""])


def check_refused(ended: Ended) -> None:
    """Check for exit code 2 and nothing but lines that say what is wrong."""
    assert ended.code == 2, ended
    lines = ended.err.removesuffix("\n").split("\n")
    said = [line for line in lines if not line.startswith("rogsim: error: ")]
    assert all(line.endswith("; it will be rewritten.") for line in said), ended


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Return everything in a folder, with the contents of its files except that of the lock."""
    found: dict[str, bytes | None] = {}
    for where, folders, files in os.walk(folder):
        within = f"{where}/"[len(str(folder)) + 1 :]
        found.update(dict.fromkeys(f"{within}{name}" for name in folders))
        found.update({f"{within}{name}": None if name == LOCK else Path(where, name).read_bytes() for name in files})
    return found


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every place in nested tables and lists."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield (*path, key)
        yield from places(value, (*path, key))


@st.composite
def mutated(draw: st.DrawFn, good: Any, most: int = 3) -> Any:
    """Draw a copy of nested data in which some places are changed, duplicated, removed or added."""
    data = json.loads(json.dumps(good))
    for _ in range(draw(st.integers(1, most))):
        there = list(places(data))
        if not there:
            break
        tops = sorted({place[0] for place in there})
        first = draw(st.sampled_from([*tops, *3 * [top for top in tops if top in TELLING]]))
        *way, last = draw(st.sampled_from([place for place in there if place[0] == first]))
        holder = data
        for step in way:
            holder = holder[step]
        change = draw(st.sampled_from(["value", "value", "value", "gone", "new", "double", "nested", "other"]))
        if change == "value":
            holder[last] = draw(junk)
        elif change == "gone":
            del holder[last]
        elif change == "double" and isinstance(holder, list):
            holder.append(holder[last])
        elif change == "nested":
            holder[last] = {"a": holder[last]} if draw(st.booleans()) else [holder[last]]
        elif change == "other":
            value = data
            for step in draw(st.sampled_from(there)):
                value = value[step] if isinstance(value, dict | list) and _has(value, step) else value
            holder[last] = json.loads(json.dumps(value))
        elif isinstance(holder, dict):
            holder[draw(keys_to_add)] = draw(junk)
    return data


def _has(value: Any, step: Any) -> bool:
    return step in value if isinstance(value, dict) else isinstance(step, int) and step < len(value)


@st.composite
def scarred(draw: st.DrawFn, text: str) -> bytes:
    """Draw a text with broken bytes: cut, duplicated, replaced, or with others inserted."""
    content = text.encode("utf-8", "surrogatepass")
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        at = draw(st.integers(0, len(content)))
        to = min(len(content), at + draw(st.integers(0, 40)))
        what = draw(st.sampled_from(["cut", "out", "twice", "bytes", "deep", "digits"]))
        if what == "cut":
            content = content[:at]
        elif what == "out":
            content = content[:at] + content[to:]
        elif what == "twice":
            content = content[:to] + content[at:]
        elif what == "bytes":
            content = content[:at] + draw(st.binary(max_size=6)) + content[at:]
        elif what == "deep":
            content = content[:at] + draw(st.sampled_from([b"[", b"{a=", b'{"a":', b"a."])) * 3000 + content[at:]
        else:
            digits = draw(st.sampled_from([b"9" * 20, b"9" * 400, b"9" * 5000, b"0x" + b"f" * 5000]))
            content = content[:at] + digits + content[at:]
    return content


def as_toml(value: Any) -> str:
    """Return a value as TOML, which writes inline tables differently from JSON."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_toml(str(key))} = {as_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


@st.composite
def scenarios(draw: st.DrawFn) -> bytes:
    data = draw(st.one_of(mutated(DICE), mutated(RIVER)))
    lines = [f"{as_toml(str(key))} = {as_toml(value)}" for key, value in data.items()]
    if draw(st.integers(0, 9)) == 0 and lines:
        lines.append(draw(st.sampled_from(lines)))
    return draw(scarred("# Who wins?\n" + "\n".join(lines) + "\n"))


@st.composite
def statements(draw: st.DrawFn, good: list[str]) -> str:
    """Draw a statement in which some pieces are removed, duplicated, moved or replaced."""
    pieces = re.findall(r"\w+|\s+|.", draw(st.sampled_from(good)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(pieces)))
        new = draw(st.one_of(odd_values, st.sampled_from(pieces or [""])))
        pieces[at : at + draw(st.integers(0, 2))] = [as_toml(new) if draw(st.booleans()) else _plain(new)]
    return "".join(pieces)


def _plain(value: Any) -> str:
    try:
        return str(value)
    except ValueError:  # too many digits
        return hex(value)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder; the command line is built once, and tables are not printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("typer.main.get_command", cache(typer.main.get_command))
    monkeypatch.setattr("rogsim.report.console.run_results.print_run", lambda run: None)
    return tmp_path


def test_a_broken_scenario_is_refused_or_played(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 of them: lines that say what is wrong, exit code 2 and no folder; or the scenario is still valid."""
    seen = {"good": 0, "refused": 0}

    def only_check(experiment: Any, out: Path, replace: bool, **_: Any) -> None:
        plans(experiment)
        check_target(out, experiment, replace)
        seen["good"] += 1

    monkeypatch.setattr("rogsim.experiments.run.play", only_check)

    @broken
    @given(scenarios())
    def check(content: bytes) -> None:
        Path("x.toml").write_bytes(content)
        ended = rogsim_command("run", "x.toml")
        if ended.code:
            check_refused(ended)
            assert ended.out == ""
            seen["refused"] += 1
        assert snapshot(place) == {"x.toml": content}

    check()
    assert min(seen.values()) > 10, seen


def test_a_broken_sweep_or_search_is_refused_or_played(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes, axes and goals: commands that play refuse them with lines, write nothing, and agree with the check."""
    seen: dict[tuple[str, int], int] = {}
    monkeypatch.setattr("rogsim.experiments.sweep.play_sweep", stop)
    monkeypatch.setattr("rogsim.experiments.optimize.find_optimum", stop)

    @settings(broken, max_examples=EXAMPLES or FEWER)
    @example(VARIED | {"sweep": {"sample": "grid", "over": {"\n": 1}}}, ("scenario", "check"))
    @example(VARIED | {"balance": VARIED["balance"] | {"over": {"\r": 1}}}, ("scenario", "check"))
    @example(VARIED | {"game": "\r"}, ("scenario", "check"))
    @given(
        mutated(VARIED, most=1),
        st.sampled_from([("scenario", "check"), ("scenario", "explain"), ("sweep",), ("optimize",)]),
    )
    def check(data: Any, command: tuple[str, ...]) -> None:
        lines = [f"{as_toml(str(key))} = {as_toml(value)}" for key, value in data.items()]
        content = ("# Who wins?\n" + "\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
        Path("x.toml").write_bytes(content)
        ended = run_or_stop(*command, "x.toml")
        if ended.code and command == ("scenario", "check"):
            assert (ended.code, ended.err) == (2, "")
            assert all(line.startswith("x.toml: ") for line in ended.out.removesuffix("\n").split("\n")), ended
        elif ended.code:
            check_refused(ended)
            assert ended.out == ""
        if ended.code == 0:
            assert rogsim_command("run", "x.toml", "--games", "0").code == 2
        seen[command[-1], ended.code] = seen.get((command[-1], ended.code), 0) + 1
        assert snapshot(place) == {"x.toml": content}

    check()
    ways = [(command, code) for command in ("check", "explain", "sweep", "optimize") for code in (0, 2)]
    assert min(seen.get(way, 0) for way in ways) > 0, seen


def test_broken_options_of_a_search_are_refused_or_accepted(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--goal, --over and --change give a line that names the option, and nothing is written."""
    seen: dict[tuple[str, int], int] = {}
    monkeypatch.setattr("rogsim.experiments.optimize.find_optimum", stop)
    lines = [f"{as_toml(key)} = {as_toml(value)}" for key, value in VARIED.items()]
    Path("x.toml").write_text("\n".join(lines))
    before = snapshot(place)
    ranges = ["head_start.1 = [0, 1]", "spaces.more = { from = 0, to = 2 }", "spaces.* = { by = [-1, 1] }"]
    good = {"--goal": GOALS, "--over": ranges, "--change": CHANGES}

    @settings(broken, max_examples=EXAMPLES or FEWER)
    @given(st.data(), st.sampled_from(list(good)))
    def check(data: st.DataObject, option: str) -> None:
        ended = run_or_stop("optimize", "x.toml", f"{option}={data.draw(statements(good[option]))}")
        if ended.code:
            check_refused(ended)
            assert all(option in line or "x.toml: key" in line for line in ended.err.removesuffix("\n").split("\n")), (
                ended
            )
        seen[option, ended.code] = seen.get((option, ended.code), 0) + 1
        assert snapshot(place) == before

    check()
    assert min(seen.get((option, code), 0) for option in good for code in (0, 2)) > 0, seen


class StoppedError(Exception):
    """Everything was checked, and play would begin."""


def stop(*_: Any) -> None:
    raise StoppedError


def run_or_stop(*arguments: str) -> Ended:
    """Run a command line up to the point where play begins."""
    try:
        return rogsim_command(*arguments)
    except StoppedError:
        return Ended(0, "", "")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("games = " + "9" * 5000, "broken TOML: a number has too many digits"),
        ("games = " + "[" * 3000, "broken TOML: nested too deeply"),
        ("games = 0x" + "f" * 5000, 'key "games": something too large to show is not allowed: must be 1,000,000,000'),
        ("games." + "a." * 3000 + "a = 1", "broken TOML: nested too deeply"),
        ("games." + "a." * 490_000 + "a = 1", "broken TOML: nested too deeply"),
        ("change." + '"a" . ' * 60 + "a = 1", "broken TOML: nested too deeply"),
        ("[change." + "a." * 40 + "a]\n" + "a." * 40 + "a = 1", "broken TOML: nested too deeply"),
        ("change." + "a." * 40 + "a = 1", 'key "change.' + "a." * 40 + 'a": unknown: choose'),
        ('bots = ["runner@w.toml"]', 'key "bots": bot "runner@w.toml": runner has no weights'),
        ('bots = ["balanced@w.toml"]', 'key "bots": bot "balanced@w.toml": w.toml: broken TOML: nested too deeply'),
        (f'bots = ["{LONG}:x"]', f'key "bots": bot "{LONG}:x": {LONG} cannot be read: File name too long'),
    ],
    ids=[
        *("digits", "nested", "hexadecimal", "dotted", "long", "quoted", "table", "allowed", "no-weights", "weights"),
        "long-name",
    ],
)
def test_what_python_gives_up_on_is_one_line(place: Path, line: str, message: str) -> None:
    """Numbers with thousands of digits and deeply nested tables are broken input like any other."""
    key = re.split(r"[ .]", line.lstrip("["))[0]
    good = RIVER if "balanced" in line else DICE | {"bots": ["runner"]}
    lines = [f"{name} = {as_toml(value)}" for name, value in good.items() if name != key]
    Path("x.toml").write_text("\n".join([line, *lines]))
    Path("w.toml").write_text("weights = " + "[" * 3000)
    ended = rogsim_command("run", "x.toml")
    check_refused(ended)
    assert ended.err.startswith(f"rogsim: error: x.toml: {message}")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("lines", "count", "end"),
    [
        ([f"k{number} = 1" for number in range(40_000)], 101, "x.toml: 39,900 more problems are not listed"),
        (["[change]", *(f"k{number} = 1" for number in range(5000))], 101, 'key "change": 4,900 more problems are not'),
        (['"a\\nb" = 1'], 1, r'x.toml: key "a\nb": unknown'),
        (['game = "\\r"'], 1, r'x.toml: key "game": no game "\r": choose from'),
        (["k" * 100_000 + " = 1"], 1, f'x.toml: key "{"k" * 59}…": unknown'),
        (['components = "a\\u0000b"'], 1, "must be the path of a file, which has no NUL character"),
        (["[options]", "[options]"], 1, 'broken TOML: Cannot declare "options" twice'),
    ],
    ids=["keys", "changes", "newline", "return", "long", "nul", "twice"],
)
def test_mistakes_without_end_give_few_short_lines(place: Path, lines: list[str], count: int, end: str) -> None:
    """Each mistake is one line of limited length, and of many the first are listed and the others counted."""
    given = {"options", *(line.partition(" = ")[0] for line in lines)}
    good = [f"{name} = {as_toml(value)}" for name, value in RIVER.items() if name not in given]
    Path("x.toml").write_text("\n".join([*good, *lines]))
    ended = rogsim_command("run", "x.toml")
    check_refused(ended)
    said = ended.err.splitlines()
    assert (len(said), end in said[-1]) == (count, True), said[-1]
    assert max(map(len, said)) < 500
    assert snapshot(place).keys() == {"x.toml"}


@st.composite
def manifests(draw: st.DrawFn, good: Any) -> bytes:
    data = draw(mutated(good, most=2))
    if draw(st.booleans()):
        data["chunks"] = []
    for part, name in (("identity", "key"), ("scenario", "scenario_hash")):
        if isinstance(data.get(part), dict) and draw(st.integers(0, 4)):
            with suppress(UnicodeEncodeError):
                data[name] = key_of(data[part])  # otherwise a wrong hash would hide everything else
    return draw(scarred(json.dumps(data, indent=1)))


def test_a_broken_manifest_is_refused_or_replaced(place: Path) -> None:
    """500 of them: status and verify refuse it and change nothing; so does a run, or it gives the right rows."""
    folder = place / "out"
    keys = DICE | {"bots": ["runner"]}
    expected = {table: getattr(rogsim.run(keys), table)().collect() for table in ("seats", "games")}
    rogsim.run(keys, out=folder, chunk=4)
    (place / "x.toml").write_text("\n".join(f"{key} = {as_toml(value)}" for key, value in keys.items()))
    template = snapshot(folder)
    good = json.loads((folder / MANIFEST).read_text())
    seen: dict[tuple[str, int], int] = {}

    rogsim.run(keys | {"seed": 77}, out=place / "other")
    other = (place / "other" / MANIFEST).read_bytes()
    fewer = {**good, "state": "stopped", "chunks": good["chunks"][:-1]}

    known: dict[str, bytes | None] | None = None  # what is there; None if something may have changed it

    @broken
    @example(json.dumps(good).encode(), ("verify", "--games", "2"))
    @example(other, ("run",))
    @example(json.dumps(fewer).encode(), ("status",))
    @given(manifests(good), st.sampled_from([("status",), ("status", "--json"), ("verify", "--games", "2"), ("run",)]))
    def check(content: bytes, command: tuple[str, ...]) -> None:
        nonlocal known
        if known is None:
            restore(folder, template)
            known = snapshot(place)
        (folder / MANIFEST).write_bytes(content)
        before, known = known | {f"out/{MANIFEST}": content}, None
        command_line = ("run", "x.toml", "--out", "out") if command == ("run",) else (*command, "out")
        ended = rogsim_command(*command_line)
        seen[command[0], ended.code] = seen.get((command[0], ended.code), 0) + 1
        if ended.code == 2:
            check_refused(ended)
        elif command == ("run",):
            opened = Results.open(folder)
            assert all(getattr(opened, table)().collect().equals(rows) for table, rows in expected.items())
            return
        else:
            assert ended.code in (0, 1)
        assert snapshot(place) == before
        known = before

    check()
    # Otherwise only the first of all checks would have been tested.
    ways = [("run", 0), ("run", 2), ("status", 0), ("status", 1), ("status", 2), ("verify", 0), ("verify", 2)]
    assert min(seen.get(way, 0) for way in ways) > 0, seen


def restore(folder: Path, template: dict[str, bytes | None]) -> None:
    """Restore the files of a folder."""
    for name, content in template.items():
        if content is not None and (not (folder / name).exists() or (folder / name).read_bytes() != content):
            (folder / name).write_bytes(content)
