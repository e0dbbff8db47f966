"""One word for another: where it stands, in which file, and what is said of a file that has the wrong one."""

from __future__ import annotations

from dabhand.goals.acts import IT, Acts, Changed, FileText
from dabhand.goals.changing import THE_TEXT, held
from dabhand.goals.frames import deed
from dabhand.goals.steps import said_of
from dabhand.goals.words import ENGLISH, WholeWord

add = ENGLISH.add


def _replace(old: str | WholeWord, new: str | WholeWord, path: str, dest: str | None = None) -> Acts:
    return held(Changed(*said_of("replaced", old, new), FileText(path)), dest, path)


def _replace_in(old: str | WholeWord, path: str, new: str | WholeWord, dest: str | None = None) -> Acts:
    return _replace(old, new, path, dest)


def _in_file(path: str, old: str | WholeWord, new: str | WholeWord, dest: str | None = None) -> Acts:
    return _replace(old, new, path, dest)


def _replace_it(old: str | WholeWord, new: str | WholeWord, dest: str | None = None) -> Acts:
    return held(Changed(*said_of("replaced", old, new), THE_TEXT), dest, IT)


_OLD = "{occurrence} LITERAL"
deed(_replace, "replace", _OLD, "{with} LITERAL {everywhere} {of} FILE {everywhere} [DEST]")
deed(_replace_in, "replace", _OLD + " {everywhere} {of} FILE", "{with} LITERAL {everywhere} [DEST]")
add(
    "CLAUSE",
    _in_file,
    "{of} FILE [,] [please] {replace} " + _OLD + " {with} LITERAL {everywhere} [DEST]",
    "{of} FILE [,] " + _OLD + " {should_be} {replace_ed} {with} LITERAL {everywhere}",
)
deed(
    lambda old, path, dest=None: _replace(old, "", path, dest),
    "delete",
    "{occurrences} LITERAL {of} FILE",
    "[DEST]",
)
_IN_PLACE = "(replace|change|swap|exchange|swap out|substitute)"
add("CLAUSE", _replace_it, _IN_PLACE + " " + _OLD + " {with} LITERAL {everywhere} [{of} {it}]")
add("DOING", _replace_it, "{replace_ing} " + _OLD + " {with} LITERAL {everywhere} [{of} {it}]")
add("DONE_TOO", _replace_it, _OLD + " {be} {replace_ed} {with} LITERAL")
add(
    "CLAUSE",
    lambda path, old, new: _replace(old, new, path),
    "{of} FILE [,] (write|use|put) LITERAL instead of LITERAL_",
)
add("LITERAL_", lambda text: text, "LITERAL")


def _substitute(new: str | WholeWord, old: str | WholeWord, path: str, dest: str | None = None) -> Acts:
    return _replace(old, new, path, dest)


add("CLAUSE", _substitute, "{substitute} LITERAL for " + _OLD + " {everywhere} {of} FILE {everywhere} [DEST]")
add(
    "CLAUSE",
    lambda path, new, old, dest=None: _replace(old, new, path, dest),
    "{of} FILE [,] {substitute} LITERAL for " + _OLD + " {everywhere} [DEST]",
)
deed(_replace, "substitute", _OLD, "(with|by) LITERAL {everywhere} {of} FILE {everywhere} [DEST]")

# A file that is said to have one thing and should have another is a wish as soon as somebody is asked to mend it.
_HAS, _SHOULD = "(says|has|reads|contains|spells)", "(where|but|when) (it|there) (should|ought to) (say|be|read|have)"
_MEND = "[;|.|,] [and] {courtesy} (correct|fix|change|mend|repair|put right) (that|this|it) {everywhere}"
add(
    "CLAUSE",
    lambda path, old, new: _replace(old, new, path),
    f"FILE {_HAS} LITERAL {_SHOULD} LITERAL_ {_MEND}",
    f"FILE {_HAS} LITERAL instead of LITERAL_ {_MEND}",
)
