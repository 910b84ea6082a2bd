"""Columns with JSON that no hash covers become JSON columns; where none is, they are NULL."""

from typing import Any

import engine.strict_json
from django.conf import settings
from django.db import migrations, models

NULLS = {
    "Campaign": ("clock_terms", "onward", "parked", "programs", "seat_programs"),
    "ImportJob": ("result",),
    "LogEntry": ("removed", "why"),
    "StandingOrderResult": ("refusal",),
}
"""The columns that were empty texts where nothing was."""


def to_json_null(apps: Any, schema_editor: Any, app: str, nulls: dict[str, Any]) -> None:
    """Write JSON in place of empty texts, so that the columns can be altered."""
    for name, columns in nulls.items():
        for column in columns:
            apps.get_model(app, name).objects.filter(**{column: ""}).update(**{column: "null"})
    # PostgreSQL alters no table while checks of its foreign keys are pending.
    schema_editor.connection.check_constraints()


def to_sql_null(apps: Any, schema_editor: Any, app: str, nulls: dict[str, Any]) -> None:
    for name, columns in nulls.items():
        for column in columns:
            apps.get_model(app, name).objects.filter(**{column: None}).update(**{column: None})
    schema_editor.connection.check_constraints()


def before(apps: Any, schema_editor: Any) -> None:
    to_json_null(apps, schema_editor, "campaign", NULLS)


def after(apps: Any, schema_editor: Any) -> None:
    to_sql_null(apps, schema_editor, "campaign", NULLS)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0044_seat_sets")]

    operations = [
        migrations.RenameField("Campaign", "given", "entered_dice"),
        migrations.RemoveIndex(
            model_name="campaign",
            name="played_on",
        ),
        migrations.RemoveIndex(
            model_name="campaign",
            name="with_programs",
        ),
        migrations.RunPython(before, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="application",
            name="preferences",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder, encoder=engine.strict_json.StoredEncoder
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="clock_terms",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="of the last act on them (`campaign.clocks`)",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="entered_dice",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
                help_text="values of dice by purpose, entered or imported",
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="mixing",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
                help_text="what is mixed into the dice, by chain and link",
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="onward",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="what is being played on (campaign.playing_on)",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="parked",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="the announcement that waits for a die",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="programs",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="of a practice campaign: seats of programs, how battles are decided",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="seat_programs",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="each program that held a seat among people, with its level, its first and last entry",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="importjob",
            name="faults",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
                help_text="sentences",
            ),
        ),
        migrations.AlterField(
            model_name="importjob",
            name="result",
            field=models.JSONField(blank=True, help_text="what was read of shapes", null=True),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="removed",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="which texts, on which day, why",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="why",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="why a program made this move",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="plan",
            name="moves",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
        migrations.AlterField(
            model_name="standingorderresult",
            name="content",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="the order",
            ),
        ),
        migrations.AlterField(
            model_name="standingorderresult",
            name="refusal",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="standingorders",
            name="orders",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
        migrations.RunPython(after, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(("onward__isnull", False)), fields=["id"], name="played_on"
            ),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(
                    ("programs__isnull", True), ("seat_programs__isnull", True), _negated=True
                ),
                fields=["id"],
                name="with_programs",
            ),
        ),
    ]
