"""How Sphinx builds the documentation site: `scripts/docs` calls it with the whole project as its source folder.

So a link in a page is the same file on the site, on a disk and where the project is hosted.
"""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path[:0] = [str(DOCS / "_extensions"), str(ROOT)]

from rogsim.base import __version__  # noqa: E402 (found by the line above)

project = "rogsim"
author = "The rogsim authors"
project_copyright = f"2026, {author}"
release = version = __version__

root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/notebooks/*.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
]
exclude_patterns = [".*", "docs/_build", "rogsim", "scenarios", "scripts", "tests"]  # folders without pages

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "project_links",
    "command_pages",
    "docstring_texts",
    "notebook_pages",
]

# Pages: the anchors are those that GitHub gives to headings.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

# Notebooks are played in a temporary folder; one that fails or takes too long is an error.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_timeout = 300  # seconds for a cell: the first one may compile the rules
nb_execution_raise_on_error = True
nb_output_stderr = "remove"  # "Compiling the rules" would be shown on some machines only
nb_merge_streams = True

# The API: docstrings are in the style of numpydoc, and a name in single backticks is code.
default_role = "code"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
napoleon_preprocess_types = False

# Every reference must lead somewhere, but for the types of other libraries, type variables, validators in annotations,
# and what only rogsim itself makes: how games are stored and where they are played.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!rogsim\.).*"),
    ("py:.*", r"rogsim\.[\w.]+\.[A-Z]"),
    ("py:.*", r"rogsim\.scenario\.(axes\.as_list|model\._bot_name|own_components\..*)"),
    ("py:.*", r"rogsim\.(bots\.loading|results\.manifest|simulation\.(chunks|backends|pool))\..*"),
]

smartquotes = False  # or --games would get a dash

html_theme = "furo"
html_title = "rogsim"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
templates_path = ["_templates"]
html_additional_pages = {"index": "to-docs.html"}
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
pygments_style = "a11y-light"
pygments_dark_style = "monokai"
