"""`dabhand bench`: measurements that ship, kept under labels that are never overwritten."""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import common, store_directory

if TYPE_CHECKING:
    from dabhand.handoff.trying import Result

F = TypeVar("F", bound=Callable[..., Any])

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


_label = click.option("--label", metavar="L", help="Keep the numbers under this label (default: the time).")


def _on_cases(*backends: str) -> Callable[[F], F]:
    """The options of what answers the cases of a set, by these backends unless others are named."""

    def decorated(function: F) -> F:
        for option in (
            click.option("--limit", type=click.IntRange(1), help="Only the first cases."),
            click.option("--backend", "backends", multiple=True, default=backends, show_default=True),
            click.option(
                "--data", metavar="FILE", required=True, type=click.Path(path_type=Path), help="A set of examples."
            ),
        ):
            function = option(function)
        return function

    return decorated


@click.group("bench")
def command() -> None:
    """Measure something, and keep the numbers under a label."""


@command.command("bindings")
@click.option("--count", default=500, show_default=True, type=click.IntRange(1, 100_000), help="How many bindings.")
@click.option("--seed", default=1, show_default=True, type=int)
@click.option("--backend", default="native", show_default=True, type=click.Choice(("native", "bash", "powershell")))
@_label
@common
def bindings(count: int, seed: int, backend: Any, label: str | None, as_json: bool, store: Path | None) -> int:
    """Random targets with awkward names: is the file that is read the one that was bound?

    Beside each stands its twin, the same request with the path written out in words, in alternating order.
    """
    from dabhand.handoff.trying import try_bindings

    place = _place(store_directory(store), "bindings", label)
    with tempfile.TemporaryDirectory(prefix="dabhand-bench-") as folder:
        result = try_bindings(Path(folder), count=count, seed=seed, backend=backend)
    _finish(place, _document(result) | {"label": place.stem}, as_json, lambda _: _show(result, place))
    return 0 if result.bound.exact == result.count else 1


@command.command("handoff")
@click.argument("corpus", metavar="DIR", type=click.Path(path_type=Path))
@_label
@common
def handoff(corpus: Path, label: str | None, as_json: bool, store: Path | None) -> None:
    """Would handing over have paid? The recorded calls of the corpus in DIR, replayed.

    What the agent read, what it would have read with dabhand, and how many of the lines that its next step used would
    have been in it.
    """
    from dabhand.interfaces.cli.bench_handoff import measure, show

    place = _place(store_directory(store), "handoff", label)
    document = measure(corpus) | {"label": place.stem}
    _finish(place, document, as_json, show)


@command.command("plans")
@_on_cases("rules", "deterministic", "local")
@_label
@common
def plans(
    data: Path, backends: tuple[str, ...], limit: int | None, label: str | None, as_json: bool, store: Path | None
) -> None:
    """Requests into plans: is what was carried out what was wanted?

    Backends: rules (the grammar), deterministic (what is wanted, a floor for latency), local (the trained model),
    untrained (the same without what was trained), chain (the grammar, then the local model), remote, chain-remote.
    """
    from dabhand.interfaces.cli.bench_models import measure_plans, show_plans

    place = _place(store_directory(store), "plans", label)
    document = measure_plans(data, backends, limit) | {"label": place.stem}
    _finish(place, document, as_json, show_plans)


@command.command("goals")
@_on_cases("rules", "deterministic", "chain")
@_label
@common
def goals(
    data: Path, backends: tuple[str, ...], limit: int | None, label: str | None, as_json: bool, store: Path | None
) -> None:
    """Requests into goals: do the conditions come to what was wanted?

    Backends: rules, deterministic, local, untrained, chain, remote, chain-remote.
    """
    from dabhand.interfaces.cli.bench_models import measure_goals, show_goals

    place = _place(store_directory(store), "goals", label)
    document = measure_goals(data, backends, limit) | {"label": place.stem}
    _finish(place, document, as_json, show_goals)


@command.command("evidence")
@_on_cases("rules", "deterministic", "local")
@_label
@common
def evidence(
    data: Path, backends: tuple[str, ...], limit: int | None, label: str | None, as_json: bool, store: Path | None
) -> None:
    """Wishes into lines: exact sets, recall, precision.

    Backends: rules, deterministic, local, untrained.
    """
    from dabhand.interfaces.cli.bench_models import measure_lines, show_lines

    place = _place(store_directory(store), "evidence", label)
    document = measure_lines(data, backends, limit) | {"label": place.stem}
    _finish(place, document, as_json, show_lines)


@command.command("tokens")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
@_label
@common
def tokens(folder: Path, label: str | None, as_json: bool, store: Path | None) -> None:
    """Packets against the raw outputs: every text file in DIR, looked at in a few ways, counted by real tokenizers."""
    from dabhand.interfaces.cli.bench_tokens import measure, show

    place = _place(store_directory(store), "tokens", label)
    document = measure(folder) | {"label": place.stem}
    _finish(place, document, as_json, show)


def _finish(place: Path, document: dict[str, Any], as_json: bool, show: Callable[[dict[str, Any]], None]) -> None:
    """Keep the numbers, then show them."""
    _keep(place, document)
    if as_json:
        from dabhand.interfaces.cli.output import write_document

        write_document(document)
    else:
        show(document)


def _document(result: Result) -> dict[str, Any]:
    import msgspec

    value: dict[str, Any] = msgspec.to_builtins(result)
    return {"bench": "bindings"} | value


def _place(store: Path, name: str, label: str | None) -> Path:
    label = time.strftime("%Y-%m-%d-%H%M%S") if label is None else label
    if not _LABEL.fullmatch(label):
        raise UsageError(f"{label!r} is no label.", "Use letters, digits, '.', '_' and '-'.")
    place = store / "bench" / name / f"{label}.json"
    if place.exists():
        raise UsageError(f"There are numbers under the label {label!r} already.", "Use another label.")
    return place


def _keep(place: Path, document: dict[str, Any]) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with place.open("x", encoding="ascii") as file:
            file.write(json.dumps(document, indent=1) + "\n")
    except FileExistsError as error:
        raise UsageError(f"There are numbers under the label {place.stem!r} already.", "Use another label.") from error
    except OSError as error:
        raise UsageError(
            f"The numbers cannot be kept in {str(place.parent)!r}: {error.strerror}.",
            "Name another place with --store.",
        ) from error


def _show(result: Result, place: Path) -> None:
    from rich.table import Table

    from dabhand.interfaces.cli.output import console

    table = Table(box=None, pad_edge=False)
    for title in ("", "exact", "wrong", "not done", "median"):
        table.add_column(title, justify="right" if title else "left", no_wrap=True)
    for name, tried in (("bound", result.bound), ("unbound twin", result.unbound)):
        table.add_row(name, str(tried.exact), str(tried.wrong), str(tried.not_done), f"{tried.median_ms:.2f} ms")
    shown = console()
    shown.print(f"{result.count} bindings, seed {result.seed}, backend {result.backend}")
    shown.print(table)
    if result.first_not_exact:
        from dabhand.interfaces.cli.output import visible

        shown.print(f"not exact: {visible(result.first_not_exact)}")
    shown.print(f"kept as {place}", soft_wrap=True)
