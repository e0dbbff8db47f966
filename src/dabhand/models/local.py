"""The local model: llama.cpp in this process, loaded when it is first asked, with two threads and its prompts cached.

Greedy decoding, so the same question has the same answer. One question at a time; whoever waits may stop waiting.
"""

from __future__ import annotations

import gc
import json
import secrets
import threading
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from dabhand.models.completion import Ask, Completion, ModelFailed
from dabhand.models.weights import EXTRA, ModelUnavailable, Weights, found_weights

THREADS = 2
CONTEXT = 4096
"""Tokens that a prompt and its answer may have together."""

QUIET = -1


class LocalEngine:
    """The local model in this process.

    Args:
        weights: finds the files once they are needed.
        threads: of the processor.
        address: where to listen, for others on this machine; nobody but who knows `key` is answered.
    """

    def __init__(
        self,
        weights: Callable[[], Weights] = found_weights,
        *,
        threads: int = THREADS,
        port: int = 0,
        key: str = "",
    ) -> None:
        self._weights = weights
        self._threads = threads
        self._port = port
        self._key = key or secrets.token_urlsafe(32)
        self._server: Any = None
        self._lock = threading.Lock()

    @property
    def is_loaded(self) -> bool:
        """Whether it holds memory."""
        return self._server is not None

    def load(self) -> str:
        """Load it, unless it is; the address at which it listens on this machine.

        Raises:
            ModelUnavailable: it is not installed, or cannot be loaded.
        """
        with self._lock:
            if self._server is None:
                self._server = self._loaded()
            return str(self._server.listening_address)

    def _loaded(self) -> Any:
        try:
            import xllamacpp
        except ImportError as error:
            raise ModelUnavailable("llama.cpp is not installed.", EXTRA) from error
        weights = self._weights()
        params = xllamacpp.CommonParams()
        params.model.path = str(weights.base)
        params.n_ctx = CONTEXT
        params.n_parallel = 1
        params.swa_full = True  # else what is cached of a prompt cannot be used again with sliding windows
        params.n_ctx_checkpoints = 0
        params.cache_ram_mib = 0
        params.warmup = False
        params.verbosity = QUIET
        params.cpuparams.n_threads = self._threads
        params.cpuparams_batch.n_threads = self._threads
        params.ui = False
        params.endpoint_slots = False
        params.hostnames = ["127.0.0.1"]
        params.port = self._port
        params.api_keys = [self._key]
        if weights.adapter is not None:
            params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(weights.adapter), 1.0)]
        try:
            return xllamacpp.Server(params)
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelUnavailable(f"The local model cannot be loaded: {error}.", EXTRA) from error

    def complete(self, ask: Ask, stop: threading.Event | None = None) -> Completion:
        """Go on with a text.

        Raises:
            ModelFailed, ModelUnavailable: see `Engine`.
        """
        self.load()
        until = time.monotonic() + ask.patience
        if not self._lock.acquire(timeout=ask.patience):
            raise ModelFailed("The local model is busy with something else.")
        try:
            if self._server is None:
                raise ModelFailed("The local model was given up meanwhile.")
            written = _Written(until, stop)
            answer = self._server.handle_completions(to_request(ask), written.take)
            return written.completion(answer)
        finally:
            self._lock.release()

    def count_tokens(self, text: str) -> int:
        """How many tokens a text is for this model.

        Raises:
            ModelFailed: the model does not say.
        """
        body = json.dumps({"content": text}).encode("ascii")
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        request = urllib.request.Request(f"{self.load()}/tokenize", body, headers)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=60) as answer:
                return len(json.load(answer)["tokens"])
        except (OSError, ValueError, KeyError) as error:
            raise ModelFailed(f"The local model counts no tokens: {error}.") from error

    def close(self) -> None:
        """Give back the memory."""
        with self._lock:
            self._server = None
        gc.collect()


def to_request(ask: Ask) -> dict[str, Any]:
    """A question as llama.cpp's server takes it."""
    grammar = {"grammar": ask.grammar} if ask.grammar else {}
    return {
        "prompt": ask.prompt,
        "max_tokens": ask.tokens,
        "temperature": 0,
        "n_probs": 1,
        "cache_prompt": True,
        "stream": True,
        "stream_options": {"include_usage": True},
        **grammar,
    }


class _Written:
    """What comes, piece by piece."""

    def __init__(self, until: float, stop: threading.Event | None) -> None:
        self._until = until
        self._stop = stop
        self._chunks: list[dict[str, Any]] = []
        self._late = False

    def take(self, chunk: dict[str, Any]) -> bool:
        """Take a piece; whether to stop."""
        self._chunks.append(chunk)
        self._late = time.monotonic() > self._until
        return self._late or (self._stop is not None and self._stop.is_set())

    def completion(self, answer: object) -> Completion:
        """All that came.

        Raises:
            ModelFailed: it was stopped, or is an error.
        """
        if self._late:
            raise ModelFailed("The local model did not answer in time.")
        if self._stop is not None and self._stop.is_set():
            raise ModelFailed("The local model was stopped.")
        return read_chunks([*self._chunks, *([answer] if isinstance(answer, dict) else [])])


def read_chunks(chunks: list[dict[str, Any]]) -> Completion:
    """The pieces of an answer as one.

    Raises:
        ModelFailed: one is an error, or none says how it ended.
    """
    text, logprobs, ended = "", list[float](), ""
    read = kept = 0
    for chunk in chunks:
        if "error" in chunk:
            raise ModelFailed(f"The local model failed: {_said(chunk['error'])}.")
        for choice in chunk.get("choices", []):
            text += choice.get("text") or ""
            tokens = (choice.get("logprobs") or {}).get("content") or []
            logprobs += [float(token["logprob"]) for token in tokens]
            ended = choice.get("finish_reason") or ended
        usage = chunk.get("usage") or {}
        read = int(usage.get("prompt_tokens", read))
        kept = int((usage.get("prompt_tokens_details") or {}).get("cached_tokens", kept))
    if not ended:
        raise ModelFailed("The local model broke off.")
    return Completion(text, tuple(logprobs), read, kept, ended == "length")


def _said(error: object) -> str:
    return str(error.get("message", error)) if isinstance(error, dict) else str(error)
