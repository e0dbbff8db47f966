"""Random bindings, carried out: is the target exact, and what does a twin of the request do that names it in words?"""

from __future__ import annotations

import random
import shutil
import statistics
import time
from pathlib import Path

import msgspec

from dabhand.errors import UsageError
from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.inspecting import Wish, inspect
from dabhand.handoff.packet import Packet
from dabhand.handoff.seams import Backend

_STEMS = ("build", "out", "app.log", "notes", "a b", "données", "日誌", "ünï", "x=y", "#1", "~t", "%20", "*", "[draft]")
_ODD = (
    "",
    " ",
    "  ",
    "'",
    '"',
    "`",
    "$HOME",
    "$(id)",
    ";ls",
    "&",
    "|",
    "\\",
    "{x}",
    "!",
    "?",
    "\t",
    "\u202f",
    "\udcff",
)
_ENDINGS = ("", ".log", ".txt", ".log.1", ".JSON", " ", ".")
_REQUESTS = (
    "Read the last {n} lines of {target}.",
    "Show the first {n} lines of {target}.",
    "How many lines are in {target}?",
)


class Tried(msgspec.Struct, frozen=True):
    """How requests of one sort fared.

    Attributes:
        exact: carried out on the right file, with the right lines.
        wrong: carried out on another file, or with other lines.
        not_done: abstained from, rejected or failed.
        median_ms: of all of them.
    """

    exact: int
    wrong: int
    not_done: int
    median_ms: float


class Result(msgspec.Struct, frozen=True):
    """Bound requests beside their unbound twins."""

    count: int
    seed: int
    backend: str
    bound: Tried
    unbound: Tried
    first_not_exact: str = ""


class _Case(msgspec.Struct, frozen=True):
    target: str
    lines: tuple[str, ...]
    wording: str
    n: int

    def expected(self) -> list[str]:
        if "last" in self.wording:
            return list(self.lines[-self.n :])
        if "first" in self.wording:
            return list(self.lines[: self.n])
        return [str(len(self.lines))]


def try_bindings(folder: Path, *, count: int, seed: int, backend: Backend) -> Result:
    """Carry out random requests, each bound and unbound, in alternating order.

    Args:
        folder: an empty one to work in.
        count: how many bindings.
        seed: for names, trees and requests.
        backend: what carries them out.

    Raises:
        UsageError: the folder is not empty.
    """
    if any(folder.iterdir()):
        raise UsageError(f"The folder {str(folder)!r} is not empty.", "Name an empty one.")
    rng = random.Random(seed)
    artifacts = Artifacts(folder / "artifacts")
    outcomes: dict[bool, list[tuple[bool, Packet, float]]] = {True: [], False: []}
    first = ""
    for number in range(count):
        root = folder / "root"
        case = _drawn(rng, root, number)
        for is_bound in (True, False) if number % 2 else (False, True):
            started = time.perf_counter()
            packet = inspect(root, _wish(case, is_bound, backend), artifacts)
            took = (time.perf_counter() - started) * 1000
            exact = _is_exact(case, packet)
            outcomes[is_bound].append((exact, packet, took))
            if is_bound and not exact and not first:
                why = packet.error.message if packet.error else "another result"
                first = f"binding {number}, {case.target!r}, {case.wording!r}: {packet.status}, {why}"
        shutil.rmtree(root)
    return Result(count, seed, backend, _tried(outcomes[True]), _tried(outcomes[False]), first)


def _drawn(rng: random.Random, root: Path, number: int) -> _Case:
    """A tree with the target and one that could be taken for it."""
    target = _path(rng)
    other = _near(rng, target)
    cases = []
    for each in (target, other):
        lines = tuple(f"{number} {place} {rng.random()}" for place in range(rng.randint(1, 40)))
        path = root / each.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + rng.choice(("", "\n")))
        cases.append(_Case(each, lines, rng.choice(_REQUESTS), rng.randint(1, 12)))
    return cases[0]


def _name(rng: random.Random) -> str:
    name = rng.choice(("", *_ODD)) + rng.choice(_STEMS) + rng.choice(_ODD) + rng.choice(_ENDINGS)
    return name if name.strip(".") else "dots" + name


def _path(rng: random.Random) -> str:
    return "/".join(_name(rng) for _ in range(rng.randint(1, 3)))


def _near(rng: random.Random, path: str) -> str:
    """Another path that is easily taken for this one: another case, a space more, a character doubled, or elsewhere."""
    folder, _, name = path.rpartition("/")
    start = folder + "/" if folder else ""
    near = [
        start + name + " ",
        start + name.swapcase(),
        start + name + name[-1],
        "elsewhere/" + name,
        start + " " + name,
    ]
    return rng.choice([each for each in near if each != path])


def _wish(case: _Case, is_bound: bool, backend: Backend) -> Wish:
    target = "{{target}}" if is_bound else f'"{case.target}"'
    request = case.wording.replace("{n}", str(case.n)).replace("{target}", target)
    return Wish(request=request, targets=[("target", case.target)] if is_bound else [], backend=backend)


def _is_exact(case: _Case, packet: Packet) -> bool:
    path = getattr(packet.plan, "path", None)
    return packet.status == "ok" and path == case.target and [x.text for x in packet.output.lines] == case.expected()


def _tried(outcomes: list[tuple[bool, Packet, float]]) -> Tried:
    exact = sum(exact for exact, _, _ in outcomes)
    wrong = sum(packet.status in ("ok", "no_match") and not exact for exact, packet, _ in outcomes)
    median = statistics.median([took for _, _, took in outcomes]) if outcomes else 0.0
    return Tried(exact, wrong, len(outcomes) - exact - wrong, round(median, 3))
