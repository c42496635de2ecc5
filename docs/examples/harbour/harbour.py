"""Harbour: merchants collect goods, fulfil contracts that make later ones cheaper, and race for prestige."""

from rogsim.game.plain import (
    HOLDER,
    NONE,
    OTHERS,
    Count,
    Counts,
    Deck,
    Flag,
    Hand,
    OneOf,
    Pile,
    Row,
    Seats,
    Table,
    actions,
    cards,
    components,
    draw,
    game,
    kept,
    next_turn,
    number,
    offer,
    put,
    refill,
    take,
)

GOODS = ("spice", "silk", "tea", "salt")
GOLD = len(GOODS)  # stands for any good
TOKENS = (*GOODS, "gold")
SALT = GOODS.index("salt")
PAIRS = tuple((one, other) for one in range(GOLD) for other in range(one + 1, GOLD))
GUILDS = ("bankers", "hauliers", "brokers", "salters")
BANKERS, HAULIERS, BROKERS, SALTERS = range(len(GUILDS))
MARKET, STORE = 4, 3  # places for contracts in each row, and in a merchant's store
PHASES = ("turn", "give back")
TURN, GIVE_BACK = range(len(PHASES))
DEALT = ("dealt", "none")


class Contract:
    good: OneOf[GOODS] = number(meaning="the good of which its owner needs one less from then on")
    prestige: Count[0, 9] = number(meaning="prestige for its owner", favours=HOLDER)
    cost: Counts[GOODS, 0, 9] = number(meaning="goods to deliver", favours=OTHERS)


SMALL = components("small", Contract, "contracts.toml")
LARGE = components("large", Contract, "contracts.toml")
GUILD = cards("guild", GUILDS)

(
    ACTIONS,
    (TAKE, DOUBLE, SINGLE, STORE_SMALL, STORE_LARGE, FULFIL_SMALL, FULFIL_LARGE, FROM_SMALL, FROM_LARGE, RETURN, PASS),
) = actions(
    take={"goods": [f"{GOODS[one]} and {GOODS[other]}" for one, other in PAIRS]},
    take_two={"good": GOODS},
    take_one={"good": GOODS},
    store={"small_row": MARKET},
    store_large={"large_row": MARKET},
    fulfil={"small_row": MARKET},
    fulfil_large={"large_row": MARKET},
    fulfil_stored={"small_store": STORE},
    fulfil_large_stored={"large_store": STORE},
    give_back={"token": TOKENS},
    **{"pass": None},
)


class Numbers:
    small: Table[SMALL]
    large: Table[LARGE]
    target: Count[5, 40] = number(15, "prestige with which the last round begins")
    limit: Count[5, 20] = number(10, "tokens that a merchant may keep")
    goods: Counts[("2", "3", "4"), 2, 9] = number({"2": 4, "3": 5, "4": 6}, "tokens of each good, by number of players")
    gold: Count[0, 9] = number(4, "gold tokens")
    bankers_gold: Count[0, 5] = number(1, "gold with which bankers begin", HOLDER)
    hauliers_room: Count[0, 9] = number(2, "more tokens that hauliers may keep", HOLDER)
    brokers_discount: Count[0, 3] = number(1, "goods that brokers save on each large contract", HOLDER)
    salters_salt: Count[0, 3] = number(1, "salt that salters never have to deliver", HOLDER)


class Options:
    guilds: OneOf[DEALT] = number("dealt", "whether each merchant belongs to a guild")


class Player:
    points: Count[0, 99]  # prestige
    guild: OneOf[GUILDS] = kept("its guild", "Is any guild too strong or too weak?", dealt=True)
    tokens: Counts[TOKENS, 0, 30]
    trade: Counts[GOODS, 0, 60]  # contracts fulfilled, by the good that they save
    contracts: Count[0, 99] = kept("contracts fulfilled", "Do many contracts win, or few?")
    stored: Count[0, 99] = kept("contracts put into the store", "Does it pay to store contracts?")
    small_store: Hand[SMALL, STORE]
    large_store: Hand[LARGE, STORE]
    small_done: Pile[SMALL] = kept("small contracts fulfilled", "Does any small contract go with winning?")
    large_done: Pile[LARGE] = kept("large contracts fulfilled", "Does any large contract go with winning?")


class State:
    players: Seats[Player]
    small_deck: Deck[SMALL]
    large_deck: Deck[LARGE]
    small_row: Row[SMALL, MARKET]
    large_row: Row[LARGE, MARKET]
    guilds: Deck[GUILD]
    in_play: Pile[GUILD]
    pool: Counts[TOKENS, 0, 30]
    phase: OneOf[PHASES]
    last_round: Flag


def begin(numbers, state):
    for good in range(GOLD):
        state.pool[good] = numbers.goods[state.seats - 2]
    state.pool[GOLD] = numbers.gold
    refill(state.small_row, state.small_deck)
    refill(state.large_row, state.large_deck)
    for seat in range(len(state.players)):
        player = state.players[seat]
        player.guild = NONE
        if seat < state.seats and numbers.guilds == 0:
            player.guild = draw(state.guilds)
            put(state.in_play, player.guild)
        if player.guild == BANKERS:
            gain(state, player, GOLD, numbers.bankers_gold)


def legal(numbers, state, menu):
    player = state.players[state.actor]
    if state.phase == GIVE_BACK:
        for token in range(len(TOKENS)):
            if player.tokens[token] > 0:
                offer(menu, RETURN + token)
        return
    offer_goods(state, menu)
    for place in range(MARKET):
        offer_contract(numbers, player, menu, numbers.small, state.small_row.cards[place], FULFIL_SMALL + place, 0)
        offer_contract(numbers, player, menu, numbers.large, state.large_row.cards[place], FULFIL_LARGE + place, 1)
        if player.small_store.count + player.large_store.count < STORE:
            if state.small_row.cards[place] != NONE:
                offer(menu, STORE_SMALL + place)
            if state.large_row.cards[place] != NONE:
                offer(menu, STORE_LARGE + place)
    for place in range(player.small_store.count):
        offer_contract(numbers, player, menu, numbers.small, player.small_store.cards[place], FROM_SMALL + place, 0)
    for place in range(player.large_store.count):
        offer_contract(numbers, player, menu, numbers.large, player.large_store.cards[place], FROM_LARGE + place, 1)
    if menu.count == 0:
        offer(menu, PASS)


def offer_goods(state, menu):
    """Two different goods, or two of one that is plentiful; a single one if there is no such choice."""
    before = menu.count
    for place in range(len(PAIRS)):
        if state.pool[PAIRS[place][0]] > 0 and state.pool[PAIRS[place][1]] > 0:
            offer(menu, TAKE + place)
    for good in range(GOLD):
        if state.pool[good] >= 4:
            offer(menu, DOUBLE + good)
    if menu.count == before:
        for good in range(GOLD):
            if state.pool[good] > 0:
                offer(menu, SINGLE + good)


def offer_contract(numbers, player, menu, table, card, action, is_large):
    if card != NONE and gold_needed(numbers, player, table[card], is_large) <= player.tokens[GOLD]:
        offer(menu, action)


def to_deliver(numbers, player, contract, good):
    """How many of a good a contract costs a merchant, but for what brokers save."""
    saved = player.trade[good]
    if player.guild == SALTERS and good == SALT:
        saved += numbers.salters_salt
    return max(contract.cost[good] - saved, 0)


def gold_needed(numbers, player, contract, is_large):
    """How much gold a merchant needs for a contract, because goods are missing."""
    missing = 0
    for good in range(GOLD):
        missing += max(to_deliver(numbers, player, contract, good) - player.tokens[good], 0)
    if player.guild == BROKERS and is_large:
        missing -= numbers.brokers_discount
    return max(missing, 0)


def apply(numbers, state, action):
    player = state.players[state.actor]
    if action >= PASS:
        pass
    elif action >= RETURN:
        pay(state, player, action - RETURN, 1)
    elif action >= FROM_LARGE:
        fulfil_large(numbers, state, player, take(player.large_store, action - FROM_LARGE))
    elif action >= FROM_SMALL:
        fulfil_small(numbers, state, player, take(player.small_store, action - FROM_SMALL))
    elif action >= FULFIL_LARGE:
        fulfil_large(numbers, state, player, from_row(state.large_row, state.large_deck, action - FULFIL_LARGE))
    elif action >= FULFIL_SMALL:
        fulfil_small(numbers, state, player, from_row(state.small_row, state.small_deck, action - FULFIL_SMALL))
    elif action >= STORE_LARGE:
        put(player.large_store, from_row(state.large_row, state.large_deck, action - STORE_LARGE))
        store(state, player)
    elif action >= STORE_SMALL:
        put(player.small_store, from_row(state.small_row, state.small_deck, action - STORE_SMALL))
        store(state, player)
    elif action >= SINGLE:
        gain(state, player, action - SINGLE, 1)
    elif action >= DOUBLE:
        gain(state, player, action - DOUBLE, 2)
    else:
        gain(state, player, PAIRS[action - TAKE][0], 1)
        gain(state, player, PAIRS[action - TAKE][1], 1)
    end_turn(numbers, state, player)


def end_turn(numbers, state, player):
    """Tokens above the limit go back one by one; the round in which a merchant reaches the target is the last."""
    room = numbers.limit + (numbers.hauliers_room if player.guild == HAULIERS else 0)
    if player.tokens.sum() > room:
        state.phase = GIVE_BACK
        return
    state.phase = TURN
    if player.points >= numbers.target:
        state.last_round = True
    if state.actor == state.seats - 1 and (state.last_round or state.turn + 1 >= LONGEST):
        state.over = True
    else:
        next_turn(state)


def from_row(row, deck, place):
    card = row.cards[place]
    row.cards[place] = draw(deck)
    return card


def gain(state, player, token, count):
    count = min(count, state.pool[token])
    state.pool[token] -= count
    player.tokens[token] += count


def pay(state, player, token, count):
    player.tokens[token] -= count
    state.pool[token] += count


def store(state, player):
    player.stored += 1
    gain(state, player, GOLD, 1)


def fulfil_small(numbers, state, player, card):
    put(player.small_done, card)
    fulfil(numbers, state, player, numbers.small[card], 0)


def fulfil_large(numbers, state, player, card):
    put(player.large_done, card)
    fulfil(numbers, state, player, numbers.large[card], 1)


def fulfil(numbers, state, player, contract, is_large):
    pay(state, player, GOLD, gold_needed(numbers, player, contract, is_large))
    for good in range(GOLD):
        pay(state, player, good, min(to_deliver(numbers, player, contract, good), player.tokens[good]))
    player.trade[contract.good] += 1
    player.points += contract.prestige
    player.contracts += 1


def tie_break(numbers, state, seat):
    """Of several with the same prestige, who fulfilled the fewest contracts wins."""
    return -state.players[seat].contracts


def invariant(numbers, state):
    """Of each token there are as many as at the start."""
    for token, name in enumerate(TOKENS):
        found = state.pool[token] + sum(player.tokens[token] for player in state.players)
        if found != (numbers.gold if token == GOLD else numbers.goods[state.seats - 2]):
            return f"there are {found} {name} tokens"
    return ""


def greedy(numbers, view, menu, memory):
    """Fulfils the contract with the most prestige, and otherwise takes the goods that bring one closest."""
    player = view.players[view.actor]
    best, best_worth = menu.actions[0], -1000.0
    for place in range(menu.count):
        worth = worth_of(numbers, view, player, menu.actions[place])
        if worth > best_worth:
            best, best_worth = menu.actions[place], worth
    return best


def worth_of(numbers, view, player, action):
    if action >= PASS:
        return -100.0
    if action >= RETURN:
        return player.tokens[action - RETURN] - (50.0 if action - RETURN == GOLD else 0.0)
    if action >= FROM_LARGE:
        return 20.0 + numbers.large[player.large_store.cards[action - FROM_LARGE]].prestige
    if action >= FROM_SMALL:
        return 20.0 + numbers.small[player.small_store.cards[action - FROM_SMALL]].prestige
    if action >= FULFIL_LARGE:
        return 20.0 + numbers.large[view.large_row.cards[action - FULFIL_LARGE]].prestige
    if action >= FULFIL_SMALL:
        return 20.0 + numbers.small[view.small_row.cards[action - FULFIL_SMALL]].prestige
    if action >= STORE_SMALL:
        return 1.0 if view.pool[GOLD] > 0 and player.tokens.sum() < numbers.limit else -10.0
    if action >= SINGLE:
        return usefulness(numbers, view, player, action - SINGLE)
    if action >= DOUBLE:
        return 1.6 * usefulness(numbers, view, player, action - DOUBLE)
    pair = PAIRS[action - TAKE]
    return usefulness(numbers, view, player, pair[0]) + usefulness(numbers, view, player, pair[1])


def usefulness(numbers, view, player, good):
    """How many contracts in the rows still need this good of a merchant."""
    needed = 0.0
    for place in range(MARKET):
        small, large = view.small_row.cards[place], view.large_row.cards[place]
        if small != NONE and to_deliver(numbers, player, numbers.small[small], good) > player.tokens[good]:
            needed += 1.0
        if large != NONE and to_deliver(numbers, player, numbers.large[large], good) > player.tokens[good]:
            needed += 0.5
    return needed


LONGEST = 400  # turns
GAME = game(
    __name__,
    title="Harbour",
    players=(2, 3, 4),
    actions=ACTIONS,
    most_turns=LONGEST + 4,
    bots=(greedy,),
    samples=({}, {"guilds": "none"}),
)
