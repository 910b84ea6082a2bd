"""The child process for users' input: it answers, reports progress and respects its limits."""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from campaign import limited_process
from campaign.limited_process import ChildFailed, TooManyChildren, TooMuchMemory, TooSlow, run

MEGABYTE = 2**20


def double(numbers: list[int]) -> list[int]:
    sys.stdout.write("what a library prints\n")
    return [2 * number for number in numbers]


def fill(megabytes: int) -> int:
    return len(bytearray(megabytes * MEGABYTE))


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def count(most: int, pause: float, report: Callable[..., None]) -> int:
    for number in range(most):
        report(number, most)
        time.sleep(pause)
    return os.getpid()


def fail() -> None:
    raise ZeroDivisionError("a fault of ours")


def load_library() -> None:
    raise ImportError("/usr/lib/python3/unicodedata.so: failed to map segment from shared object")


def die() -> None:
    ctypes.string_at(0)


def running_children() -> list[int]:
    """Return the child processes that run or have not been waited for."""
    return [
        int(number)
        for number in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    ]


def test_a_child_answers_and_its_output_does_not_mix_with_the_answer() -> None:
    assert run(double, [1, 2, 3]) == [2, 4, 6]


def test_too_much_memory_is_refused_and_normal_use_is_not() -> None:
    assert run(fill, 300) == 300 * MEGABYTE
    with pytest.raises(TooMuchMemory) as refused:
        run(fill, 600)
    assert (
        str(refused.value)
        == "Reading this takes more memory than the site allows. Send something smaller or simpler."
    )
    assert refused.value.code == "too-much-memory"


def test_too_much_time_is_refused_and_the_child_is_gone() -> None:
    before = set(running_children())
    begun = time.monotonic()
    with pytest.raises(TooSlow) as refused:
        run(sleep, 60, seconds=1)
    assert time.monotonic() - begun < 30
    assert (
        str(refused.value)
        == "Reading this takes longer than the site allows. Send something smaller or simpler."
    )
    assert set(running_children()) <= before


def test_signs_of_life_are_passed_on_and_give_more_time() -> None:
    heard: list[tuple[int, int]] = []
    other = run(count, 4, 0.5, seconds=1.5, report=lambda done, of: heard.append((done, of)))
    assert heard == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert other != os.getpid()


def test_an_exception_of_the_listener_ends_the_child() -> None:
    def stop(done: int, of: int) -> None:
        raise KeyError(done)

    before = set(running_children())
    with pytest.raises(KeyError):
        run(count, 100, 1.0, report=stop)
    assert set(running_children()) <= before


def test_an_internal_error_is_logged_and_no_traceback_is_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with (
        caplog.at_level(logging.ERROR, "campaign.limited_process"),
        pytest.raises(ChildFailed) as refused,
    ):
        run(fail)
    assert (
        str(refused.value)
        == "An error on our side prevented us from reading this. Tell the host when it happened."
    )
    assert "ZeroDivisionError: a fault of ours" in caplog.text


def test_a_library_that_does_not_fit_counts_as_too_much_memory() -> None:
    """The loader of libraries reports the lack of memory as an import error."""
    with pytest.raises(TooMuchMemory):
        run(load_library)


def test_a_child_that_crashes_is_refused() -> None:
    with pytest.raises(TooMuchMemory):
        run(die)


def test_no_more_children_than_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited_process, "SECONDS", 0.1)
    threads = [
        threading.Thread(target=run, args=(sleep, 4), kwargs={"seconds": 20})
        for _ in range(limited_process.AT_ONCE)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    with pytest.raises(TooManyChildren):
        run(double, [1])
    for thread in threads:
        thread.join()
    monkeypatch.undo()
    assert run(double, [1]) == [2]


def without_resource() -> str:
    limited_process.HAS_RESOURCE = False  # as on Windows
    return limited_process._limit(MEGABYTE)


def test_if_memory_cannot_be_limited_the_reason_is_given() -> None:
    assert run(without_resource) == "this system has no module resource"
