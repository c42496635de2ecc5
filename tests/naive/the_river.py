"""The River in dicts, lists and strings: a second implementation to compare with the fast one.

It shares nothing with the package; plain numbers are those of the facts, J1 to J39 those of the rulings.

The game is one generator that runs until somebody must decide and then yields a `Decision`. What is reached by
itself on the way is written down at once, so that `steps` are at every moment the steps of a trace.
"""

import itertools
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from .basics import Facts, Mismatch
from .the_river_position import RiverPosition
from .the_river_scoring import Player
from .the_river_setup import BASIC, PLACES, RESOURCES, for_players

ASKED_WITH_ONE_ANSWER = ("start", "turn")


@dataclass(frozen=True)
class Decision:
    """Who must decide what; `answers` lists the legal actions as the position is when it is called."""

    seat: int
    kind: str
    answers: Callable[[], list[str]]


Flow = Generator[Decision, str, None]
Choice = Generator[Decision, str, str]


class NaiveRiver(RiverPosition):
    """One game of The River; seats from 0, spots of a River Board from 1 along the river.

    `shuffle` gets the removed tiles and returns the new pile in draw order; the rest as in `RiverPosition`.
    """

    def __init__(
        self, facts: Facts, players: int, setup: dict[str, Any], shuffle: Callable[[list[str]], list[str]]
    ) -> None:
        super().__init__(facts, players, setup)
        self.shuffle = shuffle
        self.steps: list[dict[str, Any]] = []
        self.decision: Decision | None = None
        self._flow = self._game()
        self._run(None)

    # ------------------------------------------------------------------------------------- what a caller uses

    @property
    def over(self) -> bool:
        return self.decision is None

    @property
    def kind(self) -> str | None:
        """Name the kind of the decision that is due; None when the game is over."""
        return self.decision.kind if self.decision else None

    @property
    def seat(self) -> int | None:
        """Return the seat that decides; None when the game is over."""
        return self.decision.seat if self.decision else None

    def legal(self) -> list[str]:
        """List every legal action of the decision that is due."""
        return self.decision.answers() if self.decision else []

    def choose(self, action: str, legal: list[str] | None = None) -> None:
        """Carry out one legal action and all that follows up to the next decision; legal: what `legal` just gave."""
        legal = self.legal() if legal is None else legal
        if self.decision is None or action not in legal:
            raise Mismatch(f"step {len(self.steps)}: expected {self.kind}, one of {sorted(legal)}, found {action!r}")
        decided = {"seat": self.seat, "kind": self.kind, "legal": sorted(legal), "action": action}
        self.steps.append(decided)
        self._run(action)

    def final(self) -> dict[str, Any]:
        """Return the `final` of a trace, as if the game ended now."""
        return self.counter.final(self.seats, self.round)

    # ---------------------------------------------------------------------------------- running and recording

    def _run(self, answer: str | None) -> None:
        try:
            self.decision = self._flow.send(answer) if answer else next(self._flow)
        except StopIteration:
            self.decision = None
        self._close_step()

    def _close_step(self) -> None:
        """Write down the state after the last decision, unless that is done: what follows is another step's."""
        if self.steps and "action" in self.steps[-1]:
            if "state" not in self.steps[-1]:
                self.steps[-1]["state"] = self.state()

    def _event(self, event: str, **fields: Any) -> None:
        self.steps.append({"event": event, **fields, "state": self.state()})

    def _ask(self, seat: int, kind: str, answers: Callable[[], list[str]]) -> Choice:
        """Ask, unless there is only one answer to a follow-up (J24)."""
        possible = answers()
        if len(possible) == 1 and kind not in ASKED_WITH_ONE_ANSWER:
            return possible[0]
        return (yield Decision(seat, kind, answers))

    # ---------------------------------------------------------------------------------------- course of a game

    def _game(self) -> Flow:
        self._refill_cards()
        self._turn_up(for_players(self.facts["setup"]["preliminary_tiles"], self.players))
        yield from self._preliminary_turn()
        while True:
            yield from self._round()
            yield from self._cleanup()
            nobody_left = all(player["boat"] == 0 for player in self.seats)  # J19
            if self.end or nobody_left:
                return

    def _preliminary_turn(self) -> Flow:
        """19, J6: counterclockwise, the first player last."""
        for back in range(1, self.players + 1):
            seat = (self.first - back) % self.players
            action = yield from self._ask(seat, "start", lambda: [f"start {tile}" for tile in self.face_up])
            tile = action.split()[1]
            self.face_up.remove(tile)
            yield from self._put_tile(seat, tile)
        self._close_step()
        left_over, self.face_up = self.face_up, []
        drawn = self._turn_up(self.display_spots())
        self._event("display", out=left_over, drawn=drawn)

    def _round(self) -> Flow:
        """20: clockwise; an empty boat is skipped, and a fifth pioneer brings its owner back in (32)."""
        self._close_step()
        self.round += 1
        self.tiles_at_round_start = [len(player["tiles"]) for player in self.seats]
        self._event("round", round=self.round, first=self.first)
        seat: int | None = self.next_with_pioneer(self.first)
        while seat is not None:
            yield from self._turn(seat)
            seat = self.next_with_pioneer(seat + 1)

    # ------------------------------------------------------------------------------------------------- a turn

    def _turn(self, seat: int) -> Flow:
        """21: trades, then a pioneer is placed and acts; J1, J32: or is spent where no place is legal."""
        player = self.seats[seat]
        while True:
            action = yield Decision(seat, "turn", lambda: self.trades(seat) + (self.placements(seat) or ["pass"]))
            word, *rest = action.split()
            if word != "trade":
                break
            self._return(player, dict(zip(RESOURCES, map(int, rest), strict=True)))
            self._take(player, "food", self.facts["turn"]["trade_get"])
        player["boat"] -= 1
        player["placed"] += 1
        match word:
            case "claim":
                self.places["claim"].append(seat)
                self.face_up.remove(rest[0])
                yield from self._put_tile(seat, rest[0])
            case "produce":
                amount = self.produced(player, rest[0])
                self.places[rest[0]].append(seat)
                self._take(player, rest[0], amount)
                yield from self._fit(seat)
            case "food":
                self.places["food"].append(seat)
                yield from self._food(seat)
            case "reserve":
                self.places["reserve"].append(seat)
                self.cards[self.cards.index(rest[0])] = None
                player["reserved"].append(rest[0])
            case "construct":
                self.places["construct"].append(seat)
                yield from self._construct(seat, rest[0])
            case "first":
                self.places["first"].append(seat)
                self.first = seat  # J39: the running round's order does not ask for it
            case "swap":
                self.places["swap"].append(seat)
                yield from self._exchange(seat, may_skip=False)

    # ------------------------------------------------------------------------------------ resources and storage

    def _take(self, player: Player, resource: str, amount: int) -> None:
        """Move a resource from its island to a player, as far as there is any (27)."""
        amount = min(amount, self.islands[resource])
        self.islands[resource] -= amount
        player["resources"][resource] += amount

    def _return(self, player: Player, given: dict[str, int]) -> None:
        for resource, amount in given.items():
            player["resources"][resource] -= amount
            self.islands[resource] += amount

    def _fit(self, seat: int) -> Flow:
        """26, J2, J23: give up one resource at a time until every one left has a warehouse."""
        player = self.seats[seat]
        held = player["resources"]
        while sum(held.values()) > self.counter.warehouses(player):
            action = yield from self._ask(
                seat, "discard", lambda: [f"discard {resource}" for resource in RESOURCES if held[resource]]
            )
            self._return(player, {action.split()[1]: 1})

    def _food(self, seat: int) -> Flow:
        """28: food, or one other resource where there is none."""
        player, amount = self.seats[seat], self.facts["turn"]["food_action"]
        resource = "food"
        if self.islands["food"] == 0:
            action = yield from self._ask(
                seat, "take", lambda: [f"take {basic}" for basic in BASIC if self.islands[basic]]
            )
            resource = action.split()[1]
        self._take(player, resource, amount)
        yield from self._fit(seat)

    # -------------------------------------------------------------------------------------------------- tiles

    def _put_tile(self, seat: int, tile: str) -> Flow:
        """24, J22: the tile lies, covered resources are given up, then its effect on placing (48, 50)."""
        player, figures = self.seats[seat], self.counter.tiles[tile]
        player["tiles"].append(tile)
        self.end = self.end or self.counter.has_last_tile(player)
        yield from self._fit(seat)
        if figures.get("effect") == "gift" and self.counter.warehouses(player) > 0:  # J25
            self._take(player, figures["resource"], figures.get("amount", 0))
            yield from self._fit(seat)
        if figures.get("effect") == "swap":
            for _ in range(figures.get("amount", 0)):
                swapped = yield from self._exchange(seat, may_skip=True)
                if not swapped:
                    break

    def _exchange(self, seat: int, *, may_skip: bool) -> Generator[Decision, str, bool]:
        """34, J27, J28: swap two tiles; return whether that was done."""
        tiles = self.seats[seat]["tiles"]
        if len(tiles) < 2:  # J17
            return False
        pairs = itertools.combinations(range(1, len(tiles) + 1), 2)
        answers = [f"exchange {one} {other}" for one, other in pairs] + ["skip"] * may_skip
        action = yield from self._ask(seat, "exchange", lambda: answers)
        if action == "skip":
            return False
        one, other = (int(spot) - 1 for spot in action.split()[1:])
        tiles[one], tiles[other] = tiles[other], tiles[one]
        return True

    # ---------------------------------------------------------------------------------------------- buildings

    def _construct(self, seat: int, card: str) -> Flow:
        """30-32: pay, take the card and the next token, perhaps free the fifth pioneer."""
        player = self.seats[seat]
        action = yield from self._ask(seat, "pay", lambda: self.payments(player, card))
        self._return(player, dict(zip(RESOURCES, map(int, action.split()[1:]), strict=True)))
        if card in player["reserved"]:
            player["reserved"].remove(card)
        else:
            self.cards[self.cards.index(card)] = None
        player["built"].append(card)
        token_spots = for_players(self.counter.boards[player["board"]]["token_spots"], self.players)
        if len(player["tokens"]) == token_spots or not self.tokens:  # 31, J33
            return
        player["tokens"].append(self.tokens.pop(0))
        if len(player["tokens"]) == self.facts["turn"]["extra_pioneer_on_token"]:
            player["fifth"] = False
            player["boat"] += 1
        self.end = self.end or self.counter.has_last_token(player, self.players)

    # ------------------------------------------------------------------------------------------------ cleanup

    def _cleanup(self) -> Flow:
        """36-39, J30, J34."""
        self._close_step()
        removed = self.face_up
        if len(self.pile) < self.display_spots() and self.removed + removed:
            pile = self.shuffle(sorted(self.removed + removed))
            self.steps.append({"event": "reshuffle", "tiles": list(pile)})
            self.pile += pile  # the tiles left of the old pile are drawn first (J31)
            self.removed = []
        else:
            self.removed = self.removed + removed
        self.face_up = []
        drawn = self._turn_up(self.display_spots())
        cards = self._refill_cards()
        settled = [self._bring_home(seat) for seat in range(self.players)]
        self.places = {place: [] for place in PLACES}
        self._event("cleanup", removed=removed, drawn=drawn, cards=cards, settled=settled)
        for seat in self.clockwise(self.first):  # J12
            for tile in list(self.seats[seat]["tiles"]):
                yield from self._cleanup_meadow(seat, tile)

    def _turn_up(self, count: int) -> list[str]:
        """Turn up tiles of the pile, as far as it goes; return them."""
        drawn, self.pile = self.pile[:count], self.pile[count:]
        self.face_up = self.face_up + drawn
        return drawn

    def _refill_cards(self) -> list[str]:
        """Fill the empty building spots from left to right, as far as the deck goes (37, J13); return the cards."""
        drawn = []
        for spot, card in enumerate(self.cards):
            if card is None and self.deck:
                self.cards[spot] = self.deck.pop(0)
                drawn.append(self.cards[spot])
        return drawn

    def _bring_home(self, seat: int) -> int:
        """Return pioneers to the boat, but let one settle for each framed spot covered (38, J9, J10)."""
        player = self.seats[seat]
        covered = self.counter.framed(self.tiles_at_round_start[seat], len(player["tiles"]))
        settling = min(covered, player["placed"])
        player["boat"] += player["placed"] - settling
        player["settled"] += settling
        player["placed"] = 0
        return settling

    def _cleanup_meadow(self, seat: int, tile: str) -> Flow:
        """53, J25: take one, if the island has it and there is a warehouse."""
        player, figures = self.seats[seat], self.counter.tiles[tile]
        if figures.get("effect") != "cleanup" or not self.islands[figures["resource"]]:
            return
        if self.counter.warehouses(player) == 0:
            return
        self._close_step()  # what an earlier meadow made its player give up
        self._take(player, figures["resource"], figures.get("amount", 0))
        self._event("meadow", seat=seat, tile=tile, resource=figures["resource"])
        yield from self._fit(seat)
