"""The page to share of a title that has no story and no picture of its own."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.table import Table, people, running, table, toy

__all__ = ["people", "running", "table", "toy"]

pytestmark = pytest.mark.django_db


def test_a_title_without_a_story_shows_whom_it_waits_for(running: Table) -> None:
    home = f"/c/{running.campaign.address}/"
    html = Client().get(f"{home}story/").content.decode()
    assert "The log shows everything." in html
    assert 'id="waits"' in html
    assert "No battle was fought in the last week, and none is running." in html
    assert '<meta name="twitter:card" content="summary">' in html
    assert "og:image" not in html
    assert "map.png" not in html
    assert Client().get(f"{home}map.png").status_code == 404
    assert Client().get(f"{home}map/1-{'0' * 24}.png").status_code == 404
