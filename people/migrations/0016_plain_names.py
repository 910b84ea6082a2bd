from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("people", "0008_squashed_0015_browser_sessions")]

    operations = [
        migrations.RenameModel("OwnData", "OwnDataExport"),
        migrations.RenameField("OwnDataExport", "heard_at", "heartbeat_at"),
        migrations.RenameField("OwnDataExport", "of", "total"),
        migrations.RenameField("HostAct", "what", "act"),
    ]
