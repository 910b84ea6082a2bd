from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("campaign", "0026_talk")]

    operations = [
        migrations.RenameField("clock", "told", "notified_kinds"),
        migrations.RenameField("heeded", "said", "content"),
    ]
