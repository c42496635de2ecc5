"""Figures as files, and as inline drawings in the colours of the page."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image

from rogsim.report.style import GRID, INK, PAPER, SOFT, STYLE

# No date and no version inside, so that the same figures give the same files.
METADATA = {"Date": None, "Creator": None}
OF_THE_PAGE = {INK: "var(--ink)", SOFT: "var(--soft)", GRID: "var(--grid)", PAPER: "var(--paper)"}
PALETTE = 256  # colours
NUMBER = re.compile(r"(\d+\.\d{2})\d+")
WITHOUT_EFFECT = re.compile(r' transform="rotate\(-0 [^)]*\)"|<g/>')


def write_files(figure: Figure, folder: Path, name: str) -> str:
    """Write a figure as PNG and SVG; return the SVG."""
    write_png(figure, folder / f"{name}.png")
    figure.set_layout_engine("none")  # the layout is final now, also for the other file
    drawn = svg(figure)
    (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
    return drawn


def write_png(figure: Figure, path: Path) -> None:
    """Write a figure as PNG."""
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = Image.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba()))
    # A palette is enough for a drawing, and the file is a third of the size.
    pixels.convert("RGB").quantize(PALETTE, kmeans=1).save(path, optimize=True)


def svg(figure: Figure) -> str:
    """Return a figure as the text of an SVG file."""
    text = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    with mpl.rc_context(STYLE):  # the font type is chosen when the file is written
        canvas.print_svg(text, metadata=METADATA)  # `savefig` would draw everything twice
    return NUMBER.sub(r"\1", text.getvalue())


def inline(drawn: str, name: str, alt: str) -> str:
    """Return an SVG file as an element of a page: labelled with `alt` (already escaped), in the colours of the page.

    Its ids get the figure's name as a prefix, since all figures of a page share one id namespace.
    """
    element = drawn[drawn.index("<svg") :].strip()
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r"<!--.*?-->", "", element, flags=re.DOTALL)
    opening, _, rest = element.partition(">")
    (view,) = re.findall(r'viewBox="[^"]*"', opening)
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', rest))
    rest = re.sub(r' id="([^"]+)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", rest)
    rest = re.sub(r"url\(#", f"url(#{name}-", rest)
    rest = re.sub(r'(?:xlink:)?href="#', f'href="#{name}-', rest)
    for colour, variable in OF_THE_PAGE.items():
        rest = rest.replace(colour, variable)
    rest = re.sub(r"\n\s*", "\n", WITHOUT_EFFECT.sub("", rest))
    return f'<svg role="img" aria-label="{alt}" {view}>{rest}'
