"""The supervision of forked processes, by real ones."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.config.test_serve import children, is_running, until

PROGRAM = """
import signal, time
from config.processes import supervise

def deaf() -> int:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("started", flush=True)
    time.sleep(60)
    return 0

supervise("the test", [deaf], patience=0.5)
"""


@pytest.fixture
def supervised() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A first process and the process below it, which ignores SIGTERM."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "started\n"
        (child,) = children(first.pid)
        yield first, child
        first.kill()


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_does_not_end_is_killed_after_a_while(
    supervised: tuple[subprocess.Popen[str], str], asked: signal.Signals
) -> None:
    first, child = supervised
    first.send_signal(asked)
    assert first.wait(10) == 0
    assert not is_running(child)


def test_no_process_outlives_the_first(supervised: tuple[subprocess.Popen[str], str]) -> None:
    first, child = supervised
    first.kill()
    until(lambda: not is_running(child), 10)
