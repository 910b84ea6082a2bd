from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("battles", "0001_squashed_0003_solo")]

    operations = [
        migrations.RenameField("Claim", "last", "last_act"),
        migrations.RenameField("Evidence", "why_erased", "erasure_reason"),
    ]
