"""Staging: over the real folder or on a copy, the same commands come to the same, and the folder is never written."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from dabhand.commands import load_pack, render
from dabhand.errors import SandboxFault
from dabhand.practice.scenes import Filler, random_scene
from dabhand.sandbox import Limits, Outcome, Part, Stage, probe, probe_overlay, stage
from dabhand.workspace import FOLDER, ConfinedFolder, File, Folder, Link, Snapshot, State, take_snapshot

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")
needs_overlay = pytest.mark.skipif(not probe_overlay().available, reason="no overlay on this machine")
LIMITS = Limits(seconds=5.0, file_bytes=8 << 20, storage_bytes=32 << 20)
BESIDES = (
    "rm -r box; mkdir box", "mv box chest", "mv box chest; mv chest box", "rm -r box; echo x > box", "cp -r box box2",
    "chmod +x a.txt; chmod -x run.sh", "ln -s a.txt l; cat l > b; rm l", "ln a.txt hard; echo more >> hard",
    "rm a.txt; mkdir a.txt; echo in > a.txt/in", "mv a.txt box/; rm -r box; mkdir -p box/box; echo 1 > box/box/a.txt",
    "ln -sfn nowhere box", "rm -rf ./*", "touch fresh a.txt; mkdir -p p/q/r; rmdir p/q/r",
    "mv box/deep deep; mv deep box/deep; echo y > box/deep/y",
)  # fmt: skip
SCENE = State(
    {
        "a.txt": File(b"b\na\n"),
        "run.sh": File(b"echo ran\n", True),
        "box": FOLDER,
        "box/in": File(b"in\n"),
        "box/deep": FOLDER,
        "box/deep/x": File(b""),
        "away": Link("/nowhere"),
        "to-box": Link("box"),
    }
)


def write(root: Path, state: State) -> None:
    for path, node in state.items():
        there = root / os.fsdecode(path.encode("utf-8", "surrogateescape"))
        match node:
            case Folder():
                there.mkdir()
            case Link(target):
                there.symlink_to(target)
            case File(data, executable):
                there.write_bytes(data)
                there.chmod(0o755 if executable else 0o644)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[ConfinedFolder]:
    write(tmp_path, SCENE)
    with ConfinedFolder(tmp_path) as opened:
        yield opened


def both(folder: ConfinedFolder, lines: list[str]) -> tuple[Outcome, Outcome]:
    part = Part(take_snapshot(folder))
    with stage(folder, part, LIMITS, how="overlay") as over, stage(folder, part, LIMITS, how="copy") as copy:
        for line in lines:
            ours, theirs = over.run(line), copy.run(line)
            assert told(ours) == told(theirs), line
        return ours, theirs


def told(outcome: Outcome) -> tuple[object, ...]:
    """All that an outcome says but how long it took; a shell names its line differently in complaints."""
    odd = tuple(sorted((one.path, one.what) for one in outcome.oddities))
    return outcome.exit_code, outcome.timed_out, outcome.stdout, dict(outcome.state), odd, outcome.elsewhere


@needs_overlay
@pytest.mark.parametrize("line", BESIDES)
def test_over_the_folder_as_on_a_copy(folder: ConfinedFolder, line: str) -> None:
    before = take_snapshot(folder)
    both(folder, [line, "ls -R; find . -type f | sort", "echo again > again; rm -f again"])
    assert take_snapshot(folder) == before


@needs_overlay
@pytest.mark.parametrize("seed", range(4))
def test_random_commands_in_random_folders(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    scene = random_scene(rng)
    write(tmp_path, scene)
    templates = load_pack("posix").templates
    filler = Filler(scene, rng)
    lines = []
    for _ in range(12):
        template = rng.choice(templates)
        lines.append(render(template, filler.fill(template)))
    with ConfinedFolder(tmp_path) as opened:
        before = take_snapshot(opened)
        both(opened, lines)
        assert take_snapshot(opened) == before


@needs_overlay
def test_what_is_locked_is_read_and_stays_locked(folder: ConfinedFolder) -> None:
    with stage(folder, Part(take_snapshot(folder)), LIMITS, how="overlay") as staged:
        assert staged.run("touch box/deep/new; chmod 000 a.txt box/deep box").state == SCENE.with_changes(
            {"box/deep/new": File(b"")}
        )
        assert b"d---------" in staged.run("ls -l").stdout


@needs_overlay
def test_only_a_part_is_known(folder: ConfinedFolder) -> None:
    whole = take_snapshot(folder)
    state = State({"a.txt": whole.state["a.txt"], "box": FOLDER, "box/in": whole.state["box/in"]})
    part = Part(Snapshot(state, {path: whole.stamps[path] for path in state}), frozenset({"", "box"}))

    def run(line: str) -> tuple[dict[str, object], tuple[str, ...]]:
        with stage(folder, part, LIMITS, how="overlay") as staged:
            outcome = staged.run(line)
        return {path: node for path, node in outcome.state.items() if state.get(path) != node}, outcome.elsewhere

    assert run("cat a.txt > new; mkdir box/fresh; touch box/fresh/x") == (
        {"new": File(b"b\na\n"), "box/fresh": FOLDER, "box/fresh/x": File(b"")},
        (),
    )
    assert run("rm run.sh; echo x >> box/deep/x") == ({}, ("box/deep/x", "run.sh"))
    assert run("echo x > box/deep/new")[1] == ("box/deep/new",)
    assert run("rm -r box")[1] == ("box",)
    assert run("rm -r box; mkdir box")[1] == ("box",)
    assert run("rm -r box/deep; mkdir box/deep") == ({"box/deep": FOLDER}, ("box/deep",))


@needs_overlay
def test_a_copy_where_commands_could_do_something_else(folder: ConfinedFolder, tmp_path: Path) -> None:
    def how() -> tuple[str, str]:
        with stage(folder, Part(take_snapshot(folder)), LIMITS) as staged:
            return staged.how, staged.detail

    assert how()[0] == "overlay"
    (tmp_path / "a.txt").chmod(0o444)
    assert how()[0] == "copy"
    assert "a.txt" in how()[1]


@needs_overlay
def test_the_sandbox_is_as_tight_as_the_others(folder: ConfinedFolder, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "ear"))
        listening.listen()
        with stage(folder, Part(take_snapshot(folder)), LIMITS, how="overlay") as staged:
            call = "import socket; socket.socket(socket.AF_UNIX).connect('ear')"
            assert staged.run(f'python3 -c "{call}"').exit_code != 0
            said = staged.run(
                "ls ~ /home /root; cat /etc/shadow; ls -d /tmp/*; (sleep 60 &) ; id -u; ls /proc | grep -c '^1$'"
            )
            account, seen = said.stdout.splitlines()[-2:]
            assert account != b"0" and seen == b"1"
            assert said.survivors >= 1 and b"root" not in said.stdout
            assert staged.run("mknod w c 0 0").exit_code != 0
            assert staged.run("for fd in /proc/self/fd/*; do readlink $fd; done").stdout.count(b"upper") == 0
            full = staged.run("head -c 100000000 /dev/zero > big; head -c 100000000 /dev/zero > big2")
            assert full.exit_code != 0
            assert staged.run(
                "rm -f big big2; sleep 30", Limits(seconds=0.5, file_bytes=8 << 20, storage_bytes=1)
            ).timed_out


@needs_overlay
def test_a_stage_that_broke_is_not_begun_anew(folder: ConfinedFolder) -> None:
    with stage(folder, Part(take_snapshot(folder)), LIMITS, how="overlay") as staged:
        staged.run("echo x > x")
        staged._worker._discard()  # type: ignore[attr-defined]
        for _ in range(2):
            with pytest.raises(SandboxFault):
                staged.run("cat x")


@needs_overlay
def test_another_folder_in_its_place_is_not_staged(folder: ConfinedFolder, tmp_path: Path) -> None:
    part = Part(take_snapshot(folder))
    tmp_path.rename(tmp_path.with_name("elsewhere"))
    tmp_path.mkdir()
    with stage(folder, part, LIMITS) as staged:
        assert staged.how == "copy"
    tmp_path.rmdir()
    tmp_path.with_name("elsewhere").rename(tmp_path)


def test_a_copy_goes_on_from_step_to_step(folder: ConfinedFolder) -> None:
    with stage(folder, Part(take_snapshot(folder)), LIMITS, how="copy") as staged:
        used: Stage = staged
        used.run("cp a.txt b.txt")
        assert used.run("cat b.txt").stdout == b"b\na\n"
