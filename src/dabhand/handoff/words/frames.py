"""What frames a request: verbs, courtesies, how the answer is to be written."""

from __future__ import annotations

from dabhand.goals.rules import NoReading
from dabhand.handoff.words.terminals import Place, Said, add


def _verb(name: str) -> Said:
    return ((f"v:{name}", True),)


for _name in ("show", "find", "list"):
    add("PIECE", lambda name=_name: _verb(name), f"{{{_name}}}", f"({{{_name}}}) for")
add("PIECE", lambda: (("count", True),), "{count}")
add("PIECE", lambda: (*_verb("find"), ("searching", True)), "{search_in} for")
add(
    "PIECE",
    lambda: (("ends", True),),
    "(tail | head)",
    "(show | print | read | see | get) (me | us) the (tail | end | head | start | beginning) of",
)
add("PIECE", lambda: _verb("show"), "what is", "what's", "what are", "what does", "which is", "what", "what do")
add("PIECE", lambda: (("content", True),), "(say | says | hold | contain | contains | look like | looks like)")


def _folder(place: Place) -> Place:
    if place.kind != "folder":
        raise NoReading
    return place


def _object(place: Place, verb: str) -> Said:
    return (("path", place), *_verb(verb))


add(
    "PIECE",
    lambda place: _object(place, "show"),
    "{show} FILE",
    "{show} SAID_FOLDER",
    "{show} JOINED",
    "what does FILE",
    "what's in FILE",
)
add("PIECE", lambda place: _object(_folder(place), "show"), "{show} NAMED")
add("PIECE", lambda place: _object(place, "list"), "{list} FOLDER", "{list} FILE")
add(
    "PIECE",
    lambda place: (("path", place), ("content", True)),
    "{det} [whole | entire | full] (FILE | FOLDER) (contents | content | text)",
    "{det} contents of (FILE | FOLDER)",
    "{det} (FOLDER | FILE) listing",
)
add(
    "PIECE",
    lambda place: (("path", place), ("count", True), ("lines", True)),
    "how many {lines} (does | do | has | is) FILE [{have}]",
    "how many {lines} (are | are there | is) {in} FILE",
    "how long is FILE in lines",
    "{line_count} {in} FILE",
)
add(
    "PIECE",
    lambda: (),
    "{neutral}",
    "{how_to}",
    "{format}",
    "(using | with | via | through | use) {tool} [to]",
    "use {tool} and",
    "{tool} to",
)
