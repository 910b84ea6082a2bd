"""Names that the code uses, references to sets of seats, JSON columns."""

from importlib import import_module
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

sets = import_module("campaign.migrations.0043_names_seat_sets_json")


def fill(apps: Any, schema_editor: Any) -> None:
    sets.add_sets(apps, schema_editor, "talk", {"Conversation": "parties"})


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0043_names_seat_sets_json"),
        ("talk", "0002_moderated"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="message",
            name="one_message_a_number",
        ),
        migrations.RemoveConstraint(
            model_name="mark",
            name="one_mark_a_place",
        ),
        migrations.RenameModel("Thread", "Conversation"),
        migrations.RenameModel("Mark", "ReadMarker"),
        migrations.RenameField("Message", "thread", "conversation"),
        migrations.RenameField("ReadMarker", "thread", "conversation"),
        migrations.AlterModelOptions(
            name="message",
            options={"ordering": ["conversation", "number"]},
        ),
        migrations.AlterField(
            model_name="conversation",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="conversations",
                to="campaign.campaign",
            ),
        ),
        migrations.AlterField(
            model_name="readmarker",
            name="conversation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="read_markers",
                to="talk.conversation",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                fields=("conversation", "number"), name="one_message_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="readmarker",
            constraint=models.UniqueConstraint(
                fields=("conversation", "membership"), name="one_mark_a_place"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            "Conversation",
            "parties",
            models.ForeignKey(
                db_index=False,
                help_text="|gm|huns|romans|; |*| for the whole table",
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="campaign.seatset",
            ),
        ),
    ]
