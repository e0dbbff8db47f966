"""Which names a glob or a text chooses."""

from __future__ import annotations

from collections.abc import Callable


def chooser(glob: str | None, value: str | None, *, ignore_case: bool, hidden: bool) -> Callable[[str], bool]:
    """Whether a name is wanted; one that begins with a point only if `hidden`, or if the glob begins with one too."""
    tests: list[Callable[[str], bool]] = []
    if not hidden and not (glob or "").startswith("."):
        tests.append(lambda name: not name.startswith("."))
    if glob is not None:
        tests.append(_glob_test(glob, ignore_case))
    if value is not None:
        wanted = value.casefold() if ignore_case else value
        tests.append(lambda name: wanted in (name.casefold() if ignore_case else name))
    return lambda name: all(test(name) for test in tests)


def _glob_test(glob: str, ignore_case: bool) -> Callable[[str], bool]:
    import re
    from fnmatch import translate

    match = re.compile(translate(glob), re.IGNORECASE if ignore_case else 0).match
    return lambda name: match(name) is not None
