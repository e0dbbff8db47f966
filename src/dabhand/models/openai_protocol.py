"""OpenAI's protocol, which Ollama, vLLM, LM Studio and llama-server speak as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAI, OpenAIError

from dabhand.models.protocol import TOKENS, Piece, Settings
from dabhand.models.retrying import as_failures


class OpenAIProtocol:
    """An endpoint that speaks it."""

    def __init__(self, settings: Settings, key: str) -> None:
        self._model = settings.model
        self._client = OpenAI(api_key=key, base_url=settings.url or None, max_retries=0)

    def pieces(self, system: str, user: str, schema: Mapping[str, Any], seconds: float) -> Iterator[Piece]:
        """Ask, and go through the answer as it comes.

        Raises:
            Failure: the endpoint failed.
        """
        with as_failures(APITimeoutError, APIStatusError, APIConnectionError, OpenAIError):
            stream = self._client.chat.completions.create(
                model=self._model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                response_format={"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}},
                max_completion_tokens=TOKENS,
                stream=True,
                stream_options={"include_usage": True},
                timeout=seconds,
            )
            with stream:
                for chunk in stream:
                    yield _piece(chunk)

    def close(self) -> None:
        """Hang up."""
        with suppress(OpenAIError, RuntimeError):
            self._client.close()


def _piece(chunk: Any) -> Piece:
    choice = chunk.choices[0] if chunk.choices else None
    text = "" if choice is None else (choice.delta.content or "")
    ended = "" if choice is None else (choice.finish_reason or "")
    usage = chunk.usage
    return Piece(text, ended, *((0, 0) if usage is None else (usage.prompt_tokens, usage.completion_tokens)))
