"""What is offered is told to whom it is offered; who is seated by the draw or from the reserve is
told how.
"""

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
from tests.web.five import WHO, Five

pytestmark = pytest.mark.django_db


def notices_shown(user: Any) -> tuple[str, str, str]:
    """Kind, title and body of the last thing a user is told."""
    one = notices_in_words(selectors.notices(user)[:1])[0]
    return one.notice.kind, one.title, one.body


def audited() -> None:
    call_command("audit", stdout=StringIO())


def test_the_campaign_offered(table: Any) -> None:
    ant = table.people["ant"]
    services.offer_campaign(table.campaign, table.gm, ant)
    assert notices_shown(ant) == (
        "offered",
        "Gm hands you the campaign",
        "Accept it under About, or decline; nothing changes until then.",
    )
    assert selectors.page(selectors.notices(ant)[0]) == ("about",)
    assert (
        table_selectors.log(table.campaign, None, limit=1)[0].text
        == "The campaign is offered to Ant."
    )
    assert not any(one.kind == "offered" for one in selectors.notices(table.people["bee"]))
    audited()
    services.accept_campaign(table.campaign, ant)
    audited()


def test_seated_from_the_reserve(table: Any) -> None:
    services.wait(table.campaign, table.stranger)
    services.vacate(table.campaign, table.gm, "ant")
    services.seat_reserve(table.campaign, table.gm, table.stranger.pk, "ant")
    assert notices_shown(table.stranger) == (
        "seat-given",
        "The Ant: the seat is yours",
        "The game master gives it to you from the reserve. You sit at the table from now on.",
    )


def test_seated_by_the_draw(people: dict[str, Any]) -> None:
    campaign = services.found_campaign(people["gm"], "heap", "The Heap", "small")
    services.open_lobby(campaign, people["gm"])
    services.apply(campaign, people["stranger"], ["bee"])
    services.draw(campaign, people["gm"])
    assert notices_shown(people["stranger"]) == (
        "seat-given",
        "The Bee: the seat is yours",
        "The dice of the draw gave it to you. You sit at the table from now on.",
    )


# A seat -------------------------------------------------------------------------------------------


def test_a_seat_offered_by_name_is_told_accepted_and_given(five: Five) -> None:
    hun, roman = five.people["hun"], five.people["roman"]
    with pytest.raises(Refused):
        services.offer_seat(five.campaign, hun, "huns", five.people["stranger"])
    with pytest.raises(NotAllowed):
        services.offer_seat(five.campaign, roman, "huns", roman)
    assert (
        five.post("hun", "about/", do="offer-seat", seat="huns", person=str(roman.pk)).status_code
        == 302
    )
    assert notices_shown(roman)[:2] == ("seat-offered", "Ingrid offers you the seat Huns")
    assert "Huns: the seat is offered to Benedetto." in five.get("nobody", "log/").content.decode()
    shown = "offers you the seat of the Huns"
    assert [who for who in WHO if shown in five.text(who, "about/")] == ["roman"]
    with pytest.raises(InvitationRefused):
        services.accept_seat(five.campaign, five.people["gm"], "huns")
    five.post("roman", "about/", do="accept-seat", seat="huns")
    assert access.access_of(five.campaign, roman).seats == ("romans", "huns")
    assert access.access_of(five.campaign, hun).seats == ()
    assert "the seat passes from Ingrid to Benedetto" in five.get("nobody", "log/").content.decode()
    with pytest.raises(InvitationRefused):
        services.accept_seat(five.campaign, roman, "huns")
    audited()


def test_a_seat_declined_or_passed_on_meanwhile_is_not_taken(five: Five) -> None:
    hun, roman = five.people["hun"], five.people["roman"]
    services.offer_seat(five.campaign, hun, "huns", roman)
    five.post("roman", "about/", do="decline-seat", seat="huns")
    with pytest.raises(InvitationRefused):
        services.accept_seat(five.campaign, roman, "huns")
    services.offer_seat(five.campaign, five.people["gm"], "huns", roman)
    _, token = services.hand_over_link(five.campaign, hun, "huns")
    services.take_seat(five.people["stranger"], token)
    with pytest.raises(InvitationRefused):
        services.accept_seat(five.campaign, roman, "huns")
    assert "offers you the seat" not in five.text("roman", "about/")
    audited()
