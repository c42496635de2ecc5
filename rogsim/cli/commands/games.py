"""`rogsim games`: lists the games."""

from __future__ import annotations


def games() -> None:
    """List the installed games."""
    from rogsim.base.prose import write_pairs
    from rogsim.game.registry import RegistryError, game_names, get_game

    broken, listed = [], []
    for name in game_names():
        try:
            spec = get_game(name)
        except RegistryError as fault:
            broken.append(str(fault))
            continue
        listed.append((name, f"{spec.title}, {', '.join(map(str, spec.players))} players, rules {spec.version}"))
    write_pairs(listed)
    if broken:
        raise RegistryError("\n".join(broken))
