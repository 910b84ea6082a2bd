"""Sessions that refer to their user. Earlier sessions end, because their rows name no user and,
under HTTPS, their cookies have another name."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def end_earlier_sessions(apps: Any, schema_editor: Any) -> None:
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("people", "0014_names_that_look_alike"), ("sessions", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="BrowserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="browser_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.RunPython(end_earlier_sessions, migrations.RunPython.noop),
    ]
