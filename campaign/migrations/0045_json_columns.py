"""JSON columns for the standings and times of campaigns, and for what programs have played."""

from importlib import import_module
from typing import Any

from django.db import migrations, models

import engine.strict_json

nulls = import_module("campaign.migrations.0043_names_seat_sets_json")

NULLS = {"Campaign": ("result", "turn_times"), "Forecast": ("result",)}
"""The columns that were empty texts where nothing was."""


def before(apps: Any, schema_editor: Any) -> None:
    nulls.to_json_null(apps, schema_editor, "campaign", NULLS)


def after(apps: Any, schema_editor: Any) -> None:
    nulls.to_sql_null(apps, schema_editor, "campaign", NULLS)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0044_contest_entries")]

    operations = [
        migrations.RunPython(before, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="campaign",
            name="result",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="the final standings",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="turn_times",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="when the moves of the turn were made, hidden ones too",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="playtest",
            name="rows",
            field=models.JSONField(default=list, help_text="the campaigns played so far"),
        ),
        migrations.AlterField(
            model_name="forecast",
            name="rows",
            field=models.JSONField(
                default=dict, help_text="the campaigns played so far, by place"
            ),
        ),
        migrations.AlterField(
            model_name="forecast",
            name="result",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(after, migrations.RunPython.noop),
    ]
