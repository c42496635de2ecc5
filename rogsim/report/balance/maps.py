"""Heat maps of a section: one for each set of bots, all on the same colour scale, each described in words."""

from __future__ import annotations

from functools import partial

import polars as pl

from rogsim.report.balance.pieces import extremes
from rogsim.report.balance.sources import Material
from rogsim.report.document import Picture
from rogsim.report.figures.heat_map import convention, heat_map, judged, reach_of

ONE_SCALE = " The maps of all sets of bots share one colour scale."


def maps(material: Material, frame: pl.DataFrame, name: str, caption: str, what: str, bar: str) -> tuple[Picture, ...]:
    """Return a heat map for each set of bots, with a panel for each player count.

    Parameters
    ----------
    frame
        Columns bots, players, row, column, value, low and high; optionally q and n.
    name
        Start of the figures' names.
    caption
        What the cells show, with the placeholder {who} for the set of bots.
    what
        The same in short, for the alternative text.
    bar
        Label of the colour bar.
    """
    reach, scale = reach_of(frame), "" if material.single else ONE_SCALE
    return tuple(
        Picture(
            figure_name,
            f"{caption.format(who=who)} {convention(part)}{scale}",
            f"Heat map of {what}{who}. {map_words(part)}",
            partial(heat_map, part, bar, reach=reach),
        )
        for figure_name, who, part in material.by_source(frame, name)
    )


def map_words(part: pl.DataFrame, unit: str = " pp") -> str:
    """Describe a heat map in words: how many cells are distinguishable from 0, and the extremes of each panel."""
    fields = judged(part)
    known, clear = int(fields["known"].sum()), int(fields["clear"].sum())
    named = fields.with_columns(pl.format("{}, {}", "row", "column").alias("level"))
    return f"{clear} of {known} cells are distinguishable from 0. {extremes(named, unit)}"
