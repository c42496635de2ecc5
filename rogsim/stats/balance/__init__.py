"""Everything that a balance report computes from one folder of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rogsim.stats.balance.measure import Balance as Balance
    from rogsim.stats.balance.measure import PlayersBalance as PlayersBalance
    from rogsim.stats.balance.measure import balance as balance

__all__ = ["Balance", "PlayersBalance", "balance"]


def __getattr__(name: str) -> Any:
    """Import it only when it is used: a run needs little of this package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rogsim.stats.balance import measure

    return getattr(measure, name)
