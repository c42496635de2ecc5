"""Problems of component files, one line each, with file, key, value and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from rogsim.base.errors import RogsimError
from rogsim.base.validation import show, unknown_key

Keys = tuple[str | int, ...]  # keys and list places that lead to a value: ("tile", 3, "order", "wood")

Source = str | Mapping[str, str]  # the file of all components, or of each top-level key

NOT_ALLOWED = "not_allowed"  # the type of problems found here: their context has `allowed`, and perhaps `found`

EXPECTED_KINDS = {
    "model_type": "a table",
    "model_attributes_type": "a table",
    "dict_type": "a table",
    "mapping_type": "a table",
    "tuple_type": "a list",
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
    "invalid_key": "keys that are texts",
}


class ComponentsError(RogsimError, ValueError):
    """Components that cannot be used; `problems` has one line for each problem."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def not_allowed(allowed: str) -> PydanticCustomError:
    """Return the error that a validator raises for a value that is not allowed."""
    return PydanticCustomError(NOT_ALLOWED, "allowed: {allowed}", {"allowed": allowed})


def problem(path: Keys, found: object, allowed: str) -> InitErrorDetails:
    """Return a problem at a path, for a value that conflicts with others."""
    error = PydanticCustomError(NOT_ALLOWED, "allowed: {allowed}", {"found": found, "allowed": allowed})
    return InitErrorDetails(type=error, loc=path, input=found)


def problems_of(error: ValidationError, model: type[BaseModel]) -> list[tuple[Keys, object, str]]:
    """Return the path of each wrong value, the value, and what is allowed."""
    return [
        (_locate(model, details["loc"])[0], details.get("ctx", {}).get("found", details["input"]), _allowed(details))
        for details in error.errors(include_url=False)
    ]


def explain(error: ValidationError, model: type[BaseModel], data: object, source: Source) -> list[str]:
    """Turn a validation error into lines like `setup.toml: setup.hand: found 4, allowed: at most 3`."""
    return [_line(details, model, data, source) for details in error.errors(include_url=False)]


def _line(details: ErrorDetails, model: type[BaseModel], data: object, source: Source) -> str:
    path, parent = _locate(model, details["loc"])
    kind, context = details["type"], details.get("ctx", {})
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        path = (*path, "type")
    file = source if isinstance(source, str) else source.get(str(path[0]) if path else "", "components")
    where = f"{file}: {describe_path(path, data)}" if path else file
    if kind in ("missing", "union_tag_not_found"):
        return f"{where}: missing, but required"
    if kind == "extra_forbidden":
        return f"{where}: {unknown_key(str(path[-1]), keys_of(parent))}"
    found = context.get("found", context.get("tag", details["input"]))
    return f"{where}: found {show(found)}, allowed: {_allowed(details)}"


def _allowed(details: ErrorDetails) -> str:
    """Return what is allowed, from the details of an error."""
    context = details.get("ctx", {})
    if details["type"] == NOT_ALLOWED:
        return str(context["allowed"])
    if details["type"] in ("literal_error", "union_tag_invalid"):
        return str(context.get("expected", context.get("expected_tags"))).replace("'", '"')
    return EXPECTED_KINDS.get(details["type"], details["msg"])


def describe_path(path: Keys, data: object) -> str:
    """Return a path in words, with the id of its row: `tile[5] "red-3": order.wood`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            key = part if part.replace("-", "_").isidentifier() or part.isdigit() else show(part)
            text += key if not text or text.endswith(": ") else f".{key}"
        data = _inside_data(data, part)
        if isinstance(part, int) and isinstance(data, Mapping) and isinstance(data.get("id"), str | int):
            text += f" {show(data['id'])}: "
    return text.removesuffix(": ")


def keys_of(model: type[BaseModel] | None) -> list[str]:
    """Return the keys that a model reads."""
    return [field.alias or name for name, field in model.model_fields.items()] if model else []


def _inside_data(data: object, part: str | int) -> object:
    try:
        return data[part]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return None


def _locate(model: type[BaseModel], loc: Keys) -> tuple[Keys, type[BaseModel] | None]:
    """Follow pydantic's location through the models to the path in the data and the model of its last key.

    Pydantic adds the chosen kind of a union ("red") and "[key]" for a wrong key; neither is in the data.
    """
    path: list[str | int] = []
    annotation: Any = model
    parent: type[BaseModel] | None = None
    for part in loc:
        annotation = _bare(annotation)
        if part == "[key]":
            continue
        if get_origin(annotation) in (Union, UnionType):
            annotation = next((kind for kind in get_args(annotation) if part in types_of(kind)), None)
            if annotation is not None:
                continue
        path.append(part)
        parent = annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
        annotation = _inside_type(annotation, part)
    return tuple(path), parent


def _bare(annotation: Any) -> Any:
    """Return the type inside an `Annotated`."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def types_of(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the values of a model's `type` key."""
    return get_args(model.model_fields["type"].annotation)


def _inside_type(annotation: Any, part: str | int) -> Any:
    """Return the annotation of a key of a model or a mapping, or of an entry of a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = {field.alias or name: field.annotation for name, field in annotation.model_fields.items()}
        return fields.get(str(part))
    arguments = get_args(annotation)
    if len(arguments) == 2:  # tuple[row, ...] or Mapping[key, value]
        return arguments[0] if arguments[1] is Ellipsis else arguments[1]
    return None
