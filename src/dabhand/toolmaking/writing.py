"""Tools written by a language model, where no search finds one: at once, or in small steps that are checked one by one.

The model writes one Python function, `make(text)`; reading and writing files is ours. Nothing that it says is believed:
every run is in the sandbox, errors are given back, and what stays broken ends as failed, with the step at fault named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dabhand.goals.models import Context, TranslationModel, answer_of
from dabhand.models.waiting import NoAnswer
from dabhand.sandbox import Worker
from dabhand.toolmaking.drafts import Draft, run_code
from dabhand.toolmaking.examples import Example

TRIES = 3
"""How often a tool that is written at once, or a step, may be tried."""

FEWEST_STEPS, MOST_STEPS = 3, 5
MENDINGS = 3
"""How often a step is mended after the whole has failed its test."""

MOST_SHOWN = 2_000
"""Characters of a sample that the model is shown."""

PATIENCE = 120.0

_TEXT = {"type": "string"}
_TESTS = {
    "type": "array",
    "items": {"type": "object", "properties": {"input": _TEXT, "output": _TEXT}, "required": ["input", "output"]},
}
AT_ONCE_SCHEMA = {
    "type": "object",
    "properties": {"code": _TEXT, "tests": _TESTS},
    "required": ["code", "tests"],
    "additionalProperties": False,
}
STEPS_SCHEMA = {
    "type": "object",
    "properties": {
        "steps": {"type": "array", "items": _TEXT, "minItems": FEWEST_STEPS, "maxItems": MOST_STEPS},
        "tests": _TESTS,
    },
    "required": ["steps", "tests"],
    "additionalProperties": False,
}
CODE_SCHEMA = {
    "type": "object",
    "properties": {"code": _TEXT},
    "required": ["code"],
    "additionalProperties": False,
}
_RULES = (
    "Write Python 3, standard library only: a function make(text: str) -> str that is given the text of a file and"
    " returns the text of the result. It opens no file, prints nothing, and raises ValueError on input that it cannot"
    " handle."
)


class _Whole(msgspec.Struct, frozen=True):
    code: str
    tests: tuple[Example, ...]


class _Steps(msgspec.Struct, frozen=True):
    steps: tuple[str, ...]
    tests: tuple[Example, ...]


class _Code(msgspec.Struct, frozen=True):
    code: str


class Written(msgspec.Struct, frozen=True):
    """What a model wrote.

    Attributes:
        code: that passed every test; "" where none did.
        tests: what it was tested with: the examples that were given, and the model's own.
        calls: how often the model was asked.
        reason: why there is none; names the step at fault where it was written in steps.
        steps: what the steps were.
    """

    code: str
    tests: tuple[Example, ...] = ()
    calls: int = 0
    reason: str = ""
    steps: tuple[str, ...] = ()


class _GaveUp(Exception):
    """Raised with the reason why a tool is not written."""


def write(
    model: TranslationModel,
    request: str,
    worker: Worker,
    *,
    examples: Sequence[Example] = (),
    samples: Sequence[str] = (),
    stepwise: bool = False,
    patience: float = PATIENCE,
    told: Callable[[str], None] = lambda what: None,
) -> Written:
    """Have a model write a tool.

    Args:
        model: that writes.
        request: what the tool is to do, in words.
        worker: a sandbox, in which everything runs.
        examples: that the tool must satisfy; the model sees them.
        samples: texts of the kind of file that the tool is for.
        stepwise: in small steps, each of which is run before the next is written.
        patience: seconds that the model may take for one answer.
        told: is told what is going on.
    """
    course = _Course(model, request, worker, tuple(examples), tuple(samples), patience, told)
    try:
        return course.in_steps() if stepwise else course.at_once()
    except _GaveUp as reason:
        return Written("", calls=course.calls, reason=str(reason), steps=course.steps)


class _Course:
    def __init__(
        self,
        model: TranslationModel,
        request: str,
        worker: Worker,
        examples: tuple[Example, ...],
        samples: tuple[str, ...],
        patience: float,
        told: Callable[[str], None],
    ) -> None:
        self.model = model
        self.request = request
        self.worker = worker
        self.examples = examples
        self.samples = samples or tuple(example.input for example in examples) or ("",)
        self.patience = patience
        self.told = told
        self.calls = 0
        self.steps: tuple[str, ...] = ()

    def at_once(self) -> Written:
        error = ""
        for turn in range(TRIES):
            self.told(f"written at once, try {turn + 1} of {TRIES}")
            try:
                whole = self._ask(f"{_RULES}\n\n{self._task()}", AT_ONCE_SCHEMA, _Whole, error)
            except _Unusable as unusable:
                error = str(unusable)
                continue
            tests = self._tests(whole.tests)
            error = self._failure(whole.code, tests)
            if not error:
                return Written(whole.code, tests, self.calls)
        raise _GaveUp(f"After {TRIES} tries it is still broken: {error}")

    def in_steps(self) -> Written:
        planned = self._planned()
        self.steps = planned.steps
        tests = self._tests(planned.tests)
        draft = Draft()
        for number, step in enumerate(self.steps, 1):
            self.told(f"step {number} of {len(self.steps)}: {step}")
            draft = self._stepped(draft, number, step)
        for _ in range(MENDINGS):
            error = self._failure(draft.code, tests)
            if not error:
                return Written(draft.code, tests, self.calls, steps=self.steps)
            number = draft.at_fault(error) or len(self.steps)
            self.told(f"mending step {number}: {error.splitlines()[-1]}")
            draft = self._stepped(draft, number, self.steps[number - 1], error)
        error = self._failure(draft.code, tests)
        if not error:
            return Written(draft.code, tests, self.calls, steps=self.steps)
        number = draft.at_fault(error) or len(self.steps)
        raise _GaveUp(f"Step {number} ({self.steps[number - 1]}) is at fault, and mending it did not help: {error}")

    def _planned(self) -> _Steps:
        error = ""
        asked = f"{_RULES}\n\nFirst only say in which {FEWEST_STEPS} to {MOST_STEPS} small steps you would write it."
        for _ in range(TRIES):
            try:
                planned: _Steps = self._ask(f"{asked}\n\n{self._task()}", STEPS_SCHEMA, _Steps, error)
            except _Unusable as unusable:
                error = str(unusable)
                continue
            if FEWEST_STEPS <= len(planned.steps) <= MOST_STEPS:
                return planned
            error = f"{len(planned.steps)} steps were named; name {FEWEST_STEPS} to {MOST_STEPS}"
        raise _GaveUp(f"No steps were named: {error}")

    def _stepped(self, draft: Draft, number: int, step: str, error: str = "") -> Draft:
        """The draft after a step, which runs on a sample without a fault."""
        asked = (
            f"{_RULES}\n\n{self._task()}\n\nThe steps:\n"
            + "\n".join(f"{place}. {one}" for place, one in enumerate(self.steps, 1))
            + f"\n\nThe code so far:\n{draft.code or '(nothing)'}\n\n"
            + f"{'Mend' if error else 'Do'} step {number} now: {step}\n"
            + "Give the whole code; make(text) must already run and return a str."
        )
        for _ in range(TRIES):
            try:
                code = self._ask(asked, CODE_SCHEMA, _Code, error).code
            except _Unusable as unusable:
                error = str(unusable)
                continue
            error = next(
                (ran.error for text in self.samples[:2] if (ran := run_code(code, text, self.worker)).error), ""
            )
            if not error:
                return draft.rewritten(code, number)
        raise _GaveUp(f"Step {number} ({step}) is at fault: {error}")

    def _failure(self, code: str, tests: Sequence[Example]) -> str:
        """What is wrong with some code; empty when it passes every test and runs on every sample."""
        for test in tests:
            ran = run_code(code, test.input, self.worker)
            if ran.error:
                return ran.error
            if ran.made != test.output:
                return (
                    f"for the input {test.input[:300]!r} it made {str(ran.made)[:300]!r}, wanted {test.output[:300]!r}"
                )
        return next((ran.error for text in self.samples if (ran := run_code(code, text, self.worker)).error), "")

    def _tests(self, own: Sequence[Example]) -> tuple[Example, ...]:
        """The examples that were given, and the model's own where they say nothing else."""
        given = {example.input for example in self.examples}
        return (*self.examples, *(test for test in own if test.input not in given))

    def _task(self) -> str:
        shown = [f"Input:\n{each.input[:MOST_SHOWN]}\nOutput:\n{each.output[:MOST_SHOWN]}" for each in self.examples]
        sample = [] if self.examples else [f"A file of the kind it is for:\n{self.samples[0][:MOST_SHOWN]}"]
        return "\n\n".join([f"What it is to do: {self.request}", *shown, *sample])

    def _ask(self, prompt: str, schema: dict[str, Any], form: type[Any], error: str) -> Any:
        """What the model answers, in the form that was asked for.

        Raises:
            _Unusable: it is not in that form.
            _GaveUp: there is no answer.
        """
        self.calls += 1
        try:
            answer = answer_of(self.model, prompt, Context({}, schema, rejected=error), self.patience)
        except NoAnswer as none:
            raise _GaveUp(f"The model {self.model.name} gave no answer: {none}") from none
        try:
            if isinstance(answer, str | bytes):
                return msgspec.json.decode(answer, type=form, strict=False)
            return msgspec.convert(answer, form)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as unusable:
            raise _Unusable(f"the answer is not in the form that was asked for: {unusable}") from unusable


class _Unusable(Exception):
    """Raised for an answer that is not in the form that was asked for."""
