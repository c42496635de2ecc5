"""Kernels that become numba's dispatchers only when they are needed.

A dispatcher is what numba makes of a decorated function. Making one takes a millisecond, and a start that only loads
machine code needs only a few of several hundred.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

# A dispatcher must be made once: two would be two functions to numba. Making one may need another.
_making = threading.RLock()


class LazyKernel:
    """A function with its dispatcher, which is made when the function is first called, compiled or asked for details.

    numba takes it for the dispatcher wherever compiled code names it, by the attribute `_numba_type_`.

    Parameters
    ----------
    function
        The plain function.
    make
        Makes its dispatcher.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any]) -> None:
        """Put off making the dispatcher."""
        functools.update_wrapper(self, function)
        self.py_func = function
        self._make = make
        self._dispatcher: Any = None

    @property
    def dispatcher(self) -> Any:
        """Return numba's dispatcher."""
        if self._dispatcher is None:
            with _making:
                if self._dispatcher is None:
                    self._dispatcher = self._make()
        return self._dispatcher

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function."""
        return self.dispatcher(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the dispatcher."""
        if name.startswith("__"):
            raise AttributeError(name)  # copying and pickling look for these before the kernel is complete
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> Any:
        """Pickle as the dispatcher."""
        return self.dispatcher.__reduce__()
