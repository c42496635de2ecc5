"""Open a page in headless Chromium, at the widths of a phone, a tablet and a desktop, and list what is wrong with it.

It checks, light and dark, that the console has no errors, that nothing is requested from a network, that nothing
overflows, that tables sort by number and by word, that all figures have a text, that headings are in order, and that
axe-core finds nothing: contrast in both schemes, all else in the light one. Screenshots go into a folder, if one is
given.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

WIDTHS, HEIGHT, SCHEMES = (380, 800, 1400), 900, ("light", "dark")
MOST_MEGABYTES = 5
BROWSERS = ("chromium", "chromium-browser", "google-chrome")  # that may be installed; otherwise playwright's own
ROLLED = ".scroll, .shown, pre, .skip"  # may be wider than the window
REFERENCE = "api"  # how the names of the pages made from docstrings begin
DRAWERS = "aside, .table-wrapper, .math, .cell_output .output"  # of the documentation site
OVERFLOW = """rolled => {
const wide = [...document.querySelectorAll("body *")].filter(node => !node.closest(rolled)
  && !node.closest("[clip-path]")  // a drawing cuts it off
  && node.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
return [document.documentElement.scrollWidth - document.documentElement.clientWidth,
  wide.slice(0, 3).map(node => node.tagName + ": " + node.textContent.trim().slice(0, 40))];
}"""
SORT = """() => {
const wrong = [];
for (const table of document.querySelectorAll("main table:not(.sheet)")) {
  [...table.querySelectorAll("thead th")].forEach((head, place) => {
    for (const click of [0, 1]) {
      head.firstElementChild.click();
      const up = head.getAttribute("aria-sort") === "ascending";
      const cells = [...table.tBodies[0].rows].map(row => row.cells[place]);
      const numbers = head.classList.contains("number");
      const values = cells.map(cell => numbers ? cell.dataset.value : cell.textContent).filter(text => text !== "");
      const rising = (a, b) => numbers ? Number(a) <= Number(b) : a.localeCompare(b, "en", { numeric: true }) <= 0;
      const fine = values.every((value, i) => !i || (up ? rising(values[i - 1], value) : rising(value, values[i - 1])));
      if (!fine) wrong.push(table.caption.textContent + " by " + head.textContent);
    }
  });
}
return wrong;
}"""
OPEN = (
    "() => document.querySelectorAll('details:not([open])').forEach(node => { node.open = node.dataset.was = true; })"
)
CLOSE = "() => document.querySelectorAll('details[data-was]').forEach(node => { node.open = false; })"
# Texts that look alike, on what looks alike, have the same contrast: one of each look is marked for axe-core.
# What only overlaps a text is not seen.
MARK = """known => {
const looks = new Set(known), found = new Map();
const behind = box => {
  if (!box) return [];
  if (!found.has(box)) {
    const own = getComputedStyle(box);
    const all = [own.backgroundColor, own.backgroundImage, own.opacity, ...behind(box.parentElement)];
    found.set(box, [...new Set(all)]);
  }
  return found.get(box);
};
for (const node of document.querySelectorAll("body *")) {
  if (![...node.childNodes].some(part => part.nodeType === Node.TEXT_NODE && part.data.trim())) continue;
  const style = getComputedStyle(node);
  if (style.visibility === "hidden" || !node.getClientRects().length) continue;
  const look = [style.color, style.fill, style.fontSize, style.fontWeight, ...behind(node)].join();
  if (!looks.has(look)) node.dataset.look = looks.add(look).size;
}
return [...looks];
}"""
HEADINGS = '() => [...document.querySelectorAll("h1,h2,h3,h4")].map(node => Number(node.tagName[1]))'
NAMELESS = """() => [...document.querySelectorAll("svg, img")].filter(
  node => !(node.getAttribute("aria-label") || node.getAttribute("alt") || "").trim()).length"""


class NoBrowserError(Exception):
    """No browser can be started: the message says what is missing."""


@contextmanager
def browser() -> Iterator[Any]:
    """Start headless Chromium.

    Raises
    ------
    NoBrowserError
        If playwright is missing, or there is no Chromium that it can start.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise NoBrowserError("playwright and axe-playwright-python are not installed") from None
    installed = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=installed)
        except Error:
            raise NoBrowserError("there is no Chromium that starts: `playwright install chromium` gets one") from None
        yield started
        started.close()


def problems(
    started: Any,
    file: Path,
    width: int,
    scheme: str,
    shots: Path | None = None,
    sorting: bool = True,
    accessibility: bool = True,
) -> list[str]:
    """Return what is wrong with a page at one width and colour scheme.

    Parameters
    ----------
    started
        A browser, from `browser()`.
    file
        The page.
    width
        The width of the window, in pixels.
    scheme
        `light` or `dark`.
    shots
        The folder for screenshots of the whole page and of its first screen, if any.
    sorting, accessibility
        Whether all tables are sorted, and whether axe-core looks at the page. Both take most of the time.
    """
    context = started.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
    page, said, asked = context.new_page(), [], []
    page.on("console", lambda message: said.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"console: {error}"))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.resolve().as_uri())
    found = page_problems(page, scheme == SCHEMES[0]) if accessibility else [*_layout(page)]
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=shots / f"{width}-{scheme}-first.png")
        page.screenshot(path=shots / f"{width}-{scheme}.png", full_page=True)
    found += [f"sorts wrongly: {table}" for table in (page.evaluate(SORT) if sorting else ())]
    own = ("file:", "data:", "about:", "chrome:", "blob:")
    found += said + [f"requests {address}" for address in asked if not address.startswith(own)]
    context.close()
    return found


def page_problems(page: Any, whole: bool = True) -> list[str]:
    """Return what is wrong with an open page as it is now: its layout, its headings, and what axe-core finds.

    Parameters
    ----------
    page
        The page.
    whole
        Whether axe-core looks at everything; otherwise only at contrast.
    """
    return [*_layout(page), *_accessibility(page, set(), whole)]


def _layout(page: Any) -> Iterator[str]:
    yield from _too_wide(page, ROLLED)
    page.evaluate(OPEN)
    yield from _too_wide(page, ROLLED)
    page.evaluate(CLOSE)
    levels = page.evaluate(HEADINGS)
    if levels[:1] != [1] or levels.count(1) != 1 or any(b > a + 1 for a, b in pairwise(levels)):
        yield f"headings out of order: {levels}"
    if nameless := page.evaluate(NAMELESS):
        yield f"{nameless} figures without a text"


def _too_wide(page: Any, rolled: str) -> Iterator[str]:
    over, elements = page.evaluate(OVERFLOW, rolled)
    if over > 0 or elements:
        yield f"is {over} px too wide: {elements}"


def _accessibility(page: Any, looks: set[str], whole: bool) -> Iterator[str]:
    """Yield what axe-core finds: bad contrast of texts whose look is not yet in `looks`, and all else if `whole`."""
    from axe_playwright_python.sync_playwright import Axe

    rules = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": False}}}
    found = Axe().run(page, options=rules).response["violations"] if whole else []
    before = len(looks)
    looks.update(page.evaluate(MARK, sorted(looks)))
    if len(looks) > before:
        contrast = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
        found += Axe().run(page, "[data-look]", contrast).response["violations"]
    for violation in found:
        first = violation["nodes"][0]["html"][:100]
        times = len(violation["nodes"])
        yield f"axe: {violation['id']}, {times} time{'s' * (times != 1)}, first: {first}"


def say_browser() -> None:
    """Print whether there is a browser; exit code 1 if there is none."""
    try:
        with browser() as started:
            print(f"Pages are tested in Chromium {started.version}.")
    except NoBrowserError as missing:
        sys.exit(f"Pages are not tested in a browser: {missing}.")


def check_site(folder: Path) -> int:
    """Open the pages of the documentation site, without reports and source, and print what is wrong.

    Returns the exit code.
    """
    pages = [*sorted((folder / "docs").rglob("*.html")), *sorted(folder.glob("[A-Z]*.html"))]
    if not pages:
        refuse(f"check-page: {folder}: there is no page of the site")
    wrong = 0
    reference = [page for page in pages if page.name.startswith(REFERENCE)]
    alike = set(sorted(reference, key=lambda page: page.stat().st_size)[1:])  # axe-core looks at the shortest one
    try:
        with browser() as started:
            for width, scheme in ((WIDTHS[0], "dark"), (WIDTHS[-1], "light")):
                context = started.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
                tab, looks = context.new_page(), set[str]()
                for page in pages:
                    tab.goto(page.resolve().as_uri())
                    found = _accessibility(tab, looks, scheme == SCHEMES[0] and page not in alike)
                    for line in (*_too_wide(tab, f"{ROLLED}, {DRAWERS}"), *found):
                        wrong += 1
                        print(f"{page.relative_to(folder)}, {width} px, {scheme}: {line}")
    except NoBrowserError as missing:
        print(f"The site is not tested in a browser: {missing}.")
        return 0
    print(f"{len(pages)} pages opened in a browser, {wrong} problem{'s' * (wrong != 1)}")
    return int(wrong > 0)


def refuse(line: str) -> NoReturn:
    """Print what is wrong with what was typed, and end with exit code 2."""
    print(line, file=sys.stderr)
    sys.exit(2)


def main() -> None:
    """Check the page of the report on the command line."""
    if len(sys.argv) not in (2, 3):
        refuse("usage: check-page REPORT [FOLDER FOR SCREENSHOTS], check-page --browser, or check-page --site FOLDER")
    if sys.argv[1] == "--browser":
        say_browser()
        return
    if sys.argv[1] == "--site":
        sys.exit(check_site(Path(sys.argv[2])))
    page = Path(sys.argv[1]) / "index.html"
    shots = Path(sys.argv[2]) if len(sys.argv) == 3 else None
    if not page.is_file():
        refuse(f"check-page: {page}: there is no such file")
    wrong = 0
    try:
        with browser() as started:
            for width in WIDTHS:
                for scheme in SCHEMES:
                    for line in problems(started, page, width, scheme, shots):
                        wrong += 1
                        print(f"{width} px, {scheme}: {line}")
    except NoBrowserError as missing:
        sys.exit(f"check-page: {missing}")
    size = page.stat().st_size / 1e6
    print(f"{page}: {size:.2f} MB, {wrong} problem{'s' * (wrong != 1)}")
    sys.exit(bool(wrong or size > MOST_MEGABYTES))


if __name__ == "__main__":
    main()
