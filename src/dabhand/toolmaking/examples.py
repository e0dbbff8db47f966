"""Examples of what a tool is to do: the text of a file, and the text that is to come of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dabhand.errors import UsageError
from dabhand.language import PATH, Env, Var
from dabhand.language.samples import TextFolder

INPUT = Var("A", PATH)
"""The slot of the file that a tool reads."""
INPUT_PATH = "input"


class Example(msgspec.Struct, frozen=True):
    """One pair of texts; bytes that are not UTF-8 are surrogates, as everywhere inside."""

    input: str
    output: str


class ExamplesError(UsageError):
    """Examples that say nothing, or contradict each other."""

    code = "examples"


def read_examples(data: str) -> tuple[Example, ...]:
    """Examples from JSON Lines, `{"input": ..., "output": ...}` each.

    Raises:
        ExamplesError: a line is no example, or there is none.
    """
    made = []
    for number, line in enumerate(data.split("\n"), 1):
        if line.strip():
            try:
                made.append(msgspec.json.decode(line, type=Example))
            except (msgspec.DecodeError, UnicodeError) as error:
                raise ExamplesError(
                    f"Line {number} of the examples is no example: {error}",
                    'write {"input": "text of the file", "output": "text of the result"} on each line',
                ) from error
    return checked(made)


def checked(examples: Sequence[Example]) -> tuple[Example, ...]:
    """The examples, each once.

    Raises:
        ExamplesError: there is none, or two say different things of one input.
    """
    outputs: dict[str, str] = {}
    for each in examples:
        if outputs.setdefault(each.input, each.output) != each.output:
            raise ExamplesError(
                "Two examples have the same input and different outputs, so no tool can satisfy both",
                "leave one of them out",
            )
    if not outputs:
        raise ExamplesError("There is no example to learn from", "give at least one input and its output")
    return tuple([Example(given, output) for given, output in outputs.items()])


def env_of(text: str) -> Env:
    """Where a tool's term has its value: the slot `A` names a file with this text."""
    return Env({INPUT.name: INPUT_PATH}, TextFolder({INPUT_PATH: text}))
