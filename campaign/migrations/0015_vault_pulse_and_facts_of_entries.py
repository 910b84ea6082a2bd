import json
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

BATCH = 500
"""Entries that are read at a time."""


def facts(kind: str, what: str, effects: str) -> tuple[str, str, str, bool]:
    """The act, its how, its contests and whether it is of a slot."""
    words = json.loads(what)
    if kind == "move":
        known = json.loads(effects)
        contests = {str(one["subject"]) for one in known if one["kind"] == "attack"}
        return words["move"], "", packed(contests), any(one["kind"] == "slot" for one in known)
    contests = set() if words.get("battle") is None else {str(words["battle"])}
    return words["act"], words.get("how", ""), packed(contests), False


def packed(contests: set[str]) -> str:
    return "|" + "|".join(sorted(contests)) + "|" if contests else ""


def fill(apps: Any, editor: Any) -> None:
    """The columns of the entries that were written before there were any."""
    entries = apps.get_model("campaign", "LogEntry").objects.using(editor.connection.alias)
    last = 0
    while rows := list(entries.filter(pk__gt=last).order_by("pk").values_list("pk", "kind", "what", "effects")[:BATCH]):
        alike: dict[tuple[str, str, str, bool], list[int]] = {}
        for pk, *texts in rows:
            alike.setdefault(facts(*texts), []).append(pk)
        for (act, how, contests, slot), keys in alike.items():
            entries.filter(pk__in=keys).update(act=act, how=how, contests=contests, slot=slot)
        last = rows[-1][0]


class Migration(migrations.Migration):
    dependencies = [
        ('campaign', '0014_looks'),
    ]

    # The rows are written last: PostgreSQL alters no table whose rows were changed in the same transaction.
    operations = [
        migrations.CreateModel(
            name='VaultKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(help_text='campaign.keys.fingerprint of the key', max_length=64)),
                ('set_at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='import',
            name='kind',
            field=models.CharField(choices=[('record', 'a record'), ('scenario', 'a scenario')], default='record', max_length=8),
        ),
        migrations.AddField(
            model_name='import',
            name='scenario',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='campaign.scenario'),
        ),
        migrations.AddField(
            model_name='import',
            name='title',
            field=models.CharField(blank=True, default='', help_text='of a scenario: key of the game', max_length=40),
        ),
        migrations.AlterField(
            model_name='import',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('reading', 'being read'), ('replaying', 'being replayed'), ('writing', 'being written'), ('founded', 'founded, or on the shelf'), ('faulty', 'faults were found'), ('stopped', 'it stopped on our side'), ('too-long', 'it took too long')], default='waiting', max_length=10),
        ),
        migrations.AlterField(
            model_name='import',
            name='visibility',
            field=models.CharField(help_text='of a scenario: how it is shared', max_length=10),
        ),
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('part', models.CharField(help_text='as settings.TICKS names it', max_length=100, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('seconds', models.FloatField(help_text='how long it took')),
                ('failed', models.BooleanField(default=False)),
            ],
        ),
        migrations.AddField(
            model_name='logentry',
            name='act',
            field=models.CharField(default='', help_text="name of the table's act, or of the move", max_length=60),
        ),
        migrations.AddField(
            model_name='logentry',
            name='how',
            field=models.CharField(
                blank=True, default='', help_text="of a table's act that has several kinds", max_length=40
            ),
        ),
        migrations.AddField(
            model_name='logentry',
            name='contests',
            field=models.TextField(
                blank=True, default='', help_text="contests that an act names or a move's effects tell of: |3|7|"
            ),
        ),
        migrations.AddField(
            model_name='logentry',
            name='slot',
            field=models.BooleanField(default=False, help_text='its effects open or end a slot'),
        ),
        migrations.AddIndex(
            model_name='logentry',
            index=models.Index(fields=['campaign', 'act'], name='entries_of_an_act'),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
