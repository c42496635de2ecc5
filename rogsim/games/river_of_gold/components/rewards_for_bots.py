"""What bots look up about rewards instead of computing it again and again."""

from __future__ import annotations

from typing import Any

VISITOR, OWNER = range(2)  # of `tables.rough_rewards`

# The rough worth of one of each reward in points, to compare sails.
KOKU_WORTH, GOOD_WORTH, FAVOR_WORTH, STEP_WORTH, JOURNEY_WORTH = 0.4, 1.0, 0.9, 0.7, 2.0


def note_rewards(tables: Any) -> None:
    """Note the parts of the numbered rewards side by side, as compiled code reads them, and their rough worth."""
    tiles = tables.tiles[: tables.rough_rewards.shape[1]]
    for number, reward in enumerate([*tables.track_rewards, *(tile.owner for tile in tiles)]):
        parts = (reward.points, reward.favor, reward.koku, reward.goods_in_all, reward.influence)
        tables.reward_parts[:, number] = parts
    for number, tile in enumerate(tiles):
        tables.rough_rewards[VISITOR, number] = rough_reward(tile.visitor)
        tables.rough_rewards[OWNER, number] = rough_reward(tile.owner)


def rough_reward(reward: Any) -> float:
    """Return the rough worth of a reward."""
    koku = float(reward.koku) + 2.0 * float(reward.koku_per_any)
    worth = float(reward.points) + KOKU_WORTH * koku + GOOD_WORTH * float(reward.goods_in_all)
    return worth + FAVOR_WORTH * float(reward.favor) + STEP_WORTH * float(reward.influence)
