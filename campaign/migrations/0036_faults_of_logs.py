"""A campaign whose stored log does not verify says so, and a nightly audit looks at each."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "0035_salts_of_typed_texts")]

    operations = [
        migrations.AddField(
            "campaign",
            "fault",
            models.TextField(
                default="", blank=True, help_text="where the stored log does not verify; then no entry is added"
            ),
        ),
        migrations.AddField(
            "campaign",
            "audited_at",
            models.DateTimeField(
                null=True, blank=True, db_index=True, help_text="when the nightly audit began with it"
            ),
        ),
    ]
