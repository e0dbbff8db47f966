"""What a request says that a plan may be made of, and whether a plan that a model made says that and nothing else.

This cannot tell whether the model understood. It bounds what a misunderstanding can come to: no number, no text and no
name of the model's own; none of the request's left out; nothing switched on or off that no word speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.tokens import Token, tokens_of
from dabhand.handoff.plan import Plan, operation_of
from dabhand.handoff.words.terminals import Look, Request
from dabhand.models.grammars import Said

_SPAN = 16
"""Words of a text without quotes, at most."""

_SINGLE = frozenset("line row entry record match result hit item occurrence name".split())  # noqa: SIM905
_ENDS = frozenset("first last top final bottom a one single header heading".split())  # noqa: SIM905

_MARKS: dict[tuple[str, object], str] = {
    ("ignore_case", True): r"case|capital|letters?\b|upper|lower|insensitiv|-i\b",
    ("regex", True): r"regex|regular|pattern|expression",
    ("recursive", True): r"recurs|below|under|beneath|tree|sub|depth|whole|throughout|nested|everywhere|within|inside|"
    r"anywhere|all files|every file|project|repo|code ?base|across|-r\b|deep",
    ("hidden", False): r"hidden|dot|visible|invisible",
    ("hidden", True): r"hidden|dot|\ball\b|everything|-a\b",
    ("kind", "folders"): r"folder|director|\bdirs?\b",
    ("kind", "files"): r"file|\.\w",
    ("kind", "all"): r"\ball\b|everything|anything|entries|entry|item|content|what|both|name|folder|director|\bls\b|"
    r"list|path",
}
"""What has to be said for a field to be set to other than its default."""

_COUNTS = re.compile(r"\bcount|\bhow (many|often|long|big)\b|\bnumber of\b|\btotal\b|\btally|\bwc\b")
_COUNTING = frozenset(["count", "counts", "many"])
_DIRECTIONS = {
    "min_age": (r"older|ago|before|longer|more|over|least|not |n't|since|exceed", r"newer|younger"),
    "max_age": (r"newer|younger|last|past|within|less|recent|most|since|during|in the|today|ago", r"older"),
    "min_bytes": (
        r"larger|bigger|greater|more|over|above|least|exceed|empty|heavier|beyond|from|exactly|of size",
        r"$^",
    ),
    "max_bytes": (r"smaller|less|under|below|most|empty|up to|fewer|within|lighter|exactly|of size|zero|0", r"$^"),
}
"""What has to be said, and must not be said alone, for a limit to be on its side."""

_REGEX = re.compile(r"\bregex|\bregular expression")
_AROUND = re.compile(r"before|after|around|context|surround|follow|preced|either side|-[ABC]\b|above|below|neighbou?r")
_NEGATIONS = frozenset(
    """
    not no non never without except excluding excludes exclude ignoring ignore skip skipping unless but besides neither
    nor don't doesn't isn't aren't cannot other instead apart lacking missing if than
    """.split()  # noqa: SIM905
)
_EXPLAINED: dict[str, Callable[[Plan], bool]] = {
    r"case|capital|upper|lower|letters": lambda plan: bool(getattr(plan, "ignore_case", False)),
    r"recurs|sub|descend|deep|nested|enter|level|into": lambda plan: (
        operation_of(plan) == "list_files" or getattr(plan, "max_depth", None) is not None
    ),
    r"hidden|dot": lambda plan: getattr(plan, "hidden", None) is False,
    r"more|less|larger|smaller|bigger|greater|older|newer|longer|later|earlier|fewer|at|most|least": lambda plan: any(
        getattr(plan, name, None) is not None for name in ("min_bytes", "max_bytes", "min_age", "max_age")
    ),
}
"""What a negation may be about, and when a plan has taken it in."""


class Heard:
    """A request, taken apart for a model.

    Args:
        request: with references where targets are bound.
        references: what each is.

    Raises:
        NotUnderstood: it cannot be taken apart (a quote that is not closed).
    """

    def __init__(self, request: str, references: Mapping[str, str]) -> None:
        self.request = request
        self.references = references
        self.tokens = tokens_of(request)
        self._reader = Request(self.tokens, request, references, None)

    @property
    def said(self) -> Said:
        """What answers are made of."""
        pieces = tuple(self._pieces())
        return Said(pieces, tuple(dict.fromkeys(self.numbers())), tuple(dict.fromkeys(self.values("ENDING", "GLOB"))))

    def _pieces(self) -> Iterator[tuple[str, str | None]]:
        for token, after in zip(self.tokens, [*self.tokens[1:], None], strict=False):
            if token.text in self.references:
                continue
            joins = (
                after is not None
                and token.kind != "quoted"
                and after.kind != "quoted"
                and after.text not in self.references
                and "\n" not in self.request[token.end : after.start]
            )
            yield token.text, self.request[token.end : after.start] if joins and after is not None else None

    def numbers(self) -> Iterator[int]:
        """The numbers that it says, in digits or words."""
        for token in self.tokens:
            if token.kind in ("word", "path") and token.text not in self.references:
                yield from (int(digits) for digits in re.findall(r"\d{1,15}", token.text.replace(",", "")))
        yield from self.values("NUMBER", "ORDINAL")
        for pair in self.values("RANGE"):
            yield from pair
        if self._says_one():
            yield 1

    def _says_one(self) -> bool:
        """Whether a single line is spoken of."""
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        return any(token.lower in _ENDS and after.lower in _SINGLE for token, after in pairs)

    def values(self, *terminals: str) -> list[Any]:
        """What terminals of the grammar read, wherever they read something."""
        found = []
        for at, token in enumerate(self.tokens):
            if token.text not in self.references:
                found += [value for name in terminals for value, _ in self._reader.read(name, at)]
        return found

    def require(self, plan: Plan) -> None:
        """Make sure that a plan says what the request says.

        Args:
            plan: whose path is a reference.

        Raises:
            NotUnderstood: it says something that the request does not, or leaves out what it says.
        """
        if plan.path not in self.references:
            raise NotUnderstood(f"The plan is about {plan.path!r}, which the request does not name.")
        used = _Used(self)
        for field in msgspec.structs.fields(plan):
            value = getattr(plan, field.name)
            if field.name != "path" and value != field.default:
                used.field(field.name, value)
        self._require_kind(plan)
        self._require_nothing_denied(plan)
        used.require_all()

    def _require_kind(self, plan: Plan) -> None:
        text = self.request.lower()
        counts = operation_of(plan) in ("count_lines", "count_matches")
        if counts and not _COUNTS.search(text):
            raise NotUnderstood("The request does not say that anything is to be counted.")
        if not counts and any(token.lower in _COUNTING for token in self.tokens):
            raise NotUnderstood("The request says that something is to be counted.")
        if getattr(plan, "kind", "") == "folders" and any(token.lower in ("file", "files") for token in self.tokens):
            raise NotUnderstood("The request speaks of files too.")
        for name, (needed, other) in _DIRECTIONS.items():
            if getattr(plan, name, None) is not None and (
                not re.search(needed, text) or self._is_turned(plan, name, other)
            ):
                raise NotUnderstood(f"The request does not say {name} of anything.")
        if _REGEX.search(text) and not getattr(plan, "regex", True):
            raise NotUnderstood("The request speaks of a regular expression.")
        if (getattr(plan, "before", 0) or getattr(plan, "after", 0)) and not _AROUND.search(text):
            raise NotUnderstood("The request does not ask for what is around.")

    def _is_turned(self, plan: Plan, name: str, other: str) -> bool:
        """Whether the request speaks of the other side of a limit, which the plan does not limit."""
        opposite = name.replace("max", "min") if name.startswith("max") else name.replace("min", "max")
        return getattr(plan, opposite, None) is None and re.search(other, self.request.lower()) is not None

    def _require_nothing_denied(self, plan: Plan) -> None:
        """No word that turns a meaning round, or that makes it depend on something, unless the plan has taken it in."""
        for at, token in enumerate(self.tokens):
            if token.lower not in _NEGATIONS:
                continue
            near = " ".join(each.text.lower() for each in self.tokens[max(0, at - 2) : at + 6])
            if not any(re.search(about, near) and taken(plan) for about, taken in _EXPLAINED.items()):
                raise NotUnderstood(f"The request says {token.text!r}, which the plan does not take in.")


class _Used:
    """What of a request a plan uses."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._texts: list[str] = []
        self._numbers: set[int] = set()
        self._sized = False

    def field(self, name: str, value: object) -> None:
        """Take in a field.

        Raises:
            NotUnderstood: the request does not say its value.
        """
        heard = self._heard
        match name, value:
            case (("min_bytes" | "max_bytes"), int(size)):
                self._size(name, size)
            case (("min_age" | "max_age"), (int() | float())):
                self._sized = True
                if value not in heard.values("DURATION"):
                    raise NotUnderstood(f"The request does not say {value!r} seconds.")
            case _, bool() | "files" | "folders" | "all":
                marks = _MARKS.get((name, value))
                if marks is not None and not re.search(marks, heard.request.lower()):
                    raise NotUnderstood(f"The request does not say {name} {value!r}.")
            case _, int(number):
                self._number(name, number)
            case "glob", str(glob):
                self._glob(glob)
            case _, str(text):
                self._text(text)

    def _size(self, name: str, size: int) -> None:
        self._sized = True
        sizes = set(self._heard.values("SIZE"))
        beyond = {each + 1 for each in sizes} if name == "min_bytes" else {each - 1 for each in sizes}
        if size == 0 and re.search(r"empty|zero|\b0\b", self._heard.request.lower()):
            return
        if size not in sizes | beyond and not (name == "min_bytes" and size == 1 and "empty" in self._heard.request):
            raise NotUnderstood(f"The request does not say {size} bytes.")

    def _number(self, name: str, number: int) -> None:
        said = set(self._heard.numbers())
        shallow = r"level|recurs|direct|immediate|sub|only|top"
        if number in said:
            self._numbers.add(number)
        elif not (name == "max_depth" and number == 1 and re.search(shallow, self._heard.request.lower())):
            raise NotUnderstood(f"The request has no number {number}.")

    def _glob(self, glob: str) -> None:
        heard = self._heard
        if glob in heard.values("ENDING", "GLOB"):
            self._texts.append(glob)
            return
        bare = glob.strip("*").removeprefix(".")
        if not bare or not (self._is_said(bare) or self._is_said(f".{bare}")):
            raise NotUnderstood(f"The request does not say {glob!r}.")
        self._texts.append(bare)

    def _text(self, text: str) -> None:
        if not self._is_said(text):
            raise NotUnderstood(f"The request does not say {text!r}.")
        self._texts.append(text)

    def _is_said(self, text: str) -> bool:
        """Whether a text is one piece of the request, or several in a row."""
        tokens, request = self._heard.tokens, self._heard.request
        if any(token.text == text for token in tokens):
            return True
        ends = {token.end for token in tokens if token.kind != "quoted"}
        return any(
            request.startswith(text, token.start) and token.start + len(text) in ends
            for token in tokens
            if token.kind != "quoted"
        )

    def require_all(self) -> None:
        """Make sure that nothing that the request names was left out.

        Raises:
            NotUnderstood: something was.
        """
        heard = self._heard
        for token in heard.tokens:
            if token.text in heard.references or token.kind == "mark":
                continue
            if token.kind in ("quoted", "path") and not self._uses(token):
                raise NotUnderstood(f"The plan says nothing of {token.text!r}, which the request names.")
            number = token.number if token.number is not None and token.text[0].isdigit() else None
            if number is not None and not (self._sized or number in self._numbers or self._uses(token)):
                raise NotUnderstood(f"The plan says nothing of {token.text!r}, which the request names.")

    def _uses(self, token: Token) -> bool:
        text = token.text
        if any(text == used or text in used or used == text.lstrip(".*").rstrip("*") for used in self._texts):
            return True
        digits = [int(each) for each in re.findall(r"\d{1,15}", text)]
        return token.kind == "path" and bool(digits) and (self._sized or set(digits) <= self._numbers)


Places = dict[str, tuple[str, str]]
"""What references stand for: a path, and what is there."""


def named_places(request: str, references: Mapping[str, str], look: Look | None) -> tuple[str, Places]:
    """A request in which paths that are there are references, and what each stands for: a path and a kind.

    Args:
        request: with references where targets are bound.
        references: those that are bound.
        look: what is at a path.
    """
    places: Places = {}
    if look is None:
        return request, places
    made, at = "", 0
    for token in tokens_of(request):
        kind = "" if token.text in references or token.kind == "mark" else look(token.text)
        if kind not in ("file", "folder") or (token.kind == "word" and len(token.text) < 2):
            continue
        known = next((name for name, (path, _) in places.items() if path == token.text), None)
        name = known or _fresh(request, {*references, *places})
        is_json = kind == "file" and token.text.casefold().endswith(".json")
        places[name] = (token.text, "json" if is_json else kind)
        made += request[at : token.start] + name
        at = token.end
    return made + request[at:], places


def _fresh(request: str, taken: set[str]) -> str:
    number = 1
    while f"file_{number}" in taken or f"file_{number}" in request:
        number += 1
    return f"file_{number}"
