"""Making a tool: from a term or found by search from examples, tested and practised in the sandbox, and kept."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from dabhand.goals.models import TranslationModel
from dabhand.language import Call, Const, Kind, Term, Var, show
from dabhand.sandbox import Worker, open_worker
from dabhand.store import Store
from dabhand.toolmaking.boundaries import boundary_texts, edge_texts
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.guide import Guide
from dabhand.toolmaking.registry import Registry, Tool, digest_of
from dabhand.toolmaking.search import Found, search
from dabhand.toolmaking.source import NoTool, around, is_same_program, of_one_text, stand_alone
from dabhand.toolmaking.testing import LIMITS, failures, fresh_texts, practised, tests_for, value_by_running, value_for
from dabhand.toolmaking.writing import write

MOST_PAIRS = 24
"""Texts of which a tool's results are looked at to learn what it does."""

SEARCH_SECONDS = 5.0

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
    guide: Guide | None = None,
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
        guide: of the search.

    Raises:
        NoTool: it cannot be done by reading one file.
        SandboxUnavailable: there is no safe place to try it.
    """
    began, tried = time.perf_counter(), 0
    if term is None:
        found = search(list(examples or ()), seed=seed, guide=guide)
        tried = found.tried
        if not found.is_sure:
            return _unsure(name, found, time.perf_counter() - began)
        term = found.term
        assert term is not None
    body = of_one_text(_with_path(term))
    source = stand_alone(body, name)
    given = [*samples, *(example.input for example in examples or ())]
    tests, without = tests_for(body, given, seed)
    tests = (*(examples or ()), *tests)
    writer = "search" if examples else "goal"
    tool = Tool(name, show(body), digest_of(source), tests, 0, 0, source, writer)
    registry = Registry.of(store)
    registry.require_free(name)
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
    registry.keep(tool, new=True)
    return made


def write_tool(
    store: Store,
    name: str,
    model: TranslationModel,
    request: str,
    *,
    examples: Sequence[Example] = (),
    samples: Sequence[str] = (),
    stepwise: bool = False,
    ask: Callable[[Made], bool] = lambda made: True,
    told: Callable[[str], None] = lambda what: None,
    seed: int = 1,
) -> Made:
    """Have a model write a tool, test and practise it, and keep it.

    What it does is learned as of any command: the term that says what it made of many texts, where one is found; else
    the tool is *simulated*, which is to say that running it is the only way to tell.

    Args:
        store: beside which it is kept.
        name: what it is to be called.
        model: that writes it.
        request: what it is to do, in words.
        examples: that it must satisfy.
        samples: texts of the kind of file that it is for.
        stepwise: in small steps.
        ask: shown the tool once it is tested, says whether to keep it.
        told: is told what is going on.
        seed: of what it is practised with.

    Raises:
        BadName: it cannot be called so.
        SandboxUnavailable: there is no safe place to try it.
    """
    began, registry = time.perf_counter(), Registry.of(store)
    registry.require_free(name)
    with open_worker("auto", LIMITS) as worker:
        written = write(model, request, worker, examples=examples, samples=samples, stepwise=stepwise, told=told)
        if not written.code:
            seconds = round(time.perf_counter() - began, 3)
            return Made("failed", name, tried=written.calls, seconds=seconds, reason=written.reason)
        source = around(written.code, name, request)
        tool = Tool(name, "", digest_of(source), written.tests, 0, 0, source, model.name)
        given = [*samples, *(test.input for test in written.tests)]
        failed = failures(tool, tool.tests, (), worker)
        tool = practised(tool, given, worker)
        term = _learned(tool, given, worker, seed)
    if term is not None:
        tool = msgspec.structs.replace(tool, term=show(term))
    made = Made(
        "failed" if failed or tool.right < tool.tried else "made",
        name,
        command=tool.template.text,
        path=str(registry.path(name)),
        term=tool.term or None,
        tests=(len(tool.tests) - len(failed), len(tool.tests)),
        tried=written.calls,
        seconds=round(time.perf_counter() - began, 3),
        reason=f"It failed a test: {failed[0].got[:200]}" if failed else "",
        source=source,
    )
    if made.status == "failed" and not made.reason:
        said = f"It did not do the same twice in {tool.tried - tool.right} of {tool.tried} situations."
        return msgspec.structs.replace(made, reason=said)
    if made.status == "failed":
        return made
    if not ask(made):
        return msgspec.structs.replace(made, status="failed", reason="You said no, so it was not kept.")
    registry.keep(tool, new=True)
    return made


class Retested(msgspec.Struct, frozen=True):
    """What came of testing a kept tool again.

    Attributes:
        tests: how many were passed, of how many.
        failed: what was wrong, a sentence each.
    """

    name: str
    tests: tuple[int, int]
    failed: tuple[str, ...]


def tested_again(registry: Registry, tool: Tool, worker: Worker, *, trusting: bool = True, seed: int = 1) -> Retested:
    """Run the tests beside a tool.

    Args:
        registry: that keeps it.
        tool: the tool.
        worker: a sandbox.
        trusting: one that was edited and passes is practised, and trusted again as what it is now; its term is
            kept where its program is the same but for comments, else only running it tells what it does.
        seed: of what it is practised with.
    """
    count = len(tool.tests)
    if not tool.source:
        return Retested(tool.name, (0, count), (tool.distrust,))
    found = failures(tool, tool.tests, (), worker)
    said = [f"for {each.given[:100]!r} it gave {each.got[:200]!r}, wanted {str(each.wanted)[:200]!r}" for each in found]
    if trusting and not found and not tool.is_intact:
        given = [test.input for test in tool.tests]
        edited = msgspec.structs.replace(tool, digest=digest_of(tool.source), writer="edited")
        if not _is_still_meant(edited, given, worker, seed):
            edited = msgspec.structs.replace(edited, term="")
        edited = practised(edited, given, worker)
        if edited.right < edited.tried:
            said.append(f"it did not do the same twice in {edited.tried - edited.right} of {edited.tried} situations")
        else:
            registry.note(edited)
    return Retested(tool.name, (count - len(found), count), tuple(said))


def _learned(tool: Tool, given: Sequence[str], worker: Worker, seed: int) -> Term | None:
    """The term that says what a tool makes of many texts, where the search is sure of one."""
    pairs: dict[str, str] = {}
    for text in fresh_texts(given, seed):
        made = value_by_running(tool, text, worker)
        if made is not None and len(pairs) < MOST_PAIRS:
            pairs[text] = made
    if len(set(pairs.values())) < 2:
        return None
    found = search([Example(text, made) for text, made in pairs.items()], seconds=SEARCH_SECONDS, seed=seed)
    if not found.is_sure or found.term is None:
        return None
    try:
        term = of_one_text(_with_path(found.term))
    except NoTool:
        return None
    return term if _agrees(tool, term, given, worker, seed) else None


def _is_still_meant(tool: Tool, given: Sequence[str], worker: Worker, seed: int) -> bool:
    """Whether the term of an edited tool says what it does: its program is the one made of the term, but for comments.

    However many texts another program is tried on, it may do something else on the next: only running it tells.
    """
    if tool.is_simulated or not is_same_program(tool.source, stand_alone(tool.meaning, tool.name)):
        return False
    return _agrees(tool, tool.meaning, given, worker, seed)


def _agrees(tool: Tool, term: Term, given: Sequence[str], worker: Worker, seed: int) -> bool:
    """Whether a tool does what a term says with texts like some others, with those at their edges, and with any."""
    texts = dict.fromkeys((*fresh_texts(given, seed), *boundary_texts(given), *edge_texts()))
    return all(value_by_running(tool, text, worker) == value_for(term, text) for text in texts)


def _unsure(name: str, found: Found, seconds: float) -> Made:
    """Why nothing is made of some examples, and what would help."""
    reason = "From the examples no program was found that fits."
    if found.others and found.telling is not None:
        answers = " or ".join(repr(each) for each in dict.fromkeys(found.answers))
        reason = (
            f"From the examples several programs fit. Add one for the input {found.telling!r}:"
            f" the programs make {answers} of it."
        )
    elif found.term is not None:
        reason = f"The examples say too little: {show(found.term)} fits, and so may much else. Add another example"
        reason += "." if found.next_input is None else f", for instance for the input {found.next_input!r}."
    return Made("failed", name, tried=found.tried, seconds=round(seconds, 3), reason=reason)


def _with_path(term: Term) -> Term:
    """A term over the slot `A`, as searches give it, over the file of that name."""
    match term:
        case Var(name="A"):
            return Const("A", Kind.PATH)
        case Call(name=name, args=args):
            return Call(name, tuple(map(_with_path, args)))
    return term
