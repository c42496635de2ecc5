"""The files of a page, from a report made by hand: well-formed, self-contained, accessible, with the same numbers."""

# ruff: noqa: RUF001
from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from rogsim.report.document import MOST_SHOWN, TITLES, Grid, Report, Step, TableColumn, plain
from rogsim.report.render.data_files import as_data, as_json
from rogsim.report.render.pages import SIGNS, images_of, markdown, page, svg
from rogsim.report.render.write import write_report
from tests.report.hand_made import COMMAND, TURNS, hand_made

pytestmark = pytest.mark.once_uncompiled

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
    """The SVG of each figure of a report."""
    return {picture.name: svg(picture.draw()) for picture in report.pictures}


def grids(report: Report) -> list[Grid]:
    """All tables of a report."""
    return [*(grid for section in report.sections for grid in section.grids), *report.provenance]


REPORT = hand_made()


@pytest.fixture(scope="module")
def html() -> str:
    """The page."""
    return page(REPORT, drawings(REPORT))


def test_the_page_is_well_formed(html: str) -> None:
    """Every element is closed, and ids are unique."""
    reader = Reader(html)
    assert reader.open == []
    ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_page_is_self_contained(html: str) -> None:
    """It contains no address of anything else, and every link leads to the page itself or a file beside it."""
    assert ADDRESS.findall(html) == []
    reader = Reader(html)
    ids = {f"#{attributes['id']}" for _, attributes in reader.elements if "id" in attributes}
    files = {"report.xlsx", *(f"tables/{grid.name}.csv" for grid in grids(REPORT))}
    links = {str(attributes["href"]) for tag in ("a", "use") for attributes in reader.all(tag)}
    assert {"#sure", "#seats", *files} <= links <= ids | files


def test_the_answer_comes_first(html: str) -> None:
    """Game and question, the answer with its verdict as the heading, context, figure, two steps, balance sheet."""
    body = html[html.index("<main>") :]
    parts = ["River Race · Is any", 'aria-label="Out of balance">▲', REPORT.answer, REPORT.context, "How sure is this?"]
    parts += [
        '<svg role="img"',
        "Try next",
        COMMAND.split("--")[0],
        "2 more",
        "Balance sheet",
        "First seat",
        "Contents",
    ]
    places = [body.index(part) for part in parts]
    assert places == sorted(places)
    heading = re.search(r"<h1>.*?</h1>", body)
    assert heading
    assert REPORT.answer in heading[0]


def test_only_the_first_section_is_open(html: str) -> None:
    """Everything else is folded, with its answer in sight; provenance, command and scenarios are, too."""
    sections = [box for box in Reader(html).all("details") if box.get("class") == "section"]
    assert ["open" in box for box in sections] == [True, *[False] * (len(sections) - 1)]
    assert [box.get("id") for box in sections[len(REPORT.sections) :]] == ["sure", "command", None]
    for section in REPORT.sections:
        assert re.search(rf"<summary><h2>[^\n]*{section.title}</h2> <span>{re.escape(section.answer)}</span>", html)


def test_the_balance_sheet_says_verdicts_and_intervals(html: str) -> None:
    """Each number has the sign of its verdict, which is read aloud, and its interval; what is missing is a dash."""
    sheet = html[html.index('<table class="sheet">') : html.index("</table>")]
    mark = '<span class="mark slight" role="img" aria-label="Slight">◆</span>&nbsp;'
    assert f'<b class="slight">{mark}−2.9</b> <small>−4.1 to −1.7</small>' in sheet
    assert '<td class="number">–</td>' in sheet
    assert '<b class="fact">46</b>' in sheet
    assert '<th scope="row"><a href="#seats">First seat</a> <small>wins too often' in sheet
    assert set(SIGNS) == set(TITLES)


def test_a_page_needs_neither_figure_nor_steps_nor_sheet() -> None:
    """What a report does not have leaves no trace."""
    bare = replace(REPORT, picture=None, steps=(), sheet=None, sections=REPORT.sections[:1], command="", question="")
    html = page(bare, {})
    assert Reader(html).open == []
    assert not [word for word in ("Try next", "Balance sheet", "Contents", "reproduce", "<svg") if word in html]
    assert "<title>River Race</title>" in html
    assert not [word for word in ("Try next", "Balance sheet", "reproduce", "![") if word in markdown(bare)]


def test_every_figure_says_what_it_shows(html: str) -> None:
    """Each figure is drawn once, with a text; that of the first screen is not repeated in its section."""
    assert [box["aria-label"] for box in Reader(html).all("svg")] == [picture.alt for picture in REPORT.pictures]
    characters = REPORT.sections[1]
    assert REPORT.picture
    again = replace(characters, pictures=(REPORT.picture, *characters.pictures))
    same = replace(REPORT, sections=(again,))
    shown = page(same, drawings(same))
    assert shown.count("<figure>") == 3
    assert "The figure is at the top of the page." in shown
    assert markdown(same).count("![") == 1


def test_headings_come_in_order(html: str) -> None:
    """There is one first-level heading, and no level is skipped on the way down."""
    levels = [int(tag[1]) for tag, _ in Reader(html).elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_options_are_not_broken_between_lines() -> None:
    """An option in a command stays on one line; a dash elsewhere may end one."""
    step = Step("Play `rogsim run a-b --first-look 4` -- or not.", "rogsim run --games 9")
    written = page(replace(REPORT, steps=(step,)), drawings(REPORT))
    assert 'Play <code>rogsim run a-b <span class="option">--first-look</span> 4</code> -- or not.' in written
    assert '<pre><code>rogsim run <span class="option">--games</span> 9</code></pre>' in written


def test_tables_can_be_read_aloud_and_sorted(html: str) -> None:
    """Each table has a caption and heads with a scope; all but the balance sheet have a button in each column."""
    reader = Reader(html)
    assert len(reader.all("table")) == len(reader.all("caption")) == len(grids(REPORT)) + 1
    assert all(attributes.get("scope") in ("col", "row") for attributes in reader.all("th"))
    assert len(reader.all("button")) == sum(len(grid.columns) for grid in grids(REPORT))


def test_a_long_table_shows_its_first_rows_or_its_smallest_q() -> None:
    """At most 15 rows; a note says which."""
    columns = (TableColumn("turn", "turn", "count"),)
    turns, by_q = Grid("turns", "Turns", columns, TURNS), TURNS.with_columns(q=1 - pl.col("share"))
    screen = replace(turns, frame=by_q, notes=("so",))
    assert turns.shown["turn"].to_list() == list(range(1, MOST_SHOWN + 1))
    assert turns.all_notes == ("The table shows the first 15 rows of 40.",)
    assert screen.shown["turn"].to_list() == list(range(26, 41))
    assert screen.all_notes == ("The table shows the 15 rows with the smallest q of 40.", "so")
    assert replace(screen, first_shown=True).shown["turn"].to_list() == list(range(1, MOST_SHOWN + 1))
    assert replace(screen, frame=by_q.head(15)).all_notes == ("so",)


def test_the_page_the_markdown_and_the_json_agree(html: str) -> None:
    """Each cell, each finding and each answer is in the page and in the Markdown; the JSON has all rows."""
    text, shown = Reader(html).text, markdown(REPORT).replace("\\", "")
    data = json.loads(as_json(REPORT))
    for section, stored in zip(REPORT.sections, data["sections"], strict=True):
        for said in (section.answer, section.method, *(finding.text for finding in section.findings)):
            assert said in text
            assert said in shown
        for grid, table in zip(section.grids, stored["tables"], strict=True):
            assert all(cell in text and cell in shown for row in grid.rows() for cell, _ in row)
            assert table["rows"] == plain(grid.frame.to_dicts())


def test_the_json_is_the_data_of_the_report() -> None:
    """Read back, the file equals the data; a cell of the balance sheet without a number is null."""
    data = json.loads(as_json(REPORT))
    assert data["format"] == "rogsim-report/2"
    assert list(data) == list(as_data(REPORT))
    assert [data[key] for key in ("question", "answer", "verdict")] == [REPORT.question, REPORT.answer, "out"]
    assert data["steps"][0] == {"text": REPORT.steps[0].text, "command": COMMAND}
    assert data["balance_sheet"]["columns"] == ["2 players", "3 players", "4 players"]
    last = data["balance_sheet"]["rows"][1]
    assert last["cells"][:2] == [{"text": "−2.9", "reach": "−4.1 to −1.7", "verdict": "slight"}, None]
    assert data["sections"][1]["findings"][0]["effect"] == -17.1
    assert data["sections"][1]["anchor"] == "intervals"


def test_only_what_the_markdown_shows_is_an_image(tmp_path: Path) -> None:
    """All figures are SVG files; the one of the first screen and the first one of each section are images as well."""
    write_report(REPORT, tmp_path / "page")
    files = {path.name for path in (tmp_path / "page" / "figures").iterdir()}
    shown = set(re.findall(r"\]\(figures/(.*?\.png)\)", markdown(REPORT)))
    assert {name for name in files if name.endswith(".png")} == shown == {f"{name}.png" for name in images_of(REPORT)}
    assert {name for name in files if name.endswith(".svg")} == {f"{picture.name}.svg" for picture in REPORT.pictures}
    before = (tmp_path / "page" / "index.html").read_bytes()
    write_report(REPORT, tmp_path / "page")  # it replaces what it wrote
    assert (tmp_path / "page" / "index.html").read_bytes() == before
    assert sorted(path.name for path in (tmp_path / "page").iterdir()) == sorted(
        ("index.html", "report.md", "report.json", "report.xlsx", "tables", "figures")
    )


def test_what_a_report_says_is_escaped() -> None:
    """Text that is HTML or Markdown stays text in all parts of the first screen."""
    bad = "<script>x</script> [x](y)"
    report = replace(
        REPORT, title=bad, answer=bad, context=bad, steps=(Step(f"`{bad}`", bad),), family=bad, command=bad
    )
    html = page(report, drawings(report))
    assert html.count("<script>") == 1
    assert html.count("&lt;script&gt;x") == 8  # the title is there twice, the sentence of the step and its command once
    outside = re.sub(r"^```.*?^```", "", markdown(report), flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)[<\[]script|(?<!\\)\[x", outside)


def measured(folder: Path, *limits: str) -> tuple[int, list[str]]:
    """What scripts/measure-page says about a folder."""
    command = [sys.executable, "-m", "scripts.measure_page", str(folder), *limits]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout.splitlines()


def test_a_page_is_measured(tmp_path: Path) -> None:
    """Words inside and outside of closed elements, figures, tables and rows; exit code 1 beyond a limit."""
    folded = "<details><summary>three more words</summary><p>a b</p><details><summary>c</summary>d</details></details>"
    table = "<table><caption>Long</caption><thead><tr></tr></thead><tbody><tr><td>no</td></tr><tr></tr></tbody></table>"
    opened = "<details open><summary>x</summary>y</details>"
    figure = "<figure><svg><text>no</text></svg><figcaption>drawn</figcaption></figure><pre>no</pre>"
    text = f"<html><head><title>no</title></head><body>two words{folded}{opened}{table}{figure}</body></html>"
    (tmp_path / "index.html").write_text(text)
    found = ["8 of 700", "12 of 3,000", "1 of 14", "1 of 10", "2 of 15 (Long)"]
    code, lines = measured(tmp_path)
    assert [line.partition(": ")[2] for line in lines] == found
    assert code == 0
    code, lines = measured(tmp_path, "--first", "8", "--rows", "1")
    assert code == 1
    assert [line for line in lines if "over the limit" in line] == [lines[-1]]


def test_a_page_of_this_kind_is_short(tmp_path: Path) -> None:
    """Five sections keep to every limit but that of tables."""
    write_report(REPORT, tmp_path / "page")
    assert measured(tmp_path / "page", "--tables", "11")[0] == 0


@pytest.mark.parametrize(
    ("page", "limits"),
    [
        ("example", ("--first", "1000", "--words", "4500", "--figures", "20", "--tables", "14")),
        ("the-river", ("--first", "1000", "--words", "4500", "--figures", "20", "--tables", "14")),
        ("what-if", ()),
    ],
)
def test_the_example_pages_keep_the_limits(page: str, limits: tuple[str, ...]) -> None:
    """Of three sets of bots, and of one search."""
    code, lines = measured(Path(__file__).parents[2] / "reports" / page, *limits)
    assert code == 0, lines
