"""Games of River of Gold as traces, `river-of-gold-trace/1`."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit import recording
from rogsim.game.kit.bits import members, named
from rogsim.game.kit.recording import Step, winners_of
from rogsim.game.kit.state_fields import entries
from rogsim.games.river_of_gold.components.load import TILES
from rogsim.games.river_of_gold.components.names import (
    CUSTOMERS,
    EMPTY,
    ERAS,
    GOODS,
    MASTERIES,
    NONE,
    PATRONS,
)
from rogsim.games.river_of_gold.rules import agenda
from rogsim.games.river_of_gold.rules.actions import step_of
from rogsim.games.river_of_gold.rules.state import DRAFT


class Recorder(recording.Recorder):
    """Records games of River of Gold."""

    format = "river-of-gold-trace/1"

    def begin(self, seed: int, deal: int) -> None:
        """Set a game up; it is described once the patrons are chosen."""
        super().begin(seed, deal)
        self.delivered: list[list[str]] = [[] for _ in range(self.state.seats)]
        self.opening = self._opening() if self.state.phase != DRAFT else {}

    def take(self, action: int) -> None:
        """Apply an action and record it with everything that follows automatically."""
        game, actor = self.state, int(self.state.actor)
        self.active, drafting = int(game.active), game.phase == DRAFT
        step = step_of(game, action)
        if step is not None:
            self._add(step, actor)
            if step["do"] == "deliver":
                self.delivered[actor].append(step["customer"])
        self.apply(action)
        if not drafting:
            for kind, seat, value in entries(game.secret):
                self._follow(kind, seat, value)
        elif game.phase != DRAFT:
            self.opening = self._opening()

    def _add(self, step: Step, seat: int) -> None:
        """Add a step, which names its seat unless that is the active one."""
        self.steps.append(step if seat == self.active else {**step, "seat": seat})

    def _follow(self, kind: int, seat: int, value: int) -> None:
        """Record what happened automatically; cards drawn one after the other are one step."""
        match kind:
            case agenda.DRAWN if self.steps and self.steps[-1]["do"] == "draw":
                self.steps[-1]["customers"].append(CUSTOMERS[value])
            case agenda.DRAWN:
                self._add({"do": "draw", "customers": [CUSTOMERS[value]]}, seat)
            case agenda.RESHUFFLED:
                secret = self.state.secret
                self.steps.append({"do": "reshuffle", "deck": named(CUSTOMERS, secret.deck[: int(secret.deck_size)])})
            case agenda.CLAIMED:
                place = int(self.state.players[seat].claimed[value])
                points = int(self.tables.mastery_points[place - 1])
                self.steps.append({"do": "claim", "mastery": MASTERIES[value], "points": points})
            case agenda.ROLLED:
                self.steps.append({"do": "roll", "die": value})
            case agenda.VISIT_BEGUN:
                self.steps.append({"do": "visit"})
            case agenda.END_TRIGGERED:
                self.steps.append({"do": "end_trigger"})
            case agenda.TURN_OVER:
                self.end_turn(seat, after=self._after())

    def _opening(self) -> Step:
        """Describe the game before its first turn."""
        tables, game = self.tables, self.state
        players = [game.players[seat] for seat in range(game.seats)]
        deck = named(CUSTOMERS, game.secret.deck)
        hands, dealt = [], 0
        for player in players:
            hands.append(deck[dealt : dealt + int(player.hand_size)])
            dealt += int(player.hand_size)
        patrons = [PATRONS[player.patron] for player in players if player.patron != NONE]
        sizes = zip(ERAS, game.secret.stacks, tables.era_tiles, strict=True)
        return {
            "region_tiles": [_trimmed(tables.region_points[tile]) for tile in game.region_tiles],
            "masteries": [name for name, claims in zip(MASTERIES, game.claims, strict=True) if claims != NONE],
            "shore": {str(i): TILES[tile] for i, tile in enumerate(game.shore, 1) if tile != EMPTY},
            **{era: named(TILES, stack[: int(size)]) for era, stack, size in sizes},
            "deck": deck,
            "hands": hands,
            "patrons": patrons or None,
            "ships": [(player.ships + 1).tolist() for player in players],
            "dice": [int(player.die) for player in players],
        }

    def _after(self) -> Step:
        """Describe the whole state after a turn."""
        game = self.state
        owned = {str(i): [seat for seat in pair if seat != NONE] for i, pair in enumerate(game.markers.tolist(), 1)}
        return {
            "seats": [self._seat_after(seat) for seat in range(game.seats)],
            "row": named(TILES, game.row[: int(game.row_length)])[::-1],
            "markers": {space: seats for space, seats in owned.items() if seats},
            "masteries": self._claimed(),
        }

    def _claimed(self) -> dict[str, list[int]]:
        """Return who claimed each mastery, in order."""
        orders: dict[str, list[int]] = {}
        for mastery, name in enumerate(MASTERIES):
            places = [(int(player.claimed[mastery]), seat) for seat, player in enumerate(self.state.players)]
            seats = [seat for place, seat in sorted(places) if place > 0]
            if seats:
                orders[name] = seats
        return orders

    def _seat_after(self, seat: int) -> Step:
        player = self.state.players[seat]
        return {
            "koku": int(player.koku),
            **dict(zip(GOODS, player.goods.tolist(), strict=True)),
            "favor": int(player.favor),
            "favor_limit": int(player.favor_limit),
            "points": int(player.points),
            "influence": player.influence.tolist(),
            "ships": (player.ships + 1).tolist(),
            "royal": None if player.royal == NONE else int(player.royal),
            "die": int(player.die),
            "hand": members(player.hand, CUSTOMERS),
            "delivered": list(self.delivered[seat]),
        }

    def body(self) -> Step:
        """Return the set-up, the turns and the final scoring."""
        return {"setup": self.opening, "turns": self.turns, "final": self._final()}

    def _final(self) -> Step:
        scores = self.scores()
        parts = ("customers", "merchants", "artisans", "nobles")
        return {
            "points": scores["points"].tolist(),
            "winners": winners_of(scores),
            "breakdown": [
                {
                    "in_game": int(self.state.players[seat].points),
                    "regions": (score.regions + score.elders).tolist(),
                    **{part: int(score[f"points_{part}"]) for part in parts},
                }
                for seat, score in enumerate(scores)
            ],
        }


def _trimmed(points: Any) -> list[int]:
    """Return the points of a scoring tile without zeros at the end."""
    values = [int(value) for value in points]
    while values and values[-1] == 0:
        values.pop()
    return values
