"""The changes between release 0.1 and its successor."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("notices", "0006_devices"),
        ("notices", "0007_quiet_hours"),
        ("notices", "0008_requested_mail"),
    ]

    dependencies = [
        ("notices", "0001_squashed_0005_mutes"),
    ]

    operations = [
        migrations.AddField(
            model_name="channel",
            name="discreet",
            field=models.BooleanField(
                default=False,
                help_text="a device's: its locked screen shows no more than the campaign",
            ),
        ),
        migrations.AlterField(
            model_name="channel",
            name="service",
            field=models.CharField(
                choices=[
                    ("email", "E-mail"),
                    ("discord", "Discord"),
                    ("telegram", "Telegram"),
                    ("slack", "Slack"),
                    ("push", "Device"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="channel",
            name="quiet_from",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, validators=[django.core.validators.MaxValueValidator(23)]
            ),
        ),
        migrations.AddField(
            model_name="channel",
            name="quiet_to",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="a device's: between the two hours it waits",
                null=True,
                validators=[django.core.validators.MaxValueValidator(23)],
            ),
        ),
        migrations.CreateModel(
            name="RequestedMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sealed", models.TextField()),
                ("made_at", models.DateTimeField()),
                (
                    "next_at",
                    models.DateTimeField(help_text="when it is to be sent, or tried again"),
                ),
                (
                    "expires_at",
                    models.DateTimeField(help_text="from when on it is of no use and is deleted"),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("taken_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "requested e-mails",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["next_at"], name="requested_mail_to_send"),
                    models.Index(fields=["expires_at"], name="requested_mail_expires"),
                ],
            },
        ),
    ]
