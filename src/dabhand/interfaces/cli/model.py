"""`dabhand model`: the small local model. Each command of it is a module `model_NAME`."""

from __future__ import annotations

import click

from dabhand.interfaces.cli.lazy_group import LazyGroup

SUMMARIES = {
    "status": "Say which models are here, what was trained, and what it scored.",
    "serve": "Keep the local model warm for every other command.",
    "data": "Make training sets from a seed.",
    "train": "Train an adapter on them, on a processor or a graphics card.",
    "export": "Write it as files that llama.cpp and Ollama load.",
    "calibrate": "Learn from which confidence on its answers may be believed.",
}


@click.group("model", cls=LazyGroup, summaries=SUMMARIES, prefix="model_")
def command() -> None:
    """Train the small local model, and see what it is."""
