"""What becomes of a request that is no plan: which part of it does not fit, and why."""

from __future__ import annotations

from typing import Literal

import msgspec

Reason = Literal[
    "unread", "ambiguous", "several", "filter", "open_number", "numbers", "not_named", "nested", "change", "nothing"
]
"""Words left over; two readings; two wishes or several files; a filter that no plan has; a number that is left open;
numbers that contradict each other; nothing named; a field within a field; a wish to change something; no wish."""


class Abstained(msgspec.Struct, frozen=True):
    """No plan.

    Attributes:
        message: one sentence for people.
        part: the part of the request that does not fit; empty where it is the whole.
        hint: what to do about it.
        lm_calls: how many times a language model was asked in vain.
    """

    reason: Reason
    message: str
    part: str = ""
    hint: str = "Say it differently, or give a ready plan with --plan."
    lm_calls: int = 0


class Unfit(Exception):
    """What is said goes together to no plan.

    Attributes:
        understood: it is clear what is wanted, and no plan does that: no other reading is to be taken instead.
    """

    def __init__(self, reason: Reason, message: str, hint: str = "", *, understood: bool = False) -> None:
        super().__init__(message)
        self.abstained = Abstained(reason, message, hint=hint) if hint else Abstained(reason, message)
        self.understood = understood
