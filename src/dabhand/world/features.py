"""Features of a context: what is true of the slots of one filling in one folder.

What an outcome depends on is learned as a small set of these. None of them mentions a command: they say what a path
points at, how two paths relate, what a text or a word is like, and whether a word occurs in a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import msgspec

from dabhand.commands import Slot
from dabhand.language import PRIMITIVES, EvalError
from dabhand.workspace import File, Folder, Link, State
from dabhand.world.places import At, Filling, Inside, Place, Spot, last_name, locate, standing
from dabhand.world.text_facts import text_facts


class Situation:
    """One filling in one folder, with what several features need computed once."""

    def __init__(self, filling: Filling, state: State, places: Sequence[Place]) -> None:
        self.filling = filling
        self.state = state
        self.spots: dict[Place, Spot] = {place: locate(place, filling, state) for place in places}

    @property
    def words(self) -> list[str]:
        """The values of the slots that are no paths and no numbers."""
        return [v for k, v in self.filling.items() if isinstance(v, str) and At(k) not in self.spots]

    def file(self, place: Place) -> File | None:
        """The file that the place leads to, if it does."""
        target = self.spots[place].target
        return target if isinstance(target, File) else None

    def text(self, place: Place) -> str:
        """The text of the file at the place; a missing file reads as nothing."""
        file = self.file(place)
        return file.text if file else ""

    def has_children(self, place: Place) -> bool:
        """Whether the folder at the place holds anything."""
        real = self.spots[place].real
        return real is not None and isinstance(self.spots[place].target, Folder) and bool(self.state.below(real))

    @cached_property
    def standings(self) -> tuple[str, ...]:
        """The word for each place, in order."""
        return tuple(self._standing(place, found) for place, found in self.spots.items())

    def _standing(self, place: Place, found: Spot) -> str:
        word = standing(found)
        return "empty folder" if word == "folder" and not self.has_children(place) else word


class Feature(msgspec.Struct, frozen=True):
    """One yes/no question about a situation.

    Attributes:
        key: stable name, such as "B is a folder".
        negated: how its opposite reads.
        cost: how surprising it would be for an outcome to depend on it; 0 is most natural.
        test: the question.
        structural: whether it is about what paths point at (and not about texts or words).
        occurrence: whether it is about a word occurring in the file that the first path names.
        textual: whether it is about what a text or a word is like.
    """

    key: str
    negated: str
    cost: float
    test: Callable[[Situation], bool]
    structural: bool = False
    occurrence: bool = False
    textual: bool = False

    @property
    def relates(self) -> bool:
        """Whether it is about how two paths have to do with each other."""
        return self.structural and (" and " in self.key or " inside " in self.key)


PLAINEST = 0.1
"""Cost of the plainest questions; that of whether something is there once what is written to was made is less."""


def features_of(slots: Sequence[Slot], places: Sequence[Place]) -> list[Feature]:
    """All questions about these slots and places, in a fixed order."""
    found: list[Feature] = []
    paths = [place for place in places if isinstance(place, At)]
    for place in places:
        found += _place_features(place)
    for index, first in enumerate(paths):
        for second in paths[index + 1 :]:
            found += _pair_features(first, second)
    for inside in (place for place in places if isinstance(place, Inside)):
        found.append(_same(inside, At(inside.named), 0.3))
    words = [slot.name for slot in slots if slot.kind == "word"]
    for word in words:
        found += _word_features(word)
        for path in paths:
            found += _occurrence_features(word, path, first=path is paths[0])
    for slot in slots:
        if slot.kind == "number":
            found += _number_features(slot.name, paths)
    return found


def _place_features(place: Place) -> list[Feature]:
    name = place.slot if isinstance(place, At) else _named(place)
    extra = 0.0 if isinstance(place, At) else 0.3

    def feature(
        key: str,
        negated: str,
        cost: float,
        test: Callable[[Situation], bool],
        structural: bool = True,
        textual: bool = False,
    ) -> Feature:
        return Feature(f"{name} {key}", f"{name} {negated}", cost + extra, test, structural, False, textual)

    found = [
        feature("exists", "does not exist", PLAINEST, lambda s: s.spots[place].target is not None),
        feature("is there", "is not there", 0.15, lambda s: s.spots[place].node is not None),
        feature("is a folder", "is no folder", PLAINEST, lambda s: isinstance(s.spots[place].target, Folder)),
        feature("is a file", "is no file", PLAINEST, lambda s: isinstance(s.spots[place].target, File)),
        feature("is a link", "is no link", 0.4, lambda s: isinstance(s.spots[place].node, Link)),
        feature("is a link to nothing", "is no dangling link", 0.6,
                lambda s: isinstance(s.spots[place].node, Link) and s.spots[place].target is None),
        feature("holds something", "holds nothing", 0.3, lambda s: s.has_children(place)),
    ]  # fmt: skip
    if isinstance(place, At):
        found += [
            feature("has a parent folder", "has no parent folder", PLAINEST,
                    lambda s: s.spots[place].parent == "folder" and s.spots[place].entry is not None),
            feature("is below a file", "is not below a file", 0.2, lambda s: s.spots[place].parent == "file"),
            feature("leads to a place that can be made", "leads nowhere", 0.5, lambda s: s.spots[place].real is not None
                    and s.spots[place].real_parent == "folder" and s.spots[place].parent == "folder"),
            feature("is written with a / at its end", "is written without a / at its end", 0.8,
                    lambda s: str(s.filling[place.slot]).endswith("/"), False),
            feature("has no last name", "has a last name", 1.0,
                    lambda s: last_name(str(s.filling[place.slot])) is None, False),
            feature("starts with a dot", "does not start with a dot", 1.2,
                    lambda s: (last_name(str(s.filling[place.slot])) or "").startswith("."), False),
            feature("starts with a dash", "does not start with a dash", 1.2,
                    lambda s: str(s.filling[place.slot]).startswith("-"), False),
            feature("has a line break in its name", "has no line break in its name", 1.5,
                    lambda s: "\n" in str(s.filling[place.slot]), False),
        ]  # fmt: skip
    found += [
        feature("is executable", "is not executable", 0.8,
                lambda s: (f := s.file(place)) is not None and f.executable, False),
        *(feature(key, negated, cost, _fact(place, fact), False, True) for key, negated, cost, fact in _FACTS),
    ]  # fmt: skip
    return found


_FACTS = (
    ("is an empty file", "is no empty file", 0.7, "empty"),
    ("ends without a line break", "ends with a line break", 1.2, "unfinished"),
    ("has carriage returns", "has no carriage returns", 1.5, "carriage"),
    ("is not UTF-8", "is UTF-8", 1.2, "binary"),
    ("has blank lines", "has no blank lines", 1.5, "blank"),
    ("has tabs", "has no tabs", 1.6, "tab"),
    ("has lines that begin with a blank", "has no line that begins with a blank", 1.6, "lead"),
    ("has two blanks in a row", "has no two blanks in a row", 1.7, "double"),
    ("has lines that end with a blank", "has no line that ends with a blank", 1.7, "trail"),
    ("has equal lines next to each other", "has no equal lines next to each other", 1.6, "repeated"),
    ("has equal lines apart from each other", "has no equal lines apart from each other", 1.6, "apart"),
    ("has capitals", "has no capitals", 1.7, "capital"),
    ("has digits", "has no digits", 1.7, "digit"),
    ("has one line", "has not one line", 1.7, "single"),
    ("is one unfinished line", "is not one unfinished line", 1.8, "stub"),
    ("has NUL bytes", "has no NUL bytes", 1.2, "nul"),
    ("has letters beyond ASCII", "has only ASCII", 1.5, "foreign"),
)

TEXT_QUESTIONS = tuple((said, fact) for said, _, _, fact in _FACTS)
"""The questions about a text, in words, each with its fact."""


def strange_keys(slot: str) -> tuple[str, str]:
    """The questions whether a text is none at all."""
    return f"{slot} is not UTF-8", f"{slot} has NUL bytes"


def _fact(place: Place, fact: str) -> Callable[[Situation], bool]:
    def test(situation: Situation) -> bool:
        file = situation.file(place)
        return file is not None and bool(getattr(text_facts(file.data), fact))

    return test


def _named(place: Place) -> str:
    match place:
        case Inside(slot, named):
            return f"{slot}/name of {named}"
        case _:
            return str(getattr(place, "slot", "")) + str(getattr(place, "ending", getattr(place, "path", "")))


def _same(first: Place, second: Place, cost: float) -> Feature:
    one, two = (
        _named(first) if not isinstance(first, At) else first.slot,
        _named(second) if not isinstance(second, At) else second.slot,
    )

    def test(s: Situation) -> bool:
        left, right = s.spots[first], s.spots[second]
        return left.entry is not None and left.entry == right.entry

    return Feature(f"{one} and {two} are the same path", f"{one} and {two} are different paths", cost, test, True)


def _pair_features(first: At, second: At) -> list[Feature]:
    one, two = first.slot, second.slot

    def same_real(s: Situation) -> bool:
        left, right = s.spots[first], s.spots[second]
        return left.real is not None and left.real == right.real

    return [
        _same(first, second, PLAINEST),
        Feature(f"{one} and {two} lead to the same file", f"{one} and {two} lead to different files", 0.1,
                same_real, True),
        Feature(f"{one} is inside {two}", f"{one} is not inside {two}", 0.2,
                lambda s: is_inside(s, first, second), True),
        Feature(f"{two} is inside {one}", f"{two} is not inside {one}", 0.2,
                lambda s: is_inside(s, second, first), True),
        _once(first, second),
        _once(second, first),
        Feature(f"{one} and {two} hold the same text", f"{one} and {two} hold different texts", 1.0,
                lambda s: s.text(first) == s.text(second), False),
    ]  # fmt: skip


def _once(read: At, made: At) -> Feature:
    """Whether a file is there to be read once another place has been made one, as what a shell writes to is."""

    def test(s: Situation) -> bool:
        one, two = s.spots[read], s.spots[made]
        if isinstance(one.target, File):
            return True
        can_be = two.target is None and two.parent == "folder" and two.real_parent == "folder"
        return can_be and two.real is not None and one.real == two.real

    one, two = read.slot, made.slot
    return Feature(f"{one} is a file once {two} is", f"{one} is no file even once {two} is", 0.0, test, True)


def is_inside(s: Situation, inner: Place, outer: Place) -> bool:
    """Whether the entry of `inner` lies strictly below the folder at `outer`."""
    entry, real = s.spots[inner].entry, s.spots[outer].real
    return entry is not None and real is not None and entry != real and (not real or entry.startswith(real + "/"))


SPECIAL = frozenset(".*[]^$\\/&+?(){}|%")
"""Characters that have a meaning to some program or other."""


def _word_features(word: str) -> list[Feature]:
    def value(s: Situation) -> str:
        return str(s.filling[word])

    questions: list[tuple[str, str, float, Callable[[str], bool]]] = [
        ("is empty", "is not empty", 0.8, lambda w: w == ""),
        ("starts with a dash", "does not start with a dash", 0.3, lambda w: w.startswith("-")),
        ("is a negative number", "is no negative number", 0.6, lambda w: w[:1] == "-" and w[1:2].isdigit()),
        ("is a lone dash", "is no lone dash", 0.9, lambda w: w == "-"),
        ("starts with two dashes", "does not start with two dashes", 0.9, lambda w: w.startswith("--")),
        ("contains a /", "contains no /", 0.6, lambda w: "/" in w),
        ("contains a backslash", "contains no backslash", 0.7, lambda w: "\\" in w),
        ("contains an &", "contains no &", 0.8, lambda w: "&" in w),
        ("has characters with a meaning", "has only plain characters", 0.9, lambda w: not SPECIAL.isdisjoint(w)),
        ("is no regular expression", "is a regular expression", 0.5, lambda w: not is_basic(w)),
        ("contains blanks", "contains no blanks", 1.2, lambda w: any(c.isspace() for c in w)),
        ("has letters beyond ASCII", "has only ASCII", 1.5, lambda w: not w.isascii()),
        ("is a number", "is no number", 1.3, lambda w: w.isdigit()),
        ("is one character", "is not one character", 1.4, lambda w: len(w) == 1),
    ]
    return [
        Feature(f"{word} {key}", f"{word} {negated}", cost, lambda s, test=test: test(value(s)))  # type: ignore[misc]
        for key, negated, cost, test in questions
    ]


@lru_cache(maxsize=4096)
def is_basic(pattern: str) -> bool:
    """Whether the word is a well-formed basic regular expression."""
    return _lines_matching(pattern, "") is not None


@lru_cache(maxsize=8192)
def _lines_matching(word: str, text: str) -> tuple[int, int] | None:
    """How many lines of the text the word matches as a basic regular expression, of how many; None when it is none."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    matching = PRIMITIVES["matching"].meaning
    try:
        pattern = PRIMITIVES["basic"].meaning(word)
        matching(pattern, ("",))
        return len(matching(pattern, tuple(lines))), len(lines)
    except EvalError:
        return None


def _occurrence_features(word: str, path: At, *, first: bool) -> list[Feature]:
    def matching(s: Situation) -> tuple[int, int]:
        return _lines_matching(str(s.filling[word]), s.text(path)) or (0, -1)

    def literally(s: Situation) -> bool:
        return str(s.filling[word]) in s.text(path)

    def every(s: Situation) -> bool:
        return matching(s)[0] == matching(s)[1]

    def cased(s: Situation) -> bool:
        return str(s.filling[word]).casefold() in s.text(path).casefold().replace(str(s.filling[word]), "")

    a = path.slot
    return [
        Feature(
            f"{word} matches in {a}", f"{word} matches no line of {a}", 0.5, lambda s: matching(s)[0] > 0, False, first
        ),
        Feature(f"{word} matches every line of {a}", f"some line of {a} does not match {word}", 0.7, every),
        Feature(f"{word} matches more of {a} in another case", f"case does not matter to {word} in {a}", 0.9, cased),
        Feature(f"{word} occurs in {a}", f"{word} does not occur in {a}", 0.6, literally, False, first),
    ]


def _number_features(number: str, paths: Sequence[At]) -> list[Feature]:
    def value(s: Situation) -> int:
        return int(s.filling[number])

    found = [
        Feature(f"{number} is 0", f"{number} is not 0", 0.6, lambda s: value(s) == 0),
        Feature(f"{number} is negative", f"{number} is not negative", 0.6, lambda s: value(s) < 0),
    ]
    for path in paths:
        found += _counting_features(number, path.slot, lambda s, path=path: s.text(path), value)  # type: ignore[misc]
    return found


def _counting_features(
    number: str, slot: str, text: Callable[[Situation], str], value: Callable[[Situation], int]
) -> list[Feature]:
    """How a number compares with the number of lines in a file."""

    def lines(s: Situation) -> int:
        return text(s).count("\n") + (text(s)[-1:] not in ("", "\n"))

    def last(s: Situation) -> bool:
        return lines(s) == value(s)

    def unfinished(s: Situation) -> bool:
        return last(s) and not text(s).endswith("\n")

    return [
        Feature(f"{slot} has more than {number} lines", f"{slot} has at most {number} lines", 1.0,
                lambda s: text(s).count("\n") > value(s)),
        Feature(f"{slot} has exactly {number} lines", f"{slot} has not exactly {number} lines", 1.6, last,
                textual=True),
        Feature(f"line {number} of {slot} is its last and unfinished", f"line {number} of {slot} is not unfinished",
                1.7, unfinished, textual=True),
    ]  # fmt: skip
