"""Data that cannot be changed, so that all bots of all games can share them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn


class FrozenDict(dict[Any, Any]):
    """A dict that cannot be changed."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("facts cannot be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, _: Any) -> FrozenDict:
        """Return itself, because nothing in it can be changed."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle its content."""
        return type(self), (dict(self),)


def frozen(value: Any) -> Any:
    """Return nested mappings and lists as nested `FrozenDict` and tuples."""
    if isinstance(value, Mapping):
        return FrozenDict({key: frozen(inner) for key, inner in value.items()})
    return tuple(frozen(inner) for inner in value) if isinstance(value, list | tuple) else value
