"""Names that the code uses, references to sets of seats, JSON columns."""

from importlib import import_module
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import engine.strict_json

nulls = import_module("campaign.migrations.0043_names_seat_sets_json")
NULLS = {"FollowedThread": ("place",)}


def before(apps: Any, schema_editor: Any) -> None:
    nulls.to_json_null(apps, schema_editor, "forum", NULLS)


def after(apps: Any, schema_editor: Any) -> None:
    nulls.to_sql_null(apps, schema_editor, "forum", NULLS)


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0043_names_seat_sets_json"),
        ("forum", "0005_squashed_0007_boards_as_they_are"),
    ]

    operations = [
        migrations.RenameModel("Flavour", "ReportComment"),
        migrations.RenameModel("Following", "FollowedThread"),
        migrations.RenameModel("HeardPost", "ImportedPost"),
        migrations.RenameModel("DraftsDue", "PendingDrafts"),
        migrations.RenameField("ImportedPost", "heard_at", "imported_at"),
        migrations.RenameField("ImportedPost", "said_at", "posted_at"),
        migrations.RenameField("FollowedThread", "known", "last_post_name"),
        migrations.RenameField("Post", "of", "part_count"),
        migrations.AlterField(
            model_name="importedpost",
            name="thread",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="imported_posts",
                to="forum.thread",
            ),
        ),
        migrations.AlterField(
            model_name="reportcomment",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="report_comments",
                to="campaign.campaign",
            ),
        ),
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
