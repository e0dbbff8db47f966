"""Who makes plans, and whether they are right."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from dabhand.errors import DabhandError
from dabhand.handoff.inspecting import Wish, artifacts_of, inspect
from dabhand.handoff.limits import Limits
from dabhand.handoff.packet import Packet
from dabhand.handoff.plan import JsonField, Plan, plan_from_value, plan_to_value
from dabhand.handoff.words import Abstained, read, translate
from dabhand.handoff.words.asking import PlanModel, ask
from dabhand.handoff.words.chain import Declined, Origin, Translated
from dabhand.measuring.cases import Case
from dabhand.measuring.folders import furnish, relative

ALL = Limits(10**7, 10**9)

Verdict = Literal["right", "wrong", "abstained", "invalid", "late"]
"""Wrong is what was carried out and came to something else, or should not have been carried out at all."""


class Answered(msgspec.Struct, frozen=True):
    """What somebody made of a request.

    Attributes:
        plan: to be carried out, None where the request is given back.
        proposed: what a model said, believed or not.
        confidence: of a model.
        why: why there is no plan.
        origin: who made it.
    """

    plan: Plan | None
    proposed: Plan | None = None
    confidence: float = 0.0
    why: str = ""
    origin: str = ""


Answerer = Callable[[Case], Answered]


class Judged(msgspec.Struct, frozen=True):
    """One case.

    Attributes:
        verdict: of what was carried out.
        alone: of what the model said, whether it was believed or not.
        milliseconds: from the request to the plan.
        whole_ms: and until it was carried out.
    """

    id: str
    source: str
    verdict: Verdict
    alone: Verdict
    confidence: float
    milliseconds: float
    whole_ms: float
    wanted: str
    got: str
    why: str
    origin: str


def by_grammar(case: Case) -> Answered:
    """The grammar alone."""
    said = read(case.request, case.references)
    if isinstance(said, Abstained):
        return Answered(None, why=f"{said.reason}: {said.message}")
    return Answered(said, said, 1.0, origin="grammar")


def by_oracle(case: Case) -> Answered:
    """What is wanted: a floor for latency, never called accuracy."""
    plan = None if case.answer is None else plan_from_value(dict(case.answer))
    return Answered(plan, plan, 1.0, origin="oracle")


def by_model(model: PlanModel) -> Answerer:
    """A model alone, believed as in use."""

    def answer(case: Case) -> Answered:
        found = ask(model, case.request, case.references, None)
        return Answered(found.plan, found.proposed, found.confidence, found.why, model.kind)

    return answer


class _Link:
    """A model as a link of the chain, which keeps what it answered."""

    def __init__(self, model: PlanModel) -> None:
        self._model = model
        self.kept = Answered(None)

    @property
    def origin(self) -> Origin:
        return "local" if self._model.kind == "local" else "remote"

    def translate(
        self, request: str, references: Mapping[str, str], abstained: Abstained | None
    ) -> Translated | Declined | None:
        found = ask(self._model, request, references, None, abstained)
        self.kept = Answered(found.plan, found.proposed, found.confidence, found.why, self._model.kind)
        return Declined(found.why, 1) if found.plan is None else Translated(found.plan, self.origin, 1)


def by_chain(model: PlanModel) -> Answerer:
    """The grammar, and the model after it."""

    def answer(case: Case) -> Answered:
        link = _Link(model)
        said = translate(case.request, case.references, others=lambda: [link])
        if isinstance(said, Abstained):
            return msgspec.structs.replace(link.kept, plan=None, why=link.kept.why or said.reason)
        return Answered(said.plan, said.plan, link.kept.confidence or 1.0, origin=said.origin)

    return answer


def judged(cases: Sequence[Case], answerers: Mapping[str, Answerer]) -> Iterator[tuple[str, Judged]]:
    """Judge every case by everybody, who take turns in going first."""
    names = list(answerers)
    for place, case in enumerate(cases):
        with tempfile.TemporaryDirectory(prefix="dabhand-bench-") as folder:
            ground = _Ground(Path(folder), case)
            for name in names[place % len(names) :] + names[: place % len(names)]:
                yield name, ground.judge(answerers[name])


class _Ground:
    """The folder of one case."""

    def __init__(self, folder: Path, case: Case) -> None:
        self.case = case
        self.root, self.store = folder / "root", str(folder / "store")
        self.root.mkdir()
        self.paths = {name: relative(case.paths.get(name, name)) for name in case.references}
        furnish(self.root, self.paths, case.references, case.answer)
        self.wanted = None if case.answer is None else plan_from_value(dict(case.answer))
        self.expected = self._expected()

    def _expected(self) -> object:
        """What real tools make of the wanted plan; of a field of a JSON file, what Python's own reader makes of it."""
        match self.wanted:
            case None:
                return None
            case JsonField(path=path, key=key):
                return json.loads((self.root / self.paths[path]).read_text("utf-8"))[key]
        return _result(self._run(self.wanted, "bash"))

    def _run(self, plan: Plan, backend: Literal["native", "bash"]) -> Packet:
        value = plan_to_value(plan)
        path = self.paths.get(plan.path, relative(plan.path))
        wish = Wish(plan={**value, "path": path}, backend=backend, limits=ALL)
        return inspect(self.root, wish, artifacts_of(self.store))

    def judge(self, answerer: Answerer) -> Judged:
        started = time.perf_counter()
        try:
            found = answerer(self.case)
        except DabhandError as error:
            found = Answered(None, why=error.message)
        thought = time.perf_counter()
        verdict = self._verdict(found.plan, found.why)
        ended = time.perf_counter()
        alone = verdict if found.proposed == found.plan else self._verdict(found.proposed, found.why)
        return Judged(
            self.case.id,
            self.case.source,
            verdict,
            alone,
            round(found.confidence, 4),
            round((thought - started) * 1000, 2),
            round((ended - started) * 1000, 2),
            _shown(self.wanted),
            _shown(found.plan or found.proposed),
            found.why,
            found.origin,
        )

    def _verdict(self, plan: Plan | None, why: str) -> Verdict:
        if plan is None:
            if self.wanted is None:
                return "right"
            return "late" if "in time" in why or "no answer within" in why else _abstained_or_invalid(why)
        if self.wanted is None:
            return "wrong"
        packet = self._run(plan, "native")
        if isinstance(self.wanted, JsonField):
            same = isinstance(plan, JsonField) and packet.status == "ok" and _field(packet) == self.expected
        else:
            same = _result(packet) == self.expected
        return "right" if same else "wrong"


def _abstained_or_invalid(why: str) -> Verdict:
    return (
        "invalid"
        if any(part in why for part in ("The answer", "The plan cannot be used", "no answer"))
        else "abstained"
    )


def _field(packet: Packet) -> object:
    try:
        return json.loads("\n".join(line.text for line in packet.output.lines))
    except ValueError:
        return None


def _result(packet: Packet) -> tuple[Any, ...]:
    return packet.status, packet.answer, tuple((line.path, line.text) for line in packet.output.lines)


def _shown(plan: Plan | None) -> str:
    if plan is None:
        return "abstain"
    value = {name: each for name, each in plan_to_value(plan).items() if each not in (None, False, 0)}
    return str(value.pop("operation")) + " " + " ".join(f"{name}={each!r}" for name, each in value.items())


def summary(found: Sequence[Judged]) -> dict[str, Any]:
    """Counts and times of one answerer."""
    if not found:
        return {"cases": 0}
    times = sorted(one.milliseconds for one in found)
    whole = sorted(one.whole_ms for one in found)
    return {
        "cases": len(found),
        **_counts([one.verdict for one in found]),
        "alone": _counts([one.alone for one in found]),
        "to_give_back": sum(one.wanted == "abstain" for one in found),
        "given_back_right": sum(one.wanted == "abstain" and one.verdict == "right" for one in found),
        "by_source": {
            source: _counts([one.verdict for one in found if one.source == source])
            for source in sorted({one.source for one in found})
        },
        "by_origin": {
            origin: _counts([one.verdict for one in found if one.origin == origin])
            for origin in sorted({one.origin for one in found})
        },
        "median_ms": times[len(times) // 2],
        "p90_ms": times[len(times) * 9 // 10],
        "whole_median_ms": whole[len(whole) // 2],
    }


def _counts(verdicts: Sequence[str]) -> dict[str, int]:
    names = ("right", "wrong", "abstained", "invalid", "late")
    return {"of": len(verdicts), **{name: verdicts.count(name) for name in names}}
