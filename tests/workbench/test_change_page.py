"""Changing a rule in a browser."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.workbench.client import Bench

pytestmark = pytest.mark.once_uncompiled


def _late(route: Any) -> None:
    """Let a script come later than all others."""
    time.sleep(0.5)
    route.continue_()


def test_from_a_word_to_an_answer_with_the_keyboard(bench: Bench) -> None:
    """Look for a rule, change it, play, stop, and sweep it; nothing is wrong with any of these pages."""
    bench.go("/change/seat-order?players=2&bots=random&games=24")
    page = bench.page
    assert bench.problems() == []
    page.route("**/hx-sse.min.js", _late)
    page.focus("#words")
    page.keyboard.type("koku turn order")
    page.wait_for_selector("#found button:has-text('setup.koku_by_turn_order')")
    page.focus("button[value='setup.koku_by_turn_order.2']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#c-1")
    page.wait_for_load_state()
    assert page.input_value("#c-1") == "8"
    page.fill("#c-1", "14")
    assert page.input_value("[data-beside=c-1]") == "14"
    assert bench.problems() == []
    page.focus("#c-1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#results .shares")
    assert "c.setup.koku_by_turn_order.2=14" in page.url
    page.wait_for_selector("text=Keep this")
    assert "24 games with both sets of rules" in page.inner_text("#how")
    assert page.inner_text("#command").endswith("--games 24")
    assert page.is_visible("text=Copy")
    assert bench.problems() == []
    page.click("text=sweep it")
    page.wait_for_selector("[name=to]")
    page.fill("[name=from]", "8")
    page.fill("[name=to]", "9")
    page.click("#settings .main")
    page.wait_for_selector("svg.curve")
    page.wait_for_selector("text=Keep this")
    assert bench.problems() == []
