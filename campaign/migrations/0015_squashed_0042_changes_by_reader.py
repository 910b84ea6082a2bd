"""The changes between release 0.1 and its successor.

The rows are written last: PostgreSQL alters no table whose rows were changed in the same transaction.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

BATCH = 500
"""Entries that are read at a time."""


def facts(kind: str, what: str, effects: str) -> tuple[str, str, str, bool]:
    """The act, its how, its contests and whether it is of a slot."""
    words = json.loads(what)
    if kind == "move":
        known = json.loads(effects)
        contests = {str(one["subject"]) for one in known if one["kind"] == "attack"}
        return words["move"], "", packed(contests), any(one["kind"] == "slot" for one in known)
    contests = set() if words.get("battle") is None else {str(words["battle"])}
    return words["act"], words.get("how", ""), packed(contests), False


def packed(contests: set[str]) -> str:
    return "|" + "|".join(sorted(contests)) + "|" if contests else ""


def fill_facts(apps: Any, editor: Any) -> None:
    """The columns of the entries that were written before there were any."""
    entries = apps.get_model("campaign", "LogEntry").objects.using(editor.connection.alias)
    last = 0
    while rows := list(
        entries.filter(pk__gt=last)
        .order_by("pk")
        .values_list("pk", "kind", "what", "effects")[:BATCH]
    ):
        alike: dict[tuple[str, str, str, bool], list[int]] = {}
        for pk, *texts in rows:
            alike.setdefault(facts(*texts), []).append(pk)
        for (act, how, contests, slot), keys in alike.items():
            entries.filter(pk__in=keys).update(act=act, how=how, contests=contests, slot=slot)
        last = rows[-1][0]


def fill_times(apps: Any, editor: Any) -> None:
    """Fill the column for the campaigns that are older than it."""
    name = editor.connection.alias
    campaigns = apps.get_model("campaign", "Campaign").objects.using(name)
    entries = apps.get_model("campaign", "LogEntry").objects.using(name)
    for pk, turn in campaigns.filter(last_sequence__gt=0).values_list("pk", "turn"):
        moves = entries.filter(campaign=pk, turn=turn, kind="move", struck_by=None)
        columns = ("at", "act", "audience", "effects")
        times = times_of(turn, moves.order_by("sequence").values_list(*columns))
        campaigns.filter(pk=pk).update(turn_times=times)


def times_of(turn: int, moves: Iterable[tuple[datetime, str, str | None, str]]) -> str:
    """Return the times of a turn as `campaign.log.turn_times` writes them."""
    times: dict[str, Any] = {"turn": turn, "taken_over": False}
    slots: dict[str, dict[str, str]] = {"opened": {}, "ended": {}}
    contests: dict[str, str] = {}
    for at, act, audience, effects in moves:
        text = at.astimezone(UTC).isoformat(timespec="microseconds")
        times = {**times, "first": times.get("first", text), "last": text}
        times["taken_over"] = times["taken_over"] or act == "resume"
        for effect in json.loads(effects):
            if effect["kind"] == "attack":
                contests[effect["subject"]] = text
            of_slot = effect["kind"] == "slot" and effect["subject"] in slots
            if of_slot and effect.get("holder") and audience is None:
                slots[effect["subject"]][effect["holder"]] = text
    if "last" not in times:
        return ""
    whole = {**times, **slots, "contests": contests}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


class Migration(migrations.Migration):
    replaces = [
        ("campaign", "0015_vault_pulse_and_facts_of_entries"),
        ("campaign", "0016_renewed_dice"),
        ("campaign", "0017_mixed_dice"),
        ("campaign", "0018_amending"),
        ("campaign", "0019_drafts_of_scenarios"),
        ("campaign", "0020_play_tests"),
        ("campaign", "0021_programs_in_practice"),
        ("campaign", "0022_programs_in_seats"),
        ("campaign", "0023_forecasts"),
        ("campaign", "0024_why_a_program_moved"),
        ("campaign", "0025_playing_on"),
        ("campaign", "0026_talk"),
        ("campaign", "0027_plain_words"),
        ("campaign", "0028_changes"),
        ("campaign", "0029_withheld_texts"),
        ("campaign", "0030_lessons"),
        ("campaign", "0031_entries_found_by_index"),
        ("campaign", "0032_visits"),
        ("campaign", "0033_campaigns_of_a_tick"),
        ("campaign", "0034_running_tasks"),
        ("campaign", "0035_salts_of_typed_texts"),
        ("campaign", "0036_faults_of_logs"),
        ("campaign", "0037_clocks_of_renewed_dice"),
        ("campaign", "0038_editions_of_rules"),
        ("campaign", "0039_shapes_for_the_worker"),
        ("campaign", "0040_limits_of_programs"),
        ("campaign", "0041_times_of_the_turn"),
        ("campaign", "0042_changes_by_reader"),
    ]

    dependencies = [
        ("campaign", "0001_squashed_0014_looks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="VaultKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "fingerprint",
                    models.CharField(
                        help_text="campaign.keys.fingerprint of the key", max_length=64
                    ),
                ),
                ("set_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="import",
            name="kind",
            field=models.CharField(
                choices=[("record", "a record"), ("scenario", "a scenario")],
                default="record",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="import",
            name="scenario",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="campaign.scenario",
            ),
        ),
        migrations.AddField(
            model_name="import",
            name="title",
            field=models.CharField(
                blank=True, default="", help_text="of a scenario: key of the game", max_length=40
            ),
        ),
        migrations.AlterField(
            model_name="import",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("reading", "being read"),
                    ("replaying", "being replayed"),
                    ("writing", "being written"),
                    ("founded", "founded, or on the shelf"),
                    ("faulty", "faults were found"),
                    ("stopped", "it stopped on our side"),
                    ("too-long", "it took too long"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="import",
            name="visibility",
            field=models.CharField(help_text="of a scenario: how it is shared", max_length=10),
        ),
        migrations.CreateModel(
            name="Pulse",
            fields=[
                (
                    "part",
                    models.CharField(
                        help_text="as settings.TICKS names it",
                        max_length=100,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("seconds", models.FloatField(help_text="how long it took")),
                ("failed", models.BooleanField(default=False)),
            ],
        ),
        migrations.AddField(
            model_name="logentry",
            name="act",
            field=models.CharField(
                default="", help_text="name of the table's act, or of the move", max_length=60
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="how",
            field=models.CharField(
                blank=True,
                default="",
                help_text="of a table's act that has several kinds",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="contests",
            field=models.TextField(
                blank=True,
                default="",
                help_text="contests that an act names or a move's effects tell of: |3|7|",
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="slot",
            field=models.BooleanField(default=False, help_text="its effects open or end a slot"),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["campaign", "act"], name="entries_of_an_act"),
        ),
        migrations.AddField(
            model_name="campaign",
            name="imported",
            field=models.BooleanField(
                default=False, help_text="it began as a record, whose dice somebody may have chosen"
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="links_published",
            field=models.PositiveIntegerField(
                default=0, help_text="links of the first chain when it was replaced"
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="renewals",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="how often the dice were renewed"
            ),
        ),
        migrations.AddField(
            model_name="diceroll",
            name="chain",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="0: the first chain, n: that of renewal n"
            ),
        ),
        migrations.CreateModel(
            name="DiceRenewal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="1, 2, …")),
                ("seed_sealed", models.TextField()),
                ("commitment", models.CharField(max_length=64)),
                (
                    "links_published",
                    models.PositiveIntegerField(default=0, help_text="when it was replaced itself"),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dice_renewals",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        help_text="it holds the commitment",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="renewal",
                        to="campaign.logentry",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "number"), name="one_renewal_a_number"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="chance",
            field=models.CharField(
                blank=True,
                default="",
                help_text="what is mixed into the dice: words, draw, both; empty: nothing",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="draw_due",
            field=models.DateTimeField(
                blank=True,
                db_index=True,
                help_text="when the public draw that was named falls",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="mixing",
            field=models.TextField(
                default="{}",
                help_text="canonical JSON: what is mixed into the dice, by chain and link",
            ),
        ),
        migrations.AlterField(
            model_name="clock",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "Turn"),
                    ("slot", "Slot"),
                    ("answer", "Answer to a challenge"),
                    ("battle", "Battle"),
                    ("claim", "Confirmation of a claim"),
                    ("words", "Words for the dice"),
                ],
                max_length=6,
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="amending",
            field=models.CharField(
                default="two-thirds",
                help_text="who must agree before rules change in play: master, most, two-thirds, all",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="scenario",
            name="note",
            field=models.CharField(
                blank=True, default="", help_text="what is new in this version", max_length=200
            ),
        ),
        migrations.AddField(
            model_name="scenario",
            name="version",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="which version of its draft; 0: brought as a file"
            ),
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.CharField(editable=False, max_length=8, unique=True)),
                ("title", models.CharField(help_text="key of the game", max_length=40)),
                ("name", models.CharField(max_length=100)),
                ("scenario", models.TextField(help_text="JSON of the scenario object")),
                ("drawing", models.TextField(help_text="JSON of its drawing")),
                (
                    "revision",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="counts every change, so that two windows do not overwrite each other",
                    ),
                ),
                (
                    "past",
                    models.TextField(
                        default="[]", help_text="JSON: what takes each of the last steps back"
                    ),
                ),
                (
                    "future",
                    models.TextField(default="[]", help_text="JSON: what makes undone steps again"),
                ),
                (
                    "begun_from",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="name of what it was begun from",
                        max_length=100,
                    ),
                ),
                ("begun_at", models.DateTimeField()),
                ("saved_at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "origin",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="forks",
                        to="campaign.scenario",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drafts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="scenario",
            name="draft",
            field=models.ForeignKey(
                blank=True,
                help_text="made from it",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="versions",
                to="campaign.draft",
            ),
        ),
        migrations.CreateModel(
            name="Playtest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="of title, scenario, program and number of campaigns",
                        max_length=64,
                        unique=True,
                    ),
                ),
                ("title", models.CharField(help_text="key of the game", max_length=40)),
                ("scenario", models.TextField(help_text="canonical JSON of the scenario object")),
                ("player", models.CharField(help_text="name of the program", max_length=20)),
                (
                    "games",
                    models.PositiveIntegerField(help_text="how many campaigns are to be played"),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                (
                    "seconds",
                    models.PositiveIntegerField(default=0, help_text="time that playing has taken"),
                ),
                ("rows", models.TextField(default="[]", help_text="JSON")),
                ("failed", models.BooleanField(default=False, help_text="it stopped on our side")),
                ("asked_at", models.DateTimeField()),
                (
                    "heard_at",
                    models.DateTimeField(
                        blank=True, help_text="when who plays it last said so", null=True
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name="campaign",
            name="programs",
            field=models.TextField(
                blank=True,
                default="",
                help_text="JSON of a practice campaign: seats of programs, how battles are decided",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="seat_programs",
            field=models.TextField(
                blank=True,
                default="",
                help_text="canonical JSON: each program that held a seat among people, with its level, its first and last entry",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="forecast",
            field=models.CharField(
                blank=True,
                default="",
                help_text="on, off by the last act on it; empty: as the title has it",
                max_length=3,
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="forecasts",
            field=models.PositiveIntegerField(
                default=0, help_text="forecasts that have been made (`campaign.forecasts`)"
            ),
        ),
        migrations.CreateModel(
            name="Forecast",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "done",
                    models.PositiveIntegerField(
                        default=0, help_text="campaigns that have been played"
                    ),
                ),
                (
                    "seconds",
                    models.FloatField(
                        default=0.0, help_text="time that playing has taken on one core"
                    ),
                ),
                ("rows", models.TextField(default="{}", help_text="JSON")),
                ("result", models.TextField(blank=True, default="", help_text="JSON")),
                ("failed", models.BooleanField(default=False, help_text="it stopped on our side")),
                ("asked_at", models.DateTimeField()),
                (
                    "heard_at",
                    models.DateTimeField(
                        blank=True, help_text="when who plays it last said so", null=True
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="forecast",
                        to="campaign.logentry",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="logentry",
            name="why",
            field=models.TextField(
                blank=True,
                default="",
                help_text="canonical JSON: why a program made this move, for reading",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="onward",
            field=models.TextField(
                blank=True,
                default="",
                help_text="JSON of what is being played on (campaign.automatic_moves)",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="press_reported",
            field=models.BooleanField(
                default=False, help_text="the report of a turn has its proclamations"
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="sight",
            field=models.CharField(
                default="reported",
                help_text="what the game master reads of messages: all, reported, addressed",
                max_length=10,
            ),
        ),
        migrations.RenameField(
            model_name="clock",
            old_name="told",
            new_name="notified_kinds",
        ),
        migrations.RenameField(
            model_name="heeded",
            old_name="said",
            new_name="content",
        ),
        migrations.AddField(
            model_name="campaign",
            name="changes",
            field=models.PositiveIntegerField(
                default=0,
                help_text="counts all that a page may show: entries, hidden ones too, clocks, messages, names; never shown",
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="removed",
            field=models.TextField(
                blank=True, default="", help_text="canonical JSON: which texts, on which day, why"
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="sealed",
            field=models.TextField(
                blank=True,
                default="",
                help_text="what was said, where a text of it is removed: for the audit",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="lesson",
            field=models.CharField(
                blank=True,
                default="",
                help_text="a guided first game: guided, left; empty: an ordinary campaign",
                max_length=6,
            ),
        ),
        migrations.RemoveIndex(
            model_name="logentry",
            name="entries_of_an_act",
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(fields=["campaign", "act", "sequence"], name="entries_by_act"),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(
                condition=models.Q(("kind", "table")),
                fields=["campaign", "sequence"],
                name="acts_of_the_table",
            ),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(
                condition=models.Q(("slot", True)),
                fields=["campaign", "turn", "sequence"],
                name="entries_of_slots",
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="visited_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="membership",
            name="visit_seen",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="membership",
            name="visit_since",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(("onward", ""), _negated=True), fields=["id"], name="played_on"
            ),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(("programs", ""), ("seat_programs", ""), _negated=True),
                fields=["id"],
                name="with_programs",
            ),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(("forecast", "on")), fields=["id"], name="forecast_on"
            ),
        ),
        migrations.CreateModel(
            name="RunningTask",
            fields=[
                (
                    "id",
                    models.CharField(
                        help_text="as Celery names it",
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="the task, of the pulse's work with its kind: work clocks",
                        max_length=100,
                    ),
                ),
                ("started_at", models.DateTimeField()),
                (
                    "ends_by",
                    models.DateTimeField(help_text="when its process is ended at the latest"),
                ),
            ],
        ),
        migrations.AddField(
            model_name="logentry",
            name="salt",
            field=models.CharField(
                blank=True,
                default="",
                help_text="of the hashes of its typed texts; none where it has no text",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="fault",
            field=models.TextField(
                blank=True,
                default="",
                help_text="where the stored log does not verify; then no entry is added",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="audited_at",
            field=models.DateTimeField(
                blank=True,
                db_index=True,
                help_text="when the nightly audit began with it",
                null=True,
            ),
        ),
        migrations.RemoveConstraint(
            model_name="clock",
            name="one_clock_an_entry",
        ),
        migrations.AddConstraint(
            model_name="clock",
            constraint=models.UniqueConstraint(
                condition=models.Q(("contest__isnull", True)),
                fields=("campaign", "kind", "seat", "mark", "entry"),
                name="one_clock_an_entry",
            ),
        ),
        migrations.AddField(
            model_name="import",
            name="result",
            field=models.TextField(
                blank=True, default="", help_text="JSON: what was read of shapes"
            ),
        ),
        migrations.AlterField(
            model_name="import",
            name="kind",
            field=models.CharField(
                choices=[
                    ("record", "a record"),
                    ("scenario", "a scenario"),
                    ("shapes", "a file with shapes"),
                ],
                default="record",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="import",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("reading", "being read"),
                    ("replaying", "being replayed"),
                    ("writing", "being written"),
                    ("founded", "founded, on the shelf, or read"),
                    ("faulty", "faults were found"),
                    ("stopped", "it stopped on our side"),
                    ("too-long", "it took too long"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="forecast",
            name="limit",
            field=models.CharField(
                blank=True, default="", help_text="it exceeded: memory or time", max_length=6
            ),
        ),
        migrations.AddField(
            model_name="playtest",
            name="limit",
            field=models.CharField(
                blank=True, default="", help_text="it exceeded: memory or time", max_length=6
            ),
        ),
        migrations.AlterField(
            model_name="forecast",
            name="failed",
            field=models.BooleanField(
                default=False, help_text="it stopped on our side, or exceeded a limit"
            ),
        ),
        migrations.AlterField(
            model_name="playtest",
            name="failed",
            field=models.BooleanField(
                default=False, help_text="it stopped on our side, or exceeded a limit"
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="turn_times",
            field=models.TextField(
                blank=True,
                default="",
                help_text="canonical JSON: when the moves of the turn were made, hidden ones too",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="edition",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="edition of the title's rules, as the genesis names it"
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="public_changes",
            field=models.PositiveIntegerField(
                default=0,
                help_text="counts what every reader may see: public entries, clocks, names",
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="own_changes",
            field=models.PositiveIntegerField(
                default=0,
                help_text="counts what only its holder sees: hidden entries, plans, messages",
            ),
        ),
        migrations.RunPython(fill_facts, migrations.RunPython.noop),
        migrations.RunPython(fill_times, migrations.RunPython.noop),
    ]
