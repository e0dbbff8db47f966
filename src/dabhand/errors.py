"""The one family of errors: each says in a sentence what is wrong and, in a hint, what to do about it."""

from __future__ import annotations

from typing import Any


class DabhandError(Exception):
    """Root of every error that dabhand raises on purpose.

    Attributes:
        code: a stable word that programs can match on.
        exit_code: the process exit status that the command line maps it to (contracts.md).
        message: one sentence: what is wrong, and where.
        hint: what to do about it; may be empty.
    """

    code = "error"
    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(DabhandError):
    """The caller gave words or input that cannot be used."""

    code = "usage"
    exit_code = 2


class TemplateError(UsageError):
    """A command template or a filling that does not fit it."""

    code = "template"


class StateError(UsageError):
    """A folder description (JSON state) that is no folder."""

    code = "state"


class StoreError(UsageError):
    """The store cannot be used: newer version, not a store, unreadable."""

    code = "store"


class NotUnderstood(DabhandError):
    """Abstained: not understood, not trusted, or not allowed.

    Attributes:
        readings: the goals that a request can be taken as, where it can be taken in several ways.
        lm_calls: how many times a language model was asked in vain.
    """

    code = "abstained"
    exit_code = 3
    readings: tuple[Any, ...] = ()
    lm_calls: int = 0


class NotConfined(DabhandError):
    """A path that leads out of the root, or that changed while it was walked."""

    code = "not_confined"
    exit_code = 2


class Conflict(DabhandError):
    """The folder was changed by somebody else since it was looked at."""

    code = "conflict"


class SandboxUnavailable(DabhandError):
    """There is no safe place to run commands on this machine."""

    code = "sandbox_unavailable"
    exit_code = 4


class SandboxFault(DabhandError):
    """The sandbox itself broke (its worker died); says nothing about the command's own outcome."""

    code = "sandbox_fault"


class LanguageError(DabhandError, ValueError):
    """A term that does not parse, does not type, or has no value."""

    code = "language"
    exit_code = 2
