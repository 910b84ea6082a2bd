"""Names that the code uses, references to sets of seats, JSON columns."""

from django.db import migrations, models

import engine.strict_json


class Migration(migrations.Migration):
    dependencies = [("battles", "0001_squashed_0003_solo")]

    operations = [
        migrations.RenameField("Claim", "last", "last_act"),
        migrations.RenameField("Evidence", "why_erased", "erasure_reason"),
        migrations.AlterField(
            model_name="battle",
            name="facts",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
                help_text="what the title tells of it",
            ),
        ),
    ]
