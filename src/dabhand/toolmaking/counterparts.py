"""What people may mean as well where a program sorts, keeps what repeats, or drops blank lines; however long it is.

The neighbours of a program are no longer than it; these are held against it all the same, because examples seldom show
which one is meant, and people go on to use both: numbers in order of size or as text, an order of first occurrence or
of the alphabet, lines that hold nothing or nothing but blanks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dabhand.language import LINES, NUMBER, TEXT, WORD, Call, Const, Env, Function, Kind, Term, Var, subterms
from dabhand.language.numbers import NUMBER_TEXT
from dabhand.language.samples import TextFolder
from dabhand.toolmaking.search_rivals import value_of

_AS_SET = frozenset({"recurring", "distinct"})
_IN_ORDER = frozenset({"sort", "sort_numbers"})
_HOLDS_SOMETHING = Const(
    Function(Call("less", (Const(0, NUMBER), Call("length", (Var("it", WORD),)))), Kind.WORD_TO_BOOL),
    Kind.WORD_TO_BOOL,
)


def counterparts(term: Term, envs: Sequence[Env]) -> Iterator[Term]:
    """What else a term may stand for; nothing is said of whether it fits.

    Args:
        term: the program.
        envs: the examples.
    """
    for node in dict.fromkeys(subterms(term)):
        for other in _others(node, term, envs):
            yield _with(term, node, other)


def _others(node: Term, term: Term, envs: Sequence[Env]) -> Iterator[Term]:
    if not isinstance(node, Call) or node.kind is not LINES:
        return
    if node.name in _IN_ORDER and _are_numbers(node.args[0], envs):
        (name,) = _IN_ORDER - {node.name}
        yield Call(name, node.args)
    if node.name in _AS_SET and term == Call("unlines", (node,)):
        yield Call("sort", (node,))
    if node.name == "nonblank":
        yield Call("where", (_HOLDS_SOMETHING, *node.args))


def _are_numbers(lines: Term, envs: Sequence[Env]) -> bool:
    """Whether what is sorted looks like numbers in all examples."""
    made = [value_of(lines, env) for env in envs]
    every = [line for each in made if isinstance(each, tuple) for line in each]
    return bool(every) and all(isinstance(line, str) and NUMBER_TEXT.match(line) for line in every)


def _with(term: Term, old: Term, new: Term) -> Term:
    if term == old:
        return new
    if isinstance(term, Call):
        return Call(term.name, tuple([_with(arg, old, new) for arg in term.args]))
    return term


def telling_envs(term: Term, inputs: Sequence[Var], envs: Sequence[Env]) -> list[Env]:
    """Examples with a line of blanks more, and in the other order, for a program whose counterparts part on these."""
    names = {node.name for node in subterms(term) if isinstance(node, Call)}
    if len(inputs) != 1 or inputs[0].kind is not Kind.PATH or term.kind is not TEXT:
        return []
    made: list[Env] = []
    for env in envs:
        path = env.slots[inputs[0].name]
        lines = (env.folder.text(path) or "").removesuffix("\n").split("\n")
        if "nonblank" in names:
            made.append(Env(env.slots, TextFolder({path: "\n".join([*lines[:1], "  ", *lines[1:], ""])})))
        if names & _AS_SET:
            made.append(Env(env.slots, TextFolder({path: "\n".join([*reversed(lines), ""])})))
    return made
