"""What rows follow from: the same run has the same key, any other another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rogsim.scenario import fingerprint
from rogsim.scenario.fingerprint import differences, engine_hash, identity_of, key_of
from rogsim.scenario.model import load

pytestmark = pytest.mark.usefixtures("dice_race")

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2, 3], "games": 40, "seed": 9, "bots": ["moody"]}


def key(**changes: Any) -> str:
    return key_of(identity_of(load(KEYS | changes)))


def test_what_makes_no_row_makes_no_difference() -> None:
    """Number of games, tables and rules for stopping do not change the key, nor do defaults that are written out."""
    assert key() == key(games=1000) == key(tables=["bot"]) == key(until="seat_share ± 2 pp")
    assert key() == key(options={"short": 10}) == key_of(dict(reversed(identity_of(load(KEYS)).items())))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"seed": 8}, "seed is 9 in the stored run and 8 in this one"),
        ({"players": [2]}, "players is [2, 3] in the stored run and [2] in this one"),
        ({"bots": ["walker"]}, 'bots is ["moody"] in the stored run and ["walker"] in this one'),
        ({"options": {"short": 5}}, "options.short is 10 in the stored run and 5 in this one"),
        ({"change": {"spaces.more": 5}}, "change.spaces.more is not changed in the stored run and 5 in this one"),
    ],
)
def test_what_makes_other_rows_is_reported(change: dict[str, Any], line: str) -> None:
    """Each key of a scenario that rows depend on changes the key of the run, and one line states the difference."""
    assert key() != key(**change)
    assert differences(identity_of(load(KEYS)), identity_of(load(KEYS | change))) == [line]


def test_a_bots_file_and_weights_are_reported(tmp_path: Path) -> None:
    """A bot whose file was changed is another bot of the same name."""
    path, found = tmp_path / "mine.py", []
    for weight in ("1.0", "2.0"):
        path.write_text(f"WEIGHTS = [{weight}]\n\ndef choose(setup, race, menu, memory):\n    return 0\n")
        found.append(identity_of(load(KEYS | {"bots": [f"{path}:choose"]})))
    name = f'bot "{path}:choose"'
    assert differences(*found) == [f"{name}: its file differs", f"{name}: its weights differ"]


def test_other_rules_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules, parameters and bots of the game are hashed with chance and the plan, each file of them."""
    ours = identity_of(load(KEYS))
    monkeypatch.setattr(fingerprint, "engine_hash", lambda package: "0" * 16)
    assert differences(ours, identity_of(load(KEYS))) == ["the source code of the rules and bots differs"]


def test_every_source_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number in any file of the package of a game changes the hash, a note beside it does not."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "market_game"
    for folder in (package, package / "ai", package / "ai" / "bots"):
        folder.mkdir()
        (folder / "__init__.py").touch()
    (package / "rules.py").write_text("x = 1\n")
    (package / "figures.toml").write_text("koku = 7\n")

    def hashed() -> str:
        return engine_hash.__wrapped__("market_game.ai.bots")

    first = hashed()
    (package / "notes.txt").write_text("mine")
    assert hashed() == first
    for changed in (package / "rules.py", package / "figures.toml"):
        before = hashed()
        changed.write_text("x = 2\n")
        assert hashed() != before


def test_the_kit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dealing and the play loop belong to the engine, although they are outside the game's folder."""
    with_kit = engine_hash.__wrapped__("tests.dice_game.bots")
    monkeypatch.setattr(fingerprint, "SOURCES", [name for name in fingerprint.SOURCES if name != "game/kit"])
    assert engine_hash.__wrapped__("tests.dice_game.bots") != with_kit


def test_many_differences_are_cut_short() -> None:
    """A long list is shortened, and its length is stated."""
    lines = differences({f"a{n}": 1 for n in range(30)}, {f"a{n}": 2 for n in range(30)})
    assert len(lines) == 11
    assert lines[-1] == "and 20 more differences"


def test_the_key_is_that_of_the_text() -> None:
    """The first 16 digits of the SHA-256 of the JSON with sorted keys, as docs/results.md says."""
    import hashlib

    text = json.dumps({"a": [1], "b": "ä"}, sort_keys=True, ensure_ascii=False)
    assert key_of({"b": "ä", "a": [1]}) == hashlib.sha256(text.encode()).hexdigest()[:16]
