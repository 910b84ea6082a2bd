"""A database that is older than the program: said in one line wherever it is met, with what
to do.
"""

from __future__ import annotations

import logging
import re
from contextlib import suppress

from django.db import OperationalError, ProgrammingError, connection

RUN_MIGRATE = "The database is older than this program. Run: python manage.py migrate"
MISSING = re.compile(
    r"no such (table|column)|has no column named|(relation|column|table) \S+ (of relation \S+"
    r" )?does not exist"
)
"""As SQLite and PostgreSQL say that a table or a column is not there."""

logger = logging.getLogger(__name__)


def behind() -> bool:
    """Are there migrations that the database has not seen? Raises what the database raises."""
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def caused(error: BaseException | None) -> bool:
    """Did it happen because the database is older than the program?"""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, OperationalError | ProgrammingError) and MISSING.search(str(error)):
            try:
                return behind()
            except (
                Exception
            ):  # in the middle of a transaction that has failed nothing more can be asked
                return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def warn() -> None:
    """Say so at the start of a process. A database that is away is no reason not to start."""
    with suppress(Exception):
        if behind():
            logger.error(RUN_MIGRATE)


def at_start() -> None:
    """What every process asks the database before it begins: is it up to date, and does the vault
    key fit it?
    """
    from campaign import keys

    warn()
    keys.must_fit()


class OneLine(logging.Filter):
    """For a handler: where this is the cause, what to do stands in the log in place of a
    traceback.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and caused(record.exc_info[1]):
            record.msg, record.args = (
                f"{RUN_MIGRATE} ({record.getMessage().partition(chr(10))[0]})",
                (),
            )
            record.exc_info = record.exc_text = None
        return True
