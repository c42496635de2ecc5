"""The parameters of any game from its models and files: a small market that uses every kind of value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import Field
from rogsim.game.kit.parameters import ParameterBook
from rogsim.game.kit.parameters.models import (
    COSTS,
    HELPS,
    ROWS_BY_PLAYERS,
    ByPlayers,
    ComponentsError,
    ComponentSet,
    Part,
    PrintedPart,
    Problems,
    Rows,
    Switch,
    Text,
    as_printed,
    at_most,
    complete_ids,
    exact_keys,
    listed,
    whole,
)

from rogsim.base.errors import RogsimError
from rogsim.game.kit.changes import checker_of
from rogsim.game.parameters import Parameter

T = TypeVar("T")

pytestmark = pytest.mark.once_uncompiled

Count = Annotated[int, whole(0, 9)]


class Price(Part):
    coins: Annotated[Count, COSTS] = 2
    double: Switch = False


class Stall(Part):
    id: Annotated[int, whole(1, 3)]
    name: Text
    price: Price


class Fruit(Part):
    id: Text
    type: Literal["fruit"]
    ripe: Literal["today", "tomorrow"]


class Tool(Part):
    id: Text
    type: Literal["tool"]
    strength: Count = 5
    weight: Count = 1

    @classmethod
    def can_have(cls, row: Mapping[str, Any], key: str) -> bool:
        return key in row


class TwoToFour(ByPlayers[T], Generic[T]):
    two: T = Field(alias="2")
    three: T = Field(alias="3")
    four: T = Field(alias="4")


class Market(ComponentSet):
    purse: TwoToFour[Annotated[tuple[Count, ...], listed(1, 2, label="Purse of {} players")]]
    rounds: Annotated[tuple[Switch, ...], listed(3, first=0)] = (True, True, False)
    walls: Annotated[int, whole(4, 4)]
    grid: Annotated[tuple[Annotated[tuple[Count, ...], listed(2)], ...], listed(2)]
    bonus: Annotated[Mapping[str, Price], HELPS]
    toll: Annotated[Mapping[str, Count], HELPS]
    stall: tuple[Stall, ...]
    good: tuple[Annotated[Fruit | Tool, Field(discriminator="type")], ...]


def check_goods(market: Market) -> Problems:
    yield from complete_ids("good", [good.id for good in market.good], ["plum", "saw"])
    yield from at_most(("bonus", "noon", "coins"), market.bonus["noon"].coins, market.grid[0][0], "grid.1.1")
    for place, good in enumerate(market.good):
        if isinstance(good, Tool):
            yield from exact_keys(("good", place), good, ("strength", "weight"), ("strength",))


def check_stalls(market: Market) -> Problems:
    for place, stall in enumerate(market.stall):
        yield from as_printed(("stall", place, "name"), stall.name, "first" if stall.id == 1 else "second")


class CheckedMarket(Market):
    checks = (check_goods, check_stalls)


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
FILES = {"places.toml": ("purse", "rounds", "walls", "grid", "bonus", "toll", "stall"), "goods.toml": ("good",)}


@pytest.fixture
def book(tmp_path: Path) -> ParameterBook[CheckedMarket]:
    (tmp_path / "places.toml").write_text(PLACES)
    (tmp_path / "goods.toml").write_text(GOODS)
    return ParameterBook(
        model=CheckedMarket,
        folder=tmp_path,
        files=FILES,
        fixed=("type", "name"),
        meanings={"*.coins": "what it costs", "purse.*": "coins at the start"},
        keys={"bonus": lambda data: [*data["bonus"], "night"], "toll": lambda _: ("east", "west")},
    )


def test_every_value_that_may_change_is_listed(book: ParameterBook[CheckedMarket]) -> None:
    """In the order of the models, also those that the files leave out, with their defaults; nothing fixed."""
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


def test_each_says_what_it_is_and_may_be(book: ParameterBook[CheckedMarket]) -> None:
    """Ranges, words, places and labels come from the annotations and the patterns."""
    facts = book.parameters()
    assert facts["stall.2.price.coins"] == Parameter(
        "stall.2.price.coins", 2, "a whole number from 0 to 9", "what it costs", 0, 9, favours=-1
    )
    assert facts["purse.3"] == Parameter(
        "purse.3", [3], "a list of 1 to 2, each a whole number from 0 to 9", "coins at the start",
        0, 9, (), ("1", "2"), "Purse of 3 players",
    )  # fmt: skip
    rounds = facts["rounds"]
    assert (rounds.allowed, rounds.places) == ("a list of 3, each true or false", ("0", "1", "2"))
    assert facts["good.plum.ripe"].words == ("today", "tomorrow")


def test_whom_a_parameter_favours_is_said_by_it_or_around_it(book: ParameterBook[CheckedMarket]) -> None:
    """The innermost annotation counts; without one it is unknown."""
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
def test_what_differs_is_found_and_arrives(
    book: ParameterBook[CheckedMarket], change: dict[str, Any], found: dict[str, Any]
) -> None:
    """A change is what differs from the files, in their order; the components have it, and the shared ones do not."""
    before = repr(book.printed())
    changed, problems = book.check_change(change)
    assert (changed, list(changed), problems) == (found, list(found), [])
    components = Market.from_dict(book.with_change(changed))
    assert (components != Market.from_dict(book.printed())) == bool(found)
    assert repr(book.printed()) == before


@pytest.mark.parametrize(
    ("change", "key", "text"),
    [
        ({"stall.2.price.coin": 3}, "stall.2.price.coin", '"stall.2.price.coins"'),
        ({"stall.2.price": 3}, "stall.2.price", "is a table: change a parameter in it, such as stall.2.price.coins"),
        ({"stall.2.name": "x"}, "stall.2.name", "cannot be changed: the rules depend on it"),
        ({"good.saw.weight": 1}, "good.saw.weight", 'unknown, did you mean "good.saw.strength"?'),
        ({"walls": 5}, "walls", "cannot be changed: the rules depend on it"),
        ({"rounds.3": True}, "rounds.3", "unknown: choose from 0, 1, 2"),
        ({"purse.3.2": 1}, "purse.3.2", "is not in the list, which is now [3]"),
        ({"rounds.1": 1}, "rounds.1", "1 is not allowed: must be true or false"),
        ({"purse.2": [10, 1]}, "purse.2.1", "10 is not allowed: must be a whole number from 0 to 9"),
        ({"good.plum.ripe": "now"}, "good.plum.ripe", '"now" is not allowed: must be "today" or "tomorrow"'),
        ({"grid.1.1": 0}, "bonus.noon.coins", "1 is not allowed: must be at most 0 (grid.1.1), with these changes"),
        ({"bonus.dawn.coins": 1}, "bonus.dawn.coins", "did you mean"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_what_is_wrong_has_one_line(
    book: ParameterBook[CheckedMarket], change: dict[str, Any], key: str, text: str
) -> None:
    """An unknown name, a value that is not allowed, and one that conflicts with others; nothing is changed."""
    found, (problem,) = book.check_change(change)
    assert found == {}
    assert (".".join(problem.key), text in problem.text) == (key, True), problem


@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    [
        ("places.toml", "walls = 4", "walls = 5", "places.toml: walls: found 5, allowed: 4"),
        ("places.toml", "coins = 4", "coin = 4", 'places.toml: stall[0] 1: price.coin: unknown, did you mean "coins"?'),
        ("places.toml", "walls = 4", "", "places.toml: walls: missing, but required"),
        ("places.toml", "= 4", f"= {'4' * 5000}", "places.toml: not valid TOML: a number has too many digits"),
        ("places.toml", "walls", "good", "places.toml: good: unknown: choose from purse, rounds, walls"),
        ("goods.toml", '"saw"', '"axe"', 'goods.toml: good: found ["plum", "axe"], allowed: all of 2'),
        ("goods.toml", '"tool"', '"toy"', 'goods.toml: good[1] "saw": type: found "toy", allowed: "fruit"'),
        ("goods.toml", "strength = 3", "weight = 3", 'goods.toml: good[1] "saw": strength: missing, but required'),
    ],
)  # fmt: skip
def test_a_broken_file_is_named(book: ParameterBook[CheckedMarket], file: str, old: str, new: str, line: str) -> None:
    """Each problem of a file is one line with the file, the key, the value and what is allowed."""
    path = book.folder / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ComponentsError) as caught:
        book.load()
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


class Tables(ByPlayers[T], Generic[T]):
    one: T = Field(alias="1")
    six: T = Field(alias="6")


class Feast(ComponentSet):
    plates: Tables[Count]


def test_a_game_says_which_numbers_of_players_have_values() -> None:
    """A game for one or six lists those two, reads them by number, and names them where a number is wrong."""
    feast = Feast.from_dict({"plates": {"1": 2, "6": 9}})
    assert (feast.plates[1], feast.plates[6], feast.to_dict()) == (2, 9, {"plates": {"1": 2, "6": 9}})
    with pytest.raises(KeyError):
        feast.plates[3]
    with pytest.raises(ComponentsError) as caught:
        Feast.from_dict({"plates": {"1": 2, "3": 9}}, "feast.toml")
    assert caught.value.problems == (
        "feast.toml: plates.6: missing, but required",
        "feast.toml: plates.3: unknown: choose from 1, 6",
    )


def mark(book: ParameterBook[CheckedMarket], marks: Mapping[str, str]) -> ParameterBook[CheckedMarket]:
    """Write marks into the files of a book, and return the book that reads them."""
    for path in book.folder.glob("*.toml"):
        text = path.read_text()
        for old, new in marks.items():
            text = text.replace(old, new)
        path.write_text(text)
    return replace(book)


def test_values_without_a_source_say_why(book: ParameterBook[CheckedMarket]) -> None:
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
def test_marks_cannot_be_changed(book: ParameterBook[CheckedMarket], name: str) -> None:
    """A mark is not a parameter, whether the file has it or not; the error says what it is."""
    found, (problem,) = mark(book, MARKED).check_change({name: True})
    assert (found, ".".join(problem.key)) == ({}, name)
    assert problem.text == "is not a parameter: it says whether values have a source"


@pytest.mark.parametrize(
    ("marks", "line"),
    [
        ("sourced = 1", "places.toml: stall[0] 1: sourced: found 1, allowed: true or false"),
        ("sourced = false", "places.toml: stall[0] 1: sourced: found false, allowed: true, or false together with"),
        ("reconstructed = 3", "places.toml: stall[0] 1: reconstructed: found 3, allowed: a text, why"),
        ("reconstructed = ''", 'places.toml: stall[0] 1: reconstructed: found "", allowed: a text, why'),
        ("sourced = true\nreconstructed = 'x'", 'places.toml: stall[0] 1: reconstructed: found "x", allowed: a text, '),
        ("reconstructed = { cost = 'x' }", 'places.toml: stall[0] 1: reconstructed: found {"cost": "x"}, allowed: the'),
        ("reconstructed = { price = 1 }", 'places.toml: stall[0] 1: reconstructed: found {"price": 1}, allowed: the'),
    ],
)
def test_a_wrong_mark_is_named(book: ParameterBook[CheckedMarket], marks: str, line: str) -> None:
    """Marks that contradict each other, have no reason, or are about nothing are one line each."""
    with pytest.raises(ComponentsError) as caught:
        mark(book, {"id = 1\n": f"id = 1\n{marks}\n"}).load()
    (problem,) = caught.value.problems
    assert problem.startswith(line)


class Crowd(Part):
    players: Annotated[int, whole(2, 4)]
    coins: Count


class Crowds(ComponentSet):
    crowd: Annotated[tuple[Crowd, ...], ROWS_BY_PLAYERS]


def test_rows_go_by_the_number_of_players(tmp_path: Path) -> None:
    """A row for several numbers of players is one for each of them: listed, marked, changed and checked separately."""
    rows = ("{ players = [3, 4], coins = 5, sourced = false, reconstructed = 'guess' }", "{ players = 2, coins = 1 }")
    (tmp_path / "x.toml").write_text(f"crowd = [{', '.join(rows)}]")
    crowds = ParameterBook(Crowds, tmp_path, {"x.toml": ("crowd",)}, fixed=("players",))
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


class Unlisted(ComponentSet):
    bids: tuple[Count, ...]


class Bid(Part):
    coins: Count


class Nameless(ComponentSet):
    bids: tuple[Bid, ...]


class Unlimited(ComponentSet):
    bid: int


@pytest.mark.parametrize(
    ("model", "text", "why"),
    [
        (Unlisted, "bids = [1]", "bids: a list needs its length: annotate it with `listed`"),
        (
            Unlimited,
            "bid = 1",
            "bid: nothing says which values are allowed: annotate it with `whole`, or list it as fixed",
        ),
    ],
)
def test_a_model_without_limits_is_a_mistake_of_the_game(
    tmp_path: Path, model: type[ComponentSet], text: str, why: str
) -> None:
    """A parameter whose values nobody limits is refused with what its author must write."""
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(TypeError) as caught:
        ParameterBook(model, tmp_path, {"x.toml": tuple(model.model_fields)}).facts()
    assert str(caught.value).startswith(why)


FEW = (
    Parameter("start", [0, 0], "a list of 2, each 0 to 9", "", 0, 9, (), ("1", "2")),
    Parameter("end", "early", "early or late", words=("early", "late")),
    Parameter("fair", False, "true or false"),
)


@pytest.mark.parametrize(
    ("change", "found", "lines"),
    [
        ({"start.2": 9, "fair": False}, {"start": [0, 9]}, []),
        ({"start": [1, 0], "start.2": 2, "end": "late"}, {"start": [1, 2], "end": "late"}, []),
        ({"start.2": 10}, {}, ["start.2: 10 is not allowed: must be a whole number from 0 to 9"]),
        ({"start": [1]}, {}, ["start: [1] is not allowed: must be a list of 2, each 0 to 9"]),
        ({"start": [1, True]}, {}, ["start: [1, true] is not allowed: must be a list of 2, each 0 to 9"]),
        ({"end": True, "fair": 1, "strat": 1}, {}, [
            "end: true is not allowed: must be early or late",
            "fair: 1 is not allowed: must be true or false",
            'strat: unknown, did you mean "start"?',
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


class Den(PrintedPart):
    id: Text
    cubs: Annotated[Count, "cubs in the den"] = 0
    rooms: Count = 1


class Wood(ComponentSet):
    den: Annotated[tuple[Den, ...], Rows(("fox", "owl")), "what a den has"]
    visits: Annotated[
        tuple[Annotated[tuple[Count, ...], listed(2, label="Visits {}")], ...], listed(1), "visits by day"
    ]
    paths: Annotated[Mapping[Literal["north", "south"], Count], "paths into the wood"]
    seasons: Annotated[Mapping[Literal["spring"], Den], "in this season:"]
    crowd: Annotated[tuple[Crowd, ...], Rows((2, 3), "players")]


def check_cubs(wood: Wood) -> Problems:
    yield from at_most(("den", 1, "cubs"), wood.den[1].cubs, wood.den[0].cubs, "den.fox.cubs")


class CheckedWood(Wood):
    checks = (check_cubs,)


WOOD = {
    "den": [{"id": "fox", "cubs": 2}, {"id": "owl", "cubs": 1, "rooms": 3}],
    "visits": [[1, 2]],
    "paths": {"south": 1},
    "seasons": {"spring": {"id": "fox", "cubs": 4}},
    "crowd": [{"players": 2, "coins": 1}, {"players": 3, "coins": 2}],
}


def test_models_say_what_parameters_mean(tmp_path: Path) -> None:
    """The innermost text counts, after one that ends with a colon, and a pattern before any.

    Words of a key are listed, and of a printed part only what is printed on it.
    """
    text = "\n".join(f"{key} = {value}" for key, value in WOOD.items()).replace("': ", "' = ")
    (tmp_path / "wood.toml").write_text(text)
    files = {"wood.toml": tuple(Wood.model_fields)}
    book = ParameterBook(model=CheckedWood, folder=tmp_path, files=files, meanings={"den.owl.rooms": "nests"})
    assert {fact.name: fact.meaning for fact in book.facts() if not fact.name.startswith("crowd")} == {
        "den.fox.cubs": "cubs in the den",
        "den.owl.cubs": "cubs in the den",
        "den.owl.rooms": "nests",
        "visits.1": "visits by day",
        "paths.north": "paths into the wood",
        "paths.south": "paths into the wood",
        "seasons.spring.cubs": "in this season: cubs in the den",
    }
    assert replace(book, meanings={}).parameters()["den.owl.rooms"].meaning == "what a den has"
    assert book.parameters()["visits.1"].label == "Visits 1"
    assert [book.value("den.fox.cubs", change) for change in ({}, {"den.fox.cubs": 7})] == [2, 7]


@pytest.mark.parametrize(
    ("den", "crowd", "lines"),
    [
        (["fox"], [2, 3], ["den: found 1, allowed: 2 rows, fox to owl"]),
        (["owl", "fox"], [3, 2], ['den[0] "owl": id: found "owl", allowed: fox, because the rows are in order']),
        (["fox", "owl"], [2], ["crowd: found [2], allowed: one row for each of 2 and 3 players"]),
        (["fox", "owl"], [3, 2], ['den[1] "owl": cubs: found 5, allowed: at most 2 (den.fox.cubs)']),
    ],
)
def test_lists_have_the_rows_that_they_must_have(den: list[str], crowd: list[int], lines: list[str]) -> None:
    """Rows that are missing or out of order are named, and only if there are none such, what the checks find."""
    dens = [{"id": name, "cubs": {"fox": 2, "owl": 5}[name]} for name in den]
    crowds = [{"players": players, "coins": 1} for players in crowd]
    with pytest.raises(ComponentsError) as caught:
        CheckedWood.from_dict({**WOOD, "den": dens, "crowd": crowds}, "x")
    assert list(caught.value.problems) == [f"x: {line}" for line in lines]
