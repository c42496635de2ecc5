"""The components of River of Gold, and its set-up: drawn at random, or read from a trace and checked."""

import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .basics import Facts, Mismatch, by_id, read_components

DIE_FACES = 6
CUSTOMERS_DRAWN_ON_DELIVERY = 2

# Some numbers may be given only in a sentence; these are used then.
GIVEN_IN_SENTENCES: dict[str, dict[str, dict[str, int]]] = {
    "patron": {
        "kaiu-shihobu": {"bonus_koku": 10},
        "yasuki-taka": {"points": 1},  # for each river space
        "yoritomo": {"bonus_customers": 1},
        "kudaka": {"points": 3},
        "daidoji-uji": {"points": 2},
        "kakita-ryoku": {"cost_favor": 1},
        "shosuro-hyobu": {"points": 3},
    },
    "mastery": {
        "air": {"count": 3},
        "courts": {"count": 1},
        "earth": {"count": 3},
        "fire": {"count": 2},
        "void": {"count": 6, "influence": 1},
        "water": {"count": 4},
    },
}


# ---------------------------------------------------------------------------------------------------- figures


def load_facts(path: str | Path) -> Facts:
    """Read the components from one TOML file, or from all TOML files of a folder together.

    If a row gives a number only in its sentence or code, the number is added to the row.
    """
    facts = read_components(path)
    for kind, effects in GIVEN_IN_SENTENCES.items():
        facts[kind] = [effects.get(row["id"], {}) | row for row in facts[kind]]
    facts["customer"] = [_customer_figures(row) | row for row in facts["customer"]]
    return facts


def _customer_figures(row: dict[str, Any]) -> dict[str, int]:
    """Read the number from a merchant's or noble's code: "koku_3" is worth 3, "favor" is worth 1."""
    number = re.search(r"\d+", row.get("journey") or row.get("royal_ship") or "")
    return {"amount": int(number.group()) if number else 1, "end_points": 1}


# ----------------------------------------------------------------------------------------------------- set-up


def region_tile_set(facts: Facts, players: int) -> list[list[int]]:
    """List the six region scoring tiles of this player count; last places without points are omitted."""
    key = "two_players" if players == 2 else "three_or_four_players"
    tiles = [list(tile) for tile in facts["region_tiles"][key]]
    return [tile[: max((place for place, points in enumerate(tile, 1) if points), default=0)] for tile in tiles]


def starting_spaces(facts: Facts, players: int) -> list[int]:
    """List the shore spaces that hold a starting tile with this player count."""
    kinds = {2: {"start23", "start2"}, 3: {"start23"}, 4: set()}[players]
    return [row["id"] for row in facts["shore"] if row["kind"] in kinds]


def imperial_spaces(facts: Facts) -> list[int]:
    """List the shore spaces of the imperial markets."""
    return [row["id"] for row in facts["shore"] if row["kind"] == "imperial"]


def tile_copies(facts: Facts, which: str) -> list[str]:
    """List the ids of a set's tiles ("era1", "era2", "start", "imperial"), each as often as it is printed."""
    return [row["id"] for row in facts["tile"] if row["set"] == which for _ in range(row["copies"])]


def opening_hand(facts: Facts, patron: str | None) -> int:
    """Count the cards of an opening hand."""
    bonus = by_id(facts["patron"])[patron].get("bonus_customers", 0) if patron else 0
    return int(facts["setup"]["hand"] + bonus)


def deal(facts: Facts, deck: list[str], players: int, patrons: list[str] | None) -> list[list[str]]:
    """Deal the opening hands from the top of the deck, one whole hand after the other.

    Patrons are taken before any card is dealt (R34), so Yoritomo's third card is dealt with the other two,
    and the hand after his starts one card deeper.
    """
    hands, top = [], 0
    for seat in range(players):
        size = opening_hand(facts, patrons[seat] if patrons else None)
        hands.append(deck[top : top + size])
        top += size
    return hands


SETUP_KEYS = {
    "region_tiles",
    "masteries",
    "shore",
    "era1",
    "era2",
    "deck",
    "hands",
    "patrons",
    "ships",
    "dice",
}


def check_setup(facts: Facts, setup: dict[str, Any], players: int) -> None:
    """Raise Mismatch unless the set-up is possible by the rules."""

    def check(fine: bool, what: str, expected: object, found: object) -> None:
        if not fine:
            raise Mismatch(f"set-up, {what}: expected {expected}, found {found}")

    check(players in (2, 3, 4), "players", "2, 3 or 4", players)
    check(set(setup) == SETUP_KEYS, "keys", sorted(SETUP_KEYS), sorted(setup))

    tiles = region_tile_set(facts, players)
    check(
        sorted(setup["region_tiles"]) == sorted(tiles),
        "region tiles",
        f"some order of {tiles}",
        setup["region_tiles"],
    )

    known = [row["id"] for row in facts["mastery"]]
    drawn = setup["masteries"]
    fine = len(drawn) == len(set(drawn)) == facts["setup"]["masteries"] and set(drawn) <= set(known)
    check(fine, "masteries", f"{facts['setup']['masteries']} different ones of {known}", drawn)

    _check_shore(facts, setup["shore"], players, check)

    for era, size in zip(("era1", "era2"), facts["setup"]["era_tiles"][str(players)], strict=True):
        stack, printed = setup[era], Counter(tile_copies(facts, era))
        check(len(stack) == size, f"{era} stack", f"{size} tiles", len(stack))
        check(not Counter(stack) - printed, f"{era} stack", f"{era} tiles, none twice", stack)

    customers = [row["id"] for row in facts["customer"]]
    check(sorted(setup["deck"]) == sorted(customers), "deck", "every customer once", setup["deck"])
    _check_patrons(facts, setup["patrons"], players, check)
    hands = deal(facts, setup["deck"], players, setup["patrons"])
    # The order of the cards in a hand means nothing, so a sorted hand is as good as a dealt one.
    check(
        [sorted(hand) for hand in setup["hands"]] == [sorted(hand) for hand in hands],
        "hands",
        hands,
        setup["hands"],
    )

    check(len(setup["ships"]) == players, "ships", f"two for each of {players} seats", setup["ships"])
    starts, spaces = facts["setup"]["ship_spaces"], len(facts["river"]["shore"])
    for ships in setup["ships"]:
        fine = len(ships) == len(starts) and all(
            (to - start) % spaces in range(1, DIE_FACES + 1) for start, to in zip(starts, ships, strict=True)
        )
        check(fine, "ships", f"one roll from {starts}", ships)
    fine = len(setup["dice"]) == players and all(face in range(1, DIE_FACES + 1) for face in setup["dice"])
    check(fine, "dice", f"{players} faces of a die", setup["dice"])


def _check_shore(facts: Facts, shore: dict[str, str], players: int, check: Callable[..., None]) -> None:
    placed = {int(space): tile for space, tile in shore.items()}
    imperial, starting = imperial_spaces(facts), starting_spaces(facts, players)
    count = facts["setup"]["starting_tiles"][str(players)]
    check(len(starting) == count, "starting spaces of the board", count, starting)
    check(
        sorted(placed) == sorted(imperial + starting),
        "shore spaces with a tile",
        imperial + starting,
        sorted(placed),
    )
    markets = sorted(placed[space] for space in imperial)
    check(
        markets == sorted(tile_copies(facts, "imperial")),
        "imperial markets",
        tile_copies(facts, "imperial"),
        markets,
    )
    begun = [placed[space] for space in starting]
    check(
        not Counter(begun) - Counter(tile_copies(facts, "start")),
        "starting tiles",
        tile_copies(facts, "start"),
        begun,
    )


def _check_patrons(facts: Facts, patrons: list[str] | None, players: int, check: Callable[..., None]) -> None:
    if patrons is None:
        return
    clan = {row["id"]: row["clan"] for row in facts["patron"]}
    check(
        len(patrons) == players and set(patrons) <= set(clan),
        "patrons",
        f"{players} of {sorted(clan)}",
        patrons,
    )
    # There is one board of each clan, in a draft as in the alternative (R34).
    check(
        len({clan[patron] for patron in patrons}) == players,
        "patrons",
        "a different clan for each seat",
        patrons,
    )


def random_setup(
    facts: Facts,
    players: int,
    patrons: list[str] | str | None,
    masteries: list[str] | None,
    rng: random.Random,
) -> dict[str, Any]:
    """Draw a set-up.

    `patrons`: None for a game without, "random" for a different clan for each seat, or the ids by seat.
    `masteries`: the ids, or None to draw them.
    """
    if isinstance(patrons, str):
        patrons = _random_patrons(facts, players, rng)
    if masteries is None:
        masteries = rng.sample([row["id"] for row in facts["mastery"]], facts["setup"]["masteries"])
    shore = dict(zip(imperial_spaces(facts), _shuffled(tile_copies(facts, "imperial"), rng), strict=True))
    shore |= dict(zip(starting_spaces(facts, players), _shuffled(tile_copies(facts, "start"), rng), strict=False))
    sizes = facts["setup"]["era_tiles"][str(players)]
    deck = _shuffled([row["id"] for row in facts["customer"]], rng)
    return {
        "region_tiles": _shuffled(region_tile_set(facts, players), rng),
        "masteries": list(masteries),
        "shore": {str(space): tile for space, tile in shore.items()},
        "era1": rng.sample(tile_copies(facts, "era1"), sizes[0]),
        "era2": rng.sample(tile_copies(facts, "era2"), sizes[1]),
        "deck": deck,
        "hands": deal(facts, deck, players, patrons),
        "patrons": patrons,
        "ships": [
            [(start + _roll(rng) - 1) % len(facts["river"]["shore"]) + 1 for start in facts["setup"]["ship_spaces"]]
            for _ in range(players)
        ],
        "dice": [_roll(rng) for _ in range(players)],
    }


def _random_patrons(facts: Facts, players: int, rng: random.Random) -> list[str]:
    clans = sorted({row["clan"] for row in facts["patron"]})
    return [
        rng.choice([row["id"] for row in facts["patron"] if row["clan"] == clan]) for clan in rng.sample(clans, players)
    ]


def _shuffled(items: list[Any], rng: random.Random) -> list[Any]:
    return rng.sample(items, len(items))


def _roll(rng: random.Random) -> int:
    return rng.randint(1, DIE_FACES)
