"""The style of figures: colours that colour-blind readers can distinguish on light and dark pages, and one font size.

Figures have no background, and files show them on white and on dark pages: ink and the colours of verdicts are of
middle lightness. Nothing else has these colours, so that `drawing.inline` can replace them with those of the page.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

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
