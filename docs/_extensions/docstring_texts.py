"""Docstrings as the site shows them.

- A field of a record is listed once, with what the section `Attributes` or the comment beside it says, and the record
  without its constructor, whose arguments are the fields.
- Types such as `float32[players]` name the axes of an array: these are words, not links.
- Between a parameter and its meaning stands a dash.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from itertools import takewhile
from typing import Any

from docutils import nodes
from pydantic import BaseModel
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

SECTION = re.compile(r"^Attributes\n-+\n(.*?)(?=^\S[^\n]*\n---|\Z)", re.DOTALL | re.MULTILINE)
ENTRY = re.compile(r"^(\w[\w, ]*)\n((?: {4}[^\n]*\n?|\n)+)", re.MULTILINE)
FIELD = re.compile(r"^    (\w+): [^#\n]*(?:# (.*))?$")
COMMENT = re.compile(r"^    # (.*)$")


def is_record(thing: Any) -> bool:
    """Return whether this is a class whose constructor takes its fields."""
    return inspect.isclass(thing) and (dataclasses.is_dataclass(thing) or issubclass(thing, tuple | BaseModel))


@functools.cache
def field_texts(record: type) -> dict[str, str]:
    """Return what is said about the fields of a record: in its docstring, or else in comments."""
    texts = commented(record)
    for section in SECTION.findall(f"{inspect.getdoc(record)}\n"):
        for names, text in ENTRY.findall(section):
            texts |= dict.fromkeys(names.replace(" ", "").split(","), inspect.cleandoc(f"\n{text}"))
    return texts


def commented(record: type) -> dict[str, str]:
    """Return the comments beside the fields of a record, or above them."""
    lines = inspect.getsource(record).splitlines()
    texts = {}
    for place, line in enumerate(lines):
        if found := FIELD.match(line):
            above = list(takewhile(bool, map(COMMENT.match, reversed(lines[:place]))))
            texts[found[1]] = found[2] or " ".join(text[1] for text in reversed(above) if text)
    return {name: text[:1].upper() + text[1:].rstrip(".") + "." for name, text in texts.items() if text}


def write_fields(_app: Sphinx, what: str, name: str, thing: Any, _options: Any, lines: list[str]) -> None:
    """Take the fields out of the docstring of a record, and put each text where the field is listed."""
    if what in {"attribute", "data", "property"}:
        lines[:0] = ["..", ""]  # an empty comment, or napoleon takes what is before a colon for a type
    if not is_record(thing) or not name.endswith(thing.__name__):
        return
    lines[:] = SECTION.sub("", "\n".join(lines) + "\n").splitlines()
    source = ModuleAnalyzer.for_module(thing.__module__)
    source.analyze()
    for field, text in field_texts(thing).items():
        source.attr_docs[thing.__qualname__, field] = [*text.splitlines(), ""]


def hide_constructor(
    _app: Sphinx, _what: str, _name: str, thing: Any, _options: Any, _signature: str, _returns: str
) -> tuple[str, str] | None:
    """Show a record without its constructor."""
    return ("", "") if is_record(thing) else None


def mend(_app: Sphinx, document: nodes.document) -> None:
    """Make references out of lower-case words plain text, and two hyphens a dash."""
    for link in list(document.findall(addnodes.pending_xref)):
        name = link["reftarget"]
        if link.get("refdomain") == "py" and link["reftype"] == "class" and name.isidentifier() and name.islower():
            link.replace_self(nodes.Text(name))
    for text in list(document.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" \N{EN DASH} "))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("autodoc-process-docstring", write_fields, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", hide_constructor)
    app.connect("doctree-read", mend)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
