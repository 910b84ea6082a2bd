"""Servers on this machine that behave as told, byte by byte, and count."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Behave = Callable[[socket.socket, bytes], None]
"""Given the connection and the request read from it (head and body)."""


class Server:
    """A server with the requests that it received, in order, and its address."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[bytes] = []
        self.connections = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def _read(wire: socket.socket) -> bytes:
    shown = b""
    while b"\r\n\r\n" not in shown:
        piece = wire.recv(65536)
        if not piece:
            return shown
        shown += piece
    head, _, body = shown.partition(b"\r\n\r\n")
    length = next(
        (
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        ),
        0,
    )
    while len(body) < length:
        piece = wire.recv(65536)
        if not piece:
            break
        body += piece
    return head + b"\r\n\r\n" + body


@contextmanager
def serving(behave: Behave, context: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server for as long as the block lasts; each connection is one request."""
    door = socket.create_server(("127.0.0.1", 0))
    server = Server(door.getsockname()[1])

    def one(wire: socket.socket) -> None:
        with suppress(OSError):
            if context is not None:
                wire = context.wrap_socket(wire, server_side=True)
            with wire:
                shown = _read(wire)
                if shown:
                    server.asked.append(shown)
                    behave(wire, shown)

    def run() -> None:
        while True:
            try:
                wire, _ = door.accept()
            except OSError:
                return
            server.connections += 1
            threading.Thread(target=one, args=(wire,), daemon=True).start()

    threading.Thread(target=run, daemon=True).start()
    try:
        yield server
    finally:
        door.shutdown(socket.SHUT_RDWR)
        door.close()


def says(body: bytes, status: str = "200 OK", *headers: str) -> Behave:
    """An answer as it should be."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]

    def behave(wire: socket.socket, shown: bytes) -> None:
        wire.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    return behave


def certificate(folder: Path, *names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's context with a certificate for these names, and a client's that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    alternatives = [
        x509.IPAddress(ip_address(n)) if n[0].isdigit() else x509.DNSName(n) for n in names
    ]
    created = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    both = folder / "both.pem"
    pem = created.public_bytes(serialization.Encoding.PEM)
    both.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + pem
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(both)
    return server, ssl.create_default_context(cadata=pem.decode())
