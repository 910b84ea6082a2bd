"""The pages of a campaign with an absent game master, a suspension, or an erased user."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import services
from campaign.log import selectors
from people.models import User
from tests.conftest import PASSWORD
from tests.web.contests import challenge, visible_text
from tests.web.frame.test_who_may import PAGES
from tests.web.grand_table import WHO, GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign"]

pytestmark = pytest.mark.django_db


def host(*args: str) -> None:
    call_command(*args, stdout=StringIO())


def away(user: Any, days: int) -> None:
    User.objects.filter(pk=user.pk).update(seen_on=timezone.now().date() - timedelta(days=days))


# An absent game master ----------------------------------------------------------------------------


def test_a_visit_is_stored_once_a_day(grand_table: GrandTable) -> None:
    hun = grand_table.people["hun"]
    away(hun, 3)
    for writes in (1, 0, 0):
        with CaptureQueriesContext(connection) as asked:
            grand_table.get("hun", "about/")
        assert sum('UPDATE "people_user"' in query["sql"] for query in asked) == writes
    hun.refresh_from_db()
    assert hun.seen_on == timezone.now().date()


def test_no_page_mentions_a_game_master_who_visits(grand_table: GrandTable) -> None:
    away(grand_table.people["gm"], 13)
    for who in ("hun", "roman", "stranger", "nobody"):
        assert "has not been here lately" not in visible_text(grand_table.get(who, "about/"))


def test_seats_ask_for_a_new_game_master_on_the_page_about(grand_table: GrandTable) -> None:
    away(grand_table.people["gm"], 15)
    page = visible_text(grand_table.get("hun", "about/"))
    assert "Marozia has not been here lately The game master was last here on" in page
    assert (
        "15 days ago. No seat has asked for a new game master. When 2 of 2 have asked, the host may"
        " appoint one." in page
    )
    assert "Ask for a new game master" in page
    assert "Take over" not in page
    for who in ("stranger", "nobody"):
        assert "has not been here lately" not in visible_text(grand_table.get(who, "about/"))
    assert grand_table.post("hun", "about/", do="ask-master", seat="huns").status_code == 302
    page = visible_text(grand_table.get("hun", "about/"))
    assert (
        "1 of 2 seats has asked for a new game master. When 2 have asked, the host may appoint one."
        in page
    )
    assert "Withdraw this request" in page
    assert (
        "Huns: a new game master is wanted; the present one has not been seen for 15 days."
        in visible_text(grand_table.get("nobody", "log/"))
    )
    assert "Huns: a new game master is wanted" in visible_text(grand_table.get("roman", "notices/"))
    assert grand_table.post("hun", "about/", do="keep-master", seat="huns").status_code == 302
    assert "No seat has asked" in visible_text(grand_table.get("hun", "about/"))
    for who, status in (("roman", 403), ("stranger", 403), ("nobody", 302)):
        assert grand_table.post(who, "about/", do="ask-master", seat="huns").status_code == status


def test_a_returning_game_master_ends_the_request(grand_table: GrandTable) -> None:
    away(grand_table.people["gm"], 15)
    assert "has not been here lately" in visible_text(grand_table.get("hun", "about/"))
    assert "Huns: a new game master" not in visible_text(grand_table.get("gm", "notices/"))
    assert "has not been here lately" not in visible_text(grand_table.get("hun", "about/"))
    answer = grand_table.post("hun", "about/", follow=True, do="ask-master", seat="huns")
    assert (
        "The game master was seen within the last 14 days, so no one can take over."
        in visible_text(answer)
    )


def test_the_co_game_master_takes_over(grand_table: GrandTable, person: Callable[..., Any]) -> None:
    client = Client()
    client.force_login(co := person("Cosima"))
    services.take_seat(
        co, services.invite_master(grand_table.campaign, grand_table.people["gm"])[1]
    )
    assert "Take over" not in visible_text(client.get(f"{grand_table.home}desk/"))
    for who in ("hun", "stranger"):
        assert grand_table.post(who, "about/", do="take-over").status_code == 403
    away(grand_table.people["gm"], 14)
    for path in ("desk/", "about/"):
        page = client.get(grand_table.home + path).content.decode()
        assert (
            '<button class="button button--primary" name="do" value="take-over">Take over</button>'
            in page
        )
    assert client.post(f"{grand_table.home}about/", {"do": "take-over"}).status_code == 302
    assert [user.username for user in selectors.game_masters(grand_table.campaign)] == ["Cosima"]
    assert (
        "Cosima takes the campaign over from Marozia, who has not been seen for 14 days."
        in visible_text(grand_table.get("nobody", "log/"))
    )
    assert "Cosima is now the game master" in visible_text(grand_table.get("gm", "notices/"))
    assert grand_table.get("gm", "desk/").status_code == 403


# Suspended ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_suspended_campaign_says_so_on_each_of_its_pages(grand_table: GrandTable) -> None:
    host("suspend", grand_table.campaign.public_id, "--reason", "A <quarrel>.")
    for who in WHO:
        for path, _ in PAGES.values():
            if not path.startswith("/"):
                answer = grand_table.get(who, path)
                assert answer.status_code == 403, (who, path)
                assert "The Long Frontier is suspended" in visible_text(answer), (who, path)
                assert "ETag" not in answer.headers
    page = grand_table.text("hun", "n/huns/")
    assert "Reason: A &lt;quarrel&gt;." in page
    assert "stability" not in page.lower()
    posted = grand_table.post(
        "hun", "move/", offer="end-slot", move="end-slot", seat="huns", seen="1"
    )
    assert (posted.status_code, "is suspended" in visible_text(posted)) == (403, True)
    assert "Suspended" in visible_text(grand_table.get("hun", "/"))
    host("unsuspend", grand_table.campaign.public_id)
    assert grand_table.get("hun", "n/huns/").status_code == 200
    line = visible_text(grand_table.get("nobody", "log/"))
    assert "The host ends the suspension: the campaign goes on. the host" in line


def test_strangers_do_not_see_the_suspension_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign("members")
    host("suspend", table.campaign.public_id)
    assert table.statuses("") == {
        "gm": 403,
        "hun": 403,
        "roman": 403,
        "stranger": 404,
        "nobody": 404,
    }


def test_an_invitation_to_it_waits(grand_table: GrandTable) -> None:
    _, token = services.invite(grand_table.campaign, grand_table.people["gm"], "vandals")
    host("suspend", grand_table.campaign.public_id)
    assert (
        "The host has suspended this campaign. Open the link again when it goes on."
        in visible_text(grand_table.get("stranger", f"/join/{token}/"))
    )


def test_a_hidden_campaign_is_in_no_list(grand_table: GrandTable) -> None:
    assert "The Long Frontier" in visible_text(grand_table.get("stranger", "/"))
    host("hide", grand_table.campaign.public_id)
    for path in ("/", "/lobby/", "/hall/grand_campaign/"):
        assert "The Long Frontier" not in visible_text(grand_table.get("stranger", path)), path
    assert "The Long Frontier" in visible_text(grand_table.get("hun", "/"))
    assert grand_table.get("stranger", "").status_code == 200


def test_a_suspended_user_reads_the_reason_on_every_page(grand_table: GrandTable) -> None:
    host("suspend", "Ingrid", "--reason", "Insults & worse.")
    for path in (
        "/",
        "/me/",
        "/notices/",
        "/found/",
        grand_table.home,
        f"{grand_table.home}n/huns/",
    ):
        answer = grand_table.get("hun", path)
        assert answer.status_code == 403, path
        assert "Your account is suspended" in visible_text(answer), path
        assert "Reason: Insults &amp; worse." in answer.content.decode(), path
    assert (
        grand_table.post(
            "hun", "move/", offer="end-slot", move="end-slot", seat="huns", seen="1"
        ).status_code
        == 403
    )
    other_browser = Client()
    answer = other_browser.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    assert "Your account is suspended" in visible_text(answer)
    assert other_browser.get("/me/").status_code == 302
    wrong = other_browser.post("/sign-in/", {"login": "Ingrid", "password": "wrong"})
    assert "suspended" not in visible_text(wrong)
    assert grand_table.post("hun", "/sign-out/").status_code == 302
    assert grand_table.get("hun", "/").status_code == 200
    host("unsuspend", "Ingrid")
    assert (
        other_browser.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}).status_code
        == 302
    )


# Erased -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_no_page_has_the_name_of_an_erased_user(challenge: GrandTable) -> None:
    """The user has attacked, applied, written and been named.

    Afterwards no page, in either language, has their name.
    """
    table = challenge
    User.objects.filter(username="Ingrid").update(forum_name="Ingriderix", fog2_name="Ingridissima")
    services.name_countersigner(table.campaign, table.people["gm"], table.people["hun"])
    paths = [path for path, _ in PAGES.values()] + [
        "n/huns/",
        "b/1/",
        "log/?all=1",
        "reports/slot-1-huns/",
        "log.csv",
        "dice.csv",
    ]
    paths += [f"e/{number}/" for number in range(table.campaign.last_number + 1)]
    assert any("Ingrid" in table.text("gm", path) for path in paths)
    host("erase", "Ingrid")
    assert table.clients["hun"].get("/me/").status_code == 302, "their session is gone"
    for who in ("gm", "roman", "stranger", "nobody"):
        for path in (
            *paths,
            f"e/{table.campaign.last_number + 1}/",
            f"e/{table.campaign.last_number + 2}/",
        ):
            assert (
                "ingrid" not in table.get(who, path).content.decode("utf-8", "replace").lower()
            ), (who, path)
    assert "a former player" in visible_text(table.get("nobody", "log/"))
    italian = table.clients["nobody"].get(f"{table.home}log/", headers={"accept-language": "it"})
    assert "un ex giocatore" in visible_text(italian)
    call_command("audit", stdout=StringIO())
    assert "Huns: the seat is free again. the host" in visible_text(table.get("nobody", "log/"))
