"""Bindings: exact targets, and a clear error for everything that does not fit, before anything runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dabhand
from dabhand.handoff.bindings import BindingError, bound, checked_names, mentions
from dabhand.handoff.packet import Packet
from dabhand.handoff.plan import LastLines, Search

NAMES = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="{}"), min_size=1, max_size=8)
PATHS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)


@given(targets=st.dictionaries(NAMES, PATHS, min_size=1, max_size=16), noise=st.text(max_size=20))
def test_references_are_fresh_and_restored_exactly(targets: dict[str, str], noise: str) -> None:
    noise = noise.replace("{", "").replace("}", "")
    request = noise + " and ".join("{{" + name + "}}" for name in targets)
    made = bound(request, checked_names(targets), dict.fromkeys(targets, "file"))
    assert len(made.references) == len(targets)
    for each in made.references:
        assert each.reference not in noise
        assert not any(each.reference in path for path in targets.values())
        plan = LastLines(path=each.reference, count=1)
        assert made.restored(plan).path == targets[each.name]
    assert made.shown == noise + " and ".join(targets.values())


def test_only_the_path_is_restored() -> None:
    made = bound("Search {{log}} for file_1 there", {"log": "x"}, {"log": "file"})
    assert made.references[0].reference == "file_2"
    plan = Search(path="file_2", value="file_2 file_1 {{log}}")
    assert made.restored(plan) == Search(path="x", value="file_2 file_1 {{log}}")


@pytest.mark.parametrize(
    ("request_", "targets", "said"),
    [
        ("Read {{a}}", {}, "no target"),
        ("Read it", {"a": "x"}, "not mentioned"),
        ("Read {{a}} and {{a}}", {"a": "x"}, "twice"),
        ("Read {{}}", {}, "without a name"),
        ("Read {{ }}", {"a": "x"}, "without a name"),
        ("Read {{a}}", {"a": ""}, "empty path"),
        ("Read {{a}}", {"": "x"}, "no name"),
        ("Read {{a}}", {"a{": "x"}, "cannot be mentioned"),
        ("Read {{a}}", [("a", "x"), ("a", "y")], "twice"),
        ("Read {{a}}", {f"a{n}": "x" for n in range(17)}, "17 targets"),
    ],
)
def test_what_does_not_fit_is_rejected(root: Path, store: Path, request_: str, targets: object, said: str) -> None:
    (root / "x").write_text("1\n")
    packet = dabhand.inspect_request(root, request_, targets, store=store)  # type: ignore[arg-type]
    assert (packet.status, packet.exit_status) == ("rejected", 2)
    assert packet.error is not None
    assert said in packet.error.message
    assert packet.artifact is None
    assert not store.exists()


@pytest.mark.parametrize("path", ["missing", "../x", "/etc/passwd", "pipe", "out", "x/", "sub/../x", "x\0"])
def test_targets_are_looked_at_before_anything_is_read(root: Path, store: Path, path: str) -> None:
    (root / "x").write_text("1\n")
    os.mkfifo(root / "pipe")
    (root / "out").symlink_to("/etc/passwd")
    packet = dabhand.inspect_request(root, "Read the last 2 lines of {{a}}.", {"a": path}, store=store)
    assert packet.status == "rejected"
    assert packet.error is not None
    assert packet.error.message


def test_mentions_keep_their_order() -> None:
    assert mentions("{{ b }} {{a}} { x } {y}") == ["b", "a"]
    with pytest.raises(BindingError):
        mentions("{{a}} {{ a }}")


def test_a_request_and_a_plan_are_not_both_given(root: Path, store: Path) -> None:
    def status(**given: object) -> Packet:
        return dabhand.inspect_request(root, store=store, **given)  # type: ignore[arg-type]

    assert status(request="x", plan="{}").status == "rejected"
    assert status().status == "rejected"
    assert status(request="  ").status == "rejected"
    assert status(plan={"operation": "list_files", "path": ""}, targets={"a": "x"}).status == "rejected"


def test_an_absolute_path_inside_the_root_is_made_relative(root: Path, store: Path) -> None:
    (root / "x").write_text("1\n")
    (root.parent / "root-sibling").write_text("secret\n")
    plan = {"operation": "whole_file", "path": str(root / "x")}
    packet = dabhand.inspect_request(root, plan=plan, store=store)
    assert packet.plan is not None
    assert packet.plan.path == "x"  # type: ignore[union-attr]
    plan["path"] = str(root) + "-sibling"
    assert dabhand.inspect_request(root, plan=plan, store=store).status == "rejected"


def test_targets_may_be_paths(root: Path, store: Path) -> None:
    (root / "caf\udce9").write_text("1\n")
    packet = dabhand.inspect_request(root, "Read the last 2 lines of {{a}}.", {"a": Path("caf\udce9")}, store=store)
    assert packet.request == "Read the last 2 lines of caf\udce9."
