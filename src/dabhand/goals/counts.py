"""Several things counted at once, each into a file of its own."""

from __future__ import annotations

from dabhand.goals.acts import IT, Acts, Changed, Expression, FileText, Words, Write
from dabhand.goals.frames import source_of
from dabhand.goals.rules import NoReading
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

Pair = tuple[Expression, str]
Units = tuple[str, ...]


def _amount(unit: str, path: str = IT) -> Expression:
    return Changed("counted", (unit,), FileText(path))


# -- each amount with its file ----------------------------------------------------------------------------------------

add("PAIR", lambda content, path: (content, path), "(DATA|UNIT_NUMBER) {into} TARGET")
add("PAIR", lambda text, path: (Words(text), path), "(QUOTED|NAMELESS) {into} TARGET")
add("UNIT_NUMBER", _amount, "{det} number of [its|the] UNIT", "its UNIT count")
for _unit, _word in {"lines": "line", "words": "word", "characters": "(character|char)", "bytes": "byte"}.items():
    add("UNIT_NUMBER", lambda _unit=_unit: _amount(_unit), "{det} " + _word + " count")
add("UNIT_NUMBER", lambda: _amount("bytes"), "{det} size in bytes")


@rule("PAIRS", "PAIR [,|;] [and] [then] PAIRS", "PAIR")
def _pairs(first: Pair, rest: tuple[Pair, ...] = ()) -> tuple[Pair, ...]:
    return (first, *rest)


@rule("CLAUSE", "{write} PAIRS", "PAIRS")
def _write_each(pairs: tuple[Pair, ...]) -> Acts:
    """Each text into its file; what is left out of the later ones is what the first is made of."""
    if len(pairs) > 1 and all(isinstance(content, Words) for content, _ in pairs):
        return tuple(Write(content, path) for content, path in pairs)
    source = source_of(pairs[0][0])
    if len({isinstance(content, FileText) for content, _ in pairs}) > 1:
        raise NoReading  # "a.txt in capitals to x.txt and b.txt to y.txt": whether both are changed is not said
    if len(pairs) < 2 or source is None or source.startswith("\0"):
        raise NoReading
    return tuple(Write(_about(content, source), path) for content, path in pairs)


def _about(content: Expression, source: str) -> Expression:
    match content:
        case FileText(path) if path == IT:
            return FileText(source)
        case Changed(operation, args, of):
            return Changed(operation, args, _about(of, source))
    return content


@rule("HELD_PAIR", "TARGET with (DATA|UNIT_NUMBER)")
def _held(path: str, content: Expression) -> Pair:
    return content, path


@rule("HELD_PAIRS", "HELD_PAIR [,] [and] HELD_PAIRS", "HELD_PAIR")
def _held_pairs(first: Pair, rest: tuple[Pair, ...] = ()) -> tuple[Pair, ...]:
    return (first, *rest)


add("CLAUSE", _write_each, "{make} HELD_PAIRS")

# -- the units in a row, then the files in a row ----------------------------------------------------------------------


@rule("UNITS", "[the] UNIT [,|and|, and|&] UNITS", "[the] UNIT")
def _units(first: str, rest: Units = ()) -> Units:
    return (first, *rest)


@rule("TARGETS", "TARGET [,|and|, and|&] TARGETS", "TARGET")
def _targets(first: str, rest: tuple[str, ...] = ()) -> tuple[str, ...]:
    return (first, *rest)


_IN_ORDER = "[,] [(in (that|this|the same) order|respectively|in turn|one each|each in a file of its own)]"


@rule(
    "CLAUSE",
    "{count} UNITS {of} FILE [,|;] and {write} (the [three|two|four] (counts|numbers|results|totals|amounts)|them) "
    "{into} [the files|files] TARGETS " + _IN_ORDER,
    "{write} ({det} (numbers|number|counts|count) of) UNITS {of} FILE {into} [the files|files] TARGETS " + _IN_ORDER,
)
def _row(units: Units, path: str, targets: tuple[str, ...]) -> Acts:
    if len(units) != len(targets) or len(units) < 2 or len({*units}) < len(units) or len({*targets}) < len(targets):
        raise NoReading
    return tuple(Write(_amount(unit, path), target) for unit, target in zip(units, targets, strict=True))


# -- one amount, and the same for others ------------------------------------------------------------------------------


@rule("SAME_FOR", "for (its|the) UNIT [,] (with|in|into|to|using) TARGET [,]")
def _same_for(unit: str, path: str) -> Pair:
    return _amount(unit), path


@rule("SAMES", "SAME_FOR [and] SAMES", "SAME_FOR")
def _sames(first: Pair, rest: tuple[Pair, ...] = ()) -> tuple[Pair, ...]:
    return (first, *rest)


@rule("CLAUSE", "{count} (COUNTED|AMOUNT) [,] and {write} {it} {into} TARGET [.|;|,] [and] {then} do the same SAMES")
def _the_same(content: Expression, path: str, others: tuple[Pair, ...]) -> Acts:
    source = source_of(content)
    plain = isinstance(content, Changed) and isinstance(content.of, FileText)
    if source is None or source.startswith("\0") or not plain:
        raise NoReading
    return (Write(content, path), *(Write(_about(each, source), target) for each, target in others))
