"""A small real server on this machine that replaces Discord, Slack and Telegram."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Chats:
    """A chat service that records requests.

    `asked` are method, path and JSON body; `answers` are statuses to give first, then all requests
    succeed. It keeps messages as Discord does: POST with `wait=true` makes one, PATCH changes it,
    and an unknown one gets 404 with code 10008.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.answers: list[int] = []
        self.messages: dict[str, str] = {}
        self.hold: threading.Event | None = None
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def content(self) -> list[str]:
        """The texts that arrived, whatever the service calls them."""
        result = []
        for _method, _path, body in self.asked:
            inner = body.get("attachments", [{}])[0] if isinstance(body, dict) else {}
            result.append(str(body.get("content") or body.get("text") or inner.get("text", "")))
        return result


def _handler(chats: Chats) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = json.loads(
                self.rfile.read(int(self.headers.get("content-length", 0))) or b"null"
            )
            chats.asked.append((self.command, self.path, body))
            status = chats.answers.pop(0) if chats.answers else 200
            if status == 0:  # the line goes dead after the question
                self.close_connection = True
                self.connection.close()
                return
            path, _, query = self.path.partition("?")
            content: Any = {"ok": True, "result": {}}
            if status == 200 and "/messages/" in path:
                number = path.rsplit("/", 1)[1]
                if number in chats.messages:
                    chats.messages[number] = body["content"]
                else:
                    status, content = 404, {"message": "Unknown Message", "code": 10008}
            elif status == 200 and "wait=true" in query:
                content = {"id": str(1000 + len(chats.messages))}
                chats.messages[content["id"]] = body["content"]
            text = b"ok" if "/services/" in path and status == 200 else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_POST = do_PATCH = answer  # noqa: N815

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


def serve_chats() -> Iterator[Chats]:
    created = Chats()
    yield created
    created.server.shutdown()
    created.server.server_close()
