"""Find names that look alike by their skeleton (`people.names`). Existing names stay, even if two look alike."""

from typing import Any

from django.db import migrations

import people.models
from people.names import LONGEST_SKELETON, skeleton

BATCH = 500


def fill(apps: Any, schema_editor: Any) -> None:
    """Store the skeleton of every name."""
    users = apps.get_model("people", "User").objects
    rows = []
    for user in users.only("pk", "username").order_by("pk").iterator(chunk_size=BATCH):
        user.username_skeleton = skeleton(getattr(user.username, "kept", user.username))
        rows.append(user)
        if len(rows) == BATCH:
            users.bulk_update(rows, ["username_skeleton"])
            rows = []
    users.bulk_update(rows, ["username_skeleton"])


class Migration(migrations.Migration):
    dependencies = [("people", "0013_languages")]

    operations = [
        migrations.AddField(
            "user",
            "username_skeleton",
            people.models.Skeleton(db_index=True, default="", editable=False, max_length=LONGEST_SKELETON),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
