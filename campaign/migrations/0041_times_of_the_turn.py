import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import migrations, models


def fill(apps: Any, editor: Any) -> None:
    """Fill the column for the campaigns that are older than it."""
    name = editor.connection.alias
    campaigns = apps.get_model("campaign", "Campaign").objects.using(name)
    entries = apps.get_model("campaign", "LogEntry").objects.using(name)
    for pk, turn in campaigns.filter(last_sequence__gt=0).values_list("pk", "turn"):
        moves = entries.filter(campaign=pk, turn=turn, kind="move", struck_by=None)
        columns = ("at", "act", "audience", "effects")
        times = times_of(turn, moves.order_by("sequence").values_list(*columns))
        campaigns.filter(pk=pk).update(turn_times=times)


def times_of(turn: int, moves: Iterable[tuple[datetime, str, str | None, str]]) -> str:
    """Return the times of a turn as `campaign.log.turn_times` writes them."""
    times: dict[str, Any] = {"turn": turn, "taken_over": False}
    slots: dict[str, dict[str, str]] = {"opened": {}, "ended": {}}
    contests: dict[str, str] = {}
    for at, act, audience, effects in moves:
        text = at.astimezone(UTC).isoformat(timespec="microseconds")
        times = {**times, "first": times.get("first", text), "last": text}
        times["taken_over"] = times["taken_over"] or act == "resume"
        for effect in json.loads(effects):
            if effect["kind"] == "attack":
                contests[effect["subject"]] = text
            of_slot = effect["kind"] == "slot" and effect["subject"] in slots
            if of_slot and effect.get("holder") and audience is None:
                slots[effect["subject"]][effect["holder"]] = text
    if "last" not in times:
        return ""
    whole = {**times, **slots, "contests": contests}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0040_limits_of_programs")]

    # The rows are written last: PostgreSQL does not alter a table after its rows were changed in the
    # same transaction.
    operations = [
        migrations.AddField(
            model_name="campaign",
            name="turn_times",
            field=models.TextField(
                blank=True,
                default="",
                help_text="canonical JSON: when the moves of the turn were made, hidden ones too",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
