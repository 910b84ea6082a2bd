"""The site, the worker and the pulse in a single command, with SQLite and without a broker.

`python -m config.serve [--bind 127.0.0.1:8000]`. Each is a process below this one. The messages
between them are in a folder that is removed when the command ends: everything that is due is a row.
With REDIS_URL start the processes of the Procfile instead. Open pages poll here, because each would
hold a thread (`web.frame.stream`).
"""

from __future__ import annotations

import argparse
import os
import sys
from tempfile import TemporaryDirectory

from config import web, worker
from config.processes import supervise

PATIENCE = 2.0
"""Seconds for the processes to finish. Unfinished work is done again later."""


def address(text: str) -> tuple[str, int]:
    """Read HOST:PORT."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise argparse.ArgumentTypeError("an address must be HOST:PORT")
    return host, int(port)


def pulse() -> int:
    """Send the messages of the pulse until the process ends."""
    from celery.beat import Service

    from config.celery import app

    Service(app).start()
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Serve until the command is ended; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m config.serve", description="The site, the worker and the pulse."
    )
    parser.add_argument("--bind", type=address, default=("127.0.0.1", 8000), metavar="HOST:PORT")
    host, port = parser.parse_args(arguments).bind
    with TemporaryDirectory(prefix="tabula-broker-") as folder:
        os.environ["TABULA_BROKER_FOLDER"] = folder  # before the settings are read
        site = web.site(host, port, threads=8)
        return supervise("Tabula", [site, worker.all_groups, pulse], patience=PATIENCE)


if __name__ == "__main__":
    sys.exit(main())
