"""Count what a reader of a page has to take in, and compare it with limits: exit code 1 if anything is over its limit.

Words in tables, drawings, commands and scenario files are not counted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

NOT_TEXT = {"head", "script", "table", "svg", "pre"}
VOID = {"meta", "link", "br", "img", "input", "hr"}
LIMITS = {"first": 700, "words": 3_000, "figures": 14, "tables": 10, "rows": 15}
TITLES = {
    "first": "words before anything is opened",
    "words": "words in all",
    "figures": "figures",
    "tables": "tables",
    "rows": "rows of the longest table",
}


@dataclass
class Reader(HTMLParser):
    """Reads a page; counts has a number for each limit."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LIMITS, 0))
    longest: str = ""  # caption of the longest table
    inside: list[str] = field(default_factory=list)  # tags of the open elements; a closed <details> is "closed"
    caption: str = ""
    rows: int = 0  # of the body of this table

    def __post_init__(self) -> None:
        """Prepare the parser."""
        super().__init__()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Count figures, tables and rows."""
        if tag not in VOID:
            self.inside.append("closed" if tag == "details" and "open" not in dict(attrs) else tag)
        self.counts["figures"] += tag == "figure"
        if tag == "table":
            self.counts["tables"] += 1
            self.caption, self.rows = "", 0
        self.rows += tag == "tr" and "tbody" in self.inside

    def handle_endtag(self, tag: str) -> None:
        """Keep the longest table."""
        self.inside.pop()
        if tag == "table" and self.rows > self.counts["rows"]:
            self.counts["rows"], self.longest = self.rows, self.caption

    def handle_data(self, data: str) -> None:
        """Count words."""
        if self.inside[-1:] == ["caption"]:
            self.caption += data
        if not NOT_TEXT.isdisjoint(self.inside):
            return
        # The summary of a closed element is seen, unless that is inside another one.
        folded = self.inside.count("closed") - ("summary" in self.inside and "closed" in self.inside)
        self.counts["words"] += len(data.split())
        self.counts["first"] += 0 if folded else len(data.split())


def main() -> None:
    """Measure the page of the folder on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of a page")
    for name, limit in LIMITS.items():
        parser.add_argument(f"--{name}", type=int, default=limit, help=f"most {TITLES[name]} (default %(default)s)")
    chosen = vars(parser.parse_args())
    page = chosen["folder"] / "index.html"
    if not page.is_file():
        parser.error(f"{page}: there is no such file")
    reader = Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    for name, count in reader.counts.items():
        longest = f" ({reader.longest})" if name == "rows" and reader.longest else ""
        over = "  over the limit" if count > chosen[name] else ""
        print(f"{TITLES[name]}: {count:,} of {chosen[name]:,}{longest}{over}")
    sys.exit(any(count > chosen[name] for name, count in reader.counts.items()))


if __name__ == "__main__":
    main()
