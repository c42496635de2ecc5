"""Checks that a bot from elsewhere answers with a whole number, compiled or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core.ir import Assign, Return

NOT_WHOLE = "it may return a {}, and must return a whole number"


def checking_answers(function: Callable[..., Any]) -> Callable[..., int]:
    """Return a function that is not compiled, and checks what it returns as `check_answers` does."""

    def checked(*arguments: Any) -> int:
        answer = function(*arguments)
        if not isinstance(answer, int | np.integer | np.bool_):
            raise TypeError(NOT_WHOLE.format(type(answer).__name__))
        return int(answer)

    vars(checked)["py_func"] = function  # by which it counts as a function from elsewhere
    return checked


def check_answers(compiled: Any) -> None:
    """Refuse a compiled function that returns nothing, or may return fractions: numba would cut them off.

    Raises
    ------
    TypeError
        With what it returns instead of a whole number.
    """
    if not isinstance(compiled.signature.return_type, numba.types.Integer):
        raise TypeError("it returns nothing, and must return a whole number")
    typed = compiled.type_annotation
    statements = [inst for block in typed.blocks.values() for inst in block.body]
    returned = {inst.value.name for inst in statements if isinstance(inst, Return)}
    for inst in statements:
        if isinstance(inst, Assign) and inst.target.name in returned and getattr(inst.value, "op", "") == "cast":
            kind = numba.types.unliteral(typed.typemap[inst.value.value.name])
            if not isinstance(kind, numba.types.Integer | numba.types.Boolean):
                raise TypeError(NOT_WHOLE.format(kind))
