"""Supervision of forked processes, which share the memory that the first process has loaded."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from time import monotonic, sleep

SHORT = 20
"""Seconds.

A process that ends sooner by itself could not start; all processes then end with its status.
"""
REFUSED = 3
"""The status of a process that may not start: a wrong vault key (`campaign.keys.REFUSED`), or a
port that anyone can reach. Units and containers do not start it again.
"""
WARMING_UP = "tabula.warming_up"
"""The key of a request that `config.wsgi` makes itself. No header can have this key."""
PAUSE = 0.5
"""Seconds until a killed process is replaced."""


def supervise(name: str, works: Sequence[Callable[[], int]], patience: float | None = None) -> int:
    """Run each of `works` in its own process and start it again when it ends.

    SIGTERM and Ctrl-C end the first process, which asks the others to end and waits for them, at
    most `patience` seconds. If the first process is killed, the others are killed as well. Call
    this before threads or connections exist: forked processes would share them.

    Returns:
        The exit status.
    """
    children: dict[int, tuple[float, Callable[[], int]]] = {}
    lifeline, held_end = os.pipe()

    def start(work: Callable[[], int]) -> None:
        child = os.fork()
        if child:
            children[child] = monotonic(), work
        else:
            os.close(held_end)
            run(work, lifeline)

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
            sys.stderr.write(
                f"A process of {name} has ended after {lived:.0f} s and will be restarted.\n"
            )
            start(work)
    finally:
        end_all(children, patience)


def end_all(children: Collection[int], patience: float | None) -> None:
    """Ask the processes to end and wait for them; kill after `patience` those that remain."""
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)
    if patience is not None:
        timer = threading.Timer(patience, _kill_groups, [list(children)])
        timer.daemon = True
        timer.start()
    for child in children:
        with suppress(ChildProcessError):
            os.waitpid(child, 0)


def run(work: Callable[[], int], lifeline: int) -> None:
    """Do the work of a forked process, and end the process with its status.

    The process and those that it has started are killed when the other end of `lifeline` closes.
    """
    signal.signal(signal.SIGTERM, _end)
    os.setpgid(0, 0)  # Ctrl-C is for the first process, which asks the others to end
    threading.Thread(target=_end_with_first, args=(lifeline,), daemon=True).start()
    status = 1
    try:
        status = work()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    finally:
        os._exit(status)


def _end_with_first(lifeline: int) -> None:
    os.read(lifeline, 1)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _kill_groups(groups: Collection[int]) -> None:
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


def _end(*_: object) -> None:
    raise SystemExit(0)
