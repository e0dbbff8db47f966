"""Contents of files as they lie about: words, sentences, numbers, logs; with repetitions, blanks and accents."""

from __future__ import annotations

from random import Random

from dabhand.exams.suites.vocabulary import vocabulary


def word(rng: Random) -> str:
    """Any word."""
    return rng.choice(vocabulary().words)


def target(rng: Random) -> str:
    """A word to look for, which is in no other word here."""
    return rng.choice(vocabulary().targets)


def sentence(rng: Random) -> str:
    """Any sentence."""
    return rng.choice(vocabulary().sentences)


def phrase(rng: Random) -> str:
    """A few words that nearly make sense."""
    parts = [word(rng)]
    for _ in range(rng.randint(1, 3)):
        parts += [rng.choice(vocabulary().small), word(rng)] if rng.random() < 0.6 else [word(rng)]
    return " ".join(parts)


def row(rng: Random) -> str:
    """A row of a table."""
    return f"{word(rng)},{rng.randint(1, 99)},{word(rng)}"


def entry(rng: Random) -> str:
    """A line of a log."""
    level = rng.choice(("INFO", "WARN", "ERROR", "DEBUG"))
    return f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02} {level} {word(rng)} {rng.randint(1, 500)}"


def accented(rng: Random) -> str:
    """A word that is not ASCII, or one that is."""
    return rng.choice(vocabulary().accented if rng.random() < 0.5 else vocabulary().words)


def lines(rng: Random, least: int = 4, most: int = 12, *, ascii_only: bool = False, blanks: bool = False) -> list[str]:
    """Lines of one sort, some of them repeated; between `least` and `most`, never all the same.

    Args:
        rng: draws them.
        least: how many at least; two or more.
        most: how many at most.
        ascii_only: no accents.
        blanks: some may be empty.
    """
    makers = [word, word, phrase, phrase, row, entry] + ([] if ascii_only else [accented, accented])
    make = rng.choice(makers)
    found = [make(rng) for _ in range(rng.randint(least, most))]
    if rng.random() < 0.5:
        found[rng.randrange(len(found))] = rng.choice(found)
    if rng.random() < 0.25:
        at = rng.randrange(len(found))
        found[at] = rng.choice((found[at].upper(), "  " + found[at], found[at] + " "))
    if blanks and rng.random() < 0.3:
        found[rng.randrange(1, len(found))] = ""
    return found if len(set(found)) > 1 else lines(rng, least, most, ascii_only=ascii_only, blanks=blanks)


def with_word(rng: Random, wanted: str, hits: int, misses: int, *, ascii_only: bool = False) -> list[str]:
    """Lines of which so many hold a word, as a word of its own, and the others do not hold it in any way."""
    make = rng.choice([phrase, row, entry] + ([] if ascii_only else [accented]))
    found = []
    for number in range(hits + misses):
        parts = make(rng).split(" ")
        if number < hits:
            parts.insert(rng.randint(0, len(parts)), wanted)
        found.append(" ".join(parts))
    rng.shuffle(found)
    return found


def numbers(rng: Random, least: int = 5, most: int = 11) -> list[str]:
    """Whole numbers of different lengths, some negative, some twice; their order as texts is another."""
    found = [str(rng.choice((rng.randint(0, 9), rng.randint(10, 99), rng.randint(100, 5000)))) for _ in range(most)]
    found = found[: rng.randint(least, most)]
    found[:3] = [str(rng.randint(2, 9)), str(rng.randint(10, 19)), str(rng.randint(100, 999))]
    if rng.random() < 0.3:
        found[-1] = str(-rng.randint(1, 50))
    if rng.random() < 0.4:
        found.append(rng.choice(found))
    rng.shuffle(found)
    return found


def text_of(rng: Random, chosen: list[str], *, ended: bool = True) -> str:
    """A text of lines; the last may lack its newline unless it has to be `ended`."""
    text = "\n".join(chosen) + "\n"
    return text if ended or rng.random() > 0.25 else text[:-1]
