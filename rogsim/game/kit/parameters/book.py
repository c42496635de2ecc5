"""The parameters of a game that keeps its components in TOML files: listed, checked and changed."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic

from pydantic import ValidationError

from rogsim.base.validation import MOST_PROBLEMS, Problem, unlisted
from rogsim.game.kit.parameters.change import conflicts, find, put
from rogsim.game.kit.parameters.files import C, Files, read_components
from rogsim.game.kit.parameters.listing import Listing
from rogsim.game.kit.parameters.marks import Marks, reason_of
from rogsim.game.kit.parameters.naming import every_name, name_of, value_of
from rogsim.game.kit.parameters.problems import problems_of
from rogsim.game.kit.parameters.unknown_names import why_unknown
from rogsim.game.parameters import Change, Parameter, leaves

Keys = Callable[[Mapping[str, Any]], Sequence[str]]


@dataclass(frozen=True)
class ParameterBook(Generic[C]):
    """All parameters of a game: what a scenario can change.

    Attributes
    ----------
    model
        The model of all components. Its annotations say which values are allowed, and as a text what they mean.
    folder
        The folder of the component files.
    files
        Every component file with the top-level keys that it holds.
    fixed
        Keys that cannot be changed, because the rules depend on them; ids never can.
    meanings
        The meanings of parameters in a few words, by patterns of names, where the model does not give them; the first
        match counts.
    keys
        By name of a table with any keys: which keys its parameters may have, given the printed components; by default
        the words of a `Literal`, or those that it has in the files.
    """

    model: type[C]
    folder: Path
    files: Files
    fixed: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, Keys] = field(default_factory=dict)

    def load(self, folder: Path | None = None) -> C:
        """Read and check the component files of a folder, by default the printed components.

        Raises
        ------
        ComponentsError
            With one line for each problem; if a file cannot be read, problems of the others are not listed.
        """
        return read_components(self.model, self.files, self.folder if folder is None else folder)[0]

    def printed(self) -> dict[str, Any]:
        """Return the printed components in the layout of the TOML files: a shared dict that must not be changed."""
        return self._printed

    def parameters(self) -> Mapping[str, Parameter]:
        """Return all parameters by name, with their values in the files, in the order of the models."""
        return self._parameters

    def facts(self) -> tuple[Parameter, ...]:
        """Return all parameters, for `GameSpec.facts`."""
        return tuple(self._parameters.values())

    def value(self, name: str, change: Change) -> Any:
        """Return the value of a parameter after checked changes."""
        return change.get(name, self._parameters[name].value)

    def has_reconstructed(self) -> bool:
        """Return whether any value in the files is reconstructed, for `GameSpec.has_reconstructed`."""
        return any(self._read[1].values())

    def fixed_names(self) -> frozenset[str]:
        """Return the names of values in the files that cannot be changed, such as ids."""
        return self._fixed_names

    def check_change(self, change: Change) -> tuple[dict[str, Any], list[Problem]]:
        """Check changes by name, nested as in TOML.

        Returns
        -------
        changed
            The parameters that differ from their printed values: name and new value, in the order of `parameters`.
        problems
            What is wrong; if anything is, `changed` is empty.
        """
        if not change:
            return {}, []
        known = self._parameters
        paths = [path for path, _ in leaves(change)]
        data, problems = self._changed(leaves(change))
        if problems:
            return {}, problems
        names = {".".join(path) for path in paths}
        try:
            self.model.model_validate(data)
        except ValidationError as fault:
            wrong = problems_of(fault, self.model)
            return {}, conflicts([(name_of(path, data, known), value, rule) for path, value, rule in wrong], names)
        touched = names | {".".join(path[:-1]) for path in paths}
        found = {name: value_of(data, known[name]) for name in known if name in touched}
        return {name: value for name, value in found.items() if value != known[name].value}, []

    def with_change(self, change: Change) -> dict[str, Any]:
        """Return the components, in the layout of the TOML files, with checked changes applied."""
        if not change:
            return self._printed
        return self._changed((tuple(name.split(".")), value) for name, value in change.items())[0]

    def _changed(self, values: Iterable[tuple[tuple[str, ...], Any]]) -> tuple[dict[str, Any], list[Problem]]:
        """Return the components with values put in by name, and the problems of those that could not be."""
        values = list(values)
        changing = {path[0] for path, _ in values}
        data = {name: copy.deepcopy(part) if name in changing else part for name, part in self._printed.items()}
        problems: list[Problem] = []
        for path, value in values:
            parameter, index = find(path, self._parameters)
            if parameter is None:
                # Looking for similar names takes long.
                listed = len(problems) < MOST_PROBLEMS
                why = why_unknown(path, self._parameters, self._fixed_names) if listed else "unknown"
                problems.append(Problem(tuple(path), why))
            elif wrong := put(data, parameter, index, value):
                problems.append(Problem(path, wrong))
        return data, problems[:MOST_PROBLEMS] + unlisted(problems)

    @cached_property
    def _read(self) -> tuple[C, Marks]:
        return read_components(self.model, self.files, self.folder)

    @cached_property
    def _printed(self) -> dict[str, Any]:
        return self._read[0].to_dict()

    @cached_property
    def _parameters(self) -> Mapping[str, Parameter]:
        keys = {name: keys_of(self._printed) for name, keys_of in self.keys.items()}
        listing = Listing({"id", *self.fixed}, keys, self.meanings)
        found = [
            replace(parameter, reconstructed=reason_of(parameter.name, self._read[1]))
            for parameter in listing.of_table(self.model, self._printed)
        ]
        return types.MappingProxyType({parameter.name: parameter for parameter in found})

    @cached_property
    def _fixed_names(self) -> frozenset[str]:
        return frozenset(every_name(self._printed)) - frozenset(self._parameters)
