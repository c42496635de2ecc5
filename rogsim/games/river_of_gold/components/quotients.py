"""What bots look up instead of dividing, which takes a processor longer than anything else that they do."""

from __future__ import annotations

from typing import Any

import numpy as np


def note_quotients(tables: Any) -> None:
    """Note by number of koku, goods or favor: the square divided by the limit, and the points for one customer."""
    for squares, limit in (
        (tables.koku_squares, tables.koku_limit),
        (tables.good_squares, tables.good_limit),
        (tables.favor_squares, tables.favor_limit_end),
    ):
        numbers = np.arange(len(squares), dtype=np.float64)
        squares[:] = numbers * numbers / max(float(limit), 1.0)  # nobody has any if the limit is 0
    tables.points_for_koku[:] = np.arange(len(tables.points_for_koku)) // int(tables.merchant_koku_per_point)
    tables.points_for_goods[:] = np.arange(len(tables.points_for_goods)) // int(tables.artisan_goods_per_point)
