"""Supervision of forked processes, which share the memory of what the first process has loaded."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep

SHORT = 20
"""Seconds. A process that ends sooner by itself could not start; all processes then end with its
status.
"""
REFUSED = 3
"""The status of a process that may not start: a wrong vault key (`campaign.keys.REFUSED`), or a
port that anyone reaches. Units and containers do not start it again.
"""
PAUSE = 0.5
"""Seconds until another process takes the place of one that was killed."""


def supervise(name: str, works: Sequence[Callable[[], int]]) -> int:
    """Run each of `works` in a process of its own and start it again when it ends. Return the exit
    status.

    SIGTERM and Ctrl-C end the first process, which asks the others to end and waits for them. Call
    this before threads or connections exist: forked processes would share them.
    """
    children: dict[int, tuple[float, Callable[[], int]]] = {}

    def start(work: Callable[[], int]) -> None:
        child = os.fork()
        if child:
            children[child] = monotonic(), work
        else:
            run(work)

    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, _end)
    try:
        for work in works:
            start(work)
        while True:
            child, state = os.wait()
            began, work = children.pop(child)
            lived, status = monotonic() - began, os.waitstatus_to_exitcode(state)
            if status > 0 and lived < SHORT:
                return status  # it cannot start, and has printed why
            sleep(PAUSE)
            print(  # noqa: T201
                f"A process of {name} has ended after {lived:.0f} s and is started again.",
                file=sys.stderr,
            )
            start(work)
    finally:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        for child in children:
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def run(work: Callable[[], int]) -> None:
    """Do the work of a forked process, and end the process with its status."""
    signal.signal(signal.SIGTERM, _end)
    os.setpgid(0, 0)  # Ctrl-C is for the first process, which asks the others to end
    status = 1
    try:
        status = work()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    finally:
        os._exit(status)


def _end(*_: object) -> None:
    raise SystemExit(0)
