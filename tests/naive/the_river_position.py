"""Where a game of The River stands, and what is legal there; numbers are those of the facts, J those of rulings."""

import itertools
from typing import Any

from .basics import Facts
from .the_river_scoring import BoardCounter, Player
from .the_river_setup import BASIC, PLACES, RESOURCES, check_setup, for_players


class RiverPosition:
    """Everything on the table in lists and strings; what a board shows is counted anew each time.

    `facts` as in the components' TOML file, with any change already made; `setup` as in a trace. Raises Mismatch
    if the set-up breaks the rules.
    """

    def __init__(self, facts: Facts, players: int, setup: dict[str, Any]) -> None:
        check_setup(facts, setup, players)
        self.facts = facts
        self.players = players
        self.counter = BoardCounter(facts)
        self.place_figures = {row["id"]: row for row in facts["place"]}

        self.round = 0
        self.first: int = setup["first"]
        self.end = False
        self.islands = dict(setup["supply"])
        self.pile = list(setup["tiles"])
        self.face_up: list[str] = []
        self.removed: list[str] = []
        self.deck = list(setup["cards"])
        self.cards: list[str | None] = [None] * facts["setup"]["display_cards"]
        self.tokens: list[int] = [*setup["tokens"][0], *setup["tokens"][1]]
        self.places: dict[str, list[int]] = {place: [] for place in PLACES}
        self.seats: list[Player] = [self._new_seat(board) for board in setup["boards"]]
        self.tiles_at_round_start = [0] * players

    def _new_seat(self, board: str) -> Player:
        return {
            "board": board,
            "resources": dict.fromkeys(RESOURCES, 0),
            "tiles": [],
            "tokens": [],
            "boat": self.facts["setup"]["pioneers_on_boat"],
            "placed": 0,
            "settled": 0,
            "fifth": True,
            "reserved": [],
            "built": [],
        }

    def state(self) -> dict[str, Any]:
        """Return the whole state as in a trace; a copy."""
        return {
            "round": self.round,
            "first": self.first,
            "end": self.end,
            "islands": [self.islands[resource] for resource in RESOURCES],
            "tiles": list(self.face_up),
            "pile": len(self.pile),
            "removed": len(self.removed),
            "cards": list(self.cards),
            "deck": len(self.deck),
            "tokens": len(self.tokens),
            "places": {place: list(seats) for place, seats in self.places.items()},
            "seats": [self._seat_state(player) for player in self.seats],
        }

    def _seat_state(self, player: Player) -> dict[str, Any]:
        held, (warehouses, symbols) = player["resources"], self.counter.in_sight(player)
        return {  # one by one: this is most of the work of a game
            "resources": [held[resource] for resource in RESOURCES],
            "warehouses": warehouses,
            "production": [symbols[resource] for resource in BASIC],
            "tiles": player["tiles"].copy(),
            "tokens": player["tokens"].copy(),
            "boat": player["boat"],
            "placed": player["placed"],
            "settled": player["settled"],
            "fifth": player["fifth"],
            "reserved": player["reserved"].copy(),
            "built": player["built"].copy(),
        }

    # ------------------------------------------------------------------------------------------ who and where

    def next_with_pioneer(self, start: int) -> int | None:
        for seat in self.clockwise(start):
            if self.seats[seat]["boat"] > 0:
                return seat
        return None

    def clockwise(self, start: int) -> list[int]:
        return [(start + step) % self.players for step in range(self.players)]

    def display_spots(self) -> int:
        return for_players(self.facts["display_tiles"]["spots"], self.players)

    # ------------------------------------------------------------------------------------------ what is legal

    def trades(self, seat: int) -> list[str]:
        """List the trades for food (21, J4, J26)."""
        held = self.seats[seat]["resources"]
        turn = self.facts["turn"]
        if self.islands["food"] < turn["trade_get"]:
            return []
        given = itertools.product(*(range(held[resource] + 1) for resource in RESOURCES))
        return [" ".join(["trade", *map(str, gift)]) for gift in given if sum(gift) == turn["trade_give"]]

    def placements(self, seat: int) -> list[str]:
        """List every place where a pioneer may go, with what it does there first (22, 23)."""
        player = self.seats[seat]
        face_up_cards = [card for card in self.cards if card]
        actions = []
        if self._has_room(seat, "claim") and len(player["tiles"]) < len(self.facts["spot"]):
            if self.places["claim"].count(seat) < self.facts["turn"]["claims_per_round"]:
                actions += [f"claim {tile}" for tile in self.face_up]
        for resource in BASIC:
            if self._has_room(seat, resource) and self.produced(player, resource) > 0:
                if self.counter.warehouses(player) > 0:  # J3
                    actions.append(f"produce {resource}")
        if self._has_room(seat, "food") and any(self.islands.values()):  # J5
            if self.counter.warehouses(player) > 0:  # J25
                actions.append("food")
        if self._has_room(seat, "reserve") and len(player["reserved"]) < self.facts["turn"]["reserved_max"]:
            actions += [f"reserve {card}" for card in face_up_cards]
        if self._has_room(seat, "construct"):
            cards = face_up_cards + player["reserved"]
            actions += [f"construct {card}" for card in cards if self.can_pay(player, card)]
        if self._has_room(seat, "first"):
            actions.append("first")
        if self._has_room(seat, "swap") and len(player["tiles"]) >= 2:
            actions.append("swap")
        return actions

    def _has_room(self, seat: int, place: str) -> bool:
        """Return whether one more pioneer of this seat may stand on a place (23)."""
        figures = self.place_figures[place]
        spots = for_players(figures["spots"], self.players)
        standing = self.places[place]
        taken = standing.count(seat) if figures["class"] == "player" else len(standing)
        return spots == -1 or taken < spots

    def produced(self, player: Player, resource: str) -> int:
        """Count what a pioneer would produce now (25, 27, J36)."""
        amount = self.counter.symbols(player, resource)
        if not self.places[resource]:
            amount += for_players(self.place_figures[resource]["first_bonus"], self.players)
        return min(amount, self.islands[resource])

    def can_pay(self, player: Player, card: str) -> bool:
        """Return whether any set of resources pays for a card: any sum up to all that may be paid can be reached."""
        cost, most = self._bill(player, card)
        return sum(most) >= cost

    def payments(self, player: Player, card: str) -> list[str]:
        """List every set of resources that pays for a card (30, J29); `pay` and its words."""
        cost, most = self._bill(player, card)
        paid = itertools.product(*(range(amount + 1) for amount in most))
        return [" ".join(["pay", *map(str, amounts)]) for amounts in paid if sum(amounts) == cost]

    def _bill(self, player: Player, card: str) -> tuple[int, list[int]]:
        """Return how many resources a card costs in all, and how many of each may be among them."""
        costs, held = self.counter.costs[card], player["resources"]
        cost = sum(costs)
        if card in player["reserved"]:
            cost = max(0, cost - self.facts["turn"]["reserved_discount"])
        return cost, [*map(min, costs, [held[basic] for basic in BASIC]), held["food"]]
