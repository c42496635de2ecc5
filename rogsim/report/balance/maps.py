"""Heat maps of a section: one for each folder, all on one scale of colours, with what they show in words."""

from __future__ import annotations

from functools import partial

import polars as pl

from rogsim.report.balance.pieces import extremes
from rogsim.report.balance.sources import Material
from rogsim.report.document import Picture
from rogsim.report.figures.heat_map import convention, heat_map, judged, reach_of

ONE_SCALE = " All bots share one scale of colours."


def maps(material: Material, frame: pl.DataFrame, name: str, caption: str, what: str, bar: str) -> tuple[Picture, ...]:
    """Return a heat map for each folder, with a panel for each player count.

    frame: bots, players, row, column, value, low, high; maybe q and n. caption: what the fields are, with a place for
    who played. what: the same in short, for the text in the place of the figure. bar: what the colours are.
    """
    reach, scale = reach_of(frame), "" if material.single else ONE_SCALE
    return tuple(
        Picture(
            own_name,
            f"{caption.format(who=who)} {convention(part)}{scale}",
            f"Heat map of {what}{who}. {map_words(part)}",
            partial(heat_map, part, bar, reach=reach),
        )
        for own_name, who, part in material.by_source(frame, name)
    )


def map_words(part: pl.DataFrame) -> str:
    """Say in words what a heat map shows: how many fields are distinguishable from 0, and the ends of each panel."""
    fields = judged(part)
    known, clear = int(fields["known"].sum()), int(fields["clear"].sum())
    told = fields.with_columns(pl.format("{}, {}", "row", "column").alias("level"))
    return f"{clear} of {known} fields are distinguishable from 0. {extremes(told)}"
