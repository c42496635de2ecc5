"""Learning environments for any game: `env`, `parallel_env` and `BatchedGames`.

The first two need the extra `rogsim[rl]`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rogsim.base.errors import RogsimError

if TYPE_CHECKING:
    from rogsim.environments.batched_games import BatchedGames as BatchedGames
    from rogsim.environments.game_env import GameEnv as GameEnv
    from rogsim.environments.game_env import env as env
    from rogsim.environments.parallel_game_env import ParallelGameEnv as ParallelGameEnv
    from rogsim.environments.parallel_game_env import parallel_env as parallel_env

__all__ = ["BatchedGames", "GameEnv", "ParallelGameEnv", "env", "parallel_env"]

_HOMES = {
    "BatchedGames": "batched_games",
    "GameEnv": "game_env",
    "ParallelGameEnv": "parallel_game_env",
    "env": "game_env",
    "parallel_env": "parallel_game_env",
}
_EXTRA = ("pettingzoo", "gymnasium")


def __getattr__(name: str) -> Any:
    """Import what is asked for; RogsimError if the extra is missing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"{__name__}.{_HOMES[name]}")
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in _EXTRA:
            raise
        raise RogsimError(f'{__name__}.{name}: needs the extra rogsim[rl]: pip install "rogsim[rl]"') from missing
    return getattr(module, name)


def __dir__() -> list[str]:
    """Return all names, also those that are not imported yet, so that Tab completes them."""
    return sorted({*globals(), *__all__})
