"""The web server of the site: `python -m config.web`, as the Procfile starts it.

Waitress reads a whole request before a thread takes it, so half-sent requests hold a socket but no
thread (docs/decisions/0050). The program is loaded once, before the processes are forked: they
share its memory and its socket.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import socket
import sys
from collections.abc import Callable
from functools import partial

from config.processes import REFUSED, supervise

SILENT = 30
"""Seconds after which Waitress closes a connection on which nothing arrives."""
OPTIONS = {
    # Waitress keeps a long request on the disk: an audit pack has 100 MB.
    "max_request_body_size": 110_000_000,
    "channel_timeout": SILENT,
    "cleanup_interval": 10,
    "connection_limit": 1000,
    "asyncore_use_poll": True,
    "ident": "",
}


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches the host."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def refusal(host: str, proxies: int, guarded: bool) -> str:
    """Return why the site may not start behind a proxy; empty if it may.

    Anyone who reaches the port could send the headers of the proxy.
    """
    if not proxies or guarded or is_loopback(host):
        return ""
    return (
        f"TRUSTED_PROXIES is {proxies}, and BIND={host} may be reachable from outside, so"
        " anyone could send the headers of the proxy. Bind to 127.0.0.1, or set"
        " TRUSTED_PROXIES_GUARDED=1 if a firewall or a container network admits only the proxy."
    )


def site(host: str, port: int, threads: int) -> Callable[[], int]:
    """Load the program and listen on the port; return the work of a process that answers.

    Raises:
        SystemExit: The site may not start on this port.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["TABULA_PROCESS_ABOVE"] = str(os.getpid())
    from django.conf import settings

    if why := refusal(host, settings.TRUSTED_PROXIES, settings.TRUSTED_PROXIES_GUARDED):
        sys.stderr.write(f"{why}\n")
        raise SystemExit(REFUSED)
    from config.wsgi import warm_up

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=1024)
    warm_up()
    return partial(serve, listening, threads, is_behind_proxy=settings.TRUSTED_PROXIES > 0)


def serve(listening: socket.socket, threads: int, is_behind_proxy: bool) -> int:
    """Answer requests until the process is ended."""
    import waitress

    from config.wsgi import application

    # Many requests at once wait for a thread, for example when all open pages ask for a new move.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    waitress.serve(
        application,
        sockets=[listening],
        threads=threads,
        clear_untrusted_proxy_headers=not is_behind_proxy,
        **OPTIONS,
    )
    return 0


def main() -> int:
    """Serve the site in the processes that the environment asks for."""
    answering = site(
        os.environ.get("BIND", "127.0.0.1"),
        int(os.environ.get("PORT", "8000")),
        int(os.environ.get("WEB_THREADS", "8")),
    )
    return supervise("the site", [answering] * int(os.environ.get("WEB_CONCURRENCY", "2")))


if __name__ == "__main__":
    sys.exit(main())
