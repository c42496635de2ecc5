"""Open a report in headless Chromium, at phone and desktop width, light and dark, and list what is wrong with it.

It checks that the console has no errors, that nothing is requested from a network, that nothing overflows, that tables
sort by number and by word, that all figures have a text, and that headings are in order. Screenshots go into a folder,
if one is given.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

WIDTHS, SCHEMES = (380, 1400), ("light", "dark")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
OVERFLOW = """
const wide = [...document.querySelectorAll("body *")].filter(node => !node.closest(".scroll, pre, .skip")
  && node.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
return [document.documentElement.scrollWidth - document.documentElement.clientWidth,
  wide.slice(0, 3).map(node => node.tagName + ": " + node.textContent.trim().slice(0, 40))];
"""
SORT = """
const wrong = [];
for (const table of document.querySelectorAll("main table")) {
  [...table.querySelectorAll("thead th")].forEach((head, place) => {
    for (const click of [0, 1]) {
      head.firstElementChild.click();
      const up = head.getAttribute("aria-sort") === "ascending";
      const cells = [...table.tBodies[0].rows].map(row => row.cells[place]);
      const numbers = head.classList.contains("figure");
      const values = cells.map(cell => numbers ? cell.dataset.value : cell.textContent).filter(text => text !== "");
      const rising = (a, b) => numbers ? Number(a) <= Number(b) : a.localeCompare(b, "en", { numeric: true }) <= 0;
      const fine = values.every((value, i) => !i || (up ? rising(values[i - 1], value) : rising(value, values[i - 1])));
      if (!fine) wrong.push(table.caption.textContent + " by " + head.textContent);
    }
  });
}
return wrong;
"""
HEADINGS = 'return [...document.querySelectorAll("h1,h2,h3,h4")].map(node => Number(node.tagName[1]))'
NAMELESS = """
return [...document.querySelectorAll("svg, img")].filter(
  node => !(node.getAttribute("aria-label") || node.getAttribute("alt") || "").trim()).length
"""


@contextmanager
def browser() -> Iterator[Any]:
    """Start Chromium with a new, empty profile."""
    try:
        from selenium import webdriver
    except ImportError:
        sys.exit("check-page: selenium is missing: .venv/bin/pip install selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryDirectory() as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


def check(driver: Any, page: Path, width: int, scheme: str, shots: Path | None) -> Iterator[str]:
    """Open the page at one width and colour scheme, and yield the problems."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    driver.get(page.resolve().as_uri())
    over, elements = driver.execute_script(OVERFLOW)
    if over > 0 or elements:
        yield f"is {over} px too wide: {elements}"
    if shots:
        _shoot(driver, shots / f"{width}-{scheme}.png", width)
    yield from (f"sorts wrongly: {table}" for table in driver.execute_script(SORT))
    yield from (f"console: {entry['message']}" for entry in driver.get_log("browser"))
    yield from (f"requests {address}" for address in _requests(driver))
    levels = driver.execute_script(HEADINGS)
    if levels[0] != 1 or levels.count(1) != 1 or any(b > a + 1 for a, b in pairwise(levels)):
        yield f"headings out of order: {levels}"
    if nameless := driver.execute_script(NAMELESS):
        yield f"{nameless} figures without a text"


def _shoot(driver: Any, path: Path, width: int) -> None:
    import base64

    height = min(16_000, driver.execute_script("return document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(base64.b64decode(shot["data"]))


def _requests(driver: Any) -> Iterator[str]:
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            address = message["params"]["request"]["url"]
            if not address.startswith(("file:", "data:", "about:", "chrome:")):
                yield address


def main() -> None:
    """Check the page of the report on the command line."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check-page REPORT [FOLDER FOR SCREENSHOTS]")
    page = Path(sys.argv[1]) / "index.html"
    shots = Path(sys.argv[2]) if len(sys.argv) == 3 else None
    if not page.is_file():
        sys.exit(f"check-page: {page}: there is no such file")
    wrong = 0
    with browser() as driver:
        for width in WIDTHS:
            for scheme in SCHEMES:
                for line in check(driver, page, width, scheme, shots):
                    wrong += 1
                    print(f"{width} px, {scheme}: {line}")
    size = page.stat().st_size / 1e6
    print(f"{page}: {size:.2f} MB, {wrong} problem{'s' * (wrong != 1)}")
    sys.exit(bool(wrong or size > 5))


if __name__ == "__main__":
    main()
