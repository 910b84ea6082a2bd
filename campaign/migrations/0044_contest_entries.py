"""A table of the contests that log entries concern, in place of a column with a packed text."""

from itertools import islice
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

BATCH = 500
"""Rows that are written at a time."""


def numbers_in(contests: str) -> list[int]:
    """Return the numbers in a packed text. Titles without contests have keys of armies there."""
    return [int(number) for number in contests.split("|") if number.isdecimal()]


def fill(apps: Any, schema_editor: Any) -> None:
    """Write a row for each contest in the column of each entry."""
    model = apps.get_model("campaign", "ContestEntry")
    entries = apps.get_model("campaign", "LogEntry").objects.exclude(contests="").order_by("pk")
    columns = entries.values_list("pk", "campaign", "contests")
    rows = (
        model(entry_id=pk, campaign_id=campaign, contest=number)
        for pk, campaign, contests in columns.iterator(chunk_size=BATCH)
        for number in numbers_in(contests)
    )
    while batch := list(islice(rows, BATCH)):
        model.objects.bulk_create(batch)
    # PostgreSQL alters no table while checks of its foreign keys are pending.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [("campaign", "0043_names_seat_sets_json")]

    operations = [
        migrations.CreateModel(
            name="ContestEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("contest", models.PositiveIntegerField(help_text="number of the contest")),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contest_rows",
                        to="campaign.logentry",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "contest entries",
                "indexes": [
                    models.Index(fields=["campaign", "contest"], name="entries_of_a_contest")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("entry", "contest"), name="one_row_a_contest_and_entry"
                    )
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RemoveField("LogEntry", "contests"),
    ]
