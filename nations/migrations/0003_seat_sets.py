from importlib import import_module
from typing import Any

from django.db import migrations

sets = import_module("campaign.migrations.0044_seat_sets")


def fill(apps: Any, schema_editor: Any) -> None:
    columns = dict.fromkeys(("LedgerEntry", "Card", "Action"), "audience")
    sets.add_sets(apps, schema_editor, "nations", columns)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0044_seat_sets"), ("nations", "0002_cause_name")]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("LedgerEntry", "audience", sets.SEATS.clone()),
        migrations.AlterField("Card", "audience", sets.SEATS.clone()),
        migrations.AlterField("Action", "audience", sets.SEATS.clone()),
    ]
