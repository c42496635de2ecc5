"""Figures as files, and as inline drawings in the colours of the page."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from rogsim.report.style import BEYOND, GRID, INK, OPEN, SOFT, WITHIN, styled

# No date and no version inside, so that the same figures give the same files.
METADATA = {"Date": None, "Creator": None}
OF_THE_PAGE = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    GRID: "var(--soft)",  # half transparent
    BEYOND: "var(--out)",
    WITHIN: "var(--fair)",
    OPEN: "var(--open)",
}
PALETTE = 256  # colours
NUMBER = re.compile(r"(\d+\.\d{2})\d+")
DRAWN = re.compile(r'(?<= )(d|x|y|x1|y1|x2|y2|points)="([^"]*)"')
STYLED, OFTEN = re.compile(r'style="([^"]*)"'), 4
DIGITS, AROUND_COMMAND = re.compile(r"-?\d+\.\d+"), re.compile(r"\s*([A-Za-z])\s*")
FONT = "font-family: 'DejaVu Sans'; "
WITHOUT_EFFECT = re.compile(r' transform="rotate\(-0 [^)]*\)"|<g(?: [^>]*)?/>')


def write_files(figure: Figure, folder: Path, name: str, image: bool = True) -> str:
    """Write a figure as SVG, and as PNG if it is also wanted as an image; return the SVG."""
    if image:
        write_png(figure, folder / f"{name}.png")
        figure.set_layout_engine("none")  # the layout is final now, also for the other file
    drawn = svg(figure)
    (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
    return drawn


def write_png(figure: Figure, path: Path) -> None:
    """Write a figure as PNG."""
    canvas: Any = FigureCanvasAgg(figure)
    with styled():  # ticks, and how many there are, are chosen when it is drawn
        canvas.draw()
    _with_palette(np.array(canvas.buffer_rgba())).save(path, optimize=True)


def _with_palette(pixels: NDArray[np.uint8]) -> Image.Image:
    """Return a drawing with a palette of its most frequent colours: a third of the size, and no line changes colour."""
    half = pixels[..., 3] < 255
    pixels[half] = (pixels[half] // 8) * 8 + 4  # edges of letters have too many shades to keep
    pixels[pixels[..., 3] <= 4] = 0
    colours, inverse, counts = np.unique(pixels.view(np.uint32), return_inverse=True, return_counts=True)
    parts = colours.view(np.uint8).reshape(-1, 4)
    kept = parts[np.argsort(-counts, kind="stable")[:PALETTE]]
    seen, shown = (rows * (rows[:, 3:] / 255.0) ** (1, 1, 1, 0) for rows in (parts, kept))  # as far as they are opaque
    nearest = ((seen[:, None] - shown) ** 2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    image = Image.fromarray(nearest[inverse].reshape(pixels.shape[:2]))
    image.putpalette(kept.tobytes(), "RGBA")
    return image


def svg(figure: Figure) -> str:
    """Return a figure as the text of an SVG file."""
    text = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    with styled():  # the font type is chosen when the file is written
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
    rest = DRAWN.sub(_short, _without_plain_groups(rest.replace(FONT, "")))
    rest = _with_classes(rest)
    return f'<svg role="img" aria-label="{alt}" {view} font-family="DejaVu Sans">{rest}'


def _with_classes(drawing: str) -> str:
    """Write each style that is used often once, as a class named after what it says: a page has no clashes."""
    often = [style for style, times in Counter(STYLED.findall(drawing)).items() if times >= OFTEN]
    names = {style: f"s{crc32(style.encode()):08x}" for style in often}
    rules = "".join(f".{names[style]}{{{style}}}" for style in often)
    found = STYLED.sub(lambda styled: f'class="{names[styled[1]]}"' if styled[1] in names else styled[0], drawing)
    return found.replace("</style>", f"{rules}</style>", 1)


def _short(attribute: re.Match[str]) -> str:
    """Return the attribute of a place or a path to a tenth of a point, which no eye can tell from more digits."""
    value = DIGITS.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), attribute[2])
    return f'{attribute[1]}="{AROUND_COMMAND.sub(lambda found: found[1], value).strip()}"'


def _without_plain_groups(drawing: str) -> str:
    """Leave out the groups without attributes, but not what is in them."""
    found, kept = [], []  # kept: for each open group, whether it has attributes
    for part in re.split(r"(<g(?: [^>]*)?>\n?|</g>\n?)", drawing):
        if part.startswith("<g"):
            kept.append(part.rstrip() != "<g>")
        elif part.startswith("</g") and not kept.pop():
            continue
        if not part.startswith("<g") or kept[-1]:
            found.append(part)
    return "".join(found)
