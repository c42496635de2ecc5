"""A page of rulings and its tests: each names the other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

DOCS = next(folder / "docs" for folder in Path(__file__).parents if (folder / "docs" / "rulings.md").exists())


def rulings(page: str, letter: str) -> dict[int, str]:
    """The prefix of its tests that each ruling of a page names, by number, in the order of the page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    parts = re.split(rf"^\*\*{letter}(\d+)\. ", text, flags=re.MULTILINE)[1:]
    named: dict[int, str] = {}
    for number, part in zip(parts[::2], parts[1::2], strict=True):
        prefixes = re.findall(rf"\*Test:\s+`(test_{letter.lower()}\d+)`\.\*", part)
        assert len(prefixes) == 1, f"{letter}{number} names {prefixes}"
        assert int(number) not in named, f"{letter}{number} stands on the page twice"
        named[int(number)] = prefixes[0]
    return named


def ruling_tests(folder: Path, letter: str) -> dict[str, ast.FunctionDef]:
    """Every test of a ruling in a folder, by name."""
    found: dict[str, ast.FunctionDef] = {}
    for path in sorted(folder.glob("test_rulings*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and re.match(rf"test_{letter.lower()}\d", node.name):
                assert node.name not in found, f"{node.name} stands in two files"
                found[node.name] = node
    return found


def check_numbers(page: str, letter: str, folder: Path) -> None:
    """Check that a page has each number once, that each names its tests, and that no test names another number."""
    named = rulings(page, letter)
    assert sorted(named) == list(range(1, len(named) + 1))
    assert all(prefix == f"test_{letter.lower()}{number:02}" for number, prefix in named.items())
    tested = {name[: len("test_r00")] for name in ruling_tests(folder, letter)}
    assert tested == set(named.values())


def check_sentences(letter: str, folder: Path) -> None:
    """Check that every test of a ruling has a sentence for a docstring, and a check in it."""
    for name, node in ruling_tests(folder, letter).items():
        assert (ast.get_docstring(node) or "").endswith("."), name
        assert any(isinstance(part, ast.Assert) for part in ast.walk(node)), name
