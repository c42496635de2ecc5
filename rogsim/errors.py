"""The errors that the person at the keyboard can put right: each is one plain line for each problem."""

from __future__ import annotations


class RogsimError(Exception):
    """Something that the user can put right; the command line prints it and leaves with code 2."""
