"""What people see of an unseen game master, of a suspension, and of somebody who has been
erased.
"""

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
from tests.web.contests import challenge, plain
from tests.web.five import WHO, Five, five, new_campaign
from tests.web.frame.test_who_may import PAGES

__all__ = ["challenge", "five", "new_campaign"]

pytestmark = pytest.mark.django_db


def host(*args: str) -> None:
    call_command(*args, stdout=StringIO())


def away(user: Any, days: int) -> None:
    User.objects.filter(pk=user.pk).update(seen_on=timezone.now().date() - timedelta(days=days))


# A game master who is seen no more ----------------------------------------------------------------


def test_a_day_is_written_once_and_no_more(five: Five) -> None:
    hun = five.people["hun"]
    away(hun, 3)
    for writes in (1, 0, 0):
        with CaptureQueriesContext(connection) as asked:
            five.get("hun", "about/")
        assert sum('UPDATE "people_user"' in one["sql"] for one in asked) == writes
    hun.refresh_from_db()
    assert hun.seen_on == timezone.now().date()


def test_nothing_is_told_of_who_comes(five: Five) -> None:
    away(five.people["gm"], 13)
    for who in ("hun", "roman", "stranger", "nobody"):
        assert "has not been here lately" not in plain(five.get(who, "about/"))


def test_the_seats_ask_on_the_page_about(five: Five) -> None:
    away(five.people["gm"], 15)
    page = plain(five.get("hun", "about/"))
    assert "Marozia has not been here lately The game master was last here on" in page
    assert (
        "15 days ago. No seat asks for a new game master. When 2 of 2 ask, the host may name one."
        in page
    )
    assert "Ask for a new game master" in page
    assert "Take over" not in page
    for who in ("stranger", "nobody"):
        assert "has not been here lately" not in plain(five.get(who, "about/"))
    assert five.post("hun", "about/", do="ask-master", seat="huns").status_code == 302
    page = plain(five.get("hun", "about/"))
    assert "1 of 2 seats asks for a new game master. When 2 ask, the host may name one." in page
    assert "Withdraw this request" in page
    assert "Huns: a new game master is asked for; this one has not been seen for 15 days." in plain(
        five.get("nobody", "log/")
    )
    assert "Huns: a new game master is asked for" in plain(five.get("roman", "notices/"))
    assert five.post("hun", "about/", do="keep-master", seat="huns").status_code == 302
    assert "No seat asks" in plain(five.get("hun", "about/"))
    for who, status in (("roman", 403), ("stranger", 403), ("nobody", 302)):
        assert five.post(who, "about/", do="ask-master", seat="huns").status_code == status


def test_the_game_master_comes_and_all_is_as_it_was(five: Five) -> None:
    away(five.people["gm"], 15)
    assert "has not been here lately" in plain(five.get("hun", "about/"))
    assert "Huns: a new game master" not in plain(five.get("gm", "notices/"))
    assert "has not been here lately" not in plain(five.get("hun", "about/"))
    answer = five.post("hun", "about/", follow=True, do="ask-master", seat="huns")
    assert "The game master was seen within the last 14 days: nobody can take over." in plain(
        answer
    )


def test_the_co_game_master_takes_over(five: Five, person: Callable[..., Any]) -> None:
    client = Client()
    client.force_login(co := person("Cosima"))
    services.take_seat(co, services.invite_master(five.campaign, five.people["gm"])[1])
    assert "Take over" not in plain(client.get(f"{five.home}desk/"))
    for who in ("hun", "stranger"):
        assert five.post(who, "about/", do="take-over").status_code == 403
    away(five.people["gm"], 14)
    for path in ("desk/", "about/"):
        page = client.get(five.home + path).content.decode()
        assert (
            '<button class="button button--primary" name="do" value="take-over">Take over</button>'
            in page
        )
    assert client.post(f"{five.home}about/", {"do": "take-over"}).status_code == 302
    assert [one.username for one in selectors.game_masters(five.campaign)] == ["Cosima"]
    assert (
        "Cosima takes the campaign over from Marozia, who has not been seen for 14 days."
        in plain(five.get("nobody", "log/"))
    )
    assert "Cosima is game master now" in plain(five.get("gm", "notices/"))
    assert five.get("gm", "desk/").status_code == 403


# Suspended ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_suspended_campaign_says_so_on_each_of_its_pages(five: Five) -> None:
    host("suspend", five.campaign.public_id, "--reason", "A <quarrel>.")
    for who in WHO:
        for path, _ in PAGES.values():
            if not path.startswith("/"):
                answer = five.get(who, path)
                assert answer.status_code == 403, (who, path)
                assert "The Long Frontier is suspended" in plain(answer), (who, path)
                assert "ETag" not in answer.headers
    page = five.text("hun", "n/huns/")
    assert "Reason: A &lt;quarrel&gt;." in page
    assert "stability" not in page.lower()
    posted = five.post("hun", "move/", offer="end-slot", move="end-slot", seat="huns", seen="1")
    assert (posted.status_code, "is suspended" in plain(posted)) == (403, True)
    assert "Suspended" in plain(five.get("hun", "/"))
    host("unsuspend", five.campaign.public_id)
    assert five.get("hun", "n/huns/").status_code == 200
    line = plain(five.get("nobody", "log/"))
    assert "The host ends the suspension: the campaign goes on. the host" in line


def test_for_members_only_a_stranger_learns_nothing_of_it(
    new_campaign: Callable[..., Five],
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


def test_an_invitation_to_it_waits(five: Five) -> None:
    _, token = services.invite(five.campaign, five.people["gm"], "vandals")
    host("suspend", five.campaign.public_id)
    assert "The host has suspended this campaign. Open the link again when it goes on." in plain(
        five.get("stranger", f"/join/{token}/")
    )


def test_a_hidden_campaign_is_in_no_list(five: Five) -> None:
    assert "The Long Frontier" in plain(five.get("stranger", "/"))
    host("hide", five.campaign.public_id)
    for path in ("/", "/lobby/", "/hall/grand_campaign/"):
        assert "The Long Frontier" not in plain(five.get("stranger", path)), path
    assert "The Long Frontier" in plain(five.get("hun", "/"))
    assert five.get("stranger", "").status_code == 200


def test_a_suspended_person_reads_why_wherever_he_comes(five: Five) -> None:
    host("suspend", "Ingrid", "--reason", "Insults & worse.")
    for path in ("/", "/me/", "/notices/", "/found/", five.home, f"{five.home}n/huns/"):
        answer = five.get("hun", path)
        assert answer.status_code == 403, path
        assert "Your account is suspended" in plain(answer), path
        assert "Reason: Insults &amp; worse." in answer.content.decode(), path
    assert (
        five.post(
            "hun", "move/", offer="end-slot", move="end-slot", seat="huns", seen="1"
        ).status_code
        == 403
    )
    fresh = Client()
    answer = fresh.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    assert "Your account is suspended" in plain(answer)
    assert fresh.get("/me/").status_code == 302
    wrong = fresh.post("/sign-in/", {"login": "Ingrid", "password": "wrong"})
    assert "suspended" not in plain(wrong)
    assert five.post("hun", "/sign-out/").status_code == 302
    assert five.get("hun", "/").status_code == 200
    host("unsuspend", "Ingrid")
    assert fresh.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}).status_code == 302


# Erased -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_of_who_is_erased_no_page_tells_the_name(challenge: Five) -> None:
    """They have attacked, applied, written, been named; afterwards nobody's page, in either
    language, has their name.
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
    assert "a former player" in plain(table.get("nobody", "log/"))
    italian = table.clients["nobody"].get(f"{table.home}log/", headers={"accept-language": "it"})
    assert "un ex giocatore" in plain(italian)
    call_command("audit", stdout=StringIO())
    assert "Huns: the seat is free again. the host" in plain(table.get("nobody", "log/"))
