"""A table for tests: a game of The River laid out as a test wants it, and advanced in the words of a trace."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import records
from rogsim.game.functions import callable_by_rules
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import CARDS, NONE, PLACES, RESOURCES, TILES
from rogsim.games.the_river.components.tables import make_tables
from rogsim.games.the_river.rules.actions import MENU, PAY, step_of, text_of
from rogsim.games.the_river.rules.apply import carry_out
from rogsim.games.the_river.rules.construct import price
from rogsim.games.the_river.rules.legal import legal
from rogsim.games.the_river.rules.round import advance
from rogsim.games.the_river.rules.scoring import SCORE, score_game
from rogsim.games.the_river.rules.setup import note_places, set_up
from rogsim.games.the_river.rules.state import DECISIONS, DISPLAY, GAME, OVER
from rogsim.games.the_river.rules.tiles import put_tile

carry_out, price, legal, advance, score_game, note_places, set_up, put_tile = map(
    callable_by_rules, (carry_out, price, legal, advance, score_game, note_places, set_up, put_tile)
)

EVENTS = ("display", "round", "cleanup", "meadow")  # the phases from DISPLAY on


class Table:
    """One game, in round 1 at the first turn of seat 0, who holds the pawn.

    No River Board has a tile, as if there were no preliminary turn, unless `preliminary` is true: then the game begins
    with it. The seats have the boards black, blue, green and yellow. Spots count from 1, as in a trace.
    """

    def __init__(self, players: int = 3, preliminary: bool = False, deal: int = 0, **figures: int) -> None:
        """Set a game up; `figures` are fields of the tables that differ from the printed ones."""
        self.tables = make_tables(BOOK.with_values({}), players)
        self.tables.boards[:players] = range(players)
        for name, value in figures.items():
            self.tables[name] = value
        self.game = records(GAME, 1)[0]
        self.events: list[str] = []  # since the last action began
        set_up(self.tables, self.game, 1, deal)
        if not preliminary:
            self.game.display_count = 0
            self.game.pile_left = len(TILES)
            self.game.phase = DISPLAY
            self._go_on()

    # ------------------------------------------------------------------------------------------- what lies where

    @property
    def expects(self) -> str:
        """The kind of decision that is due, "over" after the game."""
        return "over" if self.game.phase == OVER else DECISIONS[self.game.phase]

    @property
    def actor(self) -> int:
        return int(self.game.actor)

    @property
    def display(self) -> list[str]:
        return [TILES[tile] for tile in self.game.display[: int(self.game.display_count)]]

    @property
    def cards(self) -> list[str | None]:
        return [named(card) for card in self.game.cards[: int(self.tables.cards_up)]]

    @property
    def pile(self) -> list[str]:
        """The tiles of the pile in draw order."""
        secret = self.game.secret
        size = int(secret.pile_size)
        return [TILES[tile] for tile in secret.pile[size - int(self.game.pile_left) : size]]

    @property
    def removed(self) -> list[str]:
        return [TILES[tile] for tile in self.game.removed[: int(self.game.removed_count)]]

    @property
    def islands(self) -> list[int]:
        return [int(amount) for amount in self.game.islands]

    def player(self, seat: int) -> Any:
        """The record of a seat: a later action changes it."""
        return self.game.players[seat]

    def held(self, seat: int) -> list[int]:
        """The resources of a seat: wood, stone, clay, food."""
        return [int(amount) for amount in self.player(seat).resources]

    def board(self, seat: int) -> list[str]:
        """The tiles of a seat by spot."""
        return [TILES[tile] for tile in self.player(seat).tiles[: int(self.player(seat).tile_count)]]

    def reserved(self, seat: int) -> list[str]:
        return [CARDS[card] for card in self.player(seat).reserved[: int(self.player(seat).reserved_count)]]

    def built(self, seat: int) -> set[str]:
        return {card for number, card in enumerate(CARDS) if int(self.player(seat).built) >> number & 1}

    def tokens(self, seat: int) -> list[int]:
        return [int(value) for value in self.player(seat).tokens[: int(self.player(seat).token_count)]]

    # ----------------------------------------------------------------------------------------------- laying out

    def put(self, seat: int, *tiles: str) -> Table:
        """Put tiles on the next free spots of a seat, long ago: nothing is claimed, given or settled for them."""
        player = self.player(seat)
        for tile in tiles:
            put_tile(self.tables, self.game, player, TILES.index(tile))
        self.game.gift_due = self.game.swaps_left = player.framed = 0
        return self._stack()

    def lay(self, *tiles: str) -> Table:
        """Lay exactly these tiles face up."""
        self.game.display[:] = NONE
        self.game.display[: len(tiles)] = [TILES.index(tile) for tile in tiles]
        self.game.display_count = len(tiles)
        return self._stack()

    def remove(self, *tiles: str) -> Table:
        """Lay exactly these tiles where the removed ones lie."""
        self.game.removed[: len(tiles)] = [TILES.index(tile) for tile in tiles]
        self.game.removed_count = len(tiles)
        return self._stack()

    def leave(self, *tiles: str) -> Table:
        """Leave only these tiles in the pile, in draw order."""
        self.game.secret.pile[: len(tiles)] = [TILES.index(tile) for tile in tiles]
        self.game.secret.pile_size = self.game.pile_left = len(tiles)
        return self

    def _stack(self) -> Table:
        """Make the pile of all tiles that lie nowhere else."""
        used = {*self.display, *self.removed, *(tile for seat in range(4) for tile in self.board(seat))}
        return self.leave(*(tile for tile in TILES if tile not in used))

    def lay_cards(self, *cards: str | None, deck: int = 0) -> Table:
        """Lay exactly these cards face up, and leave so many in the deck."""
        self.game.cards[:] = NONE
        self.game.cards[: len(cards)] = [NONE if card is None else CARDS.index(card) for card in cards]
        self.game.deck_left = deck
        return self

    def give(self, seat: int, wood: int = 0, stone: int = 0, clay: int = 0, food: int = 0) -> Table:
        """Make these the resources of a seat; they come from the islands."""
        for resource, amount in enumerate((wood, stone, clay, food)):
            self.game.islands[resource] -= amount - self.held(seat)[resource]
            self.player(seat).resources[resource] = amount
        return self

    def reserve(self, seat: int, *cards: str) -> Table:
        """Give a seat reserved cards."""
        player = self.player(seat)
        player.reserved[: len(cards)] = [CARDS.index(card) for card in cards]
        player.reserved_count = len(cards)
        return self

    def supply(self, **amounts: int) -> Table:
        """Set what lies on islands; the rest goes back to the box."""
        for name, amount in amounts.items():
            self.game.islands[RESOURCES.index(name)] = amount
        return self

    def boats(self, *pioneers: int) -> Table:
        """Leave so many pioneers on the boat of each seat, as if the others had been placed somewhere."""
        for seat, boat in enumerate(pioneers):
            player = self.player(seat)
            player.placed += player.boat - boat
            player.boat = boat
        return self

    def occupy(self, place: str, pioneers: int) -> Table:
        """Let so many pioneers stand on a place."""
        self.game.pioneers[PLACES.index(place)] = pioneers
        note_places(self.tables, self.game)
        return self

    # ----------------------------------------------------------------------------------------------------- play

    def menu(self) -> set[str]:
        """Every legal action."""
        return set(self._menu())

    def options(self, do: str) -> set[str]:
        """The legal actions that begin with a word, without this word."""
        return {text.removeprefix(do).strip() for text in self.menu() if text.split()[0] == do}

    def _menu(self) -> dict[str, int]:
        menu = records(MENU, 1)[0]
        legal(self.tables, self.game, menu)
        listed = menu.actions[: int(menu.count)].tolist()
        named_actions = {text_of(step_of(action, self._total(action))): action for action in listed}
        assert len(named_actions) == len(listed), f"some of {listed} stand on the menu twice"
        return named_actions

    def _total(self, action: int) -> int:
        """How many resources are given in a trade or a payment."""
        if action < PAY:
            return int(self.tables.trade_give)
        return int(price(self.tables, self.player(self.actor), int(self.game.card)))

    def take(self, *texts: str) -> Table:
        """Take actions, one after the other, each with everything that follows by itself."""
        for text in texts:
            menu = self._menu()
            assert text in menu, f"{text} is not legal for seat {self.actor}, who may {sorted(menu)}"
            self.events = []
            carry_out(self.tables, self.game, menu[text])
            self._go_on()
        return self

    def _go_on(self) -> None:
        while DISPLAY <= self.game.phase < OVER:
            self.events.append(EVENTS[self.game.phase - DISPLAY])
            advance(self.tables, self.game, 1)

    def end_round(self, seat: int = 0) -> Table:
        """Let a seat take the pawn with the last pioneer of the round."""
        self.boats(*(int(other == seat) for other in range(int(self.game.seats))))
        self.game.active = self.game.actor = seat
        return self.take("first")

    def scores(self) -> Any:
        """Score the game as it stands: a SCORE record for each seat."""
        scores = records(SCORE, int(self.game.seats))
        score_game(self.tables, self.game, scores)
        return scores


def named(card: int) -> str | None:
    return None if card == NONE else CARDS[card]


def in_river_order(top: str, middle: str, bottom: str = "") -> list[str]:
    """The tiles of three rows, each read from the left, in the order in which the river passes them."""
    return [*top.split(), *reversed(middle.split()), *bottom.split()]
