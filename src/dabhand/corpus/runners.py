"""Where parts are made: in this process, in several, or on a Ray cluster whose nodes see the same folders."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from dabhand.corpus.extracting import Runner
from dabhand.corpus.extras import needed
from dabhand.corpus.part import Part, Task, make

IN_FLIGHT = 64
"""Tasks that a cluster is given at once."""


def here(tasks: Sequence[Task]) -> Iterator[Part]:
    """One after the other, in this process."""
    return map(make, tasks)


def in_processes(workers: int) -> Runner:
    """In that many processes, the largest file first."""

    def run(tasks: Sequence[Task]) -> Iterator[Part]:
        if workers <= 1 or len(tasks) <= 1:
            yield from here(tasks)
            return
        with _own_modules():  # the first starts the tracker of resources, the second all of the workers
            pool = ProcessPoolExecutor(min(workers, len(tasks)), mp_context=get_context("spawn"))
            futures = [pool.submit(make, task) for task in sorted(tasks, key=_size, reverse=True)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    return run


def _size(task: Task) -> int:
    """How much of a file is there to be read, in bytes; of one that has gone, nothing (reading it tells of that)."""
    try:
        return Path(task.found.path).stat().st_size if task.found.bytes is None else task.found.bytes
    except OSError:
        return 0


@contextmanager
def _own_modules() -> Iterator[None]:
    """Keep processes that are started from taking modules of the folder that they start in for Python's own."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def on_ray() -> Runner:
    """On the Ray cluster that is running (or, without one, on this machine).

    Raises:
        MissingExtra: Ray is not installed.
    """
    ray = needed("ray", "Reading on a cluster", "ray")

    def run(tasks: Sequence[Task]) -> Iterator[Part]:
        if not ray.is_initialized():
            ray.init(log_to_driver=False, logging_level=logging.ERROR)
        remote = ray.remote(num_cpus=1, max_retries=3)(make)
        left = list(reversed(tasks))
        waiting: list[object] = []
        while left or waiting:
            while left and len(waiting) < IN_FLIGHT:
                waiting.append(remote.remote(left.pop()))
            ready, waiting = ray.wait(waiting)
            yield from ray.get(ready)

    return run
