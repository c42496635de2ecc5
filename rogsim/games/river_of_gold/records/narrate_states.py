"""States of a trace as text: the state before the first turn, a state as a table, and changes between two states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rogsim.game.kit.narration import plain, seat_name, table, unbroken
from rogsim.games.river_of_gold.components.load import GOOD_SPACE, Facts
from rogsim.games.river_of_gold.components.names import GOODS, HYOBU, PATRONS, REGIONS
from rogsim.games.river_of_gold.records.narrate_words import reward_words

State = Mapping[str, Any]  # as in `after` of a turn

REGION_COLUMNS = " ".join(f"r{region}" for region in range(1, REGIONS + 1))
COLUMNS = ("seat", "koku", "silk", "rice", "porc.", "favor", "points", REGION_COLUMNS, "ships", "royal", "die")


def state_at_start(facts: Facts, trace: Mapping[str, Any]) -> State:
    """Return the state before the first turn, in the form of a turn's `after`."""
    setup, start = trace["setup"], facts.setup
    bonus = {patron.id: patron.bonus_koku for patron in facts.patron}
    patrons = setup["patrons"] or [None] * trace["players"]
    seats = [
        {
            "koku": min(start.koku_by_turn_order[seat] + bonus.get(patron, 0), facts.limits.koku),
            **{good: getattr(start.goods, good) for good in GOODS},
            "favor": start.favor,
            "favor_limit": start.favor_limit,
            "points": 0,
            "influence": [0] * REGIONS,
            "ships": setup["ships"][seat],
            "royal": None,
            "die": setup["dice"][seat],
            "hand": sorted(setup["hands"][seat]),
            "delivered": [],
        }
        for seat, patron in enumerate(patrons)
    ]
    return {"seats": seats, "row": setup["era1"][: start.building_row][::-1], "markers": {}, "masteries": {}}


def owners_of(state: State, space: int) -> list[int]:
    """Return the seats with markers on a shore space, once for each marker."""
    return list(state["markers"].get(str(space), ()))


def owned_spaces(state: State, seat: int) -> list[int]:
    """Return the shore spaces with a marker of the seat, in ascending order."""
    return sorted(int(space) for space, seats in state["markers"].items() if seat in seats)


def state_table(state: State, bots: list[str]) -> list[str]:
    """Return a table of koku, goods, favor, points, influence by region, ships and die of all seats."""
    rows: list[Sequence[str]] = [COLUMNS]
    for seat, bot in enumerate(bots):
        player = state["seats"][seat]
        rows.append(
            (
                f"{seat + 1} {plain(bot)}",
                *(str(player[key]) for key in ("koku", *GOODS)),
                f"{player['favor']}/{player['favor_limit']}",
                str(player["points"]),
                " ".join(f"{space:2}" for space in player["influence"]),
                " ".join(f"{space:2}" for space in player["ships"]),
                "-" if player["royal"] is None else str(player["royal"]),
                str(player["die"]),
            )
        )
    lines = table(rows, "l" + "r" * (len(COLUMNS) - 1))
    return [" " * lines[0].index(REGION_COLUMNS) + "influence by region", *lines]


def changes(facts: Facts, patrons: list[str] | None, before: State, after: State, seat: int) -> list[str]:
    """List what changed for a seat: koku, goods, favor, points, and influence with the rewards of the move."""
    old, new = before["seats"][seat], after["seats"][seat]
    found = []
    for key in ("koku", *GOODS):
        if old[key] != new[key]:
            limit = facts.limits.koku if key == "koku" else facts.limits.good
            full = " (the most)" if new[key] == limit else ""
            found.append(unbroken(f"{key} {old[key]} -> {new[key]}{full}"))
    if (old["favor"], old["favor_limit"]) != (new["favor"], new["favor_limit"]):
        found.append(unbroken(f"favor {old['favor']}/{old['favor_limit']} -> {new['favor']}/{new['favor_limit']}"))
    if old["points"] != new["points"]:
        found.append(unbroken(f"points {old['points']} -> {new['points']}"))
    for region in range(REGIONS):
        start, goal = old["influence"][region], new["influence"][region]
        if start != goal:
            rewards = ", ".join(track_rewards(facts, region, start, goal))
            move = unbroken(f"region {region + 1} influence {start} -> {goal}")
            found.append(f"{move} ({rewards})" if rewards else move)
    if patrons and patrons[seat] == PATRONS[HYOBU]:
        found += [unbroken(f"overtaken in region {region + 1}") for region in overtaken(before, after, seat)]
    return found


def track_rewards(facts: Facts, region: int, start: int, goal: int) -> Iterator[str]:
    """Yield the rewards of the track spaces that a marker passed or reached; regions count from 0."""
    # Not every space between: a trace from a stranger may name any number as the goal.
    spaces = {GOOD_SPACE, facts.track.imperial_flower, *facts.track.rewards}
    for space in sorted(space for space in spaces if start < space <= goal):
        if space == GOOD_SPACE:
            yield f"1 {facts.track.good_at_2[region]} at {space}"
        if space in facts.track.rewards:
            yield f"{reward_words(facts.track.rewards[space])} at {space}"
        if space == facts.track.imperial_flower:
            yield f"imperial flower at {space}"


def overtaken(before: State, after: State, seat: int) -> Iterator[int]:
    """Yield the regions, from 0, in which another marker overtook a seat's."""
    for region in range(REGIONS):
        old, new = ([player["influence"][region] for player in state["seats"]] for state in (before, after))
        if any(old[other] < old[seat] and new[other] > new[seat] for other in range(len(old))):
            yield region


def possessions(state: State, seat: int, buildings: Mapping[int, str]) -> str:
    """List a seat's customers, deliveries and buildings; `buildings` has types by space."""
    player = state["seats"][seat]
    owned = [f"{buildings[space]} {space}{_shared(state, space, seat)}" for space in owned_spaces(state, seat)]
    parts = [f"holds {', '.join(player['hand']) or 'no customers'}"]
    parts += [f"delivered to {', '.join(player['delivered'])}"] if player["delivered"] else []
    parts += [f"owns {', '.join(unbroken(building) for building in owned)}"] if owned else []
    return "; ".join(parts)


def _shared(state: State, space: int, seat: int) -> str:
    """Return whose second marker is on a building, if there is one."""
    owners = owners_of(state, space)
    if len(owners) < 2:
        return ""
    others = [seat_name(owner) for owner in owners if owner != seat]
    return f" with {others[0]}" if others else " twice"
