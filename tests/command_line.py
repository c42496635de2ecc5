"""The command line, called in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest
import typer

from rogsim.cli.app import app, main

APP = typer.main.get_command(app)  # made once: that takes longer than most calls


class Ended(NamedTuple):
    """How a command line ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


def rogsim_command(*arguments: str) -> Ended:
    """Run a command line; what is no exit comes out as it is. Output is UTF-8, as in a terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=how) for how in ("strict", "backslashreplace"))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr("rogsim.cli.app.app_for", lambda words: APP)
        patch.setattr(sys, "argv", ["rogsim", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
    return Ended(int(end.value.code or 0), _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()
