"""A remote model: what it is asked is the same for every provider, and so is each way in which an endpoint fails.

Answers are streamed, so that an endpoint that hangs, or whoever stops waiting, ends the wait at once. What an endpoint
says about a failure is not repeated, because it may repeat the key.
"""

from __future__ import annotations

import ipaddress
import json
import os
import threading
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from dabhand.models.completion import ModelFailed
from dabhand.models.keys import VARIABLES, key_for
from dabhand.models.protocol import Failure, Protocolled, Provider, Settings
from dabhand.models.weights import ModelUnavailable

_PROVIDERS: dict[str, Provider] = {"openai": "openai", "anthropic": "anthropic"}

MODELS: dict[str, str] = {"openai": "gpt-5-mini", "anthropic": "claude-haiku-4-5"}
"""What is asked where no model is named."""

LARGEST = 1 << 20
"""Characters of an answer."""

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which asking again may help."""

EXTRA = "pip install 'dabhand[remote]'"


def configured(environ: Mapping[str, str]) -> Settings | None:
    """The remote model that the user chose: $DABHAND_REMOTE is "openai" or "anthropic"; without it there is none.

    $DABHAND_REMOTE_MODEL names the model, $DABHAND_REMOTE_URL another endpoint that speaks the same protocol.

    Raises:
        ModelUnavailable: what is set makes no sense.
    """
    named = environ.get("DABHAND_REMOTE", "").strip().lower()
    if named in ("", "none"):
        return None
    provider = _PROVIDERS.get(named)
    if provider is None:
        raise ModelUnavailable(f"$DABHAND_REMOTE is {named!r}.", "It is openai or anthropic.")
    url = environ.get("DABHAND_REMOTE_URL", "").strip()
    if url and not _is_private(url):
        raise ModelUnavailable("$DABHAND_REMOTE_URL is not https, and not on this machine.", "Use an https address.")
    return Settings(provider, environ.get("DABHAND_REMOTE_MODEL", "").strip() or MODELS[provider], url)


def _is_private(url: str) -> bool:
    """Whether what is sent there cannot be read on the way."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme == "https":
        return bool(host)
    if parts.scheme != "http":
        return False
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Usage(msgspec.Struct):
    """What was used so far.

    Attributes:
        calls: requests that were sent, repeated ones too.
        read: tokens that were read.
        written: tokens that were written.
    """

    calls: int = 0
    read: int = 0
    written: int = 0


class RemoteChat:
    """A remote model.

    Args:
        settings: which.
        environ: where a key may be.
    """

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self.settings = settings
        self.usage = Usage()
        self._environ = environ
        self._protocol: Protocolled | None = None

    def _connected(self) -> Protocolled:
        if self._protocol is None:
            key = key_for(self.settings.provider, self._environ)
            if key is None and not self.settings.url:
                variable = VARIABLES[self.settings.provider]
                raise ModelUnavailable(
                    f"There is no key for {self.settings.provider}.",
                    f"Set ${variable}, or: keyring set dabhand {self.settings.provider}",
                )
            self._protocol = _protocol(self.settings, key or "none")
        return self._protocol

    def ask(self, system: str, user: str, schema: Mapping[str, Any], stop: threading.Event | None = None) -> object:
        """The JSON value that the model answers with.

        Args:
            system: what it is to do.
            user: what it is asked.
            schema: what the answer has to follow; an endpoint may hold itself to it or not.
            stop: once it is set, nobody waits any longer.

        Raises:
            ModelUnavailable: the package or the key is missing.
            ModelFailed: no answer came of it; the sentence says in which way.
        """
        until = time.monotonic() + self.settings.patience
        for left in range(self.settings.retries, -1, -1):
            try:
                return self._once(system, user, schema, until, stop)
            except Failure as failure:
                wait = (
                    failure.after
                    if failure.after is not None
                    else self.settings.pause * 2 ** (self.settings.retries - left)
                )
                again = left and not failure.late and (failure.status is None or failure.status in _AGAIN)
                if not again or time.monotonic() + wait >= until:
                    raise ModelFailed(_sentence(failure, self.settings), _hint(failure, self.settings)) from None
                _pause(wait, stop)
        raise AssertionError("unreachable")

    def _once(
        self, system: str, user: str, schema: Mapping[str, Any], until: float, stop: threading.Event | None
    ) -> object:
        protocol = self._connected()
        self.usage.calls += 1
        text, ended = "", ""
        for piece in protocol.pieces(system, user, schema, max(0.1, until - time.monotonic())):
            text += piece.text
            ended = piece.ended or ended
            self.usage.read += piece.read
            self.usage.written += piece.written
            if stop is not None and stop.is_set():
                protocol.close()
                self._protocol = None
                raise ModelFailed("The remote model was stopped.")
            if time.monotonic() > until:
                raise Failure(None, late=True)
            if len(text) > LARGEST:
                raise ModelFailed("The remote model's answer is too long.")
        if not ended:
            raise Failure(None)
        if ended == "length":
            raise ModelFailed("The remote model's answer does not end.")
        return _value(text)


def remote_chat() -> RemoteChat | None:
    """The remote model that the user chose, if there is one.

    Raises:
        ModelUnavailable: what is set makes no sense.
    """
    settings = configured(os.environ)
    return None if settings is None else RemoteChat(settings, os.environ)


def _value(text: str) -> object:
    """The JSON in an answer; a fence around it is nothing.

    Raises:
        ModelFailed: there is none.
    """
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare.strip("`").removeprefix("json")
    try:
        return json.loads(bare)
    except (ValueError, RecursionError) as error:
        raise ModelFailed("The remote model's answer is no JSON.") from error


def _pause(seconds: float, stop: threading.Event | None) -> None:
    if (stop or threading.Event()).wait(seconds):
        raise ModelFailed("The remote model was stopped.")


def _sentence(failure: Failure, settings: Settings) -> str:
    if failure.late:
        return "The remote model did not answer in time."
    match failure.status:
        case None:
            return "The endpoint of the remote model cannot be reached, or broke off."
        case 401 | 403:
            return f"The endpoint does not accept the key for {settings.provider}."
        case 404:
            return f"The endpoint has no model {settings.model!r}."
        case 429:
            return "The endpoint has had too many requests."
        case int(status) if status >= 500:
            return f"The endpoint failed ({status})."
    return f"The endpoint refuses the request ({failure.status})."


def _hint(failure: Failure, settings: Settings) -> str:
    if failure.status in (401, 403):
        return f"Mend ${VARIABLES[settings.provider]}, or: keyring set dabhand {settings.provider}"
    return "Leave it out with --translator grammar, or mend $DABHAND_REMOTE and $DABHAND_REMOTE_URL."


def _protocol(settings: Settings, key: str) -> Protocolled:
    try:
        if settings.provider == "openai":
            from dabhand.models.openai_protocol import OpenAIProtocol

            return OpenAIProtocol(settings, key)
        from dabhand.models.anthropic_protocol import AnthropicProtocol

        return AnthropicProtocol(settings, key)
    except ImportError as error:
        raise ModelUnavailable(f"The package for {settings.provider} is not installed.", EXTRA) from error
