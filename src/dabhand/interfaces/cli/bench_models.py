"""`dabhand bench plans` and `dabhand bench evidence`: everybody on the same cases, cold starts apart from the rest."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dabhand.errors import UsageError

if TYPE_CHECKING:
    from dabhand.handoff.evidence.model import LineModel
    from dabhand.handoff.words.asking import PlanModel
    from dabhand.measuring import goals, lines, plans
    from dabhand.models.completion import Engine

T = TypeVar("T")

_HINT = "Backends are rules, deterministic, local, untrained, chain, remote and chain-remote."


class Engines:
    """Engines, each loaded once; how long that took is kept apart from what they are measured by."""

    def __init__(self) -> None:
        self._made: dict[bool, Engine] = {}
        self.cold: dict[str, float] = {}

    def engine(self, *, trained: bool) -> Engine:
        """The local model with or without what was trained."""
        from dabhand.models.completion import Ask
        from dabhand.models.local import LocalEngine
        from dabhand.models.weights import found_weights

        if trained not in self._made:
            engine = LocalEngine(lambda: found_weights(trained=trained))
            name = "local" if trained else "untrained"
            started = time.perf_counter()
            engine.load()
            self.cold[f"{name}_load_ms"] = round((time.perf_counter() - started) * 1000, 1)
            engine.complete(Ask("plan", tokens=1))
            self.cold[f"{name}_first_ms"] = round((time.perf_counter() - started) * 1000, 1)
            self._made[trained] = engine
        return self._made[trained]


def _by_backend(found: Iterable[tuple[str, T]], backends: Sequence[str]) -> dict[str, list[T]]:
    parted: dict[str, list[T]] = {name: [] for name in backends}
    for name, one in found:
        parted[name].append(one)
    return parted


def _document(
    bench: str,
    data: Path,
    engines: Engines,
    found: Mapping[str, Sequence[T]],
    summary: Callable[[Sequence[T]], dict[str, Any]],
) -> dict[str, Any]:
    """What every measurement tells, once it was made."""
    summaries = {name: summary(each) for name, each in found.items()}
    return {"bench": bench, **_set(data), "cold": engines.cold, "backends": summaries}


def measure_plans(data: Path, backends: Sequence[str], limit: int | None) -> dict[str, Any]:
    """Everybody's plans for the cases of a set."""
    from dabhand.measuring.cases import cases_in
    from dabhand.measuring.plans import judged, summary

    engines = Engines()
    answerers = {name: _answerer(name, engines) for name in backends}
    found = _by_backend(judged(list(cases_in(data, "plan", limit)), answerers), backends)
    rows = {name: [_row(one) for one in each] for name, each in found.items()}
    return _document("plans", data, engines, found, summary) | {"memory_mb": _memory(), "rows": rows}


def _row(one: plans.Judged) -> dict[str, Any]:
    import msgspec

    value: dict[str, Any] = msgspec.to_builtins(one)
    return value


def _answerer(name: str, engines: Engines) -> plans.Answerer:
    from dabhand.measuring.plans import by_chain, by_grammar, by_model, by_oracle

    match name:
        case "rules":
            return by_grammar
        case "deterministic":
            return by_oracle
        case "local" | "untrained" | "remote":
            return by_model(_plan_model(name, engines))
        case "chain":
            return by_chain(_plan_model("local", engines))
        case "chain-remote":
            return by_chain(_plan_model("remote", engines))
    raise UsageError(f"There is no backend {name!r}.", _HINT)


def _plan_model(name: str, engines: Engines) -> PlanModel:
    from dabhand.handoff.words.backends import LocalPlans, remote_plans

    if name != "remote":
        return LocalPlans(engines.engine(trained=name == "local"))
    model = remote_plans()
    if model is None:
        raise UsageError("No remote model is configured.", "docs/asking.md says how.")
    return model


def measure_lines(data: Path, backends: Sequence[str], limit: int | None) -> dict[str, Any]:
    """Everybody's lines for the cases of a set."""
    from dabhand.measuring.cases import cases_in
    from dabhand.measuring.lines import measured, summary

    engines = Engines()
    choosers = {name: _chooser(name, engines) for name in backends}
    found = _by_backend(measured(list(cases_in(data, "evidence", limit)), choosers), backends)
    return _document("evidence", data, engines, found, summary)


def _chooser(name: str, engines: Engines) -> lines.Chooser:
    from dabhand.measuring.lines import by_model, by_oracle, by_rules

    match name:
        case "rules":
            return by_rules
        case "deterministic":
            return by_oracle
        case "local" | "untrained":
            return by_model(_line_model(engines, trained=name == "local"))
    raise UsageError(f"There is no backend {name!r}.", "Backends are rules, deterministic, local and untrained.")


def _line_model(engines: Engines, *, trained: bool) -> LineModel:
    from dabhand.handoff.evidence.model import LocalLines

    return LocalLines(engines.engine(trained=trained))


def measure_goals(data: Path, backends: Sequence[str], limit: int | None) -> dict[str, Any]:
    """Everybody's goals for the cases of a set."""
    from dabhand.measuring.cases import cases_in
    from dabhand.measuring.goals import judged, summary

    engines = Engines()
    answerers = {name: _goal_answerer(name, engines) for name in backends}
    found = _by_backend(judged(list(cases_in(data, "goal", limit)), answerers), backends)
    rows = {name: {one.id: [one.verdict, one.why] for one in each} for name, each in found.items()}
    return _document("goals", data, engines, found, summary) | {"rows": rows}


def _goal_answerer(name: str, engines: Engines) -> goals.Answerer:
    from dabhand.goals.backends import LocalGoals, RemoteGoals
    from dabhand.measuring.goals import by_chain, by_grammar, by_model, by_oracle
    from dabhand.models.remote import remote_chat

    chat = remote_chat() if "remote" in name else None
    if "remote" in name and chat is None:
        raise UsageError("No remote model is configured.", "docs/asking.md says how.")
    match name:
        case "rules":
            return by_grammar
        case "deterministic":
            return by_oracle
        case "local" | "untrained":
            return by_model(LocalGoals(engines.engine(trained=name == "local")))
        case "chain":
            return by_chain(LocalGoals(engines.engine(trained=True)))
        case "remote" | "chain-remote" if chat is not None:
            return by_model(RemoteGoals(chat)) if name == "remote" else by_chain(RemoteGoals(chat))
    raise UsageError(f"There is no backend {name!r}.", _HINT)


def show_goals(document: dict[str, Any]) -> None:
    """The numbers as a table."""
    rows = [
        [name, f"{one['right']} of {one['of']}", str(one["wrong"]), str(one["abstained"]), f"{one['median_ms']:.1f} ms"]
        for name, one in document["backends"].items()
    ]
    _table(("", "right", "wrong", "abstained", "median"), rows, document)


def _set(data: Path) -> dict[str, Any]:
    """Which set it was, without saying whose machine it lies on."""
    from dabhand.models.weights import adapter_file

    adapter = adapter_file()
    digest = None if adapter is None else hashlib.sha256(adapter.read_bytes()).hexdigest()
    return {"set": data.name, "sha256": hashlib.sha256(data.read_bytes()).hexdigest(), "adapter_sha256": digest}


def _memory() -> float | None:
    """The most that this process ever held, in MB."""
    try:
        import resource
    except ImportError:
        return None
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def show_plans(document: dict[str, Any]) -> None:
    """The numbers as a table."""
    rows = [
        [
            name,
            f"{one['right']} of {one['of']}",
            *(str(one[kind]) for kind in ("wrong", "abstained", "invalid", "late")),
            f"{one['alone']['right']}, {one['alone']['wrong']}",
            f"{one['given_back_right']} of {one['to_give_back']}",
            f"{one['median_ms']:.1f} ms",
        ]
        for name, one in document["backends"].items()
    ]
    titles = ("", "right", "wrong", "abstained", "invalid", "late", "unjudged: right, wrong", "given back", "median")
    _table(titles, rows, document)


def show_lines(document: dict[str, Any]) -> None:
    """The numbers as a table."""
    rows = [
        [
            name,
            f"{one['exact']} of {one['cases']}",
            str(one["failed"]),
            "{} of {}".format(*one["recall"]),
            "{} of {}".format(*one["precision"]),
            "{} of {}".format(*one["nothing_as_nothing"]),
            f"{one['median_ms']:.1f} ms",
        ]
        for name, one in document["backends"].items()
    ]
    _table(("", "exact", "failed", "recall", "precision", "nothing as nothing", "median"), rows, document)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], document: dict[str, Any]) -> None:
    from rich.table import Table

    from dabhand.interfaces.cli.output import console

    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, justify="right" if title else "left")
    for row in rows:
        table.add_row(*row)
    shown = console()
    shown.print(table)
    for name, took in document["cold"].items():
        shown.print(f"{name.replace('_', ' ').removesuffix(' ms')}: {took} ms")
