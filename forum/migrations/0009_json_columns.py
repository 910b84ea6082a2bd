from importlib import import_module
from typing import Any

import engine.strict_json
from django.db import migrations, models

nulls = import_module("campaign.migrations.0045_json_columns")
NULLS = {"FollowedThread": ("place",)}


def before(apps: Any, schema_editor: Any) -> None:
    nulls.to_json_null(apps, schema_editor, "forum", NULLS)


def after(apps: Any, schema_editor: Any) -> None:
    nulls.to_sql_null(apps, schema_editor, "forum", NULLS)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0045_json_columns"), ("forum", "0008_plain_names")]

    operations = [
        migrations.RenameField("Thread", "kinds", "drafted_kinds"),
        migrations.RenameField("FollowedThread", "seen", "headers"),
        migrations.RunPython(before, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="followedthread",
            name="headers",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
                help_text="of the next question, by address",
            ),
        ),
        migrations.AlterField(
            model_name="followedthread",
            name="place",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="the thread's settings as they were when it was read",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="reporttemplate",
            name="parts",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="the parts of a report that are told, in their order",
            ),
        ),
        migrations.AlterField(
            model_name="thread",
            name="drafted_kinds",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
                help_text="kinds of reports that are drafted by themselves",
            ),
        ),
        migrations.AlterField(
            model_name="thread",
            name="settings",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
        migrations.RunPython(after, migrations.RunPython.noop),
    ]
