"""A trace as text for people: the set-up, every turn, a table after every round, the final scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rogsim.base.text import capital, counted, listing
from rogsim.game.kit.narration import (
    NOTE,
    SUBJECT,
    Narrator,
    paragraph,
    plain,
    ruled,
    seat_name,
    table,
    unbroken,
)
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.components.declared import (
    Artisan,
    Customer,
    DeliveryReward,
    Elder,
    Facts,
    Merchant,
    Monk,
    Order,
    Patron,
    Reward,
    Tile,
    TrackReward,
)
from rogsim.games.river_of_gold.components.load import BOOK

# What merchants give for every completed journey and nobles add to the royal ship, by the labels in the data.
JOURNEY_ABILITIES = {
    "influence_1_in_each_region_where_you_own_a_building": (
        "{amount} influence in every region where the player owns a building"
    ),
    "point_per_customer_delivered": "{points} for every customer delivered to",
    "any_good": "{goods} of choice",
    "sell_goods_for_5_koku_each": "any number of goods may be sold for {amount} koku each",
    "favor": "{amount} favor",
    "koku_3": "{amount} koku",
}
ROYAL_ABILITIES = {
    "market_good_is_any_good": "goods from markets may be of any kind",
    "koku_per_empty_space": "{amount} koku more for every empty shore space",
    "influence_1_in_each_adjacent_region": "{amount} influence in every region adjacent to its river space",
    "point_if_opponent_building_visited": "{points} for visiting an opponent's building",
    "die_plus_or_minus_1": "may sail up to {amount} more or less than the die shows",
    "point_if_own_building_visited": "{points} for visiting a building of the player",
}


def goods_words(order: Order) -> str:
    """Return the goods of an order: "2 silk, 1 rice"."""
    return ", ".join(f"{getattr(order, good)} {good}" for good in names.GOODS if getattr(order, good)) or "no goods"


def reward_words(reward: TrackReward, region: int | None = None, holdings: Mapping[str, int] | None = None) -> str:
    """Return a reward in words, in the order of its parts.

    Parameters
    ----------
    region
        The region to name with influence, if any.
    holdings
        The numbers of the player's customers and of its buildings by type: koku for each of them are added up.
    """
    parts = [counted(reward.points, "point")] if reward.points else []
    parts += [f"{reward.koku} koku"] if reward.koku else []
    if isinstance(reward, Reward):
        parts += _koku_for_each(reward, holdings)
    parts += [f"{getattr(reward, good)} {good}" for good in names.GOODS if getattr(reward, good)]
    parts += [f"{reward.favor} favor"] if reward.favor else []
    parts += [counted(reward.any_good, "good") + " of choice"] if reward.any_good else []
    if isinstance(reward, Reward):
        parts += [influence_words(reward.influence, region)] if reward.influence else []
        parts += ["draw and discard a customer"] if reward.draw_and_discard else []
    return ", ".join(parts) or "nothing"


def _koku_for_each(reward: Reward, holdings: Mapping[str, int] | None) -> list[str]:
    parts = []
    for kind in (*names.BUILDINGS, "customer"):
        koku = getattr(reward, f"koku_per_{kind}")
        if koku and holdings is None:
            parts.append(f"{koku} koku for each {kind}")
        elif koku and holdings is not None:
            parts.append(f"{koku * holdings[kind]} koku for {counted(holdings[kind], kind)}")
    return parts


def influence_words(amount: int, region: int | None) -> str:
    """Return "2 influence in region 3"."""
    return f"{amount} influence" + (f" in region {region}" if region else "")


def delivery_words(reward: DeliveryReward, region: int) -> str:
    """Return the immediate reward of a delivery."""
    parts = [f"favor limit up by {reward.favor_limit}"] if reward.favor_limit else []
    parts += [f"{reward.favor} favor"] if reward.favor else []
    parts += [influence_words(reward.influence, region)] if reward.influence else []
    return ", ".join(parts)


def ability_words(customer: Customer, facts: Facts) -> str:
    """Return the ability of a customer, besides the reward of every delivery to its type."""
    if isinstance(customer, Artisan):
        return f"building in region {customer.region} costs {facts.exchange.artisan_discount} koku less"
    if isinstance(customer, Elder):
        return f"region {customer.region} scores double at the end"
    if isinstance(customer, Monk):
        whose = "the player's own" if customer.second_marker == "own" else "an opponent's"
        return f"a second marker on {whose} building"
    if isinstance(customer, Merchant):
        return f"with every completed journey: {journey_words(customer)}"
    return f"with the royal ship: {_with_amount(ROYAL_ABILITIES[customer.royal_ship], customer.amount)}"


def journey_words(merchant: Merchant) -> str:
    """Return what a merchant gives for every completed journey."""
    return _with_amount(JOURNEY_ABILITIES[merchant.journey], merchant.amount)


def _with_amount(phrase: str, amount: int) -> str:
    return phrase.format(amount=amount, points=counted(amount, "point"), goods=counted(amount, "good"))


def tile_words(tile: Tile) -> str:
    """Return a building tile with its rewards."""
    build = f"build bonus {tile.build} influence; " if tile.build else ""
    return f"{tile.id} ({build}visitor: {reward_words(tile.visitor)}; owner: {reward_words(tile.owner)})"


def era_name(era: str) -> str:
    """Return the name of an era's key: "era 1"."""
    return f"{era[:-1]} {era[-1]}"


def patron_name(patron: str) -> str:
    """Return the name of an id: "Kaiu Shihobu"."""
    return patron.replace("-", " ").title()


def patron_words(patron: Patron) -> str:
    """Return a patron with its title, clan and effect."""
    numbers = [f"{patron.bonus_koku} koku"] if patron.bonus_koku else []
    numbers += [counted(patron.bonus_customers, "customer")] if patron.bonus_customers else []
    numbers += [counted(patron.points, "point")] if patron.points else []
    numbers += [f"{patron.cost_favor} favor"] if patron.cost_favor else []
    brackets = f" ({', '.join(numbers)})" if numbers else ""
    return f"{patron_name(patron.id)}, {patron.title}, {patron.clan} clan: {patron.effect}{brackets}"


State = Mapping[str, Any]  # as in `after` of a turn

REGION_COLUMNS = " ".join(f"r{region}" for region in range(1, names.REGIONS + 1))
COLUMNS = ("seat", "koku", "silk", "rice", "porc.", "favor", "points", REGION_COLUMNS, "ships", "royal", "die")


def state_at_start(facts: Facts, trace: Mapping[str, Any]) -> State:
    """Return the state before the first turn, in the form of a turn's `after`."""
    setup, start = trace["setup"], facts.setup
    bonus = {patron.id: patron.bonus_koku for patron in facts.patron}
    patrons = setup["patrons"] or [None] * trace["players"]
    seats = [
        {
            "koku": min(start.koku_by_turn_order[seat] + bonus.get(patron, 0), facts.limits.koku),
            **{good: getattr(start.goods, good) for good in names.GOODS},
            "favor": start.favor,
            "favor_limit": start.favor_limit,
            "points": 0,
            "influence": [0] * names.REGIONS,
            "ships": setup["ships"][seat],
            "royal": None,
            "die": setup["dice"][seat],
            "hand": sorted(setup["hands"][seat]),
            "delivered": [],
        }
        for seat, patron in enumerate(patrons)
    ]
    return {"seats": seats, "row": setup["era1"][: start.building_row][::-1], "markers": {}, "masteries": {}}


def owners_of(state: State, space: int) -> list[int]:
    """Return the seats with markers on a shore space, once for each marker."""
    return list(state["markers"].get(str(space), ()))


def owned_spaces(state: State, seat: int) -> list[int]:
    """Return the shore spaces with a marker of the seat, in ascending order."""
    return sorted(int(space) for space, seats in state["markers"].items() if seat in seats)


def state_table(state: State, bots: list[str]) -> list[str]:
    """Return a table of koku, goods, favor, points, influence by region, ships and die of all seats."""
    rows: list[Sequence[str]] = [COLUMNS]
    for seat, bot in enumerate(bots):
        player = state["seats"][seat]
        rows.append(
            (
                f"{seat + 1} {plain(bot)}",
                *(str(player[key]) for key in ("koku", *names.GOODS)),
                f"{player['favor']}/{player['favor_limit']}",
                str(player["points"]),
                " ".join(f"{space:2}" for space in player["influence"]),
                " ".join(f"{space:2}" for space in player["ships"]),
                "-" if player["royal"] is None else str(player["royal"]),
                str(player["die"]),
            )
        )
    lines = table(rows, "l" + "r" * (len(COLUMNS) - 1))
    return [" " * lines[0].index(REGION_COLUMNS) + "influence by region", *lines]


def changes(facts: Facts, patrons: list[str] | None, before: State, after: State, seat: int) -> list[str]:
    """List what changed for a seat: koku, goods, favor, points, and influence with the rewards of the move."""
    old, new = before["seats"][seat], after["seats"][seat]
    found = []
    for key in ("koku", *names.GOODS):
        if old[key] != new[key]:
            limit = facts.limits.koku if key == "koku" else facts.limits.good
            full = " (the most)" if new[key] == limit else ""
            found.append(unbroken(f"{key} {old[key]} -> {new[key]}{full}"))
    if (old["favor"], old["favor_limit"]) != (new["favor"], new["favor_limit"]):
        found.append(unbroken(f"favor {old['favor']}/{old['favor_limit']} -> {new['favor']}/{new['favor_limit']}"))
    if old["points"] != new["points"]:
        found.append(unbroken(f"points {old['points']} -> {new['points']}"))
    for region in range(names.REGIONS):
        start, goal = old["influence"][region], new["influence"][region]
        if start != goal:
            rewards = ", ".join(track_rewards(facts, region, start, goal))
            move = unbroken(f"region {region + 1} influence {start} -> {goal}")
            found.append(f"{move} ({rewards})" if rewards else move)
    if patrons and patrons[seat] == names.PATRONS[names.HYOBU]:
        found += [unbroken(f"overtaken in region {region + 1}") for region in overtaken(before, after, seat)]
    return found


def track_rewards(facts: Facts, region: int, start: int, goal: int) -> Iterator[str]:
    """Yield the rewards of the track spaces that a marker passed or reached; regions count from 0."""
    # Not every space between: a trace from a stranger may name any number as the goal.
    spaces = {names.GOOD_SPACE, facts.track.imperial_flower, *facts.track.rewards}
    for space in sorted(space for space in spaces if start < space <= goal):
        if space == names.GOOD_SPACE:
            yield f"1 {facts.track.good_at_2[region]} at {space}"
        if space in facts.track.rewards:
            yield f"{reward_words(facts.track.rewards[space])} at {space}"
        if space == facts.track.imperial_flower:
            yield f"imperial flower at {space}"


def overtaken(before: State, after: State, seat: int) -> Iterator[int]:
    """Yield the regions, from 0, in which another marker overtook a seat's."""
    for region in range(names.REGIONS):
        old, new = ([player["influence"][region] for player in state["seats"]] for state in (before, after))
        if any(old[other] < old[seat] and new[other] > new[seat] for other in range(len(old))):
            yield region


def possessions(state: State, seat: int, buildings: Mapping[int, str]) -> str:
    """List a seat's customers, deliveries and buildings; `buildings` has types by space."""
    player = state["seats"][seat]
    owned = [f"{buildings[space]} {space}{_shared(state, space, seat)}" for space in owned_spaces(state, seat)]
    parts = [f"holds {', '.join(player['hand']) or 'no customers'}"]
    parts += [f"delivered to {', '.join(player['delivered'])}"] if player["delivered"] else []
    parts += [f"owns {', '.join(unbroken(building) for building in owned)}"] if owned else []
    return "; ".join(parts)


def _shared(state: State, space: int, seat: int) -> str:
    """Return whose second marker is on a building, if there is one."""
    owners = owners_of(state, space)
    if len(owners) < 2:
        return ""
    others = [seat_name(owner) for owner in owners if owner != seat]
    return f" with {others[0]}" if others else " twice"


Step = Mapping[str, Any]

END_OF_TURN = ("claim", "roll", "set_die", "visit", "end_trigger")


class GoldNarrator(Narrator):
    """Narrates a game, and keeps track of the board."""

    title = "River of Gold"

    def __init__(self, trace: Mapping[str, Any]) -> None:
        super().__init__(trace)
        setup = trace["setup"]
        self.facts, self.patrons = Facts.from_dict(BOOK.with_change(trace.get("change", {}))), setup["patrons"]
        self.tiles = {tile.id: tile for tile in self.facts.tile}
        self.customers = {customer.id: customer for customer in self.facts.customer}
        self.patron_cards: dict[str, Patron] = {patron.id: patron for patron in self.facts.patron}
        self.spaces = {space.id: space for space in self.facts.shore}
        self.shore = {int(space): self.tiles[tile] for space, tile in setup["shore"].items()}
        self.state = self.after = state_at_start(self.facts, trace)
        self.stacks = {era: len(setup[era]) for era in ("era1", "era2")}
        self.stacks["era1"] -= len(self.state["row"])
        self.die = self.turns_told = 0
        self.last_turns = False

    def turn(self, turn: Mapping[str, Any]) -> list[str]:
        """Return the next turn as lines."""
        self.seat, self.after = turn["seat"], turn["after"]
        self.die = self.me["die"]
        lines = self._heading()
        action_over = _end_of_action(turn["steps"])
        for place, step in enumerate(turn["steps"]):
            if place == action_over:
                lines += self._row_news(turn["steps"])
            lines += self.sentence(step["do"], step)
        if action_over == len(turn["steps"]):
            lines += self._row_news(turn["steps"])
        for seat in range(len(self.bots)):
            changed = changes(self.facts, self.patrons, self.state, self.after, seat)
            if changed:
                lines += paragraph(f"=> {self.name(seat)}: {'; '.join(changed)}", SUBJECT, 3)
        self.state = self.after
        self.turns_told += 1
        return lines

    @property
    def me(self) -> Mapping[str, Any]:
        """The active seat before its turn."""
        player: Mapping[str, Any] = self.state["seats"][self.seat]
        return player

    def _heading(self) -> list[str]:
        seats = len(self.bots)
        patron = f", {patron_name(self.patrons[self.seat])}" if self.patrons else ""
        last = ", last turn" if self.last_turns else ""
        place = f"Turn {self.turns_told + 1}, round {self.turns_told // seats + 1}"
        return paragraph(f"{place}: {self.name(self.seat)}{patron}, die {self.die}{last}")

    def _patron_note(self, patron: int, why: str, times: int = 0) -> list[str]:
        """Describe the effect of a patron if the active seat has it, with its points times `times`."""
        if not self.patrons or self.patrons[self.seat] != names.PATRONS[patron]:
            return []
        card = self.patron_cards[names.PATRONS[patron]]
        points = f"{counted(card.points * times, 'point')} for " if times else ""
        return self._note(f"{patron_name(card.id)}: {points}{why}")

    def _region(self, region: int) -> str:
        return f"region {region}, {self.facts.regions.names[region - 1]}"

    # Exchanges, favor, goods and customers

    def _tell_exchange(self, step: Step) -> list[str]:
        prices = self.facts.exchange
        paid = prices.koku_for_favor if step["get"] == "favor" else prices.goods_for_good
        return self._say(step, "exchanges", f"{paid} {step['give']} for 1 {step['get']}.")

    def _tell_favor(self, step: Step) -> list[str]:
        old, self.die = self.die, step["die"]
        cost = min((self.die - old) % names.FACES, (old - self.die) % names.FACES)
        return self._say(step, "spends", f"{cost} favor to turn the die from {old} to {self.die}.")

    def _tell_good(self, step: Step) -> list[str]:
        return self._say(step, "chooses", f"1 {step['good']}.")

    def _tell_draw(self, step: Step) -> list[str]:
        cards = (f"{card} (orders {goods_words(self.customers[card].order)})" for card in step["customers"])
        return self._say(step, "draws", f"{listing(cards)}.")

    def _tell_reshuffle(self, step: Step) -> list[str]:
        cards = counted(len(step["deck"]), "discarded customer")
        return paragraph(f"The deck is used up: {cards} shuffled to make a new one.", SUBJECT)

    def _tell_discard(self, step: Step) -> list[str]:
        return self._say(step, "discards", f"{step['customer']}.")

    # Building

    def _tell_build(self, step: Step) -> list[str]:
        space, tile = self.spaces[step["space"]], self.tiles[step["tile"]]
        self.shore[space.id] = tile
        cost, artisan = f"{space.cost} koku", f"artisan-{space.region}"
        if artisan in self.me["delivered"]:
            less = max(0, space.cost - self.facts.exchange.artisan_discount)
            cost = f"{less} koku (not {space.cost}, thanks to {artisan})"
        what = f"{tile.id} ({tile.type}) on shore space {space.id} in {self._region(space.region)}"
        lines = self._say(step, "builds", f"{what}, for {cost}.")
        if space.region != self.die:
            lines += self._patron_note(names.KAIU, f"a region of choice instead of {self.die}")
        if tile.id == self.state["row"][-1]:
            lines += self._note(f"row's end tile: {self.facts.exchange.row_end_favor} favor")
        visits = sum(space.id in shores for shores in self.facts.river.shore)
        lines += self._patron_note(names.TAKA, f"{counted(visits, 'river space')} from which ships visit it", visits)
        if tile.build:
            lines += self._note(f"build bonus: {influence_words(tile.build, space.region)}")
        return lines

    # Sailing

    def _tell_sail(self, step: Step) -> list[str]:
        ship, to, start = step["ship"], step["to"], self.me["ships"][step["ship"]]
        royal, distance = ship == self.me["royal"], (to - start) % names.RIVER_SPACES
        which = "the royal ship" if royal else "a ship"
        how = "" if distance == self.die else f" ({distance} spaces instead of {self.die}, thanks to noble-5)"
        journey = ", completing a journey," if to < start else ""
        shores = self.facts.river.shore[to - 1]
        lines = self._say(step, "sails", f"{which} from river space {start} to {to}{how}{journey} and visits:")
        lines += table([self._visited(space, royal) for space in shores], "lll", NOTE)
        owners = {owner for space in shores for owner in owners_of(self.state, space)}
        if royal:
            lines += self._nobles(to, owners)
        if owners - {self.seat}:
            lines += self._patron_note(names.DAIDOJI, "an opponent's building", 1)
        return lines

    def _visited(self, space: int, royal: bool) -> tuple[str, str, str]:
        """Return a shore space, its tile, and the rewards of the visitor and the owners."""
        if space not in self.shore:
            return f"shore space {space}", "empty", f"{self.facts.exchange.empty_space_koku} koku"
        tile, region = self.shore[space], self.spaces[space].region
        visitor = reward_words(tile.visitor, region, self._holdings(self.state, self.seat))
        if royal and tile.type == "market" and "noble-1" in self.me["delivered"]:
            visitor += " (goods of any kind, thanks to noble-1)"
        owners = [
            f"owner {seat_name(owner)}: {reward_words(tile.owner, region, self._holdings(self.state, owner))}"
            for owner in owners_of(self.state, space)
        ]
        return f"shore space {space}", tile.id, "; ".join([visitor, *owners])

    def _holdings(self, state: State, seat: int) -> dict[str, int]:
        """Count the buildings that a seat owns, by type, and the customers delivered to."""
        types: list[str] = [self.shore[space].type for space in owned_spaces(state, seat)]
        customers = len(state["seats"][seat]["delivered"])
        return {**{kind: types.count(kind) for kind in names.BUILDINGS}, "customer": customers}

    def _nobles(self, at: int, owners: set[int]) -> list[str]:
        """Describe what nobles add to a sail of the royal ship, besides the visits."""
        empty = sum(space not in self.shore for space in self.facts.river.shore[at - 1])
        regions = self.facts.river.regions[at - 1]
        lines = []
        for name in sorted(self.me["delivered"]):
            amount = getattr(self.customers[name], "amount", 0)
            if name == "noble-2" and empty:
                lines += self._note(f"{name}: {amount * empty} koku for {counted(empty, 'empty shore space')}")
            elif name == "noble-3":
                lines += self._note(f"{name}: {listing(influence_words(amount, region) for region in regions)}")
            elif name == "noble-4" and owners - {self.seat}:
                lines += self._note(f"{name}: {counted(amount, 'point')} for an opponent's building")
            elif name == "noble-6" and self.seat in owners:
                lines += self._note(f"{name}: {counted(amount, 'point')} for its own building")
        return lines

    def _tell_journey(self, step: Step) -> list[str]:
        amount = self.facts.exchange.journey_koku if step["take"] == "koku" else 1
        lines = self._say(step, "takes", f"{amount} {step['take']} for the completed journey.")
        for name in sorted(self.me["delivered"]):
            merchant = self.customers[name]
            if isinstance(merchant, Merchant):
                lines += self._note(f"{name}: {journey_words(merchant)}")
        return lines

    def _tell_sell(self, step: Step) -> list[str]:
        koku = getattr(self.customers["merchant-4"], "amount", 0)
        return self._say(step, "sells", f"1 {step['good']} for {koku} koku (merchant-4).")

    # Delivering

    def _tell_deliver(self, step: Step) -> list[str]:
        card = self.customers[step["customer"]]
        goods = goods_words(card.order)
        lines = self._say(step, "delivers", f"{goods} to {card.id} in {self._region(card.region)}.")
        if card.region != self.die:
            lines += self._patron_note(names.YORITOMO, f"any region instead of {self.die}")
        if card.region not in {self.customers[name].region for name in self.me["delivered"]}:
            lines += self._patron_note(names.KUDAKA, "the first delivery to this region", 1)
        gains = delivery_words(self.facts.delivery[card.type], card.region)
        lines += self._note(f"on delivery: {gains}") if gains else []
        return lines + self._note(f"ability: {ability_words(card, self.facts)}")

    def _tell_royal(self, step: Step) -> list[str]:
        return self._say(step, "makes", f"the ship at river space {self.me['ships'][step['ship']]} the royal ship.")

    def _tell_marker(self, step: Step) -> list[str]:
        space = step["space"]
        owners = owners_of(self.state, space)
        whose = "its own" if owners == [self.seat] else f"{listing(map(seat_name, owners))}'s"
        return self._say(step, "puts", f"a second marker on {whose} {self.shore[space].id} at shore space {space}.")

    # The end of a turn

    def _tell_claim(self, step: Step) -> list[str]:
        return self._say(step, "claims", f"the mastery of {step['mastery']} for {counted(step['points'], 'point')}.")

    def _tell_roll(self, step: Step) -> list[str]:
        return self._say(step, "rolls", f"{step['die']} for the next turn.")

    def _tell_set_die(self, step: Step) -> list[str]:
        card = self.patron_cards[names.PATRONS[names.KAKITA]]
        rest = f"{card.cost_favor} favor to set the die to {step['die']} for the next turn ({patron_name(card.id)})."
        return self._say(step, "pays", rest)

    def _tell_visit(self, step: Step) -> list[str]:
        lines = paragraph("*** The Emperor's Visit: all markers on buildings bring their owner rewards ***", SUBJECT)
        for seat in range(len(self.bots)):
            holdings = self._holdings(self.after, seat)
            rewards = []
            for space in owned_spaces(self.after, seat):
                tile = self.shore[space]
                gain = f"{reward_words(tile.owner, self.spaces[space].region, holdings)} from {tile.id}"
                rewards += [gain] * owners_of(self.after, space).count(seat)
            lines += self._note(f"{self.name(seat)}: {'; '.join(rewards) or 'no buildings'}")
        return lines

    def _tell_end_trigger(self, step: Step) -> list[str]:
        self.last_turns = True
        points = counted(self.facts.scoring.end_trigger, "point")
        text = f"*** The end of the game: {self.name(self.seat)} scores {points}, all others have one more turn ***"
        return paragraph(text, SUBJECT)

    def _row_news(self, steps: Sequence[Step]) -> list[str]:
        """Describe which tiles left the row, except the one built, and which were added."""
        before: Counter[str] = Counter(self.state["row"])
        after: Counter[str] = Counter(self.after["row"])
        built = Counter(step["tile"] for step in steps if step["do"] == "build")
        lines = []
        for tile in (before - after - built).elements():
            lines += paragraph(f"The row's end tile, {tile}, is discarded.", SUBJECT)
        for tile in (after - before).elements():
            era = "era1" if self.stacks["era1"] else "era2"
            self.stacks[era] -= 1
            left = f"{counted(self.stacks[era], 'tile')} of {era_name(era)} left"
            lines += paragraph(f"New in the row: {tile_words(self.tiles[tile])}; {left}.", SUBJECT)
        return lines

    def opening(self) -> Iterator[str]:
        """Yield the masteries, regions, buildings and row, and what each seat begins with."""
        yield from ("", "Masteries", *self._masteries())
        yield from ("", "Regions", *self._regions())
        yield from ("", "Buildings on the board", *self._buildings())
        yield from ("", "Building row, from its start to its end", *self._row())
        left = listing(f"{counted(tiles, 'tile')} of {era_name(era)}" for era, tiles in self.stacks.items())
        yield f"  In the stacks: {left}"
        for seat in range(len(self.bots)):
            yield from ("", *self._seat_at_start(seat))

    def _masteries(self) -> list[str]:
        cards = {mastery.id: mastery for mastery in self.facts.mastery}
        points = ", ".join(map(str, self.facts.mastery_points[self.trace["players"]]))
        masteries = self.trace["setup"]["masteries"]
        rows = [("mastery", "points", "needs")]
        rows += [(name, points, f"{cards[name].needs} ({cards[name].count})") for name in masteries]
        return table(rows, "lll")

    def _regions(self) -> list[str]:
        """List the points of each region and the cost of building there."""
        rows = [("region", "", "scores", "koku to build, by shore space")]
        tiles = zip(self.facts.regions.names, self.trace["setup"]["region_tiles"], strict=True)
        for region, (name, points) in enumerate(tiles, 1):
            spaces = [space for space in self.facts.shore if space.region == region and space.id not in self.shore]
            costs = "   ".join(f"{space.id}: {space.cost}" for space in spaces)
            rows.append((str(region), name, ", ".join(map(str, points)), costs))
        lines = table(rows, "llll")
        if self.trace["players"] == 2 and self.facts.rulings.two_player_distance:
            within = counted(self.facts.scoring.second_place_within, "space")
            lines += paragraph(f"Second place scores only within {within} of the first.", 2)
        return lines

    def _buildings(self) -> list[str]:
        rows = [("shore space", "region", "building", "visitor")]
        for space, tile in sorted(self.shore.items()):
            rows.append((str(space), str(self.spaces[space].region), tile.id, reward_words(tile.visitor)))
        return table(rows, "rrll")

    def _row(self) -> list[str]:
        rows = [("building", "build bonus", "visitor", "owner")]
        rows += [
            (tile.id, f"{tile.build} influence", reward_words(tile.visitor), reward_words(tile.owner))
            for tile in (self.tiles[name] for name in self.state["row"])
        ]
        return table(rows, "llll")

    def _seat_at_start(self, seat: int) -> Iterator[str]:
        """List what a seat begins with."""
        player = self.state["seats"][seat]
        goods = ", ".join(f"{player[good]} {good}" for good in names.GOODS)
        upper, middle = player["ships"]
        yield capital(self.name(seat))
        if self.patrons:
            yield from paragraph(patron_words(self.patron_cards[self.patrons[seat]]), 2)
        yield from paragraph(
            f"{player['koku']} koku, {goods}, favor {player['favor']}/{player['favor_limit']}, "
            f"ships at river spaces {upper} and {middle}, die {player['die']}",
            2,
        )
        cards = [self.customers[card] for card in self.trace["setup"]["hands"][seat]]
        rows = [(card.id, f"orders {goods_words(card.order)}", ability_words(card, self.facts)) for card in cards]
        yield from table(rows, "lll")

    def position(self) -> Iterator[str]:
        """Yield a table of seats, their cards and buildings, the row, the claims."""
        state = self.state
        types = {space: tile.type for space, tile in self.shore.items()}
        yield from state_table(state, self.bots)
        for seat in range(len(self.bots)):
            yield from paragraph(f"{seat_name(seat)}: {possessions(state, seat, types)}", 2)
        yield from paragraph(f"row, from start to end: {', '.join(state['row']) or 'empty'}", 2)
        claims = [
            f"{mastery} by {listing(map(seat_name, seats))}" for mastery, seats in state["masteries"].items() if seats
        ]
        if claims:
            yield from paragraph(f"masteries claimed: {', '.join(claims)}", 2)

    def ending(self) -> Iterator[str]:
        """Yield the points of all seats by source, and the winner."""
        scoring, seats = self.facts.scoring, self.state["seats"]
        parts = self.trace["final"]["breakdown"]
        rows = [("points of the game", [part["in_game"] for part in parts])]
        for region, name in enumerate(self.facts.regions.names):
            places = ", ".join(map(str, self.trace["setup"]["region_tiles"][region]))
            reached = [f"[{player['influence'][region]}]" for player in seats]
            cells = [f"{part['regions'][region]} {mark}" for part, mark in zip(parts, reached, strict=True)]
            rows.append((f"{region + 1} {name} ({places})", cells))
        labels = {
            "customers": "customers delivered to",
            "merchants": f"merchants (each 1 for {scoring.merchant_koku_per_point} koku left)",
            "artisans": f"artisans (each 1 for {scoring.artisan_goods_per_point} goods left)",
            "nobles": f"nobles (each {scoring.noble_points} for what it counts)",
        }
        rows += [(label, [part[key] for part in parts]) for key, label in labels.items()]
        yield ruled("Final scoring")
        yield from self.score_table(rows, "(a region's influence in brackets)")
        for seat, player in enumerate(seats):
            doubled = [card.removeprefix("elder-") for card in sorted(player["delivered"]) if card.startswith("elder-")]
            if doubled:
                yield from paragraph(f"Elders have doubled {seat_name(seat)}'s points in region {listing(doubled)}.", 2)
        yield ""
        yield from self.verdict("favor", seats[self.trace["final"]["winners"][0]]["favor"])


def _end_of_action(steps: Sequence[Step]) -> int:
    """Return the index of the first step after everything that the action caused, including the refill of the row."""
    places = (place for place, step in enumerate(steps) if step["do"] in END_OF_TURN)
    end = next(places, len(steps))
    while end > 0 and steps[end - 1]["do"] == "exchange":
        end -= 1
    return end


def narrate(trace: Mapping[str, Any]) -> str:
    """Return a recorded game as text."""
    return GoldNarrator(trace).text()
