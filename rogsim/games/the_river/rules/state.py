"""The game in memory: one record that nests everything, so that a copy of a whole game is one assignment.

Phases say what happens next: a decision of the actor, or an event that follows by itself. Each purpose of chance has a
separate stream, so that draws for one never change another.
"""

from __future__ import annotations

from rogsim.game.records import by_cache_lines, record
from rogsim.games.the_river.components.names import (
    CARDS,
    MAX_CARDS_UP,
    MAX_RESERVED,
    MAX_SEATS,
    MAX_TILES_UP,
    MAX_TOKEN_SPOTS,
    PLACES,
    PRODUCED,
    RESOURCES,
    SPOTS,
    TILES,
)

DECISIONS = ("start", "turn", "discard", "take", "pay", "exchange", "exchange")  # the names of decisions in a trace
# SWAPS are the exchanges of a swap meadow, which may be declined.
START, TURN, DISCARD, TAKE, PAY, EXCHANGE, SWAPS = range(7)
# Events. STORE is no event: what an action gave is stored at once.
DISPLAY, ROUND, CLEANUP, MEADOW, STORE = range(7, 12)
OVER = 12

# Purposes of chance.
FIRST_PLAYER, BOARDS_DEALT, TERRAIN_TILES, BUILDING_CARDS, RESHUFFLE, BOT = range(6)  # BOT: one per seat

EMPTY = 16  # added to the bit of a place in `GAME.places`

# What a player did, for the results; no rule reads it.
LEDGER = record(
    [
        ("lands", "i8"),  # mask of the tiles that are no meadows
        ("meadows", "i4"),  # mask of the meadows, from the first one
        ("token_values", "i2"),  # mask of the values of bonus tokens taken
        ("placed", "i2", (len(PLACES),)),  # pioneers placed during the game
        ("produced", "i2", (len(PRODUCED),)),  # on the islands of wood, stone and clay
        ("food", "i2"),  # taken with the food island, whatever it is, and food from trades
        ("trades", "i2"),
        ("gifts", "i2"),  # resources from gift and cleanup meadows
        ("given_up", "i2"),  # resources for which there was no warehouse
        ("paid", "i2"),  # resources for buildings
        ("swaps", "i2"),  # tiles swapped, pairs
        ("reserved", "i2"),  # cards reserved
        ("from_reserve", "i2"),  # reserved cards built
        ("passes", "i2"),  # pioneers spent without effect
        ("pawn_gained", "i2"),  # times the pawn was taken from another player
        ("rounds_begun", "i2"),
        ("ended_game", "i2"),  # 1 for the player who triggered the end first
    ]
)

PLAYER = by_cache_lines(
    [
        ("built", "i8"),  # mask of cards
        ("points", "i2"),  # of buildings and bonus tokens
        ("token_points", "i2"),  # of these, of bonus tokens
        ("cleanups", "i2"),  # mask of the spots with cleanup meadows
        ("resources", "i1", (len(RESOURCES),)),
        ("production", "i1", (len(PRODUCED),)),  # symbols in sight, printed ones included
        ("producing", "i1"),  # mask of the resources with symbols in sight
        ("warehouses", "i1"),  # in sight
        ("tiles", "i1", (SPOTS,)),  # by spot, or NONE
        ("tile_count", "i1"),
        ("boat", "i1"),  # pioneers on the boat
        ("placed", "i1"),  # pioneers used in this round, those spent without effect included
        ("settled", "i1"),  # pioneers that settled for good
        ("fifth", "i1"),  # 1 while the extra pioneer waits
        ("claims", "i1"),  # in this round
        ("framed", "i1"),  # framed spots covered in this round
        ("board", "i1"),
        ("reserved", "i1", (MAX_RESERVED,)),  # cards in the order taken, or NONE
        ("reserved_count", "i1"),
        ("built_count", "i1"),
        ("tokens", "i1", (MAX_TOKEN_SPOTS,)),  # values in the order taken
        ("token_count", "i1"),
    ],
    [("ledger", LEDGER)],
)

# What nobody at the table knows. It is zero in a bot's view, so that every number stays a valid index.
SECRET = record(
    [
        ("key", "u8"),  # of this game's chance
        ("pile", "i1", (len(TILES),)),  # in draw order; the last `pile_left` of `pile_size` are undrawn
        ("pile_size", "i1"),
        ("reshuffles", "i1"),
        ("deck", "i1", (len(CARDS),)),  # in draw order; the last `deck_left` are undrawn
    ]
)

GAME = record(
    [
        ("players", PLAYER, (MAX_SEATS,)),
        ("meadows", "i8"),  # mask of the cleanup meadows that still act
        ("turn", "i2"),  # number of turns before this one
        ("seats", "i1"),
        ("round", "i1"),  # 0 in the preliminary turn
        ("first", "i1"),  # the seat of the first player of the game
        ("pawn", "i1"),  # the seat that holds the First Player Pawn
        ("active", "i1"),  # whose turn it is; in the cleanup, whose meadow acts
        ("actor", "i1"),  # who must choose now
        ("phase", "i1"),  # see `phases`
        ("end", "i1"),  # 1 once the end was triggered
        ("islands", "i1", (len(RESOURCES),)),
        ("pioneers", "i1", (len(PLACES),)),  # on each place, of all players
        # masks of places, because `legal` asks in every turn: those with room (a claim is limited for each player), and
        # from bit EMPTY on those without a pioneer; in one number, because both change together
        ("places", "i4"),
        ("display", "i1", (MAX_TILES_UP,)),  # face-up terrain tiles in the order drawn, then NONE
        ("display_count", "i1"),
        ("pile_left", "i1"),
        ("removed", "i1", (len(TILES),)),  # tiles that a reshuffle brings back
        ("removed_count", "i1"),
        ("left_out", "i1"),  # the tile that left the game after the preliminary turn, or NONE
        ("cards", "i1", (MAX_CARDS_UP,)),  # face-up building cards by spot, or NONE
        ("deck_left", "i1"),
        ("constructed", "i1"),  # buildings, by all players
        ("tokens_taken", "i1"),
        ("card", "i1"),  # being paid for, or NONE
        ("gift_due", "i1"),  # 1 if the tile just placed still gives its gift
        ("swaps_left", "i1"),  # of the swap meadow
        ("cleaning", "i1"),  # 1 while cleanup meadows act
        ("secret", SECRET),
    ]
)
