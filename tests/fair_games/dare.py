"""Dare, for one player: roll as often as you dare, but a 1 loses all. Ten points win."""

from rogsim.game.plain import Chance, Count, Seats, actions, game, next_turn, number, offer, roll

ACTIONS, (ROLL, STOP) = actions(roll=None, stop=None)


class Numbers:
    target: Count[2, 30] = number(10, "points that win")


class Player:
    points: Count[0, 40]


class State:
    players: Seats[Player]
    dice: Chance


def begin(numbers, state):
    pass


def legal(numbers, state, menu):
    offer(menu, ROLL)
    offer(menu, STOP)


def apply(numbers, state, action):
    player = state.players[0]
    if action == STOP:
        state.over = True
        return
    face = roll(state.dice, 6)
    if face == 1:
        player.points = 0
        state.over = True
    elif player.points + face >= 30:
        player.points += face
        state.over = True
    else:
        player.points += face
        next_turn(state)


def won(numbers, state, seat):
    return state.players[seat].points >= numbers.target


def careful(numbers, view, menu, memory):
    """Stops as soon as it has enough."""
    return STOP if view.players[0].points >= numbers.target else ROLL


GAME = game(__name__, title="Dare", players=(1,), actions=ACTIONS, most_turns=40, bots=(careful,))
