"""Untrusted text made safe to print: it cannot move the cursor, colour or hide text, or reverse what follows.

Names, questions and error messages may come from an untrusted file. A terminal obeys the control characters in them,
and invisible characters mislead readers.
"""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

KEPT = "\n\t"  # harmless control characters
WITHOUT_KEPT = str.maketrans("", "", KEPT)


def safe(text: str) -> str:
    r"""Return text with every control and invisible character escaped, as in `\u001b`.

    Works on JSON as well: such characters occur only inside its strings, where `\u001b` means the same.
    """
    if text.translate(WITHOUT_KEPT).isprintable():
        return text
    return "".join(
        character if character in KEPT or _is_visible(character) else _escaped(character) for character in text
    )


def name_fault(name: str) -> str | None:
    """Return why a text cannot be the name of a bot, scenario or folder; None if it can."""
    if not name:
        return "a name must not be empty"
    if hidden := next((character for character in name if not _is_visible(character)), None):
        return f"a name must not contain invisible characters, and this one contains {_code_point(hidden)}"
    if name != name.strip():
        return "a name must not begin or end with a space"
    return None


def path_fault(path: Path) -> str | None:
    """Return why a path cannot be used because of a name in it; None if it can."""
    return next((fault for part in path.parts if (fault := name_fault(part))), None)


def _is_visible(character: str) -> bool:
    # Python calls no space but the plain one printable, yet people type others, which are harmless.
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) > 0x7F or ord(character) < 0x20 else f"\\u{ord(character):04x}"


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X}"
