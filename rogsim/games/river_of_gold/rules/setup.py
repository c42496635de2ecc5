"""Setting up: everything that chance decides before the first turn, each from a separate stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.rng import below, game_key, shuffle, stream_key
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.rules.build import next_tile
from rogsim.games.river_of_gold.rules.deliver import draw_customer
from rogsim.games.river_of_gold.rules.sail import sail_target
from rogsim.games.river_of_gold.rules.state import (
    CLANS_DEALT,
    DECK,
    DRAFT,
    ERA_1,
    ERA_2,
    IMPERIAL_MARKETS,
    MASTERIES_DRAWN,
    PATRONS_DEALT,
    REGION_TILES,
    STARTING_TILES,
    TURN,
)
from rogsim.games.river_of_gold.rules.supply import bit, has
from rogsim.games.river_of_gold.rules.turn import SHIP_ROLLS, roll_of

# How players get their patrons.
PATRON_MODES = ("none", "draft", "alternative", "dealt", "seats")
NO_PATRONS, PATRON_DRAFT, PATRON_ALTERNATIVE, PATRONS_AT_RANDOM, PATRONS_BY_SEAT = range(5)

# How the masteries in play are chosen.
MASTERIES_AT_RANDOM, MASTERIES_IN_TURN = range(2)

TILE_PURPOSES = (ERA_1, ERA_2)


def set_up(tables: Any, game: Any, seed: int, deal: int) -> None:
    """Set up a zeroed game, up to the patron draft if there is one, otherwise up to the first turn."""
    key = game_key(seed, deal)
    game.secret.key = key
    game.seats = tables.seats
    game.last_turns = names.NONE
    game.ended_by = names.NONE
    lay_out_board(tables, game, key)
    choose_masteries(tables, game, key, seed, deal)
    stack_tiles(tables, game, key)
    shuffle_deck(game, key)
    offer_patrons(tables, game, key)
    if game.phase != DRAFT:
        seat_players(tables, game)


def lay_out_board(tables: Any, game: Any, key: int) -> None:
    """Place region tiles, imperial markets and starting tiles."""
    for space in range(names.SHORE_SPACES):
        game.shore[space] = names.EMPTY
        game.markers[space, 0] = names.NONE
        game.markers[space, 1] = names.NONE
    for region in range(names.REGIONS):
        game.region_tiles[region] = region
    shuffle(stream_key(key, REGION_TILES), game.region_tiles, names.REGIONS)
    tiles = np.empty(8, np.int64)
    _lay_tiles(game, key, IMPERIAL_MARKETS, tables.imperial_tiles, tables.imperial_spaces, 3, tiles)
    _lay_tiles(game, key, STARTING_TILES, tables.start_tiles, tables.start_spaces, tables.start_count, tiles)


def _lay_tiles(game: Any, key: int, purpose: int, kinds: Any, spaces: Any, count: int, tiles: Any) -> None:
    """Shuffle some tiles and place the first ones on the given spaces."""
    for i in range(len(kinds)):
        tiles[i] = kinds[i]
    shuffle(stream_key(key, purpose), tiles, len(kinds))
    for i in range(count):
        game.shore[spaces[i]] = tiles[i]


def choose_masteries(tables: Any, game: Any, key: int, seed: int, deal: int) -> None:
    """Put three masteries in play: at random, or from a list whose entries all come up once before any repeats."""
    for mastery in range(len(names.MASTERIES)):
        game.claims[mastery] = names.NONE
    order = np.empty(32, np.int64)
    if tables.mastery_mode == MASTERIES_AT_RANDOM:
        for mastery in range(len(names.MASTERIES)):
            order[mastery] = mastery
        shuffle(stream_key(key, MASTERIES_DRAWN), order, len(names.MASTERIES))
        for i in range(names.MASTERIES_PER_GAME):
            game.claims[order[i]] = 0
        return
    sets = tables.mastery_sets_count
    for i in range(sets):
        order[i] = i
    # A new order for each round of the list: no entry can coincide with the bots' rotation.
    round_key = game_key(seed, deal // sets)
    shuffle(stream_key(round_key, MASTERIES_DRAWN), order, sets)
    for i in range(names.MASTERIES_PER_GAME):
        game.claims[tables.mastery_sets[order[deal % sets], i]] = 0


def stack_tiles(tables: Any, game: Any, key: int) -> None:
    """Shuffle the tiles of both eras, keep as many as the player count requires, and fill the row."""
    first = 0
    for era in range(len(names.ERAS)):
        size = names.TILES_PER_ERA[era]
        stack = game.secret.stacks[era]
        for i in range(size):
            stack[i] = first + i
        shuffle(stream_key(key, TILE_PURPOSES[era]), stack, size)
        game.era_left[era] = tables.era_tiles[era]
        first += size
    for place in range(len(game.row)):
        game.row[place] = names.NONE
    for place in range(tables.row_size):
        game.row[place] = next_tile(tables, game, 0)
        game.era_left[0] -= 1
    game.row_length = tables.row_size


def shuffle_deck(game: Any, key: int) -> None:
    """Shuffle all customers into the deck."""
    secret = game.secret
    for customer in range(len(names.CUSTOMERS)):
        secret.deck[customer] = customer
        game.deck_cards |= bit(customer)
    shuffle(stream_key(key, DECK), secret.deck, len(names.CUSTOMERS))
    secret.deck_size = len(names.CUSTOMERS)
    game.deck_left = len(names.CUSTOMERS)


def offer_patrons(tables: Any, game: Any, key: int) -> None:
    """Assign patrons, or begin the draft with the last player."""
    mode = tables.patron_mode
    if mode in (NO_PATRONS, PATRONS_BY_SEAT):
        for seat in range(game.seats):
            game.players[seat].patron = tables.patrons[seat] if mode == PATRONS_BY_SEAT else names.NONE
        return
    clans = np.empty(len(names.CLANS), np.int64)
    for clan in range(len(names.CLANS)):
        clans[clan] = clan
    shuffle(stream_key(key, CLANS_DEALT), clans, len(names.CLANS))
    laid_out = 0
    for clan in range(len(names.CLANS)):
        laid_out |= bit(_patron_of(key, clan))
    for seat in range(game.seats):
        game.players[seat].patron = names.NONE
        if mode == PATRONS_AT_RANDOM:
            game.players[seat].patron = _patron_of(key, clans[seat])
        elif mode == PATRON_DRAFT:
            game.offers[seat] = laid_out
        else:
            game.offers[seat] = 3 * bit(2 * clans[seat])
    if mode != PATRONS_AT_RANDOM:
        game.phase = DRAFT
        game.actor = game.seats - 1


def _patron_of(key: int, clan: int) -> int:
    """Return which of a clan's two patrons is used in this game."""
    return 2 * clan + below(stream_key(key, PATRONS_DEALT), clan, 2)


def take_patron(tables: Any, game: Any, patron: int) -> None:
    """Take an offered patron; then the previous seat chooses, and after the first seat the game is dealt."""
    game.players[game.actor].patron = patron
    for seat in range(game.seats):
        if has(game.offers[seat], patron):
            game.offers[seat] -= bit(patron)
    if game.actor > 0:
        game.actor -= 1
        game.phase = DRAFT
    else:
        seat_players(tables, game)


def seat_players(tables: Any, game: Any) -> None:
    """Give each player goods, koku, favor and customers, roll for the ships and the first turn; then begin."""
    for seat in range(game.seats):
        player = game.players[seat]
        koku = tables.start_koku[seat]
        cards = tables.start_hand
        if player.patron == names.KAIU:
            koku += tables.kaiu_koku
        elif player.patron == names.YORITOMO:
            cards += tables.yoritomo_customers
        player.koku = min(koku, tables.koku_limit)
        for good in range(len(names.GOODS)):
            player.goods[good] = tables.start_goods[good]
        player.favor = tables.start_favor
        player.favor_limit = tables.start_favor_limit
        player.royal = names.NONE
        for _ in range(cards):
            draw_customer(game, seat)
        game.secret.journal_size = 0  # in a trace, the deal is part of the set-up
        for ship in range(SHIP_ROLLS):
            player.ships[ship] = sail_target(tables.ship_spaces[ship], roll_of(game.secret.key, seat, ship))
        player.die = roll_of(game.secret.key, seat, SHIP_ROLLS)
    game.active = 0
    game.actor = 0
    game.phase = TURN
