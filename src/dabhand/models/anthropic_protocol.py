"""Anthropic's protocol; the answer is the input of a tool that has to be used, or text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from anthropic import Anthropic, AnthropicError, APIConnectionError, APIStatusError, APITimeoutError

from dabhand.models.protocol import TOKENS, Piece, Settings
from dabhand.models.retrying import as_failures

_ENDS = {"end_turn": "stop", "tool_use": "stop", "stop_sequence": "stop", "max_tokens": "length"}


class AnthropicProtocol:
    """An endpoint that speaks it."""

    def __init__(self, settings: Settings, key: str) -> None:
        self._model = settings.model
        self._client = Anthropic(api_key=key, base_url=settings.url or None, max_retries=0)

    def pieces(self, system: str, user: str, schema: Mapping[str, Any], seconds: float) -> Iterator[Piece]:
        """Ask, and go through the answer as it comes.

        Raises:
            Failure: the endpoint failed.
        """
        with as_failures(APITimeoutError, APIStatusError, APIConnectionError, AnthropicError):
            stream: Any = self._client.messages.create(
                model=self._model,
                max_tokens=TOKENS,
                system=system,
                messages=[{"role": "user", "content": user}],
                tools=[{"name": "answer", "description": "Give the answer.", "input_schema": dict(schema)}],
                tool_choice={"type": "tool", "name": "answer"},
                stream=True,
                timeout=seconds,
            )
            with stream:
                for event in stream:
                    yield _piece(event)

    def close(self) -> None:
        """Hang up."""
        with suppress(AnthropicError, RuntimeError):
            self._client.close()


def _piece(event: Any) -> Piece:
    match event.type:
        case "message_start":
            return Piece(read=event.message.usage.input_tokens or 0)
        case "content_block_delta":
            return Piece(getattr(event.delta, "partial_json", None) or getattr(event.delta, "text", None) or "")
        case "message_delta":
            reason = event.delta.stop_reason or ""
            return Piece("", _ENDS.get(reason, reason), 0, event.usage.output_tokens or 0)
    return Piece()
