"""Whether transformers with the adapter and llama.cpp with the exported one say the same, greedily and under grammars.

python benchmarks/agreement.py --data DIR --run DIR --adapter FILE [--count 50] [--set validation] [--json]

DIR of --data holds the sets, that of --run what was trained. Needs dabhand[train], dabhand[local] and xgrammar, which
holds transformers to the same grammars.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from dabhand.errors import NotUnderstood
from dabhand.handoff.words.asking import FORM
from dabhand.handoff.words.said import Heard
from dabhand.models.completion import Ask
from dabhand.models.grammars import plan_grammar
from dabhand.models.local import LocalEngine
from dabhand.models.weights import Weights, found_weights
from dabhand.training.base import tokenizer_of
from dabhand.training.encoding import answer_of, prompt_of
from dabhand.training.example import Example, read_examples
from dabhand.training.exporting import adapted, load_adapter

MOST = 64
"""Tokens of an answer."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True, help="what was trained")
    parser.add_argument("--adapter", type=Path, required=True, help="what was exported of it")
    parser.add_argument("--epoch", type=int, help="the adapter as it was after this epoch")
    parser.add_argument("--set", default="validation")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    asked = questions(options.data / f"{options.set}.jsonl", options.count)
    base = found_weights(trained=False).base
    theirs, their_seconds = by_llama(base, options.adapter, asked)
    ours, our_seconds = by_transformers(base, options.run, options.epoch, asked)
    differ = [
        {"id": one.id, "request": one.request, "transformers": first, "llama.cpp": second, "wanted": answer_of(one)}
        for (one, _), first, second in zip(asked, ours, theirs, strict=True)
        if first != second
    ]
    wanted = [answer_of(one) for one, _ in asked]
    found = {
        "requests": len(asked),
        "same": len(asked) - len(differ),
        "differ": differ,
        "as_wanted": {
            "transformers": sum(a == b for a, b in zip(ours, wanted, strict=True)),
            "llama.cpp": sum(a == b for a, b in zip(theirs, wanted, strict=True)),
        },
        "seconds": {"transformers": round(our_seconds, 1), "llama.cpp": round(their_seconds, 1)},
    }
    print(json.dumps(found, indent=None if options.json else 1, ensure_ascii=False))
    return 0


def questions(file: Path, count: int) -> list[tuple[Example, str]]:
    """The first requests for plans of a set, each with what may be answered to it."""
    found: list[tuple[Example, str]] = []
    for example in read_examples(file):
        if example.task != "plan" or len(found) == count:
            continue
        try:
            said = Heard(example.request, example.references).said
        except NotUnderstood:
            continue
        found.append((example, plan_grammar(FORM, example.references, said)))
    return found


def by_llama(base: Path, adapter: Path, asked: list[tuple[Example, str]]) -> tuple[list[str], float]:
    """The answers of llama.cpp, and how long it took."""
    engine = LocalEngine(lambda: Weights(base, adapter))
    engine.load()
    began = time.monotonic()
    answers = [engine.complete(Ask(prompt_of(one), grammar, MOST, 120.0)).text for one, grammar in asked]
    took = time.monotonic() - began
    engine.close()
    return answers, took


def by_transformers(
    base: Path, run: Path, epoch: int | None, asked: list[tuple[Example, str]]
) -> tuple[list[str], float]:
    """The answers of transformers with the matrices that were trained, and how long it took."""
    import torch
    import xgrammar

    record = json.loads((run / "record.json").read_text("utf-8")) if (run / "record.json").exists() else {}
    alpha = float(record.get("settings", {}).get("alpha", 32))
    model = adapted(base, load_adapter(run, epoch), alpha)
    tokenizer = tokenizer_of(base)
    known = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=model.config.vocab_size)
    compiler = xgrammar.GrammarCompiler(known)
    began = time.monotonic()
    answers = [
        _answer(torch, xgrammar, model, tokenizer, compiler.compile_grammar(grammar), prompt_of(one))
        for one, grammar in asked
    ]
    return answers, time.monotonic() - began


def _answer(torch: Any, xgrammar: Any, model: Any, tokenizer: Any, grammar: Any, prompt: str) -> str:
    matcher = xgrammar.GrammarMatcher(grammar)
    mask = xgrammar.allocate_token_bitmask(1, model.config.vocab_size)
    tokens = torch.tensor([[tokenizer.bos_token_id, *tokenizer.encode(prompt, add_special_tokens=False)]])
    written: list[int] = []
    past = None
    with torch.no_grad():
        while len(written) < MOST and not matcher.is_terminated():
            done = model(input_ids=tokens, past_key_values=past, use_cache=True, logits_to_keep=1)
            past, scores = done.past_key_values, done.logits[:, -1].float()
            matcher.fill_next_token_bitmask(mask)
            xgrammar.apply_token_bitmask_inplace(scores, mask)
            chosen = int(scores.argmax())
            if chosen == tokenizer.eos_token_id:
                break
            matcher.accept_token(chosen)
            written.append(chosen)
            tokens = torch.tensor([[chosen]])
    return str(tokenizer.decode(written))


if __name__ == "__main__":
    sys.exit(main())
