"""The errors that the person at the keyboard can put right: each is one plain line for each problem."""

from __future__ import annotations


class RogsimError(Exception):
    """Something that the user can put right; the command line prints it and leaves with code 2."""

    kept = ""  # told at the end: where work that was finished before is kept

    def __str__(self) -> str:
        """Return what is wrong, and what is kept all the same."""
        return super().__str__() + self.kept


class ResultsError(RogsimError):
    """A results folder that cannot be read, or a place where none may be written."""
