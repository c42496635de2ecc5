"""The page: well-formed, self-contained, accessible, and with the same numbers as the Markdown and the JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from rogsim.report.document import Grid, Report
from rogsim.report.render.drawing import svg
from rogsim.report.render.html import page
from rogsim.report.render.json_data import as_data, as_json
from rogsim.report.render.markdown import markdown
from tests.report.conftest import KEYS, RIVER, report_on

pytestmark = pytest.mark.once_compiled

VOID = {"meta", "link", "br", "img", "input", "hr"}
ADDRESS = re.compile(r"""(?:https?:)?//[\w.-]+|(?:src|srcset|action|data)\s*=|@import|url\((?!#)""")


class Reader(HTMLParser):
    """Reads a page, and records its elements, its unclosed elements and its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def drawings(report: Report) -> dict[str, str]:
    return {picture.name: svg(picture.draw()) for section in report.sections for picture in section.pictures}


def grids(report: Report) -> list[Grid]:
    return [*(grid for section in report.sections for grid in section.grids), *report.provenance]


@pytest.fixture(scope="module")
def report(race: object) -> Report:
    return report_on(KEYS, KEYS | {"bots": ["walker"], "seed": 6})


@pytest.fixture(scope="module")
def pictures(report: Report) -> dict[str, str]:
    return drawings(report)


@pytest.fixture(scope="module")
def html(report: Report, pictures: dict[str, str]) -> str:
    return page(report, pictures)


def test_the_page_is_well_formed(html: str) -> None:
    """Every element is closed, and ids are unique."""
    reader = Reader(html)
    assert reader.open == []
    ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_page_is_self_contained(html: str) -> None:
    """It contains no address of anything else, and every link leads to a place within the page."""
    text = re.sub(r"data:image/png;base64,[\w+/=\s]+", "", html)
    assert ADDRESS.findall(text) == []
    reader = Reader(html)
    ids = {attributes["id"] for _, attributes in reader.elements if "id" in attributes}
    links = [attributes["href"] for tag in ("a", "use") for attributes in reader.all(tag) if attributes.get("href")]
    assert links
    assert {str(link) for link in links} <= {f"#{name}" for name in ids}


def test_every_figure_says_what_it_shows(html: str, report: Report) -> None:
    """Each drawing has a text with a number, or one that says that there is nothing to show."""
    named = [attributes["aria-label"] for attributes in Reader(html).all("svg")]
    assert len(named) == sum(len(section.pictures) for section in report.sections)
    assert all(text and re.search(r"\d|nothing", text) for text in named)


def test_headings_come_in_order(html: str) -> None:
    """There is one first-level heading, and no level is skipped on the way down."""
    levels = [int(tag[1]) for tag, _ in Reader(html).elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_options_are_not_broken_between_lines(report: Report, pictures: dict[str, str]) -> None:
    """An option in a command stays on one line; a dash elsewhere may end one."""
    changed = replace(report, next_steps=("Play `rogsim run a-b --first-look 4` -- or not.",))
    written = page(changed, pictures)
    assert 'Play <code>rogsim run a-b <span class="option">--first-look</span> 4</code> -- or not.' in written


def test_tables_can_be_read_aloud_and_sorted(html: str, report: Report) -> None:
    """Each table has a caption, heads with a scope, and a button in each column."""
    reader = Reader(html)
    tables = len(grids(report))
    assert len(reader.all("table")) == len(reader.all("caption")) == tables
    assert all(attributes.get("scope") in ("col", "row") for attributes in reader.all("th"))
    assert len(reader.all("button")) == sum(len(grid.columns) for grid in grids(report))


def test_the_page_the_markdown_and_the_json_agree(html: str, report: Report) -> None:
    """Each cell and each finding is in the page and in the Markdown; the JSON has its number."""
    text, plain = Reader(html).text, markdown(report).replace("\\", "")
    data = json.loads(as_json(report))
    rows_of = {grid["name"]: grid["rows"] for section in data["sections"] for grid in section["tables"]}
    for section in report.sections:
        for finding in section.findings:
            assert " ".join(finding.text.split()) in text
            assert finding.text in plain
        for grid in section.grids:
            for row, cells in zip(grid.shown.to_dicts(), grid.rows(), strict=True):
                assert all(" ".join(cell.split()) in text and cell in plain for cell, _ in cells)
                known = [key for key, value in row.items() if isinstance(value, float) and value == value]
                same = [
                    stored
                    for stored in rows_of[grid.name]
                    if all(stored[key] == pytest.approx(row[key], rel=1e-5) for key in known)
                ]
                assert same


def test_the_json_is_the_data_of_the_report(report: Report) -> None:
    """Read back, the file equals the data, without numbers that JSON does not allow."""
    text = as_json(report)
    assert "NaN" not in text
    assert "Infinity" not in text
    data = json.loads(text)
    assert data["format"] == "rogsim-report/1"
    assert [section["name"] for section in data["sections"]] == [section.name for section in report.sections]
    assert list(data) == list(as_data(report))


def test_names_are_escaped(race: object, tmp_path: Path) -> None:
    """Names of scenarios and bots that are HTML or Markdown stay text in the page, its figures and the Markdown."""
    (tmp_path / "x").mkdir()
    bot = tmp_path / "x" / "<script>alert(1)<b>.py"
    bot.write_text("def choose(setup, race, menu, memory):\n    return 0\n")
    keys = KEYS | {"bots": [f"{bot}:choose", "walker", "runner"], "players": [3], "games": 60}
    report = report_on(keys)
    html = page(report, drawings(report))
    assert "<script>alert" not in html
    assert html.count("<script>") == 1
    assert Reader(html).open == []
    assert "&lt;script&gt;alert" in html
    outside = re.sub(r"^```.*?^```", "", markdown(report), flags=re.DOTALL | re.MULTILINE)
    assert "alert" in outside
    assert not re.search(r"(?<!\\)<", outside)


def test_drawing_a_figure_has_no_side_effects(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call returns a new Figure, writes no file, opens no window and leaves the settings unchanged."""
    import matplotlib as mpl
    from matplotlib import _pylab_helpers

    monkeypatch.chdir(tmp_path)
    mpl.use("agg")
    before = mpl.rcParams.copy()
    for section in report.sections:
        for picture in section.pictures:
            assert isinstance(picture.draw(), Figure)
    assert mpl.rcParams == before
    assert list(tmp_path.iterdir()) == []
    assert _pylab_helpers.Gcf.figs == {}


def test_a_report_on_the_river_has_a_section_for_each_topic() -> None:
    """All kinds of topics appear, in the rulebook's words, and the page stays small."""
    report = report_on(RIVER | {"players": [2]})
    names = [section.name for section in report.sections]
    assert names[:4] == ["patrons", "seats", "clans", "masteries"]  # the patrons are dealt
    assert {"claims", "cards", "tiles", "regions", "sources", "points", "lead", "length", "luck"} <= set(names)
    html = page(report, drawings(report))
    assert Reader(html).open == []
    assert "Bayushi Kashiko" in html
    assert "Merchant of region 1" in html
    assert "bayushi-kashiko" not in html
    assert len(html) < 1_800_000


def test_what_is_not_in_play_has_no_section() -> None:
    """Without patrons there is no section on them."""
    names = [section.name for section in report_on(RIVER | {"options": {}}).sections]
    assert "patrons" not in names
    assert "clans" not in names
    assert "masteries" in names
