"""The pages of the lobby.

Wanted players, applications without a script, the draw and its notices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import selectors
from tests.web.grand_table import WHO, GrandTable, draft, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "new_campaign"]

WORDS = "Two turns a month.\n<b>Bring</b> patience."


def opened(table: GrandTable) -> GrandTable:
    table.post("gm", "lobby/", do="open", words=WORDS)
    table.campaign.refresh_from_db()
    return table


def test_the_game_master_opens_the_lobby(draft: GrandTable) -> None:
    assert "The lobby is closed." in visible_text(draft.text("stranger", "lobby/"))
    assert draft.post("hun", "lobby/", do="open").status_code == 403
    opened(draft)
    assert draft.campaign.status == "seating"
    assert draft.statuses("lobby/") == dict.fromkeys(WHO, 200)


def test_the_lobby_lists_the_free_seats(draft: GrandTable) -> None:
    assert "No campaign is looking for players right now." in visible_text(
        draft.text("nobody", "/lobby/")
    )
    opened(draft)
    page = draft.text("nobody", "/lobby/")
    text = visible_text(page)
    assert "The Long Frontier 420 AD Grand Campaign, game master Marozia 4 of 6 seats free" in text
    assert "Two turns a month." in text
    assert "&lt;b&gt;Bring&lt;/b&gt; patience." in page
    assert "Hands All hands are open (§4.2)" in text
    assert "Time zone Europe/Rome" in text
    front = visible_text(draft.text("nobody", "/"))
    assert "4 of 6 seats free the lobby is open: you can apply for a seat" in front
    assert "Seats open" in front


def test_an_unlisted_lobby_is_in_no_list(new_campaign: Callable[..., GrandTable]) -> None:
    table = opened(new_campaign("unlisted"))
    assert "The Long Frontier" not in table.text("stranger", "/lobby/")
    assert table.get("stranger", "lobby/").status_code == 200


def test_an_application_is_made_changed_and_withdrawn(draft: GrandTable) -> None:
    opened(draft)
    data = {"do": "apply", "wish": ["vandals", "", "kushans", "vandals"]}
    draft.clients["stranger"].post(draft.home + "lobby/", data)
    page = draft.text("stranger", "lobby/")
    assert '<option value="vandals" selected>' in page
    assert '<option value="kushans" selected>' in page
    assert "1. Sid" in visible_text(page)
    others = draft.text("hun", "lobby/")
    assert "1. Sid" in visible_text(others)
    assert "selected" not in others
    draft.post("stranger", "lobby/", do="apply", wish="sassanids")
    assert '<option value="sassanids" selected>' in draft.text("stranger", "lobby/")
    draft.post("stranger", "lobby/", do="withdraw")
    assert "No one has applied yet." in visible_text(draft.text("stranger", "lobby/"))


def test_these_users_may_not_apply(draft: GrandTable) -> None:
    opened(draft)
    assert "You already have a seat here." in visible_text(
        draft.post("hun", "lobby/", follow=True, do="apply", wish="vandals").content.decode()
    )
    assert draft.post("nobody", "lobby/", do="apply", wish="vandals")["Location"].startswith(
        "/sign-in/"
    )
    text = visible_text(
        draft.post("stranger", "lobby/", follow=True, do="apply", wish="").content.decode()
    )
    assert "Choose at least one seat" in text


def test_the_draw_seats_applicants(draft: GrandTable, person: Callable[..., Any]) -> None:
    opened(draft)
    people = [person(f"Guest {n}") for n in range(1, 6)]
    for user in people:
        services.apply_for_seat(draft.campaign, user, ["vandals", "kushans"])
    assert draft.post("hun", "lobby/", do="draw").status_code == 403
    text = visible_text(draft.post("gm", "lobby/", follow=True, do="draw").content.decode())
    assert (
        "The lobby is closed: 4 seated, 1 on the reserve. The seed of the draw has been published."
    ) in text
    page = visible_text(draft.text("nobody", "lobby/"))
    content = draft.campaign.entries.filter(content_json__contains='"drawn"').first().content
    assert content["seed"] in page
    assert content["commitment"] in page
    assert "Applicants in this order: Guest 1, Guest 2, Guest 3, Guest 4, Guest 5." in page
    assert f"{content['order'][0]['value']} of 5" in page
    assert sum(seat.holder is not None for seat in selectors.seats(draft.campaign)) == 6
    seats = visible_text(draft.text("gm", "seats/"))
    assert "Reserve 1 waiting" in seats


def test_the_game_master_seats_from_the_reserve(draft: GrandTable) -> None:
    sid = draft.people["stranger"]
    draft.post("stranger", "about/", do="wait")
    page = draft.text("gm", "seats/")
    assert f'<input type="hidden" name="person" value="{sid.pk}">' in page
    draft.post("gm", "seats/", do="seat", person=str(sid.pk), seat="vandals")
    assert {s.key: s.holder for s in selectors.seats(draft.campaign)}["vandals"] == sid
    for who in ("", "x", "999999", "99999999999"):
        assert draft.post("gm", "seats/", do="seat", person=who, seat="kushans").status_code == 302


def test_queries(draft: GrandTable, person: Callable[..., Any]) -> None:
    opened(draft)
    for n in range(8):
        services.apply_for_seat(draft.campaign, person(f"Guest {n}"), ["vandals"])
    for who, path, most in (
        ("stranger", "lobby/", 12),
        ("gm", "about/", 12),
        ("nobody", "/lobby/", 4),
        ("gm", "seats/", 12),
    ):
        draft.get(who, path)
        with CaptureQueriesContext(connection) as queries:
            draft.get(who, path)
        assert len(queries) <= most, path
    draft.post("gm", "lobby/", do="draw")
    with CaptureQueriesContext(connection) as queries:
        Client().get(draft.home + "lobby/")
    assert len(queries) <= 12
