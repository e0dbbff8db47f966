"""Figures, columns and records: what is asked comes to the right text, and what has two meanings is given back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dabhand.errors import DabhandError
from dabhand.goals import Answers, Holds, understand
from dabhand.language import evaluate
from dabhand.workspace import State
from dabhand.world.reading import StateView

FOLDER = StateView(
    State.from_json(
        {
            "nums.txt": {"text": "3\n10\n\n-2\n7\n"},
            "prices.txt": {"text": "1.25\n2.5\n-0.1\n"},
            "thirds.txt": {"text": "1\n1\n2\n"},
            "mixed.txt": {"text": "4\nnothing\n6\n"},
            "plus.txt": {"text": "+4\n05\n"},
            "row.txt": {"text": "3 4\n5\n"},
            "empty.txt": {"text": ""},
            "story.txt": {"text": "Once upon a time\nthere was a fox and a hen\nThe End\n"},
            "words.txt": {"text": "pear fig pear\nfig kiwi\n"},
            "loud.txt": {"text": "Fig fig pear pear FIG\n"},
            "commas.txt": {"text": "fig, fig, fig pear pear\n"},
            "accents.txt": {"text": "café niño\n"},
            "consonants.txt": {"text": "mañana ßtraße\n"},
            "poem.txt": {"text": "don't look, said the 3rd OWL\n"},
            "dash.txt": {"text": "a well-known tale\n"},
            "sales.csv": {"text": 'city,price,Unit Count\nParis,10,1\n"Rome, old",2.5,\nParis,7.5,4\nOslo,,2\n'},
            "twice.csv": {"text": "a,a\n1,2\n"},
            "bare.csv": {"text": "4,5\n6,7\n"},
            "people.json": {
                "text": '[{"name": "Ann", "age": 31}, {"name": "Bob", "age": 30}, {"name": "Céd", "age": 44.5}, '
                '{"age": 9}]'
            },
            "said.txt": {"text": "Well.\nNo (yet)\nWell.\n"},
            "spaced.csv": {"text": "city\nParis\n Paris\nOslo\nOslo\n"},
            "cats.json": {"text": '[{"name": "Tom", "age": "31"}, {"name": "Kit", "age": 2}]'},
            "dogs.json": {"text": '[{"name": "Rex", "weight": 12}, {"name": "Fay", "weight": 8}]'},
        }
    )
)


def cases() -> list[dict[str, Any]]:
    """Of figures.jsonl: what is said, and the text that is to come of it; without one it is to be given back."""
    return [json.loads(line) for line in (Path(__file__).parent / "figures.jsonl").read_text("utf-8").splitlines()]


def came_to(request: str) -> tuple[str, str]:
    (condition,) = understand(request, FOLDER).conditions
    assert isinstance(condition, Holds | Answers)
    return condition.path or "", str(evaluate(condition.content, {}, FOLDER))


@pytest.mark.parametrize("case", [case for case in cases() if "text" in case], ids=lambda case: case["say"])
def test_it_comes_to_what_people_mean(case: dict[str, Any]) -> None:
    assert came_to(case["say"]) == (case.get("path", ""), case["text"])


@pytest.mark.parametrize("case", [case for case in cases() if "text" not in case], ids=lambda case: case["say"])
def test_what_has_two_meanings_or_none_is_given_back(case: dict[str, Any]) -> None:
    with pytest.raises(DabhandError) as caught:
        understand(case["say"], FOLDER)
    assert caught.value.exit_code == 3
    assert case.get("word", "") in f"{caught.value.message} {caught.value.hint}"
