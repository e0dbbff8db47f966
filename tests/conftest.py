from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A timing is a benchmark, not a test: on a busy machine the slowest example says nothing about the code.
settings.register_profile("dabhand", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dabhand")

# Whoever starts this in the background may have it ignore Ctrl-C; what is started here would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test ever touches the store of whoever runs it."""
    home = tmp_path_factory.mktemp("store")
    monkeypatch.setenv("DABHAND_HOME", str(home))
    return home
