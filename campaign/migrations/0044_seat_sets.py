"""Sets of seats, to which audiences, clocks and conversations refer."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

SEATS = models.ForeignKey(
    "campaign.seatset",
    django.db.models.deletion.PROTECT,
    blank=True,
    db_index=False,
    null=True,
    related_name="+",
)


def add_sets(apps: Any, schema_editor: Any, app: str, columns: dict[str, str]) -> None:
    """Write the sets that the columns of these models name, and their members."""
    seat_set, member = (apps.get_model("campaign", name) for name in ("SeatSet", "SeatSetMember"))
    for name, column in columns.items():
        rows = apps.get_model(app, name).objects.exclude(**{column: None}).exclude(**{column: ""})
        keys = sorted(set(rows.values_list(column, flat=True).distinct()))
        seat_set.objects.bulk_create([seat_set(key=key) for key in keys], ignore_conflicts=True)
        seats = [(key, seat) for key in keys for seat in key.split("|") if seat]
        member.objects.bulk_create(
            [member(seat_set_id=key, seat=seat) for key, seat in seats], ignore_conflicts=True
        )
    # PostgreSQL alters no table while checks of its foreign keys are pending.
    schema_editor.connection.check_constraints()


def fill(apps: Any, schema_editor: Any) -> None:
    apps.get_model("campaign", "Clock").objects.filter(waits_for="").update(waits_for=None)
    columns = {"LogEntry": "audience", "DiceRoll": "audience", "Clock": "waits_for"}
    add_sets(apps, schema_editor, "campaign", columns)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0043_plain_names")]

    operations = [
        migrations.CreateModel(
            name="SeatSet",
            fields=[
                (
                    "key",
                    models.TextField(
                        help_text="the seats between bars: |huns|romans|; || for no seat",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SeatSetMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.CharField(max_length=40)),
                (
                    "seat_set",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="campaign.seatset",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("seat", "seat_set"), name="one_member_a_seat")
                ],
            },
        ),
        migrations.RenameField("Clock", "waits", "waits_for"),
        migrations.AlterField("Clock", "waits_for", models.TextField(blank=True, null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("Clock", "waits_for", SEATS.clone()),
        migrations.AlterField("DiceRoll", "audience", SEATS.clone()),
        migrations.AlterField("LogEntry", "audience", SEATS.clone()),
    ]
