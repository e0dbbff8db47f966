"""An endpoint on loopback that speaks both remote protocols, and fails in the ways in which endpoints fail."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Endpoint(ThreadingHTTPServer):
    """Answers one way after the other; the last again and again."""

    daemon_threads = True

    def __init__(self, *ways: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.ways = list(ways)
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        way = self.server.ways.pop(0) if len(self.server.ways) > 1 else self.server.ways[0]
        name, _, more = way.partition(" ")
        getattr(self, f"_{name}")(more)

    def _status(self, more: str) -> None:
        status, _, after = more.partition(" ")
        said = json.dumps({"error": {"type": "x", "message": f"no: {self.headers.get('Authorization')}"}}).encode()
        self.send_response(int(status))
        if after:
            self.send_header("Retry-After", after)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def _begin(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def _send(self, value: dict[str, Any]) -> None:
        event = f"event: {value['type']}\n" if "type" in value else ""
        self.wfile.write(f"{event}data: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()

    def _events(self, text: str) -> list[dict[str, Any]]:
        half = len(text) // 2
        if self.path.endswith("/messages"):
            usage = {"input_tokens": 30, "output_tokens": 1}
            message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "x", "usage": usage}
            parts = [{"type": "input_json_delta", "partial_json": part} for part in (text[:half], text[half:])]
            block = {"type": "tool_use", "id": "t", "name": "answer", "input": {}}
            return [
                {"type": "message_start", "message": message},
                {"type": "content_block_start", "index": 0, "content_block": block},
                *({"type": "content_block_delta", "index": 0, "delta": part} for part in parts),
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}},
                {"type": "message_stop"},
            ]
        base = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "x"}
        chunks = [
            {**base, "choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}]}
            for part in (text[:half], text[half:])
        ]
        usage = {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}
        last = {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        return [*chunks, last, {**base, "choices": [], "usage": usage}]

    def _say(self, text: str) -> None:
        self._begin()
        for event in self._events(text):
            self._send(event)
        if not self.path.endswith("/messages"):
            self.wfile.write(b"data: [DONE]\n\n")

    def _cut(self, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for event in self._events(text)[:3]:
            self._send(event)
        self.close_connection = True

    def _short(self, text: str) -> None:
        """Ends in an orderly way, and half way through."""
        self._begin()
        for event in self._events(text)[:-2]:
            self._send(event)

    def _hang(self, text: str) -> None:
        self._begin()
        for event in self._events(text)[:2]:
            self._send(event)
        self.server.over.wait(20)

    def _silent(self, _: str) -> None:
        self.server.over.wait(20)
        self.close_connection = True

    def _garbage(self, _: str) -> None:
        said = b"<html>\xff\x00 not what you think</html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def _broken(self, _: str) -> None:
        self._begin()
        self.wfile.write(b'data: {"choices": [{\xff\n\n')


@contextmanager
def endpoint(*ways: str) -> Iterator[Endpoint]:
    """An endpoint that answers in some ways, one after the other."""
    server = Endpoint(*ways)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
