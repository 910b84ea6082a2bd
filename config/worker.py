"""The workers: `python -m config.worker [GROUP …]`, as the Procfile starts them.

Each group of kinds of work (`settings.GROUPS`) has processes of its own, so that a task that hangs
stops no other group. The program is loaded once before the processes are forked, so that they share
its memory. A group is a Celery worker with a pool of processes, because only such a pool can end a
task that hangs (`settings.TASK_SECONDS`).
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any


def worker(name: str, processes: int, queues: Sequence[str], **options: Any) -> int:
    """Run a Celery worker for these queues until it is ended; return its exit status."""
    from config.celery import app

    celery_worker = app.Worker(
        hostname=f"{name}@{socket.gethostname()}",
        queues=",".join(queues),
        concurrency=processes,
        pool="prefork",
        without_gossip=True,
        without_mingle=True,
        **{"loglevel": "INFO", **options},
    )
    celery_worker.start()
    return int(celery_worker.exitcode or 0)


def all_groups() -> int:
    """Run a single worker for the work of all groups, in the terminal of `config.serve`."""
    from django.conf import settings

    warnings.simplefilter("ignore")
    queues = [queue for _processes, group in settings.GROUPS.values() for queue in group]
    # The terminal shows e-mails unchanged; the log would mask their links.
    return worker(
        "all",
        2,
        queues,
        loglevel="WARNING",
        quiet=True,
        without_heartbeat=True,
        redirect_stdouts=False,
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the workers of the named groups, or of all; return the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    parser = argparse.ArgumentParser(
        prog="python -m config.worker", description="Worker processes, by groups of work."
    )
    parser.add_argument(
        "groups",
        nargs="*",
        metavar="GROUP",
        help=f"groups (default: all): {', '.join(settings.GROUPS)}",
    )
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.groups) - set(settings.GROUPS)):
        parser.error(
            f"unknown group: {', '.join(unknown)}; the groups are {', '.join(settings.GROUPS)}"
        )
    import django

    from config.processes import supervise

    django.setup()
    from django.db import connections

    from campaign import schema
    from config import catalogues

    schema.at_start()
    catalogues.at_start()
    connections.close_all()
    groups = options.groups or settings.GROUPS
    return supervise(
        "the worker", [partial(worker, name, *settings.GROUPS[name]) for name in groups]
    )


if __name__ == "__main__":
    sys.exit(main())
