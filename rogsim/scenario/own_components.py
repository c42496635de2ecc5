"""Components that the owner of a game gives in a file of their own: the key `components` of a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from rogsim.base.errors import RogsimError
from rogsim.base.files import MEGABYTE, read_text
from rogsim.base.validation import Problem, read_toml
from rogsim.game.kit.components import OwnValues, own_values

if TYPE_CHECKING:
    from rogsim.game.spec import GameSpec

MOST_BYTES = MEGABYTE  # of a file of components


class OwnComponents(BaseModel):
    """What a checked scenario keeps of a file of components, so that it can be played without it.

    The values of the file that differ from the game's own are among the changes of the scenario.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    file: Annotated[str, Field(min_length=1)] = Field(description="Name of the file.")
    sourced: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        description="Parameters that have a source in the file, whether or not their values differ."
    )


def _kind(given: Any) -> str:
    return "table" if isinstance(given, Mapping | OwnComponents) else "text"


# The path of a file, or what is kept of it; told apart first, so that errors are about one of them only.
FileOrOwn = Annotated[Annotated[str, Tag("text")] | Annotated[OwnComponents, Tag("table")], Discriminator(_kind)]


class OwnComponentsError(RogsimError):
    """A file of components that cannot be read; the text does not name the file."""


def read_own_components(spec: GameSpec, path: Path) -> OwnValues:
    """Read a file of components; OwnComponentsError if it is no TOML file, or says nothing."""
    if "\0" in str(path):
        raise OwnComponentsError("must be the path of a file, which has no NUL character")
    try:
        data = read_toml(read_text(path, MOST_BYTES))
    except FileNotFoundError:
        raise OwnComponentsError("there is no such file") from None
    except UnicodeDecodeError:
        raise OwnComponentsError("is not a text file in UTF-8") from None
    except OSError as fault:
        raise OwnComponentsError(f"cannot be read: {fault.strerror}") from fault
    except ValueError as fault:
        raise OwnComponentsError(f"broken TOML: {fault}") from fault
    found = own_values(data, spec.facts(), spec.components())
    if not found.values and not found.sourced and not found.problems:
        raise OwnComponentsError("has no component of this game")
    return found


def unknown_names(spec: GameSpec, own: OwnComponents) -> list[Problem]:
    """Return a problem for each name in checked components that is not a parameter of the game."""
    known = {parameter.name for parameter in spec.facts()}
    wrong = [name for name in own.sourced if name not in known]
    return [Problem(("components", "sourced"), f'"{name}" is not a parameter of this game') for name in wrong]


def sourced_in(own: OwnComponents | str | None) -> tuple[str, ...]:
    """Return the parameters that have a source in components that were checked; empty otherwise."""
    return own.sourced if isinstance(own, OwnComponents) else ()


def without_changed(own: Mapping[str, Any] | None, names: Iterable[str]) -> dict[str, Any] | None:
    """Return components, as plain data, without parameters that have been changed since, or an entry of which has."""
    return None if own is None else {**own, "sourced": [name for name in own["sourced"] if not is_among(name, names)]}


def is_among(name: str, changed: Iterable[str]) -> bool:
    """Return whether a parameter, or an entry of it, is among some names."""
    return any(other == name or other.startswith(f"{name}.") for other in changed)


def asked_changes(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a resolved scenario, as plain data, that do not come from a file of components."""
    own = set((scenario.get("components") or {}).get("sourced", ()))
    return {name: value for name, value in (scenario.get("change") or {}).items() if name not in own}
