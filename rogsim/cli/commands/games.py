"""`rogsim games`: lists the games."""

from __future__ import annotations


def games() -> None:
    """List the installed games."""
    from rogsim.game.registry import game_names, get_game

    for name in game_names():
        spec = get_game(name)
        print(f"{name}  {spec.title}, {', '.join(map(str, spec.players))} players, rules {spec.version}")
