"""The islands of The River, what is on offer, and the River Boards as a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.base.text import counted
from rogsim.game.kit.drawing import Drawing, Panel, group, label, seat_mark, shape
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
from rogsim.games.the_river.play.narrate import card_words, tile_words

SIZE_X = 832
TILE, SPOT = 62, 58  # a tile with its gap, and without
ISLAND, ISLAND_HIGH = 91, 78  # from one island to the next
CARD, CARD_HIGH = 84, 50
OFFER_Y = 96
BOARD_WIDE, BOARD_HIGH = SIZE_X / 2, 3 * TILE + 42
LEGEND = (
    "w wood, s stone, c clay, f food. A house stores one resource. Covering a spot that says settle costs a pioneer. "
    "Filled dots on an island are pioneers, dashed ones are free places. ★ points."
)
HOUSE = "M0,5 L5.5,0 L11,5 M1.5,5 V11 H9.5 V5"
TITLES = {"claim": "terrain", "reserve": "buildings", "construct": "construct", "first": "first", "swap": "swap"}
# What a meadow does, in two short lines.
EFFECTS = {
    "production": ("★ per", "{resource} sign"),
    "gift": ("at once", "{amount} {resource}"),
    "collection": ("★ per", "{terrain_counted}"),
    "swap": ("at once", "{amount} swaps"),
    "boat": ("★ per", "pioneer"),
    "token": ("★ per", "token"),
    "cleanup": ("cleanup", "{amount} {resource}"),
}


def draw(setup: Any, game: Any) -> Drawing:
    """Return the board with everything that the record of a game, or a view of it, shows.

    Parameters
    ----------
    setup
        What `prepare` returned.
    game
        The record.
    """
    offer, parts = OFFER_Y + 20 + TILE + 12, [*_islands(setup, game), *_display(setup, game, OFFER_Y)]
    parts += _cards(setup, game, offer)
    top = offer + 20 + CARD_HIGH + 14
    for seat in range(game.seats):
        line, column = divmod(seat, 2)
        parts += group(column * BOARD_WIDE, top + line * (BOARD_HIGH + 10))("".join(_board(setup, game, seat)))
    high = top + -(-int(game.seats) // 2) * (BOARD_HIGH + 10)
    return Drawing(SIZE_X, high, "".join(parts), tuple(_panel(game, seat) for seat in range(game.seats)), LEGEND)


def _good(x: float, y: float, resource: str) -> str:
    """Draw a resource: its letter on its colour."""
    return shape("circle", resource, cx=x, cy=y, r=8) + label(x, y + 4, resource[0], "on-good")


def _house(x: float, y: float, look: str = "home") -> str:
    return group(x, y)(shape("path", look, d=HOUSE))


def _islands(setup: Any, game: Any) -> Iterator[str]:
    """Draw the places for pioneers, with how many stand there and how many more may."""
    for number, place in enumerate(PLACES):
        fact, standing = setup.facts["place"][place], int(game.pioneers[number])
        room = fact["spots"][str(int(game.seats))]
        inside = shape("rect", f"island {place}-island", width=ISLAND - 7, height=ISLAND_HIGH, rx=18)
        inside += label(42, 18, TITLES.get(place, place), "heading middle")
        if place in RESOURCES:
            inside += _good(26, 36, place) + label(42, 43, str(int(game.islands[RESOURCES.index(place)])), "count")
        note = {"claim": f"{room} each", "construct": "any number", "swap": "any number"}.get(place, "")
        if not standing and fact.get("first_bonus", {}).get(str(int(game.seats))):
            note = f"first +{fact['first_bonus'][str(int(game.seats))]}"
        inside += label(42, 56 if place in RESOURCES else 40, note, "note middle")
        spots = max(standing, room if fact["class"] == "shared" else 0)
        step = min(15, 72 / max(1, spots))
        for spot in range(spots):
            x = 42 + step * (spot - (spots - 1) / 2)
            inside += shape("circle", "pioneer" if spot < standing else "pioneer free", cx=x, cy=68, r=5)
        names = {
            "wood": "resource:wood",
            "stone": "resource:stone",
            "clay": "resource:clay",
            "food": "do:food resource:food",
        }
        said = f"{TITLES.get(place, place)}: {counted(standing, 'pioneer')}"
        yield group(4 + number * ISLAND, 4)(inside, said, names.get(place, f"do:{place}"))


def _display(setup: Any, game: Any, y: float) -> Iterator[str]:
    """Draw the terrain tiles face up."""
    tokens = int(setup.tables.token_count) - int(game.tokens_taken)
    yield label(6, y + 12, f"Terrain to claim; {int(game.pile_left)} more in the pile", "heading")
    yield label(SIZE_X - 6, y + 12, f"Round {int(game.round)}; {counted(tokens, 'bonus token')} left", "heading end")
    step = min(TILE, (SIZE_X - 12) / max(1, int(game.display_count)))
    for number, tile in enumerate(game.display[: int(game.display_count)].tolist()):
        fact = setup.facts["tile"][TILES[tile]]
        yield group(6 + number * step, y + 20)(_tile(fact), tile_words(fact), f"tile:{TILES[tile]}")


def _cards(setup: Any, game: Any, y: float) -> Iterator[str]:
    """Draw the building cards face up."""
    yield label(6, y + 12, f"Buildings; {int(game.deck_left)} more in the deck", "heading")
    for number, card in enumerate(int(card) for card in game.cards if card != NONE):
        yield _card(6 + number * (CARD + 6), y + 20, setup, card)


def _card(x: float, y: float, setup: Any, card: int) -> str:
    """Draw a building card: its cost and its points."""
    fact = setup.facts["card"][CARDS[card]]
    inside = shape("rect", "card", width=CARD, height=CARD_HIGH, rx=5) + label(6, 17, fact["id"], "text")
    inside += label(CARD - 6, 17, f"{fact['points']}★", "heading end")
    for number, one in enumerate(one for one in PRODUCED if fact[one]):
        inside += label(5 + 27 * number, 40, str(fact[one]), "text") + _good(20 + 27 * number, 36, one)
    return group(x, y)(inside, f"building {card_words(fact)}", f"card:{CARDS[card]}")


def _tile(tile: Mapping[str, Any]) -> str:
    """Draw a terrain tile with what it produces and stores, or what a meadow does."""
    kind = tile["terrain"][0]
    inside = shape("rect", f"terrain {kind}", width=SPOT, height=SPOT, rx=6)
    if len(tile["terrain"]) > 1:
        inside += shape("path", f"terrain {tile['terrain'][1]}", d=f"M{SPOT},0 V{SPOT} H0 Z")
    inside += label(4, 14, tile["id"], "on-land")
    signs = [one for one, count in tile["production"].items() for _ in range(count)]
    inside += "".join(_good(12 + 19 * number, 32, one) for number, one in enumerate(signs[:3]))
    begin = 5 + 19 * len(signs)
    inside += "".join(_house(begin + 14 * number, 26) for number in range(tile["store"]))
    effect = EFFECTS.get(tile.get("effect", "none"))
    if effect:
        words = [line.format_map({"amount": 0, **tile}) for line in effect]
        if signs:
            return inside + label(4, 52, "".join(words).replace(" per", "/").removesuffix(" sign"), "on-land small")
        inside += label(4, 33, words[0], "on-land small") + label(4, 49, words[1], "on-land small")
    return inside


def _board(setup: Any, game: Any, seat: int) -> Iterator[str]:
    """Draw a River Board, along which the river flows right, left and right, and what lies beside it."""
    player, facts = game.players[seat], setup.facts
    yield shape("rect", f"board-of seat-line-{seat}", x=2, y=0, width=BOARD_WIDE - 6, height=BOARD_HIGH, rx=8)
    yield seat_mark(18, 16, seat) + label(32, 20, f"{BOARDS[player.board]} board", "heading")
    if game.pawn == seat:
        yield label(4 * TILE + 4, 20, "has the pawn", "note end")
    places = {spot: (column, row) for column, spots in enumerate(COLUMN_SPOTS) for row, spot in enumerate(spots)}
    middles = [(10 + (x + 0.5) * TILE, 30 + (y + 0.5) * TILE) for x, y in (places[spot] for spot in range(SPOTS))]
    yield shape("path", "stream", d="M" + " L".join(f"{x:.0f},{y:.0f}" for x, y in middles))
    printed = facts["board"][BOARDS[player.board]]["production"]
    for spot in range(SPOTS):
        x, y = middles[spot]
        put, number, tile = group(x - SPOT / 2, y - SPOT / 2), spot + 1, int(player.tiles[spot])
        names = f"spots:{number}" if seat == game.actor else ""
        if tile != NONE:
            yield put(
                _tile(facts["tile"][TILES[tile]]), f"spot {number}: {tile_words(facts['tile'][TILES[tile]])}", names
            )
            continue
        inside = shape("rect", "space", width=SPOT, height=SPOT, rx=6) + label(4, 14, str(number), "note")
        if str(number) in printed and printed[str(number)] != "none":
            inside += _good(SPOT / 2, 32, printed[str(number)])
        inside += "".join(
            _house(SPOT / 2 - 6 + 14 * at, 26, "home ink") for at in range(facts["spot"][number]["store"])
        )
        inside += label(SPOT / 2, 52, "settle", "note middle") if facts["spot"][number]["settlement"] else ""
        yield put(inside, f"spot {number}, empty", names)
    yield from _beside(setup, game, seat, 4 * TILE + 20)


def _beside(setup: Any, game: Any, seat: int, x: float) -> Iterator[str]:
    """Draw what a player has beside the board: resources in warehouses, tokens, pioneers, reserved cards."""
    player = game.players[seat]
    stored = [one for one, count in zip(RESOURCES, player.resources, strict=True) for _ in range(int(count))]
    yield label(x, 20, f"{len(stored)} of {int(player.warehouses)} stored", "heading")
    for number, one in enumerate(stored[:16]):
        yield _good(x + 8 + 18 * (number % 8), 36 + 18 * (number // 8), one)
    yield label(x, 80, f"{int(player.built_count)} built; bonus tokens", "note")
    for number, value in enumerate(player.tokens[: int(player.token_count)].tolist()):
        put = group(x + 10 + 22 * number, 94)
        yield put(shape("rect", "tag", x=-9, y=-9, width=19, height=18, rx=4) + label(0, 4, str(value), "text middle"))
    waiting = "; fifth waits" if player.fifth else ""
    yield label(x, 122, f"{int(player.boat)} on the boat{waiting}", "note")
    for number in range(int(player.boat)):
        yield shape("circle", "pioneer", cx=x + 8 + 15 * number, cy=134, r=5)
    reserved = player.reserved[: int(player.reserved_count)].tolist()
    if reserved:
        yield label(x, 160, "reserved", "note")
    step = min(CARD + 4, (BOARD_WIDE - x - 8 - CARD) / max(1, len(reserved) - 1))
    for number, card in enumerate(reserved):
        yield _card(x - 6 + step * number, 166, setup, card)


def _panel(game: Any, seat: int) -> Panel:
    """Return what a player has, in words."""
    player = game.players[seat]
    have = ", ".join(f"{int(count)} {one}" for one, count in zip(RESOURCES, player.resources, strict=True) if count)
    makes = ", ".join(f"{int(count)} {one}" for one, count in zip(PRODUCED, player.production, strict=True) if count)
    reserved = ", ".join(CARDS[card] for card in player.reserved[: int(player.reserved_count)])
    tokens = ", ".join(str(int(value)) for value in player.tokens[: int(player.token_count)])
    facts = [
        ("has", have or "no resources"),
        ("room for", str(int(player.warehouses))),
        ("produces", makes or "nothing"),
        ("buildings", str(int(player.built_count))),
        ("reserved", reserved or "none"),
        ("bonus tokens", tokens or "none"),
        ("pioneers on the boat", str(int(player.boat))),
        ("settled", str(int(player.settled))),
    ]
    return Panel("first player" if game.pawn == seat else "", int(player.points), tuple(facts))
