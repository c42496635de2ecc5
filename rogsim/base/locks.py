"""Locks that the system releases when their process ends, however it ends."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

UNSUPPORTED = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)
CANNOT_LOCK = "its file system cannot lock files; choose a folder on another one"


@contextmanager
def locked(path: Path, patience: float = -1) -> Iterator[None]:
    """Hold the lock of a file, which is created if needed and stays.

    Parameters
    ----------
    path
        The file; its content does not matter.
    patience
        Seconds to wait for another process; forever if negative.

    Raises
    ------
    TimeoutError
        If another process holds the lock.
    OSError
        If the file cannot be created, or its file system cannot lock files.
    """
    is_new = not path.exists()
    # filelock's other kind of lock is a file that nobody removes when its process is killed.
    lock = FileLock(path, timeout=patience, fallback_to_soft=False)
    try:
        lock.acquire()
    except OSError as fault:
        if fault.errno not in UNSUPPORTED:
            raise
        if is_new:
            path.unlink(missing_ok=True)
        raise OSError(fault.errno, CANNOT_LOCK, str(path)) from fault
    try:
        yield
    finally:
        lock.release()
