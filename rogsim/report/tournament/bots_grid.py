"""The table of the bots that played."""

from __future__ import annotations

import polars as pl

from rogsim.report.document import Grid, TableColumn
from rogsim.scenario.model import Experiment


def bots_grid(experiment: Experiment) -> Grid:
    """Return the bots with the hashes of their sources and weights."""
    rows = [
        {"bot": bot.name, "source": bot.source_hash, "weights": bot.weights_hash} for bot in experiment.sources.values()
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    heads = {"source": "hash of its source", "weights": "hash of its weights"}
    shown = tuple(TableColumn(name, heads.get(name, name)) for name in frame.columns)
    return Grid("bots-used", "Who played", shown, frame)
