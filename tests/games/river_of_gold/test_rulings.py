"""The page of rulings and its tests belong together."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.once_uncompiled

HERE = Path(__file__).parent
PAGE = next(folder / "docs" / "rulings.md" for folder in HERE.parents if (folder / "docs" / "rulings.md").exists())


def rulings() -> dict[int, str]:
    """The prefix of its tests that each ruling names, by number."""
    text = PAGE.read_text(encoding="utf-8")
    parts = re.split(r"^\*\*R(\d+)\. ", text, flags=re.MULTILINE)[1:]
    named = {}
    for number, part in zip(parts[::2], parts[1::2], strict=True):
        prefixes = re.findall(r"\*Test:\s+`(test_r\d+)`\.\*", part)
        assert len(prefixes) == 1, f"R{number} names {prefixes}"
        named[int(number)] = prefixes[0]
    return named


def functions() -> dict[str, ast.FunctionDef]:
    """Every test of a ruling by name."""
    found: dict[str, ast.FunctionDef] = {}
    for path in sorted(HERE.glob("test_rulings*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and re.match(r"test_r\d", node.name):
                assert node.name not in found, f"{node.name} stands in two files"
                found[node.name] = node
    return found


def test_every_ruling_has_a_test() -> None:
    """The numbers of the page run without a gap, name their tests, and no test names another number."""
    named = rulings()
    assert list(named) == list(range(1, len(named) + 1))
    assert list(named.values()) == [f"test_r{number:02}" for number in named]
    tested = {name[: len("test_r00")] for name in functions()}
    assert tested == set(named.values())


def test_every_test_of_a_ruling_says_what_it_proves() -> None:
    """A ruling's test has a sentence for a docstring, and a check in it."""
    for name, node in functions().items():
        assert (ast.get_docstring(node) or "").endswith("."), name
        assert any(isinstance(part, ast.Assert) for part in ast.walk(node)), name
