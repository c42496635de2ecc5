"""Games of The River as traces, `the-river-trace/1`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from rogsim.game.functions import callable_by_rules
from rogsim.game.kit import recording
from rogsim.game.kit.bits import named
from rogsim.game.kit.recording import Step, winners_of
from rogsim.game.plain.words import in_words
from rogsim.game.rules import copy_of
from rogsim.games.the_river.components.names import BOARDS, CARDS, NONE, PLACES, RESOURCES, TILES
from rogsim.games.the_river.rules import apply, construct
from rogsim.games.the_river.rules import round as rounds
from rogsim.games.the_river.rules.actions import PAY, step_of, text_of
from rogsim.games.the_river.rules.state import CLEANUP, DECISIONS, DISPLAY, MEADOW, MEADOW_BITS, OVER, PARTS, ROUND

advance, carry_out = callable_by_rules(rounds.advance), callable_by_rules(apply.carry_out)
price = callable_by_rules(construct.price)
# What the state of a trace tells of a seat.
OF_SEAT = ("resources", "warehouses", "production", "tiles", "tokens", "boat", "placed", "settled", "fifth", "reserved")
HEAD = ("format", "players", "seed", "game", "options", "bots", "change")  # the keys at the beginning of a trace


def action_to_dict(setup: Any, game: Any, action: int) -> Step:
    """Return a legal action in words."""
    return step_of(action, total_of(setup.tables, game, action))


def total_of(tables: Any, game: Any, action: int) -> int:
    """Return how many resources a trade or a payment takes in all."""
    return int(price(tables, game.players[game.actor], game.card) if action >= PAY else tables.trade_give)


@cache
def _text(action: int, total: int) -> str:
    return text_of(step_of(action, total))


def players_of(game: Any) -> list[Any]:
    """Return the records of the players, by seat."""
    return [game.players[seat] for seat in range(game.seats)]


def tiles_up(game: Any) -> list[str]:
    """Return the face-up terrain tiles in the order drawn."""
    return named(TILES, game.display[: int(game.display_count)])


class Recorder(recording.Recorder):
    """Records games of The River: every decision, every event, and the state after each of them."""

    format = "the-river-trace/1"

    def begin(self, seed: int, deal: int) -> None:
        """Set a game up, to its first decision."""
        super().begin(seed, deal)
        game = self.state
        self.places: dict[str, list[int]] = {place: [] for place in PLACES}
        self.built: list[list[str]] = [[] for _ in range(game.seats)]
        tokens = next(row for row in self.setup.facts["token_set"] if row["players"] == game.seats)
        self.opening = {
            "first": int(game.pawn),
            "boards": [BOARDS[player.board] for player in players_of(game)],
            "tiles": named(TILES, game.secret.pile),
            "cards": named(CARDS, game.secret.deck),
            "tokens": [list(tokens["values"]), [0] * tokens["zeros"]],
            "supply": dict(zip(RESOURCES, self.tables.supply.tolist(), strict=True)),
        }

    def take(self, action: int) -> None:
        """Apply an action and record it with the events up to the next decision."""
        game, text = self.state, self.text(action)
        seat, kind = int(game.actor), DECISIONS[game.phase]
        legal = self.texts(self.legal())
        had = int(game.players[seat].built)
        carry_out(self.tables, game, action)
        if kind == "turn":
            self._place(seat, text.split())
        if new := int(game.players[seat].built) & ~had:
            self.built[seat].append(CARDS[new.bit_length() - 1])
        self.steps.append({"seat": seat, "kind": kind, "legal": legal, "action": text, "state": self._state()})
        while DISPLAY <= game.phase < OVER:
            self._follow()

    def text(self, action: int) -> str:
        """Return a legal action as a trace writes it."""
        return _text(action, total_of(self.tables, self.state, action))

    def texts(self, actions: Sequence[int]) -> list[str]:
        """Return the actions of a menu as a trace writes them; if one is a payment, all are, of the same total."""
        total = total_of(self.tables, self.state, actions[0])
        return [_text(action, total) for action in actions]

    def _place(self, seat: int, words: Sequence[str]) -> None:
        """Note where the pioneer of a turn stands now."""
        place = words[-1] if words[0] == "produce" else words[0]
        if place in self.places:
            self.places[place].append(seat)

    def _follow(self) -> None:
        """Carry out one event and record it."""
        game, before = self.state, copy_of(self.state)
        phase = int(before.phase)
        advance(self.tables, game, 1)
        if game.secret.reshuffles > before.secret.reshuffles:
            pile = game.secret.pile[: int(game.secret.pile_size)]
            self.steps.append({"event": "reshuffle", "tiles": named(TILES, pile)})
        if phase == DISPLAY:
            self._event("display", out=tiles_up(before), drawn=tiles_up(game))
        elif phase == ROUND:
            self._event("round", round=int(game.round), first=int(game.pawn))
        elif phase == CLEANUP:
            self._cleanup(before)
        elif game.phase == MEADOW:  # one gave something; what there is no warehouse for is given up next
            seat, gone = int(game.active), int(before.meadows) & ~int(game.meadows)
            tile = int(game.players[seat].tiles[(gone.bit_length() - 1) % MEADOW_BITS])
            self._event("meadow", seat=seat, tile=TILES[tile], resource=RESOURCES[self.tables.tiles[tile].resource])

    def _cleanup(self, before: Any) -> None:
        """Record a cleanup, before its meadows."""
        self.places = {place: [] for place in PLACES}
        players = zip(players_of(self.state), before.players, strict=False)
        self._event(
            "cleanup",
            removed=tiles_up(before),
            drawn=tiles_up(self.state),
            cards=[CARDS[new] for old, new in zip(before.cards, self.state.cards, strict=True) if old != new],
            settled=[int(player.settled - old.settled) for player, old in players],
        )

    def _event(self, event: str, **fields: Any) -> None:
        self.steps.append({"event": event, **fields, "state": self._state()})

    def _state(self) -> Step:
        """Describe the whole state now."""
        game, tables = self.state, self.tables
        seen = in_words(PARTS.state, game)
        return {
            "round": seen["round"],
            "first": seen["pawn"],
            "end": seen["end"],
            "islands": game.islands.tolist(),
            "tiles": seen["display"],
            "pile": seen["pile_left"],
            "removed": len(seen["removed"]),
            "cards": seen["cards"][: int(tables.cards_up)],
            "deck": seen["deck_left"],
            "tokens": int(tables.token_count - game.tokens_taken),
            "places": {place: list(seats) for place, seats in self.places.items()},
            "seats": [self._seat(player, built) for player, built in zip(game.players, self.built, strict=False)],
        }

    def _seat(self, player: Any, built: Sequence[str]) -> Step:
        seen = in_words(PARTS.player, player)
        seen |= {name: player[name].tolist() for name in ("resources", "production")}
        return {**{name: seen[name] for name in OF_SEAT}, "built": list(built)}

    def head(self, seed: int, deal: int, names: Sequence[str]) -> Step:
        """Return the beginning of a trace, always with the options and the changed parameters."""
        head = {"options": dict(self.setup.options)} | super().head(seed, deal, names)
        return {key: head[key] for key in HEAD[:-1]} | {"change": dict(self.setup.change)}

    def body(self) -> Step:
        """Return the set-up, the steps and the final scoring."""
        return {"setup": self.opening, "steps": self.steps, "final": self._final()}

    def _final(self) -> Step:
        tables, scores, players = self.tables, self.scores(), list(enumerate(players_of(self.state)))
        return {
            "rounds": int(self.state.round),
            "trigger": {
                "tokens": [seat for seat, player in players if player.token_count >= tables.end_tokens],
                "tiles": [seat for seat, player in players if player.tile_count >= tables.end_tiles],
            },
            "points": scores["points"].tolist(),
            "ranks": scores["rank"].tolist(),
            "winners": winners_of(scores),
            "breakdown": [self._breakdown(player, scores[seat]) for seat, player in players],
        }

    def _breakdown(self, player: Any, score: Any) -> Step:
        meadows = zip(player.tiles, score.meadows, strict=True)
        return {
            "buildings": int(score.points_buildings),
            "tokens": int(score.points_tokens),
            "columns": score.columns.tolist(),
            "leftovers": int(score.points_leftovers),
            "meadows": {TILES[tile]: int(points) for tile, points in meadows if points != NONE},
        }
