"""A double click on the founding button founds one campaign."""

from __future__ import annotations

from threading import Lock
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from campaign.models import Campaign
from tests.campaign.test_two_at_once import run_at_once
from tests.web.lobby.test_found import form, master

__all__ = ["master"]


@pytest.mark.django_db
def test_a_second_click_redirects_to_the_same_campaign(master: Client) -> None:
    data = form(master)
    first, second = master.post("/found/", data), master.post("/found/", data)
    assert first.status_code == second.status_code == 302
    assert first["Location"] == second["Location"]
    assert Campaign.objects.count() == 1
    master.post("/found/", data | {"name": "Another"})
    cache.clear()  # later, an equal form founds another campaign
    master.post("/found/", data)
    assert Campaign.objects.count() == 3


@pytest.mark.django_db
def test_a_refused_form_may_be_sent_again_at_once(master: Client) -> None:
    for _ in range(2):
        assert master.post("/found/", form(master, name="")).status_code == 422


@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_clicks_found_one_campaign(transactional_db: None, request: Any) -> None:
    master = request.getfixturevalue("master")
    data, locks = form(master), Lock()

    def click() -> Any:
        with locks:
            client = Client()
            client.cookies = master.cookies
        return client.post("/found/", data).status_code

    assert run_at_once(*[click] * 3) == [302, 302, 302]
    assert Campaign.objects.count() == 1
