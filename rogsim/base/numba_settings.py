"""Loading numba so that it takes no settings from a file of the current folder, which may be a stranger's."""

from __future__ import annotations

import os
import sys
import warnings


def load_numba_apart() -> None:
    """Load numba now if there are settings for it in the current folder; it then never reads them.

    Otherwise it would read them whenever it compiles, if it found PyYAML when it was loaded; no variable prevents that.
    """
    if not os.path.lexists(".numba_config.yaml") or "numba" in sys.modules:
        return
    warnings.filterwarnings("ignore", "A Numba config file is found", UserWarning)  # but not PyYAML to read it
    before = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment] # Python then says that there is no such module
    try:
        import numba  # noqa: F401
    finally:
        del sys.modules["yaml"]
        if before is not None:
            sys.modules["yaml"] = before
