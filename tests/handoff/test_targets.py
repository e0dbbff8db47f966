"""What is said of targets that are not what a plan needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import dabhand


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ({"operation": "whole_file", "path": "dangling"}, "'dangling' is a link that leads to nothing."),
        ({"operation": "whole_file", "path": "missing"}, "There is nothing at 'missing'"),
        ({"operation": "whole_file", "path": "sub"}, "'sub' is a folder, and only a file has lines."),
        ({"operation": "json_field", "path": "sub", "key": "a"}, "'sub' is a folder, and only a file has fields."),
        (
            {"operation": "first_lines", "path": "", "count": 1},
            "The root itself is a folder, and only a file has lines.",
        ),
        (
            {"operation": "first_lines", "path": ".", "count": 1},
            "The root itself is a folder, and only a file has lines.",
        ),
        ({"operation": "search", "path": "sub", "value": "(", "regex": True}, "cannot be used: missing ): (."),
    ],
)
def test_the_sentence_names_what_is_wrong(tmp_path: Path, plan: dict[str, object], sentence: str) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "dangling").symlink_to("nowhere")
    packet = dabhand.inspect_request(root, plan=plan, store=tmp_path / "store")
    assert packet.status == "rejected"
    assert packet.error is not None
    assert sentence in packet.error.message
