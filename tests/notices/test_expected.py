"""Letters say what is expected, until when, what threatens, and what follows if nothing is done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.clocks import services as clocks_services
from campaign.models import Clock, LogEntry
from notices.channels.device import payload
from notices.channels.mail import notice_letter, reading_as
from notices.delivery import still_relevant, tick
from notices.models import Channel, Delivery, DeliveryItem, Notice, Service
from notices.present import Present
from notices.registry import DECLARED, KINDS
from notices.wording import notices_in_words
from tests.notices.conftest import SLACK
from tests.notices.server import Chats
from tests.web.battles.test_claims import act, claimed
from tests.web.contests import answer_challenge, challenge, siege
from tests.web.grand_table import GrandTable

__all__ = ["challenge", "siege"]
pytestmark = pytest.mark.django_db

NOW = datetime(2031, 11, 27, 10, tzinfo=UTC)
"""A Thursday. The deadlines of these tests are set relative to it."""
SLOT_DUE = datetime(2031, 12, 2, 6, 8, tzinfo=UTC)
ANSWER_DUE = datetime(2031, 11, 29, 18, tzinfo=UTC)


OR_THE_GAME_MASTER = (
    "If you do nothing, the game master decides: they can extend the deadline or {}."
)


def set_deadline(kind: str, due: datetime, **more: Any) -> None:
    """Let the running clocks of this kind end at this moment."""
    Clock.objects.filter(kind=kind, ended_at=None).update(due_at=due, **more)


def letters_to(table: GrandTable, who: str) -> list[Any]:
    return [letter for letter in outbox.outbox if letter.to == [table.people[who].email]]


def main_part(letter: Any) -> list[str]:
    """Return the lines of a letter after the salutation, without addresses and the last lines."""
    lines = letter.body.partition("\n--\n")[0].splitlines()
    return [line for line in lines[2:] if line and not line.startswith("http")]


@pytest.fixture
def all_confirmed(challenge: GrandTable, confirm_address: Callable[..., Any]) -> GrandTable:
    """Return a campaign in which the Huns attack Dalmatia, with addresses of all users."""
    for user in challenge.people.values():
        confirm_address(user)
    return challenge


def test_a_turn_with_its_actions_its_deadline_and_the_attack_on_the_reader(
    all_confirmed: GrandTable,
) -> None:
    all_confirmed.slot_to("romans")
    Notice.objects.filter(kind="challenged").update(read_at=NOW)
    set_deadline("slot", SLOT_DUE)
    set_deadline("answer", ANSWER_DUE)
    tick(NOW)
    (letter,) = letters_to(all_confirmed, "roman")
    assert letter.subject == (
        "[The Long Frontier] Your turn is open, Romans: 2½ actions until Tue 2 Dec 06:08"
    )
    assert main_part(letter)[:-1] == [
        "Your turn is open, Romans: 2½ actions until Tue 2 Dec 06:08",
        "Turn 1.",
        "Play your turn by Tue 2 December 2031, 06:08 (UTC), in 5 days.",
        "- The Huns attack Dalmatia: answer by Sat 29 Nov 18:00.",
        OR_THE_GAME_MASTER.format("make your moves"),
    ]
    html = letter.alternatives[0][0]
    assert "The Huns attack Dalmatia: answer by Sat 29 Nov 18:00." in html
    assert "Play your turn" in html


def test_times_are_those_of_the_reader_in_their_language(all_confirmed: GrandTable) -> None:
    roman = all_confirmed.people["roman"]
    subjects = {}
    for language in ("de", "es", "it"):
        roman.language, roman.time_zone = language, "Europe/Rome"
        roman.save()
        set_deadline("answer", ANSWER_DUE)
        Delivery.objects.all().delete()
        Notice.objects.filter(user=roman).update(routed_at=None, read_at=None)
        outbox.outbox.clear()
        tick(NOW)
        (letter,) = letters_to(all_confirmed, "roman")
        subjects[language] = letter.subject
        assert "(Europe/Rome)" in letter.body
    assert subjects == {
        "de": "[The Long Frontier] Die Hunnen greifen Dalmatia an: antworte bis Sa, 29. Nov 19:00",
        "es": "[The Long Frontier] Los hunos atacan Dalmatia: responde antes del sáb 29 nov 19:00",
        "it": "[The Long Frontier] Gli Unni attaccano Dalmatia: rispondi entro sab 29 nov 19:00",
    }


def test_a_challenge_says_what_the_clock_does(all_confirmed: GrandTable) -> None:
    set_deadline("answer", ANSWER_DUE, acts_at=ANSWER_DUE + timedelta(days=1))
    tick(NOW)
    (letter,) = letters_to(all_confirmed, "roman")
    assert main_part(letter)[:-1] == [
        "The Huns attack Dalmatia: answer by Sat 29 Nov 18:00",
        "Huns: attack Dalmatia from Pannonia (land attack, open battle).",
        "Answer the challenge by Sat 29 November 2031, 18:00 (UTC), in 2 days.",
        "If you do nothing, the challenge is accepted automatically on Sun 30 Nov 18:00.",
    ]


def test_a_challenge_that_is_answered_meanwhile_is_not_asked_for(
    all_confirmed: GrandTable,
) -> None:
    answer_challenge(all_confirmed, "roman", 1, "accept")
    tick(NOW)
    subjects = [letter.subject for letter in letters_to(all_confirmed, "roman")]
    assert not any("attack Dalmatia" in subject for subject in subjects)


def test_the_deadline_is_the_one_that_holds_when_the_letter_leaves(
    all_confirmed: GrandTable,
) -> None:
    set_deadline("answer", ANSWER_DUE)
    set_deadline("answer", NOW + timedelta(hours=5, minutes=10))
    tick(NOW)
    (letter,) = letters_to(all_confirmed, "roman")
    assert letter.subject.endswith("answer by Thu 27 Nov 15:10")
    assert "Thu 27 November 2031, 15:10 (UTC), in 5 hours." in letter.body


def test_without_a_deadline_nothing_is_said_of_one(all_confirmed: GrandTable) -> None:
    off = dict.fromkeys(("answer", "slot", "turn"))
    clocks_services.set_terms(all_confirmed.campaign, all_confirmed.people["gm"], off)
    tick(NOW)
    (letter,) = letters_to(all_confirmed, "roman")
    assert main_part(letter)[:-1] == [
        "The Huns attack Dalmatia: answer the challenge",
        "Huns: attack Dalmatia from Pannonia (land attack, open battle).",
        "Answer the challenge.",
    ]
    (letter,) = letters_to(all_confirmed, "hun")
    assert letter.subject == "[The Long Frontier] Your turn is open, Huns: 1½ actions"
    assert main_part(letter)[1:-1] == ["Turn 1.", "Play your turn."]


def test_a_deadline_in_the_past_is_not_offered(all_confirmed: GrandTable) -> None:
    set_deadline("answer", NOW - timedelta(hours=1))
    tick(NOW)
    (letter,) = letters_to(all_confirmed, "roman")
    assert letter.subject == ("[The Long Frontier] The Huns attack Dalmatia: answer the challenge")
    assert "Answer the challenge. The deadline was Thu 27 November 2031, 09:00 (UTC)." in (
        letter.body
    )


def test_a_result_is_asked_for_until_it_is_disputed(
    siege: GrandTable, confirm_address: Callable[..., Any]
) -> None:
    confirm_address(siege.people["roman"])
    Notice.objects.all().update(read_at=NOW)
    claimed(siege)
    set_deadline("claim", ANSWER_DUE, acts_at=ANSWER_DUE)
    tick(NOW)
    (letter,) = letters_to(siege, "roman")
    assert letter.subject == (
        "[The Long Frontier] A result of battle #1 has been claimed: confirm or dispute it by "
        "Sat 29 Nov 18:00"
    )
    assert "If you do nothing, the result is confirmed automatically on Sat 29 Nov 18:00." in (
        letter.body
    )
    Notice.objects.update(routed_at=None)
    Delivery.objects.all().delete()
    number = str(LogEntry.objects.get(act="claim").number)
    act(siege, "roman", "dispute", claim=number, reason="It was 46 to 31.")
    outbox.outbox.clear()
    tick(NOW)
    assert letters_to(siege, "roman") == []


def test_a_nation_close_to_the_end_is_warned(all_confirmed: GrandTable) -> None:
    all_confirmed.play("gm", "adjust", nation="huns", account="stability", change=-4, reason="low")
    set_deadline("slot", SLOT_DUE)
    tick(NOW)
    hun = next(
        letter for letter in letters_to(all_confirmed, "hun") if "turn is open" in letter.subject
    )
    assert "- Your stability is 2: at 1 your nation crumbles." in main_part(hun)


def test_no_one_reads_of_the_threats_to_others(
    all_confirmed: GrandTable, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    """The five readers: only the Roman is attacked; outsiders and the public get no threat."""
    make_channel(all_confirmed.people["gm"], SLACK, campaign=all_confirmed.campaign)
    Notice.objects.update(routed_at=None)
    set_deadline("slot", SLOT_DUE)
    set_deadline("answer", ANSWER_DUE)
    set_deadline("turn", NOW + timedelta(days=20))
    tick(NOW)
    tick(NOW + timedelta(days=1))
    sent = {
        who: " ".join(letter.subject + letter.body for letter in letters_to(all_confirmed, who))
        for who in ("gm", "hun", "roman", "stranger")
    }
    assert [who for who, text in sent.items() if "attack Dalmatia" in text] == ["roman"]
    assert sent["stranger"] == ""
    head, _table, deadline, link = chats.content[-1].splitlines()
    assert head == "[The Long Frontier] Turn 1 opens: it ends on Wed 17 Dec 11:00"
    assert deadline == "The turn ends on Wed 17 December 2031, 11:00 (Europe/Rome)."
    assert link.endswith(all_confirmed.home)
    assert not any("Dalmatia" in text or "Your turn" in text for text in chats.content)


def test_a_letter_with_several_notices_tells_each_threat_once(all_confirmed: GrandTable) -> None:
    """Requests come first, the earliest deadline before the others; news follow."""
    all_confirmed.slot_to("romans")
    set_deadline("slot", SLOT_DUE)
    set_deadline("answer", ANSWER_DUE)
    set_deadline("turn", NOW + timedelta(days=20))
    roman = all_confirmed.people["roman"]
    tick(NOW)
    Notice.objects.filter(user=roman, kind="turn-opened").update(routed_at=None)
    (letter,) = letters_to(all_confirmed, "roman")
    titles = [line for line in main_part(letter) if " Dec " in line or " Nov " in line]
    assert [line for line in titles if line[0] != "P" and ", in " not in line] == [
        "The Huns attack Dalmatia: answer by Sat 29 Nov 18:00",
        "Your turn is open, Romans: 2½ actions until Tue 2 Dec 06:08",
    ]
    assert letter.subject == (
        "[The Long Frontier] The Huns attack Dalmatia: answer by Sat 29 Nov 18:00, and 1 more"
    )


def test_chats_and_devices_get_the_same_text(
    all_confirmed: GrandTable, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    make_channel(all_confirmed.people["roman"], SLACK)
    Notice.objects.update(routed_at=None)
    set_deadline("answer", ANSWER_DUE)
    tick(NOW)
    text = chats.content[-1]
    assert text.splitlines()[:4] == [
        "[The Long Frontier] The Huns attack Dalmatia: answer by Sat 29 Nov 18:00",
        "Huns: attack Dalmatia from Pannonia (land attack, open battle).",
        "Answer the challenge by Sat 29 November 2031, 18:00 (UTC), in 2 days.",
        OR_THE_GAME_MASTER.format("answer for you"),
    ]


def test_the_number_of_queries_does_not_depend_on_the_number_of_notices(
    all_confirmed: GrandTable,
) -> None:
    roman, campaign = all_confirmed.people["roman"], all_confirmed.campaign
    first = Notice.objects.get(user=roman, kind="challenged")
    channel = Channel.objects.create(
        user=roman, service=Service.EMAIL, created_at=NOW, confirmed_at=NOW
    )
    delivery = Delivery.objects.create(channel=channel, form="now", made_at=NOW, next_at=NOW)

    def queries(number: int) -> int:
        for n in range(number):
            for kind in ("challenged", "claimed", "reminded", "words-wanted"):
                notice = Notice.objects.create(
                    user=roman,
                    campaign=campaign,
                    entry=first.entry,
                    kind=kind,
                    about=f"{number}/{n}",
                    seat="romans",
                    at=NOW,
                    facts={"contest": 1, "other": "huns", "task": "answer", "user": roman.pk},
                )
                DeliveryItem.objects.create(
                    delivery=delivery, channel=channel, notice=notice, notice_key=str(notice.pk)
                )
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert len(still_relevant(delivery, NOW)) >= number
        return len(captured)

    queries(1)
    assert queries(2) == queries(9) <= 12


def test_lists_of_notices_stay_as_they_were(all_confirmed: GrandTable) -> None:
    rows = Notice.objects.filter(user=all_confirmed.people["roman"], kind="challenged")
    (shown,) = notices_in_words(rows)
    assert (shown.title, shown.lines) == (
        "Challenge at Dalmatia: #1",
        ["Huns: attack Dalmatia from Pannonia (land attack, open battle)"],
    )


ASKING = {
    "amendment",
    "attacked",
    "challenged",
    "channel-off",
    "claimed",
    "clock-missed",
    "clock-moved",
    "clock-soon",
    "clock-today",
    "dice-ready",
    "die-awaited",
    "disputed",
    "draw-fallen",
    "may-start",
    "offered",
    "order-skipped",
    "post-doubtful",
    "post-failed",
    "reminded",
    "seat-offered",
    "set-up",
    "slot-open",
    "stands-in",
    "thread-locked",
    "webhook-off",
    "words-wanted",
}
URGENT_NEWS = {"clock-acted", "sight", "text-removed", "warned"}


def test_each_kind_either_asks_for_something_or_is_news() -> None:
    assert {kind.key for kind in DECLARED if kind.asks} == ASKING
    assert {kind.key for kind in DECLARED if kind.is_urgent and not kind.asks} == URGENT_NEWS
    with_deadline = {
        kind.key for kind in DECLARED if type(kind).task is not type(KINDS["ruling"]).task
    }
    assert with_deadline == {
        "attacked",
        "challenged",
        "claimed",
        "clock-moved",
        "clock-soon",
        "clock-today",
        "may-start",
        "next",
        "opponent-absent",
        "reminded",
        "set-up",
        "slot-open",
        "solo",
        "stands-in",
        "truce-ends",
        "turn-opened",
        "words-wanted",
    }


def test_a_locked_screen_shows_the_deadline_and_the_threat(all_confirmed: GrandTable) -> None:
    all_confirmed.slot_to("romans")
    set_deadline("slot", SLOT_DUE)
    set_deadline("answer", ANSWER_DUE)
    rows = list(Notice.objects.filter(user=all_confirmed.people["roman"], kind="slot-open"))
    letter = notices_in_words(rows, present=Present(rows, NOW))
    device = Channel(service=Service.PUSH)
    shown = payload(device, letter)
    assert (shown["title"], shown["body"]) == (
        "Your turn is open, Romans: 2½ actions until Tue 2 Dec 06:08",
        "The Long Frontier\nThe Huns attack Dalmatia: answer by Sat 29 Nov 18:00.",
    )
    device.discreet = True
    shown = payload(device, letter)
    assert (shown["title"], shown["body"]) == (
        "Something has happened at the table",
        "The Long Frontier",
    )


FACTS = {
    "amendment": 1,
    "actions": 4,
    "acts": "2031-12-01T10:00:00+00:00",
    "after": 3,
    "clock": 0,
    "contest": 1,
    "days": 15,
    "due": "2031-11-30T10:00:00+00:00",
    "entry": 2,
    "error": "It is full.",
    "first": "2031-11-01",
    "headline": "To all",
    "how": "",
    "last": "2031-11-09",
    "level": "easy",
    "name": "Our table",
    "other": "huns",
    "outcome": "removed",
    "place": "A forum",
    "post": 1,
    "purpose": "siege",
    "reason": "A <b>reason</b> with {braces}",
    "report": "Turn 1",
    "rule": "9.7",
    "ruling": 1,
    "seat": "romans",
    "sight": "reported",
    "target": "dalmatia",
    "task": "answer",
    "text": "4 8 15",
    "thread": "abc",
    "turn": 1,
    "undo": 3,
    "was": "2031-11-28T10:00:00+00:00",
}
WAYS = {"absence": "announced", "opponent-absent": "announced", "program": "takes"}
WAYS |= {"solo": "agreed", "life": "paused", "amendment-answer": "agreed"}


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_every_kind_makes_a_letter(all_confirmed: GrandTable, language: str) -> None:
    """Only the notice of a skipped order is left out, whose facts are those of a stored order."""
    roman = all_confirmed.people["roman"]
    entry = Notice.objects.get(user=roman, kind="challenged").entry
    Notice.objects.all().delete()
    set_deadline("answer", ANSWER_DUE)
    for kind in DECLARED:
        if kind.key != "order-skipped":
            facts = {**FACTS, "user": roman.pk, "how": WAYS.get(kind.key, "")}
            facts |= {"other": "romans"} if kind.key == "next" else {}
            Notice.objects.create(
                user=roman,
                campaign=all_confirmed.campaign,
                entry=entry,
                kind=kind.key,
                seat="romans",
                at=NOW,
                facts=facts,
            )
    rows = list(Notice.objects.select_related("campaign", "entry", "entry__struck_by"))
    with reading_as(language, "Europe/Rome"):
        letter = notices_in_words(rows, present=Present(rows, NOW))
        assert len(letter) == len(DECLARED) - 1
        for shown in letter:
            text = "\n".join([shown.title, *shown.lines]).replace("{braces}", "")
            assert shown.title, shown.notice.kind
            assert "{" not in text, (shown.notice.kind, text)
            assert "None" not in text, (shown.notice.kind, text)
        html = notice_letter(letter, digest=False, name="Ben", end="/end", choose="/choose").html
    assert "<b>" not in html
