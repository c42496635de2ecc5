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
PAIRS = tuple((one, other) for one in range(GOLD) for other in range(one + 1, GOLD))
MARKET, STORE = 4, 3  # places for contracts in each row, and in a merchant's store
PHASES = ("turn", "give back")
TURN, GIVE_BACK = range(len(PHASES))
DEALT = ("dealt", "none")


class Contract:
    good: OneOf[GOODS] = number(meaning="the good of which its owner needs one less from then on")
    prestige: Count[0, 9] = number(meaning="prestige for its owner", favours=HOLDER)
    cost: Counts[GOODS, 0, 9] = number(meaning="goods to deliver", favours=OTHERS)


class Guild:
    gold: Count[0, 5] = number(meaning="gold at the start", favours=HOLDER)
    room: Count[0, 9] = number(meaning="more tokens that its member may keep", favours=HOLDER)
    saves: Counts[GOODS, 0, 3] = number(meaning="goods that its member never has to deliver", favours=HOLDER)
    discount: Count[0, 3] = number(meaning="goods that its member saves on each large contract", favours=HOLDER)


SMALL = components("small", Contract, "harbour.toml")
LARGE = components("large", Contract, "harbour.toml")
GUILD = components("guild", Guild, "harbour.toml")

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
    guild: Table[GUILD]
    target: Count[5, 40] = number(10, "prestige with which the last round begins")
    limit: Count[5, 20] = number(10, "tokens that a merchant may keep")
    goods: Counts[("2", "3", "4"), 2, 9] = number({"2": 4, "3": 5, "4": 6}, "tokens of each good, by number of players")
    gold: Count[0, 9] = number(4, "gold tokens")


class Options:
    guilds: OneOf[DEALT] = number("dealt", "whether each merchant belongs to a guild")


class Player:
    points: Count[0, 99]  # prestige
    guild: OneOf[GUILD] = kept("its guild", "Is any guild too strong or too weak?", dealt={"guilds": "dealt"})
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
            gain(state, player, GOLD, numbers.guild[player.guild].gold)


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
    """How many of a good a contract costs a merchant, but for the discount of its guild."""
    saved = player.trade[good]
    if player.guild != NONE:
        saved += numbers.guild[player.guild].saves[good]
    return max(contract.cost[good] - saved, 0)


def gold_needed(numbers, player, contract, is_large):
    """How much gold a merchant needs for a contract, because goods are missing."""
    missing = 0
    for good in range(GOLD):
        missing += max(to_deliver(numbers, player, contract, good) - player.tokens[good], 0)
    if player.guild != NONE and is_large:
        missing -= numbers.guild[player.guild].discount
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
    """Tokens above the limit go back one by one.

    The round in which a merchant reaches the target, or takes the last contract, is the last.
    """
    room = numbers.limit + (numbers.guild[player.guild].room if player.guild != NONE else 0)
    if player.tokens.sum() > room:
        state.phase = GIVE_BACK
        return
    state.phase = TURN
    if player.points >= numbers.target or is_sold_out(state):
        state.last_round = True
    if state.actor == state.seats - 1 and (state.last_round or state.turn + 1 >= LONGEST):
        state.over = True
    else:
        next_turn(state)


def is_sold_out(state):
    for place in range(MARKET):
        if state.small_row.cards[place] != NONE or state.large_row.cards[place] != NONE:
            return False
    return True


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
    """Fulfils contracts as soon as possible, and takes the goods that the nearest one needs."""
    player = view.players[view.actor]
    needed = needed_goods(numbers, view, player)
    best, most = menu.actions[0], -1000.0
    for place in range(menu.count):
        worth = worth_of(numbers, view, player, needed, menu.actions[place])
        if worth > most:
            best, most = menu.actions[place], worth
    return best


def worth_of(numbers, view, player, needed, action):
    if action >= PASS:
        return -100.0
    if action >= RETURN:
        token = action - RETURN
        return -50.0 if token == GOLD else -10.0 * needed[token]
    if action >= FROM_LARGE:
        return 20.0 + numbers.large[player.large_store.cards[action - FROM_LARGE]].prestige
    if action >= FROM_SMALL:
        return 20.0 + numbers.small[player.small_store.cards[action - FROM_SMALL]].prestige
    if action >= FULFIL_LARGE:
        return 20.0 + numbers.large[view.large_row.cards[action - FULFIL_LARGE]].prestige
    if action >= FULFIL_SMALL:
        return 20.0 + numbers.small[view.small_row.cards[action - FULFIL_SMALL]].prestige
    if action >= STORE_SMALL:
        return 0.5 if view.pool[GOLD] > 0 and player.tokens.sum() < numbers.limit else -20.0
    if action >= SINGLE:
        return needed[action - SINGLE]
    if action >= DOUBLE:
        return 1.5 * needed[action - DOUBLE]
    pair = PAIRS[action - TAKE]
    return needed[pair[0]] + needed[pair[1]]


def needed_goods(numbers, view, player):
    """How much a merchant wants one more of each good: 1 if the contract that is nearest needs it, else a little."""
    nearest, least = numbers.small[0], 100
    for place in range(MARKET):
        small, large = view.small_row.cards[place], view.large_row.cards[place]
        if small != NONE:
            distance = 2 * gold_needed(numbers, player, numbers.small[small], 0)
            if distance < least:
                nearest, least = numbers.small[small], distance
        if large != NONE:
            contract = numbers.large[large]
            distance = 2 * gold_needed(numbers, player, contract, 1) - 2 * contract.prestige
            if distance < least:
                nearest, least = contract, distance
    needed = [0.1, 0.1, 0.1, 0.1]
    for good in range(GOLD):
        if to_deliver(numbers, player, nearest, good) > player.tokens[good]:
            needed[good] = 1.0
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
