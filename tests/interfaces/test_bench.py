"""`dabhand bench`: numbers under labels."""

from __future__ import annotations

from pathlib import Path

from .command_line import dabhand, document


def test_every_bound_target_is_exact_and_labels_are_never_overwritten(tmp_path: Path) -> None:
    called = ("bench", "bindings", "--count", "40", "--label", "first", "--json", "--store", str(tmp_path / "store"))
    done = dabhand(*called)
    found = document(done)
    assert done.returncode == 0, found
    assert (found["bound"]["exact"], found["bound"]["wrong"], found["unbound"]["wrong"]) == (40, 0, 0)
    kept = (tmp_path / "store/bench/bindings/first.json").read_text()
    again = dabhand(*called)
    assert (again.returncode, document(again)["error"]["code"]) == (2, "usage")
    assert (tmp_path / "store/bench/bindings/first.json").read_text() == kept
