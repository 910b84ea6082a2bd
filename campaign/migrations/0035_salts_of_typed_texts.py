from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0034_running_tasks")]

    operations = [
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
    ]
