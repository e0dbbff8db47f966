"""Telling a plan that does what was asked from one that only happens to come out right in this folder."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence

from dabhand.errors import DabhandError
from dabhand.goals import IsCopy
from dabhand.language import Const, Kind
from dabhand.language.terms import subterms
from dabhand.planning.formed import formed_text
from dabhand.planning.target import Target
from dabhand.workspace import FOLDER, File, Node, State, encode_text
from dabhand.world import Prediction

LONG = 16 << 10
"""Bytes of a file that is long to imagine things about."""

LONG_WORD = 80
"""Characters of a word that is put into lines."""
VARIANTS = 5
"""In how many other folders a plan is thought through."""
KEPT_LINES = 8
"""Lines of a file that its variants have too."""
MAX_COUNTED = 60
"""Lines that a variant has more than, at most, because the goal counts so many."""

Predict = Callable[[str, Mapping[str, str | int], State], Prediction]


def variants(target: Target, sources: tuple[str, ...]) -> tuple[Target, ...]:
    """The same goal in folders like this one, whose source files hold something else.

    Like this one: files that end their last line do so there too, and there are as many lines as the goal counts on.
    What is right there as well is right by what it does, not by what the files happen to hold. Where the goal has no
    meaning over plain lines, the files hold other numbers, another table or other JSON, as they do here.
    """
    found = []
    words, lines, numbers = _words_of(target), _lines_counted(target) + 3, _numbers_of(target)

    def plain(text: str, number: int, index: int) -> str:
        return _other_text(text, number, index, words, lines)

    def formed(text: str, number: int, index: int) -> str:
        return formed_text(text, f"{number} {index}", words, numbers) or plain(text, number, index)

    for number in range(VARIANTS):
        made = _changed(target, sources, number, plain) or _changed(target, sources, number, formed)
        if made is not None:
            found.append(made)
    if any(isinstance(one, IsCopy) for one in target.goal.conditions):
        found.append(Target(target.goal, target.before.with_changes(_other_modes(target.before, sources))))
    return tuple(found)


def _changed(
    target: Target, sources: tuple[str, ...], number: int, other: Callable[[str, int, int], str]
) -> Target | None:
    """The goal where the source files hold other texts; None where it has no meaning, which tells nothing."""
    changed = {
        path: File(encode_text(other(node.text, number, index)), node.executable)
        for index, path in enumerate(sources)
        if isinstance(node := target.before.get(path), File)
    }
    try:
        return Target(target.goal, target.before.with_changes(changed)) if changed else None
    except DabhandError:
        return None


def may_differ(target: Target, sources: tuple[str, ...]) -> bool:
    """Whether what is asked for may depend on what some file holds: then no variant at all shows nothing general."""
    return any(isinstance(target.before.get(path), File) for path in sources)


def shortened(target: Target, sources: tuple[str, ...], lines: int = 60) -> Target | None:
    """The same goal in a folder whose long source files hold only their first lines; None when none is long."""
    cut = {
        path: File(b"".join(node.data.splitlines(keepends=True)[:lines])[:LONG], node.executable)
        for path in sources
        if isinstance(node := target.before.get(path), File) and len(node.data) > LONG
    }
    if not cut:
        return None
    try:
        return Target(target.goal, target.before.with_changes(cut))
    except DabhandError:
        return None  # the goal has no meaning there


def surroundings(before: State) -> tuple[State, ...]:
    """The same folder beside which, or in which, other things lie that have nothing to do with it."""
    taken = {*before}
    name = next(name for name in map("other-{}".format, itertools.count(1)) if not {name, f"{name}.txt"} & taken)
    file = File(b"one\ntwo\n")
    return (
        before.with_changes({name: file}),
        before.with_changes({name: FOLDER}),
        before.with_changes({name: FOLDER, f"{name}/inside": file}),
        before.with_changes({name: FOLDER, f"{name}/deep": FOLDER, f"{name}/deep/run": File(b"", executable=True)}),
        before.with_changes({name: File(b""), f"{name}.txt": file}),
    )


def generality(
    steps: Sequence[tuple[str, Mapping[str, str | int]]], folders: tuple[Target, ...], predict: Predict
) -> int:
    """How much of the goal the same steps are expected to reach in these folders, the less the better."""
    return sum(_missed(steps, target, predict) for target in folders)


def _missed(steps: Sequence[tuple[str, Mapping[str, str | int]]], target: Target, predict: Predict) -> int:
    """At how many paths the steps leave something else than what is wanted; the answer counts as one."""
    state, answered = target.before, target.answer is None
    for command, slots in steps:
        expected = predict(command, slots, state)
        if not expected.known or expected.state is None:
            break
        state = expected.state
        answered = answered or target.answers(expected.stdout)
    return len(target.wrong(state)) + (not answered)


def _other_modes(before: State, sources: tuple[str, ...]) -> dict[str, Node | None]:
    """Sources that are executable where they are not, and the other way round: an entry is more than its text."""
    return {
        path: File(node.data, not node.executable)
        for source in sources
        for path in (source, *before.below(source))
        if isinstance(node := before.get(path), File)
    }


def _words_of(target: Target) -> tuple[str, ...]:
    """Words that the goal's terms have in them, of a length that lines have."""
    found: dict[str, None] = {}
    for term in target.goal.terms:
        for part in subterms(term):
            if isinstance(part, Const) and part.kind in (Kind.WORD, Kind.TEXT):
                found |= dict.fromkeys(str(part.value).split("\n")[:KEPT_LINES])
    return tuple(word for word in found if 0 < len(word) <= LONG_WORD)


def _lines_counted(target: Target) -> int:
    """The largest number of lines that the goal's terms can be about."""
    return min(max(map(abs, _numbers_of(target)), default=0), MAX_COUNTED)


def _numbers_of(target: Target) -> tuple[int, ...]:
    """Whole numbers that the goal's terms have in them."""
    return tuple([
        part.value
        for term in target.goal.terms
        for part in subterms(term)
        if isinstance(part, Const) and part.kind is Kind.NUMBER and isinstance(part.value, int)
    ])  # fmt: skip


def _other_text(text: str, number: int, index: int, words: tuple[str, ...], least: int) -> str:
    """A text of its own for each file and variant: some of its lines, others, words of the goal among and inside them.

    Args:
        text: what the file holds.
        number: of the variant.
        index: of the file.
        words: that the goal speaks of.
        least: how many lines there are at least.
    """
    own = [line for line in text.split("\n") if line.strip()][:KEPT_LINES]
    turned = own[number % max(1, len(own)) :] + own[: number % max(1, len(own))]
    some = _lines_with(words, index)
    base = [f"Zebra {index}", "fig", "fig", "10 pears", "9", *turned, f"kiwi {number}", "Apple pie  x", "fig", "2 b"]
    lines = [
        *base[number * 3 :],
        *some[number % 2 :: 2],
        *reversed(turned),
        *some[1 - number % 2 :: 2],
        *base[: number * 3],
    ]
    if number == 3:  # every line twice and more, near its like and far from it, at both ends of any order
        few = ["b", f"a {index}", "10", "B", "9", *turned[:2], *some[:6], "~"]
        lines = [line for line in few for _ in range(2)] + few + few[-1:]
    if number == 4:  # capitals where an order that minds them begins, small letters where one begins that does not
        lines = ["cat", f"Yak {index}", "Zoo", "bee", "Wolf", "ant", *some[:6], "dog", "Vole"]
    while len(lines) < least:
        lines += [f"line {len(lines)} of {index}", "fig"]
    if number == 1:
        lines.reverse()
        # Falling at both ends, so that what is taken from there is in no order already.
        lines = [f"zeta {index}", "mid", "M", "10 b", *lines, "yarn", "kiwi", "Kiwi", f"0 {index}"]
    return "\n".join(lines) + ("\n" if text.endswith("\n") or not text else "")


def _lines_with(words: tuple[str, ...], index: int) -> list[str]:
    """Lines that have words of the goal in them: alone, inside others, twice, and only nearly."""
    return [
        *(f"{word}{tail}" for word in words for tail in ("", f" {index}", "s and more")),
        *(f"a {word} {word} b" for word in words),
        *(re.sub(r"[^\w\s]", "x", word) + "?" for word in words),
        *(word.swapcase() for word in words),
    ]
