"""What the policy looks up, or computes for all goods and tiles in one pass, compared with the plain way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from rogsim.game.compiler import kernel, records
from rogsim.game.kit.workspace import BOT_MEMORY, make_view
from rogsim.game.rules import copy_of
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots import worth as notes
from rogsim.games.river_of_gold.bots.actions_worth import (
    ALL_FACES,
    ALL_REGIONS,
    NOTED_AMOUNTS,
    NOTHING,
    build_worth,
    delivery_with_exchanges,
    note_deliveries,
    note_faces,
    note_outlook,
    note_steps,
    sail_worth,
    spaces_to_build_on,
    visits_worth,
)
from rogsim.games.river_of_gold.bots.policy import faces_in_reach
from rogsim.games.river_of_gold.bots.worth import (
    NOBLE_COUNTING,
    favor_worth,
    influence_in,
    influence_worth,
    koku_worth,
    mastery_worth,
    note_influences,
    owner_worth,
    reward_worth,
    rivals_of,
    shared_place,
    take_notes,
    visits_to_come,
    weigh_moment,
)
from rogsim.games.river_of_gold.components.names import (
    CUSTOMERS,
    EARTH,
    EMPTY,
    FACES,
    GOODS,
    KAIU,
    MAX_ROW,
    NONE,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    TILE_KINDS,
    WATER,
    YORITOMO,
)
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.build import build_cost
from rogsim.games.river_of_gold.rules.sail import FIRST_NOBLE, NOBLE_DIE
from rogsim.games.river_of_gold.rules.supply import has
from rogsim.games.river_of_gold.spec import GAME
from tests.games.river_of_gold.games import bot
from tests.games.river_of_gold.playing import playing

# Compiled, only these tests would need the functions as machine code of their own.
pytestmark = [pytest.mark.slow, pytest.mark.once_uncompiled]

GAMES = [("printed", 2, "none"), ("printed", 3, "dealt"), ("generous", 4, "draft")]


def moments(number: int = 3) -> Iterator[tuple[Any, Any, int, Any]]:
    """Tables, views, seats and notes of positions of random games, by the weights of `tuned`."""
    memory = records(BOT_MEMORY, 1)[0]
    weights = bot("tuned").weights
    memory.weights[: len(weights)] = weights
    for kind in GAMES:
        for table, _ in islice(playing(kind, number), 0, None, 7):
            seat = table.active
            make_view(table.workspace, seat)
            view = table.workspace.bot_view
            weigh_moment(table.tables, view, memory)
            take_notes(table.tables, view, seat, True, memory)
            yield table.tables, view, seat, memory


def good_worth_of(tables: Any, player: Any, good: int, memory: Any) -> float:
    """The worth of one more of a good: more if it completes an order of the hand, or helps to fill one."""
    lacks = [
        [max(0, int(order[kind]) - int(player.goods[kind])) for kind in range(len(GOODS))]
        for customer, order in enumerate(tables.orders)
        if int(player.hand) >> customer & 1
    ]
    need = max((1 / sum(lack) for lack in lacks if lack[good]), default=0.0)
    worth: float = memory.notes[w.GOOD] + memory.notes[w.NEED] * need
    return worth if player.goods[good] < tables.good_limit else 0.0


@kernel
def tile_worth(tables: Any, view: Any, seat: int, place: int, memory: Any) -> float:
    """The worth of taking a tile, mastery by mastery."""
    player = view.players[seat]
    kind = tables.tiles[view.row[place]].kind
    worth = float(tables.noble_points * has(player.delivered, NOBLE_COUNTING[kind]))
    if player.owned[kind] + 1 > max(player.owned[0], player.owned[1], player.owned[2], player.owned[3]):
        worth += mastery_worth(tables, view, seat, EARTH, 1, memory)
    if player.owned[kind] == 0:
        worth += mastery_worth(tables, view, seat, WATER, 1, memory)
    if place == 0:
        worth += favor_worth(player, float(tables.row_end_favor), memory)
    return worth


def rough_worth_of(reward: Any, player: Any, memory: Any) -> float:
    """The average worth of a later reward, part by part, with one more of what it gives koku for."""
    weights, koku = memory.notes, float(reward.koku)
    if reward.koku_per_any:
        koku += sum(int(per) * (int(owned) + 1) for per, owned in zip(reward.koku_per, player.owned, strict=True))
        koku += int(reward.koku_per_customer) * (int(player.delivered_by_type.sum()) + 1)
    worth: float = reward.points + weights[w.FAVOR] * reward.favor + weights[w.KOKU] * koku
    worth += (weights[w.GOOD] + 0.3 * weights[w.NEED]) * (reward.goods.sum() + reward.any_good)
    return worth + weights[w.STEP] * 2.0 * reward.influence


@kernel
def visits_of(tables: Any, view: Any, seat: int, space: int, memory: Any) -> tuple[float, float]:
    return visits_worth(tables, view, seat, space, memory), visits_to_come(tables, view, space, memory)


@kernel
def place_points_of(tables: Any, view: Any, seat: int, region: int, influence: int) -> float:
    return shared_place(tables, view, rivals_of(seat, influence_in(view, region)), region, influence)


@kernel
def delivery_of(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    return delivery_with_exchanges(tables, view, seat, customer, memory)


@kernel
def shore_worth_of(tables: Any, view: Any, seat: int, space: int, memory: Any) -> float:
    """The worth of touching a shore space, marker by marker."""
    number = view.shore[space]
    if number == EMPTY:
        return koku_worth(tables, view.players[seat], float(tables.empty_space_koku), memory)
    tile, region = tables.tiles[number], tables.shore_region[space]
    worth = reward_worth(tables, view, seat, tile.visitor, region, memory)
    for marker in range(2):
        owner = view.markers[space, marker]
        if owner == seat:
            worth += reward_worth(tables, view, seat, tile.owner, region, memory)
        elif owner != NONE:
            worth -= memory.notes[w.RIVAL] * owner_worth(tables, number, view.players[owner], memory)
    return worth


@kernel
def faces_of(tables: Any, player: Any, may_buy: bool) -> int:
    return faces_in_reach(tables, player, int(player.die), may_buy)


@kernel
def spaces_of(tables: Any, view: Any, player: Any, regions: int) -> int:
    return spaces_to_build_on(tables, view, player, regions)


@kernel
def sail_worth_of(tables: Any, view: Any, seat: int, ship: int, to: int, memory: Any) -> float:
    return sail_worth(tables, view, seat, ship, to, memory)


@kernel
def note_deliveries_of(tables: Any, view: Any, seat: int, memory: Any) -> None:
    note_deliveries(tables, view, seat, ALL_REGIONS, memory)


def fresh(memory: Any, tables: Any, view: Any, seat: int, outlook: float) -> Any:
    """Notes that were just taken, in memory of their own."""
    copied = copy_of(memory)
    copied.notes[w.OUTLOOK] = outlook
    take_notes(tables, view, seat, True, copied)
    note_outlook(tables, view, seat, copied)
    return copied


def plain_actions(tables: Any, view: Any, seat: int, face: int, memory: Any) -> list[tuple[int, float]]:
    """Every action with the die on a face, and its worth, asked for one by one."""
    player, found = view.players[seat], []
    for ship in range(2):
        reach = int(tables.noble_amount[NOBLE_DIE - FIRST_NOBLE])
        reach *= player.royal == ship and int(player.delivered) >> NOBLE_DIE & 1
        for turned in range(-reach, reach + 1):
            to = (int(player.ships[ship]) + 1 + (face - 1 + turned) % FACES) % RIVER_SPACES
            worth = sail_worth_of(tables, view, seat, ship, to, memory)
            found.append((act.SAIL + ship * RIVER_SPACES + to, worth))
    for region in range(REGIONS) if player.patron == KAIU else (face - 1,):
        note_steps(tables, view, seat, region, memory)
        for space in tables.region_spaces[region].tolist():
            if view.shore[space] != EMPTY or build_cost(tables, player, space) > player.koku:
                continue
            for place in range(view.row_length):
                worth = build_worth(tables, view, seat, space, place, memory)
                worth = memory.notes[w.BUILD] * worth + memory.notes[w.PACE]
                found.append((act.BUILD + space * MAX_ROW + place, worth))
    for region in range(REGIONS) if player.patron == YORITOMO else (face - 1,):
        here = [number for number in range(region, len(CUSTOMERS), REGIONS) if int(player.hand) >> number & 1]
        found += [(act.DELIVER + customer, delivery_of(tables, view, seat, customer, memory)) for customer in here]
    return found


def test_the_goods_of_a_reward_are_those_of_each_kind_and_of_choice() -> None:
    """In the tables, for the rewards of all tiles and tracks, one of them with several kinds and a choice."""
    visitor = {"rice": 2, "silk": 1, "any_good": 1}
    change, problems = GAME.check_change({"tile": {"era1-shrine-2": {"visitor": visitor}}})
    assert not problems
    tables = GAME.prepare(GAME.options(), 4, change).tables
    rewards = [*tables.tiles["visitor"], *tables.tiles["owner"], *tables.track_rewards]
    counts = [int(reward["goods"].sum()) + int(reward["any_good"]) for reward in rewards]
    assert [int(reward["goods_in_all"]) for reward in rewards] == counts
    assert max(counts) == 4


def test_goods_are_noted_in_one_pass_as_one_by_one() -> None:
    """The note of each good is its worth, and that of a good of choice is the highest."""
    for tables, view, seat, memory in moments():
        worths = [good_worth_of(tables, view.players[seat], good, memory) for good in range(len(GOODS))]
        assert memory.notes[notes.GOOD : notes.GOOD + len(GOODS)].tolist() == worths
        assert memory.notes[notes.GOOD + notes.ANY_GOOD] == max(0.0, *worths)


def test_tiles_of_the_row_are_noted_as_one_by_one() -> None:
    """Steps to masteries are computed once for all tiles of a kind; the notes are the same."""
    for tables, view, seat, memory in moments():
        for place in range(view.row_length):
            reward = tables.tiles[view.row[place]].owner
            assert memory.notes[notes.TILE + place] == tile_worth(tables, view, seat, place, memory)
            assert memory.notes[notes.OWNER + place] == rough_worth_of(reward, view.players[seat], memory)


def test_expected_visits_count_the_faces_that_bring_a_ship_of_the_seat() -> None:
    """For each shore space: the faces of the die with which either ship touches it."""
    for tables, view, seat, memory in moments():
        ships = view.players[seat].ships.tolist()
        for space in range(SHORE_SPACES):
            faces = sum(
                space in tables.river_shore[(ship + face) % RIVER_SPACES]
                for ship in ships
                for face in range(1, FACES + 1)
            )
            found, visits = visits_of(tables, view, seat, space, memory)
            assert found == pytest.approx(memory.notes[w.OWNER] * (visits + memory.notes[w.NEAR] * faces))


def test_the_shore_is_noted_as_space_by_space() -> None:
    """Empty spaces at once, unless koku may be paid first; with an outlook all that river spaces touch."""
    for tables, view, seat, memory in moments():
        worths = [shore_worth_of(tables, view, seat, space, memory) for space in range(SHORE_SPACES)]
        empty = (view.shore == EMPTY).tolist()
        noted = memory.notes[notes.SHORE : notes.SHORE + SHORE_SPACES].tolist()
        assert [None if math.isnan(note) else note for note in noted] == [
            worth if free else None for worth, free in zip(worths, empty, strict=True)
        ]
        memory.notes[w.OUTLOOK] = 1.0
        note_outlook(tables, view, seat, memory)
        touched = [sum(worths[space] for space in spaces) for spaces in tables.river_shore.tolist()]
        assert memory.notes[notes.TOUCHED : notes.TOUCHED + RIVER_SPACES].tolist() == touched
        memory.notes[w.OUTLOOK] = 0.0
        take_notes(tables, view, seat, False, memory)
        assert all(math.isnan(note) for note in memory.notes[notes.SHORE : notes.SHORE + SHORE_SPACES])


def test_faces_and_spaces_in_reach_are_those_of_plain_questions() -> None:
    """Faces that favor reaches, with one more if it can be bought; empty spaces that koku and a discount pay for."""
    bought = 0
    for tables, view, seat, _ in moments():
        player = view.players[seat]
        for face in range(1, FACES + 1):
            steps = min((face - player.die) % FACES, (player.die - face) % FACES)
            plain = steps <= player.favor
            buying = steps == player.favor + 1 <= player.favor_limit and player.koku >= tables.koku_for_favor
            assert faces_of(tables, player, False) >> face & 1 == plain
            assert faces_of(tables, player, True) >> face & 1 == (plain or buying)
            bought += buying
        every: list[int] = []
        for region in range(REGIONS):
            spaces = tables.region_spaces[region].tolist()
            free = [space for space in spaces if view.shore[space] == EMPTY]
            free = [space for space in free if build_cost(tables, player, space) <= player.koku]
            assert spaces_of(tables, view, player, 1 << region) == sum(1 << space for space in free)
            every += free
        assert spaces_of(tables, view, player, ALL_REGIONS) == sum(1 << space for space in every)
    assert bought


def test_points_for_places_are_looked_up_as_they_are_shared() -> None:
    """For every influence in every region: the places that a seat shares, added up and divided, not rounded down."""
    for tables, view, seat, _ in moments():
        for region in range(REGIONS):
            rivals = [int(view.players[other].influence[region]) for other in range(view.seats) if other != seat]
            prizes = [*tables.region_points[view.region_tiles[region]].tolist(), 0, 0, 0, 0]
            for influence in range(1, 19):
                ahead = sum(rival > influence for rival in rivals)
                tied = 1 + sum(rival == influence for rival in rivals)
                points = sum(prizes[ahead : ahead + tied]) / tied
                if tables.second_place_within > 0 and max(rivals) - influence > tables.second_place_within:
                    points = 0.0
                assert place_points_of(tables, view, seat, region, influence) == points


def test_the_best_delivery_is_that_of_the_first_best_customer_of_the_hand() -> None:
    """Of all customers of the hand in a region that can be delivered to, the one worth most; none if there is none."""
    found = 0
    for tables, view, seat, memory in moments():
        hand = int(view.players[seat].hand)
        note_deliveries_of(tables, view, seat, memory)
        for region in range(REGIONS):
            here = [number for number in range(region, len(CUSTOMERS), REGIONS) if hand >> number & 1]
            worths = [(act.DELIVER + number, delivery_of(tables, view, seat, number, memory)) for number in here]
            possible = [each for each in worths if each[1] > NOTHING]
            best = max(possible, key=lambda each: each[1], default=(act.PASS, 0.0))
            action = int(memory.notes[notes.DELIVERY_ACTION + region])
            worth = float(memory.notes[notes.DELIVERY_WORTH + region])
            assert action == best[0]
            if action != act.PASS:
                found += 1
                assert worth == best[1]
    assert found > 0


@pytest.mark.parametrize("outlook", [0.0, 0.5])
def test_the_best_actions_of_all_faces_are_those_found_one_by_one(outlook: float) -> None:
    """The first of those that are worth most; sails may touch what is noted for all faces, or space by space."""
    kinds = set()
    for tables, view, seat, memory in moments():
        together, alone = (fresh(memory, tables, view, seat, outlook) for _ in range(2))
        note_faces(tables, view, seat, ALL_FACES, together)
        for face in range(1, FACES + 1):
            plain = plain_actions(tables, view, seat, face, fresh(memory, tables, view, seat, outlook))
            best = max(plain, key=lambda action: action[1])
            note_faces(tables, view, seat, 1 << face, alone)
            for noted in (together, alone):
                assert (int(noted.notes[notes.FACE_ACTION + face]), noted.notes[notes.FACE_WORTH + face]) == best
            kinds.add(sum(best[0] >= start for start in (act.BUILD, act.SAIL, act.DELIVER)))
    assert kinds >= {1, 2, 3}


def test_rewards_are_noted_for_the_moment_as_one_by_one() -> None:
    """Those of the tracks and of the owners of tiles, except for what depends on the player."""
    for tables, view, seat, memory in moments():
        rewards = [*tables.track_rewards, *(tile.owner for tile in tables.tiles[:TILE_KINDS])]
        for number, reward in enumerate(rewards):
            if reward.koku_per_any == 0:
                assert memory.notes[w.ROUGH + number] == rough_worth_of(reward, view.players[seat], memory)


def test_amounts_of_influence_are_noted_together_as_one_by_one() -> None:
    """In every region; no influence is worth nothing."""
    for tables, view, seat, memory in moments():
        for region in range(REGIONS):
            note_influences(tables, view, seat, region, NOTED_AMOUNTS, memory)
            run = notes.INFLUENCE + region * notes.AMOUNTS
            worths = [influence_worth(tables, view, seat, region, amount, memory) for amount in range(notes.AMOUNTS)]
            assert memory.notes[run : run + notes.AMOUNTS].tolist() == worths


@pytest.mark.parametrize("name", ["balanced", "racer", "tuned"])
def test_weights_are_the_same_whatever_was_mixed_before(name: str) -> None:
    """Those that never change are mixed once; a last turn, which shifts them, comes between two other moments here."""
    used, weights = records(BOT_MEMORY, 1)[0], bot(name).weights.copy()
    if name == "racer":
        for seats in (2, 3, 4):
            weights[w.first_weight(seats, 1) + w.FINAL] = 0.5
    constant = set()
    for tables, view, _, _ in moments(1):
        for last_turns in (int(view.last_turns), 1, NONE):
            view.last_turns = last_turns
            fresh_memory = records(BOT_MEMORY, 1)[0]
            for memory in (used, fresh_memory):
                memory.weights[: len(weights)] = weights
                weigh_moment(tables, view, memory)
            assert used.notes[: w.MOMENT_COUNT].tolist() == fresh_memory.notes[: w.MOMENT_COUNT].tolist()
            constant.add(float(used.notes[w.CONSTANT]))
    assert constant == {1.0 if name == "balanced" else 0.0}
