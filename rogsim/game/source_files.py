"""The source files on which a game, or a function of it, may depend."""

from __future__ import annotations

from pathlib import Path

from rogsim.base.files import is_by_system

KINDS = (".py", ".toml")  # rules and bots, parameters and weights


def sources_beside(file: Path) -> list[Path]:
    """List the Python and TOML files on which a module may depend, in a fixed order.

    Parameters
    ----------
    file
        The file of the module.

    Returns
    -------
    list of Path
        Those of the whole package that the module belongs to; of its folder only, if it is in no package.
    """
    folder = top_folder(file.parent)
    found = folder.rglob("*") if _is_package(folder) else folder.glob("*")
    return sorted(path for path in found if path.suffix in KINDS and path.is_file() and not is_by_system(path))


def top_folder(folder: Path) -> Path:
    """Return the folder of the outermost package that a folder belongs to; the folder itself if it is in none."""
    folder = folder.resolve()
    while _is_package(folder) and _is_package(folder.parent):
        folder = folder.parent
    return folder


def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()
