"""The entry point, the user, the list of campaigns, and the form of answers and refusals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api import authentication
from campaign import services
from people import tokens
from people.models import Token
from tests.api.conftest import Program
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db
PROBLEM = "application/problem+json"


def test_the_way_in(api: Callable[..., Program], grand_table: GrandTable) -> None:
    hun = api("hun")
    links = hun.get("/api/v1/").json()["links"]
    me = hun.get(links["me"]).json()
    assert (me["name"], me["scope"]) == ("Ingrid", "play")
    assert [campaign["url"] for campaign in me["campaigns"]] == [hun.home]
    assert [
        campaign["name"] for campaign in api("nobody").get(links["campaigns"]).json()["results"]
    ] == ["The Long Frontier"]
    one = hun.get().json()
    assert one["mine"] == {
        "viewer": "huns",
        "game_master": False,
        "host": False,
        "seats": ["huns"],
        "member": True,
    }
    assert (one["turn"], one["active_seat"], one["seen"]) == (1, "huns", grand_table.seen("hun"))
    assert {seat["key"]: seat["holder"] for seat in one["seats"]}["romans"] == "Benedetto"
    assert hun.get(one["links"]["campaign"]).json() == one
    assert api("nobody").get().json()["mine"]["viewer"] is None


def test_members_only_and_suspended_as_the_pages_have_it(
    grand_table: GrandTable, api: Callable[..., Program]
) -> None:
    grand_table.campaign.visibility = "members"
    grand_table.campaign.save()
    assert [api(who).get().status_code for who in ("gm", "hun", "stranger", "nobody")] == [
        200,
        200,
        404,
        404,
    ]
    assert api("nobody").get("/api/v1/campaigns/").json()["results"] == []
    grand_table.campaign.suspended = True
    grand_table.campaign.save()
    assert [api(who).get().status_code for who in ("gm", "hun", "stranger", "nobody")] == [
        403,
        403,
        404,
        404,
    ]


def test_tokens_that_open_nothing(grand_table: GrandTable, api: Callable[..., Program]) -> None:
    answer = Program("tab_" + "x" * 43, "/").get("/api/v1/me/")
    assert (answer.status_code, answer.json()["code"], answer["Content-Type"]) == (
        401,
        "bad-token",
        PROBLEM,
    )
    assert answer["WWW-Authenticate"] == 'Bearer realm="Tabula"'
    assert api("nobody").get("/api/v1/me/").status_code == 401
    hun = api("hun")
    tokens.revoke(
        grand_table.people["hun"],
        Token.objects.get(user=grand_table.people["hun"]).pk,
        grand_table.campaign.founded_at,
    )
    assert hun.get("/api/v1/me/").status_code == 401


def test_a_browsers_session_says_nothing_here(
    grand_table: GrandTable, api: Callable[..., Program]
) -> None:
    """No cookie is read, so no other site can make requests in a user's name."""
    answer = grand_table.clients["hun"].get("/api/v1/me/")
    assert (answer.status_code, answer.cookies) == (401, {})
    assert answer["Vary"] == "Authorization, Accept-Language"


def test_every_refusal_is_a_problem(
    api: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = api("nobody")
    result = {
        404: nobody.get("/api/v1/nowhere/"),
        405: nobody.client.delete("/api/v1/campaigns/", headers=api("hun").headers),
        400: nobody.get("/api/v1/campaigns/?limit=0"),
        401: nobody.client.delete("/api/v1/campaigns/"),
    }
    monkeypatch.setattr("campaign.log.selectors.seen", lambda *given: 1 // 0)
    result[500] = api("hun").get()
    for status, answer in result.items():
        body = answer.json()
        assert (answer.status_code, answer["Content-Type"], body["status"]) == (
            status,
            PROBLEM,
            status,
        )
        assert set(body) >= {"type", "title", "status", "detail", "code"}
        assert answer["Cache-Control"] == "private, no-cache"
    assert "ZeroDivisionError" not in result[500].content.decode()
    assert result[400].json()["fields"] == {"limit": ["This must be a whole number from 1 to 200."]}
    assert (
        nobody.client.get("/api/v1/", headers={"host": "else.example"})["Content-Type"] == PROBLEM
    )


def test_words_are_in_the_language_asked_for(api: Callable[..., Program]) -> None:
    english, italian = (
        api("nobody").get("/api/v1/me/"),
        api("nobody").get("/api/v1/me/", accept_language="it"),
    )
    assert (english["Content-Language"], italian["Content-Language"]) == ("en", "it")
    assert english.json()["title"] == "A token is needed"
    assert italian.json()["title"] != english.json()["title"]


def test_nothing_new_is_304(grand_table: GrandTable, api: Callable[..., Program]) -> None:
    first = api("hun").get()
    again = api("hun").get(if_none_match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert api("hun").get(if_none_match=first["ETag"], accept_language="it").status_code == 200
    grand_table.play("huns", "end-slot")
    assert api("hun").get(if_none_match=first["ETag"]).status_code == 200


def test_a_refusal_tells_the_seconds_to_wait(api: Callable[..., Program], settings: Any) -> None:
    """An address may make 120 requests a minute.

    The first of them is a minute old 33 seconds later, and the next request passes then.
    """
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "wait"}
    }
    start = datetime(2026, 11, 5, 12, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        statuses = {api("nobody").get("/api/v1/").status_code for _ in range(100)}
        clock.shift(27)
        statuses |= {api("nobody").get("/api/v1/").status_code for _ in range(20)}
        assert statuses == {200}
        refused = api("nobody").get("/api/v1/")
        assert (refused.status_code, refused["Retry-After"]) == (429, "33")
        assert refused.json()["detail"] == "Try again in 33 seconds."
        clock.shift(32)
        assert api("nobody").get("/api/v1/").status_code == 429
        clock.shift(1)
        assert api("nobody").get("/api/v1/").status_code == 200


def test_too_often(api: Callable[..., Program], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication.ByAddress, "rate", "2/min")
    answers = [api("nobody").get("/api/v1/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert answers[2].json()["code"] == "throttled"
    assert api("hun").get("/api/v1/").status_code == 200
    monkeypatch.setattr(authentication.ByPerson, "rate", "2/min")
    assert [api("gm").get("/api/v1/").status_code for _ in range(3)] == [200, 200, 429]


def test_what_only_asks_is_no_write(
    api: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Previews are many; they are counted with what is read."""
    monkeypatch.setattr(authentication.Writes, "rate", "1/min")
    asked = {"move": {"by": "huns", "move": "end-slot"}}
    assert [api("hun").post("preview/", asked).status_code for _ in range(3)] == [200, 200, 200]
    assert [api("hun").post("undo/", {"seen": 0}).status_code for _ in range(2)] == [409, 429]


def test_pages_of_a_list(grand_table: GrandTable, api: Callable[..., Program]) -> None:
    for name in ("Second", "Third"):
        services.found_campaign(
            grand_table.people["gm"], "grand_campaign", name, "420ad", visibility="listed"
        )
    first = api("nobody").get("/api/v1/campaigns/?limit=2").json()
    services.found_campaign(
        grand_table.people["gm"], "grand_campaign", "Fourth", "420ad", visibility="listed"
    )
    second = api("nobody").get(first["next"]).json()
    names = [[campaign["name"] for campaign in page["results"]] for page in (first, second)]
    assert (names, second["next"]) == ([["Third", "Second"], ["The Long Frontier"]], None)


def test_few_queries(api: Callable[..., Program]) -> None:
    for path in ("/api/v1/", "/api/v1/me/", "/api/v1/campaigns/", ""):
        for who in ("gm", "hun", "nobody"):
            program: Any = api(who)
            with CaptureQueriesContext(connection) as queries:
                program.get(path)
            assert len(queries) <= 12, f"{who} {path}"
