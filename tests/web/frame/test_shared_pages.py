"""Rendered pages that anonymous readers share: without private content and without tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.cache import caches
from django.test import Client

from campaign import services
from campaign.log import selectors
from moderation import services as moderation
from tests.web.grand_table import WHO, GrandTable, grand_table, new_campaign
from web.frame import campaign_page

__all__ = ["grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db
PAGES = ("", "n/romans/", "log/", "dice/", "ledger/", "charts/", "battles/", "story/", "e/3/")
TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<="X-CSRFToken": ")\w+')


@pytest.fixture
def hidden(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Return a campaign with hidden hands.

    The Roman has a card that no other player knows, and has given orders to it.
    """
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    grand_table.play("romans", "keep", card="bodyguard", value=False)
    grand_table.open_hands()
    return grand_table


def text(grand_table: GrandTable, who: str, page: str = "") -> str:
    return TOKEN.sub("", grand_table.text(who, page))


def test_earlier_readers_change_no_page(hidden: GrandTable) -> None:
    for page in PAGES:
        caches["pages"].clear()
        alone = text(hidden, "nobody", page)
        for first in WHO:
            caches["pages"].clear()
            text(hidden, first, page)
            assert text(hidden, "nobody", page) == alone, (first, page)
            assert text(hidden, "nobody", page) == alone, "from the cache"


def test_only_anonymous_readers_share_a_page(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered = []
    render = campaign_page.render

    def count(*given: object, **more: object) -> object:
        rendered.append(given)
        return render(*given, **more)

    monkeypatch.setattr(campaign_page, "render", count)

    def renders(client: Client, **query: str) -> int:
        before = len(rendered)
        assert client.get(grand_table.home, query).status_code == 200
        return len(rendered) - before

    assert [renders(Client()), renders(Client())] == [1, 0]
    assert renders(grand_table.clients["hun"]) == 1
    assert renders(Client(), province="asia") == 1, "an address with a query"
    typed = Client()
    session = typed.session
    session["typed"] = "kept"
    session.save()
    typed.cookies["sessionid"] = session.session_key
    assert renders(typed) == 1, "a reader with a session"


def test_each_reader_has_their_own_token(grand_table: GrandTable) -> None:
    first, second = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    pages = [client.get(grand_table.home) for client in (first, second)]
    tokens = [set(TOKEN.findall(page.content.decode())) for page in pages]
    assert tokens[0]
    assert not tokens[0] & tokens[1]
    assert pages[0]["ETag"] != pages[1]["ETag"]
    assert first.cookies["csrftoken"].value != second.cookies["csrftoken"].value
    for token in tokens[1]:
        form = {"language": "de", "csrfmiddlewaretoken": token}
        assert second.post("/language/", form).status_code == 302
        assert first.post("/language/", form).status_code == 403


def test_a_removed_name_leaves_the_table_at_once(grand_table: GrandTable) -> None:
    """No entry records the removal, and the newest lines of the log have the name."""
    services.vacate(grand_table.campaign, grand_table.people["hun"], "huns")
    assert "Ingrid" in grand_table.text("nobody")
    moderation.remove_text(
        None, "person", str(grand_table.people["hun"].pk), "Nobody is called so."
    )
    assert "Ingrid" not in grand_table.text("nobody")


def test_other_terms_before_the_start_are_on_the_page_at_once(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """A province gets another name, which the position does not contain."""
    grand_table = new_campaign()
    scenario, _options = selectors.terms(grand_table.campaign)
    place = next(place for place in scenario["provinces"] if place["name"] == "Pannonia")
    assert "Pannonia" in grand_table.text("nobody")
    place["name"] = "Hunnia Magna"
    grand_table.campaign = services.change_terms(
        grand_table.campaign, grand_table.people["gm"], scenario=scenario
    )
    assert "Hunnia Magna" in grand_table.text("nobody")
