"""The worker's source as one argument for `python -c`: nothing has to be installed, or visible, in the sandbox."""

from __future__ import annotations

from functools import cache
from importlib import resources

_MODULES = (
    "protocol", "scene", "layer", "confine", "processes", "deputy", "storage", "output", "simple", "revealing", "shell",
    "main",
)  # fmt: skip
"""In the order in which they import each other."""

_LOADER = """
import json, sys, types
sources = {sources!r}
room = "dabhand.sandbox.inside"
for depth in (1, 2, 3):
    name = ".".join(room.split(".")[:depth])
    sys.modules[name] = types.ModuleType(name)
for name, source in sources:
    module = types.ModuleType(room + "." + name)
    sys.modules[module.__name__] = module
    exec(compile(source, name + ".py", "exec"), module.__dict__)
    setattr(sys.modules[room], name, module)
sys.modules[room + ".main"].main(json.loads(sys.argv[1]))
"""


@cache
def worker_source() -> str:
    """The text of a Python program that takes its settings as JSON in its first argument."""
    room = resources.files("dabhand.sandbox.inside")
    sources = tuple((name, (room / f"{name}.py").read_text("utf-8")) for name in _MODULES)
    return _LOADER.format(sources=sources)


@cache
def mounting_source() -> str:
    """The text of the program that lays a layer over a folder, and takes its settings as JSON in its first argument."""
    source = (resources.files("dabhand.sandbox.inside") / "mounting.py").read_text("utf-8")
    return f"{source}\n\nimport json, sys\nmain(json.loads(sys.argv[1]))\n"
