from importlib import import_module
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

sets = import_module("campaign.migrations.0044_seat_sets")


def fill(apps: Any, schema_editor: Any) -> None:
    sets.add_sets(apps, schema_editor, "talk", {"Conversation": "parties"})


class Migration(migrations.Migration):
    dependencies = [("campaign", "0044_seat_sets"), ("talk", "0003_plain_names")]

    operations = [
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
