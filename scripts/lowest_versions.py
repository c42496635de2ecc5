"""Print the requirements of pyproject.toml for pip, pinned to the lowest versions that it allows.

`newest` instead of `lowest` prints them as they are written there.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
FLOOR = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*(\d+(?:\.\d+)*)")


def lowest(requirement: str) -> str:
    """Return a requirement such as numpy>=2.1 as numpy==2.1.0; ValueError if it is not a name with a lowest version."""
    found = FLOOR.fullmatch(requirement)
    if not found:
        raise ValueError(f'"{requirement}" is not of the form name>=version')
    name, version = found.groups()
    return f"{name}=={version}"  # for pip 2.1 is 2.1.0


def main() -> None:
    """Print one requirement a line."""
    wanted = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    print("\n".join(wanted if sys.argv[1:] == ["newest"] else map(lowest, wanted)))


if __name__ == "__main__":
    main()
