"""Pages of played games: which sections there are, and that hostile names stay names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from rogsim.report.document import Report
from rogsim.report.render.pages import markdown, page
from tests.report.conftest import KEYS, RIVER, report_on
from tests.report.test_rendering import Reader, drawings

pytestmark = pytest.mark.once_compiled


@pytest.fixture(scope="module")
def report(race: object) -> Report:
    return report_on(KEYS, KEYS | {"bots": ["walker"], "seed": 6})


def test_names_are_escaped(race: object, tmp_path: Path) -> None:
    """Names of scenarios and bots that are HTML or Markdown stay text in the page, its figures and the Markdown."""
    (tmp_path / "x").mkdir()
    bot = tmp_path / "x" / "<script>alert(1)<b>.py"
    bot.write_text("def choose(setup, race, menu, memory):\n    return 0\n")
    keys = KEYS | {"bots": [f"{bot}:choose", "walker", "runner"], "players": [3], "games": 60}
    report = report_on(keys)
    html = page(report, drawings(report))
    assert "<script>alert" not in html
    assert html.count("<script>") == 1
    assert Reader(html).open == []
    assert "&lt;script&gt;alert" in html
    outside = re.sub(r"^```.*?^```", "", markdown(report), flags=re.DOTALL | re.MULTILINE)
    assert "alert" in outside
    assert not re.search(r"(?<!\\)<", outside)


def test_drawing_a_figure_has_no_side_effects(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call returns a new Figure, writes no file, opens no window and leaves the settings unchanged."""
    import matplotlib as mpl
    from matplotlib import _pylab_helpers

    monkeypatch.chdir(tmp_path)
    mpl.use("agg")
    before = mpl.rcParams.copy()
    for section in report.sections:
        for picture in section.pictures:
            assert isinstance(picture.draw(), Figure)
    assert mpl.rcParams == before
    assert list(tmp_path.iterdir()) == []
    assert _pylab_helpers.Gcf.figs == {}


def test_a_report_on_the_river_has_a_section_for_each_topic() -> None:
    """All kinds of topics appear, in the rulebook's words, and the page stays small."""
    report = report_on(RIVER | {"players": [2]})
    names = [section.name for section in report.sections]
    assert names[:4] == ["patrons", "seats", "clans", "masteries"]  # the patrons are dealt
    assert {"claims", "cards", "tiles", "regions", "points", "lead", "length"} <= set(names)
    html = page(report, drawings(report))
    assert Reader(html).open == []
    assert "Bayushi Kashiko" in html
    assert "Merchant of region 1" in html
    assert "bayushi-kashiko" not in html
    assert len(html) < 1_800_000


def test_what_is_not_in_play_has_no_section() -> None:
    """Without patrons there is no section on them."""
    names = [section.name for section in report_on(RIVER | {"options": {}}).sections]
    assert "patrons" not in names
    assert "clans" not in names
    assert "masteries" in names
