"""After a renewal of the dice a second clock of words begins with the same move; its mark is another."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0036_faults_of_logs")]

    operations = [
        migrations.RemoveConstraint("clock", "one_clock_an_entry"),
        migrations.AddConstraint(
            "clock",
            models.UniqueConstraint(
                fields=["campaign", "kind", "seat", "mark", "entry"],
                condition=models.Q(contest__isnull=True),
                name="one_clock_an_entry",
            ),
        ),
    ]
