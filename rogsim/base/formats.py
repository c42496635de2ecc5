"""Formats of the files that rogsim writes and reads back: each names its own, and no other is read."""

from __future__ import annotations

from typing import Any

from rogsim.base.validation import show


def format_fault(data: Any, form: str, remedy: str) -> str:
    """Return why data from a file cannot be read; empty if it is in the present format.

    Parameters
    ----------
    form
        The present format, such as `rogsim-results/2`.
    remedy
        What to do about a file that another version of rogsim wrote, such as "play it again".
    """
    found = data.get("format") if isinstance(data, dict) else None
    if found == form:
        return ""
    kind, _, number = form.rpartition("/")
    kind_found, _, number_found = found.rpartition("/") if isinstance(found, str) else ("", "", "")
    if kind_found == kind and number_found.isdecimal():
        age = "an earlier" if int(number_found[:9]) < int(number) else "a later"
        return f"was written by {age} version of rogsim; {remedy}"
    return f"is not in the format {show(form)}"
