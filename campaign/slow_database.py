"""Databases that are too slow: locks that are held too long, and a database that does not answer.

`settings.LOCK_SECONDS`, `STATEMENT_SECONDS` and `CONNECT_SECONDS` are the limits. Pages and the
interface answer these errors with 503 and `Retry-After`. They are not faults of the program.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.db import OperationalError
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)
RETRY_AFTER, RETRY_AFTER_OUTAGE = 5, 30
"""Seconds for the header `Retry-After`."""
LOCKED = frozenset({"55P03", "57014", "40P01"})
"""PostgreSQL: a lock was not available in time, a statement took too long, a deadlock was ended."""
SHUT_DOWN = ("08", "57P", "53300")
"""PostgreSQL: the connection failed, the server is ending or starting, or has too many connections.
"""
LOCKED_FILE = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_waiting: Counter[int] = Counter()
_counting = threading.Lock()


class Busy(Exception):
    """A campaign that another request has held for too long.

    Nothing was done, and the request can be sent again. This is not a `TableError`, which pages
    would show as a refusal: every address answers it with 503.
    """

    code = "busy"

    def __init__(self) -> None:
        super().__init__(
            _(
                "The site is busy with another change, so yours could not be made. Try again in a"
                " few seconds."
            )
        )


def outage_text() -> str:
    """Return the message for people and programs if the database does not answer.

    It is unknown what has been saved.
    """
    return _(
        "The database is not answering. Check the log before you send anything again: your move "
        "may have been saved."
    )


@contextmanager
def place_in_queue(campaign: int) -> Iterator[None]:
    """Hold one of the places in which requests of this process wait for a campaign.

    Raises `Busy` at once if all places are taken, so that other campaigns still have threads.
    Raises `Busy` too if another request holds the campaign's row for longer than
    `settings.LOCK_SECONDS`.
    """
    with _counting:
        if _waiting[campaign] >= settings.WAITING:
            raise Busy
        _waiting[campaign] += 1
    try:
        yield
    except OperationalError as error:
        if is_locked(error):
            raise Busy from error
        raise
    finally:
        with _counting:
            _waiting[campaign] -= 1
            if not _waiting[campaign]:
                del _waiting[campaign]


def is_locked(error: BaseException | None) -> bool:
    """Return whether the error means that a lock or an answer did not come in time."""
    return any(isinstance(cause, Busy) or _is_locked(cause) for cause in _causes(error))


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether the error means that the database does not answer at all."""
    return any(_is_unavailable(cause) for cause in _causes(error))


def log_outage(what: str, error: BaseException | None) -> None:
    """Log a line without a traceback.

    ADMINS get a single e-mail about all these lines (`config.logs`).
    """
    logger.error(
        "The database does not answer: %s (%s)",
        what,
        type(error).__name__,
        extra={"outage": "database"},
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and its causes."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        error = error.__cause__ or error.__context__


def _is_locked(error: BaseException) -> bool:
    """Return whether a database driver's exception means that a lock or an answer came too late."""
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in LOCKED_FILE
    return isinstance(error, psycopg.Error) and error.sqlstate in LOCKED


def _is_unavailable(error: BaseException) -> bool:
    """Return whether a database driver's exception means that the database does not answer."""
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CANTOPEN
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        # An error of the connection itself has no code.
        return error.sqlstate is None or error.sqlstate.startswith(SHUT_DOWN)
    return False
