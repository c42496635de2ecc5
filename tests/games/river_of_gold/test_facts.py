"""The components: their values and sums, and the messages for broken files."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.game.kit.components import ComponentsError
from rogsim.games.river_of_gold.components import names, tables
from rogsim.games.river_of_gold.components.load import BOOK

pytestmark = pytest.mark.once_uncompiled

Data = dict[str, Any]


@pytest.fixture
def data() -> Data:
    """A copy of the printed components as a dict."""
    return copy.deepcopy(BOOK.printed())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the data folder that a test may break."""
    return Path(shutil.copytree(BOOK.folder, tmp_path / "data"))


def look_up(data: Any, path: str) -> Any:
    """Follow a path such as `tile.era1-port-4.owner`: rows are found by id, entries of a list by place."""
    for part in path.split("."):
        if isinstance(data, list):
            rows = [row for row in data if isinstance(row, dict) and str(row.get("id")) == part]
            data = rows[0] if rows else data[int(part)]
        else:
            data = data[part]
    return data


def rows(data: Data, section: str, **wanted: Any) -> list[Data]:
    return [row for row in data[section] if all(row[key] == value for key, value in wanted.items())]


def row(data: Data, section: str, name: str) -> Data:
    return rows(data, section, id=name)[0]


def total_order(customers: list[Data]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for customer in customers:
        total.update(customer["order"])
    return dict(total)


# ------------------------------------------------------------------------------------------ printed figures


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("limits", {"koku": 25, "good": 6, "favor_limit": 6, "influence": 18}),
        ("setup.koku_by_turn_order", [7, 8, 9, 10]),
        ("setup.goods", {"silk": 1, "rice": 1, "porcelain": 1}),
        ("setup.favor", 2),
        ("setup.favor_limit", 3),
        ("setup.hand", 2),
        ("setup.building_row", 4),
        ("setup.masteries", 3),
        ("setup.era_tiles", {"2": [12, 9], "3": [14, 11], "4": [16, 13]}),
        ("setup.starting_tiles", {"2": 6, "3": 3, "4": 0}),
        ("setup.ship_spaces", [1, 8]),
        ("exchange.goods_for_good", 2),
        ("exchange.koku_for_favor", 5),
        ("exchange.empty_space_koku", 1),
        ("exchange.journey_koku", 3),
        ("exchange.row_end_favor", 1),
        ("exchange.artisan_discount", 2),
        ("track.imperial_flower", 11),
        ("track.rewards.5", {"koku": 2}),
        ("track.rewards.9", {"favor": 1}),
        ("track.rewards.13", {"points": 3}),
        ("track.rewards.18", {"points": 3, "any_good": 1}),
        ("track.good_at_2", ["porcelain", "rice", "silk", "porcelain", "rice", "silk"]),
        ("scoring.customers_delivered", [0, 2, 5, 9, 14, 20, 27]),
        ("scoring.end_trigger", 5),
        ("scoring.merchant_koku_per_point", 5),
        ("scoring.artisan_goods_per_point", 3),
        ("scoring.noble_points", 1),
        ("scoring.second_place_within", 5),
        ("mastery_points", {"2": [5], "3": [7, 5, 3], "4": [7, 5, 3]}),
        ("region_tiles.two_players", [[3], [5, 2], [4, 2], [8, 4], [6, 3], [7, 3]]),
        (
            "region_tiles.three_or_four_players",
            [[7, 3], [9, 5], [8, 4], [12, 8, 4], [10, 6, 2], [11, 7, 3]],
        ),
        ("regions.names.3", "Kitsune Woods"),
        ("shore.4", {"id": 4, "region": 1, "cost": 12, "kind": "open"}),
        ("shore.7", {"id": 7, "region": 2, "cost": 8, "kind": "start2"}),
        ("shore.22", {"id": 22, "region": 5, "cost": 8, "kind": "start23"}),
        ("shore.26.cost", 13),
        ("river.shore.0", [1, 2, 3, 4]),
        ("river.shore.13", [26, 28, 29, 30]),
        ("river.regions.6", [3, 4]),
        ("tile.start-port.visitor", {"koku": 3}),
        ("tile.era1-port-4.owner", {"koku_per_port": 1}),
        ("tile.era1-manor-5.owner", {"koku_per_customer": 1}),
        ("tile.era1-manor-2.build", 0),
        ("tile.era2-market-2.owner", {"influence": 1}),
        ("tile.era2-shrine-3.owner", {"any_good": 1}),
        ("tile.imperial-market-silk.visitor", {"silk": 1, "draw_and_discard": 1}),
        ("tile.imperial-market-rice.visitor", {"rice": 1, "favor": 1}),
        ("delivery.merchant", {"influence": 3}),
        ("delivery.monk", {"favor_limit": 1, "favor": 2}),
        ("delivery.elder", {}),
        ("customer.merchant-4.amount", 5),
        ("customer.merchant-6.amount", 3),
        ("customer.merchant-6.order", {"silk": 1, "rice": 2}),
        ("customer.monk-2.order", {"silk": 3, "rice": 2}),
        ("customer.noble-5.amount", 1),
        ("mastery.air.count", 3),
        ("mastery.courts.count", 1),
        ("mastery.earth.count", 3),
        ("mastery.fire.count", 2),
        ("mastery.void.count", 6),
        ("mastery.water.count", 4),
        ("patron.kaiu-shihobu.bonus_koku", 10),
        ("patron.yasuki-taka.points", 1),
        ("patron.yoritomo.bonus_customers", 1),
        ("patron.kudaka.points", 3),
        ("patron.daidoji-uji.points", 2),
        ("patron.kakita-ryoku.cost_favor", 1),
        ("patron.shosuro-hyobu.points", 3),
    ],
)
def test_figure_is_as_printed(data: Data, path: str, value: object) -> None:
    """A value read from the data folder is the one on the printed component."""
    assert look_up(data, path) == value


def test_rulebook_examples_fit_the_tiles(data: Data) -> None:
    """What the printed examples of sailing and building describe is among the tiles and shore spaces."""
    assert rows(data, "tile", type="market", visitor={"porcelain": 1}, owner={"koku": 1, "points": 1})
    assert rows(data, "tile", type="market", visitor={"rice": 1}, owner={"favor": 1, "points": 1})
    assert rows(data, "tile", type="shrine", visitor={"points": 2}, owner={"porcelain": 1})
    assert rows(data, "tile", type="shrine", build=2)
    assert rows(data, "shore", region=4, cost=9)
    assert data["track"]["good_at_2"][4 - 1] == "porcelain"


# -------------------------------------------------------------------------------------------- what adds up


def test_tiles_by_set_and_type(data: Data) -> None:
    """Six tiles of each type in era 1, four in era 2, two of three types at the start, three imperial: 49."""
    counts = Counter({(tile["set"], tile["type"]): 0 for tile in data["tile"]})
    for tile in data["tile"]:
        counts[tile["set"], tile["type"]] += tile["copies"]
    eras = {(era, kind): number for era, number in (("era1", 6), ("era2", 4)) for kind in names.BUILDINGS}
    start = {("start", kind): 2 for kind in ("port", "manor", "shrine")}
    assert counts == {**eras, **start, ("imperial", "market"): 3}
    assert counts.total() == 49


@pytest.mark.parametrize(
    ("kind", "era1", "era2"),
    [
        ("port", {"koku": 3}, {"koku": 5}),
        ("manor", {"influence": 2}, {"influence": 3}),
        ("shrine", {"points": 2}, {"points": 3}),
    ],
)
def test_visitor_reward_goes_by_type_and_era(data: Data, kind: str, era1: Data, era2: Data) -> None:
    """Ports, manors and shrines of one era give visitors the same; starting tiles give what era 1 gives."""
    for name, reward in (("start", era1), ("era1", era1), ("era2", era2)):
        assert [tile["visitor"] for tile in rows(data, "tile", set=name, type=kind) if tile["visitor"] != reward] == []


def test_markets_give_each_good_equally(data: Data) -> None:
    """Each good has two markets in era 1 and one imperial market; era 2 markets give a good of choice."""
    goods = Counter(good for tile in rows(data, "tile", set="era1", type="market") for good in tile["visitor"])
    assert goods == {"silk": 2, "rice": 2, "porcelain": 2}
    imperial = Counter(good for tile in rows(data, "tile", set="imperial") for good in tile["visitor"])
    assert [imperial[good] for good in names.GOODS] == [1, 1, 1]
    assert [tile["visitor"] for tile in rows(data, "tile", set="era2", type="market")] == [{"any_good": 1}] * 4


@pytest.mark.parametrize(
    ("era", "port", "market", "manor", "shrine"), [("era1", 12, 17, 15, 13), ("era2", 13, 15, 14, 19)]
)
def test_build_bonuses(data: Data, era: str, port: int, market: int, manor: int, shrine: int) -> None:
    """The build bonuses of an era's ports, markets, manors and shrines have the given sum."""
    bonus = {kind: sum(tile["build"] for tile in rows(data, "tile", set=era, type=kind)) for kind in names.BUILDINGS}
    assert bonus == {"port": port, "market": market, "manor": manor, "shrine": shrine}


@pytest.mark.parametrize(
    ("era", "total"),
    [
        (
            "era1",
            {
                "rice": 2,
                "koku": 7,
                "porcelain": 2,
                "favor": 6,
                "koku_per_port": 1,
                "points": 8,
                "koku_per_market": 1,
                "silk": 2,
                "koku_per_manor": 1,
                "koku_per_customer": 1,
                "koku_per_shrine": 1,
            },
        ),
        (
            "era2",
            {"points": 15, "any_good": 2, "rice": 1, "favor": 4, "influence": 3, "porcelain": 1, "silk": 1},
        ),
    ],
)
def test_owner_rewards(data: Data, era: str, total: Data) -> None:
    """The owner rewards of an era's tiles have the given sum of each kind."""
    rewards: Counter[str] = Counter()
    for tile in rows(data, "tile", set=era):
        rewards.update(tile["owner"])
    assert rewards == total


def test_orders_grow_with_the_customer(data: Data) -> None:
    """Artisans order 2 goods, merchants 3, nobles 4, elders 5; monks 4, or 5 for an opponent's building."""
    sizes = {"artisan": 2, "merchant": 3, "noble": 4, "elder": 5}
    for customer in data["customer"]:
        monk = {"own": 4, "opponent": 5}.get(customer.get("second_marker", ""), 0)
        assert sum(customer["order"].values()) == sizes.get(customer["type"], monk), customer["id"]


@pytest.mark.parametrize(
    ("kind", "silk", "rice", "porcelain"),
    [
        ("artisan", 4, 4, 4),
        ("elder", 12, 8, 10),
        ("merchant", 6, 8, 4),
        ("monk", 9, 10, 8),
        ("noble", 8, 8, 8),
    ],
)
def test_total_of_orders(data: Data, kind: str, silk: int, rice: int, porcelain: int) -> None:
    """The six customers of a type together order the given goods of each kind."""
    assert total_order(rows(data, "customer", type=kind)) == {
        "silk": silk,
        "rice": rice,
        "porcelain": porcelain,
    }


def test_shore_costs_by_region(data: Data) -> None:
    """The costs of a region's five shore spaces add up to 37, 35, 42, 33, 46 and 30 koku."""
    sums = [sum(space["cost"] for space in rows(data, "shore", region=region)) for region in range(1, 7)]
    assert sums == [37, 35, 42, 33, 46, 30]


def test_shore_cost_goes_by_touching_river_spaces(data: Data) -> None:
    """A shore space that one river space touches costs 5 or 6 koku, with two 8 or 9, with three 11 to 13."""
    touches = Counter(number for shore in data["river"]["shore"] for number in shore)
    costs: dict[int, set[int]] = {1: set(), 2: set(), 3: set()}
    for space in data["shore"]:
        costs[touches[space["id"]]].add(space["cost"])
    assert costs == {1: {5, 6}, 2: {0, 8, 9}, 3: {11, 12, 13}}  # 0: the imperial spaces
    assert Counter(touches.values()) == {1: 12, 2: 10, 3: 8}


def test_labels_that_hold_a_figure_agree_with_it(data: Data) -> None:
    """Where the label of a printed ability says a number, its `amount` is that number."""
    labels = {"merchant": "journey", "noble": "royal_ship"}
    numbers = {}
    for customer in data["customer"]:
        number = re.search(r"\d+", customer.get(labels.get(customer["type"], ""), ""))
        if number:
            numbers[customer["id"]] = int(number[0]), customer["amount"]
    assert len(numbers) == 5
    assert all(label == amount for label, amount in numbers.values())


def test_sizes_are_those_of_the_printed_components(data: Data) -> None:
    """The checks and the compiled rules have room for what is printed."""
    assert max(names.REWARD_SPACES) == data["limits"]["influence"] <= names.MAX_INFLUENCE
    assert tuple(names.MASTERY_MOST) == names.MASTERIES
    assert tuple(names.PATRON_PARAMETERS) == names.PATRONS
    assert names.CUSTOMER_SCORES <= tables.MAX_CUSTOMER_POINTS


def test_dict_has_the_layout_of_the_files(data: Data) -> None:
    """The components are exactly what the TOML files of the data folder say."""
    raw: Data = {}
    for file in BOOK.folder.glob("*.toml"):
        raw.update(tomllib.loads(file.read_text(encoding="utf-8")))
    assert data == raw


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("setup.koku_by_turn_order", [8, 8, 8, 8]),
        ("limits.influence", 30),
        ("setup.building_row", 6),
        ("exchange.artisan_discount", 0),
        ("mastery_points.4", [9, 6, 3, 1]),
        ("mastery_points.2", [6, 2]),
        ("tile.era1-port-3.owner.koku", 2),
        ("tile.era2-port-4.build", 5),
        ("customer.merchant-4.amount", 4),
        ("customer.noble-5.amount", 2),
        ("customer.monk-1.second_marker", "opponent"),
        ("patron.yoritomo.bonus_customers", 4),
        ("track.rewards.7", {"porcelain": 1}),
        ("delivery.elder", {"influence": 1}),
    ],
)
def test_what_a_designer_may_change(data: Data, path: str, value: object) -> None:
    """Values within their ranges are accepted."""
    table, _, key = path.rpartition(".")
    look_up(data, table)[key] = value
    assert BOOK.problems_of(data) == []


def test_components_as_objects() -> None:
    """Values by number of players are read by that number; what a reward does not name is 0."""
    facts = BOOK.with_values({})
    assert facts.setup.era_tiles[3] == [14, 11]
    assert facts.mastery_points[2] == [5]
    assert (facts.tile[0].visitor.koku, facts.tile[0].visitor.favor) == (3, 0)
    assert (facts.track.rewards[5].koku, 7 in facts.track.rewards) == (2, False)
    assert BOOK.with_values({"track.rewards.7.silk": 2}).track.rewards[7].silk == 2


def test_light_import() -> None:
    """Reading components needs neither numpy nor numba: the command line checks input before it loads them."""
    code = "import rogsim.games.river_of_gold.components.load, sys; print({'numpy', 'numba'} & set(sys.modules))"
    root = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert run.stdout.strip() == "set()"


# ------------------------------------------------------------------------------------------ broken figures


def change(path: str, value: object) -> Callable[[Data], None]:
    """Return a change that sets one value."""
    table, _, key = path.rpartition(".")

    def apply(data: Data) -> None:
        target: Any = look_up(data, table) if table else data
        target[int(key) if isinstance(target, list) else key] = value

    return apply


def remove(path: str) -> Callable[[Data], None]:
    """Return a change that takes a key, or the row of an id, away."""
    table, _, key = path.rpartition(".")

    def apply(data: Data) -> None:
        target = look_up(data, table) if table else data
        if isinstance(target, list):
            target.remove(look_up(target, key))
        else:
            del target[key]

    return apply


def repeat(section: str, name: str) -> Callable[[Data], None]:
    """Return a change that puts the row of an id in once more."""
    return lambda data: data[section].append(dict(row(data, section, name)))


BROKEN = {
    "unknown section": (change("limit", {}), 'limit: unknown, did you mean "limits"?'),
    "unknown key": (
        change("limits.ponies", 3),
        "limits.ponies: unknown: choose from koku, good, favor_limit, influence",
    ),
    "unknown reward": (
        change("tile.era1-port-3.owner.kokku", 1),
        'tile.era1-port-3.owner.kokku: unknown, did you mean "koku"?',
    ),
    "a merchant's key on an artisan": (
        change("customer.artisan-2.journey", "favor"),
        "customer.artisan-2.journey: unknown: choose from id, region, order, type",
    ),
    "five players": (
        change("setup.starting_tiles.5", 0),
        "setup.starting_tiles.5: unknown: choose from 2, 3, 4",
    ),
    "missing section": (remove("exchange"), "exchange: is missing"),
    "missing key": (remove("tile.era1-port-3.build"), "tile.era1-port-3.build: is missing"),
    "missing type": (remove("customer.elder-1.type"), "customer.elder-1.type: is missing"),
    "missing player count": (remove("mastery_points.3"), "mastery_points.3: is missing"),
    "missing figure of a patron": (
        remove("patron.kudaka.points"),
        "patron.kudaka.points: is missing",
    ),
    "missing figure of a noble": (
        remove("customer.noble-2.amount"),
        "customer.noble-2.amount: is missing",
    ),
    "text for a number": (
        change("limits.koku", "25"),
        'limits.koku: "25" is not allowed: must be a whole number from 1 to 100',
    ),
    "fraction": (
        change("exchange.koku_for_favor", 5.0),
        "exchange.koku_for_favor: 5.0 is not allowed: must be a whole number from 1 to 100",
    ),
    "true for a number": (
        change("customer.noble-1.order.silk", True),
        "customer.noble-1.order.silk: true is not allowed: must be a whole number from 0 to 20",
    ),
    "number for a text": (
        change("patron.kudaka.title", 3),
        "patron.kudaka.title: 3 is not allowed: must be a text",
    ),
    "number for a table": (change("river", 14), "river: 14 is not allowed: must be a table"),
    "table for a list": (change("tile", {}), "tile: {} is not allowed: must be a list"),
    "text for a row": (change("shore.0", "open"), 'shore.1: "open" is not allowed: must be a table'),
    "empty text": (
        change("regions.names.2", ""),
        'regions.names.3: "" is not allowed: must be a text that is not empty',
    ),
    "negative": (
        change("tile.era1-port-3.owner.koku", -1),
        "tile.era1-port-3.owner.koku: -1 is not allowed: must be a whole number from 0 to 100",
    ),
    "over the hard size": (
        change("limits.koku", 101),
        "limits.koku: 101 is not allowed: must be a whole number from 1 to 100",
    ),
    "row too long": (
        change("setup.building_row", 7),
        "setup.building_row: 7 is not allowed: must be a whole number from 1 to 6",
    ),
    "four masteries": (change("setup.masteries", 4), "setup.masteries: 4 is not allowed: must be 3"),
    "endless exchange": (
        change("exchange.goods_for_good", 1),
        "exchange.goods_for_good: 1 is not allowed: must be a whole number from 2 to 20",
    ),
    "division by nothing": (
        change("scoring.merchant_koku_per_point", 0),
        "scoring.merchant_koku_per_point: 0 is not allowed: must be a whole number from 1 to 100",
    ),
    "list too short": (
        change("setup.koku_by_turn_order", [7, 8, 9]),
        "setup.koku_by_turn_order: [7, 8, 9] is not allowed: must be a list of 4",
    ),
    "three places with two players": (
        change("region_tiles.two_players.0", [3, 2, 1]),
        "region_tiles.two_players.1: [3, 2, 1] is not allowed: must be a list of 1 to 2",
    ),
    "unknown type of customer": (
        change("customer.elder-1.type", "bard"),
        'customer.elder-1.type: "bard" is not allowed: must be "artisan" or "elder" or "merchant" or "monk" or',
    ),
    "unknown set": (
        change("tile.era1-port-3.set", "era3"),
        'tile.era1-port-3.set: "era3" is not allowed: must be "start" or "era1" or "era2" or "imperial"',
    ),
    "unknown mastery": (change("mastery.air.id", "wind"), "mastery: has no row air: must have 6 rows, air to water"),
    "track space that is no number": (
        change("track.rewards.end", {"koku": 1}),
        "track.rewards.end: unknown: choose from 1, 3, 4",
    ),
    "influence from the influence track": (
        change("track.rewards.5.influence", 1),
        "track.rewards.5.influence: unknown: choose from points, koku, silk, rice, porcelain, favor,",
    ),
    "koku above the limit": (
        change("setup.koku_by_turn_order.3", 26),
        "setup.koku_by_turn_order.4: 26 is not allowed: must be at most 25 (limits.koku)",
    ),
    "goods above the limit": (
        change("setup.goods.rice", 7),
        "setup.goods.rice: 7 is not allowed: must be at most 6 (limits.good)",
    ),
    "favor above its limit": (
        change("setup.favor", 4),
        "setup.favor: 4 is not allowed: must be at most 3 (setup.favor_limit)",
    ),
    "favor limit above its limit": (
        change("setup.favor_limit", 7),
        "setup.favor_limit: 7 is not allowed: must be at most 6 (limits.favor_limit)",
    ),
    "order that no store can hold": (
        change("customer.artisan-1.order.silk", 7),
        "customer.artisan-1.order.silk: 7 is not allowed: must be at most 6 (limits.good)",
    ),
    "era 1 stack that fills the row only": (
        change("setup.era_tiles.2", [4, 9]),
        "setup.era_tiles.2.1: 4 is not allowed: must be more than 4 (setup.building_row)",
    ),
    "more era 2 tiles than there are": (
        change("setup.era_tiles.4", [16, 17]),
        "setup.era_tiles.4.2: 17 is not allowed: must be at most 16 (the tiles of era 2)",
    ),
    "starting tiles without a space": (
        change("setup.starting_tiles.4", 1),
        "setup.starting_tiles.4: 1 is not allowed: must be 0 (spaces marked on the board)",
    ),
    "reward past the end of the track": (change("track.rewards.19", {"koku": 1}), "track.rewards.19: unknown"),
    "flower past the end of the track": (
        change("track.imperial_flower", 19),
        "track.imperial_flower: 19 is not allowed: must be at most 18 (limits.influence)",
    ),
    "second reward for space 2": (change("track.rewards.2", {"koku": 1}), "track.rewards.2: unknown"),
    "more mastery rewards than players": (
        change("mastery_points.3", [7, 5, 3, 1]),
        "mastery_points.3: [7, 5, 3, 1] is not allowed: must be a list of 1 to 3",
    ),
    "mastery rewards out of order": (
        change("mastery_points.4", [3, 7]),
        "mastery_points.4: [3, 7] is not allowed: must be the highest points first",
    ),
    "mastery that nobody can reach": (
        change("mastery.water.count", 5),
        "mastery.water.count: 5 is not allowed: must be at most 4 (all there are)",
    ),
    "29 shore spaces": (remove("shore.30"), "shore: has no row 30: must have 30 rows, 1 to 30"),
    "four spaces in a region": (
        change("shore.1.region", 2),
        "shore: 4 is not allowed: must be 5 shore spaces in region 1",
    ),
    "shore space twice": (change("shore.2.id", 3), "shore.3: is given twice"),
    "two imperial spaces": (
        change("shore.6.kind", "open"),
        'shore: 2 is not allowed: must be 3 shore spaces of kind "imperial"',
    ),
    "13 river spaces": (lambda data: data["river"]["shore"].pop(), "is not allowed: must be a list of 14"),
    "river space with three shore spaces": (
        change("river.shore.0", [1, 2, 3]),
        "river.shore.1: [1, 2, 3] is not allowed: must be a list of 4",
    ),
    "shore space that does not exist": (
        change("river.shore.0", [1, 2, 3, 31]),
        "river.shore.1.4: 31 is not allowed: must be a whole number from 1 to 30",
    ),
    "shore spaces out of order": (
        change("river.shore.0", [1, 3, 2, 4]),
        "river.shore.1: [1, 3, 2, 4] is not allowed: must be different shore spaces in ascending order",
    ),
    "wrong regions of a river space": (
        change("river.regions.0", [1, 2]),
        "river.regions.1: [1, 2] is not allowed: must be [1], the regions of its shore spaces",
    ),
    "shore space out of reach": (
        change("river.shore.9", [18, 21, 22, 23]),
        "river.shore: 0 is not allowed: must be 1 or more river spaces that touch shore space 20",
    ),
    "tile missing": (
        remove("tile.era2-port-4"),
        'tile: 15 is not allowed: must be 16 tiles of set "era2", copies counted',
    ),
    "copies off": (
        change("tile.start-manor.copies", 3),
        'tile: 7 is not allowed: must be 6 tiles of set "start", copies counted',
    ),
    "copies of an era tile": (
        change("tile.era1-port-3.copies", 2),
        "tile.era1-port-3.copies: 2 is not allowed: must be at most 1 (every era tile has a separate row)",
    ),
    "tile id twice": (change("tile.era1-port-3.id", "era1-port-2"), "tile.era1-port-2: is given twice"),
    "tile id of another type": (
        change("tile.era1-port-3.type", "manor"),
        'tile.era1-port-3.id: "era1-port-3" is not allowed: must be an id that begins with "era1-manor"',
    ),
    "owner of a starting tile": (
        change("tile.start-port.owner", {"koku": 1}),
        'tile.start-port.owner: {"koku": 1} is not allowed: must be no owner reward for a tile of set "start"',
    ),
    "build bonus of an imperial market": (
        change("tile.imperial-market-rice.build", 1),
        'tile.imperial-market-rice.build: 1 is not allowed: must be at most 0 (for a tile of set "imperial")',
    ),
    "too many goods in a reward": (
        change("tile.era1-port-3.owner", {"silk": 3, "any_good": 4}),
        "tile.era1-port-3.owner: 7 is not allowed: must be at most 6 goods in one reward",
    ),
    "29 customers": (remove("customer.monk-3"), "customer: has no row monk-3: must have 30 rows, artisan-1 to noble-6"),
    "customer twice": (repeat("customer", "monk-3"), "customer.monk-3: is given twice"),
    "customer id of another region": (
        change("customer.elder-1.id", "elder-7"),
        "customer: has no row elder-1: must have 30 rows, artisan-1 to noble-6",
    ),
    "ability of another merchant": (
        change("customer.merchant-6.journey", "favor"),
        'customer.merchant-6.journey: "favor" is not allowed: must be "koku_3", as printed',
    ),
    "ability of another noble": (
        change("customer.noble-1.end_point_per", "port"),
        'customer.noble-1.end_point_per: "port" is not allowed: must be "market", as printed',
    ),
    "too much for an ability": (
        change("customer.noble-5.amount", 4),
        "customer.noble-5.amount: 4 is not allowed: must be at most 3 (for this ability)",
    ),
    "figure for an ability without one": (
        change("customer.noble-1.amount", 1),
        "customer.noble-1.amount: unknown: choose from id, region, order, type, royal_ship",
    ),
    "five masteries": (remove("mastery.water"), "mastery: has no row water: must have 6 rows, air to water"),
    "patron missing": (
        remove("patron.yoritomo"),
        "patron: has no row yoritomo: must have 8 rows, kaiu-shihobu to bayushi-kashiko",
    ),
    "patron twice": (repeat("patron", "kudaka"), "patron.kudaka: is given twice"),
    "patron of another clan": (
        change("patron.kudaka.clan", "crab"),
        'patron.kudaka.clan: "crab" is not allowed: must be "mantis"',
    ),
    "figure of another patron": (
        change("patron.kudaka.bonus_koku", 1),
        "patron.kudaka.bonus_koku: unknown: choose from id, clan, title, effect, points",
    ),
    "hand too large": (
        change("setup.hand", 6),
        "patron.yoritomo.bonus_customers: 1 is not allowed: must be at most 0 (6 less setup.hand)",
    ),
}


@pytest.mark.parametrize(("breaking", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_figure_is_named(data: Data, breaking: Callable[[Data], object], message: str) -> None:
    """A wrong value is refused with one line that names key, value and what is allowed."""
    breaking(data)
    lines = [f"{problem.name}: {problem.text}" for problem in BOOK.problems_of(data)]
    assert any(message in line for line in lines), lines


def test_every_problem_is_told(data: Data) -> None:
    """Three wrong values give three lines, not one."""
    for path in ("limits.koku", "tile.era1-port-3.build", "customer.elder-1.region"):
        change(path, -1)(data)
    assert len(BOOK.problems_of(data)) == 3


def test_error_is_the_users_and_a_value_error() -> None:
    """A ComponentsError is caught both as what the user can put right and as a ValueError."""
    assert issubclass(ComponentsError, RogsimError) and issubclass(ComponentsError, ValueError)


# -------------------------------------------------------------------------------------------- broken files


def load_problems(folder: Path) -> list[str]:
    with pytest.raises(ComponentsError) as caught:
        BOOK.load(folder)
    return list(caught.value.problems)


def edit(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_copied_folder_loads(folder: Path) -> None:
    """A folder given by the user is read like the package's own."""
    assert BOOK.load(folder).data == BOOK.printed()


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("setup.toml", "koku = 25", "koku = 250", "setup.toml: limits.koku: 250"),
        ("board.toml", "cost = 13,", "cost = -13,", "board.toml: shore.26.cost: -13"),
        (
            "tiles.toml",
            "visitor = { koku = 5 }",
            "visitor = 5",
            "tiles.toml: tile.era2-port-1.visitor: 5",
        ),
        (
            "customers.toml",
            "silk = 3, rice = 2",
            "silk = 3, tea = 2",
            "customers.toml: customer.monk-2.order.tea:",
        ),
        ("masteries.toml", "count = 6", "count = 7", "masteries.toml: mastery.void.count: 7"),
        ("patrons.toml", '"mantis"', '"lion"', 'patrons.toml: patron.yoritomo.clan: "lion"'),
        (
            "setup.toml",
            "[exchange]",
            "[exchanges]",
            'setup.toml: exchanges: unknown, did you mean "exchange"?',
        ),
        ("setup.toml", "[exchange]", "[exchanges]", "data: exchange: is missing"),
    ],
)
def test_broken_file_is_named(folder: Path, file: str, old: str, new: str, message: str) -> None:
    """What is wrong in a file is told with the file's name first."""
    edit(folder, file, old, new)
    assert [line for line in load_problems(folder) if line.startswith(message)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[limits]\nkoku = \n", "setup.toml: not valid TOML: Invalid value (at line 2"),
        ("[limits]\nkoku = 25\nkoku = 26\n", "setup.toml: not valid TOML: Cannot overwrite a value (at line 3"),
        ("[limits]\nkoku = [1,\n", "setup.toml: not valid TOML: "),
        ("a = 1\n[limits\nb = 2\n", "setup.toml: not valid TOML: "),
    ],
)
def test_broken_toml_names_the_line(folder: Path, text: str, message: str) -> None:
    """A file that is not TOML is refused with its name and the line, and nothing else."""
    (folder / "setup.toml").write_text(text, encoding="utf-8")
    problems = load_problems(folder)
    assert len(problems) == 1
    assert problems[0].startswith(message)


def test_file_that_is_no_text(folder: Path) -> None:
    """A file in another encoding is refused in one line."""
    (folder / "board.toml").write_bytes(b"# fine\n# \xff\n")
    assert load_problems(folder) == ["board.toml: not UTF-8 text"]
