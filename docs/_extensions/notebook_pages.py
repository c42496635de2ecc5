"""Notebooks as the site shows them.

- They run compiled, although the site itself is built uncompiled: `docs/_jupyter` has the kernel for that.
- Below its title, each has a link that downloads it as an .ipynb file.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

NOTEBOOKS = "docs/notebooks/"
KERNELS = Path(__file__).parents[1] / "_jupyter"


def link_to_file(app: Sphinx, document: nodes.document) -> None:
    """Insert the link below the title of a notebook."""
    name = app.env.docname
    if name.startswith(NOTEBOOKS):
        file = Path(app.env.mystnb_config.output_folder, f"{name}.ipynb").relative_to(app.srcdir)
        link = addnodes.download_reference("", "Download this notebook", reftarget=f"/{file.as_posix()}")
        index = addnodes.pending_xref(
            "",
            nodes.inline("", "How to open it"),
            refdomain="std",
            reftype="doc",
            reftarget="/docs/notebook",
            refexplicit=True,
        )
        title = next(document.findall(nodes.title))
        title.parent.insert(title.parent.index(title) + 1, nodes.paragraph("", "", link, nodes.Text(" · "), index))


def setup(app: Sphinx) -> dict[str, Any]:
    """Name the folder of the kernel, and register the links."""
    os.environ["JUPYTER_PATH"] = str(KERNELS)
    logging.getLogger("traitlets").setLevel(logging.WARNING)  # not a line for each notebook
    app.connect("doctree-read", link_to_file, priority=300)  # before downloads are collected
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
