"""Where commands really run: a persistent, isolated worker that tries a command line in a scene and reports.

Isolation comes in tiers, one file each; the tier in force is probed, proved and reported, and it never fails open.
"""

from __future__ import annotations

from dabhand.sandbox.opening import TIERS, open_worker, probe
from dabhand.sandbox.outcome import Limits, Oddity, Outcome
from dabhand.sandbox.staging import How, Part, Stage, probe_overlay, stage
from dabhand.sandbox.tier import TierReport
from dabhand.sandbox.worker import Worker

__all__ = [
    "TIERS",
    "How",
    "Limits",
    "Oddity",
    "Outcome",
    "Part",
    "Stage",
    "TierReport",
    "Worker",
    "open_worker",
    "probe",
    "probe_overlay",
    "stage",
]
