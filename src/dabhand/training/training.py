"""Training an adapter: response-only loss, four examples a step, resumable at any time, everything recorded."""

from __future__ import annotations

import json
import math
import os
import platform
import random
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from dabhand.errors import UsageError
from dabhand.training.base import adapter_state, base_digest, fast_type, model_of, required, tokenizer_of, with_adapter
from dabhand.training.encoding import IGNORED, Encoded, encoded, packed, tokens_in
from dabhand.training.example import digest_of, read_examples
from dabhand.training.team import Team, together

CHECKPOINT = "checkpoint.pt"
ADAPTER = "adapter.pt"
RECORD = "record.json"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How to train.

    Attributes:
        epochs: how often every example is seen.
        group: examples of one step (batch 1, accumulated).
        rank, alpha: of the low-rank matrices.
        rate: the learning rate after warming up; it falls to a tenth in each epoch.
        warm: the share of the first epoch that warms up.
        ceiling: tokens of an example; a longer one is an error.
        seed: the order follows from it, and the first matrices.
        dtype: of weights and activations; "auto" for bfloat16 where the hardware has it.
        workers: processes that share the examples of each step between them, each with one thread: on few processors
            that is nearly twice as fast as threads, which wait for one another thousands of times a step.
        checkpointing: keep less in memory and compute more.
        apart: each example in a row of its own, which is slower and gives the same sums.
        steps: stop after so many, with the rate down by then; 0 for all.
        every: seconds between checkpoints.
    """

    epochs: int = 2
    group: int = 4
    rank: int = 16
    alpha: int = 32
    rate: float = 4e-4
    warm: float = 0.05
    ceiling: int = 2048
    seed: int = 7
    dtype: str = "auto"
    workers: int = 2
    checkpointing: bool = False
    apart: bool = False
    steps: int = 0
    every: float = 180.0


class Progress(msgspec.Struct, frozen=True):
    """How far training is.

    Attributes:
        step, steps: done, and in all.
        loss: mean over the last twenty steps.
        seconds: spent so far, over all sittings.
        left: seconds left at the pace of this sitting.
    """

    step: int
    steps: int
    loss: float
    seconds: float
    left: float


def train(base: Path, data: Path, out: Path, settings: Settings, watch: Callable[[Progress], None]) -> dict[str, Any]:
    """Train an adapter and write it with its record into a folder; goes on where it was broken off.

    Args:
        base: a GGUF file, or the folder of a snapshot.
        data: a folder that `make_sets` filled; its `train.jsonl` is used.
        out: where checkpoints, adapter and record go.
        settings: how.
        watch: is told after every step.

    Returns:
        the record.

    Raises:
        UsageError: a package or a file is missing, or what is in `out` was trained otherwise.
        TooLong: an example does not fit.
    """
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of(base)
    rows = [encoded(one, tokenizer, settings.ceiling) for one in read_examples(data / "train.jsonl")]
    identity = {
        "base": base_digest(base),
        "data": digest_of(data / "train.jsonl"),
        "settings": {**msgspec.to_builtins(settings), "steps": 0, "every": 0, "workers": 0},
    }
    with together(settings.workers, _work, (base, rows, settings, out / CHECKPOINT, identity)) as team:
        run = _run(team, base, rows, settings, out / CHECKPOINT, identity)
        run.go(watch)
    required("torch").save(run.state(), out / ADAPTER)
    record = {
        **identity,
        "base_name": base.name,
        "settings": msgspec.to_builtins(settings),
        "dtype": run.dtype,
        "examples": len(rows),
        "tokens": tokens_in(rows),
        "steps": run.step,
        "losses": run.curve(),
        "seconds": round(run.seconds, 1),
        "sittings": run.sittings,
        "versions": versions(),
        "machine": {"processors": os.cpu_count(), "architecture": platform.machine()},
        "manifest": _manifest(data),
    }
    (out / RECORD).write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    return record


def _manifest(data: Path) -> Any:
    try:
        return json.loads((data / "manifest.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None


def versions() -> dict[str, str]:
    """The versions of what training depends on."""
    found = {"python": platform.python_version()}
    for name in ("torch", "transformers", "peft", "gguf", "dabhand"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed as a package"
    return found


def groups_of(count: int, settings: Settings) -> list[list[int]]:
    """Which examples make up each step, from the seed alone."""
    groups: list[list[int]] = []
    for epoch in range(settings.epochs):
        order = list(range(count))
        random.Random(f"{settings.seed}/{epoch}").shuffle(order)
        groups += [order[at : at + settings.group] for at in range(0, count, settings.group)]
    return groups[: settings.steps] if settings.steps else groups


def shares(rows: Sequence[Encoded], workers: int) -> list[list[Encoded]]:
    """Examples of one step by worker: the longest first, each to whoever has fewest tokens."""
    found: list[list[Encoded]] = [[] for _ in range(workers)]
    for row in sorted(rows, key=lambda one: -len(one.tokens)):
        min(found, key=lambda share: sum(len(one.tokens) for one in share)).append(row)
    return found


def rate_at(step: int, count: int, settings: Settings) -> float:
    """The learning rate of a step: up in a line, down by half a cosine to a tenth, in each epoch from half as high.

    So what there is at the end of each epoch is of use (Loshchilov and Hutter, SGDR, 2017).
    """
    steps = -(-count // settings.group)
    steps = min(steps, settings.steps or steps)
    epoch, at = divmod(step, steps)
    rate, warm = settings.rate * 0.5**epoch, max(1, round(steps * settings.warm))
    if epoch == 0 and at < warm:
        return rate * (at + 1) / warm
    return rate * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * at / steps)))


def loss_of(torch: Any, model: Any, rows: Sequence[Encoded], device: str) -> tuple[Any, int]:
    """The summed loss of examples in one row, and over how many labels; scores are computed only where labels are."""
    row = packed(rows)
    labels = torch.tensor(row.labels, device=device)
    places = labels != IGNORED
    inner = model.base_model.model
    hidden = inner.model(
        input_ids=torch.tensor([row.tokens], device=device),
        position_ids=torch.tensor([row.positions], device=device),
        use_cache=False,
    ).last_hidden_state[0]
    scores = inner.lm_head(hidden[places]).float()
    return torch.nn.functional.cross_entropy(scores, labels[places], reduction="sum"), int(places.sum())


def _work(team: Team, *given: Any) -> None:
    """What every process but the first does: its share of each step."""
    _run(team, *given).go(lambda progress: None)


def _run(
    team: Team, base: Path, rows: Sequence[Encoded], settings: Settings, checkpoint: Path, identity: dict[str, Any]
) -> _Run:
    torch = required("torch")
    torch.set_num_threads(1 if team.size > 1 else max(1, settings.workers))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = fast_type(settings.dtype)
    torch.manual_seed(settings.seed)
    model = with_adapter(
        model_of(base, dtype, device), settings.rank, settings.alpha, checkpointing=settings.checkpointing
    )
    run = _Run(torch, team, model, rows, settings, checkpoint, identity, device)
    run.dtype = str(dtype).removeprefix("torch.")
    run.resume()
    return run


class _Run:
    """One training run, over all its sittings."""

    def __init__(
        self,
        torch: Any,
        team: Team,
        model: Any,
        rows: Sequence[Encoded],
        settings: Settings,
        checkpoint: Path,
        identity: dict[str, Any],
        device: str,
    ) -> None:
        self._torch = torch
        self._team = team
        self.dtype = ""
        self._model = model
        self._rows = rows
        self._settings = settings
        self._checkpoint = checkpoint
        self._identity = identity
        self._device = device
        self._groups = groups_of(len(rows), settings)
        self._weights = adapter_state(model)
        self._optimizer = torch.optim.AdamW(self._weights.values(), lr=settings.rate, weight_decay=0.0)
        self.step = 0
        self.seconds = 0.0
        self.sittings = 0
        self._losses: list[float] = []

    def resume(self) -> None:
        """Go on from a checkpoint, if there is one.

        Raises:
            UsageError: it is of another run.
        """
        self.sittings = 1
        if not self._checkpoint.exists():
            return
        kept = self._torch.load(self._checkpoint, weights_only=True)
        if kept["identity"] != json.dumps(self._identity, sort_keys=True):
            raise UsageError(
                f"{self._checkpoint} is of a run with other data, another base or other settings.",
                "Name another folder with --out, or remove the checkpoint.",
            )
        with self._torch.no_grad():
            for name, value in self._weights.items():
                value.copy_(kept["weights"][name])
        self._optimizer.load_state_dict(kept["optimizer"])
        self.step, self.seconds, self._losses = kept["step"], kept["seconds"], kept["losses"]
        self.sittings = kept["sittings"] + 1

    def go(self, watch: Callable[[Progress], None]) -> None:
        """Take all the steps that are left."""
        first, began, saved, before = self.step, time.monotonic(), time.monotonic(), self.seconds
        per_epoch = -(-len(self._rows) // self._settings.group)
        while self.step < len(self._groups):
            self._losses.append(self._step())
            self.step += 1
            now = time.monotonic()
            self.seconds = before + now - began
            pace = (now - began) / (self.step - first)
            recent = self._losses[-20:]
            left = pace * (len(self._groups) - self.step)
            watch(Progress(self.step, len(self._groups), sum(recent) / len(recent), self.seconds, left))
            if self._team.rank == 0 and self.step % per_epoch == 0:
                self._torch.save(self.state(), self._checkpoint.with_name(f"epoch-{self.step // per_epoch}.pt"))
            if self._team.rank == 0 and now - saved > self._settings.every:
                self.save()
                saved = now
        if self._team.rank == 0:
            self.save()

    def _step(self) -> float:
        settings = self._settings
        rate = rate_at(self.step, len(self._rows), settings)
        rows = [self._rows[place] for place in self._groups[self.step]]
        labels = sum(one.answered for one in rows)
        own = shares(rows, self._team.size)[self._team.rank]
        total = 0.0
        for part in [[one] for one in own] if settings.apart else [own] if own else []:
            loss, _ = loss_of(self._torch, self._model, part, self._device)
            (loss / labels).backward()
            total += float(loss.detach())
        total = self._team.summed(list(self._weights.values()), total)
        self._torch.nn.utils.clip_grad_norm_(self._weights.values(), 1.0)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        self._optimizer.zero_grad()
        return total / labels

    def state(self) -> dict[str, Any]:
        """The matrices as they are now."""
        return {name: value.detach().float().cpu() for name, value in self._weights.items()}

    def save(self) -> None:
        """Write a checkpoint: all of it, or the one before stays."""
        new = self._checkpoint.with_name(self._checkpoint.name + ".new")
        kept = {
            "identity": json.dumps(self._identity, sort_keys=True),
            "weights": {name: value.detach().cpu() for name, value in self._weights.items()},
            "optimizer": self._optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
            "sittings": self.sittings,
            "losses": self._losses,
        }
        with new.open("wb") as stream:
            self._torch.save(kept, stream)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(self._checkpoint)

    def curve(self, points: int = 40) -> list[list[float]]:
        """Step and mean loss up to it, at so many places."""
        size = max(1, math.ceil(len(self._losses) / points))
        parts = [self._losses[at : at + size] for at in range(0, len(self._losses), size)]
        return [[min((n + 1) * size, len(self._losses)), round(sum(p) / len(p), 4)] for n, p in enumerate(parts)]
