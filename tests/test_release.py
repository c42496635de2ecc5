"""What is written in several files about a release agrees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from rogsim.base import __version__

pytestmark = pytest.mark.once_uncompiled

ROOT = Path(__file__).parents[1]


def test_the_version_is_the_same_everywhere() -> None:
    """The package, its metadata, the citation and the changelog's first section."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"] == __version__
    assert re.findall(r"^version: (.+)$", citation, re.M) == [__version__]
    assert re.findall(r"^## \[(.+?)\]", changelog, re.M)[0] in (__version__, "Unreleased")
