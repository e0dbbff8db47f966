"""Making a tool: from a term or found by search from examples, tested and practised in the sandbox, and kept."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from dabhand.language import Call, Const, Kind, Term, Var, show
from dabhand.sandbox import Worker, open_worker
from dabhand.store import Store
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.registry import Registry, Tool, digest_of
from dabhand.toolmaking.search import search
from dabhand.toolmaking.source import of_one_text, stand_alone
from dabhand.toolmaking.testing import LIMITS, failures, practised, tests_for

MIN_RIGHT = 7
"""Situations in which it must have done what was expected, before it is trusted."""


class Made(msgspec.Struct, frozen=True):
    """What came of making a tool (contracts.md, `dabhand tool make`).

    Attributes:
        tests: how many were passed, of how many.
        reason: why it failed.
    """

    status: Literal["made", "failed"]
    name: str
    command: str = ""
    path: str = ""
    term: str | None = None
    tests: tuple[int, int] = (0, 0)
    tried: int = 0
    seconds: float = 0.0
    reason: str = ""
    source: str = ""


def make_tool(
    store: Store,
    name: str,
    *,
    examples: Sequence[Example] | None = None,
    term: Term | None = None,
    samples: Sequence[str] = (),
    ask: Callable[[Made], bool] = lambda made: True,
    seed: int = 1,
) -> Made:
    """Make a tool and keep it.

    Args:
        store: beside which it is kept.
        name: what it is to be called.
        examples: what it is to do, where no term says so: then it is searched for.
        term: what it is to do, made of the text of one file.
        samples: texts of the kind of file that it is for.
        ask: shown the tool once it is tested, says whether to keep it.
        seed: of what it is tested with.

    Raises:
        NoTool: it cannot be done by reading one file.
        SandboxUnavailable: there is no safe place to try it.
    """
    began, tried = time.perf_counter(), 0
    if term is None:
        found = search(list(examples or ()), seed=seed)
        tried = found.tried
        if found.term is None or found.others:
            why = "several programs fit, and differ elsewhere" if found.others else "no program was found that fits"
            return Made("failed", name, tried=tried, reason=f"From the examples {why}.")
        term = found.term
    body = of_one_text(_with_path(term))
    source = stand_alone(body, name)
    given = [*samples, *(example.input for example in examples or ())]
    tests, without = tests_for(body, given, seed)
    tests = (*(examples or ()), *tests)
    tool = Tool(name, show(body), digest_of(source), tests, 0, 0, source)
    registry = Registry.of(store)
    with contextlib.ExitStack() as opened:
        worker: Worker = opened.enter_context(open_worker("auto", LIMITS))
        failed = failures(tool, tests, without, worker)
        if not failed:
            tool = practised(tool, [example.input for example in tests] or given, worker)
    count = len(tests) + len(without)
    made = Made(
        "failed" if failed or tool.right < max(MIN_RIGHT, tool.tried) else "made",
        name,
        command=tool.template.text,
        path=str(registry.path(name)),
        term=tool.term,
        tests=(count - len(failed), count),
        tried=tried,
        seconds=round(time.perf_counter() - began, 3),
        reason=f"It failed a test: {failed[0].got[:200]}" if failed else "",
        source=source,
    )
    if made.status == "failed":
        said = f"It did something unexpected in {tool.tried - tool.right} of {tool.tried} situations."
        return made if made.reason else msgspec.structs.replace(made, reason=said)
    if not ask(made):
        return msgspec.structs.replace(made, status="failed", reason="You said no, so it was not kept.")
    registry.keep(tool)
    return made


def _with_path(term: Term) -> Term:
    """A term over the slot `A`, as searches give it, over the file of that name."""
    match term:
        case Var(name="A"):
            return Const("A", Kind.PATH)
        case Call(name=name, args=args):
            return Call(name, tuple(map(_with_path, args)))
    return term
