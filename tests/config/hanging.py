"""A worker for tests, with a task that never ends and one that records its process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import sleep

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.celery import app  # noqa: E402  once Django is set up
from config.worker import worker  # noqa: E402


@app.task(name="hang")
def hang(file: str) -> None:
    """Ignore every exception, as code does that catches too much."""
    Path(file).write_text(str(os.getpid()))
    while True:
        try:
            sleep(60)
        except Exception as error:
            Path(f"{file}.soft").write_text(type(error).__name__)


@app.task(name="write-pid")
def write_pid(file: str) -> None:
    Path(file).write_text(str(os.getpid()))


if __name__ == "__main__":
    # The first queue only, and one process: what hangs would keep the other task for ever.
    sys.exit(worker("tried", 1, ["celery"], loglevel="WARNING"))
