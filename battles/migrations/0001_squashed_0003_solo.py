import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("battles", "0001_initial"), ("battles", "0002_claims_and_evidence"), ("battles", "0003_solo")]

    initial = True

    dependencies = [
        ("campaign", "0001_squashed_0014_looks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Battle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="battles", to="campaign.campaign"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="battles", to="campaign.logentry"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("turn", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("attacker", models.CharField(blank=True, default="", max_length=40)),
                ("defender", models.CharField(blank=True, default="", max_length=40)),
                ("source", models.CharField(blank=True, default="", max_length=60)),
                ("target", models.CharField(blank=True, default="", max_length=60)),
                ("status", models.CharField(max_length=40)),
                ("outcome", models.CharField(blank=True, default="", max_length=40)),
                (
                    "solo",
                    models.CharField(
                        blank=True, default="", help_text="the seat that is away: the other plays it solo", max_length=40
                    ),
                ),
                ("facts", models.TextField(default="{}", help_text="canonical JSON of all the title tells of it")),
                ("launched_at", models.DateTimeField()),
                ("resolved_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("entry", "number"), name="battle_key")],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="claims", to="campaign.campaign"),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="claim", to="campaign.logentry"
                    ),
                ),
                (
                    "launch",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="claims", to="campaign.logentry"),
                ),
                ("number", models.PositiveIntegerField(help_text="of the battle, as shown when it was claimed")),
                ("seat", models.CharField(max_length=40)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Claimed"),
                            ("withdrawn", "Withdrawn"),
                            ("disputed", "Disputed"),
                            ("confirmed", "Confirmed"),
                            ("judged", "Judged"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "last",
                    models.ForeignKey(
                        help_text="the last act on it, or the claim itself",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.logentry",
                    ),
                ),
            ],
            options={
                "ordering": ["entry"],
            },
        ),
        migrations.CreateModel(
            name="Evidence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="evidence", to="campaign.campaign"
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="evidence", to="campaign.logentry"
                    ),
                ),
                (
                    "launch",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="campaign.logentry"),
                ),
                ("number", models.PositiveIntegerField()),
                ("digest", models.CharField(help_text="SHA-256 of the picture as kept, or of the link", max_length=64)),
                ("url", models.TextField(blank=True, default="")),
                ("bytes", models.PositiveIntegerField(default=0)),
                ("width", models.PositiveIntegerField(default=0)),
                ("height", models.PositiveIntegerField(default=0)),
                ("erased_at", models.DateTimeField(blank=True, null=True)),
                ("why_erased", models.TextField(blank=True, default="")),
            ],
            options={
                "verbose_name_plural": "evidence",
                "ordering": ["entry"],
            },
        ),
        migrations.CreateModel(
            name="Picture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("content", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="LobbyPassword",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "launch",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="campaign.logentry"),
                ),
                ("number", models.PositiveIntegerField()),
                ("sealed", models.TextField()),
                (
                    "set_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("set_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("launch", "number"), name="one_password_a_battle")],
            },
        ),
    ]
