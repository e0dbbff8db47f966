"""The local model served for other processes: `dabhand model serve` keeps it warm, everybody else of this user asks it.

Where it listens and the key to it lie in a private file beside the store. It listens on this machine alone, and speaks
llama.cpp's and OpenAI's protocols.
"""

from __future__ import annotations

import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any

import msgspec

from dabhand.home import default_directory
from dabhand.models.completion import Ask, Completion, ModelFailed
from dabhand.models.local import read_chunks, to_request

FILE = "model.json"


class Address(msgspec.Struct, frozen=True):
    """Where a model is served.

    Attributes:
        url: on this machine.
        key: without which it answers nothing.
        process: that serves it.
        model: what it is, for people.
    """

    url: str
    key: str
    process: int
    model: str = ""


def address_file() -> Path:
    """Where the address is kept."""
    return default_directory(os.environ) / FILE


def publish(address: Address, file: Path) -> None:
    """Tell others where a model is served; nobody but this user can read it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:  # noqa: PTH123
        stream.write(msgspec.json.encode(address))
    new.replace(file)


def known_address(file: Path) -> Address | None:
    """Where a model is served, if one says so and its process is alive."""
    try:
        if os.name == "posix" and file.stat().st_uid != os.geteuid():
            return None
        found = msgspec.json.decode(file.read_bytes(), type=Address)
        os.kill(found.process, 0)
    except (OSError, msgspec.MsgspecError):
        return None
    return found if found.url.startswith("http://127.0.0.1:") else None


def served_engine(file: Path | None = None) -> ServedEngine | None:
    """The model that another process serves, if there is one."""
    found = known_address(file or address_file())
    return None if found is None else ServedEngine(found)


class ServedEngine:
    """A model in another process on this machine.

    Args:
        address: where it is.
    """

    def __init__(self, address: Address) -> None:
        self.address = address

    def complete(self, ask: Ask, stop: threading.Event | None = None) -> Completion:
        """Go on with a text; whoever stops waiting hangs up, which stops the model too.

        Raises:
            ModelFailed: it cannot be reached, died meanwhile, took too long, or sent something that is no answer.
        """
        until = time.monotonic() + ask.patience
        try:
            with self._sent(to_request(ask), ask.patience) as stream:
                return read_chunks(list(_events(stream, until, stop)))
        except urllib.error.HTTPError as error:
            raise ModelFailed(f"The served model refuses ({error.code}).") from error
        except TimeoutError as error:
            raise ModelFailed("The served model did not answer in time.") from error
        except (OSError, HTTPException, ValueError, TypeError, AttributeError) as error:
            raise ModelFailed(f"The served model cannot be reached: {error}.") from error

    def _sent(self, body: dict[str, Any], patience: float) -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.address.key}"}
        request = urllib.request.Request(
            f"{self.address.url}/v1/completions", json.dumps(body).encode("ascii"), headers
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return direct.open(request, timeout=patience)

    def close(self) -> None:
        """Nothing: the memory is another process's."""


def _events(stream: Any, until: float, stop: threading.Event | None) -> Iterator[dict[str, Any]]:
    for line in stream:
        if time.monotonic() > until:
            raise TimeoutError
        if stop is not None and stop.is_set():
            raise ModelFailed("The served model was stopped.")
        text = line.decode("utf-8").strip()
        if text == "data: [DONE]":
            return
        if text.startswith("data: "):
            yield json.loads(text.removeprefix("data: "))
        elif text.startswith("error: "):
            raise ModelFailed(f"The served model failed: {text.removeprefix('error: ')[:200]}.")
