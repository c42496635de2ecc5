"""Errors that the user can fix: each message has one plain line per problem."""

from __future__ import annotations


class RogsimError(Exception):
    """Something that the user can fix; the command line prints it and exits with code 2."""

    kept = ""  # added to the message: where finished work is kept

    def __str__(self) -> str:
        """Return what is wrong, and where finished work is kept."""
        return super().__str__() + self.kept


class ResultsError(RogsimError):
    """A results folder that cannot be read, or a path where none may be written."""
