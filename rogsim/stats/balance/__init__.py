"""Everything that a balance report computes from one folder of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rogsim.stats.balance.measure import balance as balance
    from rogsim.stats.balance.measured import Balance as Balance
    from rogsim.stats.balance.measured import PlayersBalance as PlayersBalance

__all__ = ["Balance", "PlayersBalance", "balance"]

# Imported only when used: a run needs little of it.
_HOMES = {"balance": "measure", "Balance": "measured", "PlayersBalance": "measured"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
