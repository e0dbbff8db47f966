"""Kinds of tasks that ask for two to four things in one request; each expectation is composed of the host's parts."""

from __future__ import annotations

from collections.abc import Callable

from dabhand.exams.host import texts
from dabhand.exams.host.texts import lines_of, written
from dabhand.exams.suites import contents
from dabhand.exams.suites.of_texts import into, repeated, worded
from dabhand.exams.suites.scene import Drawn, Scene, entry_of, kind, name_of
from dabhand.exams.task import Entry

Lines = list[str]


def _selected(scene: Scene, change: Callable[[str, Lines], Lines], *, ascii_only: bool = False) -> Drawn:
    """A task on the lines of a file that hold a word, or do not."""
    word, source = worded(scene, scene.rng.randint(2, 4), ended=True, ascii_only=ascii_only)
    return into(scene, source, lambda lines: change(word, lines), word=word)


def _some(scene: Scene, *, ascii_only: bool = False) -> str:
    return written(contents.lines(scene.rng, ascii_only=ascii_only))


@kind
def containing_sorted(scene: Scene) -> Drawn:
    """Two: select, sort."""
    return _selected(scene, lambda word, lines: sorted(texts.containing(word, lines)))


@kind
def sorted_first(scene: Scene) -> Drawn:
    """Two: sort, take from the beginning."""
    n = scene.rng.randint(2, 4)
    return into(scene, written(contents.lines(scene.rng, n + 2, 11)), lambda lines: sorted(lines)[:n], n=n)


@kind
def last_sorted(scene: Scene) -> Drawn:
    """Two: take from the end, sort."""
    n = scene.rng.randint(3, 5)
    source = written(contents.lines(scene.rng, n + 2, 11))
    return into(scene, source, lambda lines: sorted(lines[len(lines) - n :]), n=n)


@kind
def different_lines(scene: Scene) -> Drawn:
    """Two: without duplicates, count."""
    return into(scene, written(repeated(scene)), lambda lines: [str(len(set(lines)))])


@kind
def numbers_descending(scene: Scene) -> Drawn:
    """Two: sort by size, reverse."""
    return into(scene, written(contents.numbers(scene.rng)), lambda lines: texts.by_number(lines)[::-1])


@kind
def reversed_upper(scene: Scene) -> Drawn:
    """Two: reverse, capitals."""
    return into(scene, _some(scene, ascii_only=True), lambda lines: [line.upper() for line in reversed(lines)])


@kind
def folder_and_copy(scene: Scene) -> Drawn:
    """Two: make a folder, copy into it."""
    text = _some(scene)
    src, folder = scene.file(text), scene.names.folder()
    return Drawn({"src": src, "dir": folder}, {f"{folder}/{name_of(src)}": entry_of(text)})


@kind
def copy_and_replace(scene: Scene) -> Drawn:
    """Two: copy, replace in the copy."""
    word, source = worded(scene, ended=True)
    src, dst, new = scene.file(source), scene.new(), contents.word(scene.rng)
    return Drawn(
        {"src": src, "dst": dst, "word": word, "new": new},
        {src: entry_of(source), dst: entry_of(source.replace(word, new))},
    )


@kind
def join_sorted(scene: Scene) -> Drawn:
    """Two: join, sort."""
    first, second = _some(scene), _some(scene)
    src, other, dst = scene.file(first), scene.file(second), scene.new()
    return Drawn({"src": src, "other": other, "dst": dst}, {dst: entry_of(written(sorted(lines_of(first + second))))})


@kind
def sort_and_delete(scene: Scene) -> Drawn:
    """Two: sort into a new file, delete the old one."""
    text = _some(scene)
    src, dst = scene.file(text), scene.new()
    return Drawn({"src": src, "dst": dst}, {src: None, dst: entry_of(written(sorted(lines_of(text))))})


@kind
def script(scene: Scene) -> Drawn:
    """Two: write a file, make it executable."""
    line, dst = f"echo {contents.phrase(scene.rng)}", scene.new(".sh")
    return Drawn({"dst": dst, "sentence": line}, {dst: entry_of(written([line]), executable=True)})


@kind
def folder_and_moves(scene: Scene) -> Drawn:
    """Three: make a folder, move two files into it."""
    first, second = _some(scene), _some(scene)
    src, other, folder = scene.file(first, top=True), scene.file(second, top=True), scene.names.folder()
    inside: dict[str, Entry | None] = {f"{folder}/{src}": entry_of(first), f"{folder}/{other}": entry_of(second)}
    return Drawn({"src": src, "other": other, "dir": folder}, {src: None, other: None, **inside})


@kind
def largest_numbers(scene: Scene) -> Drawn:
    """Three: sort by size, reverse, take from the beginning."""
    n = scene.rng.randint(2, 4)
    source = written(contents.numbers(scene.rng))
    return into(scene, source, lambda lines: texts.by_number(lines)[::-1][:n], n=n)


@kind
def containing_upper_sorted(scene: Scene) -> Drawn:
    """Three: select, sort, capitals; on lines for which it does not matter which of the two comes first."""
    word, source = worded(scene, scene.rng.randint(2, 4), ended=True, ascii_only=True)
    source = source.lower()
    return into(
        scene, source, lambda lines: [line.upper() for line in sorted(texts.containing(word, lines))], word=word
    )


@kind
def without_sorted_first(scene: Scene) -> Drawn:
    """Three: leave out, sort, take from the beginning."""
    n = scene.rng.randint(2, 3)
    word = contents.target(scene.rng)
    source = written(contents.with_word(scene.rng, word, scene.rng.randint(1, 3), n + scene.rng.randint(1, 4)))
    return into(scene, source, lambda lines: sorted(texts.without(word, lines))[:n], word=word, n=n)


@kind
def three_counts(scene: Scene) -> Drawn:
    """Three: lines, words, bytes."""
    text = _some(scene)
    src, places = scene.file(text), [scene.new() for _ in range(3)]
    counts = (len(lines_of(text)), len(texts.words_of(text)), texts.size_of(text))
    slots = {"src": src, "dst": places[0], "dst2": places[1], "dst3": places[2]}
    wanted = {place: entry_of(written([str(number)])) for place, number in zip(places, counts, strict=True)}
    return Drawn(slots, wanted)


@kind
def folder_sort_delete(scene: Scene) -> Drawn:
    """Three: make a folder, sort into it, delete."""
    text = _some(scene)
    src, folder, name = scene.file(text), scene.names.folder(), scene.new()
    slots = {"src": src, "dir": folder, "name": name}
    return Drawn(slots, {src: None, f"{folder}/{name}": entry_of(written(sorted(lines_of(text))))})


@kind
def four_actions(scene: Scene) -> Drawn:
    """Four: make a folder, copy into it, move into it, delete."""
    first, second, third = _some(scene), _some(scene), _some(scene)
    src, other, file = scene.file(first, top=True), scene.file(second, top=True), scene.file(third, top=True)
    folder = scene.names.folder()
    inside: dict[str, Entry | None] = {f"{folder}/{src}": entry_of(first), f"{folder}/{other}": entry_of(second)}
    return Drawn({"src": src, "other": other, "file": file, "dir": folder}, {other: None, file: None, **inside})


@kind
def join_without_unique_last(scene: Scene) -> Drawn:
    """Four: join, leave out, sort without duplicates, take from the end."""
    n = scene.rng.randint(2, 3)
    word, first = worded(scene, scene.rng.randint(1, 2), ended=True)
    second = written(lines_of(first)[:2] + contents.with_word(scene.rng, word, 1, n + 1))
    src, other, dst = scene.file(first), scene.file(second), scene.new()
    kept = texts.distinct(texts.without(word, lines_of(first + second)))
    slots: dict[str, str | int] = {"src": src, "other": other, "dst": dst, "word": word, "n": n}
    return Drawn(slots, {dst: entry_of(written(kept[len(kept) - n :]))})


@kind
def containing_reverse_upper_numbered(scene: Scene) -> Drawn:
    """Four: select, sort in reverse, capitals, number."""
    word, source = worded(scene, scene.rng.randint(2, 4), ended=True, ascii_only=True)

    def change(lines: Lines) -> Lines:
        chosen = sorted(texts.containing(word, lines), reverse=True)
        return texts.numbered(line.upper() for line in chosen)

    return into(scene, source.lower(), change, word=word)
