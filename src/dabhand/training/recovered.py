"""Commands of recorded sessions turned back into requests: what was really looked for, asked for in our wordings."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

from dabhand.corpus.redacting import redact
from dabhand.corpus.triple import Triple
from dabhand.handoff.plan import (
    CountLines,
    CountMatches,
    FindFiles,
    FirstLines,
    JsonField,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
    WholeFile,
    plan_from_value,
    plan_to_value,
)
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.readings import Reading
from dabhand.training.example import Example
from dabhand.training.noise import is_command, noisy
from dabhand.training.requests import MEANINGS, Filling
from dabhand.training.wording import Side, Wording, said, wordings_of

VOICES = 7
"""How many wordings each command is told in."""


def recovered_requests(triples: Iterable[Triple], seed: int) -> Iterator[tuple[str, str, Example]]:
    """Session, project folder and example for each command that is one typed plan and each of its wordings."""
    every = list(wordings_of("plans"))
    for number, triple in enumerate(triples):
        reading = read_line(triple.command)
        if not isinstance(reading, Reading) or triple.status != "ran":
            continue
        plan = reading.plan
        intent = intent_of(plan)
        if intent is None or len(repr(plan)) > 400:
            continue
        rng = random.Random(f"{seed}/{triple.id}")
        wordings = [one for one in every if one.intent == intent and one.side == "train"]
        rng.shuffle(wordings)
        for place, wording in enumerate(wordings[:VOICES]):
            example = _told(plan, wording, f"recovered-{number}-{place}", rng)
            if example is not None:
                yield triple.source.session or triple.id, triple.source.cwd or "", example


def intent_of(plan: Plan) -> str | None:
    """The intent whose wordings say all of a plan; None where none does."""
    match plan:
        case FirstLines():
            return "first_lines"
        case LastLines():
            return "last_lines"
        case LineRange(last=None):
            return "from_line"
        case LineRange(first=first, last=last):
            return "one_line" if first == last else "line_range"
        case WholeFile():
            return "whole_file"
        case CountLines():
            return "count_lines"
        case JsonField():
            return "json_field"
        case CountMatches(regex=False, recursive=False, glob=None, ignore_case=ignore):
            return "count_any_case" if ignore else "count_matches"
        case Search():
            return _search_intent(plan)
        case ListFiles(value=None, ignore_case=False):
            return _list_intent(plan)
        case FindFiles(value=None, ignore_case=False, min_bytes=None, max_bytes=None, min_age=None, max_age=None):
            if plan.max_depth is None and plan.kind == "files":
                return "find_all_files" if plan.glob is None else "find_glob"
    return None


def _search_intent(plan: Search) -> str | None:
    said = {field for field in ("ignore_case", "regex", "recursive", "glob", "before", "after", "max_count")
            if getattr(plan, field)}  # fmt: skip
    known = {
        frozenset[str](): "search",
        frozenset({"ignore_case"}): "search_any_case",
        frozenset({"regex"}): "search_pattern",
        frozenset({"recursive"}): "search_below",
        frozenset({"recursive", "glob"}): "search_below_glob",
        frozenset({"after"}): "search_after",
        frozenset({"before"}): "search_before",
        frozenset({"max_count"}): "search_some",
    }
    if said == {"before", "after"}:
        return "search_context" if plan.before == plan.after else None
    return known.get(frozenset(said))


def _list_intent(plan: ListFiles) -> str | None:
    if plan.glob is not None:
        return "list_glob" if plan.kind == "files" and not plan.hidden else None
    return {
        ("all", False): "list_all",
        ("all", True): "all_hidden",
        ("files", False): "list_files",
        ("files", True): "files_hidden",
        ("folders", False): "list_folders",
    }.get((plan.kind, plan.hidden))


class _Recovered(Filling):
    """Slots filled with what a command says; names are references, whatever they were."""

    def __init__(self, side: Side, rng: random.Random, plan: Plan, *, command: bool) -> None:
        super().__init__(side, rng, command=command)
        self._plan = plan

    def fill(self, slot: str) -> str:
        match slot:
            case "file" | "folder" | "json":
                return self._place(slot, self._plan.path)
            case "n" | "digits":
                self.values["n"] = self._said("count", "max_count", "after", "before", "max_depth")
                return str(self.values["n"])
            case "a" | "ad" | "ordinal":
                self.values["a"] = self._said("first")
                return f"{self.values['a']}th" if slot == "ordinal" else str(self.values["a"])
            case "b" | "bd":
                self.values["b"] = self._said("last")
                return str(self.values["b"])
            case "value" | "regex":
                self.values["value"] = redact(str(self._said("value")))
                return self.quoted(self.values["value"], bare=0.2)
            case "key" | "rawkey":
                self.values["key"] = self._said("key")
                return self.quoted(self.values["key"], bare=0.7)
            case "glob" | "ext" | "suffix":
                glob = self.values["glob"] = str(self._said("glob"))
                return glob[1:] if slot != "glob" and re.fullmatch(r"\*\.\w+", glob) else glob
        raise ValueError(f"there is no slot {slot!r}")

    def _said(self, *names: str) -> Any:
        """The first of these fields that the plan says."""
        return next((value for name in names if (value := getattr(self._plan, name, None))), None)


def _told(plan: Plan, wording: Wording, name: str, rng: random.Random) -> Example | None:
    pieces = said(wording.text, rng)
    filling = _Recovered("train", rng, plan, command=is_command(pieces))
    parts = [filling.fill(one.text) if one.is_slot else one.text for one in noisy(pieces, "train", rng)]
    meant = {"path": filling.values.get("path", "."), **MEANINGS[wording.intent](filling.values)}
    answer = plan_to_value(plan_from_value(meant))
    if "\n" in "".join(parts) or any(ord(letter) < 32 for letter in str(filling.values.get("value", ""))):
        return None
    return Example(
        id=name,
        task="plan",
        family=wording.family,
        source="recovered",
        request="".join(parts),
        references=filling.references,
        paths=filling.paths,
        answer={key: value for key, value in answer.items() if value not in (None, False) or key == "path"},
    )
