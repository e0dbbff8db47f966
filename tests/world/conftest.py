from __future__ import annotations

from collections.abc import Iterator

import pytest

from dabhand.sandbox import Worker, open_worker


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    """A sandbox in which the commands of these tests really run."""
    with open_worker() as opened:
        yield opened
