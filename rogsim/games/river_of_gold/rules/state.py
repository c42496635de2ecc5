"""The game in memory: one record that nests everything, so that a copy of a whole game is one assignment.

Masks hold one bit per customer (or patron). Comments give the range and meaning of fields. Phases say what a seat is
asked to choose. Each purpose of chance has a separate stream, so that draws for one never change another.
"""

from __future__ import annotations

from rogsim.game.records import by_cache_lines, record
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CUSTOMER_TYPES,
    CUSTOMERS,
    GOODS,
    MASTERIES,
    MAX_ERA_TILES,
    MAX_ROW,
    MAX_SEATS,
    POINT_SOURCES,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
)

PHASES = (
    "automatic",  # nothing: the agenda continues
    "draft",  # a patron, before the game
    "turn",  # favor, exchanges, and one action
    "good",  # a good of choice
    "journey",  # 3 koku or a good for a completed journey
    "sell",  # merchant 4: a good to sell, or stop
    "marker",  # a monk's second marker
    "royal",  # the ship that becomes royal
    "discard",  # a customer from the hand
    "set_die",  # Kakita Ryoku: a face, or roll
    "pause",  # the active player may exchange before play continues
    "over",
)
AUTOMATIC, DRAFT, TURN, GOOD, JOURNEY, SELL, MARKER, ROYAL, DISCARD, SET_DIE, PAUSE, OVER = range(12)

(  # purposes of chance
    REGION_TILES,
    MASTERIES_DRAWN,
    IMPERIAL_MARKETS,
    STARTING_TILES,
    ERA_1,
    ERA_2,
    DECK,
    CLANS_DEALT,
    PATRONS_DEALT,  # which of the two of each clan
    RESHUFFLE,
    DICE,  # one per seat
) = range(11)
BOT = DICE + MAX_SEATS  # one per seat

AGENDA_SIZE = 32  # the longest agenda observed in play is 14
JOURNAL_SIZE = 19  # with this size there are no gaps in SECRET

# What a player did and received, for the results; no rule reads it.
LEDGER = record(
    [
        ("tiles", "i8"),  # mask of the tiles built
        ("spaces", "i4"),  # mask of the shore spaces with a marker of the player
        ("points", "i2", (len(POINT_SOURCES),)),  # by source, during the game
        ("koku_gained", "i2"),
        ("koku_spent", "i2"),
        ("goods_gained", "i2", (len(GOODS),)),
        ("builds", "i2"),
        ("sails", "i2"),
        ("deliveries", "i2"),
        ("exchanges", "i2"),
        ("favor_spent", "i2"),  # on the die
        ("journeys", "i2"),
        ("stops", "i1", (RIVER_SPACES,)),  # sails that ended there: at most one on each ship's journey
    ]
)

PLAYER = by_cache_lines(
    [
        ("hand", "i4"),  # mask of customers; hidden from the others
        ("delivered", "i4"),  # mask of customers
        ("koku", "i2"),
        ("points", "i2"),
        ("goods", "i1", (len(GOODS),)),
        ("favor", "i1"),
        ("favor_limit", "i1"),
        ("influence", "i1", (REGIONS,)),  # the space on each track, 0 = start
        ("ships", "i1", (2,)),  # river spaces, 0..13
        ("royal", "i1"),  # which ship is royal, or NONE
        ("die", "i1"),  # face, 1..6
        ("hand_size", "i1"),
        ("patron", "i1"),  # or NONE
        ("delivered_by_type", "i1", (len(CUSTOMER_TYPES),)),
        ("owned", "i1", (len(BUILDINGS),)),  # buildings by type, each counted once
        ("claimed", "i1", (len(MASTERIES),)),  # 0 = not claimed, else the place: 1 = first
    ],
    [("ledger", LEDGER)],
)

# What nobody at the table knows. It is zero in a bot's view, so that every number stays a valid index.
SECRET = record(
    [
        ("key", "u8"),  # of this game's chance
        ("deck", "i1", (len(CUSTOMERS),)),  # in draw order; the last `deck_left` of `deck_size` are still in it
        ("deck_size", "i1"),
        ("reshuffles", "i1"),
        ("stacks", "i1", (2, MAX_ERA_TILES)),  # era tiles; the last `era_left` of the era's number are undrawn
        ("journal_size", "i2"),
        ("journal", "i2", (JOURNAL_SIZE,)),  # what happened automatically in the last step, for traces
    ]
)

GAME = record(
    [
        ("players", PLAYER, (MAX_SEATS,)),
        ("agenda", "i4", (AGENDA_SIZE,)),  # a stack of tasks to carry out before anybody acts again
        ("discards", "i4"),  # mask of customers, face up
        ("deck_cards", "i4"),  # mask of the customers in the deck when it was last shuffled
        ("tiles_gone", "i8"),  # mask of the tiles discarded from the row
        ("turn", "i2"),  # number of turns before this one
        ("offers", "i2", (MAX_SEATS,)),  # mask of patrons that each seat may choose
        ("agenda_size", "i1"),
        ("seats", "i1"),
        ("active", "i1"),  # whose turn it is
        ("actor", "i1"),  # who must choose now
        ("phase", "i1"),  # what must be chosen: see `phases`
        ("row", "i1", (MAX_ROW,)),  # tiles from the row's end (oldest) to its start
        ("row_length", "i1"),
        ("era_left", "i1", (2,)),  # tiles still in the two stacks
        ("shore", "i1", (SHORE_SPACES,)),  # tile, or EMPTY
        ("markers", "i1", (SHORE_SPACES, 2)),  # seats in the order placed, or NONE
        ("deck_left", "i1"),
        ("claims", "i1", (len(MASTERIES),)),  # how often claimed, or NONE where not in play
        ("region_tiles", "i1", (REGIONS,)),  # the scoring tile of each region
        ("ship", "i1"),  # the ship that sailed this turn
        ("journey", "i1"),  # 1 if it completed its journey
        ("must_sell", "i1"),  # 1 after an exchange during a sale: in a trace it would look like one after the sale
        ("monk_region", "i1"),  # of the monk whose second marker is being placed
        ("visit_due", "i1"),  # the last era 1 tile was taken this turn
        ("trigger_due", "i1"),  # the last era 2 tile was taken this turn
        ("last_turns", "i1"),  # turns still to come after the trigger, or NONE
        ("ended_by", "i1"),  # the seat that triggered the end, or NONE
        ("secret", SECRET),
    ]
)
