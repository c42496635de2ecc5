"""Flood: everybody rolls a die once, and all of them win together if that makes at least 3.5 points a seat."""

from rogsim.game.plain import Chance, Count, OneOf, Seats, actions, game, kept, next_turn, number, offer, pick, roll

ROLES = ("mason", "carpenter")
ACTIONS, (BUILD,) = actions(build=None)


class Numbers:
    help: Count[0, 6] = number(0, "more points for all together")


class Player:
    points: Count[0, 6]
    role: OneOf[ROLES] = kept("its role", "Is any role too strong?", dealt={})


class State:
    players: Seats[Player]
    dice: Chance


def begin(numbers, state):
    for seat in range(state.seats):
        state.players[seat].role = pick(state.dice, 2)


def legal(numbers, state, menu):
    offer(menu, BUILD)


def apply(numbers, state, action):
    state.players[state.actor].points = roll(state.dice, 6)
    if state.turn + 1 == state.seats:
        state.over = True
    else:
        next_turn(state)


def won(numbers, state, seat):
    total = numbers.help
    for other in range(state.seats):
        total += state.players[other].points
    return 2 * total >= 7 * state.seats


def builder(numbers, view, menu, memory):
    """Builds."""
    return BUILD


GAME = game(__name__, title="Flood", players=(1, 2, 4), actions=ACTIONS, most_turns=4, bots=(builder,), fair="everyone")
