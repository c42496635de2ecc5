"""Errors of a bot's file and of the compiler, each in one line."""

from __future__ import annotations

import re
from pathlib import Path


def compiled_line(fault: BaseException) -> str:
    """Return the file and line where the compiler failed, `mine.py, line 5: `; empty if unknown."""
    walk, found = fault.__traceback__, None
    while walk is not None:  # the innermost frame that knows its position in the source
        for name in ("inst", "expr", "loc"):
            value = walk.tb_frame.f_locals.get(name)
            loc = getattr(value, "loc", value)
            if isinstance(getattr(loc, "line", None), int) and isinstance(getattr(loc, "filename", None), str):
                found = loc
        walk = walk.tb_next
    if found is not None:
        return f"{Path(found.filename).name}, line {found.line}: "
    named = re.findall(r'File "([^"<>]+\.py)", line (\d+)', str(fault))
    return f"{Path(named[-1][0]).name}, line {named[-1][1]}: " if named else ""


def one_line(fault: BaseException) -> str:
    """Return the informative part of an error of Python or the compiler, as one line without colours."""
    if isinstance(fault, SyntaxError):
        return f"line {fault.lineno}: {fault.msg}"
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:"))]
    if isinstance(fault, KeyError):
        telling = [f"there is no field {' '.join(telling)}"]
    shown = " ".join(telling[:4])
    return f"{type(fault).__name__}: {shown[:240]}" if shown else type(fault).__name__
