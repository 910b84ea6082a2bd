"""A database of the last release is brought up to date, and then differs in nothing from a new one.

`release_0_1.sql` is such a database: every table, the rows of `django_migrations` with the names
from before the migrations were squashed, three people and a game of Tetrarchia in its first round.
After a release it is replaced by one of that release (`sqlite3 tabula.sqlite3 .dump`, without the
rows of auth_permission and django_content_type).
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
RELEASE = Path(__file__).with_name("release_0_1.sql")


PROGRAM = """
import sys
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0)
if sys.argv[1:] == ["look"]:
    call_command("showmigrations")
    call_command("audit")
"""


def migrated(folder: Path, *arguments: str) -> str:
    """Migrate the database in this folder in a process of its own.

    Return what that process printed.
    """
    own = {"TABULA_VAR": str(folder), "DATABASE_URL": f"sqlite:///{folder / 'tabula.sqlite3'}"}
    environment = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("REDIS_URL", None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(base: sqlite3.Connection, question: str) -> list[Any]:
    return base.execute(question).fetchall()


def structure(base: sqlite3.Connection) -> dict[str, Any]:
    """Return the columns, foreign keys, indexes and named constraints of every table.

    They have no order, because columns that came later are at the end of an old table.
    """
    known: dict[str, Any] = {}
    for name, sql in rows(
        base,
        "select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'",
    ):
        indexes = rows(
            base,
            f"select sql from sqlite_master where type = 'index' and tbl_name = '{name}' and sql is"
            " not null",
        )
        known[name] = {
            "columns": {
                column[1:4] + column[5:] for column in rows(base, f"pragma table_info({name})")
            },
            "keys": {key[2:7] for key in rows(base, f"pragma foreign_key_list({name})")},
            "indexes": {name for (name,) in indexes},
            "unique": sql.lower().count("unique"),
            "constraints": set(re.findall(r'constraint "(\w+)"', sql, re.IGNORECASE)),
            "checks": sorted(
                re.findall(r"check \(.*?\)\)?(?=[,) ])", re.sub(r"\s+", " ", sql), re.IGNORECASE)
            ),
        }
    return known


@pytest.mark.long
@pytest.mark.thorough
def test_a_database_of_the_last_release_is_brought_up_to_date(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    with sqlite3.connect(old / "tabula.sqlite3") as base:
        base.executescript(RELEASE.read_text(encoding="utf-8"))
    base.close()
    content = migrated(old, "look")
    migrated(new)
    assert "[X]" in content
    assert "[ ]" not in content
    assert "5 entries, all as replayed" in content
    upgraded, new_database = (sqlite3.connect(folder / "tabula.sqlite3") for folder in (old, new))
    try:
        have, want = structure(upgraded), structure(new_database)
        assert set(have) == set(want)
        for name, table in want.items():
            assert have[name] == table, name
        assert rows(upgraded, "select username, language from people_user order by id") == [
            ("Marozia", "en"),
            ("Shirin", "it"),
            ("Benedetto", ""),
        ]
        assert rows(upgraded, "select count(*) from campaign_logentry") == [(5,)]
        # A backup carries over from either: it names its migrations.
        names = "select app, name from django_migrations order by app, name"
        assert rows(upgraded, names) == rows(new_database, names)
    finally:
        upgraded.close()
        new_database.close()
