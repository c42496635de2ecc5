"""The cache of machine code: no change in a source that is compiled goes unnoticed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rogsim.game import compiler

COMPILED = [path.relative_to(compiler.PACKAGE) for path in compiler.compiled_sources()]
FOLDERS = sorted({path.parent for path in COMPILED})


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_a_change_in_any_folder_is_noticed(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more comment in a file of the folder gives another hash, so another folder of machine code."""
    for path in COMPILED:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(compiler.PACKAGE / path, tmp_path / path)
    monkeypatch.setattr(compiler, "PACKAGE", tmp_path)
    before = compiler.source_hash.__wrapped__()
    assert before == compiler.source_hash()  # of the same files elsewhere
    changed = tmp_path / next(path for path in COMPILED if path.parent == folder)
    changed.write_text(f"{changed.read_text(encoding='utf-8')}# changed\n", encoding="utf-8")
    assert compiler.source_hash.__wrapped__() != before


def test_whatever_is_compiled_is_hashed() -> None:
    """Each module of the package that has a kernel is among the hashed sources."""
    kernel = re.compile(r"^@(compiler\.)?(kernel|inlined|part)\b", re.MULTILINE)
    modules = [path for path in compiler.PACKAGE.rglob("*.py") if kernel.search(path.read_text(encoding="utf-8"))]
    assert len(modules) > 10
    assert {path.relative_to(compiler.PACKAGE) for path in modules} <= set(COMPILED)
