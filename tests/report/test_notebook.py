"""The notebook in the documentation runs as printed, with fewer games."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

import rogsim
from rogsim.game import compiler

pytestmark = pytest.mark.once_uncompiled

ROOT = Path(rogsim.__file__).parent.parent


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its blocks run in order in one namespace, write figures and print tables."""
    text = (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("scenarios").mkdir()
    scenario = (ROOT / "scenarios" / "patrons.toml").read_text(encoding="utf-8")
    Path("scenarios/patrons.toml").write_text(scenario.replace('"balanced"', '"random"'), encoding="utf-8")
    few = functools.partial(rogsim.run, jobs=1)
    monkeypatch.setattr(rogsim, "run", lambda file, games: few(file, games=100 if compiler.ENABLED else 4))
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "notebook.md", "exec"), space)
    assert len(blocks) == 5
    assert "Patrons, 4 players, random: " in capsys.readouterr().out
    assert {"patrons.svg", "journeys.png"} <= {path.name for path in tmp_path.iterdir()}
