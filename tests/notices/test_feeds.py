"""Feeds, as Atom and as a calendar, for holders of an address that is not revoked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as ET

import icalendar
import pytest
from django.core import mail as outbox
from django.test import Client

from campaign import services
from campaign.clocks import selectors as clocks
from campaign.clocks import services as clocks_services
from campaign.models import Campaign
from notices.calendar import Event, calendar
from notices.delivery import tick
from notices.models import FeedAddress, Notice
from tests.conftest import sign_in_lately
from tests.notices.conftest import NOON
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def feed_address(user: Any, what: str) -> str:
    """Create a feed and return its address, which the page shows only once."""
    client = sign_in_lately(Client(), user)
    shown = client.post("/me/notices/", {"do": "feed", "what": what}, follow=True)
    assert (shown["Cache-Control"], client.get("/me/notices/")["Cache-Control"]) == (
        "private, no-store",
        "private, no-cache",
    )
    page = shown.content.decode()
    (url,) = re.findall(r'value="http://testserver(/feed/[^"]+)"', page)
    assert url not in client.get("/me/notices/").content.decode()
    return str(url)


def test_atom_shows_the_notices_of_the_bell(running: Any) -> None:
    bee = running.people["bee"]
    path = feed_address(bee, "notices")
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (
        200,
        "application/atom+xml; charset=utf-8",
    )
    assert answer["Cache-Control"].startswith("private")
    feed = ET.fromstring(answer.content)
    titles = [title.text for title in feed.iter(f"{ATOM}title")]
    assert titles[0] == "Notices of Bee at Tabula"
    assert "[The Heap] It is your turn, The Bee" in titles
    newest = Notice.objects.filter(user=bee).latest("pk")
    entry = feed.find(f"{ATOM}entry")
    assert entry is not None
    assert entry.findtext(f"{ATOM}id") == f"tag:testserver,2026:notice/{newest.pk}"
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == f"http://testserver/notices/{newest.pk}/"
    assert entry.findtext(f"{ATOM}updated") == newest.at.isoformat()
    assert Client().get(path).content == answer.content


def test_only_hashes_are_kept_and_revoked_is_revoked(running: Any) -> None:
    bee = running.people["bee"]
    path = feed_address(bee, "notices")
    token = path.split("/")[2]
    (feed,) = FeedAddress.objects.all()
    assert feed.token_hash == hashlib.sha256(token.encode()).hexdigest()
    assert token not in str(feed.__dict__)
    assert Client().get(path.replace("notices.atom", "deadlines.ics")).status_code == 404
    again = feed_address(bee, "notices")
    assert (Client().get(path).status_code, Client().get(again).status_code) == (404, 200)
    client = Client()
    client.force_login(bee)
    client.post("/me/notices/", {"do": "revoke", "what": "notices"})
    assert Client().get(again).status_code == 404
    assert "Last read" not in client.get("/me/notices/").content.decode()


@pytest.mark.parametrize("who", ["demo", "guest", "inactive"])
def test_who_may_have_none_has_none(running: Any, who: str) -> None:
    bee = running.people["bee"]
    path = feed_address(bee, "notices")
    bee.demo, bee.guest, bee.is_active = who == "demo", who == "guest", who != "inactive"
    bee.save()
    assert Client().get(path).status_code == 404


def test_the_leaver_loses_sight_at_once(running: Any) -> None:
    path = feed_address(running.people["bee"], "notices")
    assert b"It is your turn" in Client().get(path).content
    services.vacate(running.campaign, running.gm, "bee")
    content = Client().get(path).content
    assert b"It is your turn" not in content
    assert b"you no longer hold the seat" in content


def test_a_suspended_campaign_is_not_in_the_feeds(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    bee = confirm_address(running.people["bee"])
    path = feed_address(bee, "notices")
    Campaign.objects.filter(pk=running.campaign.pk).update(suspended=True)
    assert b"It is your turn" not in Client().get(path).content
    tick(NOON)
    tick(NOON + timedelta(days=2))
    assert outbox.outbox == []


def test_the_calendar_is_read_by_another_program(grand_table: GrandTable) -> None:
    hun = grand_table.people["hun"]
    path = feed_address(hun, "deadlines")
    answer = Client().get(path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))
    read = icalendar.Calendar.from_ical(answer.content)
    assert str(read["version"]) == "2.0"
    events = {str(event["summary"]): event for event in read.walk("VEVENT")}
    assert set(events) == {"[The Long Frontier] Turn of the Huns", "[The Long Frontier] Turn 1"}
    clock = next(clock for clock in clocks.running(grand_table.campaign) if clock.kind == "slot")
    event = events["[The Long Frontier] Turn of the Huns"]
    assert event.decoded("dtstart") == clock.due_at.replace(microsecond=0)
    assert event.errors == []
    to = clock.due_at + timedelta(days=1)
    clocks_services.extend(
        grand_table.campaign, grand_table.people["gm"], clock, to, "Ill", grand_table.seen("gm")
    )
    later = icalendar.Calendar.from_ical(Client().get(path).content).walk("VEVENT")
    (moved,) = [other for other in later if other["uid"] == event["uid"]]
    assert moved.decoded("dtstart") == to.replace(microsecond=0)
    assert moved["sequence"] > event["sequence"]
    clocks_services.extend(
        grand_table.campaign,
        grand_table.people["gm"],
        clock,
        clock.due_at,
        "Well again",
        grand_table.seen("gm"),
    )
    last = icalendar.Calendar.from_ical(Client().get(path).content).walk("VEVENT")
    (back,) = [other for other in last if other["uid"] == event["uid"]]
    assert back["sequence"] > moved["sequence"]


def test_a_pause_and_a_seat_left_take_the_deadlines_away(grand_table: GrandTable) -> None:
    path = feed_address(grand_table.people["hun"], "deadlines")
    assert b"BEGIN:VEVENT" in Client().get(path).content
    services.change_life(grand_table.campaign, grand_table.people["gm"], "paused")
    assert b"BEGIN:VEVENT" not in Client().get(path).content
    services.change_life(grand_table.campaign, grand_table.people["gm"], "resumed")
    assert b"BEGIN:VEVENT" in Client().get(path).content
    services.vacate(grand_table.campaign, grand_table.people["hun"], "huns")
    assert b"BEGIN:VEVENT" not in Client().get(path).content


def test_long_and_strange_names_survive() -> None:
    name = "Ünnï, der; Große\\ \n" + "Ω" * 100 + "\x07"
    event = Event("deadline-1@example.org", NOON, name, name, "https://example.org/c/abc/", 3)
    text = calendar(name, [event], NOON)
    (read,) = icalendar.Calendar.from_ical(text).walk("VEVENT")
    assert str(read["summary"]) == name.replace("\x07", "")
    assert str(read["url"]) == "https://example.org/c/abc/"
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))


def test_a_game_master_may_have_everybody_s_deadlines(running: Any) -> None:
    """Where they ask for these; a player who asks has their own."""
    gm, bee = running.people["gm"], running.people["bee"]
    due = {f"deadline-{clock.pk}@testserver" for clock in clocks.running(running.campaign)}
    path, players = feed_address(gm, "deadlines"), feed_address(bee, "deadlines")

    def keys(address: str) -> set[str]:
        result = icalendar.Calendar.from_ical(Client().get(address).content)
        return {str(event["UID"]) for event in result.walk("VEVENT")}

    assert keys(path + "?all=1") == due
    assert keys(path) < due
    assert keys(players + "?all=1") == keys(players)
