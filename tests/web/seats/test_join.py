"""Invitation links: looking changes nothing, a click takes the seat, a bad link names a contact."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import services
from campaign.log import selectors
from campaign.models import Invitation, LogEntry, Membership
from games.grand_campaign.rules.numbers import table as rules_table
from tests.conftest import PASSWORD
from tests.web.grand_table import WHO, GrandTable, draft, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "new_campaign"]
GROUND = rules_table("rules")


def link(table: GrandTable, seat: str = "vandals", **given: Any) -> str:
    _, token = services.invite(table.campaign, table.people["gm"], seat, **given)
    return f"/join/{token}/"


def state() -> tuple[Any, ...]:
    """Return everything that looking might change."""
    return (
        list(Invitation.objects.order_by("pk").values_list("pk", "uses_left", "revoked_at")),
        Membership.objects.count(),
        LogEntry.objects.count(),
    )


@pytest.mark.parametrize("visibility", ["listed", "members"])
def test_all_readers_with_the_link_may_look(
    new_campaign: Callable[..., GrandTable], visibility: str
) -> None:
    table = new_campaign(visibility)
    address, before = link(table), state()
    for who in WHO:
        table.clients[who].head(address)
        answer = table.clients[who].get(address)
        assert (answer.status_code, answer["Location"]) == (302, "/join/")
        assert table.get(who, "/join/").status_code == 200
    assert state() == before


def test_the_token_leaves_the_address_after_the_first_look(draft: GrandTable) -> None:
    address = link(draft)
    assert draft.get("stranger", "/join/").status_code == 410
    answer = draft.clients["stranger"].get(address, follow=True)
    assert answer.redirect_chain == [("/join/", 302)]
    assert address.split("/")[2] not in answer.content.decode()
    draft.post("stranger", "/join/")
    assert Membership.objects.get(seat="vandals").user == draft.people["stranger"]
    assert draft.get("stranger", "/join/").status_code == 410


def look(draft: GrandTable, who: str, address: str) -> str:
    """Return the page to which a link leads."""
    return str(draft.clients[who].get(address, follow=True).content.decode())


def test_the_page_describes_the_campaign_to_join(draft: GrandTable) -> None:
    text = visible_text(look(draft, "stranger", link(draft)))
    assert (
        "Marozia is inviting you to lead the Vandals The Long Frontier 420 AD Grand Campaign, "
        "for 6 players. 2 players have taken a seat."
    ) in text
    assert "The seat of the Vandals reserved for you until" in text
    assert (
        "Capital Baetica Provinces 4 Army Germanic Horse Tribes 260-492 AD, 1600 points Neighbours"
        " by land none" in text
    )
    assert (
        "What you do: Once in 28 days it is your nation’s turn: with 2½ actions at the start"
        in text
    )
    assert "whenever you like within 3 days." in text
    assert "Your turn to be completed within 3 days A battle to be fought within 14 days" in text
    assert "If you are late you are reminded, then the game master decides" in text
    assert "You take the seat as Sid ." in text
    assert "Hands All hands are open (§4.2) External attacks" in text
    assert "House rules none" in text
    assert "Seats 2 of 6 taken Hephtalites open Huns Ingrid" in text


def test_a_click_takes_the_seat(draft: GrandTable) -> None:
    address = link(draft)
    answer = draft.post("stranger", address, follow=True)
    assert answer.redirect_chain == [(draft.home, 302)]
    assert "You now have the seat of the Vandals." in answer.content.decode()
    holders = {seat.key: seat.holder for seat in selectors.seats(draft.campaign)}
    assert holders["vandals"] == draft.people["stranger"]
    again = draft.post("stranger", address, follow=True)
    assert again.status_code == 200
    assert Membership.objects.filter(seat="vandals").count() == 1


def test_a_signed_out_user_signs_in_and_comes_back(draft: GrandTable) -> None:
    address, nobody = link(draft), Client()
    page = nobody.get(address, follow=True).content.decode()
    assert 'href="/sign-in/?next=%2Fjoin%2F"' in page
    assert "Already have an account? Sign in and take the seat" in visible_text(page)
    assert "Create an account and take the seat" in page
    assert "Take the seat" not in page
    before = state()
    assert nobody.post("/join/")["Location"] == "/sign-in/?next=/join/"
    assert nobody.post(address)["Location"] == "/sign-in/?next=/join/"
    assert state() == before
    answer = nobody.post(
        "/sign-in/?next=/join/", {"login": "Sid", "password": PASSWORD, "next": "/join/"}
    )
    assert answer["Location"] == "/join/"
    assert "Take the seat" in nobody.get("/join/").content.decode()


def test_a_new_user_creates_an_account_and_comes_back(draft: GrandTable) -> None:
    address, nobody = link(draft), Client()
    data = {
        "username": "Owen",
        "email": "owen@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
        "next": address,
    }
    assert nobody.post(f"/sign-up/?next={address}", data)["Location"] == address
    nobody.post(address)
    assert Membership.objects.get(seat="vandals").user.username == "Owen"


NEW = {
    "username": "Owen",
    "email": "owen@example.org",
    "password1": PASSWORD,
    "time_zone": "Europe/Rome",
}


def test_account_and_seat_in_one_form(draft: GrandTable) -> None:
    """The new user is seated at once.

    After an error there is no account yet, and what was typed stays.
    """
    nobody = Client()
    nobody.get(link(draft, "", uses=2))
    for wrong, content in (
        ({"username": "Ingrid"}, "This name is already taken. Choose another."),
        ({"password1": "owen"}, "too short"),
        ({"email": "owen"}, "valid email"),
        ({"seat": "huns"}, "Choose a free seat."),
        ({"seat": ""}, "Choose a free seat."),
    ):
        answer = nobody.post("/join/", {**NEW, "seat": "kushans", **wrong})
        page = answer.content.decode()
        assert (answer.status_code, content in visible_text(page)) == (422, True)
        assert f'value="{wrong.get("username", "Owen")}"' in page
        assert PASSWORD not in page
    assert not get_user_model().objects.filter(username="Owen").exists()
    answer = nobody.post("/join/", {**NEW, "seat": "kushans"}, follow=True)
    assert answer.redirect_chain[-1] == (draft.home, 302)
    assert "You now have the seat of the Kushans." in answer.content.decode()
    owen = get_user_model().objects.get(username="Owen")
    assert (Membership.objects.get(seat="kushans").user, owen.time_zone) == (owen, "Europe/Rome")
    assert owen.check_password(PASSWORD)


def test_an_invitation_does_not_reveal_that_an_address_has_an_account(draft: GrandTable) -> None:
    """A user who types another's address gets the usual answer.

    Only its owner gets a letter (decision 30).
    """
    nobody = Client()
    nobody.get(link(draft))
    known = draft.people["hun"].email
    answer = nobody.post("/join/", {**NEW, "email": known}, follow=True)
    assert answer.redirect_chain[-1] == (draft.home, 302)
    assert Membership.objects.get(seat="vandals").user.email_is_anothers


def test_a_guest_becomes_the_account_that_is_seated(draft: GrandTable, client: Client) -> None:
    client.post("/play/march_on_rome/")
    address = link(draft)
    client.get(address)
    answer = client.post("/join/", NEW, follow=True)
    assert answer.redirect_chain[-1] == (draft.home, 302)
    owen = Membership.objects.get(seat="vandals").user
    assert (owen.username, owen.guest) == ("Owen", False)


def test_a_link_to_any_free_seat_offers_a_choice(draft: GrandTable) -> None:
    address = link(draft, "", uses=2)
    page = look(draft, "stranger", address)
    radios = dict(re.findall(r'name="seat" value="(\w+)"( disabled)?', page))
    assert [seat for seat, taken in radios.items() if taken] == ["huns", "romans"]
    assert "Huns taken by Ingrid" in visible_text(page)
    assert "Kushans 5 provinces, capital Gandhara" in visible_text(page)
    draft.post("stranger", address, seat="kushans")
    assert Membership.objects.get(user=draft.people["stranger"]).seat == "kushans"


@pytest.mark.parametrize("seat", ["huns", "gauls", "gm", "<b>"])
def test_not_a_seat_that_is_taken_or_none(draft: GrandTable, seat: str) -> None:
    answer = draft.post("stranger", link(draft, "", uses=2), seat=seat)
    assert answer.status_code == 410
    assert not Membership.objects.filter(user=draft.people["stranger"]).exists()


def test_a_used_link_says_whom_to_ask(draft: GrandTable, person: Callable[..., Any]) -> None:
    address = link(draft)
    draft.post("stranger", address)
    late = Client()
    late.force_login(person("Late"))
    for answer in (late.get(address), late.post(address)):
        assert answer.status_code == 410
        assert "This invitation has been used. Ask Marozia for a new one." in visible_text(
            answer.content.decode()
        )


def test_an_expired_link(draft: GrandTable) -> None:
    address = link(draft, now=timezone.now() - timedelta(days=31))
    answer = draft.get("stranger", address)
    assert answer.status_code == 410
    assert "This invitation has expired. Ask Marozia for a new one." in visible_text(
        answer.content.decode()
    )
    assert draft.post("stranger", address).status_code == 410


def test_a_revoked_link(draft: GrandTable) -> None:
    invitation, token = services.invite(draft.campaign, draft.people["gm"], "vandals")
    services.revoke(invitation, draft.people["gm"])
    answer = draft.get("nobody", f"/join/{token}/")
    assert answer.status_code == 410
    assert "This invitation has been withdrawn. Ask Marozia for a new one." in visible_text(
        answer.content.decode()
    )


@pytest.mark.parametrize("token", ["x", "../..", "é", "a" * 3000, "%3Cscript%3E"])
def test_no_invitation(draft: GrandTable, token: str) -> None:
    for ask in (draft.clients["stranger"].get, draft.clients["stranger"].post):
        answer = ask(f"/join/{token}/")
        assert answer.status_code in (404, 410)
        assert "<script>" not in answer.content.decode()
        assert "Marozia" not in answer.content.decode()


def test_a_refused_link_gives_no_members_only_table_away(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign("members")
    invitation, token = services.invite(table.campaign, table.people["gm"], "vandals")
    services.revoke(invitation, table.people["gm"])
    page = table.text("stranger", f"/join/{token}/")
    assert table.campaign.public_id not in page
    assert "The Long Frontier" not in page
    assert table.home in table.text("hun", f"/join/{token}/")


def test_queries(draft: GrandTable) -> None:
    look(draft, "stranger", link(draft))
    with CaptureQueriesContext(connection) as queries:
        draft.get("stranger", "/join/")
    assert len(queries) == 9  # one of them reads the thread


HOUSE = {
    "prestigious": 12,
    "event_turns": [3, 5],
    "costs": {"land": 3, "barracks": 2},
    "income_actions": [[1, 0.5], [250, 1], [300, 2]],
    "army": {"minimum": 1500},
}


def test_house_rules_are_named_before_a_seat_is_taken(draft: GrandTable) -> None:
    """Invitation, lobby and About name each change, the usual value and the paragraph."""
    scenario, _ = selectors.terms(draft.campaign)
    usual = GROUND["costs"]["land"]
    changed = {
        **scenario,
        "rules": HOUSE | {"costs": {"land": 3, "tax-exemption": GROUND["costs"]["tax-exemption"]}},
    }
    services.change_terms(
        draft.campaign, draft.people["gm"], scenario=changed, options={"external_attacks": True}
    )
    draft.campaign.refresh_from_db()
    pages = [look(draft, "stranger", link(draft))]
    services.open_lobby(draft.campaign, draft.people["gm"], "")
    pages += [draft.text("stranger", "lobby/"), draft.text("stranger", "about/")]
    for page in pages:
        text = visible_text(page)
        assert "House rules 5 changed" in text
        assert "House rules: 5 changed" in text
        assert "External attacks External provinces may start covert attacks (§6.1)" in text
        assert "Diplomat A Diplomat wins a bordering province (§4.8)" in text
        assert "Number of attacks One attack of each kind in a turn (§7.2)" in text
        assert "Tax increases at most 1 per turn (§3.6)" in text
        assert "Costs, in actions: Prestigious from prestige: 12 in place of 11 §2.7" in text
        assert "Dice and events: Turns with random events: 3, 5 in place of 2, 4, 6 §5" in text
        assert f"Costs, in actions: Land attack: 3 in place of {usual} §7.1" in text
        assert "Army: Minimum: 1500 in place of 1480 §2.8" in text
        assert "Income and actions: " in text
        assert "Tax exemption" not in text
        assert f'href="/c/{draft.campaign.address}/rules/#r-7.1"' in page


def test_a_name_in_the_house_rules_is_text(draft: GrandTable) -> None:
    scenario, _ = selectors.terms(draft.campaign)
    rows = [["<b>shrine", 0.5, 1, 0]]
    services.change_terms(
        draft.campaign, draft.people["gm"], scenario={**scenario, "rules": {"religious": rows}}
    )
    page = draft.text("stranger", "about/")
    assert "<b>shrine" not in page.lower()
