"""The store: one SQLite file that keeps everything dabhand has tried, believes and did.

Every experiment is committed by itself, in write-ahead logging with `synchronous=NORMAL`, so a process that is killed
loses at most the experiment in flight (a loss of power may cost the last few, never the file:
https://sqlite.org/pragma.html#pragma_synchronous). Several processes may use one store at once: writers wait for each
other, readers never wait. Experiments are what was seen; beliefs are a cache that can be rebuilt from them.
"""

from dabhand.home import default_directory
from dabhand.store.database import Store
from dabhand.store.document import add_document, to_document
from dabhand.store.records import Belief, Exam, Experiment, GoalShape, Run

__all__ = [
    "Belief",
    "Exam",
    "Experiment",
    "GoalShape",
    "Run",
    "Store",
    "add_document",
    "default_directory",
    "to_document",
]
