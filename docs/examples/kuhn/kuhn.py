"""Kuhn poker, a match of three hands: one card each of jack, queen and king, one chip as ante, one to bet."""

from rogsim.game.plain import (
    Count,
    Deck,
    Hand,
    OneOf,
    Seats,
    actions,
    cards,
    draw,
    game,
    gather,
    kept,
    next_seat,
    number,
    offer,
    put,
    shuffle,
)

JACK, QUEEN, KING = range(3)
CARDS = cards("card", ["jack", "queen", "king"])
ACTIONS, (PASS, BET) = actions(**{"pass": None, "bet": None})
# What was said in a hand so far: c a check, b a bet or a call, f a fold; from "cc" on all is said.
SAID = ("nothing", "c", "b", "cb", "cc", "cbf", "cbb", "bf", "bb")
NOTHING, _, _, _, ALL_SAID, CBF, CBB, BF, BB = range(len(SAID))
AFTER = ((1, 2), (4, 3), (7, 8), (5, 6))  # what is said after a pass or a bet


class Numbers:
    hands: Count[1, 10] = number(3, "hands of a match")
    bet: Count[1, 5] = number(1, "chips of a bet")


class Player:
    points: Count[-60, 60]  # chips won from the other seat
    hand: Hand[CARDS, 1]


class State:
    players: Seats[Player]
    deck: Deck[CARDS]
    said: OneOf[SAID]
    played: Count[0, 10] = kept("hands that were played")


def begin(numbers, state):
    deal_hand(state)


def deal_hand(state):
    shuffle(state.deck)
    for seat in range(2):
        put(state.players[seat].hand, draw(state.deck))
    state.said = NOTHING
    state.actor = state.played % 2


def legal(numbers, state, menu):
    offer(menu, PASS)
    offer(menu, BET)


def apply(numbers, state, action):
    state.said = AFTER[state.said][action]
    state.actor = next_seat(state, state.actor)
    if state.said < ALL_SAID:
        return
    winner = winner_of(state)
    stake = 1 + numbers.bet if state.said == CBB or state.said == BB else 1
    state.players[winner].points += stake
    state.players[1 - winner].points -= stake
    state.played += 1
    if state.played == numbers.hands:
        state.over = True
        return
    for seat in range(2):
        gather(state.players[seat].hand, state.deck)
    state.turn += 1
    deal_hand(state)


def winner_of(state):
    first = state.played % 2
    if state.said == CBF:  # who began has folded
        return 1 - first
    if state.said == BF:
        return first
    return 0 if state.players[0].hand.cards[0] > state.players[1].hand.cards[0] else 1


def honest(numbers, view, menu, memory):
    """Bets with a king, calls with a queen or a king, and never bluffs."""
    card = view.players[view.actor].hand.cards[0]
    is_asked = view.said == 2 or view.said == 3  # the other seat has bet
    return BET if card == KING or (card == QUEEN and is_asked) else PASS


def bold(numbers, view, menu, memory):
    """Bets as honest does, and every time with a jack that begins."""
    card = view.players[view.actor].hand.cards[0]
    return BET if card == JACK and view.said == NOTHING else honest(numbers, view, menu, memory)


GAME = game(__name__, title="Kuhn poker", players=(2,), actions=ACTIONS, bots=(honest, bold))
