"""Scenarios: what is read, and what is refused in which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rogsim.game.topics import question_topic
from rogsim.scenario.model import Scenario, ScenarioError, load

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]

GOOD = """# Does the first seat win
# too often? Rolled, not walked.
game = "dice-race"
players = [2, 3]
games = 1_000
seed = 7
bots = ["runner"]
tables = ["seat", "track"]

[options]
long = 20
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "x.toml"
    path.write_text(text)
    return path


def problems(folder: Path, text: str, **overrides: Any) -> list[str]:
    """The lines of the error that a scenario gives, without the folder's name."""
    with pytest.raises(ScenarioError) as caught:
        load(write(folder, text), overrides, option_prefix="--")
    return str(caught.value).replace(f"{folder}/", "").splitlines()


def test_a_good_scenario_is_read_in_full(tmp_path: Path) -> None:
    """Keys, question, name, options with their defaults, and a set-up for each player count."""
    experiment = load(write(tmp_path, GOOD))
    assert experiment.name == "x"
    assert experiment.question == "Does the first seat win too often?"
    assert experiment.scenario.players == (2, 3)
    assert experiment.scenario.options == {"short": 10, "long": 20, "end": "sudden", "handicap": "none"}
    assert set(experiment.setups) == {2, 3}
    assert list(experiment.sources) == ["runner"]


def test_overrides_replace_keys(tmp_path: Path) -> None:
    """A given override wins, None leaves the file's own value."""
    scenario = load(write(tmp_path, GOOD), {"games": 5, "seed": None}).scenario
    assert (scenario.games, scenario.seed) == (5, 7)


def test_a_mapping_and_a_scenario_do_as_well_as_a_file(tmp_path: Path) -> None:
    """The same keys from a file, a mapping and a Scenario make the same scenario."""
    from_file = load(write(tmp_path, GOOD)).scenario
    keys = {"players": [2, 3], "games": 1_000, "seed": 7, "bots": ["runner"], "tables": ["seat", "track"]}
    keys |= {"game": "dice-race", "options": {"long": 20}}
    assert load(keys).scenario == load(Scenario(**keys)).scenario == from_file


def test_a_scenario_without_a_game_is_of_the_default_game() -> None:
    """As in a file, the game may be left out of a Scenario."""
    keys = {"players": [2], "games": 10, "seed": 7, "bots": ["random"]}
    assert load(Scenario(**keys)).scenario == load(keys).scenario


def test_an_empty_mapping_lacks_keys() -> None:
    """Each line names the scenario, as with any other mapping."""
    with pytest.raises(ScenarioError, match=r'^scenario: key "players": is missing\nscenario: key "games"'):
        load({})


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("[2, 3]", "[2, 5]", 'x.toml: key "players": 5 is not allowed: choose from 2, 3, 4'),
        ("[2, 3]", "[2, 2]", 'x.toml: key "players": 2 is listed twice'),
        ("[2, 3]", "[]", 'x.toml: key "players": [] is not allowed: must have 1 or more entries'),
        ("[2, 3]", "4", 'x.toml: key "players": 4 is not allowed: must be a list'),
        ("[2, 3]", "[true]", 'x.toml: key "players": true is not allowed: must be a whole number'),
        ("1_000", "0", 'x.toml: key "games": 0 is not allowed: must be 1 or more'),
        ("1_000", '"many"', 'x.toml: key "games": "many" is not allowed: must be a whole number'),
        ("1_000", "1e3", 'x.toml: key "games": 1000.0 is not allowed: must be a whole number'),
        ("= 7", "= -1", 'x.toml: key "seed": -1 is not allowed: must be 0 or more'),
        (
            "= 7",
            "= 9223372036854775808",
            'x.toml: key "seed": 9223372036854775808 is not allowed: must be less than 9,223,372,036,854,775,808',
        ),
        ("= 7", "= 7\nmargin = nan", 'x.toml: key "margin": nan is not allowed: must be a finite number'),
        ("seed = 7\n", "", 'x.toml: key "seed": is missing'),
        ("seed =", "sede =", 'x.toml: key "sede": unknown, did you mean "seed" or "sweep"?'),
        (
            "seed = 7",
            "seed = 7\nzzz = 1",
            'x.toml: key "zzz": unknown: choose from game, players, games, until, seed, bots, tables, about, margin, '
            "options, change, components, sweep, balance",
        ),
        ('"dice-race"', "1", 'x.toml: key "game": 1 is not allowed: must be text in quotes'),
        ('["runner"]', '"runner"', 'x.toml: key "bots": "runner" is not allowed: must be a list'),
        ('["runner"]', "[1]", 'x.toml: key "bots": 1 is not allowed: must be text in quotes'),
        (
            '["runner"]',
            '["runner", "walker"]',
            'x.toml: key "bots": 2 are too few for 3 players: name one bot, which takes every seat, or at least 3',
        ),
        (
            '["runner"]',
            '["jumper"]',
            'x.toml: key "bots": no bot "jumper": choose from runner, walker, moody, random, planner, search, learned, '
            "or name your own as path/to/file.py:name",
        ),
        (
            '"track"]',
            '"weather"]',
            'x.toml: key "tables": "weather" is not allowed: choose from seat, bot, first_roll, track',
        ),
        ("long = 20", "lnog = 20", 'x.toml: key "options.lnog": unknown, did you mean "long"?'),
        ("long = 20", "long = 200", 'x.toml: key "options.long": 200 is not allowed: must be 100 or less'),
        (
            "long = 20",
            'end = "never"',
            'x.toml: key "options.end": "never" is not allowed: choose from sudden, fair',
        ),
        (
            "long = 20",
            'handicap = "some"',
            'x.toml: key "options.handicap": "some" is not allowed: choose from none, or must be a list',
        ),
        (
            "long = 20",
            'handicap = [0, "x"]',
            'x.toml: key "options.handicap": "x" is not allowed: must be a whole number',
        ),
        ("[options]\nlong = 20", "options = 1", 'x.toml: key "options": 1 is not allowed: must be a table'),
        (
            "long = 20",
            "handicap = [0, 1, 2]",
            "x.toml: 2 players: handicap has 3 entries, and needs one for each seat",
        ),
        (
            "long = 20",
            "long = 5",
            "x.toml: 2 players: the long track (5) is shorter than the short one (10)",
        ),
    ],
)
def test_each_mistake_has_its_line(tmp_path: Path, old: str, new: str, line: str) -> None:
    """One mistake gives one line: file, key, value, and what is allowed."""
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    # A key after the table's head would belong to the table.
    text = text.replace("\n\noptions = 1", "\noptions = 1")
    assert problems(tmp_path, text) == [line]


def test_every_mistake_is_reported_at_once(tmp_path: Path) -> None:
    """Several mistakes give as many lines."""
    text = GOOD.replace("[2, 3]", "[1, 9]").replace("runner", "jumper").replace("long = 20", "end = 1")
    assert [line.split(":")[1] for line in problems(tmp_path, text)] == [
        ' key "options.end"',
        ' key "players"',
        ' key "players"',
        ' key "bots"',
    ]


def test_an_override_is_named_as_it_was_typed(tmp_path: Path) -> None:
    """A mistake on the command line is reported under its option, not as one of the file."""
    assert problems(tmp_path, GOOD, games=0) == ["--games: 0 is not allowed: must be 1 or more"]


def test_an_unknown_game_is_reported_with_the_known_ones(tmp_path: Path) -> None:
    """A game that does not exist is refused by name."""
    for name in ("dice", ""):
        (line,) = problems(tmp_path, GOOD.replace("dice-race", name))
        assert line.startswith(f'x.toml: key "game": no game "{name}": choose from ')
        assert "dice-race" in line


def test_a_broken_file_is_reported_with_its_line(tmp_path: Path) -> None:
    """A file that is not TOML is refused with the place of the mistake."""
    (line,) = problems(tmp_path, GOOD.replace("= 7", "= = 7"))
    assert line.startswith("x.toml: broken TOML: ")
    assert "line 6" in line


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    """A missing file, a folder and an image are each refused in one line."""
    (tmp_path / "picture.toml").write_bytes(b"\x89PNG\xff")
    for name, what in [
        ("none.toml", "there is no such file"),
        ("", r"is a folder; name a scenario file \(results folders: `rogsim report`\)"),
        ("picture.toml", "is not a text file in UTF-8"),
    ]:
        with pytest.raises(ScenarioError, match=f": {what}$"):
            load(tmp_path / name)


def test_a_users_bot_is_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    """The path of a bot's file starts at the scenario's folder, wherever the command runs."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").write_text("def pick(setup, race, menu, memory):\n    return 0\n")
    text = GOOD.replace('"runner"', '"bots/mine.py:pick"')
    assert load(write(tmp_path, text)).sources["bots/mine.py:pick"].foreign


@pytest.mark.parametrize(
    ("options", "about", "topic"),
    [
        ('patrons = "dealt"', "", "patrons"),
        ('patrons = "none"', "", "seats"),
        ('patrons = "dealt"', 'about = "seats"', "seats"),
        ('patrons = "none"', 'about = "masteries"', "masteries"),
    ],
    ids=["dealt", "nothing-dealt", "named-seats", "named-topic"],
)
def test_the_question_is_about_what_is_dealt_unless_it_says_so(
    tmp_path: Path, options: str, about: str, topic: str
) -> None:
    """Pages judge, rank and draw this topic first."""
    place = tmp_path / "x.toml"
    keys = ['game = "river-of-gold"', "players = [2]", "games = 10", "seed = 1", 'bots = ["random"]', about]
    place.write_text("\n".join([*keys, "[options]", options]) + "\n")
    experiment = load(place)
    manifest = {"scenario": experiment.scenario.model_dump(mode="json")}
    assert question_topic(experiment.spec.topics, manifest) == topic


def test_a_topic_that_the_game_does_not_have_is_refused(tmp_path: Path) -> None:
    """The line has all topics."""
    place = tmp_path / "x.toml"
    place.write_text('game = "river-of-gold"\nplayers = [2]\ngames = 10\nseed = 1\nbots = ["random"]\nabout = "luck"\n')
    with pytest.raises(
        ScenarioError, match=r'x.toml: key "about": "luck" is not allowed: choose from seats, patrons, '
    ):
        load(place)
