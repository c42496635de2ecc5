"""A trace as text for people: the set-up, every turn, a table after every round, the final scoring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.game.kit.narration import capital, counted, listing, paragraph, ruled, seat_name, table
from rogsim.games.river_of_gold.components.names import GOODS
from rogsim.games.river_of_gold.records.narrate_states import possessions, state_table
from rogsim.games.river_of_gold.records.narrate_turns import TurnNarrator
from rogsim.games.river_of_gold.records.narrate_words import (
    ability_words,
    era_name,
    goods_words,
    patron_words,
    reward_words,
)


def narrate(trace: Mapping[str, Any]) -> str:
    """Return a recorded game as text."""
    return RiverOfGoldNarrator(trace).text()


class RiverOfGoldNarrator(TurnNarrator):
    """Narrates a whole game."""

    def opening(self) -> Iterator[str]:
        """Yield the masteries, regions, buildings and row, and what each seat begins with."""
        yield from ("", "Masteries", *self._masteries())
        yield from ("", "Regions", *self._regions())
        yield from ("", "Buildings on the board", *self._buildings())
        yield from ("", "Building row, from its start to its end", *self._row())
        left = listing(f"{counted(tiles, 'tile')} of {era_name(era)}" for era, tiles in self.stacks.items())
        yield f"  In the stacks: {left}"
        for seat in range(len(self.bots)):
            yield from ("", *self._seat_at_start(seat))

    def _masteries(self) -> list[str]:
        cards = {mastery.id: mastery for mastery in self.facts.mastery}
        points = ", ".join(map(str, self.facts.mastery_points[self.trace["players"]]))
        names = self.trace["setup"]["masteries"]
        rows = [("mastery", "points", "needs")]
        rows += [(name, points, f"{cards[name].needs} ({cards[name].count})") for name in names]
        return table(rows, "lll")

    def _regions(self) -> list[str]:
        """List the points of each region and the cost of building there."""
        rows = [("region", "", "scores", "koku to build, by shore space")]
        tiles = zip(self.facts.regions.names, self.trace["setup"]["region_tiles"], strict=True)
        for region, (name, points) in enumerate(tiles, 1):
            spaces = [space for space in self.facts.shore if space.region == region and space.id not in self.shore]
            costs = "   ".join(f"{space.id}: {space.cost}" for space in spaces)
            rows.append((str(region), name, ", ".join(map(str, points)), costs))
        lines = table(rows, "llll")
        if self.trace["players"] == 2 and self.facts.rulings.two_player_distance:
            within = counted(self.facts.scoring.second_place_within, "space")
            lines += paragraph(f"Second place scores only within {within} of the first.", 2)
        return lines

    def _buildings(self) -> list[str]:
        rows = [("shore space", "region", "building", "visitor")]
        for space, tile in sorted(self.shore.items()):
            rows.append((str(space), str(self.spaces[space].region), tile.id, reward_words(tile.visitor)))
        return table(rows, "rrll")

    def _row(self) -> list[str]:
        rows = [("building", "build bonus", "visitor", "owner")]
        rows += [
            (tile.id, f"{tile.build} influence", reward_words(tile.visitor), reward_words(tile.owner))
            for tile in (self.tiles[name] for name in self.state["row"])
        ]
        return table(rows, "llll")

    def _seat_at_start(self, seat: int) -> Iterator[str]:
        """List what a seat begins with."""
        player = self.state["seats"][seat]
        goods = ", ".join(f"{player[good]} {good}" for good in GOODS)
        upper, middle = player["ships"]
        yield capital(self.name(seat))
        if self.patrons:
            yield from paragraph(patron_words(self.patron_cards[self.patrons[seat]]), 2)
        yield from paragraph(
            f"{player['koku']} koku, {goods}, favor {player['favor']}/{player['favor_limit']}, "
            f"ships 0 and 1 at river spaces {upper} and {middle}, die {player['die']}",
            2,
        )
        cards = [self.customers[card] for card in self.trace["setup"]["hands"][seat]]
        rows = [(card.id, f"orders {goods_words(card.order)}", ability_words(card, self.facts)) for card in cards]
        yield from table(rows, "lll")

    def position(self) -> Iterator[str]:
        """Yield a table of seats, their cards and buildings, the row, the claims."""
        state = self.state
        types = {space: tile.type for space, tile in self.shore.items()}
        yield from state_table(state, self.bots)
        for seat in range(len(self.bots)):
            yield from paragraph(f"{seat_name(seat)}: {possessions(state, seat, types)}", 2)
        yield from paragraph(f"row, from start to end: {', '.join(state['row']) or 'empty'}", 2)
        claims = [
            f"{mastery} by {listing(map(seat_name, seats))}" for mastery, seats in state["masteries"].items() if seats
        ]
        if claims:
            yield from paragraph(f"masteries claimed: {', '.join(claims)}", 2)

    def ending(self) -> Iterator[str]:
        """Yield the points of all seats by source, and the winner."""
        scoring, seats = self.facts.scoring, self.state["seats"]
        parts = self.trace["final"]["breakdown"]
        rows = [("points of the game", [part["in_game"] for part in parts])]
        for region, name in enumerate(self.facts.regions.names):
            places = ", ".join(map(str, self.trace["setup"]["region_tiles"][region]))
            reached = [f"[{player['influence'][region]}]" for player in seats]
            cells = [f"{part['regions'][region]} {mark}" for part, mark in zip(parts, reached, strict=True)]
            rows.append((f"{region + 1} {name} ({places})", cells))
        labels = {
            "customers": "customers delivered to",
            "merchants": f"merchants (each 1 for {scoring.merchant_koku_per_point} koku left)",
            "artisans": f"artisans (each 1 for {scoring.artisan_goods_per_point} goods left)",
            "nobles": f"nobles (each {scoring.noble_points} for what it counts)",
        }
        rows += [(label, [part[key] for part in parts]) for key, label in labels.items()]
        yield ruled("Final scoring")
        yield from self.score_table(rows, "(a region's influence in brackets)")
        for seat, player in enumerate(seats):
            doubled = [card.removeprefix("elder-") for card in sorted(player["delivered"]) if card.startswith("elder-")]
            if doubled:
                yield from paragraph(f"Elders have doubled {seat_name(seat)}'s points in region {listing(doubled)}.", 2)
        yield ""
        yield from self.verdict("favor", seats[self.trace["final"]["winners"][0]]["favor"])
