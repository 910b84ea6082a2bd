"""What each member saw of the campaign at the last visit."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0031_entries_found_by_index")]

    operations = [
        migrations.AddField("membership", "visited_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("membership", "visit_seen", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddField("membership", "visit_since", models.PositiveIntegerField(blank=True, null=True)),
    ]
