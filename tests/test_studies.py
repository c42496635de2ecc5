"""Rates that studies measure, and their table."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rogsim.stats.estimates import wilson
from scripts.studies.rates import COVERAGE, NORMAL, Rate, each_kind, write

pytestmark = pytest.mark.once_uncompiled
HEAD = "study,case,games,nominal,measured,low,high,n\n"


def test_a_rate_has_wilsons_interval_and_an_exact_one_has_none() -> None:
    """A series with several intervals counts as one, with the share of them that hold."""
    rate = Rate.of("a", 300, 95, [1.0, 0.5, True, True])
    low, high = wilson(3.5 / 4, 4, NORMAL)
    assert rate.percent == pytest.approx((87.5, 100 * low, 100 * high))
    assert Rate("a", "", 5, 0.02, None).row == ["a", "", "5", "2.0", "2.0", "2.0", ""]


def test_intervals_of_a_series_are_no_series_of_their_own() -> None:
    """Three intervals in two series: two thirds hold, of two; a kind that one series lacks has one."""
    answers = [[("b", True), ("b", False), ("test", True)], [("b", True)]]
    found = {rate.case: rate for rate in each_kind("a: ", 10, answers, ("test",))}
    assert (found["a: b"].hits, found["a: b"].n, found["a: b"].nominal) == (pytest.approx(4 / 3), 2, 95)
    assert (found["a: test"].hits, found["a: test"].n, found["a: test"].nominal) == (1, 1, 5)


def test_a_rate_replaces_only_its_own_row(tmp_path: Path) -> None:
    """The row of the same study, case and games; a new case comes after the others of its study."""
    file = tmp_path / "rates.csv"
    file.write_text(HEAD + "x,a,1,5,9,9,9,9\ny,a,1,5,9,9,9,9\nx,a,2,5,9,9,9,9\n", encoding="utf-8")
    for rate in (Rate.of("a", 1, 5, [False] * 4), Rate.of('new, "quoted"', 1, 95, [True] * 4)):
        write("y", rate, file)
    with file.open(encoding="utf-8", newline="") as text:
        rows = list(csv.reader(text))[1:]
    assert [row[:4] for row in rows] == [
        ["x", "a", "1", "5"],
        ["y", "a", "1", "5"],
        ["y", 'new, "quoted"', "1", "95"],
        ["x", "a", "2", "5"],
    ]
    assert rows[1][4:] == ["0.0", "0.0", "49.0", "4"]
    assert rows[0] == ["x", "a", "1", "5", "9", "9", "9", "9"]


def test_the_table_has_each_rate_once_and_every_study_is_documented() -> None:
    """No two rows agree in study, case and games; docs/statistics.md lists the studies."""
    with COVERAGE.open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    assert len({(row["study"], row["case"], row["games"]) for row in rows}) == len(rows) > 900
    documented = (COVERAGE.parents[1] / "statistics.md").read_text(encoding="utf-8")
    table = documented.split("| study |")[1].split("\n\n")[0]
    assert all(row["study"] in table for row in rows)
