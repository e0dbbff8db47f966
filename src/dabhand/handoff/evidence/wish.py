"""What is asked for: a few asks, each a set of conditions on lines, and what is not wanted anywhere."""

from __future__ import annotations

import msgspec

from dabhand.handoff.evidence.quantities import Demand, Measure


class Topic(msgspec.Struct, frozen=True):
    """Something that a line should speak of.

    Attributes:
        name: the word of the wish.
        pattern: over small letters.
        telling: without it a line is no answer.
        light: it only says where something came from.
        own: a pattern for the very word of the wish.
        known: the lexicon has other words for it, which the pattern names.
    """

    name: str
    pattern: str
    own: str = ""
    telling: bool = False
    light: bool = False
    known: bool = False


class Ask(msgspec.Struct, frozen=True):
    """One thing that is asked for.

    Attributes:
        kinds: of lines, as in the lexicon.
        answers: kinds of answer, as in the lexicon.
        topics: what the lines speak of.
        literals: texts that were quoted.
        exact: names, paths, codes and addresses that were written without quotes.
        begins: something in the line begins with this; `begins_what` says what.
        ends: the line ends with this.
        span: from a line with the first to a line with the second.
        demands: on numbers.
        extreme: only what has the most, or else the least, of a measure: "the slowest".
        order: only the first or the last.
        amount: how many of them.
        words: all words of it, which may name fields of lines.
        whole: whole blocks.
        presumes: it takes for granted that there is something ("which", "the"), and does not ask whether.
        whether: it asks whether there is something at all.
        either: it names alternatives.
        refers: it says "it" or "they" of what was spoken of before.
        mention: every line that has the words, nothing else.
        levels: the line states one of these levels.
        everything: every line is wanted, but for what is excluded.
    """

    kinds: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    topics: tuple[Topic, ...] = ()
    literals: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    begins: str = ""
    begins_what: str = ""
    ends: str = ""
    span: tuple[str, str] | None = None
    demands: tuple[Demand, ...] = ()
    extreme: tuple[Measure, bool] | None = None
    order: str = ""
    amount: int = 1
    words: tuple[str, ...] = ()
    whole: bool = False
    presumes: bool = False
    whether: bool = False
    either: bool = False
    refers: bool = False
    mention: bool = False
    levels: frozenset[str] = frozenset()
    everything: bool = False

    def is_empty(self) -> bool:
        """Whether it says nothing by itself of which lines are wanted."""
        named = self.literals or self.exact or self.begins or self.span or self.ends
        return not (self.kinds or self.topics or named or self.levels)


class Wish(msgspec.Struct, frozen=True):
    """All that is asked for, and what is not wanted anywhere.

    Attributes:
        asks: each is answered for itself.
        without: no line is wanted that one of these is about.
        times: from and until, as written, if lines of a time are asked for.
    """

    asks: tuple[Ask, ...]
    without: tuple[Ask, ...] = ()
    times: tuple[str, str] | None = None


def union(asks: list[Ask]) -> Ask:
    """One ask for all that several ask for."""
    if not asks:
        return Ask()
    return Ask(
        kinds=frozenset().union(*(ask.kinds for ask in asks)),
        answers=frozenset().union(*(ask.answers for ask in asks)),
        topics=tuple(dict.fromkeys(topic for ask in asks for topic in ask.topics)),
        literals=tuple(dict.fromkeys(text for ask in asks for text in ask.literals)),
        exact=tuple(dict.fromkeys(text for ask in asks for text in ask.exact)),
        begins=next((ask.begins for ask in asks if ask.begins), ""),
        begins_what=next((ask.begins_what for ask in asks if ask.begins), ""),
        ends=next((ask.ends for ask in asks if ask.ends), ""),
        span=next((ask.span for ask in asks if ask.span), None),
        demands=tuple(demand for ask in asks for demand in ask.demands),
        extreme=next((ask.extreme for ask in asks if ask.extreme), None),
        order=next((ask.order for ask in asks if ask.order), ""),
        amount=max(ask.amount for ask in asks),
        words=tuple(dict.fromkeys(word for ask in asks for word in ask.words)),
        whole=any(ask.whole for ask in asks),
        presumes=asks[0].presumes,
        whether=asks[0].whether,
        either=any(ask.either for ask in asks),
        mention=any(ask.mention for ask in asks),
        levels=frozenset().union(*(ask.levels for ask in asks)),
        everything=any(ask.everything for ask in asks),
    )
