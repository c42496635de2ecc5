"""The page of rulings and its tests belong together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.rulings import check_numbers, check_sentences

pytestmark = pytest.mark.once_uncompiled

HERE = Path(__file__).parent


def test_every_ruling_has_a_test() -> None:
    """The page has every number once, each names its tests, and no test names another number."""
    check_numbers("the-river-rulings.md", "J", HERE)


def test_every_test_of_a_ruling_says_what_it_proves() -> None:
    """A ruling's test has a sentence for a docstring, and a check in it."""
    check_sentences("J", HERE)
