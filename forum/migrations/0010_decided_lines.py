import engine.strict_json
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("forum", "0009_plain_help_texts"),
    ]

    operations = [
        migrations.AddField(
            model_name="importedpost",
            name="decided",
            field=models.JSONField(
                blank=True,
                decoder=engine.strict_json.StoredDecoder,
                default=list,
                encoder=engine.strict_json.StoredEncoder,
                help_text=(
                    "Lines that users have announced as moves or set aside (`forum.post_lines`)."
                ),
            ),
        ),
    ]
