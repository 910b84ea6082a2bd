"""A reign's page leads its player to taking back, and nobody else."""

from __future__ import annotations

import pytest
from django.test import Client

from campaign.models import Campaign

pytestmark = pytest.mark.django_db


def test_the_way_to_take_a_move_back(client: Client) -> None:
    client.post("/play/march_on_rome/")
    home = f"/c/{Campaign.objects.get().address}/"
    link = f'<a class="small" href="{home}undo/">Take a move back</a>'
    assert link in client.get(home).content.decode()
    assert client.get(f"{home}undo/").status_code == 200
    assert link not in Client().get(home).content.decode()
