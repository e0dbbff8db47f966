"""What the world model says will happen, and how sure it is."""

from __future__ import annotations

import math

import msgspec

from dabhand.workspace import State

TRUSTED = 0.85
"""Confidence from which a prediction may be planned with."""

DOUBT = 0.3
"""The confidence is a lower bound that the true rate lies above with probability 1 - DOUBT (uniform prior)."""


class Prediction(msgspec.Struct, frozen=True):
    """The whole outcome expected of one filling in one folder.

    Attributes:
        known: whether anything is expected at all; otherwise `reason` says why not.
        trusted: sure enough to plan with: tried in this context, and no rival explanation says otherwise.
        confidence: lower bound of the chance that the whole outcome is exactly this.
        ok: whether the command succeeds.
        state: the whole folder afterwards.
        stdout: what is printed, as text.
        reason: why it is not known, or not trusted.
    """

    known: bool
    trusted: bool = False
    confidence: float = 0.0
    ok: bool = False
    state: State | None = None
    stdout: str = ""
    reason: str = ""


def unknown(reason: str) -> Prediction:
    """Nothing is expected, for this reason."""
    return Prediction(known=False, reason=reason)


def lower_bound(right: float, tried: float) -> float:
    """Lower bound of a success rate after `right` of `tried`, uniform prior.

    Exact for right == tried (the quantile of Beta(tried + 1, 1)); a normal approximation otherwise.
    """
    if tried <= 0:
        return 0.0
    if right >= tried:
        return float(DOUBT ** (1.0 / (tried + 1.0)))
    mean = (right + 1.0) / (tried + 2.0)
    return max(0.0, mean - 0.84 * math.sqrt(mean * (1.0 - mean) / (tried + 3.0)))
