"""Add the edition of its rules to each campaign. Existing campaigns were founded under the first edition."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0037_clocks_of_renewed_dice")]

    operations = [
        migrations.AddField(
            "campaign",
            "edition",
            models.PositiveSmallIntegerField(
                default=1, help_text="edition of the title's rules, as the genesis names it"
            ),
        ),
    ]
