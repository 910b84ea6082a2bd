"""A run is on the database that was asked for: a silent SQLite run cannot pass for PostgreSQL."""

import os

import pytest
from django.core.cache import cache, caches
from django.core.cache.backends.redis import RedisCache
from django.db import connection

KIND = os.environ["TABULA_TEST_DB"]


@pytest.mark.django_db
def test_the_run_is_on_the_database_that_was_asked_for() -> None:
    assert connection.vendor == {"sqlite": "sqlite", "postgres": "postgresql"}[KIND]


@pytest.mark.skipif(KIND != "sqlite", reason="how SQLite writes")
@pytest.mark.django_db(transaction=True)
def test_sqlite_is_a_file_in_wal_mode_that_locks_at_once() -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.transaction_mode == "IMMEDIATE"


@pytest.mark.skipif(KIND != "postgres", reason="SQLite runs have no server beside them")
def test_the_cache_is_on_a_server() -> None:
    assert isinstance(caches["default"], RedisCache)
    cache.set("said", "heard")
    assert cache.get("said") == "heard"
