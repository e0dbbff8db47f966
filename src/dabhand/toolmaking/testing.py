"""Trying a tool out: on fresh texts against what it is to do, and in the situations in which it may fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import msgspec

from dabhand.errors import LanguageError
from dabhand.language import Term, evaluate
from dabhand.language.samples import TextFolder, random_text
from dabhand.sandbox import Limits, Outcome, Worker
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.registry import Tool
from dabhand.toolmaking.source import GIVEN
from dabhand.workspace import FOLDER, File, Folder, State, encode_text, resolve
from dabhand.world import Prediction
from dabhand.world.prediction import lower_bound, unknown

LIMITS = Limits(seconds=10.0, cpu_seconds=10)
MOST_TESTS = 8
MUTATIONS = 12


class Failure(msgspec.Struct, frozen=True):
    """A test that a tool did not pass."""

    given: str
    wanted: str | None
    got: str


def value_for(term: Term, text: str) -> str | None:
    """What the term makes of a text; None where it has no value."""
    try:
        return str(evaluate(term, {GIVEN.name: text}, TextFolder({})))
    except (LanguageError, RecursionError):
        return None


def value_by_running(tool: Tool, text: str, worker: Worker) -> str | None:
    """What a tool makes of a text when it is run; None where it fails or changes anything else."""
    before = State({"in": File(encode_text(text))})
    outcome = run(tool, before, "in", "out", worker)
    made = outcome.state.get("out")
    if outcome.exit_code != 0 or not isinstance(made, File) or outcome.oddities:
        return None
    return made.text if outcome.state == before.with_changes({"out": made}) else None


def fresh_texts(samples: Sequence[str], seed: int) -> Iterator[str]:
    """Texts to test with: the samples, others like them, and any."""
    rng = Random(seed)
    yield from samples
    for sample in samples:
        lines = sample.split("\n")
        for _ in range(MUTATIONS):
            changed = [line for line in lines if line]
            rng.shuffle(changed)
            head = lines[:1] if "," in lines[0] or "[" in lines[0] else []
            kept = [line for line in changed if line not in head][: rng.randint(1, max(1, len(changed)))]
            yield "\n".join(head + kept + kept[: rng.randint(0, 2)]) + ("\n" if rng.random() < 0.8 else "")
    for _ in range(MUTATIONS):
        yield random_text(rng)
    yield ""


def tests_for(term: Term, samples: Sequence[str], seed: int = 1) -> tuple[tuple[Example, ...], tuple[str, ...]]:
    """Examples of what the term makes of fresh texts, and texts of which it makes nothing."""
    examples: dict[str, str] = {}
    without: list[str] = []
    for text in fresh_texts(samples, seed):
        made = value_for(term, text)
        if made is None:
            without.append(text)
        elif text not in examples and (len(examples) < MOST_TESTS or made not in examples.values()):
            examples[text] = made
    chosen = list(examples.items())[: 2 * MOST_TESTS]
    return tuple(Example(given, output) for given, output in chosen), tuple(dict.fromkeys(without))[:3]


def run(tool: Tool, state: State, source: str, target: str, worker: Worker) -> Outcome:
    """Run a tool in a scene."""
    return worker.run(state, tool.line({"A": source, "B": target}), LIMITS)


def failures(tool: Tool, examples: Sequence[Example], without: Sequence[str], worker: Worker) -> list[Failure]:
    """The tests that a tool does not pass."""
    found = []
    for example in examples:
        outcome = run(tool, State({"in": File(encode_text(example.input))}), "in", "out", worker)
        made = outcome.state.get("out")
        if outcome.exit_code != 0 or not isinstance(made, File) or made.text != example.output:
            found.append(Failure(example.input, example.output, _said(outcome)))
    for text in without:
        outcome = run(tool, State({"in": File(encode_text(text))}), "in", "out", worker)
        if outcome.exit_code == 0 or "out" in outcome.state:
            found.append(Failure(text, None, _said(outcome)))
    return found


def _said(outcome: Outcome) -> str:
    made = outcome.state.get("out")
    error = outcome.stderr.decode("utf-8", "replace").strip()
    return error or (made.text if isinstance(made, File) else f"exit status {outcome.exit_code}")


# -- when it fails ----------------------------------------------------------------------------------------------------


def simulated(
    tool: Tool, filling: dict[str, str | int], state: State, value: Callable[[str], str | None] | None = None
) -> Prediction:
    """What a tool does in a folder, by its own program: what is written, or that it fails and changes nothing.

    Args:
        tool: the tool.
        filling: its paths.
        state: the folder.
        value: what it makes of a text; by default what its term says.
    """
    source, target = resolve(state, str(filling["A"])), resolve(state, str(filling["B"]))
    sure = lower_bound(tool.right, tool.tried)
    fails = Prediction(True, tool.is_intact, sure, False, state, "")
    if not tool.is_intact:
        return unknown(tool.distrust)
    if not isinstance(source.target, File):
        return fails
    made = value(source.target.text) if value is not None else value_for(tool.meaning, source.target.text)
    if made is None or isinstance(target.target, Folder):
        return fails
    if target.real is None:
        return fails
    parent = target.real.rpartition("/")[0]
    if parent and not isinstance(state.get(parent), Folder):
        return fails
    old = target.target
    executable = old.executable if isinstance(old, File) else False
    after = state.with_changes({target.real: File(encode_text(made), executable)})
    return Prediction(True, True, sure, True, after, "")


def practised(tool: Tool, samples: Sequence[str], worker: Worker) -> Tool:
    """The tool with how often it did what is expected of it, on copies of its kind of file and in odd situations."""
    tried = right = 0
    by_running = (lambda text: value_by_running(tool, text, worker)) if tool.is_simulated else None
    for state, source, target in _situations(samples):
        filling: dict[str, str | int] = {"A": source, "B": target}
        expected = simulated(tool, filling, state, by_running)
        outcome = worker.run(state, tool.line(filling), LIMITS)
        tried += 1
        right += (outcome.exit_code == 0) == expected.ok and outcome.state == expected.state and not outcome.stdout
    return msgspec.structs.replace(tool, tried=tried, right=right)


def _situations(samples: Sequence[str]) -> Iterator[tuple[State, str, str]]:
    text = File(encode_text(samples[0] if samples else "a b\n1\n"))
    other = File(b"was here\n")
    yield State({"a.txt": text}), "a.txt", "b.txt"
    yield State({"a.txt": text, "b.txt": other}), "a.txt", "b.txt"
    yield State({"a.txt": text, "b.txt": File(b"x\n", True)}), "a.txt", "b.txt"
    yield State({"a.txt": text}), "a.txt", "a.txt"
    yield State({"a.txt": text}), "none.txt", "b.txt"
    yield State({"a.txt": text}), "a.txt", "none/b.txt"
    yield State({"a.txt": text, "box": FOLDER}), "a.txt", "box"
    yield State({"a.txt": text, "box": FOLDER}), "box", "b.txt"
    yield State({"box": FOLDER, 'box/it\'s a "file".txt': text}), 'box/it\'s a "file".txt', "box/b c.txt"
    yield State({"-n": text}), "-n", "-o"
    yield State({"a.txt": File(b"")}), "a.txt", "b.txt"
    yield State({"a.txt": File(b"\xff\xfe \x80\n")}), "a.txt", "b.txt"
    for sample in samples[1:4]:
        yield State({"c": File(encode_text(sample))}), "c", "d"
