"""Notices of offers, and of seats that the draw or the reserve has given."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import access, services
from campaign.errors import InvitationRefused, NotAllowed, Refused
from campaign.log import selectors as table_selectors
from notices import selectors
from notices.wording import notices_in_words
from tests.web.grand_table import WHO, GrandTable

pytestmark = pytest.mark.django_db


def notices_shown(user: Any) -> tuple[str, str, str]:
    """Return kind, title and body of the last notice of a user."""
    one = notices_in_words(selectors.notices(user)[:1])[0]
    return one.notice.kind, one.title, one.body


def check_audit() -> None:
    call_command("audit", stdout=StringIO())


def test_the_campaign_offered(table: Any) -> None:
    ant = table.people["ant"]
    services.offer_campaign(table.campaign, table.gm, ant)
    assert notices_shown(ant) == (
        "offered",
        "Gm offers you the campaign",
        "Accept or decline it on the About page. Nothing changes until then.",
    )
    assert selectors.linked_page(selectors.notices(ant)[0]) == ("about",)
    assert (
        table_selectors.log(table.campaign, None, limit=1)[0].text
        == "The campaign is offered to Ant."
    )
    assert not any(notice.kind == "offered" for notice in selectors.notices(table.people["bee"]))
    check_audit()
    services.accept_campaign(table.campaign, ant)
    check_audit()


def test_seated_from_the_reserve(table: Any) -> None:
    services.join_waiting_list(table.campaign, table.stranger)
    services.vacate(table.campaign, table.gm, "ant")
    services.seat_reserve(table.campaign, table.gm, table.stranger.pk, "ant")
    assert notices_shown(table.stranger) == (
        "seat-given",
        "The Ant: the seat is now yours",
        "The game master has given it to you from the reserve. You now have a place at the table.",
    )


def test_seated_by_the_draw(people: dict[str, Any]) -> None:
    campaign = services.found_campaign(people["gm"], "heap", "The Heap", "small")
    services.open_lobby(campaign, people["gm"])
    services.apply_for_seat(campaign, people["stranger"], ["bee"])
    services.draw_seats(campaign, people["gm"])
    assert notices_shown(people["stranger"]) == (
        "seat-given",
        "The Bee: the seat is now yours",
        "The draw has given it to you. You now have a place at the table.",
    )


# A seat -------------------------------------------------------------------------------------------


def test_a_seat_offered_by_name_is_told_accepted_and_given(grand_table: GrandTable) -> None:
    hun, roman = grand_table.people["hun"], grand_table.people["roman"]
    with pytest.raises(Refused):
        services.offer_seat(grand_table.campaign, hun, "huns", grand_table.people["stranger"])
    with pytest.raises(NotAllowed):
        services.offer_seat(grand_table.campaign, roman, "huns", roman)
    assert (
        grand_table.post(
            "hun", "about/", do="offer-seat", seat="huns", person=str(roman.pk)
        ).status_code
        == 302
    )
    assert notices_shown(roman)[:2] == ("seat-offered", "Ingrid offers you the seat of the Huns")
    assert (
        "Huns: the seat is offered to Benedetto."
        in grand_table.get("nobody", "log/").content.decode()
    )
    shown = "is offering you the seat of the Huns"
    assert [who for who in WHO if shown in grand_table.text(who, "about/")] == ["roman"]
    with pytest.raises(InvitationRefused):
        services.accept_seat(grand_table.campaign, grand_table.people["gm"], "huns")
    grand_table.post("roman", "about/", do="accept-seat", seat="huns")
    assert access.access_of(grand_table.campaign, roman).seats == ("romans", "huns")
    assert access.access_of(grand_table.campaign, hun).seats == ()
    assert (
        "the seat passes from Ingrid to Benedetto"
        in grand_table.get("nobody", "log/").content.decode()
    )
    with pytest.raises(InvitationRefused):
        services.accept_seat(grand_table.campaign, roman, "huns")
    check_audit()


def test_a_seat_declined_or_passed_on_meanwhile_is_not_taken(grand_table: GrandTable) -> None:
    hun, roman = grand_table.people["hun"], grand_table.people["roman"]
    services.offer_seat(grand_table.campaign, hun, "huns", roman)
    grand_table.post("roman", "about/", do="decline-seat", seat="huns")
    with pytest.raises(InvitationRefused):
        services.accept_seat(grand_table.campaign, roman, "huns")
    services.offer_seat(grand_table.campaign, grand_table.people["gm"], "huns", roman)
    _, token = services.hand_over_link(grand_table.campaign, hun, "huns")
    services.take_seat(grand_table.people["stranger"], token)
    with pytest.raises(InvitationRefused):
        services.accept_seat(grand_table.campaign, roman, "huns")
    assert "offers you the seat" not in grand_table.text("roman", "about/")
    check_audit()
