"""A report as one self-contained HTML page, and as Markdown with its figures as files beside it."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from rogsim.base.text import safe
from rogsim.report import words
from rogsim.report.document import TITLES, Badge, Grid, Picture, Report, Sheet, SheetCell
from rogsim.report.figures.style import BEYOND, GRID, INK, OPEN, SOFT, WITHIN, styled
from rogsim.report.render.data_files import TABLES, WORKBOOK

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


SIGNS: Mapping[Badge, str] = {
    "out": "▲",
    "slight": "◆",
    "fair": "✓",
    "changed": "▲",
    "shifted": "◆",
    "same": "✓",
    "open": "?",
    "fact": "",
    "reached": "✓",
    "missed": "▲",
    "settled": "✓",
    "moving": "◆",
}
OPTION = re.compile(r"(?<![\w-])--[\w-]+")
UNBROKEN = r'<span class="option">\g<0></span>'


@cache
def templates() -> Environment:
    """Return the templates; whatever is inserted is escaped."""
    return Environment(
        loader=PackageLoader("rogsim.report.render"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def page(report: Report, drawings: Mapping[str, str]) -> str:
    """Return the page.

    drawings: the SVG of each figure by its name, and that for a phone by its name with "-narrow", if there is one.
    """
    files = {id(table.grid): f"{TABLES}/{table.name}.csv" for table in report.tables}

    def drawn(picture: Picture) -> Markup:
        # rogsim made the drawing; any text in it from elsewhere was escaped when the SVG was written.
        names = [name for name in (picture.name, f"{picture.name}-narrow") if name in drawings]
        return Markup("").join(Markup(inline(drawings[name], name, str(escape(picture.alt)))) for name in names)

    return (
        templates()
        .get_template("page.html")
        .render(
            report=report,
            style=Markup(_source("style.css")),
            script=Markup(_script()),
            script_hash=script_hash(),
            signs=SIGNS,
            titles=TITLES,
            mark=_mark,
            coded=_coded,
            unbroken=_unbroken,
            drawn=drawn,
            file_of=lambda grid: files[id(grid)],
            workbook=WORKBOOK,
            sortable=_sortable,
        )
    )


def script_hash() -> str:
    """Return the hash of the script in a page, by which a browser knows that it may run."""
    return base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()


def _script() -> str:
    return f"\n{_source('page.js')}\n"


def _source(name: str) -> str:
    loader = templates().loader
    assert loader is not None
    return loader.get_source(templates(), name)[0]


def _mark(verdict: Badge) -> Markup:
    """Return the sign of a verdict, which is read aloud as its title: colour is never the only cue."""
    if not SIGNS[verdict]:
        return Markup("")
    sign = Markup('<span class="mark {}" role="img" aria-label="{}">{}</span>&nbsp;')
    return sign.format(verdict, TITLES[verdict], SIGNS[verdict])


def _coded(text: str) -> Markup:
    """Return text with anything between backticks as code."""
    parts = re.split(r"`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(_unbroken(part)) if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


def _unbroken(command: str) -> Markup:
    """Return a command whose options are never broken between two lines."""
    return Markup(OPTION.sub(UNBROKEN, str(escape(command))))


def _sortable(value: float | None) -> str:
    """Return a number to sort by; more digits would make the page larger."""
    return "" if value is None else f"{value:.6g}"


CODE = re.compile(r"(?<!`)`[^`]+`(?!`)")
# Only these spans stay code: their content would do no harm even if a Markdown reader did not treat them as code.
HARMLESS = re.compile(r"`[^<>&|\\\[\]~]+`")
SPECIAL = re.compile(r"([\\*_{}\[\]<>|#~])")
STARTS = re.compile(r"^([-+=]|\d+(?=[.)]))")  # of a list, or of a line that turns the line before it into a heading


def markdown(report: Report) -> str:
    """Return the report as Markdown."""
    environment = Environment(  # autoescape is for HTML; here `escaped` does it
        loader=PackageLoader("rogsim.report.render"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    text = environment.get_template("report.md").render(
        report=report,
        titles=TITLES,
        table=partial(_table, {id(table.grid): table.name for table in report.tables}),
        sheet=_sheet,
        escaped=escaped,
        fenced=_fenced,
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def images_of(report: Report) -> set[str]:
    """Return the names of the figures that the Markdown shows: that of the first screen, and one of each section."""
    found = [report.picture, *(section.pictures[0] for section in report.sections if section.pictures)]
    return {picture.name for picture in found if picture}


def escaped(text: str) -> str:
    """Return text that Markdown shows verbatim, without HTML; harmless text between single backticks stays code."""
    parts, at = [], 0
    text = " ".join(safe(text).split())
    for code in CODE.finditer(text):
        parts += [_plain(text[at : code.start()]), code[0] if HARMLESS.fullmatch(code[0]) else _plain(code[0])]
        at = code.end()
    return STARTS.sub(_no_start, "".join([*parts, _plain(text[at:])]))


def _plain(text: str) -> str:
    text = text.replace("&", "&amp;")
    return SPECIAL.sub(r"\\\1", text).replace("`", "&#96;")


def _no_start(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _fenced(text: str, language: str) -> str:
    """Return text as a block of code, with a fence longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{safe(text)}\n{fence}"


def _sheet(sheet: Sheet) -> str:
    """Return the balance sheet; a verdict is a word, since Markdown has no colours."""
    cells = [
        [row.measure, *(_cell(cell) if cell else words.NOTHING for cell in row.cells), row.note] for row in sheet.rows
    ]
    return _rows([sheet.title, *sheet.columns, ""], ["---", *["---:"] * len(sheet.columns), "---"], cells)


def _cell(cell: SheetCell) -> str:
    reach = f" ({cell.reach})" if cell.reach else ""
    return f"{cell.text}{reach}" if cell.verdict == "fact" else f"{cell.text}{reach}: {TITLES[cell.verdict].lower()}"


def _table(names: Mapping[int, str], grid: Grid) -> str:
    rule = ["---:" if column.is_numeric else "---" for column in grid.columns]
    rows = _rows([column.head for column in grid.columns], rule, [[text for text, _ in row] for row in grid.rows()])
    files = f"All rows: [CSV]({TABLES}/{names[id(grid)]}.csv), [workbook]({WORKBOOK})"
    return "\n\n".join([f"*{escaped(grid.caption)}*", rows, *map(escaped, grid.all_notes), files])


def _rows(head: list[str], rule: list[str], rows: list[list[str]]) -> str:
    lines = [[escaped(text) for text in row] for row in (head, *rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (lines[0], rule, *lines[1:]))
