"""Links between pages and files of the project, as they are written for GitHub, made right for the site.

- README.md, which the first page includes, links from the top folder, and a link to it leads to the first page.
- A link whose text is the name of a page shows the page's or the section's title.
- A link to a report's Markdown opens its page, which is copied into the site.
- A link to a folder of sources is only its text.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

RELATIVE_LINK = re.compile(r"\]\((?![a-z]+:|[#/])")
PAGE_NAME = re.compile(r"[\w./-]+\.md")


def from_the_top(_app: Sphinx, _path: Path, _parent: str, content: list[str]) -> None:
    """Make the links of an included page start at the top folder."""
    content[0] = RELATIVE_LINK.sub("](/", content[0])


def mend_links(app: Sphinx, document: nodes.document) -> None:
    """Mend the links of a page to what is not a page of the site."""
    for link in list(document.findall(addnodes.download_reference)):
        point_to_report(app, link, app.env.relfn2path(link["reftarget"])[0])
    for link in list(document.findall(addnodes.pending_xref)):
        if link["reftarget"] == "README":
            link["reftarget"] = app.config.root_doc
        elif link.get("refdomain") == "doc" and link["reftarget"] not in app.env.found_docs:
            point_to_report(app, link, f"{link['reftarget']}.md")
        elif link.get("refdomain") == "doc" and PAGE_NAME.fullmatch(link.astext()):
            link["refexplicit"] = False  # the text is then the title
        elif link.get("reftype") == "myst" and Path(app.env.relfn2path(link["reftarget"])[1]).is_dir():
            link.replace_self(link.children)


def point_to_report(app: Sphinx, link: nodes.Element, name: str) -> None:
    """Let a link to a report, as Markdown or as a page, lead to its page, which is copied at the end."""
    page = Path(name).with_name("index.html")
    if Path(name).name in ("report.md", page.name) and (Path(app.srcdir) / page).is_file():
        reports: set[str] = vars(app.env).setdefault("rogsim_reports", set())
        reports.add(page.as_posix())
        uri = relative_uri(app.builder.get_target_uri(app.env.docname), page.as_posix())
        link.replace_self(nodes.reference("", "", *link.children, refuri=uri))


def copy_reports(app: Sphinx, exception: Exception | None) -> None:
    """Copy the pages of reports that pages link to."""
    if exception:
        return
    for page in vars(app.env).get("rogsim_reports", ()):
        target = Path(app.outdir) / page
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(app.srcdir) / page, target)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("include-read", from_the_top)
    app.connect("doctree-read", mend_links, priority=400)  # before downloads are collected
    app.connect("build-finished", copy_reports)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
