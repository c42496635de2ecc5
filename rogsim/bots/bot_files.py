"""Finding the file of a bot, and running it, as other files that a user names."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from traceback import walk_tb
from types import CodeType, ModuleType

from rogsim.base.child_process import faults, in_child
from rogsim.bots.load_faults import one_line
from rogsim.bots.printing import spoken_by
from rogsim.game.registry import RegistryError

_modules: dict[Path, tuple[bytes, ModuleType]] = {}  # in a child: files that it has run, with their content


def bot_file(name: str, path: Path) -> Path:
    """Return the path of a bot's file; RegistryError if it does not exist, or cannot be looked for."""
    try:
        exists = path.is_file()
    except OSError as fault:  # such as a name that is too long
        raise RegistryError(f'bot "{name}": {path} cannot be read: {fault.strerror}') from fault
    if not exists:
        raise RegistryError(f'bot "{name}": the file {path} does not exist')
    return path


def module_of(name: str, path: Path) -> ModuleType:
    """Run the file of a bot and return its module; a child runs it only once.

    Parameters
    ----------
    name
        The bot, for messages.

    Raises
    ------
    RegistryError
        Whatever the file raises.
    """
    if not in_child():
        return run_file(path, f'bot "{name}"', name)
    place, content = path.resolve(), path.read_bytes()
    if place not in _modules or _modules[place][0] != content:
        _modules[place] = content, run_file(path, f'bot "{name}"', name)
    return _modules[place][1]


class _FromSource(SourceFileLoader):
    """Runs the text of a file: bytecode beside it may come from an older text of the same size and second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def run_file(path: Path, whose: str, speaker: str) -> ModuleType:
    """Run a user's file and return its module.

    Parameters
    ----------
    whose
        What the file is, for messages.
    speaker
        Who prints what the file prints.

    Raises
    ------
    RegistryError
        Whatever the file raises.
    """
    identity = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    spec = importlib.util.spec_from_file_location(f"rogsim_user_file_{identity}", path)
    if spec is None or spec.loader is None:
        raise RegistryError(f"{whose}: {path} cannot be imported")
    spec.loader = _FromSource(spec.name, str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as an import does, because dataclasses look up their module
    try:
        with spoken_by(speaker):
            spec.loader.exec_module(module)
    except faults() as fault:  # a user's file may fail in any way
        lines = [line for frame, line in walk_tb(fault.__traceback__) if frame.f_code.co_filename == str(path)]
        where = f" (line {lines[-1]})" if lines else ""  # a SyntaxError says where it is
        raise RegistryError(f"{whose}: {path} cannot be imported: {one_line(fault)}{where}") from fault
    return module
