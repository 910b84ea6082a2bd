"""Copies of the first campaign's rows, made by PostgreSQL for measurements of many campaigns."""

from __future__ import annotations

from typing import Any

from django.db import connection

from campaign.models import Campaign, Clock, LogEntry, Membership


def copied(model: Any, first: int, last: int, **instead: str) -> None:
    """Copy a model's rows of the template for campaigns `first` to `last`.

    Some columns differ; `i` is the number of the campaign.
    """
    fields = [field.column for field in model._meta.local_concrete_fields if field.column != "id"]
    chosen = ", ".join(instead.get(field, f't."{field}"') for field in fields)
    names = ", ".join(f'"{field}"' for field in fields)
    name = model._meta.db_table
    where = "t.id = %s" if model is Campaign else "t.campaign_id = %s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {name} ({names}) SELECT {chosen} FROM {name} t CROSS JOIN"
            f" generate_series({first}, {last}) i {instead.get('from', '')} WHERE {where}"
            f" {instead.get('and', '')}",
            [Campaign.objects.earliest("pk").pk],
        )


def grow(to: int) -> None:
    have = Campaign.objects.count()
    there = "JOIN campaign_campaign c ON c.public_id = 'm' || lpad(i::text, 7, '0')"
    copied(Campaign, have, to - 1, public_id="'m' || lpad(i::text, 7, '0')")
    copied(LogEntry, have, to - 1, campaign_id="c.id", **{"from": there})
    copied(Membership, have, to - 1, campaign_id="c.id", **{"from": there})
    entry = (
        f"{there} JOIN campaign_logentry e0 ON e0.id = t.entry_id JOIN campaign_logentry e ON"
        " e.campaign_id = c.id"
    )
    copied(
        Clock,
        have,
        to - 1,
        campaign_id="c.id",
        entry_id="e.id",
        **{"from": entry, "and": "AND e.sequence = e0.sequence"},
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
