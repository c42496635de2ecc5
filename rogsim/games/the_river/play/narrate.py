"""A trace as text for people: the set-up, every turn, a table after every round, the final scoring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rogsim.game.kit.narration import (
    SUBJECT,
    Narrator,
    Trace,
    capital,
    counted,
    listing,
    paragraph,
    plain,
    seat_name,
    table,
    unbroken,
)
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import POINT_SOURCES, PRODUCED, RESOURCES

# What a meadow does, with its own values put in.
EFFECTS = {
    "production": "points for {resource} symbols",
    "gift": "gives {amount} {resource} at once",
    "collection": "points for {terrain_counted} tiles",
    "swap": "swaps tiles at once",
    "boat": "points for pioneers on the boat",
    "token": "points for bonus tokens",
    "cleanup": "gives {amount} {resource} in each cleanup",
}


def amounts(numbers: Iterable[int]) -> str:
    """Return amounts of resources, in their usual order, in words."""
    words = [f"{number} {name}" for number, name in zip(numbers, RESOURCES, strict=False) if number]
    return listing(words) if words else "nothing"


def tile_words(tile: Mapping[str, Any]) -> str:
    """Return a terrain tile with what it shows, given its row in the components."""
    shown = ["+".join(tile["terrain"])]
    symbols = [tile["production"].get(resource, 0) for resource in PRODUCED]
    shown += [f"produces {amounts(symbols)}"] if any(symbols) else []
    shown += [counted(tile["store"], "warehouse")] if tile["store"] else []
    shown += [_effect(tile)] if tile.get("effect", "none") != "none" else []
    return f"{tile['id']} ({', '.join(shown)})"


def meadow_words(tile: Mapping[str, Any]) -> str:
    """Return a meadow tile with what it does, given its row in the components."""
    return f"{tile['id']} ({_effect(tile)})"


def _effect(tile: Mapping[str, Any]) -> str:
    words = EFFECTS[tile["effect"]].format_map({"amount": 0, **tile})
    return f"{words}, {counted(tile['points'], 'point')} at the end" if tile.get("points") else words


def card_words(card: Mapping[str, Any]) -> str:
    """Return a building card with its cost and points, given its row in the components."""
    return f"{card['id']} ({amounts(card[resource] for resource in PRODUCED)}: {counted(card['points'], 'point')})"


# What the answers to decisions are called; the components that they name are put in.
ANSWERS = {
    "start": "places {} on the first spot",
    "trade": "trades {} for food",
    "claim": "claims {}",
    "produce": "produces {}",
    "food": "goes to the food island",
    "reserve": "reserves {}",
    "construct": "constructs {}",
    "first": "takes the First Player Pawn",
    "swap": "swaps terrain tiles",
    "pass": "cannot place a pioneer anywhere and spends it without effect",
    "discard": "gives up 1 {} because no warehouse has room",
    "take": "takes {} instead of food",
    "pay": "pays {}",
    "exchange": "swaps the tiles of spots {} and {}",
    "skip": "swaps no more tiles",
}

COLUMNS = ("seat", "resources", "warehouses", "symbols", "buildings", "tokens", "boat", "settled", "points")


def narrate(trace: Mapping[str, Any]) -> str:
    """Return a recorded game as text."""
    return RiverNarrator(trace).text()


class RiverNarrator(Narrator):
    """Narrates a whole game of The River: round by round, one sentence for each decision and event."""

    title = "The River"

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        facts = BOOK.with_change(trace["change"])
        self.cards = {card["id"]: card for card in facts["card"]}
        self.words = {tile["id"]: tile_words(tile) for tile in facts["tile"]}
        self.words |= {name: card_words(card) for name, card in self.cards.items()}
        empty = {"resources": [0] * len(RESOURCES), "tokens": [], "fifth": True}
        self.state = {"end": False, "seats": [empty] * trace["players"]}

    def opening(self) -> Iterator[str]:
        """Yield who sits where, and what lies on the main board."""
        setup = self.trace["setup"]
        values, zeros = setup["tokens"]
        rows = [("seat", "bot", "River Board", "")]
        for seat, board in enumerate(setup["boards"]):
            first = "first player" if seat == setup["first"] else ""
            rows.append((str(seat + 1), plain(self.bots[seat]), board, first))
        yield from ("", *table(rows, "llll"), "")
        yield from paragraph(f"Islands: {amounts(setup['supply'].values())}.")
        yield from paragraph(f"Bonus tokens: {', '.join(map(str, values))}, then {len(zeros)} of 0.")

    def turn(self, turn: Any) -> Iterator[str]:
        """Yield the sentences about a round, or about the preliminary turn."""
        if "event" not in turn[0]:
            yield "Preliminary turn"
            yield from self._face_up([action.split()[1] for action in turn[0]["legal"]])
        yield from self.tell(turn)

    def position(self) -> list[str]:
        """Return a table of what the players have, and the tiles along their rivers."""
        rows: list[Sequence[str]] = [COLUMNS]
        boards: list[str] = []
        for seat, bot in enumerate(self.bots):
            player = self.state["seats"][seat]
            points = sum(player["tokens"]) + sum(self.cards[card]["points"] for card in player["built"])
            counts = [len(player["built"]), len(player["tokens"]), player["boat"], player["settled"], points]
            symbols, resources = (" ".join(map(str, player[key])) for key in ("production", "resources"))
            rows.append((f"{seat + 1} {plain(bot)}", resources, str(player["warehouses"]), symbols, *map(str, counts)))
            boards += paragraph(f"{capital(seat_name(seat))}: {' '.join(player['tiles'])}", SUBJECT)
        legend = f"resources: {', '.join(RESOURCES)}; production symbols in sight: {', '.join(PRODUCED)}"
        return [*paragraph(legend, SUBJECT), *table(rows, "l" + "r" * (len(COLUMNS) - 1)), *boards]

    def ending(self) -> Iterator[str]:
        """Yield the points by source and who won."""
        parts = self.trace["final"]["breakdown"]
        yield from self.score_table((name, [part[name] for part in parts]) for name in POINT_SOURCES)
        yield from ("", *self.verdict())

    def _tell_decision(self, step: Trace) -> list[str]:
        """Tell an answer and what it changed for its player; the answers that belong to a turn follow it."""
        if step["kind"] in ("start", "turn"):
            self.seat = -1  # nobody is the subject yet
        word, *named = step["action"].split()
        given = [0] * len(RESOURCES)
        if word in ("trade", "pay"):
            given = [int(amount) for amount in named]
            named = [amounts(given)]
        elif word == "discard":
            given[RESOURCES.index(named[0])] = 1
        told = ANSWERS[word].format(*map(self._component, named))
        text = "; ".join([told, *self._changes(step, given)]) + "."
        if step["seat"] == self.seat:
            return self._note(capital(text))
        self.seat = step["seat"]
        return paragraph(f"{capital(self.name(self.seat))} {text}", SUBJECT)

    def _changes(self, step: Trace, given: Sequence[int]) -> Iterator[str]:
        """Yield what changed for the player who decided, apart from the resources known to be given."""
        old, new = (state["seats"][step["seat"]] for state in (self.state, step["state"]))
        numbers = zip(old["resources"], new["resources"], given, strict=True)
        moves = [after + known - before for before, after, known in numbers]
        if any(move > 0 for move in moves):
            yield f"gets {amounts(max(move, 0) for move in moves)}"
        if any(move < 0 for move in moves):
            yield f"returns {amounts(max(-move, 0) for move in moves)}"
        for token in new["tokens"][len(old["tokens"]) :]:
            yield f"takes a bonus token of {token}"
        if old["fifth"] > new["fifth"]:
            yield "gets the fifth pioneer"
        if self.state["end"] < step["state"]["end"]:
            yield "triggers the end of the game"

    def _component(self, name: str) -> str:
        """Return a tile or a card with what it shows; other words as they are."""
        return unbroken(self.words[name]) if name in self.words else name

    def _face_up(self, tiles: Sequence[str]) -> list[str]:
        return paragraph(f"Face up: {', '.join(map(self._component, tiles))}.", SUBJECT)

    def _tell_display(self, step: Trace) -> list[str]:
        return paragraph(f"{listing(step['out']) if step['out'] else 'No tile'} leaves the game.", SUBJECT)

    def _tell_round(self, step: Trace) -> list[str]:
        lines = [f"Round {step['round']}: {self.name(step['first'])} begins", *self._face_up(step["state"]["tiles"])]
        cards = [self._component(card) for card in step["state"]["cards"] if card]
        return lines + (paragraph(f"Buildings: {', '.join(cards)}.", SUBJECT) if cards else [])

    def _tell_reshuffle(self, step: Trace) -> list[str]:
        return paragraph(f"The removed tiles, {len(step['tiles'])}, are shuffled into a new pile.", SUBJECT)

    def _tell_cleanup(self, step: Trace) -> list[str]:
        settled = [
            f"{counted(count, 'pioneer')} of {seat_name(seat)}" for seat, count in enumerate(step["settled"]) if count
        ]
        note = f" {capital(listing(settled))} settled." if settled else ""
        return paragraph(f"Cleanup: {counted(len(step['removed']), 'terrain tile')} removed.{note}", SUBJECT)

    def _tell_meadow(self, step: Trace) -> list[str]:
        self.seat = step["seat"]
        return paragraph(f"{capital(self.name(self.seat))} gets {step['resource']} from {step['tile']}.", SUBJECT)
