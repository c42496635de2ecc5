"""The first page, and pages that are not there."""

from __future__ import annotations

import pytest

from tests.command_line import Run
from tests.workbench.client import Bench, Client

pytestmark = pytest.mark.once_uncompiled


def test_home_lists_what_rogsim_has(site: Client) -> None:
    """In an empty folder there are the scenarios that come with rogsim, with their questions."""
    page = site.get("/")
    assert page.status_code == 200
    assert "/change/seat-order" in page.text


def test_a_page_that_is_not_there(site: Client) -> None:
    """It says so, with status 404."""
    assert site.get("/change/nothing").status_code == 404
    assert "nothing" in site.get("/change/nothing").text


def test_home_has_no_problem(bench: Bench) -> None:
    """In a browser."""
    assert bench.problems() == []
    assert bench.stop() == 0


@pytest.mark.parametrize("port", ["70000", "-1"])
def test_a_port_that_no_machine_has(command: Run, port: str) -> None:
    """One line, before anything is served."""
    ended = command("open", "--no-browser", "--port", port)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "must be a whole number from 0 to 65,535" in ended.err
