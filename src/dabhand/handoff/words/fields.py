"""One field of a JSON file."""

from __future__ import annotations

from dabhand.goals.rules import NoReading
from dabhand.handoff.words.terminals import Place, Said, add


def _key(*values: str | None) -> Said:
    return (("key", next(value for value in values if value is not None)),)


_WORD = "KEY"
add(
    "PIECE",
    _key,
    "{det} [json | top-level | top level] {field} [{called}] " + _WORD,
    "{det} " + _WORD + " (field | key | property | attribute | member)",
    "{det} (value | contents | content) of {det} [json | top-level | top level] [{field}] [{called}] " + _WORD,
    "{det} (value | contents | content) of {det} " + _WORD + " {field}",
    "{det} " + _WORD + " (field | key | property)'s value",
    "{det} (value | content) (for | under | at | associated with | stored under | stored in | assigned "
    "to | that belongs to) {det} [{field}] " + _WORD,
    "{det} " + _WORD + " value",
)


def _of_json(key: str, quoted: str | Place | None, place: Place | None = None) -> Said:
    """A bare word is a key where the file says that it is JSON: the version in package.json."""
    if place is None:
        place, quoted = quoted, None  # type: ignore[assignment]
    if not isinstance(place, Place) or not (place.kind == "json" or place.path.lower().endswith(".json")):
        raise NoReading
    return (("key", key), ("path", place))


add(
    "PIECE",
    lambda key, place: _of_json(key, None, place),
    "{det} KEY (in | of | from | inside | within | stated in | given in | defined in | declared in | "
    "listed in | specified in | set in | recorded in) FILE",
)
add("PIECE", lambda place, key: _of_json(key, None, place), "FILE 's KEY")
