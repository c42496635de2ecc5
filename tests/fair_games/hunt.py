"""Hunt: the first seat hunts the second one, catches it with three of five faces of a die, and should do so."""

from rogsim.game.plain import Chance, Count, Seats, actions, game, number, offer, roll

ACTIONS, (CHASE,) = actions(chase=None)


class Numbers:
    faces: Count[0, 5] = number(3, "faces with which the hunter wins")


class Player:
    points: Count[0, 1]


class State:
    players: Seats[Player]
    dice: Chance


def begin(numbers, state):
    pass


def legal(numbers, state, menu):
    offer(menu, CHASE)


def apply(numbers, state, action):
    caught = roll(state.dice, 5) <= numbers.faces
    state.players[0 if caught else 1].points = 1
    state.over = True


def hunter(numbers, view, menu, memory):
    """Chases."""
    return CHASE


GAME = game(__name__, title="Hunt", players=(2,), actions=ACTIONS, bots=(hunter,), fair={2: (60, 40)})
