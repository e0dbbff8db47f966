"""Folders in which a wanted plan finds something, and something else beside it that a nearly right plan would take."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_WORDS = "route cache timer socket packet table queue worker branch commit deploy retry login token error".split()  # noqa: SIM905
_PLAIN = ("plain.txt", "other.log", "README", "main.py", "data.csv", "empty", ".hidden.txt", ".config")
_LARGEST = 1 << 33
"""Bytes of the largest file that is made; it takes no room."""


def furnish(root: Path, paths: Mapping[str, str], kinds: Mapping[str, str], wanted: Mapping[str, Any] | None) -> None:
    """Make what a request is about.

    Args:
        root: an empty folder.
        paths: where each reference is, relative.
        kinds: what each is.
        wanted: the plan that is wanted, if any.
    """
    rng = random.Random(repr(sorted(paths.items())))
    plan = dict(wanted or {})
    for reference, path in paths.items():
        place = root / path
        if kinds.get(reference) == "folder":
            _folder(place, plan, rng)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(_json(plan) if kinds.get(reference) == "json" else _text(plan, rng), "utf-8")


def relative(path: str) -> str:
    """Where a path is in the folder that is made for a case: what it names from the root of the system on, below it."""
    return os.path.normpath(path.strip().lstrip("/~") or ".")


def _text(plan: Mapping[str, Any], rng: random.Random) -> str:
    numbers = [plan[name] for name in ("count", "first", "last") if isinstance(plan.get(name), int)]
    count = min(20_000, max([40, *(number + 25 for number in numbers)]))
    lines = [f"{number} {rng.choice(_WORDS)} {rng.choice(_WORDS)}" for number in range(1, count + 1)]
    for at, line in enumerate(_holding(plan)):
        lines.insert(rng.randrange(3, len(lines)), line if at % 2 else f"{line} {rng.choice(_WORDS)}")
    return "\n".join(lines) + "\n"


def _holding(plan: Mapping[str, Any]) -> list[str]:
    """Lines that hold what is looked for, hold it in the other case, inside words, and nearly."""
    value = plan.get("value")
    if not isinstance(value, str) or not value:
        return []
    plain = re.sub(r"[\\^$.*+?()\[\]{}|]", "", value) or "x"
    other = re.sub(r"[^\w\s]", "z", value)
    forms = (value, value.upper(), value.lower(), value.swapcase(), f"x{value}x", plain, other, value[:-1], value[1:])
    return [form for form in (*forms, value, value) if form and "\n" not in form]


def _json(plan: Mapping[str, Any]) -> str:
    key = plan.get("key") if isinstance(plan.get("key"), str) else "version"
    assert isinstance(key, str)
    value = {"name": "piano", "version": "1.2.3", "scripts": {key: "inner"}, key: ["a", 1], key.swapcase(): "swapped"}
    lines = json.dumps(value, indent=2)
    return lines + "\n"


def _folder(place: Path, plan: Mapping[str, Any], rng: random.Random) -> None:
    names = [*_PLAIN, *_names(plan)]
    sizes = _around(plan, "min_bytes", "max_bytes", 1)
    ages = _around(plan, "min_age", "max_age", 4000)
    folder = place
    for depth in range(4):
        folder.mkdir(parents=True, exist_ok=True)
        for at, name in enumerate(dict.fromkeys(names)):
            _entry(folder / name, _text(plan, rng) if at % 2 else "nothing\n", sizes, ages, at)
        for at, name in enumerate(names[len(_PLAIN) :: 2]):
            (folder / "apart" / name).mkdir(parents=True, exist_ok=True)
            _aged(folder / "apart" / name, ages, at)
        for name in ("sub", ".secret"):
            (folder / name).mkdir(exist_ok=True)
            _entry(folder / name / "inner.txt", _text(plan, rng), sizes, ages, depth)
        folder /= f"deeper{depth}"


def _names(plan: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    glob, value = plan.get("glob"), plan.get("value")
    if isinstance(glob, str) and glob:
        for star in ("zz", "Q", ""):
            made = re.sub(r"\[!?(.)[^\]]*\]", r"\1", glob).replace("*", star).replace("?", "q")
            found += [made, f"no{made}", f"{made}no", made.swapcase(), f".{made}"]
    if isinstance(value, str) and value and plan.get("operation") in ("list_files", "find_files"):
        found += [value, f"a{value}b.txt", value.swapcase(), f"{value[:-1]}.txt", f".{value}"]
    return [name for name in found if name and name not in (".", "..") and "/" not in name and len(name) < 200]


def _around(plan: Mapping[str, Any], least: str, most: str, step: int) -> list[float]:
    """Values on both sides of each limit, and on it where a step apart is a difference."""
    found: list[float] = []
    for limit in (plan.get(least), plan.get(most)):
        if isinstance(limit, int | float):
            found += [max(0, limit - step), limit + step, *([limit] if step == 1 else [])]
    return found


def _entry(place: Path, text: str, sizes: list[float], ages: list[float], at: int) -> None:
    if place.is_dir():
        return
    place.write_text("" if place.name == "empty" else text, "utf-8")
    if sizes and at % 7:
        os.truncate(place, int(min(sizes[at % len(sizes)], _LARGEST)))
    _aged(place, ages, at)


def _aged(place: Path, ages: list[float], at: int) -> None:
    if ages:
        then = place.stat().st_mtime - ages[at % len(ages)]
        os.utime(place, (max(then, 86400.0), max(then, 86400.0)))
