"""Which kinds of tasks a suite has, and the drawing of one by its seed."""

from __future__ import annotations

from random import Random

from dabhand.exams.suites import coding, combined, of_files, of_texts
from dabhand.exams.suites.scene import KINDS, Drawn, Kind, Scene
from dabhand.exams.suites.wording import request
from dabhand.exams.task import Entry, Expect, Task

NAMES = frozenset(("src", "other", "file", "dst", "dst2", "dst3", "dir", "outer", "inner", "name"))
"""Slots of wordings that are filled with names of files and folders."""

BASIC: tuple[tuple[Kind, ...], ...] = (
    (of_files.make_folder,),
    (of_files.nested_folder,),
    (of_files.empty_file,),
    (of_files.write_word,),
    (of_files.write_sentence,),
    (of_files.append_word, of_files.append_sentence),
    (of_files.copy,),
    (of_files.copy_into,),
    (of_files.rename,),
    (of_files.move,),
    (of_files.delete_file,),
    (of_files.delete_folder,),
    (of_files.make_executable,),
    (of_texts.join,),
    (of_texts.sorted_plain,),
    (of_texts.sorted_reverse,),
    (of_texts.sorted_unique,),
    (of_texts.upper_case,),
    (of_texts.first_lines,),
    (of_texts.last_lines,),
    (of_texts.lines_containing,),
    (of_texts.lines_not_containing,),
    (of_texts.number_of_lines,),
    (of_texts.number_of_words,),
    (of_texts.replace_word,),
)
"""The 25 of `original`; of several in one place one is drawn."""

RARER: tuple[Kind, ...] = (
    of_texts.side_by_side,
    of_texts.sorted_numeric,
    of_texts.reversed_lines,
    of_texts.reversed_characters,
    of_texts.numbered,
    of_texts.number_of_bytes,
    of_texts.number_containing,
)
TWO: tuple[Kind, ...] = (
    combined.containing_sorted,
    combined.sorted_first,
    combined.last_sorted,
    combined.different_lines,
    combined.numbers_descending,
    combined.reversed_upper,
    combined.folder_and_copy,
    combined.copy_and_replace,
    combined.join_sorted,
    combined.sort_and_delete,
    combined.script,
)
THREE: tuple[Kind, ...] = (
    combined.folder_and_moves,
    combined.largest_numbers,
    combined.containing_upper_sorted,
    combined.without_sorted_first,
    combined.three_counts,
    combined.folder_sort_delete,
)
FOUR: tuple[Kind, ...] = (
    combined.four_actions,
    combined.join_without_unique_last,
    combined.containing_reverse_upper_numbered,
)

CODING: tuple[tuple[Kind, ...], ...] = (
    (coding.average_numbers,),
    (coding.median_numbers,),
    (coding.most_common_word,),
    (coding.column_sum,),
    (coding.names_over_age,),
    (coding.count_vowels,),
    (coding.longest_line,),
    (coding.column_average,),
    (coding.most_common_value,),
    (coding.title_case,),
    (coding.even_numbers,),
    (coding.sum_numbers, coding.average_rounded),
    (coding.count_capitals, coding.count_digits),
    (coding.sum_where, coding.records_over),
    (coding.column_values, coding.column_median, coding.column_largest),
)
"""The 15 of `coding`; of several in one place one is drawn."""
REUSABLE: tuple[Kind, ...] = (
    coding.average_numbers,
    coding.median_numbers,
    coding.count_vowels,
    coding.longest_line,
    coding.title_case,
    coding.even_numbers,
    coding.sum_numbers,
    coding.count_capitals,
    coding.count_digits,
    coding.most_common_word,
)
"""Kinds whose program does as well for another file, whatever is in it."""


def _original(rng: Random) -> list[Kind]:
    """One of each of the most basic kinds."""
    return [rng.choice(kinds) for kinds in BASIC]


def _harder(rng: Random) -> list[Kind]:
    """Nine of rarer commands or several at once, three basic ones; four that take a program, and those once more."""
    basic = [kind for kinds in BASIC for kind in kinds]
    newer = [*rng.sample(RARER, 4), *rng.sample(TWO, 2), *rng.sample(THREE, 2), rng.choice(FOUR)]
    made = rng.sample(REUSABLE, 4)
    return newer + rng.sample(basic, 3) + made + rng.sample(made, 4)


def _coding(rng: Random) -> list[Kind]:
    """One of each kind that takes a program."""
    return [rng.choice(kinds) for kinds in CODING]


SUITES = {"original": _original, "harder": _harder, "coding": _coding}
"""How each suite chooses its kinds. Suites that need more than files join here."""


def draw(suite: str, seed: int) -> tuple[Task, ...]:
    """The tasks of a suite; the same for the same seed.

    Raises:
        KeyError: there is no such suite.
    """
    rng = Random(f"{suite}/{seed}")
    kinds = SUITES[suite](rng)
    return tuple(
        task_of(kind.__name__, Random(f"{suite}/{seed}/{number}"), f"{suite}-{seed}-{number:02}")
        for number, kind in enumerate(kinds, 1)
    )


def task_of(kind: str, rng: Random, name: str) -> Task:
    """A task of one kind.

    Raises:
        KeyError: there is no such kind.
    """
    scene = Scene(rng)
    drawn = KINDS[kind](scene)
    words = request(rng, drawn.wording or kind, drawn.slots, NAMES)
    scene.clutter()
    files = {path: scene.files[path] for path in sorted(scene.files)}
    return Task(name, words, Expect(_wanted(drawn), "unchanged", drawn.answer), kind, files)


def _wanted(drawn: Drawn) -> dict[str, Entry | None]:
    return {path: drawn.files[path] for path in sorted(drawn.files)}
