"""The features of a position against slow and obvious counting, and the chance to win computed from them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.bots.loading import find_bot
from rogsim.game.compiler import records
from rogsim.game.kit.evaluation import chance_to_win, take_weights
from rogsim.game.kit.workspace import BOT_MEMORY, make_view
from rogsim.games.river_of_gold.bots import evaluation, position, weights
from rogsim.games.river_of_gold.bots import position as pos
from rogsim.games.river_of_gold.bots.actions_worth import ALL_FACES, note_faces, note_outlook
from rogsim.games.river_of_gold.bots.evaluation import SHEET
from rogsim.games.river_of_gold.bots.position import FEATURES, POSITION, describe
from rogsim.games.river_of_gold.bots.worth import FACE_WORTH, VISITS_PER_TILE, take_notes, weigh_moment
from rogsim.games.river_of_gold.components.names import (
    CUSTOMER_TYPES,
    CUSTOMERS,
    EMPTY,
    GOODS,
    PATRONS,
    REGIONS,
    SHORE_SPACES,
)
from rogsim.games.river_of_gold.rules.state import TURN
from rogsim.games.river_of_gold.spec import GAME
from tests.games.river_of_gold.games import PATRON_MODES
from tests.games.river_of_gold.playing import playing
from tests.games.river_of_gold.table import Table

# Compiled, only these tests would need the functions as machine code of their own.
pytestmark = [pytest.mark.slow, pytest.mark.once_uncompiled]

GAMES = 4
TYPES = ("artisans", "elders", "merchants", "monks", "nobles")
OWN_ONLY = ("ready", "nearly", "regions-ready", "sailing", "looks", "next-turn", "best-face")


def positions() -> Iterator[Table]:
    """Some tables between two turns, from start to end of games of every kind."""
    for number in range(GAMES):
        kind = (("generous", "printed")[number % 2], 2 + number % 3, PATRON_MODES[number % 4])
        for table, _ in playing(kind, 40 + number):
            if table.game.phase == TURN and table.game.turn % 7 == number % 7:
                yield table


def described(table: Table, viewer: int) -> list[dict[str, float]]:
    """The features by name, for each seat, as a viewer sees the table."""
    position = records(POSITION, 1)[0]
    position.seats[:] = 99.0  # what is left from before must not matter
    make_view(table.workspace, viewer)
    describe(table.tables, table.workspace.bot_view, viewer, position)
    return [dict(zip(FEATURES, row.tolist(), strict=True)) for row in position.seats[: table.players]]


def test_places_noted_for_earlier_positions_change_nothing() -> None:
    """One memory for all positions gives the same features as new memory for each, once weights were copied for a game.

    What is noted on a region is used for several positions and for another viewer.
    """
    memory, weights, game, reused = records(POSITION, 1)[0], find_bot(GAME, "planner", Path()).weights, None, 0
    for table in positions():
        if table.game is not game:
            game = table.game
            evaluation.copy_weights(weights, table.players, memory)
            memory.looks_ahead = False
        for viewer in range(table.players):
            noted = memory.places["situation"].tolist()
            make_view(table.workspace, viewer)
            describe(table.tables, table.workspace.bot_view, viewer, memory)
            reused += sum(old == new for old, new in zip(noted, memory.places["situation"].tolist(), strict=True))
            found = [dict(zip(FEATURES, row.tolist(), strict=True)) for row in memory.seats[: table.players]]
            assert found == described(table, viewer)
    assert reused > 0


def test_what_a_seat_has_is_what_lies_before_it() -> None:
    """Points, koku, goods, favor and their squares by their limits, influence, customers, ships: for every seat."""
    for table in positions():
        tables, viewer = table.tables, table.active
        for number, found in enumerate(described(table, viewer)):
            seat = table.seat(number)
            goods, done = sum(seat.goods), len(seat.delivered)
            points = [int(value) for value in tables.customer_points]
            kinds = [sum(card.startswith(kind) for card in seat.delivered) for kind in CUSTOMER_TYPES]
            expected = {
                "points": seat.points,
                "customers": points[min(done, len(points) - 1)],
                "next-customer": points[min(done + 1, len(points) - 1)] - points[min(done, len(points) - 1)],
                "koku": seat.koku,
                "koku-squared": seat.koku**2 / int(tables.koku_limit),
                "goods": goods,
                "goods-squared": sum(count**2 for count in seat.goods) / int(tables.good_limit),
                "favor": seat.favor,
                "favor-squared": seat.favor**2 / int(tables.favor_limit_end),
                "favor-limit": seat.favor_limit,
                "influence": sum(seat.influence),
                "royal": float(seat.royal >= 0),
                "ships": sum(space - 1 for space in seat.ships) / 14,
                "late-ships": sum(space + 6 > 14 for space in seat.ships),
                "waiting": (number - table.active) % table.players / table.players,
                **dict(zip(TYPES, kinds, strict=True)),
            }
            assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_what_scores_at_the_end_is_counted_as_final_scoring_does() -> None:
    """Customers, nobles, merchants and artisans have the points that they would score if the game ended here."""
    for table in positions():
        for found, final in zip(described(table, table.active), table.final(), strict=True):
            counted = [found[f"{name}-points"] for name in ("noble", "merchant", "artisan")]
            assert [found["customers"], *counted] == [
                final.customers,
                final.nobles,
                final.merchants,
                final.artisans,
            ]


def shared(table: Table, seat: int, region: int, lost: int = 0) -> Fraction:
    """What a seat's place in a region scores with some influence lost, ties shared without rounding."""
    steps = [table.seat(other).influence[region] for other in range(table.players)]
    steps[seat] -= lost
    if steps[seat] <= 0:
        return Fraction(0)
    order = sorted(steps, reverse=True)
    places = [place for place, step in enumerate(order) if step == steps[seat]]
    within = int(table.tables.second_place_within)
    if places[0] > 0 and within > 0 and order[0] - steps[seat] > within:
        return Fraction(0)
    points = [*table.tables.region_points[table.game.region_tiles[region]].tolist(), 0, 0][:4]
    return Fraction(sum(points[place] for place in places if place < 3), len(places))


def test_regions_count_as_they_stand() -> None:
    """The points of each place, twice with its elder; rounded down they are those of the final scoring."""
    tied = elders = 0
    for table in positions():
        finals = table.final()
        for number, found in enumerate(described(table, table.active)):
            factor = [2 if f"elder-{region + 1}" in table.seat(number).delivered else 1 for region in range(REGIONS)]
            exact = [shared(table, number, region) for region in range(REGIONS)]
            behind = [shared(table, number, region, position.REACH) for region in range(REGIONS)]
            rounded = [twice * int(points) for twice, points in zip(factor, exact, strict=True)]
            assert rounded == finals[number].regions
            pairs = [zip(factor, points, strict=True) for points in (exact, behind)]
            sums = [float(sum(twice * points for twice, points in pair)) for pair in pairs]
            assert [found["regions"], found["behind"]] == pytest.approx(sums)
            tied += any(points.denominator > 1 for points in exact)
            elders += max(factor) > 1
    assert tied, "no points were ever shared unevenly"
    assert elders, "no elder ever counted"


def rough(reward: Any) -> float:
    """The rough worth of a reward in points."""
    goods = int(reward.any_good) + int(np.sum(reward.goods))
    koku = float(reward.koku) + 2.0 * float(reward.koku_per_any)
    worth = float(reward.points) + pos.KOKU_WORTH * koku + pos.GOOD_WORTH * goods
    return worth + pos.FAVOR_WORTH * float(reward.favor) + pos.STEP_WORTH * float(reward.influence)


def touched(table: Table, river: int) -> set[int]:
    return {int(space) for space in table.tables.river_shore[river]}


def test_own_buildings_near_are_those_that_a_ship_may_touch_next() -> None:
    """The owner reward's worth for each marker, each ship of its owner, and each face that takes the ship there."""
    some = 0.0
    for table in positions():
        for number, found in enumerate(described(table, table.active)):
            worth = 0.0
            for space in range(SHORE_SPACES):
                tile = int(table.game.shore[space])
                if tile == EMPTY:
                    continue
                for _ in range(table.owners(space + 1).count(number)):
                    for ship in table.seat(number).ships:
                        reached = [touched(table, (ship - 1 + face) % 14) for face in range(1, 7)]
                        worth += rough(table.tables.tiles[tile].owner) * sum(space in near for near in reached)
            assert found["own-near"] == pytest.approx(worth)
            some += worth
    assert some > 0


def test_owner_rewards_count_by_the_visits_that_are_expected() -> None:
    """The tiles left give the sails to come, each touches a space by chance, and the Emperor visits all once."""
    some = 0.0
    for table in positions():
        left = int(table.game.era_left.sum())
        of_emperor = 1.0 if table.game.era_left[0] > 0 else 0.0
        for number, found in enumerate(described(table, table.active)):
            sums = {"points": 0.0, "favor": 0.0, "influence": 0.0}
            for space in range(SHORE_SPACES):
                if number not in table.owners(space + 1):
                    continue
                touches = sum(space in touched(table, river) for river in range(14))
                times = left * VISITS_PER_TILE * touches / 14 + of_emperor
                reward = table.tables.tiles[table.game.shore[space]].owner
                for name in sums:
                    sums[name] += times * float(reward[name]) * table.owners(space + 1).count(number)
            assert {name: found[f"owner-{name}"] for name in sums} == pytest.approx(sums)
            some += sum(sums.values())
    assert some > 0


def test_the_own_hand_is_known_and_no_other() -> None:
    """Orders that can be filled, or lack one good, are counted for the viewer; the other seats have zeros there."""
    seen = set()
    for table in positions():
        for viewer in range(table.players):
            for number, found in enumerate(described(table, viewer)):
                if number != viewer:
                    assert [found[name] for name in OWN_ONLY] == [0.0] * len(OWN_ONLY)
                    continue
                seat = table.seat(viewer)
                lacks = {}
                for card in seat.hand:
                    order = table.tables.orders[CUSTOMERS.index(card)]
                    lacks[card] = sum(max(0, int(order[i]) - seat.goods[i]) for i in range(len(GOODS)))
                ready = [card for card in seat.hand if lacks[card] == 0]
                nearly = [card for card in seat.hand if lacks[card] == 1]
                expected = [len(ready), len(nearly), len({card[-1] for card in ready}), 1]
                assert [found[name] for name in ("ready", "nearly", "regions-ready", "looks")] == expected
                seen |= {("ready", len(ready) > 0), ("nearly", len(nearly) > 0)}
    assert len(seen) == 4, "some counts never differed"


@pytest.mark.parametrize(("seats", "left", "waiting"), [(2, 1, 0), (2, 5, 1), (3, 4, 2), (4, 2, 3), (4, 30, 1)])
def test_turns_to_come_are_those_of_a_simple_simulation(seats: int, left: int, waiting: int) -> None:
    """Each turn takes a tile by chance; the last tile triggers the end, and every other seat has one more turn."""
    chance = np.random.default_rng(seats * 100 + left)
    turns, sets_off, runs = 0, 0, 4000
    for _ in range(runs):
        tiles, mover = left, 0
        while True:
            mine = mover % seats == waiting
            turns += mine
            tiles -= chance.random() < position.TILES_PER_TURN
            if tiles == 0:
                break
            mover += 1
        sets_off += mine
        turns += not mine
    mean = position.TURNS_TO_COME[seats, left, waiting]
    assert turns / runs == pytest.approx(mean, abs=0.03 * max(mean, 1.0))
    assert sets_off / runs == pytest.approx(position.CHANCE_TO_SET_OFF[seats, left, waiting], abs=0.04)


def test_somebody_sets_off_the_end() -> None:
    """For any tiles left, the chances of all seats to do so add up to 1."""
    for seats in (2, 3, 4):
        sums = position.CHANCE_TO_SET_OFF[seats, 1:, :seats].sum(axis=1)
        assert sums == pytest.approx(np.ones(len(sums)))


def test_in_the_last_turns_a_seat_has_one_or_none() -> None:
    """Seats whose turn comes before the end have one more; nobody triggers the end again."""
    table = Table(4).turn_of(1)
    table.game.last_turns, table.game.ended_by = 1, 3
    found = described(table, 0)
    assert [seat["turns"] for seat in found] == [0.0, 1.0, 1.0, 0.0]
    assert [seat["sets-off"] for seat in found] == [0.0] * 4


def test_each_seat_shows_its_patron() -> None:
    """The feature with the patron's name is 1, those of all others 0."""
    for table in positions():
        for number, found in enumerate(described(table, table.active)):
            patron = int(table.game.players[number].patron)
            assert [found[name] for name in PATRONS] == [float(place == patron) for place in range(len(PATRONS))]


def test_the_next_turn_is_worth_what_the_policy_finds_with_each_roll() -> None:
    """Each roll is as likely as the others; the die may be turned for favor. Nobody else's next turn is valued."""
    source = find_bot(GAME, "tuned", Path())
    for table in positions():
        viewer = (table.active - 1) % table.players
        player = table.game.players[viewer]
        position, memory = records(POSITION, 1)[0], records(BOT_MEMORY, 1)[0]
        memory.weights[: len(source.weights)] = source.weights
        position.policies["weights"][:, : len(source.weights)] = source.weights
        position.looks_ahead = True
        make_view(table.workspace, viewer)
        view = table.workspace.bot_view
        describe(table.tables, view, viewer, position)
        found = [dict(zip(FEATURES, row.tolist(), strict=True)) for row in position.seats[: table.players]]
        assert all(seat["next-turn"] == seat["best-face"] == 0.0 for n, seat in enumerate(found) if n != viewer)
        if found[viewer]["turns"] == 0.0:
            assert found[viewer]["next-turn"] == found[viewer]["best-face"] == 0.0
            continue
        weigh_moment(table.tables, view, memory)
        take_notes(table.tables, view, viewer, True, memory)
        note_outlook(table.tables, view, viewer, memory)
        note_faces(table.tables, view, viewer, ALL_FACES, memory)
        worths = memory.notes[FACE_WORTH + 1 : FACE_WORTH + 7].tolist()
        price = float(memory.notes[weights.FAVOR])
        best = [
            max(
                [0.0]
                + [
                    worth - price * min((face - die) % 6, (die - face) % 6)
                    for face, worth in enumerate(worths)
                    if min((face - die) % 6, (die - face) % 6) <= player.favor
                ]
            )
            for die in range(6)
        ]
        assert found[viewer]["next-turn"] == pytest.approx(sum(best) / 6)
        assert found[viewer]["best-face"] == pytest.approx(max(0.0, *worths))


# ------------------------------------------------------------------------------------------------ the chance to win


def judge(**weights: float) -> Any:
    """Weights of the evaluation for all moments and player counts, by the name of the feature; others 0."""
    memory = records(BOT_MEMORY, 1)[0]
    for i, name in enumerate(evaluation.NAMES):
        if name.startswith("value-"):
            memory.weights[i] = weights.get(name.split("-", 3)[3].replace("-", "_"), 0.0)
    return memory


def chances(table: Table, memory: Any) -> list[float]:
    """The chance of each seat, as it sees the table."""
    found, sheet = [], records(SHEET, 1)[0]
    take_weights(memory.weights, table.players, sheet)
    for seat in range(table.players):
        make_view(table.workspace, seat)
        found.append(float(chance_to_win(table.tables, table.workspace.bot_view, seat, sheet)))
    return found


def test_the_chances_of_all_seats_add_up_to_one() -> None:
    """Where what only the viewer knows has no weight, whatever the other weights are."""
    random = np.random.default_rng(3)
    names = [name.replace("-", "_") for name in FEATURES if name not in OWN_ONLY]
    for table in positions():
        memory = judge(**{name: float(random.normal(0.0, 0.05)) for name in names})
        found = chances(table, memory)
        assert sum(found) == pytest.approx(1.0)
        assert all(0.0 < chance < 1.0 for chance in found)


def test_equal_seats_have_equal_chances() -> None:
    """Without weights, the seats do not differ."""
    for players in (2, 3, 4):
        assert chances(Table(players), judge()) == pytest.approx([1 / players] * players)


def test_the_chance_to_win_grows_with_points() -> None:
    """Ever more points of a seat raise its chance and lower that of the others; a weight is a logarithm of odds."""
    table = Table(3)
    before = chances(table, judge(points=0.1))
    for points in (1, 5, 40):
        after = chances(table.give(1, points=points), judge(points=0.1))
        assert after[1] > before[1]
        assert after[0] == pytest.approx(after[2])
        assert after[0] < before[0]
        assert after[1] / after[0] == pytest.approx(np.exp(0.1 * points))
        before = after


def test_each_moment_has_weights_of_its_own() -> None:
    """The early weights count at the start, the middle ones at half of the tiles, then the late and the last ones."""
    table = Table(3).give(0, points=10)
    left = [int(table.game.era_left[0]), int(table.game.era_left[1])]
    half = sum(left) // 2
    moments = {"early": left, "middle": [half - left[1], left[1]], "late": [0, 0], "last": [0, 0]}
    for moment, tiles in moments.items():
        table.leave(*tiles)
        table.game.last_turns = 1 if moment == "last" else -1
        for other in moments:
            memory = judge()
            memory.weights[evaluation.NAMES.index(f"value-3-{other}-points")] = 0.1
            assert (chances(table, memory)[0] > 0.4) is (other == moment), (moment, other)


def test_the_chance_to_win_a_game_that_is_over_is_the_win_share() -> None:
    """Whatever the weights, and shared where two have won."""
    random = np.random.default_rng(4)
    memory = judge(points=-1.0, koku=float(random.normal()))
    for number in range(3):
        for table, menu in playing(("printed", 2 + number, "none"), number):
            if not menu:
                assert chances(table, memory) == [seat.win_share for seat in table.final()]
    for seat in range(table.players):
        table.game.players[seat] = table.game.players[0]
    assert chances(table, memory) == pytest.approx([1 / table.players] * table.players)


def test_the_numbers_of_features_are_their_places_among_the_names() -> None:
    """Each constant that bears the name of a feature is its number, and so for weights."""
    for module, names in ((position, position.FEATURES), (weights, tuple(weights.WEIGHTS))):
        numbered = {
            name: vars(module)[constant]
            for name in names
            if isinstance(vars(module).get(constant := name.replace("-", "_").upper()), int)
        }
        for other in ("regions", "merchant-points"):  # of the board, and of the customers
            numbered.pop(other, None)
        assert len(numbered) > 20
        assert {name: names.index(name) for name in numbered} == numbered
