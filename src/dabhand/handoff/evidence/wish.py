"""What is asked for: a wish in words becomes a few asks, each a set of conditions on lines."""

from __future__ import annotations

import re

import msgspec

from dabhand.handoff.evidence.lexicon import Concept, lexicon
from dabhand.handoff.evidence.quantities import Demand, demands
from dabhand.handoff.evidence.spelling import corrected


class Topic(msgspec.Struct, frozen=True):
    """Something that a line should speak of.

    Attributes:
        name: the word of the wish.
        pattern: over small letters.
        telling: without it a line is no answer.
        light: it only says where something came from.
    """

    name: str
    pattern: str
    telling: bool = False
    light: bool = False


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
        order: only the first or the last.
        amount: how many of them.
        words: all words of it, which may name fields of lines.
        whole: whole blocks.
        refers: it says "it" or "they" of what was spoken of before.
        mention: every line that has the words, nothing else.
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
    order: str = ""
    amount: int = 1
    words: tuple[str, ...] = ()
    whole: bool = False
    refers: bool = False
    mention: bool = False

    def is_empty(self) -> bool:
        """Whether it says nothing by itself of which lines are wanted."""
        return not (self.kinds or self.topics or self.literals or self.exact or self.begins or self.span or self.ends)


class Wish(msgspec.Struct, frozen=True):
    """All that is asked for, and what is not wanted anywhere.

    Attributes:
        asks: each is answered for itself.
        without: of lines that have these, none is wanted.
        times: from and until, as written, if lines of a time are asked for.
    """

    asks: tuple[Ask, ...]
    without: Ask = Ask()
    times: tuple[str, str] | None = None


_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "´": "'"})
_QUOTED = re.compile(r"(?<![\w'])(?:'(?=\S)([^']{1,200}?)'|\"([^\"]{1,300}?)\"|`([^`]{1,200}?)`)(?![\w])")
_HELD = re.compile("\ue000(\\d+)\ue001")
_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\n+|\s[-–—]\s")
_CLAUSE = re.compile(
    r",\s+or\s+|,?\s+(?:and|plus|as well as|along with)\s+(?=(?:also\s+)?(?:how|which|what|when|who|where"
    r"|did|does|was|were|is|are|any|the (?:final|overall|exit|closing|last|first|whole"
    r"|complete)?\s*"
    r"(?:summary|verdict|result|outcome|status|code|tally|totals?|line|warnings?|errors?|failures?"
    r"|traceback|version)|whether|if|show|give|return|tell|list)\b)|;\s+",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"(?:\b(?:leave|leaving|filter(?:ing)?|cut) out|\b(?:except(?:ing)?(?: for)?|excluding|exclude"
    r"|ignor(?:e|ing)|other than|apart from|aside from|besides|disregard(?:ing)?"
    r"|but (?:not|no)|rather than|instead of|skip(?: the)?(?= (?:the|all|any|lines)))|(?:^|[,(;]"
    r"|\band)\s*(?:but\s+)?(?:not|no|without|nothing (?:of|from|about))(?! (?:longer|matter|one"
    r"|yet|only|just|found|need)\b)"
    r"|\bwithout|\bthat (?:are|is|were|was) not\b|\bnot (?=the (?:one|ones|lines)\b))\s+(?P<what>.+?)"
    r"(?=(?:[.?!;]|$|,?\s+(?:please|pls|which|what|show|give|return|how|but|just|only|i)\b|\)|\s-\s))",
    re.IGNORECASE,
)
_EXACT = re.compile(
    r"(?<![\w/.@-])(?:"
    r"(?:\d{1,3}\.){3}\d{1,3}(?::\d+|/\d+)?"  # addresses
    r"|https?://\S+|\[[A-Z]{3,}\]"
    r"|[~.]{0,2}/?(?:[\w.@+-]+/)+[\w.@+-]*"  # paths
    r"|[\w+-]*[A-Za-z_][\w+-]*(?:\.[A-Za-z]\w*)+(?:\(\))?"  # file and dotted names
    r"|\w+(?:::\w+)+"
    r"|\w*[A-Za-z]\w*_\w+|_\w+|\w+\(\)"
    r"|[A-Za-z]+-?\d[\w.-]*\w|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|--?[a-z][\w-]+"
    r"|\d+(?:[.:-]\d+)+|\#?\d{3,}"
    r")(?![\w/])"
)
_NOT_EXACT = re.compile(
    r"^(?:and/or|pass/fail|yes/no|e\.g|i\.e|etc|w/o|\d(?:st|nd|rd|th)|stdout/stderr|x\d?|utf-?8"
    r")$",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?P<what>\w+)?(?:\s+(?:names?|ids?|paths?))?\s*(?:that |which |whose \w+ )?(?:begin(?:s"
    r"|ning)?|start(?:s|ing)?) with (?P<with>\ue000\d+\ue001|\S+?)(?=[\s,.;?!)]|$)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:end(?:s|ing)?) (?:with|in) (?P<with>\ue000\d+\ue001|\S+?)(?=[\s,.;?!)]|$)", re.IGNORECASE)
_SPAN = re.compile(
    "\\b(?:from|between) (?:the )?(?:line )?\ue000(\\d+)\ue001 (?:up )?(?:to|until|till|through"
    "|and) (?:the )?(?:line )?\ue000(\\d+)\ue001"
)
_ORDER = re.compile(
    r"\b(?:the |very )*(?P<order>first|earliest|last|latest|most recent|final)\s+(?P<amount>\d+"
    r"|two|three|four|five|ten)?",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:whole|complete|full|entire|in full|completely|block|blocks|with (?:its|their|the|all)"
    r"|including (?:its|their|the)|everything about|code lines?|caret|stack|traceback|details?)\b",
    re.IGNORECASE,
)
_MENTION = re.compile(
    r"\b(?:mention(?:s|ed|ing)?|occurrences?|lines? (?:that )?(?:contain|with|about|mentioning|has"
    r"|have|containing|of)|contain(?:s|ing)?|talks? about|the words?|refers? to|references? to)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:between|from) (?P<from>\d\d?:\d\d(?::\d\d)?) (?:and|to|until"
    r"|till) (?P<to>\d\d?:\d\d(?::\d\d)?)|\b(?P<side>after|since|before"
    r"|until) (?P<at>\d\d?:\d\d(?::\d\d)?)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"(?<=\w)[ ,]+(?:while|during|when|as soon as|after|before)\b[^,()]*|\bthose (?:of|from|in)\b.*$")
_AMOUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*[A-Za-z]|[A-Za-z]+\d*|\d+")


def parse(text: str) -> Wish:
    """Take a wish apart; every text is a wish, at worst one for lines that have its words."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(next(group for group in match.groups() if group is not None))
        return f"\ue000{len(held) - 1}\ue001"

    text = _QUOTED.sub(hold, text.translate(_QUOTES))
    times, text = _times(text)
    without: list[Ask] = []
    asks: list[Ask] = []
    for sentence in filter(str.strip, _SENTENCE.split(text)):
        rest, unwanted = _excluded(sentence, held)
        without += unwanted
        for clause in filter(str.strip, _CLAUSE.split(rest)):
            _join(asks, _ask(clause, held))
    return Wish(tuple(asks), _union(without), times)


def _times(text: str) -> tuple[tuple[str, str] | None, str]:
    match = _TIMES.search(text)
    if match is None:
        return None, text
    if match["from"]:
        times = (match["from"], match["to"])
    elif match["side"].lower() in ("after", "since"):
        times = (match["at"], "")
    else:
        times = ("", match["at"])
    return times, text[: match.start()] + " " + text[match.end() :]


def _excluded(sentence: str, held: list[str]) -> tuple[str, list[Ask]]:
    """A sentence without what it excludes, and what that is."""
    found = []
    for match in reversed(list(_WITHOUT.finditer(sentence))):
        ask = _ask(match["what"], held)
        if ask.kinds or ask.literals or ask.exact or ask.topics:
            found.append(ask)
            sentence = sentence[: match.start()] + " " + sentence[match.end() :]
    return sentence, found


def _join(asks: list[Ask], ask: Ask) -> None:
    """Add an ask; one that names nothing of its own says more about the one before."""
    if not asks:
        asks.append(ask)
        return
    before = asks[-1]
    only_quoted = ask.literals and not ask.kinds and not ask.topics
    same_kind = ask.kinds and ask.kinds <= before.kinds and not ask.exact and not ask.literals
    if ask.is_empty() or before.is_empty() or only_quoted or same_kind:
        asks[-1] = _union([before, ask])
    else:
        asks.append(_referring(ask, before))


def _referring(ask: Ask, before: Ask) -> Ask:
    """An ask that says "they" or "it" means what the one before spoke of."""
    if not ask.refers or ask.literals or ask.exact:
        return ask
    meant = [msgspec.structs.replace(topic, light=True) for topic in before.topics if not topic.telling]
    return msgspec.structs.replace(ask, topics=(*ask.topics, *(topic for topic in meant if topic not in ask.topics)))


def _union(asks: list[Ask]) -> Ask:
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
        order=next((ask.order for ask in asks if ask.order), ""),
        amount=max(ask.amount for ask in asks),
        words=tuple(dict.fromkeys(word for ask in asks for word in ask.words)),
        whole=any(ask.whole for ask in asks),
        mention=any(ask.mention for ask in asks),
    )


def _ask(text: str, held: list[str]) -> Ask:
    span, text = _span(text, held)
    begins, what, text = _begins(text, held)
    ends, text = _ends(text, held)
    wanted, text = demands(text)
    literals = tuple(held[int(index)] for index in _HELD.findall(text))
    text = _HELD.sub(" ", text)
    exact = tuple(dict.fromkeys(word for word in _EXACT.findall(text) if not _NOT_EXACT.match(word)))
    text = _EXACT.sub(lambda match: match.group() if _NOT_EXACT.match(match.group()) else " , ", text)
    plain = " ".join(corrected(word) for word in re.findall(r"[\w'’%-]+|[,()]", text.lower()))
    order = _ORDER.search(plain)
    kinds, left = _phrases(plain, lexicon().kinds)
    answers, left = _phrases(left, lexicon().answers)
    if kinds:
        left = re.sub(rf"\b(?:{'|'.join(lexicon().parts)})\b", " , ", left)
    return Ask(
        kinds=kinds,
        answers=answers,
        topics=tuple(_placed(_ORDER.sub(" ", _WHOLE.sub(" , ", left)))),
        literals=literals,
        exact=exact,
        begins=begins,
        begins_what=what,
        ends=ends,
        span=span,
        demands=tuple(wanted),
        order="" if order is None else ("first" if order["order"] in ("first", "earliest") else "last"),
        amount=_AMOUNTS.get(order["amount"], int(order["amount"]) if order["amount"].isdigit() else 1)
        if order and order["amount"]
        else 1,
        words=tuple(dict.fromkeys(word for word in re.findall(r"[a-z]{4,}", plain))),
        refers=re.search(r"\b(?:it|they|them|he|she|these|those)\b", plain) is not None,
        whole=_WHOLE.search(plain) is not None,
        mention=_MENTION.search(plain) is not None,
    )


def _span(text: str, held: list[str]) -> tuple[tuple[str, str] | None, str]:
    match = _SPAN.search(text)
    if match is None:
        return None, text
    return (held[int(match[1])], held[int(match[2])]), text[: match.start()] + " " + text[match.end() :]


def _begins(text: str, held: list[str]) -> tuple[str, str, str]:
    match = _BEGINS.search(text)
    if match is None:
        return "", "", text
    given = _HELD.fullmatch(match["with"])
    what = (match["what"] or "").lower()
    # "names that begin with": the word before says names of what.
    before = re.search(r"(\w+)\s+names?\s*$", text[: match.start("what")] + (match["what"] or ""), re.IGNORECASE)
    return (
        held[int(given[1])] if given else match["with"],
        (before[1].lower() if before else what),
        text[: match.start()] + " " + text[match.end() :],
    )


def _ends(text: str, held: list[str]) -> tuple[str, str]:
    match = _ENDS.search(text)
    if match is None:
        return "", text
    given = _HELD.fullmatch(match["with"])
    if given is None and not re.search(r"\W", match["with"].strip(".")):
        return "", text
    return held[int(given[1])] if given else match["with"], text[: match.start()] + " " + text[match.end() :]


def _phrases(text: str, groups: dict[str, tuple[str, ...]]) -> tuple[frozenset[str], str]:
    """Which groups a text names, and the text without the words that did; long phrases go first."""
    found = set()
    ordered = sorted(
        ((phrase, group) for group, phrases in groups.items() for phrase in phrases), key=lambda pair: -len(pair[0])
    )
    for phrase, group in ordered:
        ending = r"\w*" if len(phrase) >= 6 or phrase in ("skip", "warn", "cut") else ""
        written = re.escape(phrase).replace(r"\*", r"[\w'-]+")
        pattern = re.compile(rf"(?<![\w-]){written}{ending}(?![\w-])")
        if pattern.search(text):
            found.add(group)
            text = pattern.sub(" , ", text)
    return frozenset(found), text


def _placed(text: str) -> list[Topic]:
    """The topics of a clause; those of "while it installed ..." only say where, so that a line need not repeat them."""
    aside = _ASIDE.search(text)
    if aside is None:
        return _topics(text)
    about = _topics(text[: aside.start()] + " , " + text[aside.end() :])
    there = [msgspec.structs.replace(topic, telling=False, light=True) for topic in _topics(aside.group())]
    return list({topic.name: topic for topic in [*there, *about]}.values())


def _topics(text: str) -> list[Topic]:
    """What is left of a clause, as topics."""
    words = lexicon()
    found: list[Topic] = []
    for phrase, concept in _concept_phrases():
        ending = r"[a-z]*" if len(phrase) >= 4 else ""
        pattern = re.compile(rf"(?<![\w-]){re.escape(phrase)}{ending}(?![\w-])")
        matched = pattern.findall(text)
        if matched:
            text = pattern.sub(" , ", text)
            light = set(matched) <= words.light
            found.append(Topic(concept.name, concept.line, concept.telling and not light, light))
    for word in _WORD.findall(text):
        bare = word.lower().removesuffix("'s")
        if bare in words.stop or (len(bare) < 2 and not bare.isdigit()):
            continue
        found.append(Topic(bare, word_pattern(bare), light=bare in words.light))
    return list(dict.fromkeys(found))


def _concept_phrases() -> list[tuple[str, Concept]]:
    return sorted(
        ((phrase, concept) for concept in lexicon().concepts for phrase in concept.wish), key=lambda pair: -len(pair[0])
    )


_ENDINGS = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ied", "ers", "er", "ed", "es", "s", "y", "e")


def word_pattern(word: str) -> str:
    """A pattern for a word and its inflections, over small letters."""
    if word.isdigit():
        return rf"(?<![\d.]){word}(?![\d]|\.\d)"
    stem = word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            stem = word[: -len(ending)]
            break
    if len(stem) > 4 and stem[-1] == stem[-2]:
        stem = stem[:-1]
    if len(stem) < 4:
        return rf"(?<![a-z]){re.escape(word)}(?![a-z])"
    return rf"(?<![a-z]){re.escape(stem)}"
