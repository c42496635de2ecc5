"""A curve: one number of the game is varied, and a level (a seat, a character) wins more or less often."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rogsim.base.text import capital, listing
from rogsim.report import words
from rogsim.report.document import AGAINST_FAIR, TITLES, Badge, Grid, Picture, Section, TableColumn
from rogsim.report.figures.style import BAND, INK, colour, legend_of, new_figure, styled
from rogsim.report.sentences import MOST_NAMED, TOO_FEW, inner, margin_words
from rogsim.scenario.axes import Axis
from rogsim.stats.contrasts import columns, scaled, table
from rogsim.stats.judgement import Curve, Judgement, Kind

WORST: Sequence[Badge] = ("out", "open", "slight", "fair", "fact")
MOST_LABELS = 10  # points of a curve with their numbers beside them


def curve_section(curves: Sequence[Curve], axis: Axis, question: str, n: str, method: str) -> Section:
    """Return the section on the only number that is varied: who wins how often with each value.

    Parameters
    ----------
    curves
        One for each number of players.
    axis
        The number.
    """
    said = [capital(curve_answer(curve)) for curve in curves]
    if len(curves) > 1:
        said = [f"With {words.players(one.players)}: {text}" for one, text in zip(curves, said, strict=True)]
    return Section(
        "curve",
        "Each number",
        question,
        " ".join(said),
        n,
        pictures=tuple(curve_picture(curve, axis.current, axis.name) for curve in curves),
        grids=tuple(curve_grid(curve, axis.current, axis.name) for curve in curves),
        method=method,
        anchor="searches-sweeps-and-ratings",
        verdict=min(map(_verdict, curves), key=WORST.index),
    )


def _verdict(curve: Curve) -> Badge:
    """Return whether any number is fair, or whether that is not known."""
    kinds: Sequence[Kind] = ("within", "open", "slight", "beyond")
    return AGAINST_FAIR[next(kind for kind in kinds if kind in curve.kinds)]


def curve_answer(curve: Curve) -> str:
    """Return which numbers are fair, in one sentence with the win shares that show it."""
    values, kinds, effects = curve.values, curve.kinds, curve.effects
    with_share = [_wins(judgement, curve.level) for judgement in curve.judged]
    if all(math.isnan(effect.low) for effect in effects):
        return TOO_FEW
    fair = [place for place, kind in enumerate(kinds) if kind == "within"]
    if fair:
        best = min(fair, key=lambda place: abs(effects[place].value))
        unsure = [value for value, kind in zip(values, kinds, strict=True) if kind in ("open", "slight")]
        only = "Only " if len(fair) == 1 < len(values) and not unsure else ""
        rest = f" {capital(_listed(unsure))} {'is' if len(unsure) == 1 else 'are'} not known yet." if unsure else ""
        which = f"{only}{_listed([values[place] for place in fair])} {'is' if len(fair) == 1 else 'are'} fair"
        return f"{which}: with {_number(values[best])}, {with_share[best]}.{rest}"
    place = curve.crossing
    if place is not None:
        ends = values[place], values[place + 1]
        none = "no whole number is" if ends[1] - ends[0] == 1 else "none of the numbers tried is"
        return (
            f"Fair would be between {_number(ends[0])} and {_number(ends[1])}, so {none} fair: with "
            f"{_number(ends[0])}, {with_share[place]}; with {_number(ends[1])}, {with_share[place + 1]}."
        )
    nearest = min(range(len(values)), key=lambda place: _size(effects[place].value))
    found = f"with {_number(values[nearest])}, {with_share[nearest]}"
    if all(kind == "beyond" for kind in kinds):
        return f"No number from {_number(values[0])} to {_number(values[-1])} is fair: even {found}."
    margin = margin_words(curve.judged[0].effects.question, curve.judged[0].margin)
    return f"Not known yet: {found}; not shown to be within {margin}."


def curve_picture(found: Curve, printed: int, axis_name: str) -> Picture:
    """Return the figure of a curve: the win share of a level by number, with a 95% band.

    Parameters
    ----------
    printed
        The number as it is, which is marked if it was played.
    axis_name
        Name of the number.
    """
    values, level, judgements = found.values, found.level, found.judged
    effects = judgements[0].effects
    shares = [scaled(judgement.effects.of(level).effect, 0.01) for judgement in judgements]
    fair = effects.of(level).fair
    frame = table(
        {"x": value, **columns("value", share.minus(-fair))} for value, share in zip(values, shares, strict=True)
    ).rename({"value_low": "low", "value_high": "high"})
    ends = [f"{words.share(fair + shares[place].value)} with {_number(values[place])}" for place in (0, -1)]
    players = words.players(effects.players)
    name = "".join(sign if sign.isalnum() else "-" for sign in axis_name)
    margin = margin_words(effects.question, judgements[0].margin)
    marked = " The ring marks the number as it is." if printed in values else ""
    return Picture(
        f"curve-{name}-{effects.players}",
        f"Win share of {level} by {axis_name}, {players}, 95% intervals. Shaded: within {margin} of fair.{marked}",
        f"Curve of the win share of {level} by {axis_name} with {players}: {listing(ends)}.",
        partial(draw_curve, frame, fair, judgements[0].margin, printed, level, axis_name),
    )


def draw_curve(frame: pl.DataFrame, fair: float, margin: float, printed: int, level: str, axis_name: str) -> Figure:
    """Draw win shares by number.

    Parameters
    ----------
    frame
        Columns x, value, low and high; shares from 0 to 1.
    fair
        The fair share, from 0 to 1.
    margin
        Half the height of the fair zone, in percentage points.
    """
    x, value, low, high = (frame[name].cast(pl.Float64).fill_null(math.nan).to_numpy() for name in frame.columns)
    with styled():
        figure = new_figure(3.4)
        axes = figure.subplots()
        axes.axhspan(fair - margin / 100, fair + margin / 100, color=BAND, alpha=0.2, linewidth=0)
        axes.axhline(fair, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.fill_between(x, low, high, color=colour(0), alpha=0.15, linewidth=0)
        axes.errorbar(x, value, [value - low, high - value], fmt="-o", color=colour(0), markersize=5, linewidth=1.5)
        handles = [
            Line2D([], [], color=colour(0), marker="o", markersize=5, linewidth=1.5, label=capital(level)),
            Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label=f"fair share, {words.share(fair)}"),
            Patch(facecolor=BAND, alpha=0.3, label=f"within ±{margin:g} pp"),
        ]
        rising = value[-1] >= value[0]  # numbers go where the line does not
        look: dict[str, Any] = {"textcoords": "offset points", "ha": "right" if rising else "left", "fontsize": 8}
        for place in range(len(x)) if len(x) <= MOST_LABELS else ():
            axes.annotate(words.share(value[place]), (x[place], value[place]), (-8 if rising else 8, 6), **look)
        if printed in frame["x"]:
            place = frame["x"].to_list().index(printed)
            ring: dict[str, Any] = {
                "color": INK,
                "markersize": 11,
                "markerfacecolor": "none",
                "markeredgewidth": 1.4,
                "linewidth": 0,
            }
            axes.plot(x[place], value[place], "o", **ring)
            handles.append(Line2D([], [], marker="o", label="as it is", markeredgecolor=INK, **ring))
        axes.set_xlabel(axis_name)
        axes.set_ylabel("win share (95%)")
        axes.grid(axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        legend_of(figure, handles)
    return figure


def curve_grid(curve: Curve, printed: int, axis_name: str) -> Grid:
    """Return the table of a curve: a row for each number; the parameters are those of `curve_picture`."""
    level = curve.level
    rows = [
        {
            "value": f"{_number(value)}{', as it is' if value == printed else ''}",
            "players": judgement.effects.players,
            "level": capital(level),
            "n": judgement.effects.of(level).effect.n,
            **columns(
                "share", scaled(judgement.effects.of(level).effect, 0.01).minus(-judgement.effects.of(level).fair)
            ),
            **columns("effect", judgement.effects.of(level).effect),
            "verdict": TITLES[AGAINST_FAIR[kind]],
        }
        for value, judgement, kind in zip(curve.values, curve.judged, curve.kinds, strict=True)
    ]
    heads = (
        TableColumn("value", axis_name),
        TableColumn("n", "n", "count"),
        TableColumn("share", "win share (95%)", "share", interval=True),
        TableColumn("effect", "against fair, pp (95%)", "gain", interval=True),
        TableColumn("verdict", "verdict"),
    )
    players = curve.players
    caption = f"{capital(level)} by {axis_name}, {words.players(players)}"
    return Grid(f"curve-{players}", caption, heads, table(rows), first_shown=True)


def _wins(judgement: Judgement, level: str) -> str:
    """Return what a level wins: "seat 1 wins 31.4% instead of 25.0% (+6.4 pp, +5.5 to +7.3)"."""
    fair, effect = 100 * judgement.effects.of(level).fair, judgement.effect_of(level)
    return f"{level} wins {words.number(fair + effect.value)}% instead of {words.number(fair)}% ({inner(effect)})"


def _listed(values: Sequence[int]) -> str:
    """Return the first numbers of a list, and how many more there are."""
    rest = len(values) - MOST_NAMED
    more = [f"{rest} more"] if rest > 0 else []
    return listing([*map(_number, values[:MOST_NAMED]), *more])


def _number(value: int) -> str:
    return words.number(value, 0)


def _size(value: float) -> float:
    return math.inf if math.isnan(value) else abs(value)
