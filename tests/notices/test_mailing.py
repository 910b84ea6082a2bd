"""E-mails that a request asks for, as rows that the worker sends; no mail server delays a page."""

from __future__ import annotations

import logging
import re
import socket
import threading
from collections.abc import Callable
from datetime import timedelta
from email import message_from_string
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db import transaction
from django.test import Client
from django.utils import timezone

from config.celery import app
from config.logs import AdminMailHandler
from notices import delivery, mailing
from notices.channels.services import email_channel, try_out
from notices.models import Delivery, RequestedMail
from tests.conftest import confirm
from tests.notices.mail_servers import mail_server
from tests.people.test_sign_in import FORM

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _worker_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the worker is another process: a test calls `mailing.tick` in its place."""
    monkeypatch.setattr(mailing, "soon", lambda: None)


@pytest.fixture
def reach(settings: Any) -> Callable[[int], None]:
    def at(port: int) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 1

    return at


def sign_up(client: Client, number: int = 0) -> Any:
    form = {**FORM, "username": f"Ingrid{number}", "email": f"ingrid{number}@example.org"}
    return client.post("/sign-up/", form)


def all_text() -> str:
    """Return every column of every waiting row, as a copy of the database shows it."""
    return repr(list(RequestedMail.objects.values()))


# A mail server that never answers -----------------------------------------------------------------


def test_a_silent_mail_server_holds_no_request(person: Person, reach: Any) -> None:
    """Sign-up, reset, code and sign-in notice answer at once; nothing has called the server."""
    person("Berta")
    with mail_server(silent=True) as server:
        reach(server.server_address[1])
        assert sign_up(Client()).status_code == 302
        assert Client().post("/password/", {"email": "berta@example.org"}).status_code == 302
        assert Client().post("/sign-in/code/", {"email": "Berta"}).status_code == 302
        assert (server.calls, RequestedMail.objects.count()) == (0, 3)
        assert mailing.tick(timezone.now()) == 1
        assert server.calls == 1, "a silent server is waited for once in a tick"
    first, *others = RequestedMail.objects.order_by("-attempts", "pk")
    assert (first.attempts, first.taken_at, [delivery.attempts for delivery in others]) == (
        1,
        None,
        [0, 0],
    )
    assert timedelta(seconds=40) < first.next_at - timezone.now() <= timedelta(seconds=61)


def test_letters_about_notices_wait_for_a_silent_server_once_in_a_tick(
    running: Any, confirm_address: Callable[..., Any], reach: Any
) -> None:
    for name in ("ant", "bee", "gm"):
        try_out(email_channel(confirm_address(running.people[name])))
    with mail_server(silent=True) as server:
        reach(server.server_address[1])
        delivery.tick(timezone.now())
        assert server.calls == 1
    tried = Delivery.objects.filter(attempts=1, state="waiting")
    assert tried.count() >= 3
    assert set(tried.values_list("last_error", flat=True)) == {
        "Our mail server did not accept the e-mail."
    }


def test_a_letter_to_admins_holds_no_request(
    reach: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that breaks writes to ADMINS: it is answered before the mail server is."""
    monkeypatch.undo()
    settings.ADMINS = [("Host", "host@example.org")]
    record = logging.LogRecord("campaign.pulse", logging.ERROR, __file__, 1, "Broken", (), None)
    with mail_server(silent=True) as server:
        reach(server.server_address[1])
        AdminMailHandler().emit(record)
        (thread,) = [
            thread for thread in threading.enumerate() if thread.name == "letter to ADMINS"
        ]
        thread.join(10)
        assert server.calls == 1


# A mail server that refuses -----------------------------------------------------------------------


def test_a_refused_address_breaks_no_page_and_is_not_tried_again(
    reach: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        mail_server("550 5.1.1 no such user") as server,
        caplog.at_level(logging.WARNING, "notices.mailing"),
    ):
        reach(server.server_address[1])
        assert sign_up(Client()).status_code == 302
        assert mailing.tick(timezone.now()) == 1
        assert server.taken == []
    assert not RequestedMail.objects.exists()
    assert [
        record.getMessage()
        for record in caplog.records
        if "refuses the address" in record.getMessage()
    ]
    assert "ingrid0@example.org" not in caplog.text


def test_a_busy_mail_server_is_asked_again_and_then_takes_the_same_letter_once(reach: Any) -> None:
    now = timezone.now()
    with mail_server("450 4.2.1 later") as server:
        reach(server.server_address[1])
        sign_up(Client())
        mailing.tick(timezone.now())
        assert (server.taken, RequestedMail.objects.get().attempts) == ([], 1)
        assert mailing.tick(now + timedelta(seconds=30)) == 0
        server.reply = "250 OK"
        assert mailing.tick(now + timedelta(minutes=2)) == 1
        assert len(server.taken) == 1
    letter = message_from_string(server.taken[0])
    assert (letter["To"], letter["Subject"]) == (
        "ingrid0@example.org",
        "Confirm your address at Tabula",
    )
    assert not RequestedMail.objects.exists()


def test_an_e_mail_that_is_refused_for_its_content_holds_no_others(reach: Any) -> None:
    with mail_server() as server:
        reach(server.server_address[1])
        server.spam = "ingrid0@example.org"
        sign_up(Client(), 0)
        sign_up(Client(), 1)
        assert mailing.tick(timezone.now()) == 2
        assert server.calls == 1
    assert [message_from_string(text)["To"] for text in server.taken] == ["ingrid1@example.org"]
    waiting = RequestedMail.objects.get()
    assert (waiting.attempts, waiting.taken_at) == (1, None)


def test_an_e_mail_that_cannot_be_written_holds_no_others(reach: Any) -> None:
    with mail_server() as server:
        reach(server.server_address[1])
        mailing.enqueue(EmailMessage("two\nlines", "text", None, ["ingrid0@example.org"]))
        sign_up(Client(), 1)
        assert mailing.tick(timezone.now()) == 2
    assert [message_from_string(text)["To"] for text in server.taken] == ["ingrid1@example.org"]
    assert RequestedMail.objects.get().attempts == 1


def test_a_mail_server_that_is_away_gives_no_500(person: Person, reach: Any) -> None:
    person("Berta")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    reach(port)
    assert sign_up(Client()).status_code == 302
    page = Client().post("/password/", {"email": "berta@example.org"}, follow=True).content.decode()
    assert "we have sent it a link" in page
    assert mailing.tick(timezone.now()) == 1
    assert RequestedMail.objects.count() == 2


# Stored rows, and their lifetime -----------------------------------------------------------------


def test_the_row_holds_no_readable_code_and_is_deleted_once_sent(
    client: Client, person: Person
) -> None:
    confirm(person("Berta"))
    client.post("/sign-in/code/", {"email": "Berta"})
    row = RequestedMail.objects.get()
    match = re.search(r"^\s*([A-Z0-9-]{6,12})\s*$", mailing.unseal_message(row).body, re.MULTILINE)
    assert match
    assert match[1] not in all_text()
    assert "berta@example.org" not in all_text()
    assert row.expires_at - row.made_at == timedelta(minutes=15)
    assert mailing.tick(timezone.now()) == 1
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["berta@example.org"], "Your code for Tabula")
    assert not RequestedMail.objects.exists()


def test_a_code_that_has_expired_is_deleted_unsent(
    client: Client, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    confirm(person("Berta"))
    client.post("/sign-in/code/", {"email": "Berta"})
    assert mailing.tick(timezone.now() + timedelta(minutes=16)) == 0
    assert (mail.outbox, RequestedMail.objects.count()) == ([], 0)
    assert "1 requested e-mails have expired unsent" in caplog.text


def test_a_sign_up_that_is_rolled_back_sends_no_letter(client: Client) -> None:
    class Broken(Exception):
        pass

    def broken_half_way() -> None:
        with transaction.atomic():
            sign_up(client)
            assert RequestedMail.objects.count() == 1
            raise Broken

    with pytest.raises(Broken):
        broken_half_way()
    assert not RequestedMail.objects.exists()


def test_a_row_that_a_dead_worker_holds_is_taken_again_after_its_lease(client: Client) -> None:
    sign_up(client)
    now = timezone.now()
    RequestedMail.objects.update(taken_at=now, attempts=1)
    assert mailing.tick(now + timedelta(minutes=4)) == 0
    assert mailing.tick(now + timedelta(minutes=6)) == 1
    assert len(mail.outbox) == 1


def test_after_the_last_attempt_the_letter_is_given_up(
    client: Client, reach: Any, caplog: pytest.LogCaptureFixture
) -> None:
    sign_up(client)
    RequestedMail.objects.update(attempts=len(mailing.BACK_OFF))
    with mail_server("450 later") as server:
        reach(server.server_address[1])
        mailing.tick(timezone.now())
    assert not RequestedMail.objects.exists()
    assert "was given up after 12 attempts" in caplog.text


def test_codes_have_a_queue_of_their_own(
    monkeypatch: pytest.MonkeyPatch, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.undo()
    with app.connection_for_read() as broker:
        queue = broker.SimpleQueue("mail")
        queue.clear()
        with django_capture_on_commit_callbacks(execute=True):
            sign_up(client)
        message = queue.get(timeout=10)
        assert (message.headers["task"], message.payload[0]) == ("work", ["mail"])
        message.ack()


def test_a_test_of_ones_letters_is_on_its_way(
    client: Client, running: Any, confirm_address: Callable[..., Any]
) -> None:
    bee = confirm_address(running.people["bee"])
    box = email_channel(bee)
    client.force_login(bee)
    page = client.post(
        "/me/notices/", {"do": "test", "channel": str(box.pk)}, follow=True
    ).content.decode()
    assert "A test message is on its way to" in page
    assert mail.outbox == []
    delivery.tick(timezone.now())
    assert "This is a test." in [letter.subject for letter in mail.outbox]
