"""The game master's pages of seats and invitations."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import services
from campaign.models import Campaign, Invitation, Membership
from tests.web.grand_table import GrandTable, draft, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "new_campaign"]

LINK = re.compile(r'id="f-link" readonly value="http://testserver(/join/[^"]+/)"')


def test_only_the_game_master_sees_the_seats(draft: GrandTable) -> None:
    assert draft.statuses("seats/") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    assert "Only the game master may do this." in draft.text("hun", "seats/")
    assert draft.get("nobody", "seats/")["Location"] == f"/sign-in/?next={draft.home}seats/"


def test_for_members_only_there_are_no_seats_for_others(
    new_campaign: Callable[..., GrandTable],
) -> None:
    assert new_campaign("members").statuses("seats/") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 404,
        "nobody": 404,
    }


def test_a_link_is_shown_once(draft: GrandTable) -> None:
    page = draft.post("gm", "seats/", follow=True, do="invite", seat="vandals").content.decode()
    link = LINK.search(page)
    assert link
    assert "The link for the Vandals shown only once, valid for 30 days" in visible_text(page)
    assert 'data-copy="#f-link"' in page
    assert "Link created. It is shown only once." in page
    again = draft.text("gm", "seats/")
    assert link[1] not in again
    assert "/join/" not in again
    assert "link created" in again
    assert again.count("Create another link") == 1
    invitation = Invitation.objects.latest("pk")
    assert (invitation.seat, invitation.uses_left, invitation.revoked_at) == ("vandals", 1, None)
    assert draft.get("stranger", link[1])["Location"] == "/join/"


def test_a_link_to_any_free_seat_serves_as_many_as_are_free(draft: GrandTable) -> None:
    page = draft.post("gm", "seats/", follow=True, do="invite").content.decode()
    assert "The link for any free seat" in visible_text(page)
    assert "Send it to everyone who will play." in visible_text(page)
    assert Invitation.objects.latest("pk").uses_left == 4


@pytest.mark.parametrize("do", ["invite", "revoke", "describe"])
@pytest.mark.parametrize("who", ["hun", "stranger", "nobody"])
def test_only_the_game_master_creates_revokes_and_describes(
    draft: GrandTable, who: str, do: str
) -> None:
    invitation, _ = services.invite(draft.campaign, draft.people["gm"], "vandals")
    created = Invitation.objects.count()
    answer = draft.post(
        who, "seats/", do=do, seat="kushans", invitation=str(invitation.pk), name="Mine"
    )
    assert answer.status_code == (302 if who == "nobody" else 403)
    assert Invitation.objects.count() == created
    invitation.refresh_from_db()
    assert invitation.revoked_at is None
    assert Campaign.objects.get().name == "The Long Frontier"


def test_each_link_has_its_state(draft: GrandTable) -> None:
    gm = draft.people["gm"]
    revoked, _ = services.invite(draft.campaign, gm, "vandals")
    old = timezone.now() - timedelta(days=31)
    services.invite(draft.campaign, gm, "kushans", now=old)
    services.invite(draft.campaign, gm, "sassanids")
    draft.post("gm", "seats/", do="revoke", invitation=str(revoked.pk))
    page = draft.text("gm", "seats/")
    states = re.findall(
        r"(Huns|Romans|Vandals|Kushans|Sassanids) (open|used|revoked|expired)", visible_text(page)
    )
    assert states == [
        ("Sassanids", "open"),
        ("Vandals", "revoked"),
        ("Romans", "used"),
        ("Huns", "used"),
        ("Kushans", "expired"),
    ]
    assert page.count('value="revoke"') == 1


@pytest.mark.parametrize("invitation", ["", "0", "x", "９", "99999999999", "-1"])
def test_an_invitation_that_is_none(draft: GrandTable, invitation: str) -> None:
    page = draft.post(
        "gm", "seats/", follow=True, do="revoke", invitation=invitation
    ).content.decode()
    assert "This invitation does not exist." in page


def test_not_the_invitation_of_another_table(draft: GrandTable, person: Callable[..., Any]) -> None:
    other = services.found_campaign(person("Cosima"), "grand_campaign", "Another", "420ad")
    invitation, _ = services.invite(other, other.founder, "huns")
    page = draft.post(
        "gm", "seats/", follow=True, do="revoke", invitation=str(invitation.pk)
    ).content.decode()
    assert "This invitation does not exist." in page
    invitation.refresh_from_db()
    assert invitation.revoked_at is None


def test_no_such_seat(draft: GrandTable) -> None:
    page = draft.post("gm", "seats/", follow=True, do="invite", seat="<gauls>").content.decode()
    assert "This campaign has no such seat." in page
    assert draft.post("gm", "seats/", do="nothing").status_code == 302


def test_a_holder_is_removed(draft: GrandTable) -> None:
    page = draft.post("gm", "seats/", follow=True, do="vacate", seat="huns").content.decode()
    assert "The seat of the Huns is free." in page
    assert not Membership.objects.filter(user=draft.people["hun"], until=None).exists()
    assert "Huns: the seat is free again." in visible_text(draft.text("nobody", "log/"))


def test_a_holder_leaves_without_effect_on_others(draft: GrandTable) -> None:
    assert 'value="vacate">Leave the seat' in draft.text("hun")
    assert draft.post("hun", "seats/", do="vacate", seat="romans").status_code == 403
    answer = draft.post("hun", "seats/", do="vacate", seat="huns")
    assert (answer.status_code, answer["Location"]) == (302, draft.home)
    held = Membership.objects.filter(until=None, role="seat").values_list("seat", flat=True)
    assert list(held) == ["romans"]


@pytest.mark.parametrize("who", ["stranger", "nobody"])
def test_other_users_cannot_free_a_seat(draft: GrandTable, who: str) -> None:
    answer = draft.post(who, "seats/", do="vacate", seat="huns")
    assert answer.status_code == (302 if who == "nobody" else 403)
    assert Membership.objects.filter(until=None, role="seat").count() == 2


def test_name_zone_and_visibility_are_changed(draft: GrandTable) -> None:
    data = {
        "do": "describe",
        "name": "Storm over the Bosporus",
        "time_zone": "Asia/Tokyo",
        "visibility": "members",
    }
    page = draft.post("gm", "seats/", follow=True, **data).content.decode()
    assert "<title>Seats · Storm over the Bosporus · Tabula</title>" in page
    draft.campaign.refresh_from_db()
    assert (draft.campaign.time_zone, draft.campaign.visibility) == ("Asia/Tokyo", "members")
    assert draft.campaign.address.endswith("-storm-over-the-bosporus")


@pytest.mark.parametrize(
    ("change", "content"),
    [
        ({"name": ""}, "A campaign needs a name"),
        ({"name": "x" * 61}, "A campaign needs a name"),
        ({"name": "a\u202eb"}, "A campaign needs a name"),
        ({"time_zone": "../../etc"}, "There is no such time zone."),
        ({"visibility": "hidden"}, "A campaign must be listed, unlisted, or for members only."),
    ],
)
def test_a_wrong_description(draft: GrandTable, change: dict[str, str], content: str) -> None:
    data = {"do": "describe", "name": "Storm", "time_zone": "UTC", "visibility": "listed", **change}
    answer = draft.post("gm", "seats/", **data)
    assert answer.status_code == 422
    assert f"<span>{content}" in answer.content.decode()
    field = re.search(r'<input[^>]* id="f-name"[^>]*>', answer.content.decode())
    assert field
    assert f'value="{data["name"]}"' in field[0] or not data["name"]
    assert 'maxlength="60"' in field[0]
    assert " required" in field[0]
    draft.campaign.refresh_from_db()
    assert draft.campaign.name == "The Long Frontier"


def test_queries(draft: GrandTable) -> None:
    for seat in ("vandals", "kushans", "sassanids"):
        services.invite(draft.campaign, draft.people["gm"], seat)
    draft.get("gm", "seats/")
    with CaptureQueriesContext(connection) as queries:
        draft.get("gm", "seats/")
    assert len(queries) <= 12
