import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("forum", "0001_initial"),
        ("forum", "0002_tone_and_flavour"),
        ("forum", "0003_following"),
        ("forum", "0004_evidence_of_arrival"),
    ]

    initial = True

    dependencies = [
        ("campaign", "0001_squashed_0014_looks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Thread",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="threads", to="campaign.campaign"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("transport", models.CharField(max_length=20)),
                ("settings", models.TextField(default="{}", help_text="canonical JSON")),
                ("sealed", models.TextField(blank=True, default="")),
                ("session", models.TextField(blank=True, default="")),
                ("dialect", models.CharField(max_length=20)),
                ("language", models.CharField(default="en", max_length=8)),
                ("tone", models.CharField(blank=True, default="", max_length=20)),
                (
                    "limit",
                    models.PositiveIntegerField(blank=True, help_text="empty: the dialect's and the transport's", null=True),
                ),
                (
                    "kinds",
                    models.TextField(default="[]", help_text="canonical JSON: kinds of reports that are drafted by themselves"),
                ),
                (
                    "at_once",
                    models.BooleanField(default=False, help_text="what is drafted is posted without anybody looking at it"),
                ),
                ("active", models.BooleanField(default=True)),
                ("locked_at", models.DateTimeField(blank=True, null=True)),
                ("locked_why", models.CharField(blank=True, default="", max_length=500)),
                ("open_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("made_at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Post",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="posts", to="campaign.campaign"),
                ),
                (
                    "thread",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="posts", to="forum.thread"),
                ),
                ("number", models.PositiveIntegerField(help_text="of the campaign, as it is shown")),
                ("report", models.CharField(help_text="the report's key; `test` for a test", max_length=80)),
                ("kind", models.CharField(max_length=20)),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        help_text="the last it tells of",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.logentry",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="parts", to="forum.post"
                    ),
                ),
                ("part", models.PositiveIntegerField(default=1)),
                ("of", models.PositiveIntegerField(default=1)),
                ("subject", models.CharField(blank=True, default="", max_length=300)),
                ("text", models.TextField(blank=True, default="")),
                ("marker", models.CharField(blank=True, default="", max_length=40)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("ready", "ready, not posted"),
                            ("sending", "being sent"),
                            ("posted", "posted"),
                            ("awaiting", "awaits approval there"),
                            ("doubtful", "was it posted?"),
                            ("failed", "failed"),
                            ("superseded", "superseded"),
                            ("aside", "put aside"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("doubt", models.BooleanField(default=False)),
                ("doubt_at", models.DateTimeField(blank=True, null=True)),
                ("permalink", models.CharField(blank=True, default="", max_length=500)),
                ("made_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="none: by itself",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("posted_at", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("next_at", models.DateTimeField(blank=True, help_text="when it is to be sent, or tried again", null=True)),
                ("taken_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, default="", max_length=500)),
                ("corrects", models.ManyToManyField(blank=True, related_name="corrections", to="forum.post")),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(condition=models.Q(("state", "ready")), fields=["next_at"], name="post_to_send"),
                    models.Index(condition=models.Q(("state", "sending")), fields=["taken_at"], name="post_being_sent"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "number"), name="one_post_a_number"),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "draft")), fields=("thread", "report"), name="one_draft_a_report"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "sending")), fields=("thread",), name="one_post_at_a_time"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Following",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "thread",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="following", to="forum.thread"
                    ),
                ),
                ("active", models.BooleanField(default=False)),
                ("shown", models.BooleanField(default=True, help_text="to the players, too")),
                (
                    "place",
                    models.TextField(blank=True, default="", help_text="the thread's settings as they were when it was read"),
                ),
                ("known", models.CharField(blank=True, default="", max_length=40)),
                ("seen", models.TextField(default="{}", help_text="canonical JSON: headers of the next question, by address")),
                ("next_at", models.DateTimeField(blank=True, null=True)),
                ("read_at", models.DateTimeField(blank=True, help_text="when it last went well", null=True)),
                ("failures", models.PositiveIntegerField(default=0, help_text="in a row")),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, default="", max_length=500)),
                (
                    "changed_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("active", True), ("stopped_at", None)), fields=["next_at"], name="thread_to_read"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HeardPost",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "thread",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="heard", to="forum.thread"),
                ),
                ("name", models.CharField(max_length=40)),
                ("author", models.CharField(blank=True, default="", max_length=100)),
                ("said_at", models.DateTimeField(blank=True, help_text="by the board's clock", null=True)),
                ("heard_at", models.DateTimeField()),
                ("text", models.TextField(blank=True, default="")),
                ("permalink", models.CharField(blank=True, default="", max_length=500)),
                (
                    "post",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="forum.post"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("thread", "name"), name="one_row_a_heard_post")],
            },
        ),
        migrations.CreateModel(
            name="ReportTemplate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="report_templates", to="campaign.campaign"
                    ),
                ),
                ("language", models.CharField(max_length=8)),
                ("tone", models.CharField(max_length=20)),
                ("subject", models.CharField(blank=True, default="", max_length=200)),
                ("greeting", models.TextField(blank=True, default="")),
                ("signature", models.TextField(blank=True, default="")),
                ("parts", models.TextField(help_text="canonical JSON: the parts of a report that are told, in their order")),
                (
                    "changed_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("changed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("campaign", "language"), name="one_template_a_language")],
            },
        ),
        migrations.CreateModel(
            name="Flavour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="flavours", to="campaign.campaign"
                    ),
                ),
                ("report", models.CharField(help_text="the report's key", max_length=80)),
                ("language", models.CharField(max_length=8)),
                ("before", models.TextField(blank=True, default="")),
                ("after", models.TextField(blank=True, default="")),
                (
                    "changed_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("changed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("campaign", "report", "language"), name="one_flavour_a_report")],
            },
        ),
    ]
