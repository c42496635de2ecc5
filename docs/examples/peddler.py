"""peddler: delivers whenever it can, turns the die for a delivery, builds where it is cheap, and sails otherwise."""

from rogsim.game.rng import draw
from rogsim.games.river_of_gold.components.names import CUSTOMERS, MAX_ROW, REGIONS, RIVER_SPACES
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.deliver import can_fill_order
from rogsim.games.river_of_gold.rules.supply import has

WEIGHTS = [20.0, 10.0, 0.3]
DELIVERY, BUILDING, STEP = range(3)  # places in WEIGHTS


def choose(tables, view, menu, memory):
    """Return the place on the menu of the best action; a random number breaks ties."""
    best, best_worth = 0, -1.0
    for place in range(menu.count):
        worth = worth_of(tables, view, menu.actions[place], memory) + draw(memory.stream, 1000) / 1000.0
        if worth > best_worth:
            best, best_worth = place, worth
    return best


def worth_of(tables, view, action, memory):
    """Return what an action is worth to this bot, at least 0; 1 for an action that it does not evaluate."""
    player = view.players[view.actor]
    if act.EXCHANGE <= action < act.TURN_DIE:
        return 0.0  # it keeps what it has
    if act.TURN_DIE <= action < act.BUILD:
        face = action - act.TURN_DIE + 1
        return 0.9 * memory.weights[DELIVERY] if can_deliver_at(tables, player, face) else 0.0
    if act.BUILD <= action < act.SAIL:
        space = (action - act.BUILD) // MAX_ROW
        return memory.weights[BUILDING] - tables.shore_cost[space]
    if act.SAIL <= action < act.DELIVER:
        ship, to = (action - act.SAIL) // RIVER_SPACES, (action - act.SAIL) % RIVER_SPACES
        return 2.0 + memory.weights[STEP] * ((to - player.ships[ship]) % RIVER_SPACES)
    if act.DELIVER <= action < act.TAKE_GOOD:
        return memory.weights[DELIVERY]
    return 1.0


def can_deliver_at(tables, player, face):
    """Return whether the die on that face would allow a delivery."""
    for customer in range(len(CUSTOMERS)):
        if customer % REGIONS == face - 1 and has(player.hand, customer) and can_fill_order(tables, player, customer):
            return True
    return False
