"""The migration that puts the map first in the usual order of parts."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from forum.models import ReportTemplate
from forum.posts.reports import PARTS
from tests.table import Table

pytestmark = pytest.mark.django_db
MIGRATION = import_module("forum.migrations.0011_folds")


@pytest.mark.parametrize(
    ("stored", "migrated"),
    [
        (list(MIGRATION.USUAL), list(PARTS)),
        (["facts", "dice", "picture", "address"], ["picture", "facts", "dice", "address"]),
        (["facts", "picture", "dice"], ["facts", "picture", "dice"]),
        (["facts", "waits", "dice"], ["facts", "waits", "dice"]),
    ],
)
def test_an_order_that_no_one_has_chosen_puts_the_map_first(
    running: Table, stored: list[str], migrated: list[str]
) -> None:
    row = ReportTemplate.objects.create(
        campaign=running.campaign,
        language="en",
        tone="dry",
        parts=stored,
        changed_by=running.gm,
        changed_at=timezone.now(),
    )
    MIGRATION.put_map_first(apps, None)
    row.refresh_from_db()
    assert row.parts == migrated
