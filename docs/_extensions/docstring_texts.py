"""Docstrings as the site shows them.

- Types such as `float32[players]` name the axes of an array: these are words, not links.
- Between a parameter and its meaning stands a dash.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


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
    app.connect("doctree-read", mend)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
