"""Names that the code uses, references to sets of seats, JSON columns."""

import json
from importlib import import_module
from itertools import islice
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import engine.strict_json

sets = import_module("campaign.migrations.0043_names_seat_sets_json")


def fill(apps: Any, schema_editor: Any) -> None:
    columns = dict.fromkeys(("LedgerEntry", "Card", "Action"), "audience")
    sets.add_sets(apps, schema_editor, "nations", columns)


BATCH = 500


def places_of(effect: dict[str, Any]) -> set[str]:
    if effect["kind"] == "holding":
        return {effect["subject"]}
    if effect["kind"] != "attack":
        return set()
    facts = (effect["facts"], effect["cause"][2])
    named = (known.get(key) for known in facts for key in ("target", "province"))
    return {place for place in named if isinstance(place, str) and place}


def fill_places(apps: Any, schema_editor: Any) -> None:
    rows = apps.get_model("nations", "PlaceMove").objects
    moves = apps.get_model("campaign", "LogEntry").objects.filter(kind="move", struck_by=None)
    columns = moves.order_by("pk").values_list("pk", "campaign_id", "effects")
    found = (
        rows.model(campaign_id=campaign, entry_id=pk, place=place)
        for pk, campaign, effects in columns.iterator(chunk_size=BATCH)
        for place in sorted({name for one in json.loads(effects) for name in places_of(one)})
    )
    while batch := list(islice(found, BATCH)):
        rows.bulk_create(batch)
    # PostgreSQL alters no table while checks of its foreign keys are pending.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0043_names_seat_sets_json"),
        ("nations", "0002_cause_name"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("LedgerEntry", "audience", sets.SEATS.clone()),
        migrations.AlterField("Card", "audience", sets.SEATS.clone()),
        migrations.AlterField("Action", "audience", sets.SEATS.clone()),
        migrations.CreateModel(
            name="PlaceMove",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.CharField(max_length=60)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="campaign.logentry",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["campaign", "place"], name="moves_of_a_place")],
                "constraints": [
                    models.UniqueConstraint(fields=("entry", "place"), name="place_move_key")
                ],
            },
        ),
        migrations.RunPython(fill_places, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="holding",
            name="facts",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
        migrations.AlterField(
            model_name="ledgerentry",
            name="cause",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                encoder=engine.strict_json.StoredEncoder,
                help_text="a Say",
            ),
        ),
        migrations.AlterField(
            model_name="nation",
            name="facts",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
    ]
