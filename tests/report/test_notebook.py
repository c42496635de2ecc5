"""What notebooks display of a report, and the page about them, which runs as printed with fewer games."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim import Results, RogsimError
from rogsim.game import compiler
from rogsim.report.balance.sources import gather, material_of
from rogsim.report.document import Finding, Grid, TableColumn
from rogsim.report.figures.style import new_figure

pytestmark = pytest.mark.once_uncompiled

ROOT = Path(rogsim.__file__).parent.parent


def test_the_page_on_notebooks_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its blocks run in order in one namespace and print an answer and tables."""
    text = (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("scenarios").mkdir()
    scenario = (ROOT / "scenarios" / "patrons.toml").read_text(encoding="utf-8")
    Path("scenarios/patrons.toml").write_text(scenario.replace('"balanced"', '"random"'), encoding="utf-8")
    few = functools.partial(rogsim.run, jobs=1)
    monkeypatch.setattr(rogsim, "run", lambda file, games: few(file, games=100 if compiler.ENABLED else 4))
    space: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "notebook.md", "exec"), space)
    assert len(blocks) == 2
    printed = capsys.readouterr().out
    assert printed.startswith(f"{space['report'].answer}\n")
    assert "share_low" in printed


def test_a_table_is_displayed_as_on_the_page() -> None:
    """It has the caption, the heads and the formatted cells, with names escaped."""
    frame = pl.DataFrame({"level": ["a<b"], "share": [0.25], "share_low": [0.2], "share_high": [0.3]})
    columns = (TableColumn("level", "seat"), TableColumn("share", "win share (95%)", "share", interval=True))
    shown = Grid("seats", "Win share by seat", columns, frame)._repr_html_()
    assert "<caption>Win share by seat</caption>" in shown
    assert "<th>win share (95%)</th>" in shown
    assert "<td>a&lt;b</td><td>25.0% (20.0 to 30.0)</td>" in shown


def test_a_finding_is_displayed_with_its_verdict() -> None:
    """The word of the verdict comes first, and the sentence is escaped."""
    assert Finding("open", "p < 0.05?")._repr_html_() == "<p><strong>Not known yet.</strong> p &lt; 0.05?</p>"


def test_a_figure_is_displayed_without_pyplot() -> None:
    """A figure gives notebooks a PNG image of itself."""
    assert new_figure(2.0)._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: gather(["nowhere"]), "nowhere: there is no such folder"),
        (lambda: gather([3]), "folders: 3 is not allowed: must be a path"),
        (lambda: gather([], settled=[3]), "settled: 3 is not allowed: must be a path"),
        (lambda: material_of([]), "opened: must be a list of results, with at least one: material_of([results])"),
        (lambda: material_of(Results({}, None, [])), "opened: must be a list of results, with at least one"),
    ],
)
def test_the_material_of_a_report_is_checked(call: Callable[[], object], line: str) -> None:
    """Folders may be text; anything but folders or results is refused in one line."""
    with pytest.raises(RogsimError, match=f"^{re.escape(line)}"):
        call()
