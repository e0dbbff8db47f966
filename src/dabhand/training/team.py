"""Several processes that take each step together: every one has the model, and what they found is added up."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dabhand.errors import DabhandError
from dabhand.training.base import required


class WorkerLost(DabhandError):
    """A process of the team ended before its time."""

    code = "worker"


class Team:
    """This process's place among those that train together.

    Attributes:
        rank: 0 for the one that keeps the files.
        size: how many there are.
    """

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank = rank
        self.size = size

    def summed(self, weights: Sequence[Any], total: float) -> float:
        """Add up everybody's gradients, in place, and everybody's total.

        Raises:
            WorkerLost: somebody is gone.
        """
        if self.size == 1:
            return total
        torch = required("torch")
        zero = [torch.zeros_like(one) if one.grad is None else one.grad for one in weights]
        flat = torch.cat([*(one.reshape(-1).float() for one in zero), torch.tensor([total])])
        try:
            torch.distributed.all_reduce(flat)
        except RuntimeError as error:
            raise WorkerLost(
                "A process that trains along has ended.", "Say the same command again: it goes on from the checkpoint."
            ) from error
        at = 0
        for one in weights:
            one.grad = flat[at : at + one.numel()].reshape(one.shape).to(one.dtype)
            at += one.numel()
        return float(flat[-1])


@contextmanager
def together(size: int, work: Callable[..., None], given: tuple[Any, ...]) -> Iterator[Team]:
    """Be the first of a team; the others do `work(team, *given)` until they are through or the first is.

    Args:
        size: how many processes; on a machine with a graphics processor the first works alone.
        work: of the others; a function of a module.
        given: can be pickled.
    """
    torch = required("torch")
    if size <= 1 or torch.cuda.is_available():
        yield Team()
        return
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="dabhand-team-") as place:
        meeting = f"file://{Path(place, 'meeting')}"
        others = [
            context.Process(target=_other, args=(rank, size, meeting, work, given), daemon=True)
            for rank in range(1, size)
        ]
        for one in others:
            one.start()
        try:
            _meet(torch, meeting, 0, size)
            yield Team(0, size)
        finally:
            with suppress(RuntimeError, ValueError):
                torch.distributed.destroy_process_group()
            for one in others:
                one.join(5)
                if one.is_alive():
                    one.kill()
                    one.join()


def _meet(torch: Any, meeting: str, rank: int, size: int) -> None:
    torch.distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=size)


def _other(rank: int, size: int, meeting: str, work: Callable[..., None], given: tuple[Any, ...]) -> None:
    _meet(required("torch"), meeting, rank, size)
    with suppress(WorkerLost, KeyboardInterrupt):
        work(Team(rank, size), *given)
