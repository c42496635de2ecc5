"""How all figures look: colours, one font size, panels side by side, ticks, the line at 0, and the legend above.

Colour-blind readers can distinguish the colours. Figures have no background, and files show them on white and on dark
pages: ink and the colours of verdicts are of middle lightness. Nothing else has these colours, so that `pages.inline`
can replace them with those of the page.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from textwrap import wrap
from typing import Any

import matplotlib as mpl
import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rogsim.report import words

INK, SOFT, GRID = "#727a82", "#7a828a", "#8a929a"
BEYOND, WITHIN, OPEN = "#c95f1e", "#1f8a62", "#8170b4"  # an interval beyond the margin, within it, and neither
DARK_TEXT, LIGHT_TEXT = "#101010", "#fefefe"  # on coloured areas, the same on light and dark pages
BAND = "#8d99a5"  # as a thin line or half transparent, visible on light and dark pages
# The palette of Okabe and Ito, ordered so that neighbours also differ in lightness; each colour has its own marker.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
MORE_COLOURS = ("#f0e442", "#8d99a5")  # only for filled areas: too pale for lines
MARKERS = ("o", "s", "^", "D", "v", "P")
WATER = "#4f94cd"
DIVERGING, SEQUENTIAL = "PuOr_r", "cividis"
DPI = 130
WIDTH, NARROW = 7.2, 3.7  # inches: on a page, and on a phone
LETTER = 0.075  # inches
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.parse_math": False,  # a name with dollar signs is not a formula
    "axes.titlesize": 9.0,
    "axes.titleweight": "normal",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.0,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "legend.fontsize": 9.0,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "grid.color": GRID,
    "grid.alpha": 0.35,
    "grid.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "svg.fonttype": "none",  # text stays text: small files, which screen readers can read
    "svg.hashsalt": "rogsim",
    "axes.unicode_minus": True,
}


_narrow = ContextVar("_narrow", default=False)


@contextmanager
def narrow() -> Iterator[None]:
    """Draw figures for a phone: their panels below each other."""
    token = _narrow.set(True)
    try:
        yield
    finally:
        _narrow.reset(token)


def is_narrow() -> bool:
    """Return whether figures are drawn for a phone."""
    return _narrow.get()


@contextmanager
def styled() -> Iterator[None]:
    """Draw in this style, whatever the settings are, and without changing them.

    Settings come from `matplotlibrc` in the current folder or the user's, or from the program that uses rogsim.
    """
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        # The name of a bot may have characters that the font lacks; readers of the SVG file see them all the same.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        yield


class NotebookFigure(Figure):
    """A figure that notebooks display, although pyplot does not know it."""

    def _repr_png_(self) -> bytes:
        """Return the figure as an image."""
        image = BytesIO()
        with styled():
            self.savefig(image, format="png")
        return image.getvalue()


def new_figure(height: float, width: float = WIDTH, names: Sequence[str] = (), beside: float = 2.2) -> Figure:
    """Return an empty figure of this size in inches, unknown to pyplot.

    On a phone its width is NARROW, or what the longest of the `names` of its rows and the plot `beside` it take: the
    phone shows a wider figure in smaller type.
    """
    if is_narrow():
        width = max(NARROW, LETTER * max(map(len, names), default=0) + beside)
    figure = NotebookFigure(figsize=(width, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def colour(place: int) -> str:
    """Return the colour of the n-th series."""
    return COLOURS[place % len(COLOURS)]


def marker(place: int) -> str:
    """Return the marker of the n-th series; where colours repeat, the marker differs."""
    return MARKERS[(place + place // len(COLOURS)) % len(MARKERS)]


def text_on(ground: Any) -> str:
    """Return the more legible colour of text on a background, given as (red, green, blue, ...) from 0 to 1."""
    # Contrast as the Web Content Accessibility Guidelines 2.1 define it; the two are equal at this luminance.
    luminance = sum(weight * _linear(part) for weight, part in zip((0.2126, 0.7152, 0.0722), ground[:3], strict=True))
    return LIGHT_TEXT if luminance < 0.18 else DARK_TEXT


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)


ACROSS = 3  # panels side by side
LETTERS = 12.5  # of a legend or a label, in an inch
LINE = 0.19  # inches for a line of them


def names_of(frame: pl.DataFrame, column: str) -> list[str]:
    """Return the distinct names in a column: in the order of its enumeration, or else of first appearance."""
    found = frame[column].unique(maintain_order=True)
    return [str(name) for name in (found.sort() if isinstance(found.dtype, pl.Enum) else found).to_list()]


def across_of(panels: Sequence[str], most: int = ACROSS) -> int:
    """Return the number of panels side by side, at most `most`."""
    if is_narrow():
        return 1
    return min(most, len(panels)) if len(panels) != 4 else min(most, 2)


def rows_of(panels: Sequence[str], most: int = ACROSS) -> int:
    """Return the number of rows of panels, at most `most` in each."""
    return -(-len(panels) // across_of(panels, most))


def panels_of(
    figure: Figure,
    panels: Sequence[str],
    sharex: bool = False,
    sharey: bool = False,
    width_ratios: Any = None,
    most: int = ACROSS,
) -> list[Any]:
    """Return the axes of the panels, at most `most` side by side; the rest of the last row stays empty."""
    across = across_of(panels, most)
    grid = figure.subplots(
        rows_of(panels, most), across, squeeze=False, sharex=sharex, sharey=sharey, width_ratios=width_ratios
    )
    axes = list(grid.ravel())
    for spare in axes[len(panels) :]:
        spare.set_visible(False)
    if sharex:  # the last panel of each column gets labels, even above an empty place
        for place, ax in enumerate(axes[: len(panels)]):
            ax.tick_params(labelbottom=place + across >= len(panels))
    return axes[: len(panels)]


def is_left(ax: Any) -> bool:
    """Return whether a panel is the first of its row, which has the labels."""
    return bool(ax.get_subplotspec().is_first_col())


def fair_line(axes: Any, margin: float | None, across: bool = False) -> None:
    """Draw the line at 0, with the band of the margin if there is one; across: whether the line is horizontal."""
    line, band = (axes.axhline, axes.axhspan) if across else (axes.axvline, axes.axvspan)
    if margin is not None:
        band(-margin, margin, color=BAND, alpha=0.2, linewidth=0)
    line(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))


def fair_handles(margin: float | None, fair: str, unit: str = "pp", band: str = "margin") -> list[Any]:
    """Return the legend entries of the line at 0 and of the band of the margin, which may have another name."""
    handles: list[Any] = [Line2D([], [], color=INK, linewidth=0.9, linestyle=(0, (4, 3)), label=fair)]
    if margin is not None:
        handles.append(Patch(facecolor=BAND, alpha=0.3, label=f"{band} of ±{margin:g} {unit}"))
    return handles


def axis_labels(figure: Figure, axis: str, value_axis: str = "") -> None:
    """Write the labels that all panels share."""
    figure.supxlabel(wrapped(axis), fontsize=9)
    if value_axis:
        figure.supylabel(value_axis, fontsize=9)


def wrapped(label: str, share: float = 1.0) -> str:
    """Return a label on lines that are no longer than this share of a figure's width."""
    return "\n".join(wrap(label, round(share * LETTERS * (NARROW if is_narrow() else WIDTH))))


def signed(value: float, _: Any = None) -> str:
    """Return the label of a tick with its sign."""
    return "0" if abs(value) < 1e-9 else f"{value:+g}".replace("-", words.MINUS)


def thousands(value: float) -> str:
    """Return a number of games as the label of a tick."""
    return f"{value / 1000:g}k" if value >= 10_000 else f"{value:,.0f}"


def dash(place: int) -> Any:
    """Return the dashes of the n-th line."""
    return ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))[place % 4]


def dot_handle(place: int, label: str) -> Line2D:
    """Return the legend entry of the n-th marker."""
    return Line2D([], [], color=colour(place), marker=marker(place), markersize=6, linewidth=0, label=label)


def line_handle(place: int, label: str) -> Line2D:
    """Return the legend entry of the n-th line."""
    return Line2D([], [], color=colour(place), linewidth=1.6, linestyle=dash(place), label=label)


def legend(figure: Figure, series: Sequence[str], more: Sequence[Any]) -> None:
    """Draw the legend of the series (if there are several) and of whatever else is drawn."""
    handles = [dot_handle(place, name) for place, name in enumerate(series)] if len(series) > 1 else []
    legend_of(figure, [*handles, *more])


def legend_of(figure: Figure, handles: Sequence[Any]) -> None:
    """Draw a legend above the panels, on as many lines as it takes; the figure gets higher by all but the first."""
    room = LETTERS * figure.get_figwidth()
    lengths = [len(handle.get_label()) + 6 for handle in handles]
    columns = len(handles) if sum(lengths) <= room else max(1, min(4, int(room / max(lengths))))
    figure.set_figheight(figure.get_figheight() + LINE * (math.ceil(len(handles) / columns) - 1))
    figure.legend(handles=list(handles), loc="outside upper left", ncols=columns, borderaxespad=0.2)
