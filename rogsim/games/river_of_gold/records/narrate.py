"""One trace as text for a person, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.games.river_of_gold.components.load import Facts, with_change
from rogsim.games.river_of_gold.components.names import GOODS
from rogsim.games.river_of_gold.records.narrate_states import possessions, state_table
from rogsim.games.river_of_gold.records.narrate_turns import Teller
from rogsim.games.river_of_gold.records.narrate_words import (
    WIDTH,
    ability_words,
    capital,
    counted,
    era_name,
    goods_words,
    listing,
    paragraph,
    patron_words,
    plain,
    reward_words,
    seat_name,
    table,
)

Trace = Mapping[str, Any]


def narrate(trace: Trace) -> str:
    """Return a recorded game as text: the set-up, every turn, a table after every round, the final scoring.

    The text has lines of at most `WIDTH` columns. An incomplete trace raises KeyError, IndexError, TypeError or
    ValueError.
    """
    facts = Facts.from_dict(with_change(trace.get("change", {})))
    teller = Teller(facts, trace)
    lines = [*_heading(trace), *_set_up(facts, trace, teller)]
    turns, players = trace["turns"], trace["players"]
    for number, turn in enumerate(turns, start=1):
        lines += ["", *teller.turn(turn)]
        if number % players == 0 or number == len(turns):
            when = "End of the game" if number == len(turns) else f"After round {number // players}"
            lines += ["", _ruled(when), *_state(trace, teller)]
    lines += ["", *_final(facts, trace, teller)]
    return "\n".join(lines) + "\n"


def _heading(trace: Trace) -> list[str]:
    title = f"River of Gold: game {trace['game']} of seed {trace['seed']}, {trace['players']} players"
    return [title, "=" * len(title)]


def _ruled(title: str) -> str:
    return f"---- {title} ".ljust(WIDTH, "-")


# The set-up


def _set_up(facts: Facts, trace: Trace, teller: Teller) -> Iterator[str]:
    yield from ("", "Masteries")
    yield from _masteries(facts, trace)
    yield from ("", "Regions")
    yield from _regions(facts, trace, teller)
    yield from ("", "Buildings on the board")
    yield from _buildings(teller)
    yield from ("", "Building row, from its start to its end")
    yield from _row(teller)
    left = listing(f"{counted(tiles, 'tile')} of {era_name(era)}" for era, tiles in teller.stacks.items())
    yield f"  In the stacks: {left}"
    for seat in range(trace["players"]):
        yield ""
        yield from _seat(facts, trace, teller, seat)


def _masteries(facts: Facts, trace: Trace) -> list[str]:
    cards = {mastery.id: mastery for mastery in facts.mastery}
    points = ", ".join(map(str, facts.mastery_points[trace["players"]]))
    rows = [("mastery", "points", "needs")]
    rows += [(name, points, f"{cards[name].needs} ({cards[name].count})") for name in trace["setup"]["masteries"]]
    return table(rows, "lll")


def _regions(facts: Facts, trace: Trace, teller: Teller) -> list[str]:
    """List the points of each region and the cost of building there."""
    rows = [("region", "", "scores", "koku to build, by shore space")]
    for region, (name, points) in enumerate(zip(facts.regions.names, trace["setup"]["region_tiles"], strict=True), 1):
        spaces = [space for space in facts.shore if space.region == region and space.id not in teller.shore]
        costs = "   ".join(f"{space.id}: {space.cost}" for space in spaces)
        rows.append((str(region), name, ", ".join(map(str, points)), costs))
    lines = table(rows, "llll")
    if trace["players"] == 2 and facts.rulings.two_player_distance:
        within = counted(facts.scoring.second_place_within, "space")
        lines += paragraph(f"Second place scores only within {within} of the first.", 2)
    return lines


def _buildings(teller: Teller) -> list[str]:
    rows = [("shore space", "region", "building", "visitor")]
    for space, tile in sorted(teller.shore.items()):
        rows.append((str(space), str(teller.spaces[space].region), tile.id, reward_words(tile.visitor)))
    return table(rows, "rrll")


def _row(teller: Teller) -> list[str]:
    rows = [("building", "build bonus", "visitor", "owner")]
    for name in teller.state["row"]:
        tile = teller.tiles[name]
        rows.append((name, f"{tile.build} influence", reward_words(tile.visitor), reward_words(tile.owner)))
    return table(rows, "llll")


def _seat(facts: Facts, trace: Trace, teller: Teller, seat: int) -> Iterator[str]:
    """List what a seat begins with."""
    player = teller.state["seats"][seat]
    goods = ", ".join(f"{player[good]} {good}" for good in GOODS)
    upper, middle = player["ships"]
    yield capital(teller.name(seat))
    if teller.patrons:
        yield from paragraph(patron_words(teller.patron_cards[teller.patrons[seat]]), 2)
    yield from paragraph(
        f"{player['koku']} koku, {goods}, favor {player['favor']}/{player['favor_limit']}, "
        f"ships 0 and 1 at river spaces {upper} and {middle}, die {player['die']}",
        2,
    )
    cards = [teller.customers[card] for card in trace["setup"]["hands"][seat]]
    rows = [(card.id, f"orders {goods_words(card.order)}", ability_words(card, facts)) for card in cards]
    yield from table(rows, "lll")


# After a round


def _state(trace: Trace, teller: Teller) -> Iterator[str]:
    """Describe the whole state: a table of seats, their cards and buildings, the row, the claims."""
    state = teller.state
    types = {space: tile.type for space, tile in teller.shore.items()}
    yield from state_table(state, trace["bots"])
    for seat in range(trace["players"]):
        yield from paragraph(f"{seat_name(seat)}: {possessions(state, seat, types)}", 2)
    yield from paragraph(f"row, from start to end: {', '.join(state['row']) or 'empty'}", 2)
    claims = [
        f"{mastery} by {listing(map(seat_name, seats))}" for mastery, seats in state["masteries"].items() if seats
    ]
    if claims:
        yield from paragraph(f"masteries claimed: {', '.join(claims)}", 2)


# The end


def _final(facts: Facts, trace: Trace, teller: Teller) -> Iterator[str]:
    """Show the points of all seats by source, and the winner."""
    final, scoring, end = trace["final"], facts.scoring, teller.state["seats"]
    parts = final["breakdown"]
    rows = [["", *map(seat_name, range(trace["players"]))]]
    rows.append(["(a region's influence in brackets)", *(plain(bot) for bot in trace["bots"])])
    rows.append(["points of the game", *(str(part["in_game"]) for part in parts)])
    for region, name in enumerate(facts.regions.names):
        places = ", ".join(map(str, trace["setup"]["region_tiles"][region]))
        cells = [f"{parts[seat]['regions'][region]} [{player['influence'][region]}]" for seat, player in enumerate(end)]
        rows.append([f"{region + 1} {name} ({places})", *cells])
    labels = {
        "customers": "customers delivered to",
        "merchants": f"merchants (each 1 for {scoring.merchant_koku_per_point} koku left)",
        "artisans": f"artisans (each 1 for {scoring.artisan_goods_per_point} goods left)",
        "nobles": f"nobles (each {scoring.noble_points} for what it counts)",
    }
    rows += [[label, *(str(part[key]) for part in parts)] for key, label in labels.items()]
    rows.append(["total", *(str(points) for points in final["points"])])
    yield _ruled("Final scoring")
    yield from table(rows, "l" + "r" * trace["players"])
    for seat, player in enumerate(end):
        doubled = [card.removeprefix("elder-") for card in sorted(player["delivered"]) if card.startswith("elder-")]
        if doubled:
            yield from paragraph(f"Elders have doubled {seat_name(seat)}'s points in region {listing(doubled)}.", 2)
    yield ""
    yield from paragraph(_verdict(trace, teller))


def _verdict(trace: Trace, teller: Teller) -> str:
    points, winners = trace["final"]["points"], trace["final"]["winners"]
    tied = [seat for seat, total in enumerate(points) if total == max(points)]
    names = capital(listing(teller.name(seat) for seat in winners))
    score = counted(max(points), "point")
    favor = teller.state["seats"][winners[0]]["favor"]
    if len(winners) > 1:
        return f"{names} share the victory with {score} and {favor} favor left."
    if len(tied) > 1:
        others = listing(teller.name(seat) for seat in tied if seat not in winners)
        return f"{names} wins with {score} and {favor} favor left: more favor than {others} with as many points."
    return f"{names} wins with {score}."
