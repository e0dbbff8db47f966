"""How clauses make a request: one after the other, one by means of another, under a condition, with courtesies."""

from __future__ import annotations

import msgspec

from dabhand.goals.acts import (
    IT,
    SOURCES,
    Acts,
    Append,
    Changed,
    Copy,
    Delete,
    FileText,
    Guard,
    Hold,
    Joined,
    Keep,
    MakeExecutable,
    MakeFile,
    Mention,
    Move,
    Tell,
    Write,
)
from dabhand.goals.frames import placed
from dabhand.goals.rules import NoReading
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

# -- one clause, in all its forms -------------------------------------------------------------------------------------

add(
    "SAYING",
    lambda acts, more=(): acts + (more or ()),
    "CLAUSE {ways}",
    "{ways} [,] CLAUSE",
    "DONE_SO [[,] and [{then}] TOO]",
    "DONE [[,] and [{then}] TOO]",
    "{wanted} DONE [[,] and [{then}] TOO]",
    "{ask_doing} DOING",
    "use (sort|grep|cat|tac|rev|sed|awk|head|tail|wc|ls|cp|mv|rm|mkdir|touch|chmod|echo|uniq|paste) to CLAUSE",
)
add("TOO", lambda acts, more=(): acts + (more or ()), "DONE_TOO [[,] and [{then}] TOO]")


def _speaks_of_it(acts: Acts) -> bool:
    """Whether the first of acts is about what was spoken of before."""
    return bool(acts) and _about_it(acts[0])


def _about_it(value: object) -> bool:
    match value:
        case FileText(path) | MakeExecutable(path) | Delete(path):
            return path == IT
        case Changed(of=of):
            return _about_it(of)
        case Joined(parts):
            return any(map(_about_it, parts))
        case Hold(content) | Tell(content):
            return _about_it(content)
        case Write(content, path) | Append(content, path):
            return path == IT or _about_it(content)
        case Copy(source) | Move(source):
            return source == IT
    return False


@rule("SAYING", "(in|for|with|from|regarding|concerning|about) FILE [,|:] [please] CLAUSE", "FILE : CLAUSE")
def _about(path: str, acts: Acts) -> Acts:
    if path.startswith("\0") or not _speaks_of_it(acts):
        raise NoReading
    return (Mention(path), *acts)


@rule("SAYING", "({in}|go (into|to)|change (into|to)|cd (into|to)|enter|open) FOLDER [,|:] [and] [then] [there] CLAUSE")
def _in_folder(folder: str, acts: Acts) -> Acts:
    if folder.startswith("\0") or any(isinstance(act, Copy | Move) and act.into is not None for act in acts):
        raise NoReading
    return tuple(placed(act, folder) for act in acts)


# -- one by means of, after, or before another ------------------------------------------------------------------------

_NEXT = "[,] [{then}] [please] {courtesy}"
add("CHAIN", lambda acts, more=(): acts + (more or ()), "DOING [[,] and [{then}] CHAIN]", "DOING , [{then}] CHAIN")
add(
    "SAYING",
    lambda first, second: first + second,
    "{after} CHAIN " + _NEXT + " CLAUSE",
    "[by] CHAIN [,] CLAUSE",
    "CLAUSE , CHAIN",
    "CLAUSE [,] and CHAIN",
)
add("SAYING", lambda second, first: first + second, "CLAUSE [,] {after} CHAIN", "CLAUSE [,] {after} [the file] DONE")


@rule("SAYING", "{before} CHAIN [,] [please] CLAUSE")
def _before(later: Acts, acts: Acts) -> Acts:
    return (Mention(_subject(later)), *acts, *later)


@rule("SAYING", "CLAUSE [,] {before} CHAIN")
def _then_before(acts: Acts, later: Acts) -> Acts:
    return acts + later


def _subject(acts: Acts) -> str:
    """What acts are about, where that is one thing said by name."""
    match acts[0]:
        case Delete(path) | MakeExecutable(path) | Copy(path) | Move(path):
            found = path
        case _:
            raise NoReading
    if found.startswith("\0"):
        raise NoReading
    return found


@rule(
    "SAYING",
    "({make}|get|obtain|produce) TARGET [from FILE] by CHAIN",
    "by CHAIN [,] ({make}|get|obtain|produce) TARGET",
)
def _by(first: object, second: object, third: object = None) -> Acts:
    given = [one for one in (first, second, third) if one is not None]
    target, *sources = [one for one in given if isinstance(one, str)]
    (acts,) = [one for one in given if isinstance(one, tuple)]
    if not isinstance(acts[-1], Hold):
        raise NoReading
    start: Acts = tuple(Mention(source) for source in sources)
    return (*start, *acts, Write(FileText(IT), target))


# -- what is to stay as it is -----------------------------------------------------------------------------------------

add(
    "KEPT",
    lambda entries: tuple(Keep(path) for path, _ in entries),
    "{leave} ENTRIES {unchanged}",
    "{without_changing} ENTRIES",
    "ENTRIES [itself|themselves] (stays|remains|stay|remain) {unchanged}",
    "ENTRIES {should} (stay|remain|be left|not (change|be (changed|touched|modified))) [{unchanged}]",
)
add(
    "KEPT",
    lambda entries: tuple(Keep(path) for path, _ in entries),
    "{leave} ENTRIES",
    "(do not|don't) (change|touch|modify|delete|edit) ENTRIES [itself]",
)
add(
    "KEPT",
    lambda: (Keep(""),),
    "{leave} {rest} [{unchanged}]",
    "{without_changing} {rest}",
    "{rest} {should} (stay|remain|be left|be|not (change|be (changed|touched))) [{unchanged}]",
    "nothing else (should|must|may|is to) (change|be (changed|touched|modified))",
    "and nothing else",
    "(do not|don't) (change|touch|modify|delete|edit) {rest}",
    "with {rest} {unchanged}",
    "without changing anything else",
    "{rest} (stays|remains) {unchanged}",
)
add("SAYING", lambda acts, kept: acts + kept, "CLAUSE [,|.|;|-|⟨] [and|but] KEPT [⟩]", "DONE_SO [,|.|;] [and|but] KEPT")
add("SAYING", lambda kept, acts: kept + acts, "KEPT [,|.|;] [and|but] [also] [please] {courtesy} CLAUSE")
add(
    "KEPT",
    lambda: (Keep(SOURCES),),
    "{without_changing} (either [of (them|the two)]|the (originals|original [files]|two files|sources|source files))",
)
_EMPTY_ONLY = (
    "CLAUSE {thanks} [,|.|;|?|!] [and] (leave it|it (should|must|can) be|which is|leaving it|keep it) (empty|blank)"
)


@rule("SAYING", _EMPTY_ONLY)
def _made_empty(acts: Acts) -> Acts:
    if not (len(acts) == 1 and isinstance(acts[0], MakeFile) and acts[0].content is None):
        raise NoReading
    return acts


# -- conditions that the folder itself decides ------------------------------------------------------------------------

_IS_THERE = "(exists|is there|is present|already exists|is in the folder|exists already)"
_NOT_THERE = (
    "(does not exist|doesn't exist|is not there|isn't there|is missing|does not [already] exist|"
    "doesn't [already] exist|does not exist yet|doesn't exist yet)"
)
add(
    "GUARD",
    lambda path: Guard(path),
    "(if|when|in case|provided [that]|only if|as long as) FILE_OR_FOLDER " + _IS_THERE,
)
add("GUARD", lambda path: Guard(path), "if there is (a|an) [{file}|{folder}] [{named}] PATH")
add(
    "GUARD",
    lambda path: Guard(path, False),
    "(if|when|in case|provided [that]|only if|as long as) FILE_OR_FOLDER " + _NOT_THERE,
)
add(
    "GUARD",
    lambda path: Guard(path, False),
    "(unless|except if) FILE_OR_FOLDER " + _IS_THERE,
    "if there is no [{file}|{folder}] [{named}] PATH",
)
add("FILE_OR_FOLDER", lambda entry: entry[0], "ENTRY")
add("SAYING", lambda guard, acts: (guard, *acts), "GUARD [,] [then] [please] CLAUSE")


@rule("SAYING", "CLAUSE [,|⟨] [but] GUARD [⟩]")
def _guarded(acts: Acts, guard: Guard) -> Acts:
    if guard.path != IT:
        return (guard, *acts)
    match acts:
        case (Delete(path),) if guard.exists:
            return (msgspec.structs.replace(guard, path=path), *acts)
        case (Copy(target=path, into=into) | Move(target=path, into=into),) if not guard.exists and into is not True:
            return (msgspec.structs.replace(guard, path=path), *acts)
    raise NoReading  # "it" may be what is made or what it is made of


# -- requests ---------------------------------------------------------------------------------------------------------

_LINK = "((,|;|.|!|?|-|–) [and|but also] [{then}] [,]|and [{then}] [,]|{then} [,])"
_END = "{thanks} [.|!|?|⟩] [.] [.]"


@rule("REQUEST", "{courtesy} {courtesy} {first_of_all} [,] {courtesy} SAYING {thanks} " + _LINK + " NEXT")
@rule("NEXT", "{courtesy} SAYING {thanks} " + _LINK + " NEXT")
@rule("NEXT", "{courtesy} SAYING " + _END, "KEPT " + _END)
@rule("REQUEST", "{courtesy} {courtesy} {first_of_all} [,] {courtesy} SAYING " + _END)
def request(first: Acts, rest: Acts | None = None) -> Acts:
    """Clauses in the order in which they are said."""
    return first + (rest or ())
