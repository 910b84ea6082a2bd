"""A tick finds the few campaigns that it is about without reading all."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("campaign", "0032_visits")]

    operations = [
        migrations.AddIndex("campaign", models.Index(fields=["id"], condition=~Q(onward=""), name="played_on")),
        migrations.AddIndex(
            "campaign", models.Index(fields=["id"], condition=~Q(programs="", seat_programs=""), name="with_programs")
        ),
        migrations.AddIndex("campaign", models.Index(fields=["id"], condition=Q(forecast="on"), name="forecast_on")),
    ]
