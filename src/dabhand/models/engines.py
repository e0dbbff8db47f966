"""Which engine there is: one that another process serves on this machine, else one in this process."""

from __future__ import annotations

from functools import cache

from dabhand.models.completion import Engine
from dabhand.models.weights import adapter_file, is_installed


def is_usable() -> bool:
    """Whether there is a local model that may be asked: one that was trained for it."""
    return is_installed() and adapter_file() is not None


@cache
def local_engine() -> Engine:
    """The local model; one for the whole process, loaded when it is first asked."""
    from dabhand.models.served import served_engine

    served = served_engine()
    if served is not None:
        return served
    from dabhand.models.local import LocalEngine

    return LocalEngine()
