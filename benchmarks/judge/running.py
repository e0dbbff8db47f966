"""Carry out one experiment in a throw-away folder: harmless templates, so a plain `bash -c` will do."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from judge.entries import Entry, File, Folder, Link, Scene

TIMEOUT_SECONDS = 10
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


@dataclass(frozen=True)
class Result:
    """The whole outcome: did it succeed, the folder afterwards, standard output."""

    ok: bool
    after: tuple[tuple[str, Entry], ...]
    stdout: bytes


class JudgeFault(RuntimeError):
    """The judge itself failed: an experiment that never ended or that wrote beside its folder."""


def run(scene: Scene, line: str, base: str, order: random.Random | None = None) -> Result:
    """Write a scene below `base`, run a line in it, read the folder back.

    Args:
        scene: what is in the folder before.
        line: the line for bash.
        base: a folder of the machine to work in, such as `/dev/shm`.
        order: shuffles in which order the entries are made, to catch outcomes that depend on it.

    Raises:
        JudgeFault: the experiment ran too long, or wrote beside its folder.
    """
    outer = Path(tempfile.mkdtemp(prefix="heldout-", dir=base))
    try:
        root = outer / "scene"
        root.mkdir()
        _write(scene, root, order)
        code, stdout = _bash(line, root)
        if list(outer.iterdir()) != [root]:
            raise JudgeFault(f"wrote beside its folder: {line}")
        return Result(code == 0, tuple(sorted(_read(root).items())), stdout)
    finally:
        shutil.rmtree(outer)


def _write(scene: Scene, root: Path, order: random.Random | None) -> None:
    paths = sorted(scene)
    if order is not None:
        order.shuffle(paths)
        paths.sort(key=lambda path: path.count("/"))  # parents first
    for path in paths:
        place = root / path
        match scene[path]:
            case Folder():
                place.mkdir(mode=0o755)
            case Link(target):
                place.symlink_to(target)
            case File(data, executable):
                place.write_bytes(data)
                place.chmod(0o755 if executable else 0o644)


def _bash(line: str, root: Path) -> tuple[int, bytes]:
    process = subprocess.Popen(
        ["/bin/bash", "-c", line],
        cwd=root,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        umask=0o022,
        start_new_session=True,
    )
    try:
        stdout, _ = process.communicate(timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise JudgeFault(f"ran longer than {TIMEOUT_SECONDS} s: {line}") from error
    return process.returncode, stdout


def _read(root: Path) -> Scene:
    scene: Scene = {}
    waiting = [(root, "")]
    while waiting:
        folder, prefix = waiting.pop()
        for found in os.scandir(folder):
            path = prefix + found.name
            mode = found.stat(follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                scene[path] = Link(str(Path(found.path).readlink()))
            elif stat.S_ISDIR(mode):
                scene[path] = Folder()
                waiting.append((Path(found.path), path + "/"))
            else:
                scene[path] = File(Path(found.path).read_bytes(), bool(mode & stat.S_IXUSR))
    return scene
