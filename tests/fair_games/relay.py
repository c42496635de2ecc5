"""Relay, two against two: everybody rolls a die, and the team with more points wins."""

from rogsim.game.plain import (
    HOLDER,
    Chance,
    Count,
    OneOf,
    Seats,
    actions,
    game,
    kept,
    next_turn,
    number,
    offer,
    pick,
    roll,
)

SHOES = ("bad", "good")
ACTIONS, (RUN,) = actions(run=None)


class Numbers:
    head_start: Count[0, 6] = number(1, "points that the first seat has more", HOLDER)
    shoes: Count[0, 6] = number(2, "points that good shoes are worth", HOLDER)


class Player:
    points: Count[0, 20]
    shoes: OneOf[SHOES] = kept("its shoes", "Do good shoes win?", dealt={})


class State:
    players: Seats[Player]
    dice: Chance


def begin(numbers, state):
    state.players[0].points = numbers.head_start
    for seat in range(state.seats):
        state.players[seat].shoes = pick(state.dice, 2)


def legal(numbers, state, menu):
    offer(menu, RUN)


def apply(numbers, state, action):
    player = state.players[state.actor]
    player.points += roll(state.dice, 6) + player.shoes * numbers.shoes
    if state.turn + 1 == state.seats:
        state.over = True
    else:
        next_turn(state)


def runner(numbers, view, menu, memory):
    """Runs."""
    return RUN


GAME = game(__name__, title="Relay", players=(2, 4), actions=ACTIONS, most_turns=4, bots=(runner,), fair={4: "ABAB"})
