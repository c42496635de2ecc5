"""The summary of the example on changed rules is that of its pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rogsim.report.words import minus
from scripts.what_if_example import main, signed_distance
from tests.test_docs import ROOT

pytestmark = pytest.mark.once_uncompiled

PAGES = ROOT / "reports" / "what-if"


def test_the_summary_is_that_of_the_pages(tmp_path: Path) -> None:
    """If not, run `python -m scripts.what_if_example reports/what-if`."""
    for page in PAGES.glob("*/report.json"):
        (tmp_path / page.parent.name).mkdir()
        shutil.copy(page, tmp_path / page.parent.name)
    main(tmp_path)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == (PAGES / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("side", "text"), [("low", "-3.7 (-4.3 to -3.0)"), ("high", "+3.7 (+3.0 to +4.3)")])
def test_a_distance_has_the_sign_of_its_side(side: str, text: str) -> None:
    """The table has absolute values, and says in words on which side of the goal they are."""
    row = {"distance": 3.67, "distance_low": 2.99, "distance_high": 4.34, "farthest": f"Shosuro Hyobu, too {side}"}
    assert signed_distance(row) == minus(text)
