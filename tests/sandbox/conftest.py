from __future__ import annotations

from collections.abc import Iterator

import pytest

from dabhand.sandbox import TIERS, Limits, Worker, open_worker, probe

AVAILABLE = {report.tier for report in probe() if report.available}
LIMITS = Limits(seconds=1.0, memory_bytes=512 << 20, file_bytes=8 << 20, storage_bytes=32 << 20, output_bytes=100_000)


@pytest.fixture(scope="session", params=list(TIERS))
def tier(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if name not in AVAILABLE:
        pytest.skip(f"{name} is not available here")
    return name


@pytest.fixture(scope="module")
def worker(tier: str) -> Iterator[Worker]:
    with open_worker(tier, LIMITS) as opened:
        yield opened
