"""What is believed about a command, said as rules: in this context, that effect, with its support and closest rival."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from dabhand.world.command import CommandModel
from dabhand.world.effects import Keep, Option, SameMode, Unsaid, say
from dabhand.world.explanations import unexplained
from dabhand.world.marks import PECULIAR
from dabhand.world.questions import RESULTS
from dabhand.world.roles import (
    NOTHING,
    NodeRole,
    ParentsRole,
    PlaceRole,
    PrintRole,
    Role,
    StrayRole,
    SuccessRole,
    ThroughRole,
)
from dabhand.world.rules import Bits, Choice, Leaf, Split, Tree, leaf_for, learn

Status = Literal["understood", "partial", "opaque", "unrepeatable", "failing", "untried"]

Label = tuple[tuple[int, Option], ...]


class Effect(msgspec.Struct, frozen=True):
    """One rule.

    Attributes:
        context: when it holds, in words.
        effect: what then happens, in words.
        support: whole outcomes that it explains, of those in this context.
        rival: the closest explanation that does not hold throughout.
        rival_support: what that explains.
    """

    context: str
    effect: str
    support: tuple[int, int]
    rival: str | None = None
    rival_support: tuple[int, int] | None = None


class CommandReport(msgspec.Struct, frozen=True):
    """Everything worth saying about one command (contracts.md, `dabhand learn`).

    Attributes:
        support: of the last predictions, those that were exact, and how many there were.
        reason: why it is not understood, if it is not.
    """

    command: str
    status: Status
    experiments: int
    support: tuple[int, int]
    effects: tuple[Effect, ...]
    reason: str = ""


MIN_TRIED = 32
MIN_JUDGED = 8
JUDGED = 12
MUST_BE_RIGHT = 5
MAX_WRONG = 1
MAX_UNSAID = 0.12
MAX_DOUBT = 0.35
MIN_FIRST = 12
MAX_DOUBT_CARRIED = 0.5
FAILING_AFTER = 20


def report_on(model: CommandModel) -> CommandReport:
    """A command's status, the reason for it, and its rules."""
    status, reason = status_of(model)
    support = (sum(model.outcomes), len(model.outcomes))
    return CommandReport(model.template.text, status, len(model.vectors), support, effects_of(model), reason)


def status_of(model: CommandModel) -> tuple[Status, str]:
    """How well a command is understood, and why not better."""
    tried = len(model.vectors)
    if model.odd and not model.successes:
        return "opaque", "it does not end in time, prints without end, or makes what is no file, folder or link"
    if not tried:
        return "untried", "it was never tried"
    if model.repeats_other:
        return "unrepeatable", "the same experiment gave different outcomes"
    if not model.successes:
        return ("failing", "it never succeeded") if tried >= FAILING_AFTER else ("partial", "it has not succeeded yet")
    unsaid = _unsaid_share(model)
    if unsaid > 0.25:
        return "opaque", f"in {unsaid:.0%} of its successes no term says what it writes or prints"
    judged = list(model.free)[-JUDGED:]
    wrong = judged.count(False)
    if tried < MIN_TRIED or len(judged) < MIN_JUDGED:
        return "partial", "tried too seldom"
    if unsaid > MAX_UNSAID:
        return "partial", f"in {unsaid:.0%} of its successes no term says what it writes or prints"
    if wrong > MAX_WRONG or not all(judged[-MUST_BE_RIGHT:]):
        return "partial", f"{wrong} of the last {len(judged)} outcomes in everyday situations were not as predicted"
    if model.doubt > MAX_DOUBT and not _carries_over(model):
        return "partial", "too many contexts have not been tried"
    return "understood", ""


def _carries_over(model: CommandModel) -> bool:
    """Whether what was believed came true each time in contexts never tried, so that those left need not be doubted."""
    return len(model.first) >= MIN_FIRST and all(model.first) and model.doubt <= MAX_DOUBT_CARRIED


def _unsaid_share(model: CommandModel) -> float:
    """The share of successes in which something happened that no option but "it changes somehow" explains.

    Successes with a word that is an option to the command are left out: each of those is a command of its own.
    """
    unsaid = 0
    for role in model.roles:
        explained = 0
        for option, bits in zip(role.options, role.explains, strict=True):
            if not isinstance(option, Unsaid):
                explained |= bits
        unsaid |= role.members & ~explained
        if isinstance(role, StrayRole):
            unsaid |= role.members & role.explains[1]
    succeeded = model.success.explains[0] & ~_with_options(model)
    return (unsaid & succeeded).bit_count() / max(1, succeeded.bit_count())


def _with_options(model: CommandModel) -> Bits:
    """The observations in which a word starts with a dash."""
    found = 0
    for mark, bits in model.marked.items():
        if mark.startswith(PECULIAR) and " is -" in mark:
            found |= bits
    return found


def effects_of(model: CommandModel) -> tuple[Effect, ...]:
    """The rules of a command, those with most support first."""
    if not model.vectors:
        return ()
    labels = [_label(model, number) for number in range(len(model.vectors))]
    groups: dict[Label, Bits] = {}
    for number, label in enumerate(labels):
        groups[label] = groups.get(label, 0) | 1 << number
    order = list(groups)
    everything = (1 << len(labels)) - 1
    choices = [Choice(index, groups[label], 0.0) for index, label in enumerate(order)]
    tree = _told_early(model, everything, choices)
    found: dict[int, list[tuple[str, Leaf]]] = {}
    for conditions, leaf in _paths(tree, ()):
        context = ", ".join(model.name_of_feature(feature, yes) for feature, yes in conditions) or "always"
        found.setdefault(leaf.option, []).append((context, leaf))
    effects = [_effect(model, order[option], leaves) for option, leaves in found.items()]
    return tuple(sorted(effects, key=lambda effect: -effect.support[1]))


def _told_early(model: CommandModel, everything: Bits, choices: Sequence[Choice]) -> Tree:
    """The contexts of effects, told by what was there before; by what came out only where that is not enough."""
    before = {feature: bits for feature, bits in model.has.items() if feature < RESULTS}
    tree = learn(everything, choices, before, model.costs, 0)
    if any(leaf.members & ~choices[leaf.option].explains for _, leaf in _paths(tree, ())):
        return learn(everything, choices, model.has, model.costs_with_results, 0)
    return tree


def _label(model: CommandModel, number: int) -> Label:
    """The joint effect believed for an observation, without what stays as it is."""
    label = []
    for index, role in enumerate(model.roles):
        if not role.members >> number & 1 or role.tree is None:
            continue
        option = role.options[leaf_for(role.tree, model.features_for(role, number)).option]
        if isinstance(option, Keep | SameMode) or isinstance(role, ThroughRole):
            continue
        if isinstance(role, StrayRole | ParentsRole) and option == role.options[0]:
            continue
        label.append((index, option))
    return tuple(label)


def _paths(tree: Tree, above: tuple[tuple[int, bool], ...]) -> list[tuple[tuple[tuple[int, bool], ...], Leaf]]:
    if isinstance(tree, Split):
        return _paths(tree.yes, (*above, (tree.feature, True))) + _paths(tree.no, (*above, (tree.feature, False)))
    return [(above, tree)]


def _effect(model: CommandModel, label: Label, places: Sequence[tuple[str, Leaf]]) -> Effect:
    members = 0
    for _, leaf in places:
        members |= leaf.members
    right = members & ~unexplained(model.roles)
    rival = _rival(model, label, members)
    return Effect(
        context=" or ".join(context for context, _ in places),
        effect=_sentence(model, label),
        support=(right.bit_count(), members.bit_count()),
        rival=rival[0] if rival else None,
        rival_support=(rival[1], members.bit_count()) if rival else None,
    )


def _rival(model: CommandModel, label: Label, members: Bits) -> tuple[str, int] | None:
    """The best explanation of the same observations that does not hold throughout."""
    best: tuple[str, int] | None = None
    for index, option in label:
        role = model.roles[index]
        if not isinstance(role, NodeRole | PrintRole) or isinstance(option, Unsaid):
            continue
        for other, explained in zip(role.options, role.explains, strict=True):
            count = (members & explained).bit_count()
            if (
                other != option
                and not isinstance(other, Unsaid)
                and members & ~explained
                and (best is None or count > best[1])
            ):
                best = say(other, role.place if isinstance(role, PlaceRole) else None), count
    return best


def _sentence(model: CommandModel, label: Label) -> str:
    clauses, failed = [], False
    for index, option in label:
        role: Role = model.roles[index]
        if isinstance(role, SuccessRole):
            failed = option == role.options[1]
        elif isinstance(role, StrayRole):
            clauses.append("something its slots do not name changes")
        elif isinstance(role, ParentsRole):
            clauses.append(f"missing folders above {say(option, role.place).partition(' ')[0]} are made")
        else:
            clause = say(option, role.place if isinstance(role, PlaceRole) else None)
            if option != NOTHING:
                clauses.append(clause)
    text = ", ".join(clauses) or "nothing changes"
    return f"fails, {text}" if failed else text
