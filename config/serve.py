"""Everything in one process: the site, the worker and the pulse, with SQLite and no broker beside it.

`python -m config.serve [--bind 127.0.0.1:8000]`. What passes between them is in this process's memory, so that nothing of
it is left over when it ends: whatever is due is a row. With REDIS_URL the processes of the Procfile run apart instead. Open
pages ask by themselves here: a thread would be held by each that is told (`config.live`).
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import threading
import warnings
from typing import Any

WEB_THREADS, WORKER_THREADS = 8, 4
LARGEST = 110_000_000
"""Bytes of a request, which is written to the disk before the site sees it: a pack, and some room."""
PATIENCE = 2.0
"""Seconds for what is being done to end by itself."""


def address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise argparse.ArgumentTypeError("an address is HOST:PORT")
    return host, int(port)


def site(host: str, port: int) -> Any:
    """The site's server, listening already."""
    from waitress import create_server

    from config.wsgi import application

    return create_server(application, host=host, port=port, threads=WEB_THREADS, max_request_body_size=LARGEST, ident="")


def end_soon(**_: Any) -> None:
    """Who waits at a keyboard for the end need not wait for the worker to look up: what it does not do now is done again."""
    timer = threading.Timer(PATIENCE, os._exit, (0,))
    timer.daemon = True
    timer.start()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m config.serve", description="The site, the worker and the pulse.")
    parser.add_argument("--bind", type=address, default=("127.0.0.1", 8000), metavar="HOST:PORT")
    host, port = parser.parse_args(arguments).bind
    os.environ["TABULA_ONE_PROCESS"] = "1"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    server = site(host, port)
    # Many pages at once wait in a line; that is what it is for.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)

    from celery.beat import Service
    from celery.exceptions import SecurityWarning
    from celery.signals import worker_shutting_down

    from config.celery import app
    from config.wsgi import warm_up

    warm_up()
    threading.Thread(target=server.run, name="site", daemon=True).start()
    beat = Service(app)
    threading.Thread(target=beat.start, name="beat", daemon=True).start()
    warnings.simplefilter("ignore", SecurityWarning)  # of who runs it as root: its messages never leave the process
    # The worker has the main thread, since it is the one that hears signals: it ends what it does, and then all ends.
    # A letter is shown in this window as it was written; through the log its links would be masked.
    worker = app.Worker(
        pool="threads", concurrency=WORKER_THREADS, loglevel="WARNING", quiet=True, without_gossip=True, without_mingle=True,
        without_heartbeat=True, redirect_stdouts=False,
    )  # fmt: skip
    worker_shutting_down.connect(end_soon, weak=False)
    try:
        worker.start()
    finally:
        # Not `beat.stop()`, which waits for the next pulse: what it remembers is when it last sent one.
        beat.sync()
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
