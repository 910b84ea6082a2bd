"""Campaigns that many tests begin with, played once a minute and otherwise restored row by row.

Playing takes longer than most of these tests. Rows are restored as they were written, with hashes,
addresses and times. A test that stops the clock, that commits, or whose people have other ids gets
a campaign of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection
from django.utils import timezone

from battles import ratings
from campaign.log import history, positions, selectors
from campaign.models import Campaign
from campaign.pictures import images
from forum.posts import reports
from nations import projection
from web.exports import outline_views
from web.story import summary

FRESH = timedelta(minutes=1)
TABLES = [
    model._meta.db_table
    for model in apps.get_models(include_auto_created=True)
    if model._meta.app_label in ("campaign", "nations", "battles", "forum", "notices")
]
CACHE_CLEARERS = [
    value.cache_clear
    for room in (
        history,
        selectors,
        images,
        outline_views,
        ratings,
        reports,
        summary,
        projection,
    )
    for value in vars(room).values()
    if hasattr(value, "cache_clear") and not isinstance(value, type)
]
CACHE_CLEARERS += [
    memory.clear
    for memory in (
        positions.memory,
        history.memory,
    )
]
"""The caches by the last hash of a log, which must be empty for an equal log in another test."""


Tables = dict[str, list[tuple[Any, ...]]]
"""Rows by the name of their table."""


class Rows(NamedTuple):
    """A campaign in the database of a test: time, players, and every row by table."""

    at: datetime
    people: tuple[int, ...]
    campaign: int
    tables: Tables


_kept_rows: dict[str, Rows] = {}


def _rows_of_table(table: str) -> list[tuple[Any, ...]]:
    """Return all rows of a table."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')
        return list(cursor.fetchall())


def all_rows() -> Tables:
    """Return the rows of all campaigns."""
    return {table: rows for table in TABLES if (rows := _rows_of_table(table))}


def insert_rows(tables: Tables) -> None:
    """Write rows into a SQLite database that has none of them."""
    with connection.cursor() as cursor:
        for table, rows in tables.items():
            values = ", ".join(["%s"] * len(rows[0]))
            cursor.executemany(f'INSERT INTO "{table}" VALUES ({values})', rows)


def play_or_restore(name: str, people: tuple[int, ...], play: Callable[[], Campaign]) -> Campaign:
    """Return the campaign that `play` makes, or restore the one played under this name.

    A restored campaign was played in the last minute and is the first of the database.
    """
    now, alone = (
        timezone.now(),
        connection.vendor == "sqlite"
        and connection.in_atomic_block
        and not Campaign.objects.exists(),
    )
    rows = _kept_rows.get(name)
    if (
        alone
        and rows is not None
        and rows.people == people
        and timedelta(0) <= now - rows.at < FRESH
    ):
        insert_rows(rows.tables)
        campaign = Campaign.objects.get(pk=rows.campaign)
    else:
        campaign = play()
        if alone:
            _kept_rows[name] = Rows(now, people, campaign.pk, all_rows())
    for forget in CACHE_CLEARERS:
        forget()
    positions.current(campaign)  # as after a move
    return campaign
