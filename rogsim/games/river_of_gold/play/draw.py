"""The board of River of Gold as a drawing: the row of buildings, the river with its shores, the tracks, the hands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from rogsim.base.text import capital, counted
from rogsim.game.kit.drawing import Drawing, Panel, group, label, lines, seat_mark, shape
from rogsim.games.river_of_gold.components.declared import Facts, Reward, Tile, TrackReward
from rogsim.games.river_of_gold.components.load import BOOK, TILES
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
from rogsim.games.river_of_gold.play.narrate import (
    ability_words,
    delivery_words,
    goods_words,
    patron_name,
    patron_words,
    tile_words,
)
from rogsim.games.river_of_gold.rules.state import DRAFT

# The river flows to the right along the upper half of the board, turns, and flows back along the lower half. Odd shore
# spaces lie on its left bank, the outer one, even spaces on its right bank; each half has 15 of them.
PITCH, WIDE, HIGH = 96, 90, 50  # from a tile to the next; a tile
EDGE, WATER, GAP = 6, 46, 14
LENGTH = 8 * PITCH  # of a half
SIZE_X = EDGE + LENGTH + 58
HALF = SHORE_SPACES // 2
EIGHT, SEVEN = (0, 3, 5, 8), (0, 2.5, 5.5, 8)  # where regions end on the bank with 8 spaces, and on that with 7
LANE, NAMES, TAG = 17, 36, 12  # of a track for each seat; the height above the tracks; what the number of a space needs
ROW_Y, BOARD_Y = 20, 84
BEND = 60
CARD_WIDE, CARD_HIGH = 200, 74

# What a tile gives, in few signs.
SIGNS = {"points": "★", "koku": "k", "favor": "♦", "influence": "▲", "silk": " silk", "rice": " rice"}
SIGNS |= {"porcelain": " porc.", "any_good": " any good"}
LEGEND = (
    "A tile shows what a visitor gets (boat), what its owner gets (dot) and, in its corner, the influence for building "
    "it. k koku, ★ points, ♦ favor, ▲ influence, ❀ imperial flower. Numbers in colour are seats."
)
MASTERED = {"air": "customer types", "courts": "imperial flower", "earth": "equal buildings", "fire": "equal customers"}
MASTERED |= {"void": "regions", "water": "building types"}

BOAT = "M0,6 H10 Q9,10 5,10 Q1,10 0,6 Z M4.5,5 V0 L9,5 Z"  # what a visitor gets

# Our own signs for the types of buildings, within 12 by 12.
BUILDING_SHAPES = {
    "port": "M6,1 V9 M3,4 H9 M1,7 Q6,13 11,7",
    "market": "M1,4 L3,1 H9 L11,4 Z M2,4 V11 H10 V4",
    "manor": "M1,6 L6,1 L11,6 M2,6 V11 H10 V6 M5,11 V8 H7 V11",
    "shrine": "M0,2 H12 M1,5 H11 M3,2 V11 M9,2 V11",
}


@lru_cache(maxsize=8)
def _facts(change: str) -> Facts:
    return Facts.from_dict(BOOK.with_change(json.loads(change)))


def draw(setup: Any, game: Any) -> Drawing:
    """Return the board with everything that the record of a game, or a view of it, shows.

    Parameters
    ----------
    setup
        What `prepare` returned.
    game
        The record; hidden cards are not drawn.
    """
    drawn = _Drawn(setup, game)
    parts = [*drawn.row(), *drawn.masteries(), *drawn.regions(), *drawn.river(), *drawn.shores(), *drawn.ships()]
    parts += drawn.cards()
    panels = tuple(drawn.panel(seat) for seat in range(game.seats))
    return Drawing(SIZE_X, drawn.high, "".join(parts), panels, LEGEND)


class _Drawn:
    """A position with where its parts are."""

    def __init__(self, setup: Any, game: Any) -> None:
        self.setup, self.game, self.facts = setup, game, _facts(json.dumps(dict(setup.change)))
        self.tiles = {tile.id: tile for tile in self.facts.tile}
        self.customers = {customer.id: customer for customer in self.facts.customer}
        self.tracks = NAMES + LANE * int(game.seats) + TAG
        bank = WATER / 2 + GAP + HIGH
        self.upper = BOARD_Y + self.tracks + bank  # the middle of the river
        self.lower = self.upper + 2 * bank + 2 * TAG
        self.bottom = self.lower + bank + self.tracks
        self.high = self.bottom + 8

    # The row and what else lies beside the board.

    def row(self) -> Iterator[str]:
        """Draw the row of buildings, the newest first; the last one leaves next."""
        game = self.game
        left = " and ".join(f"{int(count)} of era {era}" for era, count in enumerate(game.era_left, 1))
        yield label(EDGE, 13, f"Buildings to build, the last one leaves next; to come: {left}", "heading")
        for number, tile in enumerate(reversed(game.row[: int(game.row_length)].tolist())):
            name = TILES[tile]
            place = group(EDGE + number * PITCH, ROW_Y)
            yield place(self.tile(self.tiles[name]), f"in the row: {tile_words(self.tiles[name])}", f"tile:{name}")

    def tile(self, tile: Tile, outside: bool = True) -> str:
        """Draw a tile; what its owner gets is on the far side from the river."""
        inside = shape("rect", f"tile {tile.type}", width=WIDE, height=HIGH, rx=5)
        inside += group(5, 4)(shape("path", "sign", d=BUILDING_SHAPES[tile.type]))
        inside += label(21, 14, tile.type, "text")
        if tile.build:
            inside += label(WIDE - 4, 14, f"{tile.build}▲", "text end")
        visitor, owner = (45, 30) if outside else (30, 45)
        inside += group(5, visitor - 9)(shape("path", "boat", d=BOAT)) + label(
            18, visitor, _gives(tile.visitor), "text"
        )
        given = _gives(tile.owner)
        if given:
            inside += shape("circle", "owner", cx=10, cy=owner - 4, r=4) + label(18, owner, given, "text")
        return inside

    def masteries(self) -> Iterator[str]:
        """Draw the masteries in play, with who has claimed them."""
        game, x = self.game, EDGE + 6 * PITCH + 16
        points = "·".join(map(str, self.facts.mastery_points[int(game.seats)]))
        yield label(x, 13, f"Masteries, {points} points", "heading")
        for line, mastery in enumerate(place for place, count in enumerate(game.claims) if count != NONE):
            fact = next(one for one in self.facts.mastery if one.id == MASTERIES[mastery])
            inside = label(0, 4, f"{capital(fact.id)} {fact.count}: {MASTERED[fact.id]}", "text")
            claimed = [(int(game.players[seat].claimed[mastery]), seat) for seat in range(game.seats)]
            for place, (_, seat) in enumerate(sorted(pair for pair in claimed if pair[0])):
                inside += seat_mark(164 + 18 * place, 0, seat)
            yield group(x, ROW_Y + 10 + 19 * line)(inside, f"mastery {fact.id}: {fact.count}, {fact.needs}")

    # The board.

    def at(self, place: float) -> tuple[float, float]:
        """Return where on the river a place is: shore space n is beside place n / 2."""
        turn = HALF / 2 + 0.25
        if place < turn:
            return EDGE + PITCH * place, self.upper
        return EDGE + LENGTH - PITCH * (place - HALF / 2), self.lower

    def shore(self, space: int) -> tuple[float, float, bool]:
        """Return the corner of the tile on a shore space, and whether it is on the outer bank."""
        x, y = self.at((space + 1) / 2)
        outer = space % 2 == 0
        above = outer == (y == self.upper)
        return x - WIDE / 2, y + (-WATER / 2 - GAP - HIGH if above else WATER / 2 + GAP), above

    def space(self, place: int) -> tuple[float, float]:
        """Return the middle of a river space: amid the shore spaces that it touches."""
        shores = self.facts.river.shore[place]
        return self.at(sum(shores) / 2 / len(shores))

    def regions(self) -> Iterator[str]:
        """Draw the regions, and the track of each beside it."""
        middle = (self.upper + self.lower) / 2
        for region in range(REGIONS):
            half, third = divmod(region, REGIONS // 2)
            rim, banks = (self.bottom, (SEVEN, EIGHT)) if half else (BOARD_Y, (EIGHT, SEVEN))
            (left, right), inner = (sorted(_border(half, ends[third + end]) for end in (0, 1)) for ends in banks)
            corners = ((left, rim), (right, rim), (inner[1], middle), (inner[0], middle))
            look = "region even" if region % 2 else "region odd"
            yield shape("polygon", look, points=" ".join(f"{x:.0f},{y:.0f}" for x, y in corners))
            yield self.track(region, left + 6, right - left - 14, rim - half * (self.tracks - TAG))

    def track(self, region: int, x: float, wide: float, y: float) -> str:
        """Draw the influence track of a region, with its rewards and a lane for each seat."""
        game, track = self.game, self.facts.track
        tile = self.setup.tables.region_points[int(game.region_tiles[region])]
        places = "·".join(str(int(points)) for points in tile if points)
        name = self.facts.regions.names[region]
        inside = label(0, 14, f"{region + 1} {name}", "heading") + label(wide, 14, f"{places}★", "text end")
        end, y0 = self.facts.limits.influence, NAMES + 4
        rewards = {2: f"{track.good_at_2[region]}"} | {at: _gives(reward) for at, reward in track.rewards.items()}
        rewards[track.imperial_flower] = "❀"
        x0 = 4.0

        def place(space: int) -> float:
            return x0 + (wide - x0 - 10) * space / end

        for at, reward in rewards.items():
            said = reward.removesuffix("elain").replace(" 1 any good", "+good" if wide > 200 else "+1")
            inside += label(wide, 30, said, "note end") if at == end else label(place(at), 30, said, "note middle")
            inside += shape("line", "track", x1=place(at), x2=place(at), y1=y0 - 3, y2=y0 + LANE * game.seats - 5)
        for seat in range(game.seats):
            reached, lane = place(int(game.players[seat].influence[region])), y0 + 6 + LANE * seat
            inside += shape("line", "track", x1=x0, x2=place(end), y1=lane, y2=lane)
            inside += shape("line", f"reached seat-line-{seat}", x1=x0, x2=reached, y1=lane, y2=lane)
            inside += seat_mark(reached, lane, seat)
        said = ", ".join(f"seat {seat + 1} {int(game.players[seat].influence[region])}" for seat in range(game.seats))
        return group(x, y)(inside, f"influence in region {region + 1}: {said}")

    def river(self) -> Iterator[str]:
        """Draw the river with its spaces, and which shore spaces each of them touches."""
        for place, shores in enumerate(self.facts.river.shore):
            x, y = self.space(place)
            for space in shores:
                to_x, to_y, _ = self.shore(space - 1)
                yield shape("line", "way", x1=x, y1=y, x2=to_x + WIDE / 2, y2=to_y + HIGH / 2)
        turn = EDGE + LENGTH + 58 - WATER / 2 - 4
        line = (
            f"M0,{self.upper} H{turn - BEND} q{BEND},0 {BEND},{BEND} V{self.lower - BEND} q0,{BEND} -{BEND},{BEND} H0"
        )
        yield shape("path", "water", d=line)
        for place in range(RIVER_SPACES):
            x, y = self.space(place)
            inside = shape("rect", "stop", x=-38, y=-21, width=76, height=42, rx=21)
            yield group(x, y)(
                inside + label(-27, 4, str(place + 1), "river-number"), f"river space {place + 1}", f"to:{place + 1}"
            )

    def shores(self) -> Iterator[str]:
        """Draw the shore spaces with their tiles and who owns them."""
        game, costs = self.game, {space.id: space for space in self.facts.shore}
        for space in range(SHORE_SPACES):
            x, y, above = self.shore(space)
            tile, number = int(game.shore[space]), space + 1
            if tile == EMPTY:
                inside = shape("rect", "space", width=WIDE, height=HIGH, rx=5)
                inside += label(WIDE / 2, 31, f"{costs[number].cost} koku", "text middle")
                said = f"shore space {number}, empty, costs {costs[number].cost} koku"
            else:
                inside = self.tile(self.tiles[TILES[tile]], above)
                said = f"shore space {number}: {tile_words(self.tiles[TILES[tile]])}"
            rim = -5 if above else HIGH + 5
            inside += shape("rect", "tag", x=-2, y=rim - 7, width=19, height=14, rx=4) + label(
                7.5, rim + 4, str(number), "note middle"
            )
            for count, seat in enumerate(int(seat) for seat in game.markers[space] if seat != NONE):
                inside += seat_mark(WIDE - 9 - 18 * count, rim, seat)
                said += f", owned by seat {seat + 1}"
            yield group(x, y)(inside, said, f"space:{number}")

    def ships(self) -> Iterator[str]:
        """Draw the ships; the royal ship of a player has a flag."""
        game = self.game
        all_places = [int(place) for seat in range(game.seats) for place in game.players[seat].ships]
        for number, place in enumerate(all_places):
            seat, ship = divmod(number, 2)
            before, crowd = all_places[:number].count(place), all_places.count(place)
            x, y = self.space(place)
            shift = 0 if crowd < 4 else 6 - 12 * (before % 2)
            is_royal = game.players[seat].royal == ship
            inside = shape("path", f"ship seat-{seat}", d="M-11,-1 H11 Q9,11 0,11 Q-9,11 -11,-1 Z M-1,-3 V-14 L8,-3 Z")
            inside += shape("path", "royal", d="M-3,-3 V-15 L-11,-9 Z") if is_royal else ""
            said = f"{'royal ship' if is_royal else 'ship'} {ship} of seat {seat + 1} on river space {place + 1}"
            put = group(x - 8 + min(22, 36 / max(1, crowd - 1)) * before, y + 2 + shift)
            inside += label(0, 9, str(seat + 1), "on-seat")
            yield put(inside, said, f"ship:{ship}" if seat == game.actor else "")

    # Cards and panels.

    def cards(self) -> Iterator[str]:
        """Draw the cards in hands that can be seen, and the patrons that can be chosen."""
        found = []
        for seat in range(self.game.seats):
            player = self.game.players[seat]
            found += [
                self.customer(seat, CUSTOMERS[card]) for card in range(len(CUSTOMERS)) if int(player.hand) >> card & 1
            ]
            if self.game.phase == DRAFT:
                offers = int(self.game.offers[seat])
                found += [self.patron(seat, name) for place, name in enumerate(PATRONS) if offers >> place & 1]
        if found:
            yield label(EDGE, self.bottom + 22, "Cards in hand, marked with their seat", "heading")
        for number, (inside, said, names) in enumerate(found):
            line, column = divmod(number, 4)
            y = self.bottom + 32 + line * (CARD_HIGH + 8)
            self.high = y + CARD_HIGH + 6
            yield group(EDGE + column * (CARD_WIDE + 7), y)(inside, said, names)

    def card(self, seat: int, title: str, note: str, text: str) -> str:
        """Draw a card of a seat."""
        inside = shape("rect", "card", width=CARD_WIDE, height=CARD_HIGH, rx=6) + seat_mark(14, 14, seat)
        return inside + label(28, 18, title, "heading") + label(8, 36, note, "text") + lines(8, 52, text, "note", 31, 2)

    def customer(self, seat: int, name: str) -> tuple[str, str, str]:
        """Draw a customer with what it orders and its ability."""
        customer = self.customers[name]
        wants, ability = goods_words(customer.order), ability_words(customer, self.facts)
        gives = delivery_words(self.facts.delivery[customer.type], customer.region)
        inside = self.card(seat, f"{capital(customer.type)} {customer.region}", f"wants {wants}", ability)
        return inside, f"{name} wants {wants}; gives {gives or 'nothing at once'}; {ability}", f"customer:{name}"

    def patron(self, seat: int, name: str) -> tuple[str, str, str]:
        """Draw a patron that can be chosen."""
        patron = next(one for one in self.facts.patron if one.id == name)
        inside = self.card(seat, patron_name(name), patron.title, patron.effect)
        return inside, patron_words(patron), f"patron:{name}"

    def panel(self, seat: int) -> Panel:
        """Return what a player has, in words."""
        player = self.game.players[seat]
        goods = ", ".join(f"{int(count)} {good}" for good, count in zip(GOODS, player.goods, strict=True) if count)
        hand = [CUSTOMERS[card] for card in range(len(CUSTOMERS)) if int(player.hand) >> card & 1]
        delivered = [CUSTOMERS[card] for card in range(len(CUSTOMERS)) if int(player.delivered) >> card & 1]
        owned = ", ".join(
            counted(int(count), name) for name, count in zip(BUILDINGS, player.owned, strict=True) if count
        )
        facts = [
            ("koku", str(int(player.koku))),
            ("goods", goods or "none"),
            ("favor", f"{int(player.favor)} of {int(player.favor_limit)}"),
            ("die", str(int(player.die))),
            ("owns", owned or "nothing"),
            ("holds", ", ".join(hand) if hand else f"{counted(int(player.hand_size), 'customer')}"),
            ("delivered to", ", ".join(delivered) or "nobody"),
        ]
        if player.patron == NONE:
            return Panel("", int(player.points), tuple(facts))
        name = PATRONS[player.patron]
        patron = next(one for one in self.facts.patron if one.id == name)
        return Panel(patron_name(name), int(player.points), (*facts, ("patron", patron.effect)))


def _border(half: int, place: float) -> float:
    """Return where a region ends that does so after this many shore spaces of a bank."""
    x = EDGE + PITCH * (LENGTH / PITCH - place if half else place) - 3
    return SIZE_X if x > LENGTH else x


def _gives(reward: TrackReward) -> str:
    """Return what a tile or a track gives in few signs."""
    parts = [f"{getattr(reward, name)}{sign}" for name, sign in SIGNS.items() if getattr(reward, name, 0)]
    if isinstance(reward, Reward):
        each = [(kind, getattr(reward, f"koku_per_{kind}")) for kind in (*BUILDINGS, "customer")]
        parts += [f"{koku}k/{kind}" for kind, koku in each if koku]
        parts += ["card"] if reward.draw_and_discard else []
    return " ".join(parts)
