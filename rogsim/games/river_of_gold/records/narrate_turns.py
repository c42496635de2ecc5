"""The turns of a trace in sentences: each step, its cost and its effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rogsim.game.kit.narration import NOTE, SUBJECT, Narrator, counted, listing, paragraph, seat_name, table
from rogsim.games.river_of_gold.components.load import Facts, with_change
from rogsim.games.river_of_gold.components.models import Merchant, Patron
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    DAIDOJI,
    FACES,
    KAIU,
    KAKITA,
    KUDAKA,
    PATRONS,
    RIVER_SPACES,
    TAKA,
    YORITOMO,
)
from rogsim.games.river_of_gold.records.narrate_states import State, changes, owned_spaces, owners_of, state_at_start
from rogsim.games.river_of_gold.records.narrate_words import (
    ability_words,
    delivery_words,
    era_name,
    goods_words,
    influence_words,
    journey_words,
    patron_name,
    reward_words,
    tile_words,
)

Step = Mapping[str, Any]

END_OF_TURN = ("claim", "roll", "set_die", "visit", "end_trigger")


class TurnNarrator(Narrator):
    """Narrates the turns of a game, and keeps track of the board."""

    title = "River of Gold"

    def __init__(self, trace: Mapping[str, Any]) -> None:
        super().__init__(trace)
        setup = trace["setup"]
        self.facts, self.patrons = Facts.from_dict(with_change(trace.get("change", {}))), setup["patrons"]
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
        if not self.patrons or self.patrons[self.seat] != PATRONS[patron]:
            return []
        card = self.patron_cards[PATRONS[patron]]
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
        cost = min((self.die - old) % FACES, (old - self.die) % FACES)
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
            lines += self._patron_note(KAIU, f"a region of choice instead of {self.die}")
        if tile.id == self.state["row"][-1]:
            lines += self._note(f"row's end tile: {self.facts.exchange.row_end_favor} favor")
        visits = sum(space.id in shores for shores in self.facts.river.shore)
        lines += self._patron_note(TAKA, f"{counted(visits, 'river space')} from which ships visit it", visits)
        if tile.build:
            lines += self._note(f"build bonus: {influence_words(tile.build, space.region)}")
        return lines

    # Sailing

    def _tell_sail(self, step: Step) -> list[str]:
        ship, to, start = step["ship"], step["to"], self.me["ships"][step["ship"]]
        royal, distance = ship == self.me["royal"], (to - start) % RIVER_SPACES
        which = f"the royal ship (ship {ship})" if royal else f"ship {ship}"
        how = "" if distance == self.die else f" ({distance} spaces instead of {self.die}, thanks to noble-5)"
        journey = ", completing a journey," if to < start else ""
        shores = self.facts.river.shore[to - 1]
        lines = self._say(step, "sails", f"{which} from river space {start} to {to}{how}{journey} and visits:")
        lines += table([self._visited(space, royal) for space in shores], "lll", NOTE)
        owners = {owner for space in shores for owner in owners_of(self.state, space)}
        if royal:
            lines += self._nobles(to, owners)
        if owners - {self.seat}:
            lines += self._patron_note(DAIDOJI, "an opponent's building", 1)
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
        return {**{kind: types.count(kind) for kind in BUILDINGS}, "customer": customers}

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
            lines += self._patron_note(YORITOMO, f"any region instead of {self.die}")
        if card.region not in {self.customers[name].region for name in self.me["delivered"]}:
            lines += self._patron_note(KUDAKA, "the first delivery to this region", 1)
        gains = delivery_words(getattr(self.facts.delivery, card.type), card.region)
        lines += self._note(f"on delivery: {gains}") if gains else []
        return lines + self._note(f"ability: {ability_words(card, self.facts)}")

    def _tell_royal(self, step: Step) -> list[str]:
        return self._say(step, "makes", f"ship {step['ship']} the royal ship.")

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
        card = self.patron_cards[PATRONS[KAKITA]]
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


def _end_of_action(steps: Sequence[Step]) -> int:
    """Return the index of the first step after everything that the action caused, including the refill of the row."""
    places = (place for place, step in enumerate(steps) if step["do"] in END_OF_TURN)
    end = next(places, len(steps))
    while end > 0 and steps[end - 1]["do"] == "exchange":
        end -= 1
    return end
