"""`derived`: what follows for `Rules` from the fields that a game declares, of a plain game and of any other.

A game with rules, tables and traces of its own declares its state as a plain game does, and passes on what follows::

    class Player:
        points: Count[0, 500]
        hand: Own[Members[CARDS]]                  # only its seat sees it
        tiles: Listed[Slot[TILES], SPOTS] = counted("tile_count")
        tile_count: Count[0, SPOTS]
        ledger: Ledger                             # a class of fields: noted for results, and not shown

    class Secret:
        key: Key
        deck: Stack[CARDS] = undrawn("deck_left")

    class State:
        players: Seats[Player]
        seats: Count[2, MAX_SEATS]
        turn: Count[0, MOST_TURNS]
        actor: Seat
        phase: OneOf[PHASES]
        discards: Members[CARDS]
        offers: Seats[Members[ROLES]]              # one for each seat
        agenda: Listed[Bits[31], 32]               # what only the rules read is not shown
        deck_left: Count[0, len(CARDS)]
        secret: Hidden[Secret]                     # nobody sees it: 0 in every view

    PARTS = Parts.of(State, MAX_SEATS)             # PARTS.record is the dtype of a state
    RULES = Rules(**derived(PARTS, bots=BOT), tables=TABLES, ...)

The kinds are those of `rogsim.game.kit.kinds` and `rogsim.game.plain.fields`. Each number is stored in the fewest bytes
that hold its range; the fields are stored in their order, and what is nested in a player begins on a cache line.

Components that are in no list, slot, set or pile that the seat sees are dealt anew to the stacks, set by set in the
order of the fields. A game whose hidden components must fit more than that declares them as lists and sets, and deals
them itself: `deal(tables, world, seat, stream)` is called once `world` is a copy of the view with a new key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rogsim.game.functions import callable_by_rules
from rogsim.game.plain import hidden, words
from rogsim.game.plain.fields import faults_of
from rogsim.game.plain.hidden import Parts


def derived(
    parts: Parts,
    bots: int = 0,
    deal: Callable[[Any, Any, int, Any], None] | None = None,
    invariant: Callable[[Any, Any], str] | None = None,
) -> dict[str, Any]:
    """Return the attributes of `Rules` that follow from the fields of a game.

    Parameters
    ----------
    parts
        The fields.
    bots
        The purpose of chance of the bot of the first seat; those of the others follow.
    deal
        (tables, world, seat, stream): what the game itself does in a world that was dealt.
    invariant
        (tables, state): what cannot be, in words; empty if nothing is wrong.
    """
    set_aside, put_back = hidden.setting_aside(parts)
    deal = callable_by_rules(deal) if deal else None

    def faults(tables: Any, state: Any) -> Iterator[str]:
        yield from faults_of(parts.state, state, "State.")
        for seat in range(int(state.seats)):
            yield from faults_of(parts.player, state.players[seat], "Player.")
        yield from hidden.lost_cards(parts, state)
        if invariant is not None and (wrong := invariant(tables, state)):
            yield str(wrong)

    return {
        "state": parts.record,
        "hidden": parts.hidden,
        "hide": hidden.hiding(parts),
        "set_aside": set_aside,
        "put_back": put_back,
        "deal_world": hidden.dealing(parts, deal),
        "bot_key": hidden.keying(parts, bots),
        "describe": lambda setup, view, seat, chance: words.described(parts, view, seat, chance, setup.facts),
        "faults": faults,
        "vector": lambda setup: words.vector_fields(parts),
    }
