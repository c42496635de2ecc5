"""Names and questions are shown and not obeyed: in pages, in Markdown, in drawings, and on a terminal."""

from __future__ import annotations

import base64
import hashlib
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import rogsim
from rogsim.base.text import name_fault, safe
from rogsim.game.spec import GameSpec
from rogsim.report.render.pages import _fenced, escaped
from tests.command_line import rogsim_command
from tests.security.crafted import KEYS

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("outlined")]

SCRIPT = "<script>alert(1)</script>"
HOSTILE = [
    SCRIPT,
    '"><img src=x onerror=alert(1)>',
    "'\"></svg><script>1</script>",
    "``<b>`",
    "`<b>",
    "` <b> ``x` <i>",
    "a|b|`|<b>`",
    "[x](javascript:alert(1))",
    "![x](http://x/y)",
    "<!-- -->",
    "]]><x>",
    "&lt;script&gt;",
    "~~~",
    "$\\frac$ $x",
    "{{ 7*7 }}{% x %}",
    "</title></style></script>",
    "javascript:alert(1)",
    "%3Cscript%3E",
]


class Reader(HTMLParser):
    """What a browser would find in a page: elements with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


@pytest.fixture
def place(dice_race: GameSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def hostile_folder(place: Path, text: str) -> Path:
    """Results whose bots' file, scenario and question are called so, as far as a file can be."""
    name = text.replace("/", "\u2215")
    (place / f"{name}.py").write_text("def f(setup, race, menu, memory):\n    return 0\n")
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    lines = [f"# {text} ", 'game = "dice-race"', "players = [2]", "games = 40", "seed = 1"]
    lines.append(f'bots = ["{quoted}.py:f", "runner"]')
    (place / f"{name}.toml").write_text("\n".join(lines) + "\n")
    rogsim.run(place / f"{name}.toml", out=place / "out")
    return place / "out"


@pytest.mark.parametrize(
    "text", [SCRIPT, "``<b>` $\\x$ ~~~", "'\"><img onerror=x>"], ids=["script", "backticks", "quotes"]
)
def test_a_report_shows_hostile_names_and_runs_none(place: Path, text: str) -> None:
    """No element, attribute or script of theirs gets into the page; drawings are well-formed; the script is ours."""
    folder = hostile_folder(place, text)
    ended = rogsim_command("report", folder.name, "--out", "page")
    assert ended.code == 0, ended
    html = (place / "page" / "index.html").read_text()
    page = Reader(html)
    assert {tag for tag, _ in page.elements}.isdisjoint({"img", "b:x", "x", "i", "iframe", "object", "embed"})
    assert sum(tag == "script" for tag, _ in page.elements) == 1
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        link = attributes.get("href") or ""
        ours = re.fullmatch(r"#.*|report\.xlsx|tables/[\w-]+\.csv", link)
        assert tag == "link" or ours or not link, (tag, attributes)
    (policy,) = [one["content"] for tag, one in page.elements if tag == "meta" and "http-equiv" in one]
    (script,) = re.findall("<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in str(policy)
    drawings = list((place / "page" / "figures").glob("*.svg"))
    assert drawings
    for drawing in drawings:
        root = ElementTree.parse(drawing).getroot()
        assert not [element for element in root.iter() if element.tag.endswith(("script", "foreignObject"))]
    check_markdown((place / "page" / "report.md").read_text())


def check_markdown(text: str) -> None:
    """Outside of blocks of code, no HTML, and no backticks but pairs around what would do no harm as text, either."""
    assert text.count("\n```") % 2 == 0
    plain = re.sub(r"^(```+)\w*\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)(\\\\)*<", plain)
    without = re.sub(r"(?<!`)`[^`<>&|\\\[\]~\n]+`(?!`)", "", plain)
    assert "`" not in without


def read_markdown(text: str) -> tuple[str, list[str]]:
    """Return what a Markdown reader shows, with backticks around code, and each piece of code."""
    (_, inline, _) = MarkdownIt().parse(text)
    parts = [f"`{part.content}`" if part.type == "code_inline" else part.content for part in inline.children or ()]
    return "".join(parts), [part.content for part in inline.children or () if part.type == "code_inline"]


@given(st.lists(st.sampled_from("<>|*_[]()!&;~#$\\{}-.:/ ab1é"), min_size=1).map("".join).map(str.strip))
@example("<b>")
@settings(derandomize=True, max_examples=300, deadline=None, database=None)
def test_a_name_in_code_leaves_the_rest_of_the_line_as_it_is(name: str) -> None:
    """A Markdown reader shows any name letter by letter, and code after it stays code."""
    text = " ".join(f"Type `rogsim report {name}`, then `rogsim status`.".split())
    shown, code = read_markdown(escaped(text))
    assert shown == text
    assert code[-1] == "rogsim status"
    assert set(code) <= {"rogsim status", text.split("`")[1]}


@given(st.lists(st.sampled_from([*HOSTILE, *"`<>|\\ab &~#-+1.=\n"]), max_size=8).map("".join))
@settings(derandomize=True, max_examples=300, deadline=None, database=None)
def test_no_text_gets_html_into_markdown(text: str) -> None:
    """However backticks, bars and backslashes are mixed."""
    check_markdown(escaped(text))
    check_markdown(f"{escaped(text)} {escaped(text[::-1])}")
    assert not re.search(r"(?<!\\)(\\\\)*\|", escaped(text))
    assert not re.match(r"[-+=~#>]|\d+[.)]", escaped(text))


@pytest.mark.parametrize("text", ["```", "~~~\n<script>", "````x```", "a\n`````\n<b>"])
def test_no_text_ends_a_block_of_code(text: str) -> None:
    """The fence is longer than any run of backticks inside."""
    first, *inside, last = _fenced(text, "toml").splitlines()
    assert first == f"{last}toml"
    assert not [line for line in inside if line.strip().startswith(last)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\u001b[31mred"),
        ("\x9b2J", "\\u009b2J"),
        ("a\u202eb", "a\\u202eb"),
        ("\u200bz\ufeff", "\\u200bz\\ufeff"),
        ("\x7f\r\0", "\\u007f\\r\\u0000"),
        ("\u2028", "\\u2028"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("plain ± é 漢字 \N{NO-BREAK SPACE}x\n\ty", "plain ± é 漢字 \N{NO-BREAK SPACE}x\n\ty"),
    ],
)
def test_what_a_terminal_would_obey_is_written_out(text: str, shown: str) -> None:
    """Escapes, controls of eight bits, marks that reverse or hide text; everything else stays as it is."""
    assert safe(text) == shown
    assert safe(shown) == shown


@given(st.text())
@settings(derandomize=True, max_examples=300, deadline=None, database=None)
def test_safe_text_has_nothing_that_cannot_be_seen(text: str) -> None:
    """Whatever it was made of; and a name that may be a name needs nothing written out."""
    assert all(one.isprintable() or one in "\n\t" or one.isspace() for one in safe(text))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", safe(text))
    if name_fault(text) is None:
        assert safe(text) == text


@pytest.mark.parametrize("command", [["status"], ["status", "--json"], ["seats"], ["seats", "--json"], ["verify"]])
def test_a_question_is_printed_without_its_escapes(place: Path, command: list[str]) -> None:
    """Nothing of what a manifest holds reaches the terminal raw."""
    rogsim.run(KEYS, out=place / "out")
    text = (place / "out" / "manifest.json").read_text()
    question = '"question": "\\u001b]0;title\\u0007 \\u202ewho\\u009b31m"'
    (place / "out" / "manifest.json").write_text(text.replace('"question": ""', question))
    ended = rogsim_command(*command, "out")
    assert ended.code == 0
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", ended.out + ended.err)


@pytest.mark.parametrize("name", ["x\x1b[31m", " x", "x\n", "x\u202e"])
def test_folders_are_not_called_anything(place: Path, name: str) -> None:
    """One line says why, whether a folder is to be written or read."""
    for write in (
        ["run", "x.toml", "--out", name],
        ["report", "out", "--out", name],
        ["seats", name],
        ["status", name],
    ):
        Path("x.toml").write_text('game = "dice-race"\nplayers = [2]\ngames = 4\nseed = 1\nbots = ["runner"]\n')
        if write[0] in ("seats", "status"):
            Path(name).mkdir(exist_ok=True)
        elif write[0] == "report":
            rogsim.run(KEYS, out="out")
        ended = rogsim_command(*write)
        assert ended.code == 2
        assert "a name must not" in ended.err, write
        assert "\x1b" not in ended.err
