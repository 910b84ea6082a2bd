"""The readings of the log, called as Django calls middleware: `settings.PROJECTIONS` names functions `project`.

`project(campaign, entry, played)` writes what one move changed. The module of each has two more:
`rebuild(campaign, history)` writes everything anew, `differences(campaign, history)` tells what does not agree.

`settings.TELLERS` names functions `tell(campaign, entry, before, after)`, called after every entry, acts too, with the
positions around it (`before` is None for an act). They write rows of their own and change nothing of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.utils.module_loading import import_string

from campaign.models import Campaign, LogEntry
from campaign.positions import History
from engine.play import Played

Rows = Mapping[tuple[Any, ...], Mapping[str, Any]]
"""Rows of a model: the values of its natural key -> its other fields."""


def modules() -> list[ModuleType]:
    return [import_module(path.rpartition(".")[0]) for path in settings.PROJECTIONS]


def project(campaign: Campaign, entry: LogEntry, played: Played[Any]) -> None:
    for path in settings.PROJECTIONS:
        import_string(path)(campaign, entry, played)


def tell(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    for path in settings.TELLERS:
        import_string(path)(campaign, entry, before, after)


def rebuild(campaign: Campaign, history: History) -> None:
    for module in modules():
        module.rebuild(campaign, history)


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    for module in modules():
        yield from module.differences(campaign, history)


def stored(model: type[Model], campaign: Campaign, key: tuple[str, ...], fields: tuple[str, ...]) -> dict[Any, Any]:
    """The campaign's rows of a model by natural key, as far as these fields go."""
    found = model._default_manager.filter(campaign=campaign).values_list(*key, *fields)
    return {row[: len(key)]: dict(zip(fields, row[len(key) :], strict=True)) for row in found}


def sync(model: type[Model], campaign: Campaign, key: tuple[str, ...], fields: tuple[str, ...], expected: Rows) -> None:
    """Make the campaign's rows these: insert and update by natural key, delete what is no more. Writes only changes."""
    have = stored(model, campaign, key, fields)
    rows = model._default_manager
    if gone := [k for k in have if k not in expected]:
        identities = {row[1:]: row[0] for row in rows.filter(campaign=campaign).values_list("pk", *key)}
        rows.filter(pk__in=[identities[k] for k in gone]).delete()
    changed = [(k, values) for k, values in expected.items() if have.get(k) != values]
    if changed:
        rows.bulk_create(
            [model(campaign=campaign, **dict(zip(key, k, strict=True)), **values) for k, values in changed],
            update_conflicts=True,
            update_fields=fields,
            unique_fields=key if "entry_id" in key else ("campaign", *key),
        )


def disagreements(
    model: type[Model], campaign: Campaign, key: tuple[str, ...], fields: tuple[str, ...], expected: Rows
) -> Iterator[str]:
    """What the stored rows and these say differently, in words."""
    have = stored(model, campaign, key, fields)
    name = model._meta.verbose_name
    for k in sorted(set(have) | set(expected), key=repr):
        where = f"{name} {'/'.join(map(str, k))}"
        if k not in have:
            yield f"{where} is missing"
        elif k not in expected:
            yield f"{where} should not be there"
        else:
            for field in fields:
                if have[k][field] != expected[k][field]:
                    yield f"{where}: {field} is {have[k][field]!r}, replay gives {expected[k][field]!r}"
