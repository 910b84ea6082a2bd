"""Whether a board can fold text; and the map at the beginning of reports with the usual order."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

USUAL = ("facts", "ledger", "forecast", "waits", "rules", "dice", "picture", "address")
"""The default order of parts before this migration."""


def put_map_first(apps: Any, schema_editor: Any) -> None:
    """Put the map first in orders that no one has chosen; chosen orders stay."""
    for template in apps.get_model("forum", "ReportTemplate").objects.all():
        parts = list(template.parts)
        if "picture" in parts and parts == [part for part in USUAL if part in parts]:
            template.parts = ["picture", *(part for part in parts if part != "picture")]
            template.save(update_fields=["parts"])


class Migration(migrations.Migration):
    dependencies = [("forum", "0010_decided_lines")]

    operations = [
        migrations.AddField(
            model_name="thread",
            name="can_fold",
            field=models.BooleanField(
                default=False,
                help_text="The board has the tag that folds details (`spoiler`, `details`).",
            ),
        ),
        migrations.RunPython(put_map_first, migrations.RunPython.noop),
    ]
