"""A table for tests: a game set up in the rulebook's words and advanced by the steps of a trace.

Seats and ships count from 0; regions, shore spaces, river spaces and die faces from 1, as they are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from rogsim.game.functions import callable_by_rules
from rogsim.game.kit.playing import new_workspace
from rogsim.game.kit.setup import Setup
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.components.load import TILES
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CUSTOMER_TYPES,
    CUSTOMERS,
    EMPTY,
    ERAS,
    GOODS,
    MASTERIES,
    NONE,
    PATRONS,
    SHORE_SPACES,
)
from rogsim.games.river_of_gold.options import Options
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.play.recording import Recorder
from rogsim.games.river_of_gold.rules import actions
from rogsim.games.river_of_gold.rules.actions import step_of
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.scoring import score_game
from rogsim.games.river_of_gold.rules.state import OVER, PHASES

legal, score_game = map(callable_by_rules, (legal, score_game))

Step = dict[str, Any]

NUMBERS = ("koku", "points", "favor", "favor_limit", "die", "royal")  # fields of a seat that are one number


class Table:
    """One game of River of Gold, ready for the first player's action.

    It is bare, as most tests need it: no starting tiles, no masteries (unless named), every hand in the deck, nobody
    with koku, goods or favor; all dice show 1, all ships are where they start. Everything else is as dealt.
    """

    def __init__(
        self,
        players: int = 3,
        patrons: str | Sequence[str] = "none",
        masteries: Sequence[str] = (),
        bare: bool = True,
        setup: Setup | None = None,
        deals: int = 0,
    ) -> None:
        named = patrons if isinstance(patrons, str) else list(patrons)
        filled = [*masteries, *(name for name in MASTERIES if name not in masteries)][:3]
        options = Options(patrons=named, masteries=filled if bare else "random")
        self.setup = setup or spec.prepare(options, players)
        self.tables, self.tile_ids = self.setup.tables, TILES
        self.workspace = new_workspace(RULES)
        self.game = self.workspace.game  # always this place in memory
        self.recorder = Recorder(RULES, self.setup)
        self.recorder.begin(1, deals)
        self.workspace.game = self.recorder.state
        self.recorder.state = self.game
        if bare:
            self._make_bare(masteries)

    def _make_bare(self, masteries: Sequence[str]) -> None:
        for name in MASTERIES:
            self.game.claims[MASTERIES.index(name)] = 0 if name in masteries else NONE
        for space in range(1, SHORE_SPACES + 1):
            if self.tile_at(space) and self.tile_at(space).startswith("start-"):
                self.clear(space)
        for seat in range(self.players):
            self.give(seat, koku=0, favor=0, hand=[], die=1, ships=(1, 8), silk=0, rice=0, porcelain=0)

    # ------------------------------------------------------------------------------------- what lies where

    @property
    def players(self) -> int:
        return int(self.game.seats)

    @property
    def expects(self) -> str:
        """The choice that is due: a name of `PHASES`."""
        return PHASES[self.game.phase]

    @property
    def chooser(self) -> int:
        return int(self.game.actor)

    @property
    def active(self) -> int:
        return int(self.game.active)

    @property
    def over(self) -> bool:
        return bool(self.game.phase == OVER)

    @property
    def row(self) -> list[str]:
        """The building row from its start (newest) to its end (oldest)."""
        return [self.tile_ids[tile] for tile in self.game.row[: int(self.game.row_length)]][::-1]

    @property
    def deck(self) -> list[str]:
        """The customers still in the deck, in draw order."""
        secret = self.game.secret
        first = int(secret.deck_size) - int(self.game.deck_left)
        return [CUSTOMERS[card] for card in secret.deck[first : int(secret.deck_size)]]

    @property
    def discards(self) -> list[str]:
        return cards_in(self.game.discards)

    @property
    def claims(self) -> dict[str, int]:
        """How often each mastery in play was claimed."""
        return {name: int(n) for name, n in zip(MASTERIES, self.game.claims, strict=True) if n != NONE}

    @property
    def steps(self) -> list[Step]:
        """Every step so far, as a trace has them, including chance and bookkeeping."""
        turns = [step for turn in self.recorder.turns for step in turn["steps"]]
        return turns + self.recorder.steps

    def tile_at(self, space: int) -> str | None:
        tile = int(self.game.shore[space - 1])
        return None if tile == EMPTY else self.tile_ids[tile]

    def owners(self, space: int) -> list[int]:
        """The seats with a marker on the building at a shore space, in the order placed."""
        return [int(seat) for seat in self.game.markers[space - 1] if seat != NONE]

    def seat(self, seat: int) -> SimpleNamespace:
        """What a seat has now, as a copy that later steps do not change."""
        player = self.game.players[seat]
        return SimpleNamespace(
            **{name: int(player[name]) for name in NUMBERS},
            **{good: int(player.goods[i]) for i, good in enumerate(GOODS)},
            goods=[int(count) for count in player.goods],
            influence=[int(space) for space in player.influence],
            ships=[int(space) + 1 for space in player.ships],
            hand=cards_in(player.hand),
            delivered=cards_in(player.delivered),
            patron=None if player.patron == NONE else PATRONS[player.patron],
            owned={kind: int(player.owned[i]) for i, kind in enumerate(BUILDINGS)},
            claimed={name: int(place) for name, place in zip(MASTERIES, player.claimed, strict=True) if place},
        )

    # ----------------------------------------------------------------------------------------- laying out

    def give(self, seat: int, **fields: Any) -> Table:
        """Give things to a seat: numbers, goods, `influence` (by region, or {region: space}), `ships`, cards."""
        player = self.game.players[seat]
        for name, value in fields.items():
            if name in NUMBERS:
                player[name] = value
            elif name in GOODS:
                player.goods[GOODS.index(name)] = value
            elif name == "influence":
                reached = dict(enumerate(value, 1)) if not isinstance(value, Mapping) else value
                for region, space in reached.items():
                    player.influence[region - 1] = space
            elif name == "ships":
                player.ships[:] = [space - 1 for space in value]
            elif name in ("hand", "delivered"):
                self._give_cards(seat, name, value)
            else:
                raise ValueError(f"a seat has no {name}")
        return self

    def _give_cards(self, seat: int, name: str, cards: Iterable[str]) -> None:
        """Take customers from wherever they are; the seat's former cards go under the deck."""
        wanted = mask_of(cards)
        for player in self.game.players:
            player.hand &= ~wanted
            player.delivered &= ~wanted
        self.game.discards &= ~wanted
        self.game.players[seat][name] = wanted
        self._count_cards()
        self._stack_deck(self.deck)

    def lay_deck(self, deck: Sequence[str], discards: Sequence[str] = (), rest: int | None = None) -> Table:
        """Make the deck of these customers in draw order, and the discard pile of those.

        What is in no hand then goes to the hand of the seat `rest`; under the deck, if None.
        """
        pile = mask_of(discards)
        for player in self.game.players:
            player.hand &= ~(pile | mask_of(deck))
        self.game.discards = pile
        if rest is not None:
            held = pile | mask_of(deck)
            for player in self.game.players:
                held |= int(player.hand) | int(player.delivered)
            self.game.players[rest].hand |= mask_of(CUSTOMERS) & ~held
        self._count_cards()
        self._stack_deck(deck)
        return self

    def _count_cards(self) -> None:
        for player in self.game.players:
            player.hand_size = len(cards_in(player.hand))
            delivered = cards_in(player.delivered)
            player.delivered_by_type[:] = [
                sum(card.startswith(f"{kind}-") for card in delivered) for kind in CUSTOMER_TYPES
            ]

    def _stack_deck(self, top: Sequence[str]) -> None:
        """Make a deck of these cards without those that are elsewhere; all cards that are nowhere go under them."""
        elsewhere = set(self.discards)
        for player in self.game.players:
            elsewhere |= {*cards_in(player.hand), *cards_in(player.delivered)}
        order = [CUSTOMERS.index(card) for card in dict.fromkeys([*top, *CUSTOMERS]) if card not in elsewhere]
        self.game.secret.deck[: len(order)] = order
        self.game.secret.deck_size = self.game.deck_left = len(order)

    def place(self, space: int, tile: str, *owners: int) -> Table:
        """Put a building on a shore space, with markers in this order."""
        number = self.tile_ids.index(tile)
        self.game.shore[space - 1] = number
        self.game.markers[space - 1] = [*owners, NONE, NONE][:2]
        self._put_out_of_the_way(number)
        self._count_buildings()
        return self

    def clear(self, space: int) -> Table:
        self.game.shore[space - 1] = EMPTY
        self.game.markers[space - 1] = NONE
        self._count_buildings()
        return self

    def _count_buildings(self) -> None:
        for player in self.game.players:
            player.owned[:] = 0
        for space in range(SHORE_SPACES):
            for seat in set(self.owners(space + 1)):
                self.game.players[seat].owned[self.tables.tiles[self.game.shore[space]].kind] += 1

    def _put_out_of_the_way(self, tile: int) -> None:
        """Swap a tile on the board with one from the box or from outside the row."""
        used = {int(t) for t in self.game.shore} | {int(t) for t in self.game.row}
        for era in range(len(ERAS)):
            stack, size = self.game.secret.stacks[era], int(self.tables.era_tiles[era])
            spare = [i for i in range(size, len(stack)) if int(stack[i]) not in used and stack[i] != tile]
            for i in range(size):
                if stack[i] == tile and spare:
                    stack[i], stack[spare[0]] = stack[spare[0]], stack[i]
                    other = stack[i]
                    for place in range(int(self.game.row_length)):
                        if self.game.row[place] == tile:
                            self.game.row[place] = other

    def lay_row(self, *tiles: str) -> Table:
        """Lay these tiles in the row, from its start (newest) to its end (oldest)."""
        self.game.row[:] = NONE
        self.game.row[: len(tiles)] = [self.tile_ids.index(tile) for tile in reversed(tiles)]
        self.game.row_length = len(tiles)
        return self

    def leave(self, era1: int, era2: int) -> Table:
        """Leave some tiles in the stacks and remove those above them."""
        self.game.era_left[:] = [era1, era2]
        return self

    def next_tile(self, era: int) -> str:
        """The tile on top of the stack of era 1 or 2."""
        size = int(self.tables.era_tiles[era - 1])
        return self.tile_ids[self.game.secret.stacks[era - 1, size - int(self.game.era_left[era - 1])]]

    def turn_of(self, seat: int) -> Table:
        """Make it this seat's turn, as in the first round."""
        self.game.turn = self.game.active = self.game.actor = seat
        return self

    def region_tile(self, region: int, points: Sequence[int]) -> Table:
        """Put the scoring tile with these points at a region; it swaps places with the former one."""
        tiles = self.game.region_tiles
        wanted = [*points, 0, 0][:3]
        holds = [list(self.tables.region_points[tile]) == wanted for tile in tiles]
        other = holds.index(True)
        tiles[region - 1], tiles[other] = tiles[other], tiles[region - 1]
        return self

    # ----------------------------------------------------------------------------------------------- play

    def menu(self) -> dict[int, Step]:
        """Every legal action with its step; a choice on somebody else's turn names its seat."""
        menu = self.workspace.menu
        legal(self.tables, self.game, menu)
        chooser = None if self.chooser == self.active else self.chooser
        listed = menu.actions[: int(menu.count)].tolist()
        assert len(set(listed)) == len(listed), f"some of {listed} stand on the menu twice"
        return {action: self._step_of(action, chooser) for action in listed}

    def _step_of(self, action: int, chooser: int | None) -> Step:
        if action >= actions.TAKE_PATRON:
            return {"do": "patron", "patron": PATRONS[action - actions.TAKE_PATRON]}
        step = step_of(self.game, action)
        if step is None:
            return {"do": "pass"}
        return step if chooser is None else {**step, "seat": chooser}

    def options(self, do: str) -> list[Step]:
        """The legal steps of one kind."""
        return [step for step in self.menu().values() if step["do"] == do]

    def take(self, do: str, **keys: Any) -> Table:
        """Take a step and everything that follows automatically, without optional exchanges of the active player."""
        step = {"do": do, **keys}
        if do not in ("pass", "exchange"):
            self.go_on()
        menu = self.menu()
        chosen = [action for action, option in menu.items() if option == step]
        if len(chosen) != 1:
            raise AssertionError(f"{step} is not legal for seat {self.chooser}, who may {list(menu.values())}")
        self.recorder.take(chosen[0])
        return self

    def go_on(self) -> Table:
        """Continue without exchanges where the active player could make some."""
        while self.expects == "pause":
            self.take("pass")
        return self

    def sail_to(self, to: int, ship: int = 0, die: int = 1) -> Table:
        """Put a ship of the active player before a river space and sail it there."""
        spaces = self.seat(self.active).ships
        spaces[ship] = (to - 1 - die) % 14 + 1
        self.give(self.active, ships=spaces, die=die)
        return self.take("sail", ship=ship, to=to)

    def build(self, space: int, tile: str | None = None) -> Table:
        """Build a tile (the newest of the row if none is named) with just the koku and the die for it."""
        region = int(self.tables.shore_region[space - 1]) + 1
        player = self.seat(self.active)
        self.give(self.active, die=region, koku=max(player.koku, int(self.tables.shore_cost[space - 1])))
        return self.take("build", space=space, tile=tile or self.row[0])

    def deliver(self, customer: str) -> Table:
        """Deliver to a customer of the active player's hand with just the goods and the die for it."""
        for good, amount in zip(GOODS, self.tables.orders[CUSTOMERS.index(customer)], strict=True):
            held = getattr(self.seat(self.active), good)
            self.give(self.active, **{good: max(held, int(amount))})
        self.give(self.active, die=int(customer[-1]), hand={*self.seat(self.active).hand, customer})
        return self.take("deliver", customer=customer)

    def final(self) -> list[SimpleNamespace]:
        """Score the current game: for each seat its points by part, `points`, `rank` and `win_share`."""
        scores = self.workspace.scores
        score_game(self.tables, self.game, scores)
        return [
            SimpleNamespace(
                regions=[int(a) + int(b) for a, b in zip(score.regions, score.elders, strict=True)],
                elders=[int(points) for points in score.elders],
                **{name: int(score[f"points_{name}"]) for name in ("customers", "merchants", "artisans", "nobles")},
                points=int(score.points),
                rank=int(score.rank),
                win_share=float(score.win_share),
            )
            for score in scores[: self.players]
        ]


def mask_of(cards: Iterable[str]) -> int:
    return sum(1 << CUSTOMERS.index(card) for card in set(cards))


def cards_in(mask: int) -> list[str]:
    """The customers of a mask in alphabetical order."""
    return [card for i, card in enumerate(CUSTOMERS) if int(mask) >> i & 1]
