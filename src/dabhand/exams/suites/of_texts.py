"""Kinds of tasks about what files hold: joined, sorted, selected, counted, changed."""

from __future__ import annotations

from collections.abc import Callable

from dabhand.exams.host import texts
from dabhand.exams.host.texts import lines_of, written
from dabhand.exams.suites import contents
from dabhand.exams.suites.scene import Drawn, Scene, entry_of, kind

Lines = list[str]


def into(scene: Scene, source: str, change: Callable[[Lines], Lines], **slots: str | int) -> Drawn:
    """A task that writes the changed lines of a text into a new file."""
    src, dst = scene.file(source), scene.new()
    return Drawn({"src": src, "dst": dst, **slots}, {dst: entry_of(written(change(lines_of(source))))})


def _text(scene: Scene, *, ended: bool = True, ascii_only: bool = False, blanks: bool = False) -> str:
    return contents.text_of(scene.rng, contents.lines(scene.rng, ascii_only=ascii_only, blanks=blanks), ended=ended)


@kind
def join(scene: Scene) -> Drawn:
    """Two files, one after the other, in a new one."""
    first, second = _text(scene), _text(scene, ended=False)
    src, other, dst = scene.file(first), scene.file(second), scene.new()
    return Drawn({"src": src, "other": other, "dst": dst}, {dst: entry_of(first + second)})


@kind
def side_by_side(scene: Scene) -> Drawn:
    """Two files as two columns in a new one, mostly of the same number of lines."""
    rows = scene.rng.randint(3, 8)
    left = contents.lines(scene.rng, rows, rows)
    more = 0 if scene.rng.random() < 0.7 else scene.rng.choice((-1, 1))
    right = contents.lines(scene.rng, rows + more, rows + more)
    src, other, dst = scene.file(written(left)), scene.file(written(right)), scene.new()
    return Drawn({"src": src, "other": other, "dst": dst}, {dst: entry_of(written(texts.beside(left, right)))})


@kind
def sorted_plain(scene: Scene) -> Drawn:
    """Lines in order."""
    return into(scene, _text(scene, ended=False), sorted)


@kind
def sorted_reverse(scene: Scene) -> Drawn:
    """Lines in reverse order of the alphabet."""
    return into(scene, _text(scene, ended=False), lambda lines: sorted(lines, reverse=True))


@kind
def sorted_numeric(scene: Scene) -> Drawn:
    """Numbers in order of size, which is not that of their digits."""
    return into(scene, written(contents.numbers(scene.rng)), texts.by_number)


@kind
def sorted_unique(scene: Scene) -> Drawn:
    """Each different line once, in order."""
    return into(scene, contents.text_of(scene.rng, repeated(scene), ended=False), texts.distinct)


def repeated(scene: Scene) -> Lines:
    """Lines of which some occur several times, next to each other or not."""
    chosen = contents.lines(scene.rng)
    chosen += [scene.rng.choice(chosen) for _ in range(scene.rng.randint(2, 4))]
    scene.rng.shuffle(chosen)
    return chosen


@kind
def reversed_lines(scene: Scene) -> Drawn:
    """Lines from the last to the first."""
    return into(scene, _text(scene, blanks=True), lambda lines: lines[::-1])


@kind
def reversed_characters(scene: Scene) -> Drawn:
    """Each line from right to left."""
    return into(scene, _text(scene, blanks=True), texts.mirrored)


@kind
def numbered(scene: Scene) -> Drawn:
    """Lines with their numbers."""
    return into(scene, _text(scene), texts.numbered)


@kind
def upper_case(scene: Scene) -> Drawn:
    """A text in capitals."""
    source = _text(scene, ended=False, ascii_only=True, blanks=True)
    src, dst = scene.file(source), scene.new()
    return Drawn({"src": src, "dst": dst}, {dst: entry_of(source.upper())})


@kind
def first_lines(scene: Scene) -> Drawn:
    """Some lines from the beginning."""
    n = scene.rng.randint(2, 5)
    chosen = contents.lines(scene.rng, n + 1, n + 7, blanks=True)
    return into(scene, contents.text_of(scene.rng, chosen, ended=False), lambda lines: lines[:n], n=n)


@kind
def last_lines(scene: Scene) -> Drawn:
    """Some lines from the end."""
    n = scene.rng.randint(2, 5)
    return into(
        scene, written(contents.lines(scene.rng, n + 1, n + 7, blanks=True)), lambda lines: lines[len(lines) - n :], n=n
    )


@kind
def lines_containing(scene: Scene) -> Drawn:
    """The lines in which a word occurs."""
    word, source = worded(scene)
    return into(scene, source, lambda lines: texts.containing(word, lines), word=word)


@kind
def lines_not_containing(scene: Scene) -> Drawn:
    """The lines in which a word does not occur."""
    word, source = worded(scene)
    return into(scene, source, lambda lines: texts.without(word, lines), word=word)


def worded(scene: Scene, hits: int | None = None, *, ended: bool = False, ascii_only: bool = False) -> tuple[str, str]:
    """A word, and a text of which some lines hold it."""
    word = contents.target(scene.rng)
    hits = scene.rng.randint(1, 4) if hits is None else hits
    chosen = contents.with_word(scene.rng, word, hits, scene.rng.randint(2, 6), ascii_only=ascii_only)
    return word, contents.text_of(scene.rng, chosen, ended=ended)


def counted(scene: Scene, source: str, number: int, what: str, **slots: str | int) -> Drawn:
    """A task that asks for a number, or for a file with that number."""
    src = scene.file(source)
    if scene.rng.random() < 0.4:
        return Drawn({"src": src, **slots}, {}, str(number), "ask_" + what)
    dst = scene.new()
    return Drawn({"src": src, "dst": dst, **slots}, {dst: entry_of(written([str(number)]))})


@kind
def number_of_lines(scene: Scene) -> Drawn:
    """How many lines a file has; the last may lack its newline."""
    source = _text(scene, ended=False, blanks=True)
    return counted(scene, source, len(lines_of(source)), "lines")


@kind
def number_of_words(scene: Scene) -> Drawn:
    """How many words a file has."""
    source = _text(scene, ended=False, blanks=True)
    return counted(scene, source, len(texts.words_of(source)), "words")


@kind
def number_of_bytes(scene: Scene) -> Drawn:
    """How many bytes a file has, which is more than its characters where there are accents."""
    source = _text(scene, ended=False, blanks=True)
    return counted(scene, source, texts.size_of(source), "bytes")


@kind
def number_containing(scene: Scene) -> Drawn:
    """In how many lines a word occurs, perhaps in none."""
    word, source = worded(scene, 0 if scene.rng.random() < 0.1 else None)
    return counted(scene, source, len(texts.containing(word, lines_of(source))), "containing", word=word)


@kind
def replace_word(scene: Scene) -> Drawn:
    """Another word in place of a word, in the file itself."""
    word, source = worded(scene, ended=True)
    new, path = contents.word(scene.rng), scene.file(source)
    return Drawn({"file": path, "word": word, "new": new}, {path: entry_of(source.replace(word, new))})
