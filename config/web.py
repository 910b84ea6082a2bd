"""The site's server: `python -m config.web`, as the Procfile starts it.

Waitress reads a whole request before a thread takes it, so half-sent requests hold sockets and no
thread. The site is loaded once, before the processes part: they share its memory, and none begins
cold. Settings come from the environment: BIND (127.0.0.1), PORT (8000), WEB_THREADS (8) and
WEB_CONCURRENCY, the number of processes (2).
"""

from __future__ import annotations

import ipaddress
import logging
import os
import socket
import sys
from functools import partial

from config.processes import REFUSED, supervise
from config.serve import LARGEST

SILENT = 30
"""Seconds after which a connection without an answer under way, on which nothing arrives, is
closed.
"""
CONNECTIONS = 1000
"""Open sockets of one process; more wait until some are closed."""


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def refusal(host: str, proxies: int, guarded: bool) -> str:
    """Why the site may not start, or an empty text: who reaches the port behind a proxy could send
    the proxy's headers.
    """
    if not proxies or guarded or is_loopback(host):
        return ""
    return (
        f"TRUSTED_PROXIES is {proxies}, and BIND={host} may be reachable from outside: anybody"
        " could send the proxy's headers. Bind to 127.0.0.1, or set TRUSTED_PROXIES_GUARDED=1"
        " where a firewall or a container network lets only the proxy in."
    )


def serve_on(listening: socket.socket, threads: int, proxies: int) -> None:
    """Serves until the process is ended."""
    from waitress import serve

    from config.wsgi import application

    # Many pages at once wait in a line, as when a move is told to all that are open.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    serve(
        application,
        sockets=[listening],
        threads=threads,
        max_request_body_size=LARGEST,
        channel_timeout=SILENT,
        cleanup_interval=10,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,
        ident="",
        # The proxy's headers reach the site only where there is a proxy.
        clear_untrusted_proxy_headers=not proxies,
    )


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    host, port = os.environ.get("BIND", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    threads, processes = (
        int(os.environ.get("WEB_THREADS", "8")),
        int(os.environ.get("WEB_CONCURRENCY", "2")),
    )
    if why := refusal(host, settings.TRUSTED_PROXIES, settings.TRUSTED_PROXIES_GUARDED):
        print(why, file=sys.stderr)  # noqa: T201
        return REFUSED
    os.environ["TABULA_PROCESS_ABOVE"] = str(os.getpid())
    from config.wsgi import warm_up

    listening = socket.create_server(
        (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=1024
    )
    warm_up()
    serving = partial(_serving, listening, threads, settings.TRUSTED_PROXIES)
    return supervise("the site", [serving] * processes)


def _serving(listening: socket.socket, threads: int, proxies: int) -> int:
    serve_on(listening, threads, proxies)
    return 0


if __name__ == "__main__":
    sys.exit(main())
