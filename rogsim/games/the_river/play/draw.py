"""The islands of The River and the River Boards as a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.base.text import counted
from rogsim.game.kit.drawing import Panel, Picture, group, label, shape
from rogsim.games.the_river.components.names import (
    BOARDS,
    CARDS,
    COLUMN_SPOTS,
    NONE,
    PLACES,
    PRODUCED,
    RESOURCES,
    SPOTS,
    TILES,
)

TILE = 62  # width and height of a tile with its gap
SPOT = TILE - 6
ISLAND_Y, ISLANDS = 14, 122  # where the islands are, and how far from one to the next
BOARDS_Y, BOARD_WIDE, BOARD_HIGH = 268, 4 * TILE + 26, 3 * TILE + 44
SIZE = (4 * BOARD_WIDE, BOARDS_Y + BOARD_HIGH + 6)
LETTERS = {"wood": "w", "stone": "s", "clay": "c", "food": "f"}
LEGEND = "w wood · s stone · c clay · f food · ⌂ warehouses; a tile shows what it produces and stores"


def draw(setup: Any, game: Any) -> Picture:
    """Return the board with everything that the record of a game, or a view of it, shows."""
    tiles = {row["id"]: row for row in setup.facts["tile"]}
    parts = [*_islands(setup, game), *_display(setup, game, tiles), *_cards(setup, game)]
    for seat in range(game.seats):
        parts += _board(setup, game, seat, tiles)
    return Picture(*SIZE, "".join(parts), tuple(_panel(game, seat) for seat in range(game.seats)), LEGEND)


def _islands(setup: Any, game: Any) -> Iterator[str]:
    """Draw the places for pioneers, with how many stand there."""
    for number, place in enumerate(PLACES):
        at, standing = group(6 + number * ISLANDS, ISLAND_Y), int(game.pioneers[number])
        inside = shape("rect", f"island {place}", width=ISLANDS - 10, height=64, rx=22)
        inside += label(57, 22, place, "island-name")
        if place in RESOURCES:
            inside += label(57, 42, str(int(game.islands[RESOURCES.index(place)])), "count")
        for pioneer in range(standing):
            inside += shape("circle", "pioneer", cx=20 + 12 * pioneer, cy=56, r=4.5)
        yield at(inside, f"{place}: {counted(standing, 'pioneer')}", f"place:{place}")


def _display(setup: Any, game: Any, tiles: Mapping[str, Any]) -> Iterator[str]:
    yield label(6, 102, f"Terrain, {int(game.pile_left)} more in the pile", "heading")
    for number in range(int(game.display_count)):
        name = TILES[game.display[number]]
        yield group(6 + number * TILE, 110)(_tile(tiles[name]), f"terrain {name}", f"tile:{name}")


def _cards(setup: Any, game: Any) -> Iterator[str]:
    cards = {row["id"]: row for row in setup.facts["card"]}
    left = SIZE[0] - 6 - 5 * 84
    yield label(left, 102, f"Buildings, {int(game.deck_left)} more in the deck", "heading")
    for number, card in enumerate(int(card) for card in game.cards if card != NONE):
        name = CARDS[card]
        cost = " ".join(f"{cards[name][one]}{LETTERS[one]}" for one in PRODUCED if cards[name][one])
        inside = shape("rect", "card", width=76, height=SPOT, rx=5) + label(6, 18, name, "number")
        inside += label(38, 34, cost, "cost") + label(70, 18, f"{cards[name]['points']}★", "gives end")
        yield group(left + number * 84, 110)(inside, f"building {name}", f"card:{name}")
    values, tokens = int(setup.tables.token_count) - int(game.tokens_taken), f"round {int(game.round)}"
    yield label(left, 196, f"{tokens}; {counted(values, 'bonus token')} left", "note")


def _tile(tile: Mapping[str, Any]) -> str:
    kind = tile["terrain"][0]
    inside = shape("rect", f"terrain {kind}", width=SPOT, height=SPOT, rx=6)
    if len(tile["terrain"]) > 1:
        inside += shape("path", f"terrain {tile['terrain'][1]}", d=f"M{SPOT},0 V{SPOT} H0 Z")
    made = " ".join(f"{count}{LETTERS[one]}" for one, count in tile["production"].items() if count)
    inside += label(SPOT / 2, 24, made, "made")
    store = f"{tile['store']}⌂" if tile.get("store") else ""
    effect = "" if tile.get("effect", "none") == "none" else tile["effect"]
    return inside + label(SPOT / 2, 42, store or effect, "made effect" if effect else "made")


def _board(setup: Any, game: Any, seat: int, tiles: Mapping[str, Any]) -> Iterator[str]:
    """Draw a River Board: the river flows to the right, back, and to the right again."""
    player = game.players[seat]
    places = {spot: (column, row) for column, spots in enumerate(COLUMN_SPOTS) for row, spot in enumerate(spots)}
    points = [(x * TILE + TILE / 2, y * TILE + TILE / 2) for x, y in (places[spot] for spot in range(SPOTS))]
    inside = shape(
        "rect", f"board-of seat-line-{seat}", x=-8, y=-26, width=BOARD_WIDE - 14, height=BOARD_HIGH - 6, rx=8
    )
    inside += label(0, -9, f"seat {seat + 1}: {BOARDS[player.board]} board", "heading")
    inside += shape("path", "stream", d="M" + " L".join(f"{x:.0f},{y:.0f}" for x, y in points))
    for spot in range(SPOTS):
        column, row = places[spot]
        at, tile = group(column * TILE + 3, row * TILE + 3), int(player.tiles[spot])
        if tile == NONE:
            empty = shape("rect", "space", width=SPOT, height=SPOT, rx=6) + label(SPOT / 2, 33, str(spot + 1), "cost")
            inside += at(empty, f"spot {spot + 1}, empty", f"spot:{spot + 1}")
        else:
            inside += at(_tile(tiles[TILES[tile]]), f"spot {spot + 1}: {TILES[tile]}", f"spot:{spot + 1}")
    yield group(14 + seat * BOARD_WIDE, BOARDS_Y - 26 + 34)(inside)


def _panel(game: Any, seat: int) -> Panel:
    """Return what a player has, in words."""
    player = game.players[seat]
    have = ", ".join(f"{int(count)} {one}" for one, count in zip(RESOURCES, player.resources, strict=True) if count)
    makes = ", ".join(f"{int(count)} {one}" for one, count in zip(PRODUCED, player.production, strict=True) if count)
    reserved = ", ".join(CARDS[card] for card in player.reserved[: int(player.reserved_count)])
    tokens = " ".join(str(int(value)) for value in player.tokens[: int(player.token_count)])
    facts = [
        ("resources", have or "none"),
        ("produces", makes or "nothing"),
        ("warehouses", str(int(player.warehouses))),
        ("buildings", str(int(player.built_count))),
        ("reserved", reserved or "none"),
        ("tokens", tokens or "none"),
        ("pioneers on the boat", str(int(player.boat))),
    ]
    return Panel("holds the pawn" if game.pawn == seat else "", int(player.points), tuple(facts))
