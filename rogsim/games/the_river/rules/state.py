"""The game in memory: one record that nests everything, so that a copy of a whole game is one assignment.

Phases say what happens next: a decision of the actor, or an event that follows by itself. Each purpose of chance has a
separate stream, so that draws for one never change another.
"""

from __future__ import annotations

from rogsim.game.kit.kinds import Count, Counts, Flag, Listed, OneOf, Seats
from rogsim.game.plain.fields import Bits, Hidden, Key, Members, Seat, Slot, Stack, counted, undrawn
from rogsim.game.plain.hidden import Parts
from rogsim.games.the_river.components import names

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
MOST_TURNS = MOST_ROUNDS * names.MAX_PIONEERS

Pioneers = Count(0, names.MAX_PIONEERS // names.MAX_SEATS)  # of one player
Symbols = Count(0, names.SPOTS * names.MAX_SYMBOLS)  # in sight
Tally = Count(0, 2**15 - 1)


class Ledger:
    """What a player did, for the results; no rule reads it."""

    lands: Bits[names.LAND]  # the tiles that are no meadows
    meadows: Bits[len(names.TILES) - names.LAND]  # from the first one on
    token_values: Bits[names.MAX_TOKEN_VALUE + 1]  # of bonus tokens taken
    placed: Counts[names.PLACES, 0, MOST_TURNS]  # pioneers placed during the game
    produced: Counts[names.PRODUCED, 0, 2**15 - 1]  # on the islands of wood, stone and clay
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

    built: Members[names.CARDS]
    points: Count[0, (names.MAX_TOKEN_SPOTS + len(names.CARDS)) * names.MAX_POINTS]  # of buildings and bonus tokens
    token_points: Count[0, names.MAX_TOKEN_SPOTS * names.MAX_POINTS]  # of these, of bonus tokens
    cleanups: Bits[names.SPOTS]  # the spots with cleanup meadows
    resources: Counts[names.RESOURCES, 0, names.MAX_SUPPLY]
    production: Counts[names.PRODUCED, 0, names.SPOTS * names.MAX_SYMBOLS]  # symbols in sight, printed ones included
    warehouses: Symbols
    tiles: Listed[Slot[names.TILES], names.SPOTS] = counted("tile_count")  # by spot
    tile_count: Count[0, names.SPOTS]
    boat: Pioneers  # on the boat
    placed: Pioneers  # used in this round, those spent without effect included
    settled: Pioneers  # for good
    fifth: Flag  # while the extra pioneer waits
    claims: Pioneers  # in this round
    framed: Count[0, names.SPOTS]  # framed spots covered in this round
    board: OneOf[names.BOARDS]
    reserved: Listed[Slot[names.CARDS], names.MAX_RESERVED] = counted("reserved_count")  # in the order taken
    reserved_count: Count[0, names.MAX_RESERVED]
    built_count: Count[0, len(names.CARDS)]
    tokens: Listed[Count[0, names.MAX_POINTS], names.MAX_TOKEN_SPOTS] = counted("token_count")  # in the order taken
    token_count: Count[0, names.MAX_TOKEN_SPOTS]
    ledger: Ledger


class Secret:
    """What nobody at the table knows."""

    key: Key
    pile: Stack[names.TILES] = undrawn("pile_left", of="pile_size")
    pile_size: Count[0, len(names.TILES)]
    reshuffles: Count[0, MOST_ROUNDS]
    deck: Stack[names.CARDS] = undrawn("deck_left")


class State:
    """A game."""

    players: Seats[Player]
    meadows: Bits[names.MAX_SEATS * MEADOW_BITS - 1]  # the cleanup meadows that still act
    turn: Count[0, MOST_TURNS]  # number of turns before this one
    seats: Count[0, names.MAX_SEATS]
    round: Count[0, MOST_ROUNDS]  # 0 in the preliminary turn
    first: Seat  # the first player of the game
    pawn: Seat  # who holds the First Player Pawn
    active: Seat  # whose turn it is; in the cleanup, whose meadow acts
    actor: Seat  # who must choose now
    phase: OneOf[PHASES]
    end: Flag  # whether the end was triggered
    islands: Counts[names.RESOURCES, 0, names.MAX_SUPPLY]
    pioneers: Counts[names.PLACES, 0, names.MAX_PIONEERS]  # on each place, of all players
    # places, because `legal` asks in every turn: those with room (a claim is limited for each player), and from bit
    # EMPTY on those without a pioneer; in one number, because both change together
    places: Bits[EMPTY + len(names.PLACES)]
    display: Listed[Slot[names.TILES], names.MAX_TILES_UP] = counted("display_count")  # in the order drawn
    display_count: Count[0, names.MAX_TILES_UP]
    pile_left: Count[0, len(names.TILES)]
    removed: Listed[Slot[names.TILES], len(names.TILES)] = counted("removed_count")  # for a reshuffle
    removed_count: Count[0, len(names.TILES)]
    left_out: Slot[names.TILES]  # the tile that left the game after the preliminary turn
    cards: Listed[Slot[names.CARDS], names.MAX_CARDS_UP]  # face-up building cards by spot
    deck_left: Count[0, len(names.CARDS)]
    constructed: Count[0, len(names.CARDS)]  # buildings, by all players
    tokens_taken: Count[0, names.MAX_TOKENS]
    card: OneOf[names.CARDS]  # being paid for
    gift_due: Flag  # whether the tile just placed still gives its gift
    swaps_left: Count[0, names.MAX_AMOUNT]  # of the swap meadow
    cleaning: Flag  # while cleanup meadows act
    secret: Hidden[Secret]


PARTS = Parts.of(State, names.MAX_SEATS)
GAME, PLAYER = PARTS.record, PARTS.player_record
