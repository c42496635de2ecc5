"""Playing a game on from a position many times, with all that is hidden and all chance to come dealt anew."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel
from rogsim.game.kit import calls, loop
from rogsim.game.kit.learning import action_of
from rogsim.game.kit.workspace import make_view
from rogsim.game.rng import stream_key
from rogsim.game.rules import MOST_DECISIONS, NO_ACTION


@kernel
def play_on(
    tables: Any,
    workspace: Any,
    bots: Any,
    weights: Any,
    seating: Any,
    position: Any,
    viewer: int,
    actions: Any,
    key: Any,
    first: int,
    world: Any,
    stream: Any,
    shares: Any,
) -> int:
    """Play the game on in some worlds, in each once after every action: all actions meet the same worlds and chance.

    Parameters
    ----------
    tables, workspace, bots, weights
        As in `rogsim.game.kit.loop.play_games`.
    seating : int64[seats]
        The bot at each seat. Bots remember nothing from before.
    position, world
        Records of the dtype `Rules.holder`: the position, and memory for a world.
    viewer
        The seat as whose view the worlds are dealt.
    actions : int64[m]
        What the actor does first; NO_ACTION leaves that to its bot.
    key, first
        The worlds are numbered from `first`; the key and its number determine a world.
    stream
        A STREAM record.
    shares : float64[worlds, m, seats]
        Receives the win shares.

    Returns
    -------
    int
        The worlds in which every game has ended.
    """
    loop.prepare_arguments(tables, workspace, weights)
    for number in range(len(shares)):
        own_key = stream_key(key, first + number)
        stream.key, stream.count = own_key, 0
        workspace.game = position.game
        make_view(workspace, viewer)
        calls.deal_world(tables, workspace.bot_view, viewer, stream, world)
        for place in range(len(actions)):
            workspace.game = world.game
            for other in range(len(seating)):
                loop.seat_bot(workspace, other, int(seating[other]), stream_key(own_key, other))
            action, decisions = int(actions[place]), 0
            while action != NO_ACTION or not calls.is_over(workspace.game):
                if decisions == MOST_DECISIONS:
                    return number
                if action == NO_ACTION:
                    action = action_of(tables, workspace, bots, int(seating[calls.actor(workspace.game)]))
                calls.apply(tables, workspace.game, action)
                action, decisions = NO_ACTION, decisions + 1
            calls.score(tables, workspace.game, workspace.scores)
            for other in range(len(seating)):
                shares[number, place, other] = workspace.scores[other].win_share
    return len(shares)
