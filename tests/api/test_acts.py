"""Acts of the table through the API, open to the same users as on the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import services
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import Terms
from campaign.dice import selectors
from forum.posts import threads
from tests.api.conftest import Program
from tests.web.contests import attack_independents
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db
Api = Callable[..., Program]


def test_a_battle_set_up_claimed_disputed_and_judged(api: Api, grand_table: GrandTable) -> None:
    grand_table.play("gm", "adjust", nation="huns", account="actions", change=4, reason="A.")
    grand_table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    number = api("hun").get("battles/").json()["results"][0]["number"]
    answered = {"by": "romans", "move": "respond", "attack": number, "choice": "accept"}
    api("roman").post("moves/", {"move": answered, "seen": grand_table.seen("roman")})
    acts = f"battles/{number}/acts/"
    assert [
        api(who).post(acts, {"act": "set-up"}).status_code for who in ("stranger", "nobody")
    ] == [403, 401]
    assert api("hun", "read").post(acts, {"act": "set-up"}).json()["code"] == "scope"
    assert api("hun").post(acts, {"act": "set-up"}).json()["entries"][0]["act"] == "set-up"
    assert api("hun").post(acts, {"act": "solo", "side": "romans"}).status_code == 403
    assert (
        api("gm").post(acts, {"act": "solo", "side": "romans"}).json()["entries"][0]["said"]["how"]
        == "agreed"
    )
    assert api("gm").get(f"battles/{number}/").json()["solo"] == "romans"
    assert api("gm").post(acts, {"act": "end-solo"}).status_code == 201
    won = {"by": "gm", "move": "report", "attack": number, "winner": "attacker"}
    claimed = api("hun").post(acts, {"act": "claim", "move": won, "word": "A rout."})
    assert claimed.status_code == 201, claimed.json()
    claim = claimed.json()["entries"][0]["number"]
    seen = grand_table.seen("hun")
    assert (
        api("hun").post(acts, {"act": "confirm", "claim": claim, "seen": seen}).status_code == 403
    )
    assert api("roman").post(acts, {"act": "confirm", "claim": claim}).json()["fields"] == {
        "seen": ["This act needs this field."]
    }
    assert (
        api("roman")
        .post(acts, {"act": "dispute", "claim": claim, "reason": "It rained."})
        .status_code
        == 201
    )
    judged = api("gm").post(acts, {"act": "judge", "claim": claim, "seen": grand_table.seen("gm")})
    assert (judged.status_code, judged.json()["entries"][-1]["kind"]) == (201, "move")
    assert api("gm").get(f"battles/{number}/").json()["status"] == "resolved"
    assert api("gm").post(acts, {"act": "nonsense"}).status_code == 400
    assert api("gm").post("battles/99/acts/", {"act": "set-up"}).status_code == 404


def test_agreement_evidence_and_who_stands_in(api: Api, grand_table: GrandTable) -> None:
    attack_independents(grand_table)
    acts = "battles/1/acts/"
    assert (
        api("hun").post(acts, {"act": "agree", "to": "naval"}).json()["code"] == "nothing-to-agree"
    )
    assert (
        api("hun")
        .post(acts, {"act": "claim", "move": {"by": "gm", "move": "forfeit"}})
        .json()["code"]
        == "not-claimable"
    )
    shown = api("gm").post(acts, {"act": "link", "url": "https://example.org/battle"})
    assert shown.json()["entries"][0]["act"] == "evidence"
    party = api("gm").get("battles/1/").json()["attacker"]
    named = api("gm").post(acts, {"act": "substitute", "side": party, "person": "Sid"})
    assert named.status_code == 201, named.json()
    assert (
        api("stranger").post(acts, {"act": "password", "password": "ave"}).json()["entries"] == []
    )
    assert [
        api(who).get("battles/1/").json()["password"] for who in ("hun", "gm", "stranger", "nobody")
    ] == ["ave"] * 3 + [None]
    assert api("stranger").post(acts, {"act": "end-substitute", "side": party}).status_code == 201
    assert api("stranger").post(acts, {"act": "password", "password": "ave"}).status_code == 403


def test_countersigned(api: Api, grand_table: GrandTable) -> None:
    corrected = (
        grand_table.play("gm", "adjust", nation="huns", account="army", change=1, reason="A.")
        .entries[0]
        .number
    )
    where = f"log/{corrected}/countersign/"
    assert api("stranger").post(where, {}).status_code == 403
    services.name_countersigner(
        grand_table.campaign, grand_table.people["gm"], grand_table.people["stranger"]
    )
    assert api("stranger").post(where, {"objection": "Why?"}).json()["entries"][0]["text"]
    assert api("stranger").get(f"log/{corrected}/").json()["objections"] == [
        {"by": "Sid", "reason": "Why?"}
    ]
    assert api("stranger").post(where, {}).status_code == 201
    assert api("stranger").post("log/9999/countersign/", {}).status_code == 404


def test_dice_thrown_elsewhere(new_campaign: Any, programs: Any) -> None:
    grand_table = new_campaign()
    api = programs(grand_table)
    gm = api("gm")
    assert api("hun").post("dice/by-hand/", {"by_hand": True}).status_code == 403
    assert gm.post("dice/by-hand/", {"by_hand": True}).status_code == 201
    waits = gm.post(
        "moves/",
        {
            "move": {"by": "gm", "move": "start"},
            "seen": grand_table.seen("gm"),
            "confirm": ["unposted-announcement"],
        },
    ).json()
    assert waits["parked"]
    grand_table.campaign.refresh_from_db()
    awaited = selectors.awaited_die(grand_table.campaign)
    assert awaited is not None
    die = {"purpose": awaited.purpose, "value": 1, "url": "https://example.org/dice"}
    assert api("hun").post("dice/given/", die).status_code == 403
    assert gm.post("dice/given/", {**die, "value": 99}).json()["code"] == "off-the-die"
    assert gm.post("dice/given/", die).status_code == 201
    dropped = gm.post("dice/dropped/", {"reason": "Later."})
    assert (dropped.status_code, dropped.json()["parked"]) == (201, False)
    assert gm.post("dice/dropped/", {}).json()["code"] == "not-now"
    assert gm.post("talk/", {"text": "Ave"}).status_code == 404


def test_where_an_entry_stands_on_the_forum(api: Api, grand_table: GrandTable) -> None:
    content = grand_table.play("huns", "end-slot").entries[0].number
    where, post = f"log/{content}/link/", {"url": "https://board.example/t/1"}
    assert [api(who).post(where, post).status_code for who in ("roman", "stranger", "hun")] == [
        403,
        403,
        201,
    ]
    assert api("nobody").get(f"log/{content}/").json()["link"] == post["url"]
    again = api("hun").post(where, post)
    assert (again.status_code, again.json()["entries"]) == (201, [])
    assert api("gm").post(where, {"url": ""}).status_code == 201
    assert api("nobody").get(f"log/{content}/").json()["link"] is None
    assert api("gm").post(where, {"url": "javascript:1"}).json()["code"] == "no-link"


def test_more_time(api: Api, grand_table: GrandTable) -> None:
    clocks_services.set_terms(grand_table.campaign, grand_table.people["gm"], {"slot": Terms("2d")})
    grand_table.play("huns", "end-slot")
    clock = api("nobody").get("clocks/").json()["results"][0]
    asked = {name: clock[name] for name in ("kind", "entry", "seat", "contest")}
    asked |= {"to": clock["latest"], "reason": "Harvest.", "seen": grand_table.seen("gm")}
    assert api("hun").post("clocks/extend/", asked).status_code == 403
    assert api("gm").post("clocks/extend/", asked).status_code == 201
    assert api("nobody").get("clocks/").json()["results"][0]["due_at"] == clock["latest"]
    assert (
        api("gm")
        .post("clocks/extend/", {**asked, "entry": 1, "seen": grand_table.seen("gm")})
        .json()["code"]
        == "clock-ended"
    )


def test_a_report_is_drafted_found_ready_and_posted_by_hand(
    api: Api, grand_table: GrandTable
) -> None:
    threads.set_up(
        grand_table.campaign,
        grand_table.people["gm"],
        transport="clipboard",
        name="Thread",
        settings={},
        dialect="phpbb",
        kinds=[],
    )
    gm = api("gm")
    place = gm.get("threads/").json()["results"][0]
    assert (place["name"], place["transport"], "sealed" in place) == ("Thread", "clipboard", False)
    assert (
        gm.post("posts/", {"thread": place["id"], "report": "nothing"}).json()["code"]
        == "no-such-report"
    )
    drafted = gm.post("posts/", {"thread": place["id"], "report": "turn-1"}).json()
    acts = f"posts/{drafted['number']}/acts/"
    assert (drafted["state"], "[b]" in drafted["texts"][0]["text"], drafted["asks"]) == (
        "draft",
        True,
        True,
    )
    assert gm.post(acts, {"act": "posted"}).json()["code"] == "no-link"
    assert gm.post(acts, {"act": "ready", "part": 99}).status_code == 404
    assert gm.post(acts, {"act": "ready"}).json()["state"] == "ready"
    link = "https://forum.example/viewtopic.php?p=1"
    done = gm.post(acts, {"act": "posted", "url": link})
    assert (done.status_code, done.json()["state"], done.json()["permalink"]) == (
        201,
        "posted",
        link,
    )
    assert gm.get(f"posts/{drafted['number']}/").json() == done.json()
    assert api("nobody").get("reports/turn-1/").json()["receipts"][0]["permalink"] == link


def test_messages_and_the_press(grand_table: GrandTable, api: Callable[..., Program]) -> None:
    hun, roman, gm = api("hun"), api("roman"), api("gm")
    links = hun.get().json()["links"]
    assert {"messages", "press"} <= set(links)
    answer = hun.post("messages/", {"to": ["romans"], "text": "Peace?", "quotes": 1})
    assert answer.status_code == 201
    key = answer.json()["thread"]
    (row,) = roman.get("messages/").json()["results"]
    assert (row["key"], row["seats"], row["unread"], row["last"]["text"]) == (
        key,
        ["huns", "romans"],
        1,
        "Peace?",
    )
    assert roman.get(f"messages/{key}/").json()["results"][0]["quotes"] == 1
    assert gm.get("messages/").json() == {"sight": "reported", "results": []}
    assert [
        api(who).get(f"messages/{key}/").status_code for who in ("gm", "stranger", "nobody")
    ] == [404, 403, 401]
    assert roman.post(f"messages/{key}/acts/", {"act": "read"}).json() == {
        "unread": 0,
        "muted": False,
        "reported_to": "",
    }
    assert (
        roman.post(f"messages/{key}/acts/", {"act": "report", "message": 1}).json()["reported_to"]
        == "gm"
    )
    assert gm.post(f"messages/{key}/acts/", {"act": "mute"}).status_code == 404
    assert roman.post(f"messages/{key}/acts/", {"act": "mute"}).json()["muted"] is True
    answer = hun.post("press/", {"headline": "Peace", "text": "We rest."})
    assert answer.json()["entries"][0]["text"] == "Huns: proclamation “Peace”. We rest."
    assert api("nobody").get("press/").json()["results"][0]["headline"] == "Peace"
