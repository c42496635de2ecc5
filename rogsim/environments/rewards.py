"""What the environments reward at the end of a game."""

from __future__ import annotations

from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed

REWARDS = ("win_share", "points")


def check_reward(reward: Any) -> str:
    """Return the name of a reward; RogsimError for any other."""
    if reward not in REWARDS:
        raise RogsimError(f"reward: {not_allowed(reward, 'choose from ' + ', '.join(REWARDS))}")
    return str(reward)
