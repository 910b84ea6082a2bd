import json
from typing import Any

from django.db import migrations, models


def fill(apps: Any, editor: Any) -> None:
    """The causes of the lines that were written before, each text once."""
    lines = apps.get_model("nations", "LedgerEntry").objects.using(editor.connection.alias)
    named: dict[str, list[str]] = {}
    for cause in list(lines.order_by().values_list("cause", flat=True).distinct()):
        named.setdefault(json.loads(cause)[0], []).append(cause)
    for name, causes in named.items():
        for start in range(0, len(causes), 500):
            lines.filter(cause__in=causes[start : start + 500]).update(cause_name=name)


class Migration(migrations.Migration):
    dependencies = [
        ('nations', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='ledgerentry',
            name='cause_name',
            field=models.CharField(default='', help_text='the id of that Say', max_length=100),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
