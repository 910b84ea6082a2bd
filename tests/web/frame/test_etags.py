"""Status 304 for a page that has not changed for its reader.

The causes of a new tag, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles import services as battles_services
from campaign import plans, services
from campaign.log import selectors
from campaign.seats import standing_orders
from moderation import targets
from notices.models import Notice
from people.models import User
from talk import selectors as talk_selectors
from talk import services as talk
from tests.web.contests import attack_dalmatia
from tests.web.five import WHO, Five, draft, five, new_campaign
from web.frame import conditional, release

__all__ = ["draft", "five", "new_campaign"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shown_contexts")]

ADDRESSES = {
    "table": "",
    "nation": "n/huns/",
    "log": "log/",
    "entry": "e/1/",
    "dice": "dice/",
    "battles": "battles/",
    "charts": "charts/",
    "ledger": "ledger/",
    "history": "history/",
    "story": "story/",
    "reports": "reports/",
    "rulings": "rulings/",
    "campaign_rules": "rules/",
}
COVERED = {
    "people_browsersession",
    "people_user",  # the reader
    "people_absence",
    "campaign_absencecampaign",  # beside the holder of the seat
    "campaign_campaign",
    "campaign_membership",  # its row and holder
    "campaign_clock",  # deadlines are facts
    "campaign_plan",  # counted beside the row
    "talk_readmarker",  # as above
    "campaign_seathandover",  # an offered seat is beside the row
    "campaign_logentry",
    "campaign_contestentry",
    "campaign_seatsetmember",  # a set never changes
    "campaign_diceroll",
    "nations_ledgerentry",
    "battles_battle",
    "battles_claim",  # follow from the log
    "notices_notice",
    "notices_mute",  # the bell, whose count is a fact
}


def look(five: Five, who: str = "hun", path: str = "", tag: str = "", **headers: str) -> Any:
    """Request a page, optionally with the tag of an earlier answer."""
    if tag:
        headers["if-none-match"] = tag
    return five.clients[who].get(five.home + path, headers=headers)


def tag(five: Five, who: str = "hun", path: str = "", **headers: str) -> str:
    """Return the tag of a page, requested twice.

    The first request may mark notices as read.
    """
    look(five, who, path, **headers)
    return str(look(five, who, path, **headers)["ETag"])


# Unchanged pages ----------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ADDRESSES.values(), ids=ADDRESSES)
def test_an_unchanged_page_is_not_sent_again(five: Five, path: str) -> None:
    for who in ("hun", "nobody"):
        before = tag(five, who, path)
        assert re.fullmatch(r'W/"[0-9a-f]{40}"', before)
        answer = look(five, who, path, before)
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", before)
        assert answer["Cache-Control"] == "private, no-cache"
        assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))
        assert look(five, who, path)["Cache-Control"] == "private, no-cache"


def test_every_page_with_a_tag_is_tried_here() -> None:
    assert set(ADDRESSES) == conditional.PAGES


@pytest.mark.long
def test_the_pages_read_only_tables_that_their_tag_covers(five: Five) -> None:
    five.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    for path in ADDRESSES.values():
        for who in WHO:
            with CaptureQueriesContext(connection) as queries:
                look(five, who, path)
            read = {
                table
                for query in queries
                for table in re.findall(r'(?:FROM|JOIN|INTO|UPDATE) "(\w+)"', query["sql"])
            }
            assert read - COVERED == set(), path
            assert "campaign_campaign" in read


@pytest.mark.parametrize(("who", "most"), [("gm", 4), ("hun", 4), ("stranger", 4), ("nobody", 2)])
def test_an_unchanged_page_needs_at_most_four_queries(five: Five, who: str, most: int) -> None:
    """The queries are session, user, campaign and clocks.

    For an anonymous reader they are campaign and clocks.
    """
    before = tag(five, who)
    with CaptureQueriesContext(connection) as queries:
        assert look(five, who, tag=before).status_code == 304
    assert len(queries) == most


def test_the_form_token_of_an_older_body_is_valid(five: Five) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(five.people["hun"])
    page = client.get(five.home + "n/huns/")
    page = client.get(five.home + "n/huns/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
    assert token
    assert (
        client.get(five.home + "n/huns/", headers={"if-none-match": page["ETag"]}).status_code
        == 304
    )
    sent = {"offer": "end-slot", "move": "end-slot", "seen": str(five.seen("hun"))}
    assert (
        client.post(five.home + "preview/", {**sent, "csrfmiddlewaretoken": token[1]}).status_code
        == 200
    )
    assert client.post(five.home + "preview/", sent).status_code == 403


# Changed pages ------------------------------------------------------------------------------------
def a_move(five: Five) -> None:
    five.play("huns", "build", structure="shrines")


def an_act(five: Five) -> None:
    services.change_life(five.campaign, five.people["gm"], "paused")


def an_undo(five: Five) -> None:
    gm = five.people["gm"]
    services.undo_to(five.campaign, gm, 3, "Too early.", selectors.seen(five.campaign, gm))


def another_name(five: Five) -> None:
    """Rename the campaign without a change of its address."""
    services.change_description(
        five.campaign,
        five.people["gm"],
        name="The long frontier",
        time_zone="UTC",
        visibility="listed",
    )


def a_seat_is_taken(five: Five) -> None:
    _, token = services.invite(five.campaign, five.people["gm"], "vandals")
    services.take_seat(five.people["stranger"], token)


def a_seat_is_left(five: Five) -> None:
    services.vacate(five.campaign, five.people["hun"], "huns")


def the_roman_is_renamed(five: Five) -> None:
    page = five.clients["roman"].get("/me/")
    form = {field.name: field.value() or "" for field in page.context["page"].form}
    assert five.clients["roman"].post("/me/", form | {"username": "Benedict"}).status_code == 302
    assert User.objects.filter(username="Benedict").exists()


def changed_profile(**fields: Any) -> Callable[[Five], None]:
    return lambda five: User.objects.filter(username="Ingrid").update(**fields) and None


def a_notice(five: Five) -> None:
    entry = five.campaign.entries.get(number=2)
    Notice.objects.create(
        user=five.people["hun"],
        campaign=five.campaign,
        entry=entry,
        kind=Notice.objects.earliest("pk").kind,
        at=timezone.now(),
        about="once more",
        facts=Notice.objects.earliest("pk").facts,
    )


def another_secret(five: Five) -> None:
    five.clients["hun"].cookies["csrftoken"] = "a" * 32


def another_session(five: Five) -> None:
    five.clients["hun"].logout()


@pytest.mark.parametrize(
    "change",
    [
        a_move,
        an_act,
        an_undo,
        another_name,
        a_seat_is_taken,
        a_seat_is_left,
        the_roman_is_renamed,
        a_notice,
        changed_profile(theme="dark"),
        changed_profile(time_zone="Asia/Tokyo"),
        changed_profile(language="it"),
        another_secret,
        another_session,
    ],
    ids=lambda one: one.__name__,
)
def test_a_change_gives_a_page_another_tag(five: Five, change: Callable[[Five], None]) -> None:
    before = tag(five)
    change(five)
    answer = look(five, tag=before)
    assert answer.status_code == 200
    assert answer.headers.get("ETag") != before


def test_the_removed_name_of_a_former_player_changes_the_tag(five: Five) -> None:
    hun = five.people["hun"]
    services.vacate(five.campaign, hun, "huns")
    before = tag(five, "roman", "log/")
    assert look(five, "roman", "log/", before).status_code == 304
    targets.remove(targets.find_target("person", str(hun.pk)), "A name to offend.", timezone.now())
    answer = look(five, "roman", "log/", before)
    assert answer.status_code == 200
    assert "Ingrid" not in answer.content.decode()
    assert f"Name removed {hun.pk}" in answer.content.decode()


def test_language_day_address_and_program_change_the_tag(
    five: Five, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {
        tag(five),
        tag(five, path="?province=asia"),
        tag(five, **{"accept-language": "it"}),
        tag(five, host="127.0.0.1"),
    }
    with mock.patch("django.utils.timezone.now", return_value=timezone.now() + timedelta(days=1)):
        known.add(tag(five))
    monkeypatch.setattr(release, "version", lambda: "another")
    known.add(tag(five))
    assert len(known) == 6


def test_the_program_is_known_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    page = tmp_path / "templates" / "page.html"
    known = set()
    for text in ("one", "two"):
        page.write_text(text)
        known.add(release.digest_of(tmp_path))
    page.rename(tmp_path / "templates" / "other.html")
    assert len(known | {release.digest_of(tmp_path)}) == 3


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "log/", "n/huns/"])
def test_each_reader_has_their_own_tag(five: Five, path: str) -> None:
    tags = {who: tag(five, who, path) for who in WHO}
    assert len(set(tags.values())) == len(WHO)
    for reader, other in permutations(WHO, 2):
        assert look(five, reader, path, tags[other]).status_code == 200


def test_a_hidden_move_changes_no_other_reader_s_tag(new_campaign: Callable[..., Five]) -> None:
    """The hidden move is an order to a Bodyguard (4.10).

    test_hidden_hands compares the tags after another hidden card alone.
    """
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.slot_to("huns")
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    before = {reader: tag(five, reader) for reader in WHO}
    hidden = five.play("romans", "keep", card="bodyguard", value=False)
    assert hidden.entries[0].audience_id == "|romans|"
    after = {reader: tag(five, reader) for reader in WHO}
    assert {reader for reader in WHO if before[reader] == after[reader]} == {
        "hun",
        "stranger",
        "nobody",
    }


def keep_bodyguard(five: Five) -> None:
    """Order a Bodyguard as the Roman, which only the Roman and sighted game masters may see."""
    roman = five.people["roman"]
    order = {"by": "romans", "move": "keep", "card": "bodyguard", "value": False}
    result = services.play(five.campaign, roman, order, five.seen("roman"))
    assert result.entries[0].audience_id == "|romans|"


def test_a_hidden_move_does_not_change_the_tag_of_a_playing_game_master(
    new_campaign: Callable[..., Five],
) -> None:
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.slot_to("huns")
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    gm = five.people["gm"]
    services.take_seat(five.people["stranger"], services.invite_master(five.campaign, gm)[1])
    services.take_seat(gm, services.invite(five.campaign, gm, "vandals")[1])
    before = {who: tag(five, who) for who in WHO}
    keep_bodyguard(five)
    after = {who: tag(five, who) for who in WHO}
    assert {who for who in WHO if before[who] != after[who]} == {"roman", "stranger"}


def test_a_hidden_move_does_not_change_the_tag_of_a_substitute(
    new_campaign: Callable[..., Five],
) -> None:
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.slot_to("huns")
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    attack_dalmatia(five)
    substitute = five.people["stranger"]
    battles_services.name_substitute(five.campaign, five.people["roman"], 1, "romans", substitute)
    before = {who: tag(five, who) for who in WHO}
    keep_bodyguard(five)
    after = {who: tag(five, who) for who in WHO}
    assert {who for who in WHO if before[who] != after[who]} == {"gm", "roman"}


def test_a_muted_campaign_changes_the_bell_of_each_page(five: Five) -> None:
    a_notice(five)
    before = tag(five)
    five.post("hun", "notices/", do="mute")
    muted = look(five, tag=before)
    assert muted.status_code == 200
    five.post("hun", "notices/", do="unmute")
    assert look(five, tag=muted["ETag"]).status_code == 200


def test_an_absence_changes_the_pages_before_the_start(draft: Five) -> None:
    before, today = tag(draft), timezone.now().date()
    absence = standing_orders.announce_absence(draft.people["gm"], today, today + timedelta(days=3))
    announced = tag(draft)
    assert announced != before
    standing_orders.take_back_absence(draft.people["gm"], absence.pk)
    assert tag(draft) != announced


def a_plan(five: Five) -> None:
    plans.plan_move(five.campaign, five.people["hun"], "huns", {"by": "huns", "move": "end-slot"})


def a_message(five: Five) -> None:
    talk.write(five.campaign, five.people["roman"], ["huns"], "Peace?")


@pytest.mark.parametrize("change", [a_plan, a_message])
def test_what_only_one_reader_sees_changes_only_their_page(
    five: Five, change: Callable[[Five], None]
) -> None:
    before = {who: tag(five, who) for who in WHO}
    change(five)
    after = {who: tag(five, who) for who in WHO}
    assert {who for who in WHO if before[who] != after[who]} == {"hun"}


def test_a_message_that_has_been_read_changes_the_page(five: Five) -> None:
    message = talk.write(five.campaign, five.people["roman"], ["huns"], "Peace?")
    before = tag(five)
    talk.mark_read(talk_selectors.reader(five.campaign, five.people["hun"]), message.conversation)
    assert tag(five) != before


# Pages without a tag ------------------------------------------------------------------------------
def test_posts_refusals_and_downloads_have_no_tag(five: Five) -> None:
    answers = [
        five.get("hun", "e/999/"),
        five.get("hun", "desk/"),
        five.get("nobody", "seats/"),
        five.get("hun", "log.csv"),
        five.get("hun", "record.json"),
        five.get("gm", "desk/"),
        five.get("gm", "seats/"),
        five.post("hun", "preview/", offer="end-slot", move="end-slot", seen=str(five.seen("hun"))),
        five.clients["hun"].get(five.home, headers={"hx-request": "true", "hx-target": "province"}),
    ]
    assert [answer.status_code for answer in answers] == [
        404,
        403,
        302,
        200,
        200,
        200,
        200,
        200,
        200,
    ]
    assert [answer for answer in answers if "ETag" in answer] == []


def test_a_page_with_a_message_has_no_tag(five: Five) -> None:
    before = tag(five)
    request = RequestFactory().get("/")
    five.clients["hun"].cookies["messages"] = CookieStorage(request)._encode(
        [Message(constants.SUCCESS, "Announced.")]
    )
    answer = look(five, tag=before)
    assert (answer.status_code, "ETag" in answer) == (200, False)
    assert "Announced." in answer.content.decode()
    assert look(five, tag=before).status_code == 304
