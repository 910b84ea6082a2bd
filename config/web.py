"""The site's server: `python -m config.web`, as the Procfile starts it.

Waitress reads a whole request before a thread takes it, so half-sent requests hold sockets and no thread. The site is loaded
once, before the processes part: they share its memory, and none begins cold. Settings come
from the environment: BIND (127.0.0.1), PORT (8000), WEB_THREADS (8) and WEB_CONCURRENCY, the number of processes (2).
"""

from __future__ import annotations

import ipaddress
import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from time import monotonic, sleep

from config.serve import LARGEST

SILENT = 30
"""Seconds after which a connection without an answer under way, on which nothing arrives, is closed."""
SHORT = 20
"""Seconds: a process that ends sooner by itself could not start; then all end with its status."""
PAUSE = 0.5
"""Seconds until another process takes the place of one that was killed."""
CONNECTIONS = 1000
"""Open sockets of one process; more wait until some are closed."""


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def refusal(host: str, proxies: int, guarded: bool) -> str:
    """Why the site may not start, or an empty text: who reaches the port behind a proxy could send the proxy's headers."""
    if not proxies or guarded or is_loopback(host):
        return ""
    return (
        f"TRUSTED_PROXIES is {proxies}, and BIND={host} may be reachable from outside: anybody could send the proxy's headers. "
        "Bind to 127.0.0.1, or set TRUSTED_PROXIES_GUARDED=1 where a firewall or a container network lets only the proxy in."
    )


def serve_on(listening: socket.socket, threads: int, proxies: int) -> None:
    """Serves until the process is ended."""
    from waitress import serve

    from config.wsgi import application

    # Many pages at once wait in a line, as when a move is told to all that are open.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    serve(
        application, sockets=[listening], threads=threads, max_request_body_size=LARGEST, channel_timeout=SILENT,
        cleanup_interval=10, connection_limit=CONNECTIONS, asyncore_use_poll=True, ident="",
        # The proxy's headers reach the site only where there is a proxy.
        clear_untrusted_proxy_headers=not proxies,
    )  # fmt: skip


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    host, port = os.environ.get("BIND", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    threads, processes = int(os.environ.get("WEB_THREADS", "8")), int(os.environ.get("WEB_CONCURRENCY", "2"))
    if why := refusal(host, settings.TRUSTED_PROXIES, settings.TRUSTED_PROXIES_GUARDED):
        print(why, file=sys.stderr)  # noqa: T201
        return 1
    os.environ["TABULA_PROCESS_ABOVE"] = str(os.getpid())
    from config.wsgi import warm_up

    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=1024)
    warm_up()
    children: dict[int, float] = {}

    def start() -> None:
        child = os.fork()
        if child:
            children[child] = monotonic()
            return
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells its children
        status = 1
        try:
            serve_on(listening, threads, settings.TRUSTED_PROXIES)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            os._exit(status)

    def end(*_: object) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    try:
        for _ in range(processes):
            start()
        while True:
            child, state = os.wait()
            lived, status = monotonic() - children.pop(child), os.waitstatus_to_exitcode(state)
            if status > 0 and lived < SHORT:
                return status  # it cannot start: its own lines say why
            sleep(PAUSE)
            print(f"A process of the site has ended after {lived:.0f} s; another takes its place.", file=sys.stderr)  # noqa: T201
            start()
    finally:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        for child in children:
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


if __name__ == "__main__":
    sys.exit(main())
