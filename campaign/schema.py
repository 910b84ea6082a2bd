"""The check for a database that is older than the program.

Wherever this shows, it is reported in one line, with what to do.
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
"""The words of SQLite and PostgreSQL for a missing table or column."""

logger = logging.getLogger(__name__)


def behind() -> bool:
    """Return whether there are migrations that the database does not have.

    Raises the errors of the database.
    """
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def caused(error: BaseException | None) -> bool:
    """Return whether an error happened because the database is older than the program."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, OperationalError | ProgrammingError) and MISSING.search(str(error)):
            try:
                return behind()
            except Exception:  # Nothing more can be queried in a transaction that has failed.
                return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def warn() -> None:
    """Log it at the start of a process. A database that is away does not prevent the start."""
    with suppress(Exception):
        if behind():
            logger.error(RUN_MIGRATE)


def at_start() -> None:
    """Check the database at the start of a process: its migrations, and the vault key."""
    from campaign import keys

    warn()
    keys.check_vault_key()


class OneLine(logging.Filter):
    """A log filter that replaces such a traceback by one line that says what to do."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the message and its traceback if the database is too old."""
        if record.exc_info and caused(record.exc_info[1]):
            record.msg, record.args = (
                f"{RUN_MIGRATE} ({record.getMessage().partition(chr(10))[0]})",
                (),
            )
            record.exc_info = record.exc_text = None
        return True
