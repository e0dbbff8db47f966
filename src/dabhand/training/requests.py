"""Requests for typed plans, and requests that no plan answers: a wording, what fills its slots, and what it means."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from dabhand.handoff.plan import plan_from_value
from dabhand.training.example import Example
from dabhand.training.noise import is_command, noisy
from dabhand.training.pools import POOLS, number_words, ordinal, some_number
from dabhand.training.quoting import QUOTES, quoted
from dabhand.training.wording import Side, Wording, said, wordings_of

Values = dict[str, Any]
_BARE = 0.75
"""How often a name stands in a request without quotes."""
_HERE = ("the current directory", "this folder", "the current folder", "this directory", "the working directory",
         "the folder I am in", "the present directory")  # fmt: skip
_UNITS = (
    ("KB", 1 << 10),
    ("MB", 1 << 20),
    ("GB", 1 << 30),
    ("kB", 1 << 10),
    ("megabytes", 1 << 20),
    ("kilobytes", 1 << 10),
)
_AGES = (("minutes", 60), ("hours", 3600), ("days", 86400), ("weeks", 604800))


class Filling:
    """What is in the slots of one request."""

    def __init__(self, side: Side, rng: random.Random, *, command: bool) -> None:
        self.rng = rng
        self.pool = POOLS[side]
        self.command = command
        self.values: Values = {}
        self.references: dict[str, str] = {}
        self.paths: dict[str, str] = {}

    def fill(self, slot: str) -> str:
        """What is written for a slot."""
        maker: Callable[[], str] | None = getattr(self, f"_{slot}", None)
        if maker is None:
            raise ValueError(f"there is no slot {slot!r}")
        return maker()

    # -- names ------------------------------------------------------------------------------------------------------

    def _file(self) -> str:
        return self._place("file", self._some_file())

    def _json(self) -> str:
        path = self._in_folder(self.rng.choice((*self.pool.stems, "package", "composer", "tsconfig")) + ".json")
        return self._place("json", path)

    def _folder(self) -> str:
        path = self.rng.choice(self.pool.folders)
        return self._place("folder", f"/{path}" if self.rng.random() < 0.15 else path)

    def _here(self) -> str:
        self.values["path"] = "."
        return "." if self.command else self.rng.choice(_HERE)

    def _some_file(self) -> str:
        rng = self.rng
        if rng.random() < 0.08:
            return self._in_folder(rng.choice(self.pool.awkward))
        name = rng.choice(self.pool.stems)
        if rng.random() < 0.92:
            name += rng.choice(self.pool.endings)
        return self._in_folder(name)

    def _in_folder(self, name: str) -> str:
        if self.rng.random() < 0.55:
            return name
        return f"{'/' if self.rng.random() < 0.15 else ''}{self.rng.choice(self.pool.folders)}/{name}"

    def _place(self, kind: str, path: str) -> str:
        """A file or folder: what stands for it, in the quotes that its name had in the request, or without."""
        rng = self.rng
        reference = f"file_{len(self.references) + 1}"
        self.references[reference] = kind
        self.paths[reference] = path
        self.values["path"] = reference
        if self.command or rng.random() < _BARE:
            written = reference
        else:
            opening, closing = rng.choice(QUOTES)
            written = f"{opening}{reference}{closing}"
        if not self.command and rng.random() < 0.15:
            noun = rng.choice(("folder", "directory")) if kind == "folder" else "file"
            return rng.choice((f"the {noun} {written}", f"the {written} {noun}"))
        return written

    def quoted(self, text: str, bare: float) -> str:
        """A text in quotes of some kind, or without."""
        return quoted(text, self.rng, bare=bare, command=self.command)

    # -- numbers ----------------------------------------------------------------------------------------------------

    def _n(self) -> str:
        number = self.values["n"] = some_number(self.rng)
        return number_words(number) if not self.command and self.rng.random() < 0.3 else str(number)

    def _digits(self) -> str:
        self.values["n"] = some_number(self.rng)
        return str(self.values["n"])

    def _a(self) -> str:
        number = self.values["a"] = some_number(self.rng, 900)
        return number_words(number) if self.rng.random() < 0.15 else str(number)

    def _b(self) -> str:
        number = self.values["b"] = self.values["a"] + some_number(self.rng, 99)
        return number_words(number) if self.rng.random() < 0.15 else str(number)

    def _ad(self) -> str:
        self.values["a"] = some_number(self.rng, 900)
        return str(self.values["a"])

    def _bd(self) -> str:
        self.values["b"] = self.values["a"] + some_number(self.rng, 99)
        return str(self.values["b"])

    def _ordinal(self) -> str:
        self.values["a"] = self.rng.randint(2, 40)
        return ordinal(self.values["a"], self.rng)

    def _size(self) -> str:
        number, (unit, factor) = self.rng.choice((1, 2, 5, 10, 50, 100, 200, 500)), self.rng.choice(_UNITS)
        self.values["bytes"] = number * factor
        return f"{number}{self.rng.choice(('', ' ')) if unit.isupper() else ' '}{unit}"

    def _age(self) -> str:
        number, (unit, seconds) = self.rng.choice((2, 3, 5, 7, 10, 12, 24, 30, 90)), self.rng.choice(_AGES)
        self.values["seconds"] = float(number * seconds)
        return f"{number_words(number) if self.rng.random() < 0.25 else number} {unit}"

    # -- texts ------------------------------------------------------------------------------------------------------

    def _value(self) -> str:
        value = self.rng.choice(self.pool.phrases if self.rng.random() < 0.35 else self.pool.words)
        if self.command and not all(letter.isalnum() or letter in " _-/@:=#" for letter in value):
            value = self.rng.choice([word for word in self.pool.words if word.isalnum()])
        self.values["value"] = value
        return self.quoted(value, bare=0.3)

    def _regex(self) -> str:
        value = self.values["value"] = self.rng.choice(self.pool.patterns)
        return self.quoted(value, bare=0.0)

    def _key(self) -> str:
        key = self.values["key"] = self.rng.choice(self.pool.keys)
        return self.quoted(key, bare=0.7)

    def _rawkey(self) -> str:
        key = self.values["key"] = self.rng.choice(self.pool.keys)
        return key

    def _ext(self) -> str:
        ending = self.rng.choice(self.pool.endings)
        self.values["glob"] = f"*{ending}"
        if self.command:
            return ending
        return self.rng.choice((ending, ending, f"*{ending}", f"'{ending}'", f'"{ending}"'))

    def _suffix(self) -> str:
        ending = self.rng.choice(self.pool.endings)
        self.values["glob"] = f"*{ending}"
        return self.quoted(ending, bare=0.6)

    def _glob(self) -> str:
        rng, ending = self.rng, self.rng.choice(self.pool.endings)
        stem = rng.choice([stem for stem in self.pool.stems if "." not in stem])
        glob = rng.choice((f"*{ending}", f"*{ending}", f"{stem}*", f"*{stem}*", f"{stem}*{ending}", f"*_{stem}{ending}",
                           f"{stem}.*", f"?{stem}{ending}"))  # fmt: skip
        self.values["glob"] = glob
        return glob if self.command or rng.random() < 0.6 else self.quoted(glob, bare=0)

    def _name(self) -> str:
        name = self.rng.choice(self.pool.stems) + self.rng.choice(self.pool.endings)
        self.values["glob"] = name
        return self.quoted(name, bare=0.6)

    def _word(self) -> str:
        name = self.rng.choice([stem for stem in self.pool.stems if "." not in stem])
        self.values["glob"] = name
        return self.quoted(name, bare=0.6)

    def _part(self) -> str:
        part = self.values["part"] = self.rng.choice([stem for stem in self.pool.stems if "." not in stem])
        return self.quoted(part, bare=0.3)


_ABSENT = 0.04
"""How often a request names what is not there."""

_Meaning = Callable[[Values], Values]


def _lines(operation: str, count: int | None = None) -> _Meaning:
    return lambda v: {"operation": operation, "count": count or v["n"]}


def _search(**more: object) -> _Meaning:
    """A search; a field that is named by a string starting with ':' is that value of the request."""

    def meaning(v: Values) -> Values:
        return {
            "operation": "search",
            "value": v["value"],
            **{name: v[said[1:]] if isinstance(said, str) and said[0] == ":" else said for name, said in more.items()},
        }

    return meaning


def _listed(kind: str, **more: Any) -> _Meaning:
    return lambda v: {"operation": "list_files", "kind": kind, **_named(v, more)}


def _found(kind: str, **more: Any) -> _Meaning:
    return lambda v: {"operation": "find_files", "kind": kind, "hidden": True, **_named(v, more)}


def _named(v: Values, more: Values) -> Values:
    return {name: said(v) if callable(said) else said for name, said in more.items()}


_GLOB: dict[str, Any] = {"glob": lambda v: v["glob"]}
MEANINGS: dict[str, _Meaning] = {
    "first_lines": _lines("first_lines"),
    "first_line": _lines("first_lines", 1),
    "last_lines": _lines("last_lines"),
    "last_line": _lines("last_lines", 1),
    "line_range": lambda v: {"operation": "line_range", "first": v["a"], "last": v["b"]},
    "one_line": lambda v: {"operation": "line_range", "first": v["a"], "last": v["a"]},
    "from_line": lambda v: {"operation": "line_range", "first": v["a"]},
    "whole_file": lambda v: {"operation": "whole_file"},
    "search": _search(),
    "search_any_case": _search(ignore_case=True),
    "search_pattern": _search(regex=True),
    "search_context": _search(before=":n", after=":n"),
    "search_after": _search(after=":n"),
    "search_before": _search(before=":n"),
    "search_some": _search(max_count=":n"),
    "search_below": _search(recursive=True),
    "search_below_glob": _search(recursive=True, glob=":glob"),
    "search_folder": _search(),
    "count_lines": lambda v: {"operation": "count_lines"},
    "count_matches": lambda v: {"operation": "count_matches", "value": v["value"]},
    "count_any_case": lambda v: {"operation": "count_matches", "value": v["value"], "ignore_case": True},
    "json_field": lambda v: {"operation": "json_field", "key": v["key"]},
    "list_files": _listed("files"),
    "list_here": _listed("files"),
    "list_folders": _listed("folders"),
    "folders_here": _listed("folders"),
    "list_all": _listed("all"),
    "all_hidden": _listed("all", hidden=True),
    "files_hidden": _listed("files", hidden=True),
    "list_glob": _listed("files", **_GLOB),
    "glob_here": _listed("files", **_GLOB),
    "list_named": _listed("files", value=lambda v: v["part"]),
    "find_glob": _found("files", **_GLOB),
    "find_glob_here": _found("files", **_GLOB),
    "find_named": _found("files", **_GLOB),
    "find_folders": _found("folders", **_GLOB),
    "find_all_files": _found("files"),
    "find_larger": _found("files", min_bytes=lambda v: v["bytes"] + 1),
    "find_recent": _found("files", max_age=lambda v: v["seconds"]),
    "find_old": _found("files", min_age=lambda v: v["seconds"]),
    "find_empty": _found("files", max_bytes=0),
    "find_depth": _found("files", max_depth=lambda v: v["n"], **_GLOB),
}
"""What each intent means, given what its slots hold."""


def told(wording: Wording, rng: random.Random) -> tuple[str, Filling]:
    """One request in this wording, and what is in it."""
    pieces = said(wording.text, rng)
    filling = Filling(wording.side, rng, command=is_command(pieces))
    parts = [filling.fill(one.text) if one.is_slot else one.text for one in noisy(pieces, wording.side, rng)]
    return "".join(parts), filling


def plan_requests(rng: random.Random) -> Iterator[Example]:
    """Requests for plans without end, each wording in turn; one in four has to be given back."""
    answered, declined = (
        list(wordings_of("plans")),
        [*wordings_of("declined", "plan"), *wordings_of("declined", "unnamed")],
    )
    queue: list[Wording] = []
    number = 0
    while True:
        if not queue:
            queue = [*answered, *rng.choices(declined, k=len(answered) // 3)]
            rng.shuffle(queue)
        wording = queue.pop()
        number += 1
        yield plan_request(wording, number, rng)


def plan_request(wording: Wording, number: int, rng: random.Random) -> Example:
    """One request for a plan."""
    request, filling = told(wording, rng)
    answer, why = None, ""
    if wording.family.startswith("declined/"):
        why = "not named" if wording.intent == "unnamed" else "no plan"
    else:
        answer = {"path": filling.values.get("path", "."), **MEANINGS[wording.intent](filling.values)}
        plan_from_value(answer)
    references, paths = filling.references, filling.paths
    if answer is not None and len(references) == 1 and rng.random() < _ABSENT:
        (path,) = paths.values()  # what is not there has no reference: it stays a name, which no plan can hold
        request, references, paths = request.replace("file_1", path), {}, {}
        answer, why = None, "not there"
    return Example(
        id=f"plan-{number}",
        task="plan",
        family=wording.family,
        request=request,
        references=references or {".": "folder"},
        paths=paths or {".": "."},
        answer=answer,
        why=why,
    )
