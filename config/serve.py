"""The site, the worker and the pulse in a single command, with SQLite and without a broker.

`python -m config.serve [--bind 127.0.0.1:8000]`. Site and pulse are threads of this process; the
worker is a process below it, with a pool of two, because a thread that hangs cannot be ended. What
passes between them is in a folder that is removed when the command ends: everything that is due is
a row. With REDIS_URL start the processes of the Procfile instead. Open pages poll here, because a
pushed page would hold a thread (`config.live`).
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from time import sleep
from typing import Any

from config.processes import REFUSED

WEB_THREADS = 8
LARGEST = 110_000_000
"""Bytes of a request, which is written to the disk before the site sees it: a pack, and
some room.
"""
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

    return create_server(
        application,
        host=host,
        port=port,
        threads=WEB_THREADS,
        max_request_body_size=LARGEST,
        ident="",
    )


class WorkerBelow:
    """The worker's process. It is started again when it ends; its end of a pipe closes when this
    process is killed.
    """

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "config.worker", "--together"]
        # In a session of its own: Ctrl-C is for this process, which ends the worker and its pool.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # noqa: S603  our own

    def watch(self) -> int:
        """Wait for ever, or return the status of a worker that may not start."""
        while True:
            status = self.process.wait()
            if status == REFUSED:
                return status
            print(f"The worker has ended ({status}) and is started again.", file=sys.stderr)  # noqa: T201
            sleep(1)
            self.start()

    def end(self) -> None:
        """Give the worker a moment to finish, then end it. Unfinished work is done again."""
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def _end(*_: object) -> None:
    """End with a clean-up, but leave after a while even if the clean-up hangs."""
    timer = threading.Timer(4 * PATIENCE, os._exit, (0,))
    timer.daemon = True
    timer.start()
    raise SystemExit(0)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m config.serve", description="The site, the worker and the pulse."
    )
    parser.add_argument("--bind", type=address, default=("127.0.0.1", 8000), metavar="HOST:PORT")
    host, port = parser.parse_args(arguments).bind
    folder = tempfile.mkdtemp(prefix="tabula-broker-")
    os.environ["TABULA_BROKER_FOLDER"] = folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        return serve(host, port)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def serve(host: str, port: int) -> int:
    """Serve until the process is ended; return its exit status."""
    server = site(host, port)
    # Many pages at once wait in a line; that is what it is for.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)

    from celery.beat import Service

    from config.celery import app
    from config.wsgi import warm_up

    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, _end)
    worker = WorkerBelow()
    beat = Service(app)
    try:
        warm_up()
        threading.Thread(target=server.run, name="site", daemon=True).start()
        threading.Thread(target=beat.start, name="beat", daemon=True).start()
        return worker.watch()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        worker.end()
        # Not `beat.stop()`, which waits for the next pulse: what it remembers is when it last sent
        # one.
        beat.sync()
        server.close()


if __name__ == "__main__":
    sys.exit(main())
