"""Webhooks: every public entry in order, at least once, signed, and nothing else (decision 26)."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from datetime import timezone as tz
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from standardwebhooks import Webhook as Standard
from standardwebhooks import WebhookVerificationError

from campaign import keys
from campaign.hosting.host_acts import erase_person
from campaign.log.talk import talk
from notices import webhooks
from notices.channels.services import ChannelError
from notices.models import Notice, Webhook, WebhookDelivery
from notices.wording import notices_in_words
from outgoing.client import Client as Visitor
from tests.outgoing.servers import Server, says, serving

pytestmark = pytest.mark.django_db
State = WebhookDelivery.State
CHECK: dict[str, Any] = {}
exec(webhooks.CHECK_EXAMPLE, CHECK)  # as its reader would run it
genuine = CHECK["genuine"]


class Program:
    """A listener that answers with `statuses` first, then 200.

    0 closes the connection without an answer.
    """

    def __init__(self, server: Server, statuses: list[int]) -> None:
        self.server, self.statuses = server, statuses

    @property
    def url(self) -> str:
        return f"{self.server.url}/hook?key=s3cret"

    @property
    def received(self) -> list[tuple[dict[str, str], bytes]]:
        """Headers and body of each request, in order."""
        created = []
        for asked in self.server.asked:
            head, _, body = asked.partition(b"\r\n\r\n")
            lines = [line.split(": ", 1) for line in head.decode().split("\r\n")[1:]]
            created.append(({name.lower(): value for name, value in lines}, body))
        return created

    @property
    def numbers(self) -> list[list[int]]:
        return [
            [entry["number"] for entry in json.loads(body)["entries"]]
            for _headers, body in self.received
        ]


@pytest.fixture
def program(settings: Any) -> Iterator[Program]:
    settings.OUTSIDE_INSECURE = True
    statuses: list[int] = []

    def behave(wire: Any, shown: bytes) -> None:
        status = statuses.pop(0) if statuses else 200
        if status:
            says(b"", f"{status} So")(wire, shown)

    with serving(behave) as server:
        yield Program(server, statuses)


@pytest.fixture
def hook(running: Any, program: Program) -> Webhook:
    return webhooks.add(running.campaign, running.gm, program.url)[0]


def later(**given: float) -> Any:
    return timezone.now() + timedelta(**given)


def test_what_is_said_from_then_on_arrives_once_in_order_and_signed(
    running: Any, program: Program, settings: Any
) -> None:
    hook, secret = webhooks.add(running.campaign, running.gm, program.url)
    before = running.campaign.last_number
    assert webhooks.tick(timezone.now()) == 0
    running.play("bee", "add", stones=1)
    running.play("bee", "end")
    assert webhooks.tick(timezone.now()) == 1
    assert webhooks.tick(timezone.now()) == 0
    ((headers, body),) = program.received
    assert program.numbers == [list(range(before + 1, running.campaign.last_number + 1))]
    content = json.loads(body)
    assert (
        content["id"]
        == headers["tabula-delivery"]
        == f"{hook.key}-{before + 1}-{running.campaign.last_number}"
    )
    assert (headers["content-type"], content["type"]) == ("application/json", "entries")
    assert content["campaign"] == {
        "ref": running.campaign.address,
        "name": "The Heap",
        "title": "heap",
        "status": "running",
        "turn": running.campaign.turn,
        "active_seat": "ant",
        "url": f"http://127.0.0.1:8000/c/{running.campaign.address}/",
    }
    first = content["entries"][0]
    assert first["said"] == {"by": "bee", "move": "add", "stones": 1}
    assert (first["kind"], first["seat"], first["struck_by"]) == ("move", "bee", None)
    assert first["url"] == f"http://127.0.0.1:8000/c/{running.campaign.address}/e/{before + 1}/"
    assert genuine(secret, headers["tabula-signature"], body)
    assert not genuine(secret, headers["tabula-signature"], body + b" ")
    assert not genuine("whsec_other", headers["tabula-signature"], body)
    old = webhooks.signature(secret, body, later(minutes=-6))
    assert not genuine(secret, old, body)
    assert webhooks.CHECK_EXAMPLE in (settings.BASE_DIR / "docs" / "programs" / "api.md").read_text(
        "utf-8"
    )
    assert Standard(secret).verify(body, headers) == content
    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        Standard(secret).verify(body + b" ", headers)


def test_a_secret_of_before_signs_as_before_and_for_libraries_too() -> None:
    secret, body, now = "whsec_" + "a-b_" * 10 + "xyz", b'{"id":"k"}', timezone.now()
    sent = webhooks.headers(secret, "k", body, now)
    assert genuine(secret, sent["Tabula-Signature"], body)
    Standard(base64.urlsafe_b64decode("a-b_" * 10 + "xyz=")).verify(body, sent)
    old = webhooks.headers(secret, "k", body, now - timedelta(minutes=6))
    with pytest.raises(WebhookVerificationError, match="too old"):
        Standard(base64.urlsafe_b64decode("a-b_" * 10 + "xyz=")).verify(body, old)
    east = now.astimezone(tz(timedelta(hours=5)))
    assert webhooks.headers(secret, "k", body, east) == sent


def test_an_undo_is_told_as_an_act_and_what_it_struck_is_said_to_be(
    running: Any, program: Program, hook: Webhook
) -> None:
    start = running.campaign.last_number
    running.play("bee", "add", stones=1)
    webhooks.tick(timezone.now())
    running.undo(start)
    running.play("bee", "add", stones=1)
    webhooks.tick(timezone.now())
    first, second = (json.loads(body)["entries"] for _headers, body in program.received)
    assert [entry["struck_by"] for entry in first] == [None]
    assert second[0]["said"] == {"act": "undo", "after": start, "reason": "A slip"}
    assert (second[1]["number"], second[1]["said"]["move"]) == (start + 3, "add")


def test_nothing_hidden_is_told_and_nothing_moves_by_it(
    running: Any, program: Program, hook: Webhook
) -> None:
    running.play("bee", "hide", secret=7)
    assert running.campaign.entries.filter(audience__isnull=False).count() == 1
    assert webhooks.tick(later(hours=1)) == 0
    assert program.received == []
    running.play("bee", "end")
    webhooks.tick(timezone.now())
    assert b"hide" not in program.received[0][1]
    assert program.numbers == [[running.campaign.last_number]]


@pytest.mark.parametrize("status", [0, 500, 302])
def test_what_is_not_taken_comes_again_the_same_under_the_same_id(
    running: Any, program: Program, hook: Webhook, status: int
) -> None:
    program.statuses[:] = [status, 200]
    running.play("bee", "add", stones=1)
    assert webhooks.tick(timezone.now()) == 1
    running.play("bee", "end")
    assert webhooks.tick(timezone.now()) == 0  # not at once
    delivery = WebhookDelivery.objects.get()
    assert (delivery.state, delivery.status, delivery.attempts) == (State.FAILED, status or None, 1)
    assert "127.0.0.1" in delivery.error
    assert "s3cret" not in delivery.error
    assert webhooks.tick(later(minutes=2)) == 2  # the same entry, then the next
    one = running.campaign.last_number
    assert program.numbers == [[one - 1], [one - 1], [one]]
    ids = [headers["tabula-delivery"] for headers, _body in program.received]
    assert ids[0] == ids[1] != ids[2]
    hook.refresh_from_db()
    assert (hook.failures, hook.last_error, hook.failing_since, hook.upto) == (0, "", None, one)


def test_fifty_a_request_and_what_was_said_while_it_was_off_comes_too(
    running: Any, program: Program, hook: Webhook
) -> None:
    webhooks.switch(hook, on=False)
    for number in range(55):
        talk(running.campaign, running.people["bee"], f"Word {number}")
    running.reload()
    assert webhooks.tick(timezone.now()) == 0
    webhooks.switch(hook, on=True)
    assert webhooks.tick(timezone.now()) == 2
    assert [len(some) for some in program.numbers] == [50, 5]
    assert [number for some in program.numbers for number in some] == list(
        range(hook.upto + 1, running.campaign.last_number + 1)
    )


def test_after_days_of_failures_it_is_switched_off_and_its_game_masters_read_so(
    running: Any, program: Program, hook: Webhook
) -> None:
    running.play("bee", "add", stones=1)
    begun, hours, tried = timezone.now(), 0, 0
    program.statuses[:] = [500] * 100
    while hours < 24 * 5:
        tried += webhooks.tick(begun + timedelta(hours=hours))
        hours += 3
    hook.refresh_from_db()
    assert (hook.active, hook.off_why) == (False, "127.0.0.1 answered 500.")
    assert 12 <= tried <= 24
    assert WebhookDelivery.objects.get().attempts == tried
    client = Client()
    client.force_login(running.gm)
    assert f"/c/{running.campaign.address}/webhooks/" in client.get("/notices/").content.decode()
    client.force_login(running.people["bee"])
    assert "/webhooks/" not in client.get("/notices/").content.decode()


def test_gone_is_gone_at_once(running: Any, program: Program, hook: Webhook) -> None:
    program.statuses[:] = [410]
    running.play("bee", "add", stones=1)
    webhooks.tick(timezone.now())
    hook.refresh_from_db()
    assert (hook.active, hook.off_why) == (False, "127.0.0.1 answered 410.")


def test_switched_off_by_itself_it_rings_for_the_game_masters_until_one_has_seen_to_it(
    running: Any, program: Program, hook: Webhook
) -> None:
    off = Notice.objects.filter(kind="webhook-off", read_at=None)
    program.statuses[:] = [500, 410, 410]
    running.play("bee", "add", stones=1)
    webhooks.tick(timezone.now())
    assert not off.exists(), "it is tried again"
    webhooks.tick(later(hours=1))
    (one,) = notices_in_words(off.all())
    assert (one.notice.user, one.title, one.notice.facts) == (
        running.gm,
        "A webhook is switched off",
        {},
    )
    client = Client()
    client.force_login(running.gm)
    assert (
        client.get(f"/notices/{one.notice.pk}/")["Location"]
        == f"/c/{running.campaign.address}/webhooks/"
    )
    off.model.objects.update(read_at=None)
    webhooks.switch(hook, on=True)
    assert not off.exists()
    webhooks.tick(later(hours=2))
    assert off.count() == 1, "another time is another notice"
    webhooks.remove(hook)
    assert not off.exists()


def test_switching_a_webhook_off_during_a_delivery_notifies_no_one(
    running: Any, program: Program, hook: Webhook
) -> None:
    running.play("bee", "add", stones=1)
    now = timezone.now()
    taken = webhooks.take_webhook(now, now)
    assert taken is not None
    webhooks.switch(hook, on=False)
    webhooks.store_outcome(*taken, webhooks.Outcome(410, "gone"), now)
    hook.refresh_from_db()
    assert (hook.active, hook.off_why, Notice.objects.filter(kind="webhook-off").count()) == (
        False,
        "",
        0,
    )


def test_the_same_forms_pressed_twice(running: Any, hook: Webhook) -> None:
    """A new secret is made only once, or the one that was shown would be invalid.

    The second request ends like the first.
    """
    client, path = Client(), f"/c/{running.campaign.address}/webhooks/"
    client.force_login(running.gm)
    for do in ("off", "on", "secret"):
        answers = [
            client.post(path, {"do": do, "webhook": str(hook.pk)}).status_code for _ in range(2)
        ]
        assert answers == [302, 302], do
    hook.refresh_from_db()
    (secret,) = re.findall(r"whsec_\w{44}", client.get(path).content.decode())
    assert (hook.active, keys.unseal(hook.secret)) == (True, secret)
    answers = [
        client.post(path, {"do": "remove", "webhook": str(hook.pk)}).status_code for _ in range(2)
    ]
    assert answers == [302, 422], "it is gone, and says so"
    for nonsense in (
        {"do": "on", "webhook": "x"},
        {"do": "off"},
        {"do": "test", "webhook": "9" * 40},
    ):
        assert client.post(path, nonsense).status_code == 422
    assert client.post(path, {"do": "nothing"}).status_code == 200


def test_a_dead_workers_delivery_is_taken_over_after_its_lease(
    running: Any, program: Program, hook: Webhook
) -> None:
    running.play("bee", "add", stones=1)
    now = timezone.now()
    taken = webhooks.take_webhook(now, now)
    assert taken is not None
    assert webhooks.tick(now) == 0
    assert webhooks.tick(now + timedelta(minutes=3)) == 1
    webhooks.store_outcome(*taken, webhooks.Outcome(500, "late"), now)
    hook.refresh_from_db()
    assert (hook.upto, hook.failures) == (running.campaign.last_number, 0)


def test_a_suspended_campaign_sends_nothing(running: Any, program: Program, hook: Webhook) -> None:
    running.play("bee", "add", stones=1)
    type(running.campaign).objects.update(suspended=True)
    assert webhooks.tick(timezone.now()) == 0


def test_taken_away_its_secrets_are_gone_and_nothing_is_sent(
    running: Any, program: Program, hook: Webhook
) -> None:
    running.play("bee", "add", stones=1)
    now = timezone.now()
    taken = webhooks.take_webhook(now, now)
    assert taken is not None
    webhooks.remove(hook)
    webhooks.store_outcome(*taken, webhooks.Outcome(200, ""), now)
    row = Webhook.objects.get()
    assert (row.sealed, row.secret, row.host, row.upto) == ("", "", "", hook.upto)
    assert webhooks.tick(later(days=1)) == 0
    assert program.received == []


def test_webhooks_of_an_erased_user_are_deleted(
    running: Any, program: Program, hook: Webhook
) -> None:
    shown = erase_person(running.gm, running.people["stranger"], now=timezone.now())
    assert "1 webhooks" in shown
    assert (Webhook.objects.get().sealed, Webhook.objects.get().host) == ("", "")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://example.org/x",
        "https://user:pass@example.org/",
        "ftp://example.org",
        "https://example.org:22/",
        "https://10.0.0.5:8443/x",
        "https://[::1]/x",
        "https://2130706434/x",
        "https://localhost/x",
        "https://" + "x" * 600,
    ],
)
def test_no_address_of_another_kind(running: Any, address: str) -> None:
    with pytest.raises(ChannelError) as wrong:
        webhooks.add(running.campaign, running.gm, address)
    assert wrong.value.field == "address"


def test_no_name_that_leads_to_a_place_that_is_not_public(running: Any) -> None:
    """A name is looked up when something is sent, each time anew."""
    webhooks.add(running.campaign, running.gm, "https://bot.example:8443/x")
    running.play("bee", "add", stones=1)
    webhooks.tick(timezone.now(), client=lambda: Visitor(resolver=lambda host, port: ["10.0.0.5"]))
    assert "not a public address" in Webhook.objects.get().last_error


# The page -----------------------------------------------------------------------------------------


def test_the_page(running: Any, program: Program, django_assert_max_num_queries: Any) -> None:
    client, path = Client(), f"/c/{running.campaign.address}/webhooks/"
    client.force_login(running.gm)
    page = client.get(path).content.decode()
    assert "No webhooks yet." in page
    assert 'type="password"' not in page, "a paste can be looked at"
    for _ in range(2):  # pressed twice
        assert client.post(path, {"do": "add", "address": program.url}).status_code == 302
    hook = Webhook.objects.get()
    assert "whsec_" not in str(dict(client.session))
    page = client.get(path).content.decode()
    (secret,) = re.findall(r"whsec_\w{44}", page)
    assert keys.unseal(hook.secret) == secret
    with django_assert_max_num_queries(12):
        page = client.get(path).content.decode()
    assert "whsec_" not in page
    assert "s3cret" not in page
    assert "hmac.compare_digest" in page
    assert f"&quot;number&quot;: {running.campaign.last_number}" in page
    answer = client.post(
        path, {"do": "test", "webhook": str(hook.pk)}, follow=True
    ).content.decode()
    assert "The test arrived at 127.0.0.1." in answer
    ((headers, body),) = program.received
    assert (json.loads(body)["type"], json.loads(body)["entries"]) == ("test", [])
    assert genuine(secret, headers["tabula-signature"], body)
    client.post(path, {"do": "secret", "webhook": str(hook.pk)})
    assert client.get(path).content.decode().count("whsec_") == 1
    program.statuses[:] = [500]
    failed = client.post(path, {"do": "test", "webhook": str(hook.pk)})
    assert (failed.status_code, "127.0.0.1 answered 500." in failed.content.decode()) == (422, True)
    assert not genuine(secret, program.received[1][0]["tabula-signature"], program.received[1][1])
    refused = client.post(path, {"do": "add", "address": "https://10.0.0.5/s3cret"})
    assert (
        refused.status_code,
        "10.0.0.5 is not a public address" in refused.content.decode(),
    ) == (422, True)
    assert "s3cret" not in refused.content.decode()
    for number in range(2):
        client.post(path, {"do": "add", "address": f"{program.url}{number}"})
    full = client.post(path, {"do": "add", "address": f"{program.url}more"})
    assert (full.status_code, Webhook.objects.count()) == (422, 3)
    client.post(path, {"do": "remove", "webhook": str(hook.pk)})
    assert webhooks.webhooks_of_campaign(running.campaign).count() == 2
    assert client.post(path, {"do": "test", "webhook": str(hook.pk)}).status_code == 422


def test_only_game_masters_and_only_their_own(
    running: Any, program: Program, hook: Webhook
) -> None:
    client, path = Client(), f"/c/{running.campaign.address}/webhooks/"
    for who in ("bee", "stranger"):
        client.force_login(running.people[who])
        assert client.get(path).status_code == 403
        for do in ("add", "test", "secret", "on", "off", "remove"):
            assert (
                client.post(
                    path, {"do": do, "webhook": str(hook.pk), "address": program.url}
                ).status_code
                == 403
            )
    assert program.received == []
    hook.refresh_from_db()
    assert (hook.active, Webhook.objects.count()) == (True, 1)


def test_a_former_member_gets_no_entries_of_a_members_only_campaign(
    running: Any, hook: Webhook, program: Program
) -> None:
    held = running.campaign.memberships.filter(user=running.gm)
    held.update(until=timezone.now())
    running.campaign.visibility = "members"
    running.campaign.save(update_fields=["visibility"])
    running.play("bee", "add", stones=1)
    assert (webhooks.tick(timezone.now()), program.received) == (0, [])
    running.campaign.memberships.create(
        user=running.people["stranger"], role="co_game_master", since=timezone.now()
    )
    client, path = Client(), f"/c/{running.campaign.address}/webhooks/"
    client.force_login(running.people["stranger"])
    silent = f"{running.gm.username} is no longer a member of this campaign"
    assert silent in client.get(path).content.decode()
    held.update(until=None)
    assert silent not in client.get(path).content.decode()
    assert webhooks.tick(timezone.now()) == 1
