import datetime

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("campaign", "0001_initial"),
        ("campaign", "0002_lobby_and_life"),
        ("campaign", "0003_results"),
        ("campaign", "0004_substitutes_and_countersigners"),
        ("campaign", "0005_helped"),
        ("campaign", "0006_plans"),
        ("campaign", "0007_absences_and_standing_orders"),
        ("campaign", "0008_clocks"),
        ("campaign", "0009_handovers"),
        ("campaign", "0010_hosts"),
        ("campaign", "0011_dice_by_hand"),
        ("campaign", "0012_scenarios"),
        ("campaign", "0013_imports"),
        ("campaign", "0014_looks"),
    ]

    initial = True

    dependencies = [
        ("people", "0001_squashed_0007_tokens"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Drawing",
            fields=[
                (
                    "digest",
                    models.CharField(
                        editable=False, help_text="SHA-256 of the text", max_length=64, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField(help_text="canonical JSON, as the title wrote it")),
            ],
        ),
        migrations.CreateModel(
            name="Scenario",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(editable=False, max_length=8, unique=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="scenarios", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("title", models.CharField(help_text="key of the game", max_length=40)),
                ("name", models.CharField(max_length=100)),
                ("text", models.TextField(help_text="canonical JSON of the scenario object")),
                (
                    "drawing",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scenarios",
                        to="campaign.drawing",
                    ),
                ),
                ("digest", models.CharField(help_text="SHA-256 of scenario and drawing", max_length=64)),
                (
                    "sharing",
                    models.CharField(
                        choices=[
                            ("private", "Private: only you"),
                            ("link", "By link: everybody with the address"),
                            ("public", "Public: in the list for everybody"),
                        ],
                        default="private",
                        max_length=10,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("hidden", models.BooleanField(default=False, help_text="the host has taken it from everybody but its owner")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("removed_at", None)),
                        fields=("owner", "title", "digest"),
                        name="one_of_a_kind_a_shelf",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(editable=False, max_length=8, unique=True)),
                ("slug", models.SlugField(editable=False, max_length=60)),
                ("name", models.CharField(max_length=100)),
                ("title", models.CharField(help_text="key of the game", max_length=40)),
                ("scenario", models.TextField(help_text="canonical JSON of the scenario object, or of a shipped one's name")),
                ("options", models.TextField(help_text="canonical JSON")),
                (
                    "drawing",
                    models.ForeignKey(
                        blank=True,
                        help_text="its own map",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="campaigns",
                        to="campaign.drawing",
                    ),
                ),
                ("seed_sealed", models.TextField()),
                ("digest_key_sealed", models.TextField()),
                ("commitment", models.CharField(max_length=64)),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("listed", "Listed: anybody finds it"),
                            ("unlisted", "Unlisted: everybody with the address"),
                            ("members", "Members only"),
                        ],
                        default="unlisted",
                        max_length=10,
                    ),
                ),
                (
                    "founder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="founded", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("founded_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "Not started"),
                            ("seating", "Seating"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("finished", "Finished"),
                            ("abandoned", "Abandoned"),
                            ("archived", "Archived"),
                            ("suspended", "Suspended"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("turn", models.PositiveIntegerField(default=0)),
                ("phase", models.CharField(blank=True, default="", max_length=40)),
                ("active_seat", models.CharField(blank=True, default="", max_length=40)),
                ("last_sequence", models.IntegerField(default=-1)),
                ("last_number", models.IntegerField(default=-1)),
                ("last_hash", models.CharField(blank=True, default="", max_length=64)),
                (
                    "standing_hash",
                    models.CharField(
                        blank=True, default="", help_text="of the last entry that changed the position", max_length=64
                    ),
                ),
                ("started", models.BooleanField(default=False, help_text="a move has been made")),
                ("ended", models.BooleanField(default=False, help_text="the title has final standings")),
                ("lobby_open", models.BooleanField(default=False)),
                ("paused", models.BooleanField(default=False)),
                ("abandoned", models.BooleanField(default=False)),
                ("archived", models.BooleanField(default=False)),
                ("suspended", models.BooleanField(default=False, help_text="nobody reads or moves it")),
                ("hidden", models.BooleanField(default=False, help_text="it stands in no list")),
                ("result", models.TextField(blank=True, default="", help_text="canonical JSON of the final standings")),
                ("points", models.IntegerField(blank=True, help_text="of the first in the standings", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("retried", models.BooleanField(default=False, help_text="a move that threw dice is struck")),
                ("helped", models.BooleanField(default=False, help_text="a program chose for a seat")),
                ("by_hand", models.BooleanField(default=False, help_text="every new die is entered by the game master")),
                (
                    "given",
                    models.TextField(default="{}", help_text="canonical JSON: values of dice by purpose, entered or imported"),
                ),
                (
                    "parked",
                    models.TextField(blank=True, default="", help_text="canonical JSON of the announcement that waits for a die"),
                ),
                (
                    "clock_terms",
                    models.TextField(
                        blank=True, default="", help_text="canonical JSON of the last act on them (`campaign.clocks`)"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AbsenceAt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "absence",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="told", to="people.absence"),
                ),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="campaign.campaign"),
                ),
                ("dropped_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("absence", "campaign"), name="one_absence_a_campaign")],
            },
        ),
        migrations.CreateModel(
            name="StandingOrders",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="standing_orders", to="campaign.campaign"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="standing_orders", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("seat", models.CharField(max_length=40)),
                ("orders", models.TextField(default="[]")),
                ("size", models.PositiveIntegerField(default=0)),
                ("timed", models.BooleanField(default=False, help_text="is one of them for when the clock has run out?")),
                ("version", models.PositiveIntegerField(default=0)),
                ("changed_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "standing orders",
                "indexes": [models.Index(condition=models.Q(("timed", True)), fields=["campaign"], name="orders_for_the_clock")],
                "constraints": [models.UniqueConstraint(fields=("campaign", "user", "seat"), name="one_set_of_orders")],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="notes", to="campaign.campaign"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seat_notes", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("seat", models.CharField(max_length=40)),
                ("text_sealed", models.TextField(default="")),
                ("empty", models.BooleanField(default=True)),
                ("left", models.BooleanField(default=False, help_text="to the successor")),
                ("version", models.PositiveIntegerField(default=0)),
                ("changed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("campaign", "user", "seat"), name="one_note_a_seat_and_person")],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imports", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("time_zone", models.CharField(max_length=64)),
                ("visibility", models.CharField(max_length=10)),
                ("language", models.CharField(default="en", help_text="in which faults are told", max_length=8)),
                ("content", models.BinaryField(default=b"")),
                ("digest", models.CharField(help_text="of all that was sent", max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("reading", "being read"),
                            ("replaying", "being replayed"),
                            ("writing", "being written"),
                            ("founded", "founded"),
                            ("faulty", "faults were found"),
                            ("stopped", "it stopped on our side"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0, help_text="moves replayed")),
                ("of", models.PositiveIntegerField(default=0)),
                ("faults", models.TextField(default="[]", help_text="canonical JSON: sentences")),
                (
                    "campaign",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.campaign",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("heard_at", models.DateTimeField(blank=True, help_text="when who works at it last said so", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("ended_at", None)), fields=["heard_at"], name="import_to_do")],
            },
        ),
        migrations.CreateModel(
            name="Look",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="looks", to="campaign.campaign"),
                ),
                (
                    "user",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("seat", models.CharField(max_length=40)),
                ("hour", models.DateTimeField(help_text="the full hour in which it was")),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
                ("times", models.PositiveIntegerField(default=1)),
                ("ways", models.CharField(help_text="keys of Way, between commas", max_length=80)),
            ],
            options={
                "ordering": ["-hour", "-pk"],
                "constraints": [models.UniqueConstraint(fields=("campaign", "user", "seat", "hour"), name="one_look_an_hour")],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="invitations", to="campaign.campaign"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("game_master", "game master"),
                            ("co_game_master", "co-game-master"),
                            ("seat", "seat"),
                            ("reserve", "reserve"),
                            ("substitute", "substitute for one battle"),
                            ("countersigner", "countersigner"),
                        ],
                        default="seat",
                        max_length=16,
                    ),
                ),
                ("seat", models.CharField(blank=True, default="", max_length=40)),
                (
                    "leaver",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "named",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "made_by",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("uses_left", models.PositiveIntegerField(default=1)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Lobby",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lobbies", to="campaign.campaign"
                    ),
                ),
                ("words", models.TextField(blank=True, default="", help_text="the game master's")),
                ("seed_sealed", models.TextField()),
                ("commitment", models.CharField(max_length=64)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "lobbies",
                "constraints": [
                    models.UniqueConstraint(condition=models.Q(("closed_at", None)), fields=("campaign",), name="one_open_lobby")
                ],
            },
        ),
        migrations.CreateModel(
            name="Application",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="applications", to="campaign.lobby"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="applications", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("wishes", models.TextField()),
                ("applied_at", models.DateTimeField()),
                ("changed_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["applied_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn_at", None)), fields=("lobby", "user"), name="one_application"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Plan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="plans", to="campaign.campaign"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="plans", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("seat", models.CharField(max_length=40)),
                ("moves", models.TextField(default="[]")),
                ("size", models.PositiveIntegerField(default=0, help_text="how many moves these are")),
                ("version", models.PositiveIntegerField(default=0)),
                ("changed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("campaign", "user", "seat"), name="one_plan_a_seat_and_person")],
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="campaign.campaign"
                    ),
                ),
                ("sequence", models.PositiveIntegerField(help_text="place in the chain, of hidden entries too; never shown")),
                (
                    "number",
                    models.PositiveIntegerField(blank=True, help_text="shown; none where there is an audience", null=True),
                ),
                ("kind", models.CharField(choices=[("move", "move"), ("table", "table")], max_length=5)),
                ("what", models.TextField(help_text="canonical JSON of the move or act")),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        help_text="none: clock",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("seat", models.CharField(blank=True, default="", max_length=40)),
                ("audience", models.TextField(blank=True, null=True)),
                (
                    "target",
                    models.ForeignKey(
                        blank=True,
                        help_text="what an undo goes back to (an own one: strikes), what is restored",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.logentry",
                    ),
                ),
                (
                    "struck_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="struck",
                        to="campaign.logentry",
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                ("turn", models.PositiveIntegerField()),
                ("effects", models.TextField(default="[]", help_text="canonical JSON, a cache for reading")),
            ],
            options={
                "verbose_name_plural": "log entries",
                "ordering": ["sequence"],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "sequence"), name="one_entry_a_place"),
                    models.UniqueConstraint(fields=("campaign", "number"), name="one_entry_a_number"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Clock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="clocks", to="campaign.campaign"),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "Turn"),
                            ("slot", "Slot"),
                            ("answer", "Answer to a challenge"),
                            ("battle", "Battle"),
                            ("claim", "Confirmation of a claim"),
                        ],
                        max_length=6,
                    ),
                ),
                ("seat", models.CharField(blank=True, default="", help_text="whom it waits for, where it is one", max_length=40)),
                ("contest", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        help_text="that opened it",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.logentry",
                    ),
                ),
                ("mark", models.CharField(blank=True, default="", help_text="tells what follows on it from it", max_length=200)),
                ("waits", models.TextField(blank=True, default="", help_text="|seat|seat| whom it waits for")),
                ("zone", models.CharField(help_text="whose local time a length in days keeps", max_length=64)),
                ("length", models.CharField(max_length=6)),
                ("started_at", models.DateTimeField()),
                ("first_due_at", models.DateTimeField(help_text="by its length, before anybody extended it")),
                ("due_at", models.DateTimeField()),
                (
                    "spared",
                    models.DurationField(default=datetime.timedelta(0), help_text="pauses, and the time for which it was undone"),
                ),
                (
                    "held_at",
                    models.DateTimeField(blank=True, help_text="since when it stands still: the campaign pauses", null=True),
                ),
                ("grace", models.CharField(default="0h", max_length=6)),
                (
                    "acts_at",
                    models.DateTimeField(
                        blank=True, help_text="when it does by itself what it does; none: it reminds", null=True
                    ),
                ),
                ("told", models.CharField(blank=True, default="", help_text="what was said of this deadline", max_length=40)),
                ("attempts", models.PositiveIntegerField(default=0, help_text="how often it failed to do what was due")),
                ("next_at", models.DateTimeField(blank=True, null=True)),
                (
                    "acted",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.logentry",
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "how",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("done", "what it waited for was done"),
                            ("acted", "it did it by itself"),
                            ("undone", "its entry was undone"),
                            ("off", "the game master switched it off, or the campaign ended"),
                        ],
                        default="",
                        max_length=6,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("next_at__isnull", False)), fields=["next_at"], name="clock_next"),
                    models.Index(condition=models.Q(("ended_at__isnull", True)), fields=["campaign"], name="clock_running"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("contest__isnull", False)),
                        fields=("campaign", "kind", "seat", "contest", "entry"),
                        name="one_clock_a_contest",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("contest__isnull", True)),
                        fields=("campaign", "kind", "seat", "entry"),
                        name="one_clock_an_entry",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Heeded",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "orders",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="heeded", to="campaign.standingorders"
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.logentry"),
                ),
                ("question", models.CharField(max_length=60)),
                ("version", models.PositiveIntegerField(help_text="of the orders")),
                ("place", models.PositiveIntegerField(help_text="of the order among them")),
                ("said", models.TextField(help_text="canonical JSON of the order")),
                ("contest", models.PositiveIntegerField(blank=True, null=True)),
                ("refusal", models.TextField(blank=True, default="")),
                ("at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "heeded",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("orders", "entry", "question", "version", "place"), name="heeded_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="memberships", to="campaign.campaign"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="memberships", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("game_master", "game master"),
                            ("co_game_master", "co-game-master"),
                            ("seat", "seat"),
                            ("reserve", "reserve"),
                            ("substitute", "substitute for one battle"),
                            ("countersigner", "countersigner"),
                        ],
                        max_length=16,
                    ),
                ),
                ("seat", models.CharField(blank=True, default="", max_length=40)),
                (
                    "launch",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaign.logentry",
                    ),
                ),
                ("contest", models.PositiveIntegerField(blank=True, null=True)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("role", "seat"), ("until", None)),
                        fields=("campaign", "seat"),
                        name="one_holder_a_seat",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("role", "game_master"), ("until", None)), fields=("campaign",), name="one_game_master"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("until", None), models.Q(("role", "substitute"), _negated=True)),
                        fields=("campaign", "user", "role", "seat"),
                        name="one_role_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("role", "substitute"), ("until", None)),
                        fields=("launch", "contest", "seat"),
                        name="one_substitute_a_side",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Handover",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="handovers", to="campaign.campaign"
                    ),
                ),
                (
                    "membership",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="handover", to="campaign.membership"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="handovers", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("seat", models.CharField(max_length=40)),
                (
                    "leaver",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "note",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="campaign.note"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("dismissed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("dismissed_at", None)), fields=["user"], name="handover_waits")],
            },
        ),
        migrations.CreateModel(
            name="DiceRoll",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "entry",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="rolls", to="campaign.logentry"),
                ),
                ("purpose", models.CharField(max_length=200)),
                ("sides", models.PositiveIntegerField()),
                ("value", models.PositiveIntegerField()),
                ("turn", models.PositiveIntegerField(help_text="whose link it came from")),
                ("audience", models.TextField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("entry", "purpose"), name="one_roll_a_purpose")],
            },
        ),
    ]
