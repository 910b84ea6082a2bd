"""The links on a reign's page to undo a move, which only its player sees."""

from __future__ import annotations

import pytest
from django.test import Client

from campaign.models import Campaign

pytestmark = pytest.mark.django_db


def test_only_the_player_sees_the_link_to_undo_a_move(client: Client) -> None:
    client.post("/play/march_on_rome/")
    home = f"/c/{Campaign.objects.get().address}/"
    link = f'href="{home}undo/last/" data-undo'
    assert link in client.get(home).content.decode()
    assert client.get(f"{home}undo/last/").status_code == 200
    assert link not in Client().get(home).content.decode()
