#!/usr/bin/env python3
"""The command line. `replay`, `simulate` and `situations` need only Python itself."""

import os
import sys


def main() -> int:
    """Run a command and return its exit status."""
    if sys.argv[1:2] == ["replay"]:
        # Before Django: anyone with only Python must be able to check a record.
        from games.replay import main as replay

        return replay(sys.argv[2:])
    if sys.argv[1:2] == ["simulate"]:
        from games.simulate import main as simulate

        return simulate(sys.argv[2:])
    if sys.argv[1:2] == ["situations"]:
        from games.situations import main as situations

        return situations(sys.argv[2:])
    if sys.argv[1:] == ["version"]:
        # Django would print its own version.
        from config import version

        sys.stdout.write(f"Tabula {version()}\n")
        return 0
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] not in (["tick"], ["runserver"]):
        # Migrations and backups may wait; only commands that run beside the site stop waiting for a
        # lock.
        os.environ.update(TABULA_LOCK_SECONDS="0", TABULA_STATEMENT_SECONDS="0")
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    from campaign import schema

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as error:
        if not schema.caused(error):
            raise
        sys.stderr.write(f"{schema.RUN_MIGRATE}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
