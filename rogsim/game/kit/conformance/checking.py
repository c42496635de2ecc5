"""All checks of a game, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.game.kit.conformance.both_sides import check_both_sides
from rogsim.game.kit.conformance.declarations import lost_names, what_prevents_play
from rogsim.game.kit.conformance.faults import EndlessError, FaultyError, attempt
from rogsim.game.kit.conformance.played_games import check_many, check_replay
from rogsim.game.kit.conformance.random_walk import RandomWalk
from rogsim.game.kit.game_faults import GameFault
from rogsim.game.registry import get_game, why_not_imported
from rogsim.game.spec import GameSpec

MORE = 10  # times as many games are played by the play loop only


def problems_of(where: str, games: int = 3, other_side: bool = True) -> list[str]:
    """Check a game, and return its problems; an empty list if there are none.

    First its declarations: player counts, columns, options, samples, the names of bots, what topics are about. Then
    random games are played, with every player count and every entry of `GameSpec.samples`. In each of them: the same
    deal gives the same game, and the bots of all seats have keys of their own; there is always a legal action, the menu
    holds all of them, each is listed once and in other words than the rest, and what is legal depends only on what the
    actor sees; an action always leads to the same state; nobody's view changes when everything hidden from it is dealt
    anew, and worlds that are dealt differ; every view can be described, and its vector is within its bounds; the game
    ends, within `Rules.most_turns`; ranks and win shares fit together. At last games are played by the play loop: the
    rows fit the columns, a replay of their actions gives the same rows, and they are the same compiled and uncompiled.

    Of each player count and sample the first fault is listed, unless it was the same with another one.

    Parameters
    ----------
    where
        The id of a game, or the module and the variable that hold its `GameSpec`, as `package.module:NAME`.
    games
        Games for each player count and sample that are checked decision by decision. The play loop plays ten times as
        many, in which ties and other rare events come up.
    other_side
        Whether to play the games uncompiled as well, or compiled if this process is uncompiled, in a second process.
    """
    spec = game_at(where)
    found = [*what_prevents_play(spec)]
    if found:
        return found
    found += [*lost_names(spec), *_faulty_games(spec, games)]
    if other_side and not found:
        try:
            check_both_sides(spec, where, games)
        except FaultyError as fault:
            found.append(str(fault))
    return found


def _faulty_games(spec: GameSpec, games: int) -> Iterator[str]:
    """Yield the first fault with each player count and sample, but each fault only once."""
    seen: set[str] = set()
    for players in spec.players:
        for sample in spec.samples:
            try:
                for deal in range(games):
                    check_game(spec, players, sample, deal)
                attempt("the game", check_many, spec, players, sample, games * MORE)
            except FaultyError as fault:
                if str(fault) not in seen:
                    yield f"{players} players, {dict(sample)}{fault.place}: {fault}"
                seen.add(str(fault))
                if isinstance(fault, EndlessError):
                    return  # the others would take as long


def game_at(where: str) -> GameSpec:
    """Return the game of an id, or that in a variable of a module, `package.module:NAME`; RogsimError if it fails."""
    module, colon, name = where.partition(":")
    if not colon:
        if "." in where:
            raise RogsimError(f"{where}: the variable is missing; name a game as package.module:NAME")
        return get_game(where)
    try:
        found = import_module(module)
    except (Exception, SystemExit) as fault:  # the code of a game may fail in any way
        if isinstance(fault, ModuleNotFoundError) and f"{module}.".startswith(f"{fault.name}."):
            raise RogsimError(f"{where}: {fault}; name a game as package.module:NAME") from fault
        raise RogsimError(f"{where}: {why_not_imported(fault)}") from fault
    spec = getattr(found, name, None)
    if spec is None:
        raise RogsimError(f'{where}: the module has no variable "{name}"; name a game as package.module:NAME')
    if not isinstance(spec, GameSpec):
        raise RogsimError(f"{where}: is not a GameSpec")
    return spec


def check_game(spec: GameSpec, players: int, sample: Mapping[str, Any], deal: int) -> None:
    """Play a game at random decision by decision, then by the play loop; FaultyError if something is wrong."""
    setup = _setup_for(spec, players, sample)
    try:
        RandomWalk(spec, setup, players, deal).play()
        attempt("the game", check_replay, spec, setup, players, sample, deal)
    except FaultyError as fault:
        fault.place = f", deal {deal}{fault.place}"
        raise


def _setup_for(spec: GameSpec, players: int, sample: Mapping[str, Any]) -> Any:
    """Return what `prepare` returns; FaultyError if it refuses the options, or fails."""
    try:
        return spec.set_up(spec.options(**sample), players)
    except GameFault as fault:
        raise FaultyError(fault.what) from fault
    except (RogsimError, ValueError) as refused:  # in plain words
        raise FaultyError(" ".join(str(refused).split())) from refused
