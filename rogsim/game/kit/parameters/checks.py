"""Checks that components agree with each other, for `ComponentSet.checks`: each yields the problems it finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic_core import InitErrorDetails

from rogsim.game.kit.parameters.models import Part
from rogsim.game.kit.parameters.problems import Keys, problem

Problems = Iterator[InitErrorDetails]


def at_most(path: Keys, found: int, most: int, why: str) -> Problems:
    """A number is not above another one, which `why` names."""
    if found > most:
        yield problem(path, found, f"at most {most} ({why})")


def as_printed(path: Keys, found: str, printed: str) -> Problems:
    """A text is the one on the printed component."""
    if found != printed:
        yield problem(path, found, f'"{printed}", as printed')


def unique_ids(section: str, ids: Sequence[str]) -> Problems:
    """No two rows of a section have the same id."""
    first: dict[str, int] = {}
    for place, name in enumerate(ids):
        if name in first:
            yield problem((section, place, "id"), name, f"a unique id; {section}[{first[name]}] has this one")
        first.setdefault(name, place)


def complete_ids(section: str, ids: Sequence[str], known: Sequence[str]) -> Problems:
    """Each known id is in the section exactly once."""
    yield from unique_ids(section, ids)
    for name in known:
        if name not in ids:
            yield problem((section,), list(ids), f'all of {len(known)}; "{name}" is missing')


def exact_keys(row: Keys, card: Part, every: Sequence[str], needed: Sequence[str]) -> Problems:
    """A row has, of all the keys that such rows may have, exactly those that it needs."""
    for name in every:
        given = name in card.model_fields_set
        if given and name not in needed:
            allowed = f"only {', '.join(needed)} here" if needed else "no such key here"
            yield problem((*row, name), getattr(card, name), allowed)
        elif not given and name in needed:
            yield InitErrorDetails(type="missing", loc=(*row, name), input=None)
