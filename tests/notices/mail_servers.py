"""Real mail servers on this machine: a silent one, one that refuses, one that accepts."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class MailServer(socketserver.ThreadingTCPServer):
    """A mail server with a fixed `reply` to RCPT.

    `taken` are the accepted e-mails; `calls` counts connections. It refuses an e-mail that contains
    `spam`.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, reply: str = "250 OK", *, silent: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.reply, self.silent = reply, silent
        self.taken: list[str] = []
        self.spam = ""
        self.calls = 0
        self.closing = threading.Event()


class Conversation(socketserver.StreamRequestHandler):
    server: MailServer
    answers: ClassVar = {
        "EHLO": "250 here",
        "HELO": "250 here",
        "MAIL": "250 OK",
        "RSET": "250 OK",
        "QUIT": "221 bye",
    }

    def handle(self) -> None:
        self.server.calls += 1
        if self.server.silent:
            self.server.closing.wait(60)
            return
        self.write("220 here")
        while line := self.rfile.readline().decode():
            verb = line[:4].upper()
            if verb == "DATA":
                self.write("354 go on")
                body = []
                while (part := self.rfile.readline().decode()) not in (".\r\n", ""):
                    body.append(part)
                text = "".join(body)
                if self.server.spam and self.server.spam in text:
                    self.write("554 5.7.1 looks like spam")
                    continue
                self.server.taken.append(text)
                self.write("250 taken")
            else:
                self.write(
                    self.server.reply if verb == "RCPT" else self.answers.get(verb, "502 what?")
                )

    def write(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def mail_server(reply: str = "250 OK", *, silent: bool = False) -> Iterator[MailServer]:
    """Yield a server that listens on a free port of this machine."""
    with MailServer(reply, silent=silent) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()
