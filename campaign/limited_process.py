"""A child process with limits of memory and time, for files and texts that users send.

`run` starts a fresh interpreter, never a fork: a process with threads must not fork, and Celery's
workers may have no children of `multiprocessing`. The child may map `MEMORY` more than before it
begins. It is ended after `SECONDS` without an answer or a sign of life.

The limit of memory is `RLIMIT_AS` and works on Linux. Where Python has no module `resource`
(Windows), or the system does not accept the limit (macOS), only time is limited, and each serving
process logs one warning.
"""

from __future__ import annotations

import errno
import logging
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Any, TypeVar

import django
from django.utils.translation import gettext as _

from campaign.errors import Refused

try:
    import resource

    HAS_RESOURCE = True
except ImportError:  # Windows.
    HAS_RESOURCE = False

MEMORY = 512 * 2**20
"""Bytes that a child may map for its work, in addition to the interpreter and its modules."""
SECONDS, START_SECONDS, GRACE = 20.0, 90.0, 10
"""Seconds: how long a child may work without an answer or a sign of life; how long it may load its
modules; how much later it ends by itself, because its parent has died.
"""
ENDING_SECONDS = 5.0
AT_ONCE = 3
"""The largest number of children that a process may have at the same time.

A further child waits for `SECONDS` and is then refused.
"""
STATM, VICTIM = Path("/proc/self/statm"), Path("/proc/self/oom_score_adj")
ROOT = Path(__file__).resolve().parents[1]
READY, STEP, DONE, TOO_LARGE, FAILED, UNLIMITED, ENDED = (
    "ready",
    "step",
    "done",
    "too-large",
    "failed",
    "unlimited",
    "ended",
)

T = TypeVar("T")
Frame = tuple[str, Any]
logger = logging.getLogger(__name__)
_places = threading.BoundedSemaphore(AT_ONCE)
_warned = threading.Event()


class LimitExceeded(Refused):
    """Work that exceeds its limits. The text is for users and says what to do.

    `limit` names the limit: "memory" or "time"; empty if the work exceeds neither.
    """

    limit = ""


class TooMuchMemory(LimitExceeded):
    """Work that needs too much memory, or that crashes the program that reads it."""

    limit = "memory"

    def __init__(self) -> None:
        super().__init__(
            "too-much-memory",
            _(
                "Reading this takes more memory than the site allows. Send something smaller or"
                " simpler."
            ),
        )


class TooSlow(LimitExceeded):
    """Work that takes too long."""

    limit = "time"

    def __init__(self) -> None:
        super().__init__(
            "too-much-time",
            _("Reading this takes longer than the site allows. Send something smaller or simpler."),
        )


class TooManyChildren(LimitExceeded):
    """Work for which this process has no free place."""

    def __init__(self) -> None:
        super().__init__(
            "reading-others", _("The site is reading other files. Try again in a minute.")
        )


class ChildFailed(LimitExceeded):
    """Work that ended with an error of our program, which is in the server's log."""

    def __init__(self) -> None:
        super().__init__(
            "not-read",
            _(
                "An error on our side prevented us from reading this. Tell the host when it "
                "happened."
            ),
        )


def run(
    function: Callable[..., T],
    *args: Any,
    seconds: float | None = None,
    memory: int | None = None,
    with_django: bool = False,
    report: Callable[..., None] | None = None,
) -> T:
    """Call a function of a module in a child process and return its answer.

    Args:
        function: A public function of a module. It returns faults of its input and does not raise
            them.
        args: Its arguments, which must be picklable.
        seconds: How long it may take, from its start or from its last sign of life; `SECONDS` by
            default.
        memory: How many bytes it may map; `MEMORY` by default.
        with_django: Whether the child sets up Django first, which takes seconds.
        report: A function that this process calls at each sign of life. The child's function then
            gets an argument `report`. An exception of `report` ends the child.

    Raises:
        LimitExceeded: The child needed too much memory or time, or failed.
    """
    seconds = SECONDS if seconds is None else seconds
    memory = MEMORY if memory is None else memory
    with _place(), TemporaryFile() as given, TemporaryFile() as errors:
        pickle.dump((function, args, report is not None, seconds, memory), given)
        given.seek(0)
        command = [
            sys.executable,
            "-m",
            "campaign.limited_process",
            *(["django"] if with_django else []),
        ]
        child = subprocess.Popen(  # noqa: S603  # our own interpreter and module
            command,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
            env=_environment(),
        )
        try:
            return _answer(child, seconds, report or (lambda *facts: None), errors)
        finally:
            child.kill()
            child.wait()
            assert child.stdout is not None
            child.stdout.close()


@contextmanager
def _place() -> Iterator[None]:
    """Hold one of the places for children. Raises `TooManyChildren`."""
    if not _places.acquire(timeout=SECONDS):
        raise TooManyChildren
    try:
        yield
    finally:
        _places.release()


def _environment() -> dict[str, str]:
    """Return the environment of a child.

    Libraries start no threads, no metrics are counted, text is UTF-8.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PROMETHEUS_MULTIPROC_DIR"}
    return kept | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"}


def _answer(
    child: subprocess.Popen[bytes], seconds: float, report: Callable[..., None], errors: IO[bytes]
) -> Any:
    """Return the child's answer, and pass on its signs of life."""
    frames: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    threading.Thread(target=_read_frames, args=(child.stdout, frames), daemon=True).start()
    end = monotonic() + START_SECONDS
    while True:
        try:
            kind, value = frames.get(timeout=max(0.0, end - monotonic()))
        except queue.Empty:
            raise TooSlow from None
        if kind == DONE:
            return value
        if kind in (READY, STEP):
            end = monotonic() + seconds
            if kind == STEP:
                report(*value)
        elif kind == UNLIMITED:
            _warn(value)
        else:
            raise _failure(kind, child, errors)


def _read_frames(source: IO[bytes], frames: queue.SimpleQueue[Frame]) -> None:
    """Put each frame of the child into the queue until the child ends."""
    try:
        while True:
            frames.put(pickle.load(source))  # noqa: S301  # our own program wrote it
    except Exception:  # The stream has ended, perhaps within a frame, or is closed.
        frames.put((ENDED, None))


def _failure(kind: str, child: subprocess.Popen[bytes], errors: IO[bytes]) -> LimitExceeded:
    """Return the error for a child that did not answer."""
    if kind == TOO_LARGE:
        return TooMuchMemory()
    try:
        code = child.wait(ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        code = 0
    errors.seek(0)
    output = errors.read()[-2000:].decode(errors="replace")
    logger.error("A child process for what users send: %s, code %d, %s", kind, code, output)
    # A signal ends a child whose library does not get the memory that it asks for.
    return TooMuchMemory() if code < 0 else ChildFailed()


def _warn(why: str) -> None:
    """Log once in this process that memory is not limited."""
    if not _warned.is_set():
        _warned.set()
        logger.warning("For files of users only time is limited, not memory: %s", why)


# The child ----------------------------------------------------------------------------------------


def _limit(memory: int) -> str:
    """Limit how much more memory this process may map. Return why that is impossible, or ""."""
    if not HAS_RESOURCE:
        return "this system has no module resource"
    try:
        mapped = int(STATM.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (mapped + memory, mapped + memory))
    except (OSError, ValueError) as error:
        return f"this system does not accept the limit ({error})"
    return ""


def _serve() -> None:
    """Read a task from standard input, do it, and write frames to standard output."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # The output of libraries must not mix with frames.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def send(kind: str, value: Any = None) -> None:
        out.write(pickle.dumps((kind, value)))
        out.flush()

    def extend_alarm() -> None:
        # If the parent has been killed, the child ends by itself.
        if hasattr(signal, "alarm"):
            signal.alarm(int(seconds) + GRACE)

    def give_sign(*facts: Any) -> None:
        extend_alarm()
        send(STEP, facts)

    function, args, reports, seconds, memory = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own program wrote it
    if VICTIM.exists():
        # If the system has no memory left, it ends this process and not the one that serves.
        VICTIM.write_text("1000")
    if why := _limit(memory):
        send(UNLIMITED, why)
    send(READY)
    extend_alarm()
    signs = {"report": give_sign} if reports else {}
    kind = TOO_LARGE
    try:
        send(DONE, function(*args, **signs))
        return
    except Exception as error:
        if not _is_out_of_memory(error):
            traceback.print_exc()
            kind = FAILED
    send(kind)


def _is_out_of_memory(error: Exception) -> bool:
    """Return whether an error means that the system gave no more memory.

    It may have been needed by Python, by a call, or by a library that loads.
    """
    if isinstance(error, ImportError):
        return "failed to map segment" in str(error) or "annot allocate memory" in str(error)
    return isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno == errno.ENOMEM
    )


def _main() -> None:
    """Run the child process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent ends it.
    if "django" in sys.argv:
        django.setup()
    _serve()


if __name__ == "__main__":
    _main()
