"""Pig: roll a die as often as you dare. A 1 loses the points of the turn; the first to reach the target wins."""

from rogsim.game.kit.drawing import Drawing, label, seat_mark, shape
from rogsim.game.plain import HOLDER, Chance, Count, Seats, actions, game, next_turn, number, offer, roll

ACTIONS, (ROLL, HOLD) = actions(roll=None, hold=None)


class Numbers:
    target: Count[10, 200] = number(100, "points that win the game")
    bust: Count[1, 6] = number(1, "the face of the die that loses the points of the turn")
    head_start: Seats[Count[0, 50]] = number(0, "points at the start, by seat", HOLDER)


class Player:
    points: Count[0, 250]


class State:
    players: Seats[Player]
    at_stake: Count[0, 250]  # the points of this turn
    dice: Chance


def begin(numbers, state):
    for seat in range(state.seats):
        state.players[seat].points = numbers.head_start[seat]


def legal(numbers, state, menu):
    offer(menu, ROLL)
    if state.at_stake > 0:
        offer(menu, HOLD)


def apply(numbers, state, action):
    player = state.players[state.actor]
    if action == HOLD:
        player.points += state.at_stake
        if player.points >= numbers.target:
            state.over = True
        else:
            end_turn(state)
        return
    face = roll(state.dice, 6)
    if face == numbers.bust:
        end_turn(state)
    else:
        state.at_stake += face


def end_turn(state):
    state.at_stake = 0
    next_turn(state)


def hold20(numbers, view, menu, memory):
    """Holds as soon as 20 points are at stake, or enough to win."""
    return HOLD if view.at_stake >= 20 or wins(numbers, view) else ROLL


def hurried(numbers, view, menu, memory):
    """Holds at 20 points, or at 30 once another seat is close to the target."""
    most = 0
    for seat in range(view.seats):
        most = max(most, view.players[seat].points)
    enough = 30 if most + 30 >= numbers.target else 20
    return HOLD if view.at_stake >= enough or wins(numbers, view) else ROLL


def wins(numbers, view):
    return view.players[view.actor].points + view.at_stake >= numbers.target


def picture(numbers, view):
    """Draws how far each seat is on its way to the target, and what is at stake."""
    parts = []
    for seat in range(view.seats):
        points, y = view.players[seat].points, 24 + 32 * seat
        parts.append(shape("line", "track", x1=20, x2=320, y1=y, y2=y))
        x = 20 + 300 * min(1, points / numbers.target)
        if seat == view.actor:
            more = 300 * min(view.at_stake, numbers.target - points) / numbers.target
            parts.append(shape("line", f"reached seat-line-{seat}", x1=x, x2=x + max(0, more), y1=y, y2=y))
        parts += [seat_mark(x, y, seat), label(340, y + 4, f"{points} of {numbers.target}", "text")]
    parts.append(label(20, 24 + 32 * view.seats, f"at stake: {view.at_stake}", "heading"))
    return Drawing(420, 34 + 32 * view.seats, "".join(parts))


GAME = game(__name__, title="Pig", players=(2, 3, 4), actions=ACTIONS, bots=(hold20, hurried))
