"""The game in memory: one record that nests everything, so that a copy of a whole game is one assignment.

Phases say what a seat is asked to choose. Each purpose of chance has a separate stream, so that draws for one never
change another.
"""

from __future__ import annotations

from rogsim.game.kit.kinds import Count, Counts, Flag, Listed, OneOf, Seats
from rogsim.game.plain.fields import Bits, Hidden, Key, Members, Numbered, Own, Seat, Slot, counted
from rogsim.game.plain.hidden import Parts
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.components.load import TILES

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
BOT = DICE + names.MAX_SEATS  # one per seat

AGENDA_SIZE = 32  # the longest agenda observed in play is 14
JOURNAL_SIZE = 19  # with this size there are no gaps in the record of `Secret`
# An upper bound: a turn delivers, builds or sails. Each delivery is to another customer; each building, and
# each journey of at most 14 turns, takes a tile; and at the end each ship may be on a journey.
MOST_TURNS = len(names.CUSTOMERS) + names.RIVER_SPACES * (sum(names.TILES_PER_ERA) + 2 * names.MAX_SEATS)

Tally = Count(0, 2**15 - 1)
RiverSpace = Numbered(names.RIVER_SPACES)
Ship = Numbered(2, 0)


class Ledger:
    """What a player did and received, for the results; no rule reads it."""

    tiles: Members[TILES]  # built
    spaces: Bits[names.SHORE_SPACES]  # those with a marker of the player
    points: Counts[names.POINT_SOURCES, 0, Tally.high]  # during the game
    koku_gained: Tally
    koku_spent: Tally
    goods_gained: Counts[names.GOODS, 0, Tally.high]
    builds: Tally
    sails: Tally
    deliveries: Tally
    exchanges: Tally
    favor_spent: Tally  # on the die
    journeys: Tally
    stops: Counts[RiverSpace.names, 0, 127]  # sails that ended there: at most one on each ship's journey


class Player:
    """What lies in front of a player."""

    hand: Own[Members[names.CUSTOMERS]]
    delivered: Members[names.CUSTOMERS]
    points: Tally
    koku: Count[0, names.MAX_KOKU]
    goods: Counts[names.GOODS, 0, names.MAX_GOODS]
    favor: Count[0, names.MAX_FAVOR]
    favor_limit: Count[0, names.MAX_FAVOR]
    influence: Counts[names.REGION_NAMES, 0, names.MAX_INFLUENCE]  # the space on each track, 0 = start
    ships: Listed[RiverSpace, 2, 2, 0]
    royal: Ship
    die: Count[0, names.FACES]  # its face; 0 before the first roll
    hand_size: Count[0, len(names.CUSTOMERS)]
    patron: OneOf[names.PATRONS]
    delivered_by_type: Counts[names.CUSTOMER_TYPES, 0, names.REGIONS]
    owned: Counts[names.BUILDINGS, 0, names.SHORE_SPACES]  # each building counts once
    claimed: Counts[names.MASTERIES, 0, names.MAX_SEATS]  # the place in claiming: 1 = first
    ledger: Ledger


class Secret:
    """What nobody at the table knows."""

    key: Key
    deck: Listed[OneOf[names.CUSTOMERS], len(names.CUSTOMERS)]  # the last `deck_left` of `deck_size` are still in it
    deck_size: Count[0, len(names.CUSTOMERS)]
    reshuffles: Count[0, 127]
    stacks: Listed[Listed[OneOf[TILES], names.MAX_ERA_TILES], 2]  # the last `era_left` of the era's number are undrawn
    journal_size: Bits[15]
    journal: Listed[Bits[15], JOURNAL_SIZE]  # what happened automatically in the last step, for traces


class State:
    """A game."""

    players: Seats[Player]
    agenda: Listed[Bits[31], AGENDA_SIZE]  # a stack of tasks to carry out before anybody acts again
    discards: Members[names.CUSTOMERS]
    deck_cards: Members[names.CUSTOMERS]  # those in the deck when it was last shuffled
    tiles_gone: Members[TILES]  # discarded from the row
    turn: Count[0, MOST_TURNS]  # number of turns before this one
    offers: Seats[Members[names.PATRONS]]  # that each seat may choose from
    agenda_size: Bits[6]
    seats: Count[0, names.MAX_SEATS]
    active: Seat  # whose turn it is
    actor: Seat  # who must choose now
    phase: OneOf[PHASES]
    row: Listed[Slot[TILES], names.MAX_ROW] = counted("row_length")  # from its end (oldest) to its start
    row_length: Count[0, names.MAX_ROW]
    era_left: Counts[names.ERAS, 0, names.MAX_ERA_TILES]  # tiles still in the stacks
    shore: Listed[Slot[TILES], names.SHORE_SPACES]
    markers: Listed[Listed[Seat, 2, 2, 0], names.SHORE_SPACES]  # in the order placed
    deck_left: Count[0, len(names.CUSTOMERS)]
    claims: Counts[names.MASTERIES, names.NONE, names.MAX_SEATS]  # how often claimed, or NONE where not in play
    region_tiles: Listed[Numbered[names.REGIONS], names.REGIONS]  # the scoring tile of each region
    ship: Ship  # that sailed this turn
    journey: Flag  # whether it completed its journey
    must_sell: Flag  # after an exchange during a sale: in a trace it would look like one after the sale
    monk_region: Numbered[names.REGIONS]  # of the monk whose second marker is being placed
    visit_due: Flag  # whether the last era 1 tile was taken this turn
    trigger_due: Flag  # whether the last era 2 tile was taken this turn
    last_turns: Count[names.NONE, names.MAX_SEATS - 1]  # still to come after the trigger, or NONE
    ended_by: Seat  # who triggered the end
    secret: Hidden[Secret]


PARTS = Parts.of(State, names.MAX_SEATS)
GAME, PLAYER = PARTS.record, PARTS.player_record
