"""Recording games of the play loop as traces, `river-of-gold-trace/1`, decision by decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rogsim.game.compiler import records
from rogsim.games.river_of_gold.components.names import (
    CUSTOMERS,
    EMPTY,
    ERAS,
    GOODS,
    MASTERIES,
    MAX_SEATS,
    NONE,
    PATRONS,
)
from rogsim.games.river_of_gold.rules.actions import step_of
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.journal import (
    JOURNAL_CLAIM,
    JOURNAL_DRAW,
    JOURNAL_RESHUFFLE,
    JOURNAL_ROLL,
    JOURNAL_TRIGGER,
    JOURNAL_TURN_OVER,
    JOURNAL_VISIT,
)
from rogsim.games.river_of_gold.rules.phases import DRAFT
from rogsim.games.river_of_gold.rules.scoring import SCORE, score_game
from rogsim.games.river_of_gold.rules.setup import set_up
from rogsim.games.river_of_gold.rules.state import GAME

FORMAT = "river-of-gold-trace/1"

Step = dict[str, Any]


def trace_of(setup: Any, seed: int, deal: int, names: Sequence[str], actions: Sequence[int]) -> dict[str, Any]:
    """Return a finished game as a trace, given all its actions in order; `names` are those of the bots by seat."""
    recorder = Recorder(setup.tables, setup.tile_ids, records(GAME, 1)[0])
    return recorder.trace(seed, deal, names, setup.change, actions)


class Recorder:
    """Records a game as it is played."""

    def __init__(self, tables: Any, tile_ids: tuple[str, ...], game: Any) -> None:
        self.tables, self.tile_ids, self.game = tables, tile_ids, game
        self.setup: Step = {}
        self.turns: list[Step] = []
        self.steps: list[Step] = []
        self.delivered: list[list[str]] = []

    def trace(
        self, seed: int, deal: int, names: Sequence[str], change: Mapping[str, Any], actions: Sequence[int]
    ) -> dict[str, Any]:
        """Set a game up, apply all its actions, and return it as a trace."""
        set_up(self.tables, self.game, seed, deal)
        self.begin()
        for action in actions:
            self.take(action)
        return {
            "format": FORMAT,
            "players": len(names),
            "seed": seed,
            "game": deal,
            "bots": list(names),
            **({"change": dict(change)} if change else {}),
            "setup": self.setup,
            "turns": self.turns,
            "final": self.final(),
        }

    def begin(self) -> None:
        """Start recording a game that was just set up."""
        self.setup, self.turns, self.steps = {}, [], []
        self.delivered = [[] for _ in range(self.game.seats)]
        if self.game.phase != DRAFT:
            self.setup = self._setup()

    def take(self, action: int) -> None:
        """Apply an action and record it with everything that follows automatically."""
        game = self.game
        active, actor, drafting = int(game.active), int(game.actor), game.phase == DRAFT
        step = step_of(game, action, self.tile_ids)
        if step is not None:
            if actor != active:
                step["seat"] = actor
            self.steps.append(step)
            if step["do"] == "deliver":
                self.delivered[actor].append(step["customer"])
        apply(self.tables, game, action)
        if drafting:
            if game.phase != DRAFT:
                self.setup = self._setup()
            return
        self._write_journal(active)

    def _write_journal(self, active: int) -> None:
        """Record what happened automatically; cards drawn one after the other are one step."""
        game = self.game
        secret = game.secret
        for entry in (int(code) for code in secret.journal[: int(secret.journal_size)]):
            if entry == JOURNAL_RESHUFFLE:
                deck = [CUSTOMERS[card] for card in secret.deck[: int(secret.deck_size)]]
                self.steps.append({"do": "reshuffle", "deck": deck})
            elif entry == JOURNAL_VISIT:
                self.steps.append({"do": "visit"})
            elif entry == JOURNAL_TRIGGER:
                self.steps.append({"do": "end_trigger"})
            elif entry < JOURNAL_ROLL:
                seat, card = divmod(entry - JOURNAL_DRAW, len(CUSTOMERS))
                self._write_draw(CUSTOMERS[card], {} if seat == active else {"seat": seat})
            elif entry < JOURNAL_CLAIM:
                self.steps.append({"do": "roll", "die": entry - JOURNAL_ROLL + 1})
            elif entry < JOURNAL_TURN_OVER:
                self.steps.append(self._claim(active, entry - JOURNAL_CLAIM))
            else:
                self.turns.append({"seat": active, "steps": self.steps, "after": self._after()})
                self.steps = []

    def _write_draw(self, customer: str, who: Step) -> None:
        if self.steps and self.steps[-1]["do"] == "draw":
            self.steps[-1]["customers"].append(customer)
        else:
            self.steps.append({"do": "draw", "customers": [customer], **who})

    def _claim(self, seat: int, mastery: int) -> Step:
        place = int(self.game.players[seat].claimed[mastery])
        points = int(self.tables.mastery_points[place - 1])
        return {"do": "claim", "mastery": MASTERIES[mastery], "points": points}

    def _setup(self) -> Step:
        """Describe the game before its first turn."""
        tables, game = self.tables, self.game
        players = [game.players[seat] for seat in range(game.seats)]
        deck = [CUSTOMERS[card] for card in game.secret.deck]
        hands, dealt = [], 0
        for player in players:
            hands.append(deck[dealt : dealt + int(player.hand_size)])
            dealt += int(player.hand_size)
        patrons = [PATRONS[player.patron] for player in players if player.patron != NONE]
        stacks = game.secret.stacks
        return {
            "region_tiles": [_trimmed(tables.region_points[tile]) for tile in game.region_tiles],
            "masteries": [name for name, claims in zip(MASTERIES, game.claims, strict=True) if claims != NONE],
            "shore": {str(i + 1): self.tile_ids[tile] for i, tile in enumerate(game.shore) if tile != EMPTY},
            **{
                era: [self.tile_ids[tile] for tile in stacks[i][: int(tables.era_tiles[i])]]
                for i, era in enumerate(ERAS)
            },
            "deck": deck,
            "hands": hands,
            "patrons": patrons or None,
            "ships": [[int(space) + 1 for space in player.ships] for player in players],
            "dice": [int(player.die) for player in players],
        }

    def _after(self) -> Step:
        """Describe the whole state after a turn."""
        game = self.game
        row = [self.tile_ids[tile] for tile in game.row[: int(game.row_length)]]
        owned = {str(i + 1): [int(seat) for seat in pair if seat != NONE] for i, pair in enumerate(game.markers)}
        return {
            "seats": [self._seat_after(seat) for seat in range(game.seats)],
            "row": row[::-1],
            "markers": {space: seats for space, seats in owned.items() if seats},
            "masteries": self._claimed(),
        }

    def _claimed(self) -> dict[str, list[int]]:
        """Return who claimed each mastery, in order."""
        game = self.game
        orders: dict[str, list[int]] = {}
        for mastery, name in enumerate(MASTERIES):
            places = [(int(game.players[seat].claimed[mastery]), seat) for seat in range(game.seats)]
            seats = [seat for place, seat in sorted(places) if place > 0]
            if seats:
                orders[name] = seats
        return orders

    def _seat_after(self, seat: int) -> Step:
        player = self.game.players[seat]
        hand = int(player.hand)
        return {
            "koku": int(player.koku),
            **{good: int(player.goods[i]) for i, good in enumerate(GOODS)},
            "favor": int(player.favor),
            "favor_limit": int(player.favor_limit),
            "points": int(player.points),
            "influence": [int(space) for space in player.influence],
            "ships": [int(space) + 1 for space in player.ships],
            "royal": None if player.royal == NONE else int(player.royal),
            "die": int(player.die),
            "hand": [name for card, name in enumerate(CUSTOMERS) if hand >> card & 1],
            "delivered": list(self.delivered[seat]),
        }

    def final(self) -> Step:
        """Score the finished game and describe the result."""
        game, scores = self.game, records(SCORE, MAX_SEATS)
        score_game(self.tables, game, scores)
        seats = range(int(game.seats))
        return {
            "points": [int(scores[seat].points) for seat in seats],
            "winners": [seat for seat in seats if scores[seat].rank == 1],
            "breakdown": [
                {
                    "in_game": int(game.players[seat].points),
                    "regions": [int(points) for points in scores[seat].regions + scores[seat].elders],
                    "customers": int(scores[seat].customers),
                    "merchants": int(scores[seat].merchants),
                    "artisans": int(scores[seat].artisans),
                    "nobles": int(scores[seat].nobles),
                }
                for seat in seats
            ],
        }


def _trimmed(points: Any) -> list[int]:
    """Return the points of a scoring tile without zeros at the end."""
    values = [int(value) for value in points]
    while values and values[-1] == 0:
        values.pop()
    return values
