"""The changes between release 0.1 and its successor."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import people.models
from people.names import skeleton

BATCH = 500


def fill_skeletons(apps: Any, schema_editor: Any) -> None:
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


def end_earlier_sessions(apps: Any, schema_editor: Any) -> None:
    """End the sessions whose rows name no user; under HTTPS their cookies have another name."""
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):
    replaces = [
        ("people", "0008_proofs"),
        ("people", "0009_discord"),
        ("people", "0010_ratings"),
        ("people", "0011_ways_to_sign_in"),
        ("people", "0012_moderation"),
        ("people", "0013_languages"),
        ("people", "0014_names_that_look_alike"),
        ("people", "0015_browser_sessions"),
    ]

    dependencies = [
        ("people", "0001_squashed_0007_tokens"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="email_is_anothers",
            field=models.BooleanField(
                default=False,
                help_text="given at sign-up, but somebody else has this address: nobody is found by it (decision 30)",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="sessions_ended",
            field=models.PositiveIntegerField(
                default=0, help_text="how often all sessions were ended: `people.address_proof`"
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="email_folded",
            field=people.models.Folded(
                editable=False,
                max_length=1000,
                null=True,
                of="email",
                unique=True,
                unless="email_is_anothers",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="rated",
            field=models.BooleanField(default=False, verbose_name="takes part in the ratings"),
        ),
        migrations.AddField(
            model_name="user",
            name="code_used_on",
            field=models.DateField(
                blank=True, help_text="the same of a code by mail: `people.sign_in_ways`", null=True
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="password_used_on",
            field=models.DateField(
                blank=True, help_text="the last day of a sign-in by password, in UTC", null=True
            ),
        ),
        migrations.AddField(
            model_name="hostact",
            name="by",
            field=models.ForeignKey(
                blank=True,
                help_text="none: by a command",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="closed_at",
            field=models.DateTimeField(
                blank=True, help_text="when it was closed, by a moderator or its owner", null=True
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="closes_at",
            field=models.DateTimeField(
                blank=True, help_text="when the account closes, as its owner wants", null=True
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="closing_erases",
            field=models.BooleanField(
                default=False, help_text="all that is kept of them is erased then"
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="moderator",
            field=models.BooleanField(
                default=False, help_text="looks after this site for its host: `manage.py moderator`"
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="terms_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="user",
            name="terms_version",
            field=models.CharField(
                blank=True, default="", help_text="of the terms that they agreed to", max_length=40
            ),
        ),
        migrations.CreateModel(
            name="OwnData",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("language", models.CharField(default="en", max_length=8)),
                ("asked_at", models.DateTimeField()),
                (
                    "heard_at",
                    models.DateTimeField(
                        blank=True, help_text="when who makes it last said so", null=True
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("of", models.PositiveIntegerField(default=0)),
                ("ready_at", models.DateTimeField(blank=True, null=True)),
                ("failed", models.BooleanField(default=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_data",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="SiteInvitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "note",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="whom it is for, in the host's words",
                        max_length=80,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("uses_left", models.PositiveIntegerField(default=1)),
                ("used", models.PositiveIntegerField(default=0)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="none: by a command",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "blocked"), name="blocked_once")
                ],
            },
        ),
        migrations.AlterField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "Same as the browser"),
                    ("en", "English"),
                    ("de", "Deutsch"),
                    ("es", "Español"),
                    ("it", "Italiano"),
                ],
                default="",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="username_skeleton",
            field=people.models.Skeleton(db_index=True, default="", editable=False, max_length=200),
        ),
        migrations.CreateModel(
            name="DiscordAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "discord",
                    models.CharField(
                        help_text="the account's number there", max_length=25, unique=True
                    ),
                ),
                ("name", models.CharField(blank=True, default="", max_length=100)),
                ("linked_at", models.DateTimeField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="discord_account",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
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
        migrations.CreateModel(
            name="ClosedAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.RunPython(fill_skeletons, migrations.RunPython.noop),
        migrations.RunPython(end_earlier_sessions, migrations.RunPython.noop),
    ]
