"""The game in memory: one record that nests everything, so that a copy of a whole game is one assignment.

Phases say what happens next: a decision of the actor, or an event that follows by itself. Each purpose of chance has a
separate stream, so that draws for one never change another.
"""

from __future__ import annotations

from rogsim.game.kit.kinds import Count, Counts, Flag, Listed, OneOf, Seats
from rogsim.game.plain.fields import Bits, Hidden, Key, Members, Seat, Slot, Stack, counted, undrawn
from rogsim.game.plain.hidden import Parts
from rogsim.games.the_river.components.names import (
    BOARDS,
    CARDS,
    MAX_AMOUNT,
    MAX_CARDS_UP,
    MAX_PIONEERS,
    MAX_POINTS,
    MAX_RESERVED,
    MAX_SEATS,
    MAX_SUPPLY,
    MAX_SYMBOLS,
    MAX_TILES_UP,
    MAX_TOKEN_SPOTS,
    MAX_TOKENS,
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
PHASES = (*DECISIONS[:-1], "swaps", "display", "round", "cleanup", "meadow", "store", "over")

# Purposes of chance.
FIRST_PLAYER, BOARDS_DEALT, TERRAIN_TILES, BUILDING_CARDS, RESHUFFLE, BOT = range(6)  # BOT: one per seat

EMPTY = 16  # added to the bit of a place in `State.places`
MEADOW_BITS = 16  # of each seat in a mask of cleanup meadows: one for each spot
MOST_ROUNDS = 100  # ends games in which nobody builds or claims; a game of random play has about 9
MOST_TURNS = MOST_ROUNDS * MAX_PIONEERS

Pioneers = Count(0, MAX_PIONEERS // MAX_SEATS)  # of one player
Symbols = Count(0, SPOTS * MAX_SYMBOLS)  # in sight
Tally = Count(0, 2**15 - 1)


class Ledger:
    """What a player did, for the results; no rule reads it."""

    placed: Counts[PLACES, 0, MOST_TURNS]  # pioneers placed during the game
    produced: Counts[PRODUCED, 0, 2**15 - 1]  # on the islands of wood, stone and clay
    food: Tally  # taken with the food island, whatever it is, and food from trades
    trades: Tally
    gifts: Tally  # resources from gift and cleanup meadows
    given_up: Tally  # resources for which there was no warehouse
    paid: Tally  # resources for buildings
    swaps: Tally  # tiles swapped, pairs
    reserved: Tally  # cards reserved
    from_reserve: Tally  # reserved cards built
    passes: Tally  # pioneers spent without effect
    pawn_gained: Tally  # times the pawn was taken from another player
    rounds_begun: Tally
    ended_game: Tally  # 1 for the player who triggered the end first


class Player:
    """What lies in front of a player."""

    built: Members[CARDS]
    points: Count[0, (MAX_TOKEN_SPOTS + len(CARDS)) * MAX_POINTS]  # of buildings and bonus tokens
    token_points: Count[0, MAX_TOKEN_SPOTS * MAX_POINTS]  # of these, of bonus tokens
    cleanups: Bits[SPOTS]  # the spots with cleanup meadows
    resources: Counts[RESOURCES, 0, MAX_SUPPLY]
    production: Counts[PRODUCED, 0, SPOTS * MAX_SYMBOLS]  # symbols in sight, printed ones included
    producing: Bits[len(PRODUCED)]  # the resources with symbols in sight
    warehouses: Symbols
    tiles: Listed[Slot[TILES], SPOTS] = counted("tile_count")  # by spot
    tile_count: Count[0, SPOTS]
    boat: Pioneers  # on the boat
    placed: Pioneers  # used in this round, those spent without effect included
    settled: Pioneers  # for good
    fifth: Flag  # while the extra pioneer waits
    claims: Pioneers  # in this round
    framed: Count[0, SPOTS]  # framed spots covered in this round
    board: OneOf[BOARDS]
    reserved: Listed[Slot[CARDS], MAX_RESERVED] = counted("reserved_count")  # in the order taken
    reserved_count: Count[0, MAX_RESERVED]
    built_count: Count[0, len(CARDS)]
    tokens: Listed[Count[0, MAX_POINTS], MAX_TOKEN_SPOTS] = counted("token_count")  # values in the order taken
    token_count: Count[0, MAX_TOKEN_SPOTS]
    ledger: Ledger


class Secret:
    """What nobody at the table knows."""

    key: Key
    pile: Stack[TILES] = undrawn("pile_left", of="pile_size")
    pile_size: Count[0, len(TILES)]
    reshuffles: Count[0, MOST_ROUNDS]
    deck: Stack[CARDS] = undrawn("deck_left")


class State:
    """A game."""

    players: Seats[Player]
    meadows: Bits[MAX_SEATS * MEADOW_BITS - 1]  # the cleanup meadows that still act
    turn: Count[0, MOST_TURNS]  # number of turns before this one
    seats: Count[0, MAX_SEATS]
    round: Count[0, MOST_ROUNDS]  # 0 in the preliminary turn
    first: Seat  # the first player of the game
    pawn: Seat  # who holds the First Player Pawn
    active: Seat  # whose turn it is; in the cleanup, whose meadow acts
    actor: Seat  # who must choose now
    phase: OneOf[PHASES]
    end: Flag  # whether the end was triggered
    islands: Counts[RESOURCES, 0, MAX_SUPPLY]
    pioneers: Counts[PLACES, 0, MAX_PIONEERS]  # on each place, of all players
    # places, because `legal` asks in every turn: those with room (a claim is limited for each player), and from bit
    # EMPTY on those without a pioneer; in one number, because both change together
    places: Bits[EMPTY + len(PLACES)]
    display: Listed[Slot[TILES], MAX_TILES_UP] = counted("display_count")  # face-up terrain tiles in the order drawn
    display_count: Count[0, MAX_TILES_UP]
    pile_left: Count[0, len(TILES)]
    removed: Listed[Slot[TILES], len(TILES)] = counted("removed_count")  # tiles that a reshuffle brings back
    removed_count: Count[0, len(TILES)]
    left_out: Slot[TILES]  # the tile that left the game after the preliminary turn
    cards: Listed[Slot[CARDS], MAX_CARDS_UP]  # face-up building cards by spot
    deck_left: Count[0, len(CARDS)]
    constructed: Count[0, len(CARDS)]  # buildings, by all players
    tokens_taken: Count[0, MAX_TOKENS]
    card: OneOf[CARDS]  # being paid for
    gift_due: Flag  # whether the tile just placed still gives its gift
    swaps_left: Count[0, MAX_AMOUNT]  # of the swap meadow
    cleaning: Flag  # while cleanup meadows act
    secret: Hidden[Secret]


PARTS = Parts.of(State, MAX_SEATS)
GAME, PLAYER = PARTS.record, PARTS.player_record
