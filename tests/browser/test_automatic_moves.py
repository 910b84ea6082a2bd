"""Playing on in a browser: progress updates itself, and the end brings the last page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign import automatic_moves, services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_user_watches_a_program_to_the_end_of_a_reign(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any], width: int
) -> None:
    user, client = person("Ada"), Client()
    campaign = services.found_campaign(
        user, "march_on_rome", "Watched", "standard", {}, seed="b" * 64
    )
    assert automatic_moves.begin(campaign, user, automatic_moves.END)
    client.force_login(user)
    page = new_page(width=width)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.clock.install()
    page.goto(f"/c/{campaign.address}/")
    page.get_by_text("A program is playing to the end").first.wait_for()
    assert automatic_moves.advance(campaign.pk, most=6).more
    page.clock.fast_forward(1_500)
    page.get_by_text("6 moves").first.wait_for()
    assert page.locator("#onward progress").get_attribute("max") == "3"
    assert page.get_by_role("button", name="Pass the year").count() == 0
    while automatic_moves.advance(campaign.pk).more:
        pass
    page.clock.fast_forward(1_500)
    page.get_by_role("heading", name="Chronicle of the reign").wait_for()
    assert page.locator("#onward").count() == 0
