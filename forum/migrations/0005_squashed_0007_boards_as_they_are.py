"""The changes between release 0.1 and its successor."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("forum", "0005_drafts_due"),
        ("forum", "0006_copied_posts"),
        ("forum", "0007_boards_as_they_are"),
    ]

    dependencies = [
        ("campaign", "0015_vault_pulse_and_facts_of_entries"),
        ("campaign", "0017_mixed_dice"),
        ("forum", "0001_squashed_0004_evidence_of_arrival"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DraftsDue",
            fields=[
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="campaign.logentry",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "drafts due",
            },
        ),
        migrations.AddField(
            model_name="post",
            name="copied_at",
            field=models.DateTimeField(
                blank=True,
                help_text="when a person last copied the text to post it by hand",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="post",
            name="state",
            field=models.CharField(
                choices=[
                    ("draft", "draft"),
                    ("ready", "not posted"),
                    ("sending", "being sent"),
                    ("posted", "posted"),
                    ("awaiting", "awaiting approval"),
                    ("doubtful", "was it posted?"),
                    ("failed", "failed"),
                    ("superseded", "superseded"),
                    ("aside", "skipped"),
                ],
                default="draft",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="heardpost",
            name="before",
            field=models.TextField(
                blank=True, default="", help_text="its text before it was last changed there"
            ),
        ),
        migrations.AddField(
            model_name="heardpost",
            name="changed_at",
            field=models.DateTimeField(
                blank=True, help_text="when it was seen changed there", null=True
            ),
        ),
        migrations.AddField(
            model_name="heardpost",
            name="gone_at",
            field=models.DateTimeField(
                blank=True, help_text="when it was seen deleted there", null=True
            ),
        ),
        migrations.AddField(
            model_name="heardpost",
            name="taken_at",
            field=models.DateTimeField(
                blank=True, help_text="when a person read it as moves, or set it aside", null=True
            ),
        ),
        migrations.AddField(
            model_name="post",
            name="edit",
            field=models.TextField(
                blank=True,
                default="",
                help_text="the text that is to stand there in place of this one",
            ),
        ),
        migrations.AddField(
            model_name="post",
            name="edit_at",
            field=models.DateTimeField(
                blank=True, help_text="when it is to be changed there, or tried again", null=True
            ),
        ),
        migrations.AddField(
            model_name="post",
            name="edited_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="thread",
            name="pace",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="seconds between two posts that the board asked for",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="post",
            name="next_at",
            field=models.DateTimeField(
                blank=True,
                help_text="when it is to be sent, tried again, or looked for approved",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("state", "awaiting")),
                fields=["next_at"],
                name="post_awaiting_approval",
            ),
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("edit_at__isnull", False)),
                fields=["edit_at"],
                name="post_to_edit",
            ),
        ),
    ]
