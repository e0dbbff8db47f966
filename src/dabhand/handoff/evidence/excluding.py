"""What a wish does not want: "everything except INFO", "requests that are not GET", "errors but not the timeouts"."""

from __future__ import annotations

import re
from functools import cache

from dabhand.handoff.evidence.lexicon import OF_FAILING, lexicon

_END = r"(?=(?:[.?!;](?=\s|$)|$|,?\s+(?:please|pls|which|what|show|give|return|how|but|just|only|i)\b|\)|\s-\s))"
_WORDS = (
    r"except(?:ing)?(?: for)?|excluding|exclude[sd]?|ignor(?:e|ing)|other than|apart from|aside from|besides"
    r"|disregard(?:ing)?|but (?:not|no)|rather than|instead of|save for|not counting|not including|minus"
    r"|neither|skip(?:ping)?(?: the)?(?= (?:the|all|any|lines))|omit(?:ting)?"
    r"|leav(?:e|ing) (?:aside|away)|drop(?=\s+(?:the|all|any)\b)"
)
_OUT = r"(?:leav(?:e|ing)|filter(?:ing)?|cut(?:ting)?|rul(?:e|ing)) out"
_ALL_BUT = r"(?<=everything)\s+but|(?<=anything)\s+but|(?<=all)\s+but|(?<=all lines)\s+but|(?<=every line)\s+but"
_BARE_NOT = (
    r"(?:^|[,(;]|\band)\s*(?:but\s+)?(?:not|no|without|nothing (?:of|from|about))"
    r"(?! (?:longer|matter|one|yet|only|just|found|need)\b)"
)
_HAVING = (
    r"(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:e|es|ing)|hav(?:e|ing)|match(?:es|ing)?|get|give|return|say|show"
    r"|use|come from|belong to|speak of|talk about|refer to|concern|carry|hold)"
)
_RELATIVE = (
    r"(?:(?:that|which|who)\s+)?(?:do|does|did)(?: not|n't|nt)\s+"
    + _HAVING
    + r"\b(?:\s+(?:the words?|the text|anything (?:about|of)))?"
)
_NOT_HAVING = (
    r"\bnot (?:containing|mentioning|including|having|matching|using|coming from|belonging to|about|from|by|in|of"
    r"|concerning|related to)\b"
)
_IS_NOT = r"(?:(?:that|which|who)\s+)?(?:are|is|was|were|have|has|had)(?: not|n't|nt)(?: been)?"
_MARKED = re.compile(
    rf"(?:\b{_OUT}|\b(?:{_WORDS})|{_ALL_BUT}|{_BARE_NOT}|\bwithout|\b{_RELATIVE}|{_NOT_HAVING})\s+(?P<what>.+?){_END}",
    re.IGNORECASE,
)
_NOT_SO = re.compile(rf"\b(?P<verb>{_IS_NOT})\s+(?P<what>.+?){_END}", re.IGNORECASE)
_NOT_AT = re.compile(
    rf"(?:(?:that|which)\s+)?(?:(?:do|does|did)(?: not|n't|nt)|\bnot)\s+"
    rf"(?P<what>(?:start|begin|end)(?:n?ing)?\s+(?:with|in)\s+.+?){_END}",
    re.IGNORECASE,
)
_NOT_A = re.compile(rf"\bnot (?=the (?:one|ones|lines)\b)(?P<what>.+?){_END}", re.IGNORECASE)
_NON = re.compile(r"(?<![\w-])[Nn]on-(?P<what>[A-Z]{2,}\w*|\d{3}|(?:info|debug|error|warning)\b)(?:s\b)?")
_LEAD = re.compile(
    r"^(?:(?:the|a|an|any|all|those|these|of|lines?|entries|messages?|ones|requests?|which|that|with|about|from|in|by|for"
    r"|contain(?:s|ing)?|mention(?:s|ing)?|are|is|say(?:ing)?|merely|just|purely|only)\s+)+",
    re.IGNORECASE,
)
_NAMELY = re.compile(
    r"^(?:from|about|in|by|of|for|to|at|on|with|under|part of|related to|caused by|due to|an?|the)\b", re.IGNORECASE
)
_STATE = re.compile(
    r"^(?:\w+(?:ed|en|ing|able|ible|ful)|ready|ok|valid|there|found|set|run|done|met|alive|up|so|yet|green|sent|built|read|"
    r"put|kept|left|lost|made|known|shown|defined|compatible|unique|equal|safe|secure)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*(?:,|;|&|\(|\band\b|\bor\b|\bnor\b)\s*", re.IGNORECASE)
_EVERYTHING = re.compile(
    r"(?:(?:please|show|give|return|list|print|quote|get|me|us|i|want|need|like|would|see|the|all|any|every|each|just|only|"
    r"everything|anything|whatever|rest|remaining|remains?|remainder|others?|else|of|in|from|it|this|that|is|are|there|lines?|"
    r"entries|entry|messages?|records?|rows?|logs?|output|file|text|then|to|and|which|what)\b\s*|,\s*)*[.?!]*",
    re.IGNORECASE,
)
_GETTING = re.compile(r"n[o']?t (?:get|give|return|have|use|say|hold)\b", re.IGNORECASE)
_WHETHER_NOT = re.compile(r"\s*(?:did|does|was|were|is|are|has|have)\b", re.IGNORECASE)


def parted(sentence: str) -> tuple[str, list[str]]:
    """A sentence without what it excludes, and each thing that it excludes."""
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        what = match["what"]
        # "did it end without warnings?" is about warnings
        if _WHETHER_NOT.match(sentence) and "without" in match.group().lower():
            return match.group()
        if (match.re is _NOT_SO or _GETTING.search(match.group())) and not _excludes(what):
            return match.group()
        found.extend(filter(None, (_LEAD.sub("", part).strip() for part in _PARTS.split(what))))
        return " "

    for pattern in (_NON, _NOT_AT, _NOT_SO, _MARKED, _NOT_A):
        sentence = pattern.sub(take, sentence)
    return sentence, found


def is_everything(text: str) -> bool:
    """Whether what is left of a wish says that all lines are wanted."""
    return _EVERYTHING.fullmatch(text.strip()) is not None


def _excludes(what: str) -> bool:
    """Whether what is said not to be is a mark of lines; "not installed" and "not ready" are what lines say."""
    first = what.lower().split()[0]
    if _NAMELY.match(what) or what[:2].isupper() or first.endswith(("ion", "ions", "ers", "ors")):
        return True
    if what.lower().startswith(_events(failing=True)):
        return True  # "not skipped", "not deprecated": no line says so
    return _STATE.match(what) is None and not what.lower().startswith(_events(failing=False))


@cache
def _events(*, failing: bool) -> tuple[str, ...]:
    """How wishes name what happened: what is said where it happened, or what is said where it did not."""
    named = [concept for concept in lexicon().concepts if concept.telling and (concept.name in OF_FAILING) == failing]
    phrases = [phrase for concept in named for phrase in concept.wish if not phrase.startswith("not ")]
    return (*phrases, *(("skipp", "cached", "disabled", "stopped") if failing else ()))
