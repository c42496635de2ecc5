"""The board of River of Gold as a drawing: the river with its shores, the row of tiles, and the tracks of influence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.base.text import counted
from rogsim.game.kit.drawing import Panel, Picture, group, label, shape
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CUSTOMERS,
    EMPTY,
    GOODS,
    MASTERIES,
    NONE,
    PATRONS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
)

COLUMN, LEFT = 64, 36  # width of a shore space with its gap, and where the first one begins
WIDE, HIGH = 58, 46  # of a tile
RIVER_Y, WATER, BEND = 235, 60, 14  # the middle of the river, its width, and how far it bends
FROM_RIVER = WATER / 2 + HIGH / 2 + 18
ROW_Y, TRACK_Y = 38, 395
SIZE = (LEFT + 15 * COLUMN + 4, 470)

# What a tile gives, in few signs.
SIGNS = {"points": "★", "koku": "k", "favor": "♦", "influence": "▲", "silk": " silk", "rice": " rice"}
SIGNS |= {"porcelain": " porc.", "any_good": " good"}
LEGEND = "k koku · ★ points · ♦ favor · ▲ influence; above what a visitor gains, below the owner"

# Our own signs for the types of buildings, within 12 by 12.
BUILDING_SHAPES = {
    "port": "M6,1 V9 M3,4 H9 M1,7 Q6,13 11,7",
    "market": "M1,4 L3,1 H9 L11,4 Z M2,4 V11 H10 V4",
    "manor": "M1,6 L6,1 L11,6 M2,6 V11 H10 V6 M5,11 V8 H7 V11",
    "shrine": "M0,2 H12 M1,5 H11 M3,2 V11 M9,2 V11",
}


def draw(setup: Any, game: Any) -> Picture:
    """Return the board with everything that the record of a game, or a view of it, shows.

    Parameters
    ----------
    setup
        What `prepare` returned.
    game
        The record; hidden cards are not drawn.
    """
    tiles = setup.facts["tiles"]
    parts = [*_regions(setup, game), _river(), *_shores(setup, game, tiles), *_ships(game), *_row(setup, game, tiles)]
    return Picture(*SIZE, "".join(parts), tuple(_panel(setup, game, seat) for seat in range(game.seats)), LEGEND)


def _river_y(x: float) -> float:
    return RIVER_Y + BEND * math.sin(2 * math.pi * 1.5 * x / SIZE[0])


def _river_place(place: int) -> tuple[float, float]:
    x = LEFT + (SIZE[0] - LEFT) * (place + 0.5) / RIVER_SPACES - 12
    return x, _river_y(x)


def _shore_place(space: int) -> tuple[float, float]:
    """Return the middle of a shore space: odd numbers are above the river, even ones below."""
    x = LEFT + COLUMN * (space // 2) + WIDE / 2 + (space % 2) * 8
    return x, _river_y(x) + (FROM_RIVER if space % 2 else -FROM_RIVER)


def _river() -> str:
    points = [(x, _river_y(x)) for x in range(0, SIZE[0] + 1, 20)]
    line = "M" + " L".join(f"{x},{y:.1f}" for x, y in points)
    numbers = [
        label(x, y + 4, str(place + 1), "river-number")
        for place in range(RIVER_SPACES)
        for x, y in [_river_place(place)]
    ]
    return shape("path", "water", d=line) + "".join(numbers)


def _shores(setup: Any, game: Any, tiles: Mapping[str, Any]) -> Iterator[str]:
    shore = setup.facts["shore"]
    for space in range(SHORE_SPACES):
        x, y = _shore_place(space)
        at = group(x - WIDE / 2, y - HIGH / 2)
        tile = int(game.shore[space])
        if tile == EMPTY:
            cost = shore[space + 1]["cost"]
            inside = shape("rect", "space", width=WIDE, height=HIGH, rx=5) + label(WIDE / 2, 28, f"{cost}k", "cost")
            name = f"shore space {space + 1}, empty, costs {cost} koku"
        else:
            inside = _tile(tiles[setup.tile_ids[tile]])
            name = f"shore space {space + 1}: {setup.tile_ids[tile]}"
        owners = [int(seat) for seat in game.markers[space] if seat != NONE]
        for number, seat in enumerate(owners):
            inside += shape("circle", f"owner seat-{seat}", cx=WIDE - 4 - 13 * number, cy=2, r=6)
            name += f", seat {seat + 1}"
        yield at(inside + label(3, -3, str(space + 1), "number"), name, f"shore:{space + 1}")


def _tile(tile: Mapping[str, Any]) -> str:
    inside = shape("rect", f"tile {tile['type']}", width=WIDE, height=HIGH, rx=5)
    inside += group(5, 7)(shape("path", "sign", d=BUILDING_SHAPES[tile["type"]]))
    inside += label(22, 18, _gives(tile["visitor"]), "gives")
    return inside + label(5, 38, _gives(tile["owner"]), "gives owner-gives")


def _gives(reward: Mapping[str, int]) -> str:
    """Return what a tile gives in few signs."""
    parts = [f"{amount}{SIGNS[name]}" for name, amount in reward.items() if amount and name in SIGNS]
    parts += [
        f"{amount}k/{name.removeprefix('koku_per_')}"
        for name, amount in reward.items()
        if amount and name.startswith("koku_per_")
    ]
    parts += ["card"] if reward.get("draw_and_discard") else []
    return " ".join(parts)


def _ships(game: Any) -> Iterator[str]:
    together: dict[int, int] = {}
    for seat in range(game.seats):
        player = game.players[seat]
        for ship, place in enumerate(int(space) for space in player.ships):
            x, y = _river_place(place)
            number = together[place] = together.get(place, -1) + 1
            at = group(x - 22 + 14 * (number % 4), y - 20 + 26 * (number // 4))
            hull = shape("path", f"ship seat-{seat}", d="M-8,3 Q0,12 8,3 Z M-1,2 V-9 L7,1 Z")
            royal = shape("circle", "royal", cx=0, cy=-11, r=3) if player.royal == ship else ""
            yield at(hull + royal, f"ship of seat {seat + 1} on river space {place + 1}")


def _row(setup: Any, game: Any, tiles: Mapping[str, Any]) -> Iterator[str]:
    """Draw the row of tiles, the newest first; the last one leaves next."""
    length = int(game.row_length)
    yield label(LEFT, ROW_Y - 14, "Row of buildings, the last one leaves next", "heading")
    for number, tile in enumerate(reversed(game.row[:length].tolist())):
        at = group(LEFT + number * (WIDE + 10), ROW_Y)
        yield at(
            _tile(tiles[setup.tile_ids[tile]]), f"in the row: {setup.tile_ids[tile]}", f"tile:{setup.tile_ids[tile]}"
        )
    left = ", ".join(f"{int(count)} of era {era}" for era, count in enumerate(game.era_left, 1))
    yield label(LEFT + 6 * (WIDE + 10) + 8, ROW_Y + 18, f"still to come: {left}", "note")
    claims = [
        f"{name} ({int(count)} claimed)" if count else name
        for name, count in zip(MASTERIES, game.claims, strict=True)
        if count != NONE
    ]
    yield label(LEFT + 6 * (WIDE + 10) + 8, ROW_Y + 36, f"masteries: {', '.join(claims)}", "note")


def _regions(setup: Any, game: Any) -> Iterator[str]:
    """Draw the regions behind the board, with the track of each below it."""
    names, width = setup.facts["regions"]["names"], 2.5 * COLUMN
    end = int(setup.tables.influence_end)
    for region in range(REGIONS):
        at, kind = group(LEFT - 6 + region * width, 100), "odd" if region % 2 else "even"
        inside = shape("rect", f"region {kind}", width=width, height=SIZE[1] - 104)
        inside += label(width / 2, 16, names[region], "region-name")
        inside += label(8, TRACK_Y - 118, "influence", "note")
        inside += shape("line", "track", x1=8, x2=width - 10, y1=TRACK_Y - 100, y2=TRACK_Y - 100)
        for seat in range(game.seats):
            space = int(game.players[seat].influence[region])
            x, y = 8 + (width - 18) * space / end, TRACK_Y - 92 + 13 * seat
            inside += shape("line", f"reached seat-{seat}", x1=8, x2=x, y1=y, y2=y)
            inside += shape("circle", f"marker seat-{seat}", cx=x, cy=y, r=5) + label(x + 8, y + 4, str(space), "note")
        yield at(inside, f"{names[region]}: influence by seat")


def _panel(setup: Any, game: Any, seat: int) -> Panel:
    """Return what a player has, in words."""
    player = game.players[seat]
    goods = ", ".join(f"{int(count)} {good}" for good, count in zip(GOODS, player.goods, strict=True) if count)
    hand = [CUSTOMERS[card] for card in range(len(CUSTOMERS)) if player.hand >> card & 1]
    owned = ", ".join(counted(int(count), name) for name, count in zip(BUILDINGS, player.owned, strict=True) if count)
    facts = [
        ("koku", str(int(player.koku))),
        ("favor", f"{int(player.favor)} of {int(player.favor_limit)}"),
        ("goods", goods or "none"),
        ("die", str(int(player.die))),
        ("buildings", owned or "none"),
        ("customers", ", ".join(hand) if hand else f"{int(player.hand_size)} hidden" if player.hand_size else "none"),
        ("delivered", str(int(sum(player.delivered_by_type)))),
    ]
    name = "" if player.patron == NONE else PATRONS[player.patron].replace("-", " ").title()
    return Panel(name, int(player.points), tuple(facts))
