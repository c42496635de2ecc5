"""A game as one file that needs no server: all its steps, and a small player."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from rogsim.workbench.watched import Watched

STYLES = ("workbench.css", "board.css", "watch.css")


def one_file(templates: Environment, watched: Watched, shown: Callable[..., Mapping[str, Any]], *more: Any) -> str:
    """Return the page.

    Its steps are compressed, as text in base 64: so no name in them can end the script that holds them.

    Parameters
    ----------
    shown
        Called with the game, a step and `more`: what the templates of a step take.
    """
    watched.think_through()
    found = [shown(watched, step, *more) for step in range(watched.played.last + 1)]
    template = templates.get_template("export_frame.html")
    steps = {
        "frames": [template.render(**each) for each in found],
        "headings": [each["frame"].heading for each in found],
        "turns": [*watched.played.turns, watched.played.last],
    }
    static = files("rogsim.workbench") / "static"
    return templates.get_template("export.html").render(
        **found[0],
        style=Markup("\n".join((static / name).read_text(encoding="utf-8") for name in STYLES)),
        script=Markup((static / "export.js").read_text(encoding="utf-8")),
        data=base64.b64encode(gzip.compress(json.dumps(steps).encode(), mtime=0)).decode(),
    )
