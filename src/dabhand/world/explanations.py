"""What the roles of a command explain at present: the terms believed, their rivals, and what none of them says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dabhand.language import Call, Term, Var, subterms
from dabhand.world.effects import Print, Unsaid, Write
from dabhand.world.roles import NodeRole, PrintRole, Role, StrayRole
from dabhand.world.rules import Bits, leaves


def believed_terms(roles: Iterable[Role]) -> list[Term]:
    """The terms that are believed to be written or printed, each once."""
    found: dict[Term, None] = {}
    for role in roles:
        if role.tree is not None and isinstance(role, NodeRole | PrintRole):
            for leaf in leaves(role.tree):
                option = role.options[leaf.option]
                if isinstance(option, Write | Print):
                    found[option.term] = None
    return list(found)


def open_questions(roles: Iterable[Role]) -> list[tuple[Term, list[Term]]]:
    """Terms that are believed, each with others that explain as much and may be the truth."""
    found = []
    for role in roles:
        if role.tree is None or not isinstance(role, NodeRole | PrintRole):
            continue
        for leaf in leaves(role.tree):
            option = role.options[leaf.option]
            if isinstance(option, Write | Print):
                others = [one.term for one in role.rivals(leaf) if isinstance(one, Write | Print)]
                if not role.alive.vague:
                    others += [term for term in role.alive.terms or () if term not in others]
                others = [term for term in others if term != option.term]
                if others:
                    found.append((option.term, others))
    return found


def unsaid(roles: Iterable[Role], number: int) -> bool:
    """Whether an observation had something that no term says."""
    one = 1 << number
    for role in roles:
        if not role.members & one:
            continue
        told = [option for option, bits in zip(role.options, role.explains, strict=True) if bits & one]
        if not told or all(isinstance(option, Unsaid) for option in told):
            return True
        if isinstance(role, StrayRole) and role.explains[1] & one:
            return True
    return False


def unexplained(roles: Iterable[Role]) -> Bits:
    """The observations that what is believed now does not explain."""
    wrong = 0
    for role in roles:
        if role.tree is not None:
            for leaf in leaves(role.tree):
                wrong |= leaf.members & ~role.explains[leaf.option]
    return wrong


def slots_read(terms: Sequence[Term]) -> frozenset[str]:
    """The slots whose texts terms are about."""
    parts = [part for term in terms for part in subterms(term) if isinstance(part, Call)]
    read = [one for one in parts if one.primitive.reads_folder]
    return frozenset(arg.name for one in read for arg in one.args if isinstance(arg, Var))
