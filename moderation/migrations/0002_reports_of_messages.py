"""The reports of messages, which the room of talk had kept."""

from typing import Any

from django.db import migrations


def take_over(apps: Any, schema_editor: Any) -> None:
    report = apps.get_model("moderation", "Report")
    rows = apps.get_model("talk", "Report").objects.select_related("message__thread").order_by("pk")
    report.objects.bulk_create(
        report(
            kind="message", ref=f"{old.message.thread.key}.{old.message.number}", campaign_id=old.message.thread.campaign_id,
            author_id=old.message.author_id, sealed=old.message.sealed, by_id=old.by_id, reason=old.reason,
            to_masters=not old.to_host, at=old.at, masters_at=old.settled_at, settled_at=old.settled_at,
            outcome="dismissed" if old.settled_at else "",
        )
        for old in rows.iterator()
    )


class Migration(migrations.Migration):
    dependencies = [("moderation", "0001_initial"), ("talk", "0001_initial")]
    operations = [migrations.RunPython(take_over, migrations.RunPython.noop)]
