"""Letters: who gets one, when, how many, with which heads; what is not sent."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox
from django.test import Client

from campaign import services
from notices.channels import mail
from notices.channels import services as channels_services
from notices.delivery import BACK_OFF, INTERRUPTED, LEASE, MOST_FAILURES, tick
from notices.models import Channel, Delivery, DeliveryItem, Notice
from notices.services import mark_read
from tests.notices.conftest import NOON
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def letters_to(user: Any) -> list[Any]:
    return [mail for mail in outbox.outbox if mail.to == [user.email]]


def delivery_states(user: Any) -> list[str]:
    """Return the states of immediate deliveries, then those of the daily letter."""
    return list(
        Delivery.objects.filter(channel__user=user)
        .order_by("-form")
        .values_list("state", flat=True)
    )


def test_what_presses_comes_at_once_the_rest_once_a_day(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    """The bee's slot is open and a turn has opened.

    One letter comes now, and one at eight the next morning.
    """
    bee = confirm_address(running.people["bee"])
    tick(NOON)
    (letter,) = letters_to(bee)
    assert letter.subject == "[The Heap] Your turn is open, The Bee: 2 actions"
    assert f"Turn {running.campaign.turn}.\nPlay your turn. The deadline was " in letter.body
    digest = Delivery.objects.get(channel__user=bee, form="digest")
    assert digest.next_at == datetime.fromisoformat("2031-03-11T08:00+00:00")
    tick(NOON + 19 * HOUR)
    assert len(letters_to(bee)) == 1
    tick(NOON + 20 * HOUR)
    assert len(letters_to(bee)) == 2
    assert re.fullmatch(r"\[The Heap\] \d notices? today", letters_to(bee)[1].subject)
    tick(NOON + 90 * HOUR)
    assert len(letters_to(bee)) == 2


def test_the_daily_letter_comes_at_the_readers_hour(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    bee = confirm_address(running.people["bee"])
    bee.time_zone = "America/New_York"
    bee.save()
    channels_services.set_hour(channels_services.email_channel(bee), 18)
    tick(NOON)
    assert Delivery.objects.get(channel__user=bee, form="digest").next_at == datetime.fromisoformat(
        "2031-03-10T18:00-04:00"
    )


def test_ten_notices_within_a_tick_are_one_letter(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    ant = confirm_address(running.people["ant"])
    tick(NOON)
    outbox.outbox.clear()
    Notice.objects.all().delete()
    entry = running.campaign.entries.get(number=1)
    for n in range(10):
        Notice.objects.create(
            user=ant,
            campaign=running.campaign,
            entry=entry,
            kind="attacked",
            about=str(n),
            seat="ant",
            at=NOON,
            facts={"contest": n, "other": "bee"},
        )
    tick(NOON)
    (letter,) = letters_to(ant)
    assert letter.subject == "[The Heap] An attack on you: #0, and 9 more"
    assert letter.body.count("An attack on you") == 10
    assert DeliveryItem.objects.filter(channel__user=ant, notice__kind="attacked").count() == 10


def test_its_heads_thread_it_and_end_it(
    running: Any, confirm_address: Callable[..., Any], settings: Any
) -> None:
    settings.SITE_URL = "https://tabula.example"
    bee, ant = confirm_address(running.people["bee"]), confirm_address(running.people["ant"])
    tick(NOON)
    tick(NOON + 20 * HOUR)
    first, second = letters_to(bee)
    assert (
        first.extra_headers["References"]
        == second.extra_headers["References"]
        == mail.thread_id(bee, running.campaign)
    )
    assert first.extra_headers["Message-ID"] != second.extra_headers["Message-ID"]
    assert letters_to(ant)[0].extra_headers["References"] != first.extra_headers["References"]
    sent = first.message()
    assert sent["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<https://tabula\.example/unsubscribe/[^/]+/>", sent["List-Unsubscribe"])
    assert [part.get_content_type() for part in sent.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    html = first.alternatives[0][0]
    notice = Notice.objects.get(
        user=bee, kind="slot-open", items__delivery__form="now", read_at=None
    )
    assert f'href="https://tabula.example/notices/{notice.pk}/"' in html
    assert f"https://tabula.example/notices/{notice.pk}/" in first.body


def test_one_click_ends_it_without_signing_in(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    bee = confirm_address(running.people["bee"])
    tick(NOON)
    path = "/" + letters_to(bee)[0].message()["List-Unsubscribe"].strip("<>").split("/", 3)[3]
    stranger = Client(enforce_csrf_checks=True)
    assert "Stop all e-mails" in stranger.get(path).content.decode()
    assert Channel.objects.get(user=bee).active  # looking ends nothing
    assert stranger.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Channel.objects.get(user=bee).active
    assert delivery_states(bee) == ["sent", "dropped"]
    running.play("gm", "end", **{"for": "bee"})
    running.play("gm", "end", **{"for": "ant"})
    tick(NOON + 30 * HOUR)
    assert len(letters_to(bee)) == 1
    assert stranger.get(path[:-2] + "x/").status_code == 404
    assert (
        "We will not send you any more e-mails"
        in stranger.post(path, {"do": "on"}).content.decode()
    )
    assert not Channel.objects.get(user=bee).active  # only who signs in has them sent again


@pytest.mark.parametrize("who", ["unconfirmed", "other address", "demo", "guest", "inactive"])
def test_nothing_is_sent_to_an_unconfirmed_address(
    running: Any, confirm_address: Callable[..., Any], who: str
) -> None:
    bee = running.people["bee"]
    if who != "unconfirmed":
        confirm_address(bee)
    if who == "other address":
        bee.email = "elsewhere@example.org"
    bee.demo, bee.guest, bee.is_active = who == "demo", who == "guest", who != "inactive"
    bee.save()
    tick(NOON)
    tick(NOON + 30 * HOUR)
    assert outbox.outbox == []
    assert not Notice.objects.filter(routed_at=None).exists()
    if who == "unconfirmed":  # earlier notices stay where they were
        confirm_address(bee)
        tick(NOON + 31 * HOUR)
        assert outbox.outbox == []


def test_read_struck_and_obsolete_notices_are_not_sent(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    ant, bee = confirm_address(running.people["ant"]), confirm_address(running.people["bee"])
    mark_read(bee)
    number = running.play("bee", "duel").entries[0].number
    assert Notice.objects.filter(user=ant, kind="challenged").exists()
    running.undo(number - 1, "Not yet")
    services.vacate(running.campaign, running.gm, "ant")
    tick(NOON)
    tick(NOON + 30 * HOUR)
    assert [mail.subject for mail in letters_to(ant)] == ["[The Heap] 1 notice today"]
    assert "you no longer hold the seat" in letters_to(ant)[0].body
    assert all("challenged" not in mail.body for mail in outbox.outbox)
    assert [mail.subject for mail in letters_to(bee)] == [
        "[The Heap] 1 notice today"
    ]  # of the undo, which touches the Bee


def test_nothing_is_sent_twice_however_often_it_ticks(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    bee = confirm_address(running.people["bee"])
    for _n in range(3):
        tick(NOON)
    tick(NOON - HOUR)
    assert len(letters_to(bee)) == 1
    assert delivery_states(bee) == ["sent", "waiting"]


class Refusing:
    """A mail server that says no: the errors are smtplib's own."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.tried: list[str] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self

    def send_messages(self, messages: Any) -> int:
        self.tried += [message.extra_headers["Message-ID"] for message in messages]
        if self.errors:
            raise self.errors.pop(0)
        return len(messages)

    def open(self) -> None:
        pass

    close = open


def test_a_mail_server_that_is_down_is_tried_again(
    running: Any, confirm_address: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The waits grow and the Message-ID stays the same.

    It is no fault of the address.
    """
    bee = confirm_address(running.people["bee"])
    down = Refusing(ConnectionRefusedError(), smtplib.SMTPServerDisconnected("secret"))
    monkeypatch.setattr("notices.channels.mail_server.get_connection", down)
    now = NOON
    tick(now)
    one = Delivery.objects.get(channel__user=bee, form="now")
    assert (one.state, one.attempts, one.last_error) == (
        "waiting",
        1,
        "Our mail server did not accept the e-mail.",
    )
    assert one.next_at - now < BACK_OFF[0] + timedelta(seconds=5)
    tick(now + timedelta(seconds=30))
    assert len(down.tried) == 1
    tick(now + timedelta(minutes=2))
    tick(now + timedelta(minutes=8))
    one.refresh_from_db()
    assert (one.state, one.attempts, one.last_error) == ("sent", 3, "")
    assert len(down.tried) == 3
    assert len(set(down.tried)) == 1
    assert Channel.objects.get(user=bee).failures == 0


def test_an_address_that_keeps_refusing_is_switched_off_and_said_so(
    running: Any, confirm_address: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    bee = confirm_address(running.people["bee"])
    no = smtplib.SMTPRecipientsRefused({bee.email: (550, b"5.1.1 no such <user>\r\n")})
    refusing = Refusing(*[no] * MOST_FAILURES)
    monkeypatch.setattr("notices.channels.mail_server.get_connection", refusing)
    now = NOON
    tick(now)
    channel = Channel.objects.get(user=bee)
    assert (channel.active, channel.last_error) == (
        True,
        "The mail server refused the address: 550 5.1.1 no such <user>",
    )
    assert delivery_states(bee) == ["waiting", "waiting"]  # a refusal may be a day's
    for wait in BACK_OFF:
        now += wait + timedelta(minutes=1)
        tick(now)
    channel.refresh_from_db()
    assert (channel.active, channel.off_why) == (
        False,
        "The mail server refused the address: 550 5.1.1 no such <user>",
    )
    assert (len(refusing.tried), refusing.errors) == (MOST_FAILURES, [])
    client = Client()
    client.force_login(bee)
    for page in ("/me/notices/", "/notices/"):
        assert "switched off" in client.get(page).content.decode()
    client.post("/me/notices/", {"do": "on", "channel": str(channel.pk)})
    channel.refresh_from_db()
    assert (channel.active, channel.off_why, channel.failures) == (True, "", 0)


def test_one_that_fails_for_days_has_failed(
    running: Any, confirm_address: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    bee = confirm_address(running.people["bee"])
    Channel.objects.filter(user=bee).delete()
    monkeypatch.setattr(
        "notices.channels.mail_server.get_connection", Refusing(*[TimeoutError()] * 99)
    )
    now = NOON
    for wait in (timedelta(), *BACK_OFF):
        now += wait + timedelta(minutes=1)
        tick(now)
    one = Delivery.objects.get(channel__user=bee, form="now")
    assert (one.state, one.attempts) == ("failed", 8)


def test_a_worker_dies_between_sending_and_marking(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    """A letter is sent again under its old Message-ID.

    After a second death it is not tried again.
    """
    bee = confirm_address(running.people["bee"])
    tick(NOON)
    (one,) = Delivery.objects.filter(channel__user=bee, form="now")
    for turn, expected in ((1, ["sent", "waiting"]), (2, ["doubtful", "waiting"])):
        Delivery.objects.filter(pk=one.pk).update(state="sending", taken_at=NOON)
        tick(NOON + LEASE - timedelta(minutes=1))
        assert len(letters_to(bee)) == turn
        if turn == 2:
            Delivery.objects.filter(pk=one.pk).update(last_error=INTERRUPTED)
        tick(NOON + LEASE + timedelta(minutes=1))
        assert delivery_states(bee) == expected
    assert len(letters_to(bee)) == 2
    assert len({letter.extra_headers["Message-ID"] for letter in letters_to(bee)}) == 1


def test_letters_are_in_the_readers_language_and_zone(
    grand_table: GrandTable, confirm_address: Callable[..., Any]
) -> None:
    roman = confirm_address(grand_table.people["roman"])
    roman.language, roman.time_zone = "it", "Asia/Tokyo"
    roman.save()
    Notice.objects.filter(user=roman).update(at=datetime.fromisoformat("2031-03-10T12:00+00:00"))
    tick(NOON)
    tick(NOON + 30 * HOUR)
    text = "".join(letter.body for letter in letters_to(roman)).lower()
    assert "10 marzo 2031, 21:00 (asia/tokyo)" in text
    assert "turn 1 opens" not in text


def test_secrets_of_others_are_in_no_letter(
    new_campaign: Callable[..., GrandTable], confirm_address: Callable[..., Any]
) -> None:
    """Two campaigns differ in a hidden card; all other users get the same letters."""
    sent = []
    for card in ("spy", "chancellor"):
        outbox.outbox.clear()
        grand_table = new_campaign(hands="hidden", name="Hidden")
        for user in grand_table.people.values():
            EmailAddress.objects.get_or_create(
                user=user, email=user.email, verified=True, primary=True
            )
        grand_table.play("gm", "start")
        grand_table.play("gm", "give-card", nation="romans", card=card, reason="For the test")
        tick(NOON)
        tick(NOON + 30 * HOUR)
        sent.append(
            [
                re.sub(r"/(notices|unsubscribe)/[^/]+/", "/…/", letter.body)
                for letter in letters_to(grand_table.people["hun"])
            ]
        )
    assert sent[0] == sent[1] != []
