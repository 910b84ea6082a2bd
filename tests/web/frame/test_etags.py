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
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from web.frame import conditional, release

__all__ = ["draft", "grand_table", "new_campaign"]
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


def look(
    grand_table: GrandTable, who: str = "hun", path: str = "", tag: str = "", **headers: str
) -> Any:
    """Request a page, optionally with the tag of an earlier answer."""
    if tag:
        headers["if-none-match"] = tag
    return grand_table.clients[who].get(grand_table.home + path, headers=headers)


def tag(grand_table: GrandTable, who: str = "hun", path: str = "", **headers: str) -> str:
    """Return the tag of a page, requested twice.

    The first request may mark notices as read.
    """
    look(grand_table, who, path, **headers)
    return str(look(grand_table, who, path, **headers)["ETag"])


# Unchanged pages ----------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ADDRESSES.values(), ids=ADDRESSES)
def test_an_unchanged_page_is_not_sent_again(grand_table: GrandTable, path: str) -> None:
    for who in ("hun", "nobody"):
        before = tag(grand_table, who, path)
        assert re.fullmatch(r'W/"[0-9a-f]{40}"', before)
        answer = look(grand_table, who, path, before)
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", before)
        assert answer["Cache-Control"] == "private, no-cache"
        assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))
        assert look(grand_table, who, path)["Cache-Control"] == "private, no-cache"


def test_every_page_with_a_tag_is_tried_here() -> None:
    assert set(ADDRESSES) == conditional.PAGES


@pytest.mark.long
def test_the_pages_read_only_tables_that_their_tag_covers(grand_table: GrandTable) -> None:
    grand_table.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    for path in ADDRESSES.values():
        for who in WHO:
            with CaptureQueriesContext(connection) as queries:
                look(grand_table, who, path)
            read = {
                table
                for query in queries
                for table in re.findall(r'(?:FROM|JOIN|INTO|UPDATE) "(\w+)"', query["sql"])
            }
            assert read - COVERED == set(), path
            assert "campaign_campaign" in read


@pytest.mark.parametrize(("who", "most"), [("gm", 4), ("hun", 4), ("stranger", 4), ("nobody", 2)])
def test_an_unchanged_page_needs_at_most_four_queries(
    grand_table: GrandTable, who: str, most: int
) -> None:
    """The queries are session, user, campaign and clocks.

    For an anonymous reader they are campaign and clocks.
    """
    before = tag(grand_table, who)
    with CaptureQueriesContext(connection) as queries:
        assert look(grand_table, who, tag=before).status_code == 304
    assert len(queries) == most


def test_the_form_token_of_an_older_body_is_valid(grand_table: GrandTable) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(grand_table.people["hun"])
    page = client.get(grand_table.home + "n/huns/")
    page = client.get(grand_table.home + "n/huns/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
    assert token
    assert (
        client.get(
            grand_table.home + "n/huns/", headers={"if-none-match": page["ETag"]}
        ).status_code
        == 304
    )
    sent = {"offer": "end-slot", "move": "end-slot", "seen": str(grand_table.seen("hun"))}
    assert (
        client.post(
            grand_table.home + "preview/", {**sent, "csrfmiddlewaretoken": token[1]}
        ).status_code
        == 200
    )
    assert client.post(grand_table.home + "preview/", sent).status_code == 403


# Changed pages ------------------------------------------------------------------------------------
def a_move(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="shrines")


def an_act(grand_table: GrandTable) -> None:
    services.change_life(grand_table.campaign, grand_table.people["gm"], "paused")


def an_undo(grand_table: GrandTable) -> None:
    gm = grand_table.people["gm"]
    services.undo_to(
        grand_table.campaign, gm, 3, "Too early.", selectors.seen(grand_table.campaign, gm)
    )


def another_name(grand_table: GrandTable) -> None:
    """Rename the campaign without a change of its address."""
    services.change_description(
        grand_table.campaign,
        grand_table.people["gm"],
        name="The long frontier",
        time_zone="UTC",
        visibility="listed",
    )


def a_seat_is_taken(grand_table: GrandTable) -> None:
    _, token = services.invite(grand_table.campaign, grand_table.people["gm"], "vandals")
    services.take_seat(grand_table.people["stranger"], token)


def a_seat_is_left(grand_table: GrandTable) -> None:
    services.vacate(grand_table.campaign, grand_table.people["hun"], "huns")


def the_roman_is_renamed(grand_table: GrandTable) -> None:
    page = grand_table.clients["roman"].get("/me/")
    form = {field.name: field.value() or "" for field in page.context["page"].form}
    assert (
        grand_table.clients["roman"].post("/me/", form | {"username": "Benedict"}).status_code
        == 302
    )
    assert User.objects.filter(username="Benedict").exists()


def changed_profile(**fields: Any) -> Callable[[GrandTable], None]:
    return lambda grand_table: User.objects.filter(username="Ingrid").update(**fields) and None


def a_notice(grand_table: GrandTable) -> None:
    entry = grand_table.campaign.entries.get(number=2)
    Notice.objects.create(
        user=grand_table.people["hun"],
        campaign=grand_table.campaign,
        entry=entry,
        kind=Notice.objects.earliest("pk").kind,
        at=timezone.now(),
        about="once more",
        facts=Notice.objects.earliest("pk").facts,
    )


def another_secret(grand_table: GrandTable) -> None:
    grand_table.clients["hun"].cookies["csrftoken"] = "a" * 32


def another_session(grand_table: GrandTable) -> None:
    grand_table.clients["hun"].logout()


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
def test_a_change_gives_a_page_another_tag(
    grand_table: GrandTable, change: Callable[[GrandTable], None]
) -> None:
    before = tag(grand_table)
    change(grand_table)
    answer = look(grand_table, tag=before)
    assert answer.status_code == 200
    assert answer.headers.get("ETag") != before


def test_the_removed_name_of_a_former_player_changes_the_tag(grand_table: GrandTable) -> None:
    hun = grand_table.people["hun"]
    services.vacate(grand_table.campaign, hun, "huns")
    before = tag(grand_table, "roman", "log/")
    assert look(grand_table, "roman", "log/", before).status_code == 304
    targets.remove(targets.find_target("person", str(hun.pk)), "A name to offend.", timezone.now())
    answer = look(grand_table, "roman", "log/", before)
    assert answer.status_code == 200
    assert "Ingrid" not in answer.content.decode()
    assert f"Name removed {hun.pk}" in answer.content.decode()


def test_language_day_address_and_program_change_the_tag(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {
        tag(grand_table),
        tag(grand_table, path="?province=asia"),
        tag(grand_table, **{"accept-language": "it"}),
        tag(grand_table, host="127.0.0.1"),
    }
    with mock.patch("django.utils.timezone.now", return_value=timezone.now() + timedelta(days=1)):
        known.add(tag(grand_table))
    monkeypatch.setattr(release, "version", lambda: "another")
    known.add(tag(grand_table))
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
def test_each_reader_has_their_own_tag(grand_table: GrandTable, path: str) -> None:
    tags = {who: tag(grand_table, who, path) for who in WHO}
    assert len(set(tags.values())) == len(WHO)
    for reader, other in permutations(WHO, 2):
        assert look(grand_table, reader, path, tags[other]).status_code == 200


def test_a_hidden_move_changes_no_other_reader_s_tag(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """The hidden move is an order to a Bodyguard (4.10).

    test_hidden_hands compares the tags after another hidden card alone.
    """
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    before = {reader: tag(grand_table, reader) for reader in WHO}
    hidden = grand_table.play("romans", "keep", card="bodyguard", value=False)
    assert hidden.entries[0].audience_id == "|romans|"
    after = {reader: tag(grand_table, reader) for reader in WHO}
    assert {reader for reader in WHO if before[reader] == after[reader]} == {
        "hun",
        "stranger",
        "nobody",
    }


def keep_bodyguard(grand_table: GrandTable) -> None:
    """Order a Bodyguard as the Roman, which only the Roman and sighted game masters may see."""
    roman = grand_table.people["roman"]
    order = {"by": "romans", "move": "keep", "card": "bodyguard", "value": False}
    result = services.play(grand_table.campaign, roman, order, grand_table.seen("roman"))
    assert result.entries[0].audience_id == "|romans|"


def test_a_hidden_move_does_not_change_the_tag_of_a_playing_game_master(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    gm = grand_table.people["gm"]
    services.take_seat(
        grand_table.people["stranger"], services.invite_master(grand_table.campaign, gm)[1]
    )
    services.take_seat(gm, services.invite(grand_table.campaign, gm, "vandals")[1])
    before = {who: tag(grand_table, who) for who in WHO}
    keep_bodyguard(grand_table)
    after = {who: tag(grand_table, who) for who in WHO}
    assert {who for who in WHO if before[who] != after[who]} == {"roman", "stranger"}


def test_a_hidden_move_does_not_change_the_tag_of_a_substitute(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    attack_dalmatia(grand_table)
    substitute = grand_table.people["stranger"]
    battles_services.name_substitute(
        grand_table.campaign, grand_table.people["roman"], 1, "romans", substitute
    )
    before = {who: tag(grand_table, who) for who in WHO}
    keep_bodyguard(grand_table)
    after = {who: tag(grand_table, who) for who in WHO}
    assert {who for who in WHO if before[who] != after[who]} == {"gm", "roman"}


def test_a_muted_campaign_changes_the_bell_of_each_page(grand_table: GrandTable) -> None:
    a_notice(grand_table)
    before = tag(grand_table)
    grand_table.post("hun", "notices/", do="mute")
    muted = look(grand_table, tag=before)
    assert muted.status_code == 200
    grand_table.post("hun", "notices/", do="unmute")
    assert look(grand_table, tag=muted["ETag"]).status_code == 200


def test_an_absence_changes_the_pages_before_the_start(draft: GrandTable) -> None:
    before, today = tag(draft), timezone.now().date()
    absence = standing_orders.announce_absence(draft.people["gm"], today, today + timedelta(days=3))
    announced = tag(draft)
    assert announced != before
    standing_orders.take_back_absence(draft.people["gm"], absence.pk)
    assert tag(draft) != announced


def a_plan(grand_table: GrandTable) -> None:
    plans.plan_move(
        grand_table.campaign, grand_table.people["hun"], "huns", {"by": "huns", "move": "end-slot"}
    )


def a_message(grand_table: GrandTable) -> None:
    talk.write(grand_table.campaign, grand_table.people["roman"], ["huns"], "Peace?")


@pytest.mark.parametrize("change", [a_plan, a_message])
def test_what_only_one_reader_sees_changes_only_their_page(
    grand_table: GrandTable, change: Callable[[GrandTable], None]
) -> None:
    before = {who: tag(grand_table, who) for who in WHO}
    change(grand_table)
    after = {who: tag(grand_table, who) for who in WHO}
    assert {who for who in WHO if before[who] != after[who]} == {"hun"}


def test_a_message_that_has_been_read_changes_the_page(grand_table: GrandTable) -> None:
    message = talk.write(grand_table.campaign, grand_table.people["roman"], ["huns"], "Peace?")
    before = tag(grand_table)
    talk.mark_read(
        talk_selectors.reader(grand_table.campaign, grand_table.people["hun"]), message.conversation
    )
    assert tag(grand_table) != before


# Pages without a tag ------------------------------------------------------------------------------
def test_posts_refusals_and_downloads_have_no_tag(grand_table: GrandTable) -> None:
    answers = [
        grand_table.get("hun", "e/999/"),
        grand_table.get("hun", "desk/"),
        grand_table.get("nobody", "seats/"),
        grand_table.get("hun", "log.csv"),
        grand_table.get("hun", "record.json"),
        grand_table.get("gm", "desk/"),
        grand_table.get("gm", "seats/"),
        grand_table.post(
            "hun", "preview/", offer="end-slot", move="end-slot", seen=str(grand_table.seen("hun"))
        ),
        grand_table.clients["hun"].get(
            grand_table.home, headers={"hx-request": "true", "hx-target": "province"}
        ),
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


def test_a_page_with_a_message_has_no_tag(grand_table: GrandTable) -> None:
    before = tag(grand_table)
    request = RequestFactory().get("/")
    grand_table.clients["hun"].cookies["messages"] = CookieStorage(request)._encode(
        [Message(constants.SUCCESS, "Announced.")]
    )
    answer = look(grand_table, tag=before)
    assert (answer.status_code, "ETag" in answer) == (200, False)
    assert "Announced." in answer.content.decode()
    assert look(grand_table, tag=before).status_code == 304
