from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("forum", "0011_folds"),
    ]

    operations = [
        migrations.AddField(
            model_name="thread",
            name="joining_minutes",
            field=models.PositiveIntegerField(
                blank=True,
                help_text=(
                    "Minutes within which the board joins two posts by one user, if it was seen."
                ),
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="thread",
            name="keeps_first_post",
            field=models.BooleanField(
                default=False, help_text="Whether its first post is changed to the present state."
            ),
        ),
    ]
