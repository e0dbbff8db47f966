"""Requests for goals: a wording, the names and texts in its slots, and the conditions that it means."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from dabhand.goals.goal import condition_from_json
from dabhand.training.example import Example
from dabhand.training.noise import is_command, noisy
from dabhand.training.pools import POOLS, number_words, ordinal
from dabhand.training.quoting import quoted
from dabhand.training.wording import Side, Wording, said, wordings_of

Values = dict[str, Any]
Conditions = list[dict[str, Any]]
_TEXTS = (".txt", ".md", ".log", ".csv", ".lst", ".text", ".conf", ".py", ".cfg", "")


class Names:
    """What is in the slots of one request."""

    def __init__(self, side: Side, rng: random.Random, *, command: bool) -> None:
        self.rng = rng
        self.pool = POOLS[side]
        self.command = command
        self.values: Values = {}
        self.things: dict[str, str] = {}

    def fill(self, slot: str) -> str:
        """What is written for a slot."""
        match slot:
            case "a" | "c":
                return self._name(slot, self._file_name(_TEXTS), "file")
            case "csv":
                return self._name("a", self._file_name((".csv",)), "file")
            case "s":
                return self._name(slot, self._file_name((".sh", ".py", ".pl", "")), "file")
            case "b":
                folder = f"{self.rng.choice(self.pool.folders)}/" if self.rng.random() < 0.08 else ""
                return self._name(slot, folder + self._file_name(_TEXTS), "missing")
            case "f":
                return self._name(slot, self.rng.choice(self.pool.folders), "folder")
            case "d" | "e":
                return self._name(slot, self._new_folder(), "missing")
            case "w" | "v":
                return self._text(slot)
            case "wr" | "vr":
                self.values[slot[0]] = self.rng.choice([word for word in self.pool.words if word.isalnum()])
                return str(self.values[slot[0]])
            case "n" | "m" | "ordinal":
                return self._number(slot)
        raise ValueError(f"there is no slot {slot!r}")

    def _file_name(self, endings: tuple[str, ...]) -> str:
        rng = self.rng
        plain = [name for name in self.pool.awkward if name.endswith(endings)]
        if plain and rng.random() < 0.06:
            return rng.choice(plain)
        name = rng.choice(self.pool.stems) + rng.choice(endings)
        return f"{rng.choice(self.pool.folders)}/{name}" if rng.random() < 0.12 else name

    def _new_folder(self) -> str:
        rng = self.rng
        name = rng.choice([stem for stem in self.pool.stems if "." not in stem])
        while rng.random() < 0.2:
            name += "/" + rng.choice([stem for stem in self.pool.stems if "." not in stem])
        return name

    def _name(self, slot: str, name: str, kind: str) -> str:
        if slot in self.values:
            name = self.values[slot]
        elif name in self.things:
            return self.fill(slot)  # two slots are two names
        self.values[slot] = name
        self.things[name] = kind
        return quoted(name, self.rng, bare=0.7, command=self.command)

    def _text(self, slot: str) -> str:
        rng, pool = self.rng, self.pool
        text = rng.choice(pool.phrases if rng.random() < 0.45 else pool.words)
        if self.command and not all(letter.isalnum() or letter in " _-:=#@" for letter in text):
            text = rng.choice([word for word in pool.words if word.isalnum()])
        self.values[slot] = text
        return quoted(text, rng, bare=0.15, command=self.command)

    def _number(self, slot: str) -> str:
        rng = self.rng
        if slot == "ordinal":
            self.values["n"] = rng.randint(2, 9)
            return ordinal(self.values["n"], rng)
        number = rng.choice((2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 50, 100))
        self.values[slot] = number + (self.values["n"] if slot == "m" else 0)
        return (
            number_words(number) if slot == "n" and not self.command and rng.random() < 0.25 else str(self.values[slot])
        )


def _q(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _file(path: str, content: str) -> dict[str, Any]:
    return {"path": path, "is": "file", "content": content}


def _answer(content: str) -> Conditions:
    return [{"path": None, "is": "answer", "content": content}]


def _plain(word: str, path: str) -> dict[str, Any]:
    return {"path": path, "is": word, "content": None}


def _copy(path: str, source: str) -> dict[str, Any]:
    return {"path": path, "is": "copy", "content": source}


def _inside(v: Values) -> str:
    return f"{v['f']}/{v['a'].rpartition('/')[2]}"


def _folders(*paths: str) -> Conditions:
    """Conditions for folders and for those that they are in."""
    every = [path[:at] for path in paths for at in [*_slashes(path), len(path)]]
    return [_plain("folder", path) for path in dict.fromkeys(every)]


def _slashes(path: str) -> list[int]:
    return [at for at, letter in enumerate(path) if letter == "/"]


def _text(v: Values) -> str:
    return f"text({_q(v['a'])})"


def _lines(v: Values) -> str:
    return f"lines({_text(v)})"


def _records(v: Values) -> str:
    return f"records({_text(v)})"


def _into(make: Callable[[Values], str], slot: str = "b") -> Callable[[Values], Conditions]:
    return lambda v: [_file(v[slot], make(v))]


def _matching(v: Values, word: str = "matching") -> str:
    return f"{word}(literal({_q(v['w'])}), {_lines(v)})"


def _without(v: Values) -> str:
    return f"unlines({_matching(v, 'not_matching')})"


def _no_blank(v: Values) -> str:
    return f'unlines(not_matching(basic("^$"), {_lines(v)}))'


def _replaced(v: Values) -> str:
    return f"replaced({_q(v['w'])}, {_q(v['v'])}, {_text(v)})"


def _counted(inner: str) -> str:
    return f"line(digits(count({inner})))"


def _moved(v: Values, path: str) -> Conditions:
    return [_plain("absent", v["a"]), _copy(path, v["a"])]


MEANINGS: dict[str, Callable[[Values], Conditions]] = {
    "sort_into": _into(lambda v: f"unlines(sort({_lines(v)}))"),
    "sort_place": _into(lambda v: f"unlines(sort({_lines(v)}))", "a"),
    "sort_reverse": _into(lambda v: f"unlines(reverse(sort({_lines(v)})))"),
    "sort_numbers": _into(lambda v: f"unlines(sort_numbers({_lines(v)}))"),
    "sort_unique": _into(lambda v: f"unlines(distinct(sort({_lines(v)})))"),
    "first_into": _into(lambda v: f"concat(first({v['n']}, {_records(v)}))"),
    "last_into": _into(lambda v: f"concat(last({v['n']}, {_records(v)}))"),
    "matching_into": _into(lambda v: f"unlines({_matching(v)})"),
    "without_into": _into(_without),
    "delete_lines": _into(_without, "a"),
    "no_blank": _into(_no_blank, "a"),
    "no_blank_into": _into(_no_blank),
    "replace": _into(_replaced, "a"),
    "replace_into": _into(_replaced),
    "upper": _into(lambda v: f"upper({_text(v)})"),
    "lower": _into(lambda v: f"lower({_text(v)})"),
    "upper_place": _into(lambda v: f"upper({_text(v)})", "a"),
    "lower_place": _into(lambda v: f"lower({_text(v)})", "a"),
    "append_text": _into(lambda v: f"then({_text(v)}, {_q(v['w'] + chr(10))})", "a"),
    "prepend_text": _into(lambda v: f"then({_q(v['w'] + chr(10))}, {_text(v)})", "a"),
    "append_file": _into(lambda v: f"then({_text(v)}, text({_q(v['c'])}))", "a"),
    "join_files": _into(lambda v: f"then({_text(v)}, text({_q(v['c'])}))"),
    "copy_file": lambda v: [_copy(v["b"], v["a"])],
    "copy_into": lambda v: [_copy(_inside(v), v["a"])],
    "move_file": lambda v: _moved(v, v["b"]),
    "move_into": lambda v: _moved(v, _inside(v)),
    "delete_file": lambda v: [_plain("absent", v["a"])],
    "delete_two": lambda v: [_plain("absent", v["a"]), _plain("absent", v["c"])],
    "delete_folder": lambda v: [_plain("absent", v["f"])],
    "make_folder": lambda v: _folders(v["d"]),
    "make_folders": lambda v: _folders(v["d"], v["e"]),
    "make_file": _into(lambda v: '"" : text'),
    "write_text": _into(lambda v: f"{_q(v['w'] + chr(10))} : text"),
    "executable": lambda v: [_plain("executable", v["s"])],
    "not_executable": lambda v: [_plain("not executable", v["s"])],
    "number_lines": _into(lambda v: f"unlines(numbered({_lines(v)}))"),
    "reverse_lines": _into(lambda v: f"unlines(reverse({_lines(v)}))"),
    "drop_first": _into(lambda v: f"concat(starting(2, {_records(v)}))", "a"),
    "drop_last": _into(lambda v: f"concat(first(-{v['n']}, {_records(v)}))", "a"),
    "count_into": _into(lambda v: _counted(_lines(v))),
    "count_answer": lambda v: _answer(_counted(_lines(v))),
    "words_answer": lambda v: _answer(_counted(f"words({_text(v)})")),
    "matches_answer": lambda v: _answer(_counted(_matching(v))),
    "first_answer": lambda v: _answer(f"concat(first({v['n']}, {_records(v)}))"),
    "sorted_answer": lambda v: _answer(f"unlines(sort({_lines(v)}))"),
    "column_into": _into(lambda v: f"unlines(column_at({v['n']}, csv({_text(v)})))"),
    "range_into": _into(lambda v: f"concat(between({v['n']}, {v['m']}, {_records(v)}))"),
}
"""The conditions that each intent means, given what its slots hold."""


def goal_requests(rng: random.Random) -> Iterator[Example]:
    """Requests for goals without end; about one in six has to be given back."""
    answered, declined = list(wordings_of("goals")), list(wordings_of("declined", "goal"))
    queue: list[Wording] = []
    number = 0
    while True:
        if not queue:
            queue = [*answered, *declined]
            rng.shuffle(queue)
        number += 1
        yield goal_request(queue.pop(), number, rng)


def goal_request(wording: Wording, number: int, rng: random.Random) -> Example:
    """One request for a goal."""
    pieces = said(wording.text, rng)
    names = Names(wording.side, rng, command=is_command(pieces))
    parts = [names.fill(one.text) if one.is_slot else one.text for one in noisy(pieces, wording.side, rng)]
    answer, why = None, "no goal"
    if not wording.family.startswith("declined/"):
        given = MEANINGS[wording.intent](names.values)
        for one in given:
            condition_from_json(one)
        answer, why = {"conditions": given, "others": "unchanged"}, ""
    return Example(
        id=f"goal-{number}",
        task="goal",
        family=wording.family,
        request="".join(parts),
        things=names.things,
        answer=answer,
        why=why,
    )
