"""The parameters of any game from its declarations and files: a small market that uses every kind of value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.base.validation import Problem
from rogsim.game.kit.changes import checker_of
from rogsim.game.kit.components import Book, ComponentsError, at_most, wrong
from rogsim.game.kit.kinds import (
    FIXED,
    HOLDER,
    OTHERS,
    ByPlayers,
    Components,
    Count,
    DeclarationError,
    Flag,
    Keyed,
    Listed,
    OneOf,
    Rows,
    Text,
    printed,
)
from rogsim.game.parameters import Parameter

pytestmark = pytest.mark.once_uncompiled

Few = Count(0, 9)
KINDS = ("fruit", "tool")
DAYS = ("today", "tomorrow")
HOURS = ("noon", "night")
GATES = ("east", "west")
PURSES = (2, 3, 4)


class Price:
    coins: Few = printed("what it costs", OTHERS, default=2)
    double: Flag = printed(default=False)


class Stall:
    id: Count[1, 3] = FIXED
    name: Text
    price: Price


class Good:
    id: Text
    type: OneOf[KINDS] = FIXED


class Fruit(Good):
    ripe: OneOf[DAYS]


class Tool(Good):
    strength: Few
    weight: Few

    @staticmethod
    def has(row: Mapping[str, Any], key: str) -> bool:
        return key != "weight" or row["id"] == "axe"


TYPES = {"fruit": Fruit, "tool": Tool}


class Market(Components):
    purse: ByPlayers[PURSES, Listed[Few, 1, 2]] = printed("coins at the start", label="Purse of {} players")
    rounds: Listed[Flag, 3, 3, 0] = printed(default=[True, True, False])
    walls: Count[4, 4]
    grid: Listed[Listed[Few, 2], 2]
    bonus: Keyed[HOURS, Price] = printed(favours=HOLDER)
    toll: Keyed[GATES, Few] = printed("in coins:", HOLDER)
    stall: Rows[Stall]
    good: Rows[TYPES]


def check_goods(market: Market) -> Iterator[Problem]:
    yield from at_most("bonus.noon.coins", market.bonus["noon"].coins, market.grid[0][0], "grid.1.1")


def check_stalls(market: Market) -> Iterator[Problem]:
    for stall in market.stall:
        name = "first" if stall.id == 1 else "second"
        if stall.name != name:
            yield wrong(f"stall.{stall.id}.name", stall.name, f'"{name}", as printed')


GOODS = """
[[good]]
id = "plum"
type = "fruit"
ripe = "today"

[[good]]
id = "saw"
type = "tool"
strength = 3
"""
PLACES = """
walls = 4
grid = [[5, 1], [2, 3]]
purse = { 2 = [1, 2], 3 = [3], 4 = [4] }
bonus = { noon = { coins = 1 } }
toll = { east = 3 }

[[stall]]
id = 1
name = "first"
price = { coins = 4 }

[[stall]]
id = 2
name = "second"
price = {}
"""


@pytest.fixture
def book(tmp_path: Path) -> Book[Market]:
    folder = tmp_path / "components"
    folder.mkdir()
    (folder / "places.toml").write_text(PLACES)
    (folder / "goods.toml").write_text(GOODS)
    return Book(Market, folder, (check_goods, check_stalls), {"grid.2": "the back row"})


def test_every_value_that_may_change_is_listed(book: Book[Market]) -> None:
    """In the order of the declarations, also those that the files leave out, with their defaults; nothing fixed."""
    assert {fact.name: fact.value for fact in book.facts()} == {
        "purse.2": [1, 2],
        "purse.3": [3],
        "purse.4": [4],
        "rounds": [True, True, False],
        "grid.1": [5, 1],
        "grid.2": [2, 3],
        "bonus.noon.coins": 1,
        "bonus.noon.double": False,
        "bonus.night.coins": 2,
        "bonus.night.double": False,
        "toll.east": 3,
        "toll.west": 0,
        "stall.1.price.coins": 4,
        "stall.1.price.double": False,
        "stall.2.price.coins": 2,
        "stall.2.price.double": False,
        "good.plum.ripe": "today",
        "good.saw.strength": 3,
    }
    assert [fact.name for fact in book.facts()] == list(book.parameters())
    fixed = {"walls", "stall.1.id", "stall.2.name", "good.plum.id", "good.plum.type", "good.saw.type"}
    assert fixed <= book.fixed_names()
    assert book.fixed_names().isdisjoint(book.parameters())


def test_each_says_what_it_is_and_may_be(book: Book[Market]) -> None:
    """Ranges, words, places and labels come from the declarations; a meaning is around it, or the name in words."""
    facts = book.parameters()
    assert facts["stall.2.price.coins"] == Parameter(
        "stall.2.price.coins", 2, "a whole number from 0 to 9", "what it costs", 0, 9, favours=-1
    )
    assert facts["purse.3"] == Parameter(
        "purse.3", [3], "a list of 1 to 2, each a whole number from 0 to 9", "coins at the start",
        0, 9, (), ("1", "2"), "Purse of 3 players", fewest=1,
    )  # fmt: skip
    assert [facts[name].meaning for name in ("grid.1", "grid.2", "toll.east", "good.saw.strength")] == [
        "1",
        "the back row",
        "in coins:",
        "strength",
    ]
    rounds = facts["rounds"]
    assert (rounds.allowed, rounds.places) == ("a list of 3, each true or false", ("0", "1", "2"))
    assert facts["good.plum.ripe"].words == ("today", "tomorrow")


def test_whom_a_parameter_favours_is_said_by_it_or_around_it(book: Book[Market]) -> None:
    """The innermost declaration counts; without one it is unknown."""
    favours = {name: parameter.favours for name, parameter in book.parameters().items()}
    tolls = {name: 1 for name in favours if name.startswith("toll.")}
    assert tolls
    assert {name: favours[name] for name in tolls} == tolls
    assert favours["stall.2.price.coins"] == -1
    assert {favours[name] for name in favours if name.startswith("bonus.") and name.endswith(".coins")} == {-1}
    assert favours["purse.3"] == favours["good.saw.strength"] == 0


LATER = {"good.plum.ripe": "tomorrow", "good.saw.strength": 9}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"stall": {"2": {"price": {"coins": 3}}}}, {"stall.2.price.coins": 3}),
        ({"stall.2.price.coins": 2, "bonus.night.coins": 2}, {}),
        ({"rounds.2": True}, {"rounds": [True, True, True]}),
        ({"rounds": [True, True, False]}, {}),
        ({"bonus.night.coins": 4, "toll.west": 2}, {"bonus.night.coins": 4, "toll.west": 2}),
        ({"grid.1.1": 0, "bonus.noon.coins": 0}, {"grid.1": [0, 1], "bonus.noon.coins": 0}),
        ({"purse.3": [3, 4], "purse.3.2": 5}, {"purse.3": [3, 5]}),
        (
            {"good.saw.strength": 9, "good.plum.ripe": "tomorrow"},
            {"good.plum.ripe": "tomorrow", "good.saw.strength": 9},
        ),
    ],
)
def test_what_differs_is_found_and_arrives(book: Book[Market], change: dict[str, Any], found: dict[str, Any]) -> None:
    """A change is what differs from the files, in their order; the components have it, and the shared ones do not."""
    before = repr(book.printed())
    changed, problems = book.check_change(change)
    assert (changed, list(changed), problems) == (found, list(found), [])
    assert (book.with_change(changed) != book.printed()) == bool(found)
    assert book.problems_of(book.with_change(changed)) == []
    if "grid.1" in found:
        assert book.with_values(changed).grid[0] == [0, 1]
    assert repr(book.printed()) == before


@pytest.mark.parametrize(
    ("change", "key", "text"),
    [
        ({"stall.2.price.coin": 3}, "stall.2.price.coin", '"stall.2.price.coins"'),
        ({"stall.2.price": 3}, "stall.2.price", "is a table: change a parameter in it, such as stall.2.price.coins"),
        ({"stall.2.name": "x"}, "stall.2.name", "cannot be changed: the rules depend on it"),
        ({"good.saw.weight": 1}, "good.saw.weight", '"weight" in "good.saw" is unknown: choose from strength'),
        ({"walls": 5}, "walls", "cannot be changed: the rules depend on it"),
        ({"rounds.3": True}, "rounds.3", "unknown: choose from 0, 1, 2"),
        ({"purse.3.2": 1}, "purse.3.2", "is not in the list, which is now [3]"),
        ({"rounds.1": 1}, "rounds.1", "1 is not allowed: must be true or false"),
        ({"purse.2": [10, 1]}, "purse.2.1", "10 is not allowed: must be a whole number from 0 to 9"),
        ({"good.plum.ripe": "now"}, "good.plum.ripe", '"now" is not allowed: must be "today" or "tomorrow"'),
        ({"grid.1.1": 0}, "bonus.noon.coins", "1 is not allowed: must be at most 0 (grid.1.1), with these changes"),
        ({"bonus.dawn.coins": 1}, "bonus.dawn.coins", '"dawn" in "bonus" is unknown: choose from noon, night'),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_what_is_wrong_has_one_line(book: Book[Market], change: dict[str, Any], key: str, text: str) -> None:
    """An unknown name, a value that is not allowed, and one that conflicts with others; nothing is changed."""
    found, (problem,) = book.check_change(change)
    assert found == {}
    assert (".".join(problem.key), text in problem.text) == (key, True), problem


@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    [
        ("places.toml", "walls = 4", "walls = 5", "places.toml: walls: 5 is not allowed: must be 4"),
        ("places.toml", "coins = 4", "coin = 4", 'places.toml: stall.1.price.coin: unknown, did you mean "coins"?'),
        ("places.toml", "walls = 4", "", "components: walls: is missing"),
        ("places.toml", "= 4", f"= {'4' * 5000}", "places.toml: not valid TOML: a number has too many digits"),
        ("places.toml", "= 4", "= 4 4", "places.toml: not valid TOML: Expected newline"),
        ("places.toml", "walls", "wall", 'places.toml: wall: unknown, did you mean "walls"'),
        ("places.toml", "3 = [3], ", "", "places.toml: purse.3: is missing"),
        ("places.toml", "id = 2", "id = 1", "places.toml: stall.1: is given twice"),
        ("places.toml", "id = 2", "", "places.toml: stall.2.id: is missing"),
        ("places.toml", "price = {}", "price = 3", "places.toml: stall.2.price: 3 is not allowed: must be a table"),
        ("places.toml", '"second"', '""', 'places.toml: stall.2.name: "" is not allowed: must be a text that is not'),
        ("places.toml", '"second"', '"third"', 'places.toml: stall.2.name: "third" is not allowed: must be "second"'),
        ("goods.toml", '"tool"', '"toy"', 'goods.toml: good.saw.type: "toy" is not allowed: must be "fruit" or "tool"'),
        ("goods.toml", 'type = "tool"', "", "goods.toml: good.saw.type: is missing"),
        ("goods.toml", "strength = 3", "weight = 3", "goods.toml: good.saw.strength: is missing"),
        ("goods.toml", "strength = 3", "strength = 3\nweight = 3", "goods.toml: good.saw.weight: unknown"),
    ],
)  # fmt: skip
def test_a_broken_file_is_named(book: Book[Market], file: str, old: str, new: str, line: str) -> None:
    """Each problem of a file is one line with the file, the key, the value and what is allowed."""
    path = book.folder / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ComponentsError) as caught:
        book.load(book.folder)
    assert issubclass(ComponentsError, RogsimError)
    assert any(found.startswith(line) for found in caught.value.problems), caught.value.problems


MARKED = {
    "bonus = { noon = { coins = 1 } }": "bonus = { sourced = false, reconstructed = 'guess', noon = { coins = 1 } }",
    "toll = { east": "toll = { sourced = true, east",
    "id = 1\n": "id = 1\nsourced = false\nreconstructed = 'worn off'\n",
    "price = { coins = 4 }": "price = { sourced = true, coins = 4 }",
    "price = {}": "price = { reconstructed = { coins = 'a copy' }, coins = 2 }",
    "ripe =": "reconstructed = 'eaten'\nripe =",
}


def mark(book: Book[Market], marks: Mapping[str, str]) -> Book[Market]:
    """Write marks into the files of a book, and return the book that reads them."""
    for path in book.folder.glob("*.toml"):
        text = path.read_text()
        for old, new in marks.items():
            text = text.replace(old, new)
        path.write_text(text)
    return replace(book)


def test_values_without_a_source_say_why(book: Book[Market]) -> None:
    """The innermost mark around a value counts; what no mark is about has a source; values are the same as without."""
    marked = mark(book, MARKED)
    assert {fact.name: fact.reconstructed for fact in marked.facts() if fact.reconstructed} == {
        "bonus.noon.coins": "guess",
        "bonus.noon.double": "guess",
        "bonus.night.coins": "guess",
        "bonus.night.double": "guess",
        "stall.2.price.coins": "a copy",
        "good.plum.ripe": "eaten",
    }
    assert marked.printed() == {**book.printed(), "stall": marked.printed()["stall"]}
    assert all(
        not name.endswith(("sourced", "reconstructed")) for name in {*marked.fixed_names(), *marked.parameters()}
    )


@pytest.mark.parametrize("name", ["stall.1.sourced", "stall.2.price.reconstructed", "bonus.sourced", "purse.sourced"])
def test_marks_cannot_be_changed(book: Book[Market], name: str) -> None:
    """A mark is not a parameter, whether the file has it or not; the error says what it is."""
    found, (problem,) = mark(book, MARKED).check_change({name: True})
    assert (found, ".".join(problem.key)) == ({}, name)
    assert problem.text == "is not a parameter: it says whether values have a source"


@pytest.mark.parametrize(
    ("marks", "line"),
    [
        ("sourced = 1", "places.toml: stall.1.sourced: 1 is not allowed: must be true or false"),
        ("sourced = false", "places.toml: stall.1.sourced: false is not allowed: must be true, or false together with"),
        ("reconstructed = 3", "places.toml: stall.1.reconstructed: 3 is not allowed: must be a text, why"),
        ("reconstructed = ''", 'places.toml: stall.1.reconstructed: "" is not allowed: must be a text, why'),
        (
            "sourced = true\nreconstructed = 'x'",
            'places.toml: stall.1.reconstructed: "x" is not allowed: must be a text, ',
        ),
        (
            "reconstructed = { cost = 'x' }",
            'places.toml: stall.1.reconstructed: {"cost": "x"} is not allowed: must be the',
        ),
        (
            "reconstructed = { price = 1 }",
            'places.toml: stall.1.reconstructed: {"price": 1} is not allowed: must be the',
        ),
    ],
)
def test_a_wrong_mark_is_named(book: Book[Market], marks: str, line: str) -> None:
    """Marks that contradict each other, have no reason, or are about nothing are one line each."""
    with pytest.raises(ComponentsError) as caught:
        mark(book, {"id = 1\n": f"id = 1\n{marks}\n"}).load(book.folder)
    (problem,) = caught.value.problems
    assert problem.startswith(line)


class Crowd:
    players: Count[2, 4] = FIXED
    coins: Few


class Crowds(Components):
    crowd: Rows[Crowd, (2, 3, 4)]


def test_rows_go_by_the_number_of_players(tmp_path: Path) -> None:
    """A row for several numbers of players is one for each of them: listed, marked, changed and checked separately."""
    rows = ("{ players = [3, 4], coins = 5, sourced = false, reconstructed = 'guess' }", "{ players = 2, coins = 1 }")
    (tmp_path / "x.toml").write_text(f"crowd = [{', '.join(rows)}]")
    crowds = Book(Crowds, tmp_path)
    assert [(fact.name, fact.value, fact.reconstructed) for fact in crowds.facts()] == [
        ("crowd.3.coins", 5, "guess"),
        ("crowd.4.coins", 5, "guess"),
        ("crowd.2.coins", 1, ""),
    ]
    assert crowds.check_change({"crowd": {"4": {"coins": 7}}}) == ({"crowd.4.coins": 7}, [])
    changed = crowds.with_change({"crowd.4.coins": 7})["crowd"]
    assert [row["coins"] for row in changed] == [5, 7, 1]
    (problem,) = crowds.check_change({"crowd.3.coins": 10})[1]
    assert (".".join(problem.key), problem.text) == (
        "crowd.3.coins",
        "10 is not allowed: must be a whole number from 0 to 9",
    )
    (problem,) = crowds.check_change({"crowd.3.players": 2})[1]
    assert problem.text == "cannot be changed: the rules depend on it"


class Unlimited(Components):
    bid: int  # its range is missing


def test_a_number_without_a_range_is_a_mistake_of_the_game(tmp_path: Path) -> None:
    """A number whose values nobody limits is refused with what its author must write."""
    (tmp_path / "x.toml").write_text("bid = 1")
    with pytest.raises(DeclarationError, match=r"^Unlimited.bid: int is no kind of field; write Count\[0, 10\]$"):
        Book(Unlimited, tmp_path).facts()


FEW = (
    Parameter("start", [0, 0], low=0, high=9, places=("1", "2")),
    Parameter("end", "early", words=("early", "late")),
    Parameter("fair", False),
)


@pytest.mark.parametrize(
    ("change", "found", "lines"),
    [
        ({"start.2": 9, "fair": False}, {"start": [0, 9]}, []),
        ({"start": [1, 0], "start.2": 2, "end": "late"}, {"start": [1, 2], "end": "late"}, []),
        ({"start.2": 10}, {}, ["start.2: 10 is not allowed: must be a whole number from 0 to 9"]),
        ({"start": [1]}, {}, ["start: [1] is not allowed: must be a list of 2, each a whole number from 0 to 9"]),
        ({"start": [1, True]}, {}, ["start.2: true is not allowed: must be a whole number from 0 to 9"]),
        ({"end": True, "fair": 1, "strat": 1}, {}, [
            'strat: unknown, did you mean "start"?',
            'end: true is not allowed: must be "early" or "late"',
            "fair: 1 is not allowed: must be true or false",
        ]),
    ],
)  # fmt: skip
def test_parameters_without_files_are_checked_too(
    change: dict[str, Any], found: dict[str, Any], lines: list[str]
) -> None:
    """A game that lists its few parameters gets the same checks of names, types and ranges."""
    changed, problems = checker_of(FEW)(change)
    assert changed == found
    assert [f"{'.'.join(problem.key)}: {problem.text}" for problem in problems] == lines


class Den:
    id: Text
    cubs: Few = printed("cubs in the den")
    rooms: Few = printed(default=1)


DENS = ("fox", "owl")
SEASONS = ("spring",)


class Wood(Components):
    den: Rows[Den, DENS] = printed("what a den has")
    visits: Listed[Listed[Few, 2], 1] = printed("visits by day", label="Visits {}")
    seasons: Keyed[SEASONS, Den] = printed("in this season:")
    crowd: Rows[Crowd, (2, 3)]


def check_cubs(wood: Wood) -> Iterator[Problem]:
    yield from at_most("den.owl.cubs", wood.den[1].cubs, wood.den[0].cubs, "den.fox.cubs")


WOOD = {
    "den": [{"id": "fox", "cubs": 2}, {"id": "owl", "cubs": 1, "rooms": 3}],
    "visits": [[1, 2]],
    "seasons": {"spring": {"id": "fox", "cubs": 4}},
    "crowd": [{"players": 2, "coins": 1}, {"players": 3, "coins": 2}],
}


def test_declarations_say_what_parameters_mean(tmp_path: Path) -> None:
    """The innermost text counts, after one that ends with a colon."""
    text = "\n".join(f"{key} = {value}" for key, value in WOOD.items()).replace("': ", "' = ")
    (tmp_path / "wood.toml").write_text(text)
    book = Book(Wood, tmp_path)
    assert {fact.name: fact.meaning for fact in book.facts() if not fact.name.startswith("crowd")} == {
        "den.fox.cubs": "cubs in the den",
        "den.fox.rooms": "what a den has",
        "den.owl.cubs": "cubs in the den",
        "den.owl.rooms": "what a den has",
        "visits.1": "visits by day",
        "seasons.spring.cubs": "in this season: cubs in the den",
        "seasons.spring.rooms": "in this season:",
    }
    assert book.parameters()["visits.1"].label == "Visits 1"
    assert [book.value("den.fox.cubs", change) for change in ({}, {"den.fox.cubs": 7})] == [2, 7]


@pytest.mark.parametrize(
    ("den", "crowd", "lines"),
    [
        (["fox"], [2, 3], ["den: has no row owl: must have 2 rows, fox to owl"]),
        (["owl", "fox"], [3, 2], ["den.owl: is out of place: the rows must be in order, and no others"]),
        (["fox", "owl", "cat"], [3, 2], ["den.cat: is out of place: the rows must be in order, and no others"]),
        (["fox", "owl"], [2], ["crowd: has no row 3: must have 2 rows, 2 to 3"]),
        (["fox", "owl"], [2, 2, 3], ["crowd.2: is given twice"]),
        (["fox", "owl"], [3, 2], ["den.owl.cubs: 5 is not allowed: must be at most 2 (den.fox.cubs)"]),
    ],
)
def test_lists_have_the_rows_that_they_must_have(den: list[str], crowd: list[int], lines: list[str]) -> None:
    """Rows that are missing or out of order are named, and only if there are none such, what the checks find."""
    dens = [{"id": name, "cubs": {"fox": 2, "owl": 5, "cat": 1}[name]} for name in den]
    crowds = [{"players": players, "coins": 1} for players in crowd]
    problems = Book(Wood, Path(), (check_cubs,)).problems_of({**WOOD, "den": dens, "crowd": crowds})
    assert [f"{problem.name}: {problem.text}" for problem in problems] == lines
