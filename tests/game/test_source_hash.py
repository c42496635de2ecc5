"""The cache of machine code: no change in a source that is compiled goes unnoticed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from rogsim.game import compiler
from rogsim.game.kit import loop

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
    kernel = re.compile(r"^@(compiler\.)?(kernel|part)\b", re.MULTILINE)
    modules = [path for path in compiler.PACKAGE.rglob("*.py") if kernel.search(path.read_text(encoding="utf-8"))]
    assert len(modules) > 10
    assert {path.relative_to(compiler.PACKAGE) for path in modules} <= set(COMPILED)


@pytest.mark.once_compiled
@pytest.mark.parametrize(
    "wrap", [lambda kind: kind, lambda kind: numba.types.Array(kind, 1, "C")], ids=["record", "array"]
)
def test_a_change_beside_functions_from_elsewhere_is_noticed(wrap: Any, tmp_path: Path) -> None:
    """Machine code of the kit for a game in another folder has another key after a change in a file of that folder."""
    source = tmp_path / "rules.py"
    source.write_text("def apply(state): pass\n", encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(source.read_text(encoding="utf-8"), source, "exec"), names)
    state = np.dtype([(tmp_path.name, "i8")])
    arguments = (wrap(numba.from_dtype(np.dtype([("workspace", np.dtype([("game", state)]))]))),)

    def key() -> Any:
        compiler.note_sources(state, names.values())
        compiled: Any = loop.play_games
        return compiled.dispatcher_for(arguments).py_func.__qualname__  # by which numba's cache knows it

    before = key()
    assert key() == before != loop.play_games.__qualname__
    (tmp_path / "helper.py").write_text("PRICE = 1\n", encoding="utf-8")
    assert key() != before


@pytest.mark.once_compiled
def test_a_change_anywhere_in_the_package_of_a_game_is_noticed(tmp_path: Path) -> None:
    """Functions in an inner package may use a number from a module or a data file of the outer one."""
    source = tmp_path / "market" / "engine" / "rules.py"
    source.parent.mkdir(parents=True)
    source.write_text("def apply(state): pass\n", encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(source.read_text(encoding="utf-8"), source, "exec"), names)
    state = np.dtype([(tmp_path.name, "i8")])
    keys = []
    for path in ("market/__init__.py", "market/engine/__init__.py", "market/names.py", "market/figures.toml"):
        (tmp_path / path).write_text("PRICE = 1\n", encoding="utf-8")
        compiler.note_sources(state, names.values())
        keys.append(compiler._SOURCES[state])
    (tmp_path / "beside_the_package.py").write_text("PRICE = 1\n", encoding="utf-8")
    compiler.note_sources(state, names.values())
    assert len(set(keys)) == len(keys)
    assert compiler._SOURCES[state] == keys[-1]


def test_functions_of_the_package_need_no_other_key() -> None:
    """They are in the name of the folder."""
    state = np.dtype([("nobody", "i8")])
    compiler.note_sources(state, [loop.begin, len, 3])
    assert state not in compiler._SOURCES
