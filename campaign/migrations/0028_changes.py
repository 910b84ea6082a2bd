from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0027_plain_words")]
    operations = [
        migrations.AddField(
            model_name="campaign",
            name="changes",
            field=models.PositiveIntegerField(
                default=0,
                help_text="counts all that a page may show: entries, hidden ones too, clocks, messages, names; never shown",
            ),
        ),
    ]
