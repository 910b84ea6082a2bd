import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("notices", "0001_initial"),
        ("notices", "0002_channels"),
        ("notices", "0003_one_digest_that_waits"),
        ("notices", "0004_webhooks"),
        ("notices", "0005_mutes"),
    ]

    initial = True

    dependencies = [
        ("campaign", "0001_squashed_0014_looks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="notices", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="campaign.campaign"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="campaign.logentry"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("about", models.CharField(blank=True, default="", max_length=60)),
                ("seat", models.CharField(blank=True, default="", max_length=40)),
                ("facts", models.TextField(default="{}", help_text="canonical JSON")),
                ("at", models.DateTimeField()),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                ("routed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["user", "read_at"], name="unread_of_a_user"),
                    models.Index(condition=models.Q(("routed_at", None)), fields=["id"], name="notice_to_route"),
                ],
                "constraints": [models.UniqueConstraint(fields=("user", "entry", "kind", "about"), name="told_once")],
            },
        ),
        migrations.CreateModel(
            name="Channel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        help_text="whose it is, or who set it up",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="channels",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="channels",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "service",
                    models.CharField(
                        choices=[("email", "E-mail"), ("discord", "Discord"), ("telegram", "Telegram"), ("slack", "Slack")],
                        max_length=10,
                    ),
                ),
                ("name", models.CharField(blank=True, default="", max_length=60)),
                ("sealed", models.TextField(blank=True, default="")),
                (
                    "digest_hour",
                    models.PositiveSmallIntegerField(default=8, validators=[django.core.validators.MaxValueValidator(23)]),
                ),
                (
                    "language",
                    models.CharField(blank=True, default="", help_text="a campaign's; a person's is his own", max_length=8),
                ),
                ("created_at", models.DateTimeField()),
                ("code_hash", models.CharField(blank=True, default="", max_length=64)),
                ("code_tries", models.PositiveSmallIntegerField(default=0)),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("active", models.BooleanField(default=True)),
                (
                    "off_why",
                    models.CharField(blank=True, default="", help_text="empty: its owner switched it off", max_length=300),
                ),
                ("failures", models.PositiveIntegerField(default=0)),
                ("last_error", models.CharField(blank=True, default="", max_length=300)),
                ("last_ok_at", models.DateTimeField(blank=True, null=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("board", models.BooleanField(default=False)),
                ("board_message", models.CharField(blank=True, default="", max_length=40)),
                (
                    "board_digest",
                    models.CharField(blank=True, default="", help_text="of the text that stands there", max_length=64),
                ),
                ("board_due", models.DateTimeField(blank=True, help_text="when to look whether it says what is", null=True)),
                ("board_taken", models.DateTimeField(blank=True, null=True)),
                ("board_tries", models.PositiveIntegerField(default=0)),
                ("board_error", models.CharField(blank=True, default="", max_length=300)),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(condition=models.Q(("board_due__isnull", False)), fields=["board_due"], name="board_to_look_at")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("removed_at", None), ("service", "email")), fields=("user",), name="one_letter_box"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Wish",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "channel",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="wishes", to="notices.channel"),
                ),
                ("kind", models.CharField(max_length=40)),
                (
                    "how",
                    models.CharField(
                        choices=[("now", "at once"), ("digest", "in the daily e-mail"), ("off", "not at all")], max_length=6
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("channel", "kind"), name="one_wish_a_kind")],
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="mutes", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="mutes", to="campaign.campaign"),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "campaign"), name="muted_once")],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "channel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="notices.channel"
                    ),
                ),
                (
                    "form",
                    models.CharField(
                        choices=[("now", "at once"), ("digest", "daily e-mail"), ("word", "of your channels")], max_length=6
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waits"),
                            ("sending", "is being sent"),
                            ("sent", "sent"),
                            ("dropped", "no longer needed"),
                            ("doubtful", "perhaps sent"),
                            ("failed", "failed"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("facts", models.TextField(default="{}", help_text="canonical JSON")),
                ("made_at", models.DateTimeField()),
                ("next_at", models.DateTimeField(help_text="when it is to be sent, or tried again")),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("taken_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, default="", max_length=300)),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(condition=models.Q(("state", "waiting")), fields=["next_at"], name="delivery_to_send"),
                    models.Index(condition=models.Q(("state", "sending")), fields=["taken_at"], name="delivery_being_sent"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("attempts", 0), ("form", "digest"), ("state", "waiting")),
                        fields=("channel",),
                        name="one_digest_waits",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "delivery",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="items", to="notices.delivery"),
                ),
                (
                    "channel",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="notices.channel"),
                ),
                (
                    "notice",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="items", to="notices.notice"),
                ),
                ("told", models.CharField(max_length=130)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("channel", "told"), name="through_a_channel_once")],
            },
        ),
        migrations.CreateModel(
            name="Feed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="feeds", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[("notices", "Notices (Atom)"), ("deadlines", "Deadlines (calendar)")], max_length=9
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at", None)), fields=("user", "what"), name="one_feed_of_a_kind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="webhooks", to="campaign.campaign"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("made_at", models.DateTimeField()),
                ("key", models.CharField(help_text="begins the ids of its deliveries", max_length=8, unique=True)),
                ("host", models.CharField(max_length=255)),
                ("sealed", models.TextField(blank=True)),
                ("secret", models.TextField(blank=True)),
                ("active", models.BooleanField(default=True)),
                (
                    "off_why",
                    models.CharField(blank=True, default="", help_text="empty: a game master switched it off", max_length=300),
                ),
                ("upto", models.IntegerField(help_text="number of the last entry that arrived")),
                ("batch", models.IntegerField(blank=True, null=True)),
                ("next_at", models.DateTimeField(blank=True, help_text="not before; empty: at once", null=True)),
                ("taken_at", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, default="", max_length=300)),
                ("last_ok_at", models.DateTimeField(blank=True, null=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("active", True), ("removed_at", None)),
                        fields=["campaign"],
                        name="webhooks_that_listen",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="deliveries", to="notices.webhook"
                    ),
                ),
                ("key", models.CharField(max_length=60, unique=True)),
                ("first", models.IntegerField(blank=True, null=True)),
                ("last", models.IntegerField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("sending", "is being sent"), ("sent", "arrived"), ("failed", "did not arrive")],
                        default="sending",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                (
                    "status",
                    models.PositiveSmallIntegerField(blank=True, help_text="what the last attempt was answered", null=True),
                ),
                ("error", models.CharField(blank=True, default="", max_length=300)),
                ("made_at", models.DateTimeField()),
                ("tried_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "webhook deliveries",
                "ordering": ["-pk"],
            },
        ),
    ]
