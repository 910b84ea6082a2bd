"""The database of a run: the requested one, so that SQLite does not silently replace PostgreSQL."""

import os

import pytest
from django.core.cache import cache, caches
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.db import connection

KIND = os.environ["TABULA_TEST_DB"]


@pytest.mark.django_db
def test_the_run_is_on_the_database_that_was_asked_for() -> None:
    assert connection.vendor == {"sqlite": "sqlite", "postgres": "postgresql"}[KIND]


@pytest.mark.django_db(transaction=True)
def test_it_is_a_database_that_others_can_use_at_once() -> None:
    """SQLite runs as in production.

    It is a file in WAL mode whose transactions take the write lock when they begin.
    """
    with connection.cursor() as cursor:
        if KIND == "sqlite":
            assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.transaction_mode == "IMMEDIATE"
        else:
            cursor.execute("SELECT 1 FOR UPDATE")
            assert cursor.fetchone() == (1,)


@pytest.mark.postgres
def test_the_cache_is_the_one_that_was_asked_for() -> None:
    assert isinstance(caches["default"], {"sqlite": LocMemCache, "postgres": RedisCache}[KIND])
    cache.set("said", "heard")
    assert cache.get("said") == "heard"
