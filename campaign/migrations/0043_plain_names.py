"""Models and fields with the names that the code uses now; `slot` of log entries has no reader."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0042_changes_by_reader")]

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
    ]
