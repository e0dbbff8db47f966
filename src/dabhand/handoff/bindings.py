"""Targets: names for files or folders, bound to one request as references that no path and no word can be mistaken for.

What translates a request sees `file_1` where the request says `{{build}}`; what comes back is restored before anything
is validated, run or shown. Only the path of a plan is ever restored: a text that is looked for, and every line that
comes back, stays as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from dabhand.errors import UsageError
from dabhand.handoff.plan import Plan

MOST = 16
_MENTION = r"\{\{([^{}]*)\}\}"  # compiled when a request comes: a ready plan has none
_NAME_HINT = "Write it as {{name}}, with one target of that name."

TargetKind = Literal["file", "folder"]
Path = str | os.PathLike[str]
Targets = Mapping[str, Path] | Sequence[tuple[str, Path]]


class BindingError(UsageError):
    """Targets and request do not fit together."""

    code = "binding"


class Reference(msgspec.Struct, frozen=True):
    """What stands for a target while a request is translated.

    Attributes:
        reference: such as `file_1`.
        name: of the target.
        path: of the file or folder, relative to the root.
        kind: what is there.
    """

    reference: str
    name: str
    path: str
    kind: TargetKind


class Bound(msgspec.Struct, frozen=True):
    """A request whose targets are bound.

    Attributes:
        request: as it is translated, with references.
        shown: as it is told, with paths.
        references: each target once, in the order of the request.
    """

    request: str
    shown: str
    references: tuple[Reference, ...] = ()

    @property
    def kinds(self) -> dict[str, str]:
        """What each reference is: a "file", a "folder", or "json" for a file that its name says is JSON."""
        return {each.reference: "json" if _is_json(each) else each.kind for each in self.references}

    def restored(self, plan: Plan) -> Plan:
        """The plan with the target's own path instead of its reference."""
        for each in self.references:
            if plan.path == each.reference:
                return msgspec.structs.replace(plan, path=each.path)
        return plan

    def plain(self, text: str) -> str:
        """A sentence for people with `{{name}}` instead of references."""
        for each in self.references:
            mention = "{{" + each.name + "}}"
            text = re.sub(rf"\b{each.reference}\b", mention.replace("\\", r"\\"), text)
        return text


def _is_json(each: Reference) -> bool:
    return each.kind == "file" and each.path.casefold().endswith(".json")


def checked_names(targets: Targets) -> dict[str, str]:
    """Targets by name.

    Raises:
        BindingError: too many, an empty name or path, a name twice or one that cannot be mentioned.
    """
    pairs = list(targets.items()) if isinstance(targets, Mapping) else list(targets)
    if len(pairs) > MOST:
        raise BindingError(f"There are {len(pairs)} targets.", f"Name at most {MOST} in one request.")
    found: dict[str, str] = {}
    for name, given in pairs:
        path = os.fsencode(given).decode("utf-8", "surrogateescape") if isinstance(given, os.PathLike) else given
        if not isinstance(name, str) or not isinstance(path, str):
            raise BindingError(f"The target {name!r} is no text.", "Name a path for it.")
        if not name.strip():
            raise BindingError(f"The target for {path!r} has no name.", "Write NAME=PATH.")
        if name != name.strip() or any(letter in "{}" or not letter.isprintable() for letter in name):
            raise BindingError(f"The target name {name!r} cannot be mentioned in a request.", "Use letters and digits.")
        if not path:
            raise BindingError(f"The target {name!r} has an empty path.", "Write NAME=PATH; the root itself is '.'.")
        if name in found:
            raise BindingError(f"The target {name!r} is given twice.", "Name each target once.")
        found[name] = path
    return found


def mentions(request: str) -> list[str]:
    """The names that a request mentions, in order.

    Raises:
        BindingError: a mention is empty or comes twice.
    """
    names = [found.group(1).strip() for found in re.finditer(_MENTION, request)]
    for place, name in enumerate(names):
        if not name:
            raise BindingError("The request mentions a target without a name: '{{}}'.", _NAME_HINT)
        if name in names[:place]:
            raise BindingError(f"The request mentions {{{{{name}}}}} twice.", "Mention each target once.")
    return names


def bound(request: str, targets: Mapping[str, str], kinds: Mapping[str, TargetKind]) -> Bound:
    """Bind targets to a request.

    Args:
        request: with `{{name}}` where a target is meant.
        targets: paths by name, checked and known to exist.
        kinds: what is at each, by name.

    Raises:
        BindingError: one that is mentioned is not there, or one that is there is not mentioned.
    """
    names = mentions(request)
    for name in names:
        if name not in targets:
            raise BindingError(f"The request mentions {{{{{name}}}}}, which is no target.", _NAME_HINT)
    for name in targets:
        if name not in names:
            raise BindingError(f"The target {name!r} is not mentioned in the request.", _NAME_HINT)
    references: dict[str, Reference] = {}
    for name in names:
        reference = _fresh(request, targets, {each.reference for each in references.values()})
        references[name] = Reference(reference, name, targets[name], kinds[name])

    def put(text: str, field: str) -> str:
        return re.sub(_MENTION, lambda found: str(getattr(references[found.group(1).strip()], field)), text)

    return Bound(put(request, "reference"), put(request, "path"), tuple(references.values()))


def _fresh(request: str, targets: Mapping[str, str], taken: set[str]) -> str:
    """The first of file_1, file_2, ... that neither the request nor a path holds."""
    texts = (request.casefold(), *(path.casefold() for path in targets.values()))
    number = 1
    while f"file_{number}" in taken or any(_said(text, number) for text in texts):
        number += 1
    return f"file_{number}"


def _said(text: str, number: int) -> bool:
    return re.search(rf"file_{number}(?![0-9])", text) is not None
