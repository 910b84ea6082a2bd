"""Models and fields with the names that the code uses; sets of seats, to which audiences, clocks and
conversations refer; JSON columns for JSON that no hash covers.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import engine.strict_json

SEATS = models.ForeignKey(
    "campaign.seatset",
    django.db.models.deletion.PROTECT,
    blank=True,
    db_index=False,
    null=True,
    related_name="+",
)


def add_sets(apps: Any, schema_editor: Any, app: str, columns: dict[str, str]) -> None:
    """Write the sets that the columns of these models name, and their members."""
    seat_set, member = (apps.get_model("campaign", name) for name in ("SeatSet", "SeatSetMember"))
    for name, column in columns.items():
        rows = apps.get_model(app, name).objects.exclude(**{column: None}).exclude(**{column: ""})
        keys = sorted(set(rows.values_list(column, flat=True).distinct()))
        seat_set.objects.bulk_create([seat_set(key=key) for key in keys], ignore_conflicts=True)
        seats = [(key, seat) for key in keys for seat in key.split("|") if seat]
        member.objects.bulk_create(
            [member(seat_set_id=key, seat=seat) for key, seat in seats], ignore_conflicts=True
        )
    # PostgreSQL alters no table while checks of its foreign keys are pending.
    schema_editor.connection.check_constraints()


def fill(apps: Any, schema_editor: Any) -> None:
    apps.get_model("campaign", "Clock").objects.filter(waits_for="").update(waits_for=None)
    columns = {"LogEntry": "audience", "DiceRoll": "audience", "Clock": "waits_for"}
    add_sets(apps, schema_editor, "campaign", columns)


NULLS = {
    "Campaign": ("clock_terms", "onward", "parked", "programs", "seat_programs"),
    "ImportJob": ("result",),
    "LogEntry": ("removed", "why"),
    "StandingOrderResult": ("refusal",),
}
"""The columns that were empty texts where nothing was."""


def to_json_null(apps: Any, schema_editor: Any, app: str, nulls: dict[str, Any]) -> None:
    """Write JSON in place of empty texts, so that the columns can be altered."""
    for name, columns in nulls.items():
        for column in columns:
            apps.get_model(app, name).objects.filter(**{column: ""}).update(**{column: "null"})
    # PostgreSQL alters no table while checks of its foreign keys are pending.
    schema_editor.connection.check_constraints()


def to_sql_null(apps: Any, schema_editor: Any, app: str, nulls: dict[str, Any]) -> None:
    for name, columns in nulls.items():
        for column in columns:
            apps.get_model(app, name).objects.filter(**{column: None}).update(**{column: None})
    schema_editor.connection.check_constraints()


NULL_CHARACTER, SHOWN = r"\u0000", r"\ufffd"


def replace_null_characters(apps: Any) -> None:
    """Faults of an import may name a key of the sent text, and PostgreSQL stores no null character
    in JSON.
    """
    rows = apps.get_model("campaign", "ImportJob").objects.filter(faults__contains=NULL_CHARACTER)
    for pk, faults in rows.values_list("pk", "faults"):
        rows.filter(pk=pk).update(faults=faults.replace(NULL_CHARACTER, SHOWN))


def before(apps: Any, schema_editor: Any) -> None:
    replace_null_characters(apps)
    to_json_null(apps, schema_editor, "campaign", NULLS)


def after(apps: Any, schema_editor: Any) -> None:
    to_sql_null(apps, schema_editor, "campaign", NULLS)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0015_squashed_0042_changes_by_reader")]

    operations = [
        migrations.RemoveConstraint(
            model_name="clock",
            name="one_clock_an_entry",
        ),
        migrations.RemoveIndex(
            model_name="import",
            name="import_to_do",
        ),
        migrations.RemoveIndex(
            model_name="logentry",
            name="entries_of_slots",
        ),
        migrations.RemoveField(
            model_name="logentry",
            name="slot",
        ),
        migrations.RenameModel("Look", "AccessLogEntry"),
        migrations.RenameModel("Heeded", "StandingOrderResult"),
        migrations.RenameModel("AbsenceAt", "AbsenceCampaign"),
        migrations.RenameModel("Note", "SeatNote"),
        migrations.RenameModel("Handover", "SeatHandover"),
        migrations.RenameModel("Pulse", "TickRun"),
        migrations.RenameModel("Import", "ImportJob"),
        migrations.RenameModel("Draft", "ScenarioDraft"),
        migrations.RenameModel("Drawing", "MapDrawing"),
        migrations.RenameField("LogEntry", "what", "content_json"),
        migrations.RenameField("Clock", "mark", "followup_key"),
        migrations.RenameField("Clock", "spared", "paused_time"),
        migrations.RenameField("Clock", "acted", "acted_entry"),
        migrations.RenameField("Clock", "how", "end_reason"),
        migrations.RenameField("Playtest", "heard_at", "heartbeat_at"),
        migrations.RenameField("Forecast", "heard_at", "heartbeat_at"),
        migrations.RenameField("ImportJob", "heard_at", "heartbeat_at"),
        migrations.RenameField("ImportJob", "of", "total"),
        migrations.RenameField("ScenarioDraft", "begun_from", "origin_name"),
        migrations.RenameField("AccessLogEntry", "times", "count"),
        migrations.RenameField("Application", "wishes", "preferences"),
        migrations.RenameField("SeatNote", "left", "for_successor"),
        migrations.AlterModelOptions(
            name="standingorderresult",
            options={"ordering": ["pk"], "verbose_name_plural": "standing order results"},
        ),
        migrations.AlterField(
            model_name="absencecampaign",
            name="absence",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="campaign_links",
                to="people.absence",
            ),
        ),
        migrations.AlterField(
            model_name="accesslogentry",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="access_log",
                to="campaign.campaign",
            ),
        ),
        migrations.AlterField(
            model_name="standingorderresult",
            name="orders",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="results",
                to="campaign.standingorders",
            ),
        ),
        migrations.AddIndex(
            model_name="importjob",
            index=models.Index(
                condition=models.Q(("ended_at", None)), fields=["heartbeat_at"], name="import_to_do"
            ),
        ),
        migrations.AddConstraint(
            model_name="clock",
            constraint=models.UniqueConstraint(
                condition=models.Q(("contest__isnull", True)),
                fields=("campaign", "kind", "seat", "followup_key", "entry"),
                name="one_clock_an_entry",
            ),
        ),
        migrations.CreateModel(
            name="SeatSet",
            fields=[
                (
                    "key",
                    models.TextField(
                        help_text="the seats between bars: |huns|romans|; || for no seat",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SeatSetMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.CharField(max_length=40)),
                (
                    "seat_set",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="campaign.seatset",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("seat", "seat_set"), name="one_member_a_seat")
                ],
            },
        ),
        migrations.RenameField("Clock", "waits", "waits_for"),
        migrations.AlterField("Clock", "waits_for", models.TextField(blank=True, null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("Clock", "waits_for", SEATS.clone()),
        migrations.AlterField("DiceRoll", "audience", SEATS.clone()),
        migrations.AlterField("LogEntry", "audience", SEATS.clone()),
        migrations.RenameField("Campaign", "given", "entered_dice"),
        migrations.RemoveIndex(
            model_name="campaign",
            name="played_on",
        ),
        migrations.RemoveIndex(
            model_name="campaign",
            name="with_programs",
        ),
        migrations.RunPython(before, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="application",
            name="preferences",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder, encoder=engine.strict_json.StoredEncoder
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="clock_terms",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="of the last act on them (`campaign.clocks`)",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="entered_dice",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
                help_text="values of dice by purpose, entered or imported",
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="mixing",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
                help_text="what is mixed into the dice, by chain and link",
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="onward",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="what is being played on (campaign.automatic_moves)",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="parked",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="the announcement that waits for a die",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="programs",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="of a practice campaign: seats of programs, how battles are decided",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="seat_programs",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="each program that held a seat among people, with its level, its first and last entry",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="importjob",
            name="faults",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
                help_text="sentences",
            ),
        ),
        migrations.AlterField(
            model_name="importjob",
            name="result",
            field=models.JSONField(blank=True, help_text="what was read of shapes", null=True),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="removed",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="which texts, on which day, why",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="why",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="why a program made this move",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="plan",
            name="moves",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
        migrations.AlterField(
            model_name="standingorderresult",
            name="content",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="the order",
            ),
        ),
        migrations.AlterField(
            model_name="standingorderresult",
            name="refusal",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="standingorders",
            name="orders",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
        migrations.RunPython(after, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(("onward__isnull", False)), fields=["id"], name="played_on"
            ),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(
                    ("programs__isnull", True), ("seat_programs__isnull", True), _negated=True
                ),
                fields=["id"],
                name="with_programs",
            ),
        ),
    ]
