"""Examples as tokens, and how steps are made of them."""

from itertools import chain

import pytest

from dabhand.errors import UsageError
from dabhand.training.encoding import IGNORED, Encoded, TooLong, answer_of, encoded, packed, prompt_of
from dabhand.training.example import Example
from dabhand.training.exporting import _gguf_name, modelfile
from dabhand.training.training import Settings, groups_of, rate_at, shares


class Letters:
    """A tokenizer of letters."""

    bos_token_id = 2
    eos_token_id = 1

    def encode(self, text, *, add_special_tokens):
        assert not add_special_tokens
        return [ord(letter) + 10 for letter in text]


PLAN = Example(
    id="1",
    task="plan",
    family="f",
    request="Show the last 3 lines of file_1",
    references={"file_1": "file"},
    answer={"operation": "last_lines", "path": "file_1", "count": 3},
)


def test_only_the_answer_and_the_end_are_labels():
    one = encoded(PLAN, Letters())
    asked, answer = prompt_of(PLAN), answer_of(PLAN)
    assert answer == "last file_1 3"
    assert len(one.tokens) == 1 + len(asked) + len(answer) + 1 and one.answered == len(answer) + 1
    row = packed([one, one])
    labels = [label for label in row.labels if label != IGNORED]
    assert labels == [*Letters().encode(answer, add_special_tokens=False), 1] * 2
    assert row.positions == [*range(len(one.tokens))] * 2
    for place, label in enumerate(row.labels):
        assert label == IGNORED or row.tokens[place + 1] == label


def test_what_does_not_fit_is_an_error_and_never_cut():
    with pytest.raises(TooLong, match="tokens, and 40 are allowed"):
        encoded(PLAN, Letters(), 40)


def test_answers_of_each_task():
    assert answer_of(Example(id="1", task="plan", family="f", request="x")) == "abstain"
    assert answer_of(Example(id="1", task="evidence", family="f", request="x", answer=[])) == "none"
    assert answer_of(Example(id="1", task="evidence", family="f", request="x", answer=[2, 5, 6, 7])) == "2 5-7"
    goal = {"conditions": [{"path": "a", "is": "absent", "content": None}], "others": "unchanged"}
    assert answer_of(Example(id="1", task="goal", family="f", request="x", answer=goal)) == 'absent "a"'


def test_every_example_is_in_one_step_of_each_epoch_in_an_order_that_the_seed_gives():
    settings = Settings(epochs=2, group=4, seed=1)
    groups = groups_of(10, settings)
    assert groups == groups_of(10, settings) != groups_of(10, Settings(epochs=2, group=4, seed=2))
    assert sorted(chain(*groups[:3])) == sorted(chain(*groups[3:])) == list(range(10))
    assert groups[:3] != groups[3:]
    assert len(groups_of(10, Settings(steps=2))) == 2


def test_the_rate_warms_up_and_falls_in_each_epoch():
    settings = Settings(rate=1.0, warm=0.1, group=1)
    rates = [rate_at(step, 100, settings) for step in range(200)]
    assert rates[0] == pytest.approx(0.1) and max(rates) == pytest.approx(1.0, abs=0.05)
    assert rates[99] == pytest.approx(0.1, abs=0.01) and rates[100] == pytest.approx(0.5) and rates[199] < 0.06


def test_the_examples_of_a_step_are_shared_out_evenly():
    rows = [Encoded((0,) * size, 1) for size in (50, 40, 30, 20)]
    found = shares(rows, 2)
    assert [sum(len(one.tokens) for one in share) for share in found] == [70, 70]
    assert sorted(len(one.tokens) for share in found for one in share) == [20, 30, 40, 50]
    assert shares(rows[:1], 2) == [[rows[0]], []]


def test_matrices_have_llama_cpps_names():
    assert _gguf_name("layers.3.self_attn.q_proj.lora_A") == "blk.3.attn_q.weight.lora_a"
    assert _gguf_name("layers.0.self_attn.o_proj.lora_B") == "blk.0.attn_output.weight.lora_b"
    with pytest.raises(UsageError, match="no matrix"):
        _gguf_name("layers.0.mlp.up_proj.lora_A")
    assert modelfile("base.gguf").startswith("FROM base.gguf\nADAPTER ./adapter.gguf\n")
