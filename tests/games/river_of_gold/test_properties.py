"""What holds in every game: limits, conservation, points that add up, and bots that only see and choose."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rogsim import jit
from rogsim.chance import draw
from rogsim.game import Batch, Bot, BotFault
from rogsim.games.river_of_gold import actions as act
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.actions import MENU_SIZE
from rogsim.games.river_of_gold.desk import DESK, look
from rogsim.games.river_of_gold.facts_limits import MAX_DIE_STEPS, MAX_FAVOR, MAX_GOODS_IN_REWARD
from rogsim.games.river_of_gold.legal import legal
from rogsim.games.river_of_gold.names import (
    CUSTOMER_TYPES,
    CUSTOMERS,
    ERAS,
    MASTERIES,
    NOBLE,
    NONE,
    SHORE_SPACES,
    TILES_PER_ERA,
)
from rogsim.games.river_of_gold.outcome import GAME_COLUMNS, SEAT_COLUMNS
from rogsim.games.river_of_gold.tables import TABLES
from tests.games.river_of_gold.games import PATRON_MODES, batch_of, naive_facts, outcomes, setup_for, traces
from tests.games.river_of_gold.table import Table, cards_in

EXAMPLES = 40 if jit.ENABLED else 6

# The same examples on every machine and every day.
steady = settings(
    derandomize=True, deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None
)

kinds_of_game = st.tuples(
    st.sampled_from(["printed", "generous"]), st.sampled_from([2, 3, 4]), st.sampled_from(PATRON_MODES)
)
luck = st.integers(0, 2**40)


def playing(kind: tuple[str, int, str], number: int) -> Iterator[tuple[Table, list[int]]]:
    """Play a game at random; yield the table and the menu before every choice, and at the end with none."""
    figures, players, patrons = kind
    rng = random.Random(number)
    table = Table(bare=False, setup=setup_for(figures, players, patrons), luck=number)
    menu = table.desk.menu
    while not table.over:
        legal(table.tables, table.game, menu)
        choices = menu.actions[: int(menu.count)].tolist()
        yield table, choices
        table.recorder.take(rng.choice(choices))
    yield table, []


# -------------------------------------------------------------------------------------------- in every game


@steady
@given(kinds_of_game, luck)
def test_limits_are_kept_and_nothing_is_lost_or_doubled(kind: tuple[str, int, str], number: int) -> None:
    """Throughout a game all figures are within their limits, and every tile, card and marker is accounted for."""
    facts, rng = naive_facts(kind[0]), random.Random(number)
    for table, _ in playing(kind, number):
        if table.expects == "draft":
            continue
        check_limits(table, facts)
        if table.over or rng.random() < 0.15:  # the slower checks
            check_cards(table)
            check_tiles(table)
            check_markers(table)
            check_ledgers(table, facts)


def check_limits(table: Table, facts: dict[str, Any]) -> None:
    limits = facts["limits"]
    for player in table.game.players[: table.players]:
        assert 0 <= player.koku <= limits["koku"]
        assert 0 <= min(player.goods) <= max(player.goods) <= limits["good"]
        assert 0 <= player.favor <= player.favor_limit <= limits["favor_limit"]
        assert 0 <= min(player.influence) <= max(player.influence) <= limits["influence"]
        assert 0 <= min(player.ships) <= max(player.ships) < 14
        assert 1 <= player.die <= 6
        royal = player.royal != NONE or table.expects == "royal"
        assert royal or player.delivered_by_type[NOBLE] == 0


def check_cards(table: Table) -> None:
    cards = table.deck + table.discards
    for player in table.game.players[: table.players]:
        hand, delivered = cards_in(player.hand), cards_in(player.delivered)
        cards += hand + delivered
        assert player.hand_size == len(hand)
        assert sum(player.delivered_by_type) == len(delivered)
    assert sorted(cards) == sorted(CUSTOMERS)


def check_tiles(table: Table) -> None:
    """Drawn era tiles lie in the row, on the shore, or were discarded at the end of a journey."""
    game = table.game
    drawn: list[str] = []
    for era in range(len(ERAS)):
        size = int(table.tables.era_tiles[era])
        stack = [table.tile_ids[tile] for tile in game.secret.stacks[era, : TILES_PER_ERA[era]]]
        assert len(set(stack)) == len(stack)
        assert all(tile.startswith(ERAS[era]) for tile in stack)
        drawn += stack[: size - int(game.era_left[era])]
    laid = [tile for space in range(1, SHORE_SPACES + 1) if (tile := table.tile_at(space))]
    seen = table.row + [tile for tile in laid if tile.startswith("era")]
    assert len(set(seen)) == len(seen)
    assert set(seen) <= set(drawn)
    if table.expects == "turn":
        journeys = sum(int(player.ledger.journeys) for player in game.players)
        assert len(drawn) == len(seen) + journeys
        assert len(table.row) == table.tables.row_size or game.last_turns != NONE


def check_markers(table: Table) -> None:
    for space in range(1, SHORE_SPACES + 1):
        first, second = (int(seat) for seat in table.game.markers[space - 1])
        tile = table.tile_at(space)
        assert (first != NONE) == (tile is not None and tile.startswith("era"))
        assert second == NONE or first != NONE
        assert max(first, second) < table.players
    for number in range(table.players):
        counted = dict.fromkeys(["port", "market", "manor", "shrine"], 0)
        for space in range(1, SHORE_SPACES + 1):
            if number in table.owners(space):
                counted[str(table.tile_at(space)).split("-")[1]] += 1
        assert table.seat(number).owned == counted


def check_ledgers(table: Table, facts: dict[str, Any]) -> None:
    """Points by source and koku gained and spent agree with what the player has; claims agree with the cards."""
    for number, player in enumerate(table.game.players[: table.players]):
        assert sum(int(points) for points in player.ledger.points) == player.points
        start = int(facts["setup"]["koku_by_turn_order"][number])
        if table.seat(number).patron == "kaiu-shihobu":
            start = min(start + 10, int(facts["limits"]["koku"]))
        assert start + player.ledger.koku_gained - player.ledger.koku_spent == player.koku
    for place, mastery in enumerate(MASTERIES):
        places = sorted(int(player.claimed[place]) for player in table.game.players if player.claimed[place])
        assert places == list(range(1, max(0, int(table.game.claims[place])) + 1)), mastery


@steady
@given(kinds_of_game, luck)
def test_there_is_always_a_choice_and_none_stands_twice(kind: tuple[str, int, str], number: int) -> None:
    """Every menu has one entry or more, each once, and room to spare; every game ends within 150 turns."""
    for table, choices in playing(kind, number):
        assert len(set(choices)) == len(choices)
        assert 0 < len(choices) <= MENU_SIZE or table.over
        assert table.game.turn < 150
    assert table.over
    assert choices == []


@steady
@given(kinds_of_game, luck)
def test_seats_take_turns_and_as_many_as_they_should(kind: tuple[str, int, str], number: int) -> None:
    """Turns go round; the seat that set off the end has the turn before the others' last ones."""
    for table, _ in playing(kind, number):
        if table.expects != "draft":
            assert table.game.active == table.game.turn % table.players
    turns = int(table.game.turn) + 1
    assert int(table.game.ended_by) == (turns - table.players) % table.players
    assert len(table.recorder.turns) == turns


# ------------------------------------------------------------------------------------------- final scoring


def slow_score(trace: dict[str, Any], facts: dict[str, Any]) -> list[int]:
    """Score the final board of a trace in the plainest way (R29-R31)."""
    after, tile_type = trace["turns"][-1]["after"], {}
    for turn in trace["turns"]:
        for step in turn["steps"]:
            if step["do"] == "build":
                tile_type[str(step["space"])] = step["tile"].split("-")[1]
    region_of = {str(space["id"]): space["region"] for space in facts["shore"]}
    totals = []
    for number, seat in enumerate(after["seats"]):
        delivered = seat["delivered"]
        own = [space for space, owners in after["markers"].items() if number in owners]
        types = [tile_type[space] for space in own]
        goods = seat["silk"] + seat["rice"] + seat["porcelain"]
        total = seat["points"] + [0, 2, 5, 9, 14, 20, 27][min(6, len(delivered))]
        for customer in delivered:
            kind, region = customer.split("-")
            if kind == "merchant":
                total += seat["koku"] // 5
            elif kind == "artisan":
                total += goods // 3
            elif kind == "noble":
                named = {"1": "market", "2": "port", "3": "manor", "4": "shrine"}
                counts = {"5": len(set(types)), "6": len({region_of[space] for space in own})}
                total += types.count(named[region]) if region in named else counts[region]
        for region in range(1, 7):
            doubled = 2 if f"elder-{region}" in delivered else 1
            total += doubled * region_share(trace, region, number)
        totals.append(total)
    return totals


def region_share(trace: dict[str, Any], region: int, number: int) -> int:
    reached = [seat["influence"][region - 1] for seat in trace["turns"][-1]["after"]["seats"]]
    own = reached[number]
    far_behind = len(reached) == 2 and max(reached) - own > 5
    if own == 0 or far_behind:
        return 0
    places = [*trace["setup"]["region_tiles"][region - 1], 0, 0, 0, 0]
    first = sum(other > own for other in reached)
    tied = reached.count(own)
    return sum(places[first : first + tied]) // tied


def bots_for(players: int, number: int) -> list[str]:
    """Some bots by seat: all random, or planning ones that deliver more."""
    names = spec.BOT_NAMES
    return ["random"] * players if number % 3 == 0 else [names[(number + i) % len(names)] for i in range(players)]


@steady
@given(kinds_of_game, st.integers(0, 10**6))
def test_the_score_recomputed_from_the_final_board_is_the_score(kind: tuple[str, int, str], number: int) -> None:
    """Slow, obvious code finds the same totals, the same winners, and shares of the win that sum to 1."""
    figures, players, patrons = kind
    setup, batch = setup_for(figures, players, patrons), batch_of(bots_for(players, number), 1, first=number)
    (trace,) = traces(setup, batch)
    totals = slow_score(trace, naive_facts(figures))
    assert totals == trace["final"]["points"]
    favor = [seat["favor"] for seat in trace["turns"][-1]["after"]["seats"]]
    best = max(zip(totals, favor, strict=True))
    winners = [seat for seat in range(players) if (totals[seat], favor[seat]) == best]
    seat_rows, _ = outcomes(setup, batch)
    assert seat_rows["points"].tolist() == totals
    shares = [1 / len(winners) if seat in winners else 0 for seat in range(players)]
    assert seat_rows["win_share"].tolist() == pytest.approx(shares)


POINT_COLUMNS = [column.name for column in SEAT_COLUMNS if column.name.startswith("points_")]


@steady
@given(kinds_of_game, st.integers(0, 10**6))
def test_the_columns_of_an_outcome_agree_with_each_other(kind: tuple[str, int, str], number: int) -> None:
    """Points by source add up, shares sum to 1, ranks, turns, margins and customers fit together."""
    figures, players, patrons = kind
    games = 5 if jit.ENABLED else 1
    batch = batch_of(bots_for(players, number), games, seed=2, first=number)
    seat_rows, game_rows = outcomes(setup_for(figures, players, patrons), batch)
    assert len(POINT_COLUMNS) == 12
    assert (sum(seat_rows[name] for name in POINT_COLUMNS) == seat_rows["points"]).all()
    for game, seats in zip(game_rows, np.split(seat_rows, games), strict=True):
        order = sorted(seats, key=lambda row: (-row["points"], -row["favor"]))
        assert sum(seats["win_share"]) == pytest.approx(1)
        assert sorted(seats["rank"]) == [row["rank"] for row in order]
        assert [row["rank"] == 1 for row in seats] == [row["win_share"] > 0 for row in seats]
        assert game["winners"] == (seats["rank"] == 1).sum()
        assert game["winning_points"] == order[0]["points"]
        assert game["margin"] == order[0]["points"] - order[1]["points"]
        assert game["turns"] == seats["turns"].sum()
        assert seats["turns"].max() - seats["turns"].min() <= 1
        assert game["decisions"] >= game["turns"]
        assert seats["ended_game"].tolist() == [seat + 1 == game["ended_by"] for seat in range(players)]
        actions = seats["builds"] + seats["sails"] + seats["deliveries"]
        assert (actions == seats["turns"]).all()
        assert (sum(seats[f"{kind}s"] for kind in CUSTOMER_TYPES) == seats["deliveries"]).all()
        in_play = GAME_COLUMNS[-1].labels[game["masteries"]].split("+")
        assert len(in_play) == 3
        claimed = {name for name in MASTERIES if seats[f"mastery_{name}"].any()}
        assert claimed <= set(in_play)


# ------------------------------------------------------------------------------------------ chance and batches


def test_a_game_does_not_depend_on_the_batch_it_is_played_in() -> None:
    """The same games one by one, in another order, or among others have the same rows."""
    setup, names = setup_for("printed", 3, "draft"), ["balanced", "random", "courier"]
    together, _ = outcomes(setup, batch_of(names, 4, seed=5))
    alone = [outcomes(setup, batch_of(names, 1, seed=5, first=game))[0] for game in range(4)]
    assert np.concatenate(alone).tolist() == together.tolist()
    batch = batch_of(names, 4, seed=5)
    backwards, _ = outcomes(setup, Batch(5, 3, batch.luck[::-1].copy(), batch.seating, batch.field))
    assert np.concatenate(np.split(backwards, 4)[::-1]).tolist() == together.tolist()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_luck_is_the_same_whoever_plays(players: int) -> None:
    """Other bots on the same game number meet the same deal, and the same roll in the same turn of a seat."""
    setup = setup_for("printed", players)
    one, two = (traces(setup, batch_of([name] * players, 1, first=3))[0] for name in ("random", "builder"))
    assert one["setup"] == two["setup"]
    rolls = []
    for trace in (one, two):
        by_seat: list[list[int]] = [[] for _ in range(players)]
        for turn in trace["turns"]:
            by_seat[turn["seat"]] += [step["die"] for step in turn["steps"] if step["do"] == "roll"]
        rolls.append(by_seat)
    for first, second in zip(*rolls, strict=True):
        both = min(len(first), len(second))
        assert both >= 5
        assert first[:both] == second[:both]


def test_other_seeds_and_game_numbers_are_other_games() -> None:
    """Neither the seed nor the game number is left out of the chance."""
    setup = setup_for("printed", 2)
    decks = {
        tuple(traces(setup, batch_of(["random"] * 2, 1, seed=seed, first=first))[0]["setup"]["deck"])
        for seed in range(3)
        for first in range(3)
    }
    assert len(decks) == 9


# --------------------------------------------------------------------------------------------- what bots see


def hide(game: Any, blank: Any, seat: int) -> None:
    """Blank in place what a seat may not know."""
    game.secret = blank.secret
    for other in range(int(game.seats)):
        if other != seat:
            game.players[other].hand = 0


def stir(table: Table, seat: int, rng: random.Random) -> None:
    """Change all that a seat cannot know, in a way that it cannot notice."""
    game = table.game
    secret = game.secret
    others = [other for other in range(table.players) if other != seat]
    first = int(secret.deck_size) - int(game.deck_left)
    unknown = [CUSTOMERS[card] for card in secret.deck[first : int(secret.deck_size)]]
    for other in others:
        unknown += table.seat(other).hand
    rng.shuffle(unknown)
    for other in others:
        hand = [unknown.pop() for _ in range(int(game.players[other].hand_size))]
        game.players[other].hand = sum(1 << CUSTOMERS.index(card) for card in hand)
    secret.deck[first : int(secret.deck_size)] = [CUSTOMERS.index(card) for card in unknown]
    for era in range(len(ERAS)):
        gone = int(table.tables.era_tiles[era]) - int(game.era_left[era])
        rest = secret.stacks[era, gone : TILES_PER_ERA[era]].tolist()
        rng.shuffle(rest)
        secret.stacks[era, gone : TILES_PER_ERA[era]] = rest
    secret.key = np.uint64(rng.getrandbits(64))
    secret.journal_size = rng.randrange(16)


@steady
@given(kinds_of_game, luck)
def test_a_view_is_the_game_without_hidden_things(kind: tuple[str, int, str], number: int) -> None:
    """Other hands, deck, stacks and chance can change without a trace in the view; all else is in it."""
    rng = random.Random(number)
    copy = jit.records(DESK, 1)[0]
    for table, _ in playing(kind, number):
        if rng.random() < 0.9 and table.expects != "draft":
            continue
        seat = rng.randrange(table.players)
        copy.game = table.game
        look(table.desk, seat)
        seen = table.desk.seen.tobytes()
        hide(copy.game, copy.blank, seat)
        assert seen == copy.game.tobytes()
        copy.game = table.game
        if table.expects != "draft":
            stir(table, seat, rng)
        look(table.desk, seat)
        assert table.desk.seen.tobytes() == seen
        table.desk.game = copy.game


def peeping(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Answer badly as soon as the memory of a menu, behind its end too, names a customer that this seat never held."""
    held = int(own.notes[0]) | int(view.players[view.actor].hand)
    own.notes[0] = held
    for i in range(len(menu.actions)):
        action = int(menu.actions[i])
        if act.DELIVER <= action < act.TAKE_GOOD and (held >> (action - act.DELIVER)) & 1 == 0:
            return -1
        if act.DISCARD_CUSTOMER <= action < act.SET_FACE and (held >> (action - act.DISCARD_CUSTOMER)) & 1 == 0:
            return -1
    return draw(own.stream, menu.count)


def test_a_menu_tells_nothing_of_other_seats_menus() -> None:
    """Neither on the menu that a bot gets nor behind its last entry stands a card of another's hand."""
    bots = tuple(Bot(name, spec.compile_bot(peeping), np.zeros(0)) for name in ("one", "other", "third"))
    batch = Batch(1, 3, np.arange(6), np.array([[0, 1, 2], [1, 2, 0]] * 3, np.int8), bots)
    seat_rows, _ = outcomes(setup_for("printed", 3), batch)
    assert (seat_rows["deliveries"] > 0).any()
    assert (seat_rows["turns"] > 0).all()


# -------------------------------------------------------------------------------------------- what bots can do


def vandal(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Choose like the random bot, then scribble over everything within reach."""
    choice = draw(own.stream, menu.count)
    for seat in range(4):
        view.players[seat].koku = 25
        view.players[seat].points = 1000
        view.players[seat].hand = 3
        view.players[seat].influence[0] = 18
    view.phase = 11
    view.turn = 999
    view.actor = 0
    view.row[0] = 0
    view.shore[0] = 1
    view.agenda[0] = 0
    view.agenda_size = 0
    view.secret.key = 1
    view.secret.deck[0] = 0
    menu.count = 1
    for i in range(len(menu.actions)):
        menu.actions[i] = 0
    tables.koku_limit = 1
    tables.row_size = 1
    tables.end_trigger = 100
    for space in range(30):
        tables.shore_cost[space] = 0
    for i in range(len(own.weights)):
        own.weights[i] = -1.0
    for i in range(len(own.notes)):
        own.notes[i] = -1.0
    return choice


def remembering(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Choose by a number of calls that is kept in the bot's copy of the tables, in its weights and in its notes."""
    tables.end_trigger += 1
    own.weights[0] += 1.0
    own.notes[0] += 1.0
    return (tables.end_trigger + int(own.weights[0]) + int(own.notes[0])) % menu.count


def own_bot(name: str, function: Any) -> Bot:
    return Bot(name, spec.compile_bot(function), np.array([0.5, 2.0]))


def field_batch(*bots: Bot, games: int = 2, first: int = 0) -> Batch:
    seating = np.tile(np.arange(len(bots), dtype=np.int8), (games, 1))
    return Batch(3, len(bots), np.arange(first, first + games), seating, bots)


def test_a_bot_that_scribbles_over_everything_changes_nothing_but_its_choices() -> None:
    """With writes into view, menu, tables and all of its own the games are those of the random bot."""
    setup = setup_for("printed", 3, "draft")
    plain = batch_of(["random"] * 3, 2, seed=3)
    scribbled = field_batch(*[own_bot("vandal", vandal)] * 3)
    before = setup.tables.tobytes()
    for one, other in zip(outcomes(setup, plain), outcomes(setup, scribbled), strict=True):
        assert one.tolist() == other.tolist()
    assert setup.tables.tobytes() == before


def test_a_bot_cannot_change_what_another_bot_reads() -> None:
    """A planning bot beside one that scribbles plays as it does beside the random bot."""
    setup, balanced = setup_for("printed", 2), batch_of(["random", "balanced"], 2, seed=3)
    scribbled = field_batch(own_bot("vandal", vandal), balanced.field[1])
    assert outcomes(setup, balanced)[0].tolist() == outcomes(setup, scribbled)[0].tolist()


def test_a_bot_remembers_nothing_from_one_game_to_the_next() -> None:
    """What a bot leaves in its tables or weights is gone when the next game of the batch begins."""
    setup, bot = setup_for("printed", 2), own_bot("remembering", remembering)
    together, _ = outcomes(setup, field_batch(bot, bot, games=2))
    alone = [outcomes(setup, field_batch(bot, bot, games=1, first=game))[0] for game in range(2)]
    assert np.concatenate(alone).tolist() == together.tolist()


def outside(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Answer with a place behind the end of the menu in the fifth turn."""
    return menu.count if view.turn >= 4 else 0


def test_a_bot_that_answers_outside_the_menu_is_named() -> None:
    """The error tells the bot, the game and the turn."""
    batch = field_batch(own_bot("outside", outside), own_bot("outside", outside), first=7)
    with pytest.raises(BotFault, match=r'bot "outside" .* in game 7 with 2 players, turn 5'):
        outcomes(setup_for("printed", 2), batch)


# ----------------------------------------------------------------------------------------- figures at their ends


@pytest.mark.parametrize("steps", range(MAX_DIE_STEPS + 1))
def test_the_royal_ship_s_die_offers_each_space_once(steps: int) -> None:
    """However far noble 5 may turn the die, no space is on the menu twice: 3 up and 3 down are one face."""
    table = Table().give(0, royal=0, delivered=["noble-5"])
    table.tables.noble_amount[4] = steps
    spaces = [step["to"] for step in table.options("sail") if step["ship"] == 0]
    assert len(spaces) == len(set(spaces)) == min(1 + 2 * steps, 6)


def test_the_longest_reward_fits_the_agenda() -> None:
    """A market with all the goods and favor that figures allow, visited by noble 1's ship, spoils nothing."""
    table = Table(patrons=["daidoji-uji", "kudaka", "kaiu-shihobu"]).place(2, "era1-market-1", 1)
    visitor = table.tables.tiles[table.tile_ids.index("era1-market-1")].visitor
    visitor.goods[:] = 2
    visitor.favor, visitor.influence, visitor.draw = MAX_FAVOR, 1, 1
    table.give(0, royal=0, delivered=["noble-1"]).lay_deck(["monk-1"], discards=["elder-1"])
    table.sail_to(1)
    assert (table.discards, int(table.game.turn), table.active) == (["elder-1"], 0, 0)
    for _ in range(MAX_GOODS_IN_REWARD):
        table.take("good", good="rice")
    assert (table.expects, table.seat(0).rice, table.seat(0).favor) == ("discard", 6, 3)


# -------------------------------------------------------------------------------------------------- the records


def field_names(dtype: np.dtype[Any]) -> Iterator[str]:
    while dtype.subdtype is not None:
        dtype = dtype.subdtype[0]
    for name, (inner, *_) in (dtype.fields or {}).items():
        yield str(name)
        yield from field_names(inner)


@pytest.mark.parametrize("dtype", [DESK, TABLES], ids=["desk", "tables"])
def test_no_field_of_a_record_is_hidden_by_a_method_of_numpy(dtype: np.dtype[Any]) -> None:
    """Uncompiled, `record.any` would be numpy's method and not the field: every field has a name of its own."""
    assert [name for name in field_names(dtype) if hasattr(np.record, name)] == []
