"""Remote models over real HTTP: each way in which an endpoint fails, and that a key is nowhere but on the wire."""

from __future__ import annotations

import logging
import socket
import threading
import time
from typing import Any

import pytest

from dabhand.handoff.words.asking import ask
from dabhand.handoff.words.backends import RemotePlans, plan_schema
from dabhand.models.completion import ModelFailed
from dabhand.models.keys import VARIABLES
from dabhand.models.protocol import Settings
from dabhand.models.remote import RemoteChat, configured
from dabhand.models.retrying import seconds_to_wait
from dabhand.models.weights import ModelUnavailable
from tests.models.failing import Endpoint, endpoint

pytest.importorskip("openai")
pytest.importorskip("anthropic")

KEY = "sk-secret-0123456789"
SCHEMA: dict[str, Any] = {"type": "object"}
BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])


def chat(server: Endpoint | str, provider: Any, patience: float = 5.0, retries: int = 2) -> RemoteChat:
    url = server if isinstance(server, str) else server.url
    settings = Settings(provider, "some-model", url, patience, retries, 0.01)
    return RemoteChat(settings, {VARIABLES[provider]: KEY})


@BOTH
def test_an_answer_comes_back_and_is_counted(provider: str) -> None:
    with endpoint('say {"a": [1, "ü"]}') as server:
        asked = chat(server, provider)
        assert asked.ask("do", "this", SCHEMA) == {"a": [1, "ü"]}
        assert (asked.usage.calls, asked.usage.read, asked.usage.written) == (1, 30, 7)
        path, headers, body = server.asked[0]
    assert path == ("/chat/completions" if provider == "openai" else "/v1/messages")
    assert KEY in (headers.get("authorization", "") + headers.get("x-api-key", ""))
    assert body["model"] == "some-model"
    assert SCHEMA in (body.get("response_format", {}).get("json_schema", {}).get("schema"),
                      *(tool["input_schema"] for tool in body.get("tools", [])))  # fmt: skip


FAILING = [
    ("status 401", "does not accept the key", 1),
    ("status 403", "does not accept the key", 1),
    ("status 404", "has no model", 1),
    ("status 400", "refuses the request (400)", 1),
    ("status 429 0", "too many requests", 3),
    ("status 500 0", "failed (500)", 3),
    ("status 529 0", "failed (529)", 3),
    ("cut {}", "cannot be reached, or broke off", 3),
    ("short {}", "cannot be reached, or broke off", 3),
    ("broken", "cannot be reached, or broke off", 3),
    ("garbage", "cannot be reached, or broke off", 3),
    ("say no JSON at all", "is no JSON", 1),
    ('say {"a": ', "is no JSON", 1),
    ("hang {}", "in time", 1),
    ("silent", "in time", 1),
]


@BOTH
@pytest.mark.parametrize(("way", "sentence", "calls"), FAILING)
def test_each_failure_is_said_and_nothing_of_the_key(
    provider: str, way: str, sentence: str, calls: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    patience = 0.8 if sentence == "in time" else 8.0
    started = time.monotonic()
    with endpoint(way) as server:
        asked = chat(server, provider, patience)
        with pytest.raises(ModelFailed) as failed:
            asked.ask("do", "this", SCHEMA)
        assert len(server.asked) == calls == asked.usage.calls
    assert sentence in failed.value.message
    assert time.monotonic() - started < 7
    told = caplog.text + failed.value.message + failed.value.hint + repr(asked.settings) + repr(failed.value.__cause__)
    assert KEY not in told


@BOTH
def test_an_endpoint_that_recovers_is_asked_again(provider: str) -> None:
    with endpoint("status 429 0", "status 503 0", 'say {"a": 1}') as server:
        asked = chat(server, provider)
        assert asked.ask("do", "this", SCHEMA) == {"a": 1}
        assert asked.usage.calls == 3


@BOTH
def test_one_that_wants_us_to_wait_for_longer_than_we_will_is_not(provider: str) -> None:
    with endpoint("status 429 60") as server:
        started = time.monotonic()
        with pytest.raises(ModelFailed, match="too many requests"):
            chat(server, provider).ask("do", "this", SCHEMA)
        assert len(server.asked) == 1
    assert time.monotonic() - started < 3


@BOTH
def test_nobody_listens(provider: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ModelFailed, match="cannot be reached"):
            chat(url, provider, retries=1).ask("do", "this", SCHEMA)


@BOTH
def test_whoever_stops_waiting_is_not_kept(provider: str) -> None:
    stop = threading.Event()
    stop.set()
    with endpoint('say {"a": 1}') as server, pytest.raises(ModelFailed, match="stopped"):
        chat(server, provider).ask("do", "this", SCHEMA, stop)


def test_without_a_key_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring

    monkeypatch.setattr(keyring, "get_password", lambda *_: None)
    with pytest.raises(ModelUnavailable, match="no key"):
        RemoteChat(Settings("openai", "x"), {}).ask("do", "this", SCHEMA)


def test_a_key_may_be_in_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring

    monkeypatch.setattr(keyring, "get_password", lambda service, name: f"{KEY}-{service}-{name}")
    with endpoint('say {"a": 1}') as server:
        RemoteChat(Settings("openai", "x", server.url), {}).ask("do", "this", SCHEMA)
        assert server.asked[0][1]["authorization"] == f"Bearer {KEY}-dabhand-openai"


def test_what_is_configured() -> None:
    assert configured({}) is None
    assert configured({"OPENAI_API_KEY": KEY}) is None
    chosen = configured({"DABHAND_REMOTE": "Anthropic"})
    assert chosen is not None
    assert chosen.name == "anthropic:claude-haiku-4-5"
    for url in ("https://models.example/v1", "http://127.0.0.1:8080/v1", "http://localhost:11434/v1", "http://[::1]/"):
        assert configured({"DABHAND_REMOTE": "openai", "DABHAND_REMOTE_URL": url}) is not None
    for url in (
        "http://models.example/v1",
        "ftp://127.0.0.1/",
        "127.0.0.1:8080",
        "http://127.0.0.1.example/",
        "https://",
    ):
        with pytest.raises(ModelUnavailable):
            configured({"DABHAND_REMOTE": "openai", "DABHAND_REMOTE_URL": url})
    with pytest.raises(ModelUnavailable):
        configured({"DABHAND_REMOTE": "someone"})


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("1e9", 3600.0), ("nan", None), ("soon", None),
     ("Thu, 01 Jan 1970 00:00:10 GMT", 4.0), ("Thu, 01 Jan 1970 00:00:01 GMT", 0.0)],
)  # fmt: skip
def test_when_to_ask_again(said: str, seconds: float | None) -> None:
    assert seconds_to_wait({"retry-after": said}, now=6.0) == seconds


@BOTH
def test_a_plan_of_a_remote_model_is_held_against_the_request(provider: str) -> None:
    request, references = "gimme dem 20 bottom lines outta file_1", {"file_1": "file"}
    right = 'say {"operation": "last_lines", "path": "file_1", "count": 20}'
    invented = 'say {"operation": "last_lines", "path": "file_1", "count": 21}'
    elsewhere = 'say {"operation": "last_lines", "path": "/etc/passwd", "count": 20}'
    with endpoint(right, 'say {"operation": "abstain"}', invented, elsewhere, "say []", "status 401") as server:
        model = RemotePlans(chat(server, provider))
        found = [ask(model, request, references, None) for _ in range(6)]
    assert found[0].plan is not None
    assert [one.plan for one in found[1:]] == [None] * 5
    assert all(one.why for one in found[1:])


def test_the_schema_allows_plans_about_references_and_nothing_else() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(plan_schema(("file_1",)))
    assert check.is_valid({"operation": "last_lines", "path": "file_1", "count": 3})
    assert check.is_valid({"operation": "abstain"})
    assert not check.is_valid({"operation": "last_lines", "path": "file_2", "count": 3})
    assert not check.is_valid({"operation": "last_lines", "path": "file_1"})
    assert not check.is_valid({"operation": "run", "argv": ["x"]})
