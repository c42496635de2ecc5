"""Numbers as people type them, and not everything that Python takes for one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rogsim.base.numbers import read_number, read_whole_number

pytestmark = pytest.mark.once_uncompiled

BOTH = (read_number, read_whole_number)


@pytest.mark.parametrize("text", ["0", "12", "-3", "+4", " 5", "007"])
def test_digits_are_a_number(text: str) -> None:
    """Signs, and spaces around it, as in a list with commas."""
    assert read_whole_number(text) == read_number(text) == int(text)


@pytest.mark.parametrize("text", ["1.5", ".5", "2.", "1e3", "-1E-3"])
def test_a_fraction_is_no_whole_number(text: str) -> None:
    """Decimal points and exponents are only in other numbers."""
    assert read_number(text) == float(text)
    with pytest.raises(ValueError):
        read_whole_number(text)


@pytest.mark.parametrize("read", BOTH)
@pytest.mark.parametrize("text", ["", " ", "1_0", "\u0662", "\uff12", "\u00b2", "1\n", "nan", "0x1", "1 0", "--1"])
def test_anything_else_is_refused(read: Callable[[str], float], text: str) -> None:
    """Underscores, digits of other scripts, and words that Python takes for numbers."""
    with pytest.raises(ValueError):
        read(text)
