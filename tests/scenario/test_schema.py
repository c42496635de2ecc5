"""The JSON Schema of scenario files: up to date, and of one mind with what is read."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import rogsim
from rogsim.game.parameters import leaves
from rogsim.game.registry import get_game
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.scenario.model import ScenarioError, load
from rogsim.scenario.schema import scenario_schema, schema_file, schema_text
from tests.dice_game import GAME as DICE_RACE
from tests.games.river_of_gold.changes import one_change

pytestmark = pytest.mark.once_uncompiled

ROOT = Path(rogsim.__file__).parent.parent
FOLDER = ROOT / "scenarios"
FILE = FOLDER / "scenario.schema.json"
SCENARIOS = sorted(ROOT.glob("scenarios/*.toml"))
SPEC = get_game("river-of-gold")
KEYS: dict[str, Any] = {"players": [2, 3], "games": 10, "seed": 1, "bots": ["random"]}

steady = settings(derandomize=True, deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


@cache
def validator(file: Path = FILE) -> Draft202012Validator:
    return Draft202012Validator(json.loads(file.read_text(encoding="utf-8")))


def takes(data: Mapping[str, Any]) -> bool:
    return bool(validator().is_valid(data))


def is_read(data: Mapping[str, Any]) -> bool:
    try:
        load(data)
    except ScenarioError:
        return False
    return True


def nested(name: str, value: Any) -> dict[str, Any]:
    """A table in a table for each dot, as TOML reads a name."""
    for part in reversed(name.split(".")):
        value = {part: value}
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("spec", [SPEC, get_game("the-river")], ids=lambda spec: str(spec.id))
def test_the_schemas_are_up_to_date(spec: Any) -> None:
    """The file is the one that the models, options and parameters give; if not, run scripts/update-docs."""
    assert (FOLDER / schema_file(spec)).read_text(encoding="utf-8") == schema_text(spec)


@pytest.mark.parametrize("spec", [SPEC, DICE_RACE], ids=lambda spec: str(spec.id))
def test_the_schema_is_one(spec: Any) -> None:
    """It follows draft 2020-12, all its references resolve, and every definition is used."""
    schema = scenario_schema(spec)
    Draft202012Validator.check_schema(schema)
    text = json.dumps(schema)
    for name in schema["$defs"]:
        assert f'"$ref": "#/$defs/{name}"' in text
    assert set(re.findall(r'"\$ref": "#/\$defs/([^"]+)"', text)) == set(schema["$defs"])


def test_every_key_is_described() -> None:
    """Each key of a scenario, of a sweep and of a search has a sentence, and no title that repeats its name."""
    schema = json.loads(FILE.read_text(encoding="utf-8"))
    tables = [
        schema["properties"],
        schema["$defs"]["Sweep"]["properties"],
        schema["$defs"]["BalanceSearch"]["properties"],
    ]
    assert [key for table in tables for key, part in table.items() if not resolved(part).get("description")] == []
    assert [key for table in tables for key, part in table.items() if "title" in part] == []


def resolved(part: Any) -> Any:
    """A part of the schema with its reference followed."""
    if "$ref" not in part:
        return part
    return {**validator().schema["$defs"][part["$ref"].removeprefix("#/$defs/")], **part}


def test_every_parameter_is_fully_described_in_the_schema() -> None:
    """Value, range or words, and meaning of each parameter are where its name leads."""
    found = 0
    for name, fact in BOOK.parameters().items():
        part = resolved(validator().schema["properties"]["change"])
        for step in name.split("."):
            part = resolved(part["properties"][step])
        schema = resolved(part["items"]) if fact.places else part
        assert part["default"] == fact.value
        assert part["description"] == fact.meaning
        assert (schema.get("minimum"), schema.get("maximum")) == (fact.low, fact.high)
        assert tuple(schema.get("enum", ())) == fact.words
        found += 1
    assert found == len(SPEC.facts()) > 1_000
    assert FILE.stat().st_size < 150_000


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_the_scenarios_that_come_with_rogsim_fit(path: Path) -> None:
    """Each is valid, and names its game's schema in the first line."""
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text)
    file = schema_file(get_game(data["game"]))
    assert list(validator(FOLDER / file).iter_errors(data)) == []
    assert text.startswith(f"#:schema {file}\n")


GOOD = [
    {"game": "river-of-gold"},
    {"until": "seat_share ± 1 pp"},
    {"until": ["seat_share ± 1 pp"]},
    {"margin": 3},
    {"tables": ["bot", "patron"]},
    {"options": {"masteries": ["air", "fire", "water"], "patrons": "dealt"}},
    {"bots": ["random", "balanced", "tuned"]},
    {"change": {"setup": {"hand": 3, "koku_by_turn_order": {"2": 9}}}},
    {"change": {"setup.hand": 3}},
    {"change": {"setup": {"goods.silk": 2, "koku_by_turn_order": [8, 8, 8, 8]}}},
    {"change": {"customer": {"monk-1": {"second_marker": "opponent"}}, "rulings": {"last_turns": False}}},
    {"sweep": {"over": {"players": [2, 3], "setup": {"hand": {"from": 1, "to": 3}, "favor": {"by": [-1, 1]}}}}},
    {"sweep": {"sample": "sobol", "points": 8, "over": {"patron.*": {"from": 0, "to": 4, "step": 2}}}},
    {"balance": {"goal": "seat_share equal ± 2 pp", "games": 1_000, "over": {"setup.hand": [1, 2]}}},
]


@pytest.mark.parametrize("more", GOOD, ids=lambda more: next(iter(more)))
def test_what_can_be_written_fits(more: dict[str, Any]) -> None:
    """The schema accepts each way to write a key, as it is read."""
    assert is_read(KEYS | more)
    assert list(validator().iter_errors(KEYS | more)) == []


HAND = {"setup": {"hand": 3}}
BROKEN: list[dict[str, Any]] = [
    *({key: None} for key in KEYS),  # left out
    {"sede": 1},
    {"game": "chess"},
    {"game": 1},
    {"players": []},
    {"players": 2},
    {"players": [5]},
    {"players": [2, 2]},
    {"players": ["2"]},
    {"players": [2.5]},
    {"games": 0},
    {"games": -1},
    {"games": "10"},
    {"games": 1.5},
    {"games": True},
    {"games": 1_000_000_001},
    {"games": [10]},
    {"seed": -1},
    {"seed": 2**63},
    {"seed": "1"},
    {"seed": 0.5},
    {"bots": []},
    {"bots": "random"},
    {"bots": [1]},
    {"bots": ["random"] * 25},
    {"until": 1},
    {"until": [1]},
    {"tables": "seat"},
    {"tables": ["weather"]},
    {"tables": [1]},
    {"margin": 0},
    {"margin": 51},
    {"margin": "2"},
    {"options": 1},
    {"options": {"masterise": "each"}},
    {"options": {"masteries": 3}},
    {"options": {"patrons": [1]}},
    {"change": 1},
    {"change": []},
    {"change": {"hand": 3}},
    {"change": {"setup": {"hnad": 3}}},
    {"change": {"setup": {"hand": 7}}},
    {"change": {"setup": {"hand": -1}}},
    {"change": {"setup": {"hand": "3"}}},
    {"change": {"setup": {"hand": True}}},
    {"change": {"setup": {"hand": [3]}}},
    {"change": {"setup": {"hand": {"1": 3}}}},
    {"change": {"setup": {"koku_by_turn_order": 8}}},
    {"change": {"setup": {"koku_by_turn_order": []}}},
    {"change": {"setup": {"koku_by_turn_order": [8] * 5}}},
    {"change": {"setup": {"koku_by_turn_order": [8, 8, 8, 101]}}},
    {"change": {"setup": {"koku_by_turn_order": {"5": 8}}}},
    {"change": {"setup": {"koku_by_turn_order": {"0": 8}}}},
    {"change": {"rulings": {"last_turns": 0}}},
    {"change": {"rulings": {"first_turns": True}}},
    {"change": {"customer": {"artisan-7": {"order": {"silk": 1}}}}},
    {"change": {"customer": {"artisan-1": {"region": 2}}}},
    {"change": {"customer": {"monk-1": {"second_marker": "mine"}}}},
    {"change": {"track": {"good_at_2": ["gold"] * 6}}},
    {"change": {"tile": {"era1-port-3": {"owner": {"koku": 101}}}}},
    {"change": {"regions": {"names": ["x"]}}},
    {"sweep": {}},
    {"sweep": {"over": {}}},
    {"sweep": {"over": {"players": []}}},
    {"sweep": {"over": {"setup.hand": 3}}},
    {"sweep": {"over": {"setup.hand": {"from": 1}}}},
    {"sweep": {"over": {"setup.hand": {"from": 1, "to": 3, "step": 0}}}},
    {"sweep": {"sample": "some", "over": {"players": [2]}}},
    {"sweep": {"points": 1, "over": {"players": [2]}}},
    {"sweep": {"ovre": {"players": [2]}}},
    {"balance": {"over": {"setup.hand": [1]}}},
    {"balance": {"goal": [], "over": {"setup.hand": [1]}}},
    {"balance": {"goal": 1, "over": {"setup.hand": [1]}}},
    {"balance": {"goal": "x", "games": 0, "over": {"setup.hand": [1]}}},
]


@pytest.mark.parametrize("wrong", BROKEN, ids=str)
def test_what_is_wrong_does_not_fit(wrong: dict[str, Any]) -> None:
    """Each mistake is one for the schema, too."""
    data = {key: value for key, value in (copy.deepcopy(KEYS) | wrong).items() if value is not None}
    assert takes(KEYS)
    assert not takes(data)


def test_there_are_many_mistakes() -> None:
    """The list of mistakes is long, and nothing on it is accepted, except axes, which are read later."""
    assert len(BROKEN) >= 50
    for wrong in BROKEN:
        if "sweep" in wrong and "over" in wrong["sweep"]:
            continue
        data = {key: value for key, value in (copy.deepcopy(KEYS) | wrong).items() if value is not None}
        assert not is_read(data), wrong


@steady
@given(one_change(), st.booleans())
def test_a_change_that_is_read_fits(change: tuple[str, Any], quoted: bool) -> None:
    """Whatever parameter a scenario may change, to whatever value: the schema accepts it, nested or with dots."""
    name, value = change
    written = {name: value} if quoted else nested(name, value)
    if not BOOK.check_change(written)[1]:
        assert list(validator().iter_errors(KEYS | {"change": written})) == []


@steady
@given(st.data())
def test_what_is_out_of_range_fits_neither(data: st.DataObject) -> None:
    """A number outside a parameter's range, or another kind of value, is refused by both."""
    fact = data.draw(st.sampled_from(list(BOOK.parameters().values())))
    wrong: list[Any] = ["x", None, 1.5, [None]]
    wrong += [[], 3] if fact.places else [[1], {}]
    if fact.low is not None and fact.high is not None:
        wrong += [fact.low - 1, fact.high + 1, True]
    value = data.draw(st.sampled_from(wrong))
    if fact.places and isinstance(value, int) and data.draw(st.booleans()):
        value = [value] * len(fact.value)
        if value[0] == 3:
            value = [*value[:-1], "x"]
    change = nested(fact.name, value)
    assert dict(leaves(change))
    assert BOOK.check_change(change)[1]
    assert not takes(KEYS | {"change": change})
