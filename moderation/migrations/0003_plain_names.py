from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("moderation", "0002_reports_of_messages")]

    operations = [migrations.RenameModel("Report", "AbuseReport")]
