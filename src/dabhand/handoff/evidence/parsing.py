"""A wish in words becomes a few asks: clauses, what they exclude, their kinds, names, numbers, order and topics."""

from __future__ import annotations

import re

import msgspec

from dabhand.handoff.evidence.excluding import is_everything, parted
from dabhand.handoff.evidence.lexicon import lexicon
from dabhand.handoff.evidence.quantities import Measure, demands
from dabhand.handoff.evidence.severity import levels_of, only_levels
from dabhand.handoff.evidence.spelling import corrected
from dabhand.handoff.evidence.wish import Ask, Wish, union
from dabhand.handoff.evidence.wording import methods_of, placed, weighed

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
_EXACT = re.compile(
    r"(?<![\w/.@-])(?:"
    r"(?:\d{1,3}\.){3}\d{1,3}(?::\d+|/\d+)?"  # addresses
    r"|https?://\S+|\[[A-Z]{3,}\]"
    r"|[~.]{0,2}/?(?:[\w.@+-]+/)+[\w.@+-]*"  # paths
    r"|[\w+-]*[A-Za-z_][\w+-]*(?:\.[A-Za-z]\w*)+(?:\(\))?"  # file and dotted names
    r"|\w+(?:::\w+)+"
    r"|\w*[A-Za-z]\w*_\w+|_\w+|\w+\(\)"
    r"|[A-Za-z]+-?\d[\w.-]*\w|[a-z]\w*-\d+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|--?[a-z][\w-]+"
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
    r"\b(?:whole|complete|full (?=error|text|message|block|trace|stack|output|report)|entire"
    r"|in full|completely|block|blocks|with (?:its|their|the|all)"
    r"|including (?:its|their|the)|everything about|code lines?|caret|stack|under it|below it"
    r"|underneath|traceback|details?)\b",
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
_COULD_NOT = re.compile(
    r"\b(?:could|can|did|would|was|were)(?: not|n't)(?: even| ever| really)?(?: be)? "
    r"(?!be\b|find|found|resol|exist|there|finish|complet)\w+"
)
_PRESUMES = re.compile(
    r"^[ ,]*(?:(?:please|pls|and|also|ok|hi|hey|can|could|you|would|i|need|want|show|give|get|tell"
    r"|find|me|us|quote|list|print|return|to"
    r"|know|see|just|only|from|in|at|on|of|for|with|by)[ ,]+)*(?:what|what's|whats|which|who|whom"
    r"|when|where|why|how|name|the)\b"
)
_WHETHER = re.compile(
    r"^[ ,]*(?:(?:and|also|ok|hi|hey|please|pls)[ ,]+)*(?:did|does|do|is|are|was|were|has|have|had|could anything)\b"
    r"|\b(?:any|anything|anybody|anyone|anywhere|ever|if|whether|there (?:is|are|was|were))\b"
)
_EXTREME = re.compile(
    r"\b(?:(?P<time>slowest|longest|(?P<least>fastest|quickest|shortest))|(?P<size>biggest|largest|(?P<less>smallest)))\b"
)
_ABBREVIATED = re.compile(r"\b(i\.e|e\.g|etc|vs|incl|resp)\.(?=\W)", re.IGNORECASE)
_OF_SUCCESS = re.compile(r"\bsuccessful (?=[a-z]{4,}s?\b)(?!build\b|run\b|test\b|in\b|with\b|after\b|when\b)")
_ADVERB = re.compile(r"(?<=ed )successfully\b|\bsuccessfully (?=\w+ed\b)")
_ALL = "\ue002"
_AMOUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}


def parse(text: str) -> Wish:
    """Take a wish apart; every text is a wish, at worst one for lines that have its words."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(next(group for group in match.groups() if group is not None))
        return f"\ue000{len(held) - 1}\ue001"

    text = _QUOTED.sub(hold, text.translate(_QUOTES))
    times, text = _times(_ABBREVIATED.sub(lambda match: match[1].replace(".", ""), text))
    without: list[Ask] = []
    asks: list[Ask] = []
    for sentence in filter(str.strip, _SENTENCE.split(text)):
        rest, unwanted = _excluded(sentence, held)
        without += unwanted
        for clause in filter(str.strip, [rest] if rest == _ALL else _CLAUSE.split(rest)):
            _join(asks, Ask(everything=True) if clause == _ALL else _ask(clause, held))
    return Wish(tuple(asks), tuple(without), times)


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
    rest, parts = parted(sentence)
    unwanted = [_unwanted(part, held) for part in parts]
    if not unwanted or all(ask.is_empty() and not (ask.demands or ask.order) for ask in unwanted):
        return sentence, []
    if is_everything(rest):
        rest = _ALL
    return rest, unwanted


def _unwanted(part: str, held: list[str]) -> Ask:
    levels = only_levels(part)
    return Ask(levels=levels) if levels else _ask(part, held)


def _join(asks: list[Ask], ask: Ask) -> None:
    """Add an ask; one that names nothing of its own says more about the one before."""
    if not asks:
        asks.append(ask)
        return
    before = asks[-1]
    only_quoted = ask.literals and not ask.kinds and not ask.topics
    same_kind = ask.kinds and ask.kinds <= before.kinds and not ask.exact and not ask.literals
    if ask.everything and not before.everything:
        return  # "the warnings, and nothing from pip": the other sentence says of what
    if before.everything and not ask.is_empty():
        asks[-1] = ask
    elif ask.is_empty() or before.is_empty() or only_quoted or same_kind:
        asks[-1] = union([before, ask])
    else:
        asks.append(_referring(ask, before))


def _referring(ask: Ask, before: Ask) -> Ask:
    """An ask that says "they" or "it" means what the one before spoke of."""
    if not ask.refers or ask.literals or ask.exact:
        return ask
    meant = [msgspec.structs.replace(topic, light=True) for topic in before.topics if not topic.telling]
    return msgspec.structs.replace(ask, topics=(*ask.topics, *(topic for topic in meant if topic not in ask.topics)))


def _ask(text: str, held: list[str]) -> Ask:
    span, text = _span(text, held)
    begins, what, text = _begins(text, held)
    ends, text = _ends(text, held)
    wanted, text = demands(text)
    literals = tuple(held[int(index)] for index in _HELD.findall(text))
    text = _HELD.sub(" ", text)
    levels, text = levels_of(text)
    methods, text = methods_of(text)
    exact = tuple(dict.fromkeys(word for word in _EXACT.findall(text) if not _NOT_EXACT.match(word)))
    text = _EXACT.sub(lambda match: match.group() if _NOT_EXACT.match(match.group()) else " , ", text)
    plain = " ".join(corrected(word) for word in re.findall(r"[\w'’%-]+|[,()]", text.lower()))
    plain = _ADVERB.sub(" ", _OF_SUCCESS.sub("accepted ", plain))
    order = _ORDER.search(plain)
    kinds, left = _phrases(plain, lexicon().kinds)
    answers, left = _phrases(left, lexicon().answers)
    whether = _WHETHER.search(plain) is not None
    if not kinds and _COULD_NOT.search(plain):
        kinds = frozenset({"thwarted"})
    if kinds:
        left = re.sub(rf"\b(?:{'|'.join(lexicon().parts)})\b", " , ", left)
    return Ask(
        kinds=kinds,
        answers=answers,
        topics=(*methods, *weighed(placed(_ORDER.sub(" ", _WHOLE.sub(" , ", left))), plain, kinds, whether)),
        literals=literals,
        exact=exact,
        begins=begins,
        begins_what=what,
        ends=ends,
        span=span,
        demands=tuple(wanted),
        extreme=_extreme(plain),
        order="" if order is None else ("first" if order["order"] in ("first", "earliest") else "last"),
        amount=_AMOUNTS.get(order["amount"], int(order["amount"]) if order["amount"].isdigit() else 1)
        if order and order["amount"]
        else 1,
        words=tuple(dict.fromkeys(word for word in re.findall(r"[a-z]{4,}", plain))),
        presumes=_PRESUMES.search(plain) is not None and not whether,
        whether=whether,
        either=re.search(r"\bor\b", plain) is not None,
        refers=re.search(r"\b(?:it|they|them|he|she|these|those)\b", plain) is not None,
        whole=_WHOLE.search(plain) is not None,
        mention=_MENTION.search(plain) is not None,
        levels=levels,
    )


def _extreme(text: str) -> tuple[Measure, bool] | None:
    match = _EXTREME.search(text)
    if match is None:
        return None
    measure: Measure = "duration" if match["time"] else "size" if match["size"] else "number"
    return measure, not (match["least"] or match["less"])


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
        ending = r"\w*" if (len(phrase) >= 6 and " " not in phrase) or phrase in ("skip", "warn", "cut") else "s?"
        written = re.escape(phrase).replace(r"\*", r"[\w'-]+")
        pattern = re.compile(rf"(?<![\w-]){written}{ending}(?![\w-])")
        if pattern.search(text):
            found.add(group)
            text = pattern.sub(" , ", text)
    return frozenset(found), text
