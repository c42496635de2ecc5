"""Calls made by threads of this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable
from queue import SimpleQueue
from typing import Any

from rogsim.base.child_process import end_calls_of

MOST_WAITING = 8  # calls for each thread that are running, or finished but not yet read


def run_in_threads(
    function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], count: int
) -> Generator[Any, None, None]:
    """Call a function with each of these tuples of arguments, and yield the results as they are finished.

    A thread reads its next call when its last one is finished, so the size of later calls may depend on the time that
    earlier ones took. The first error ends the generator. At its end, whatever the threads still do is dropped, and
    calls that they make in other processes are ended.
    """
    results: SimpleQueue[tuple[bool, Any]] = SimpleQueue()  # whether it is a result; None: a thread is done
    room, turn, over = threading.Semaphore(MOST_WAITING * count), threading.Lock(), threading.Event()
    left = iter(calls)

    def work() -> None:
        try:
            while True:
                room.acquire()
                with turn:
                    call = None if over.is_set() else next(left, None)
                if call is None:
                    break
                results.put((True, function(*call)))
            results.put((False, None))
        except BaseException as fault:  # the reader raises it
            results.put((False, fault))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        running = count
        while running:
            is_result, value = results.get()
            if is_result:
                room.release()
                yield value
            elif value is not None:
                raise value
            else:
                running -= 1
    finally:
        over.set()
        room.release(count)
        end_calls_of(threads)
