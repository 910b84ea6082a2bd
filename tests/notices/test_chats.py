"""Discord, Telegram and Slack: valid and invalid addresses, delivered messages, and secrets."""

from __future__ import annotations

import logging
import re
import socket
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.test import Client

from campaign.errors import NotAllowed
from config.logs import MaskingFormatter
from notices.channels import NotSent, chat, discord, services, slack, telegram
from notices.channels.addresses import BadAddress, parse_address
from notices.channels.discord import Discord
from notices.channels.registry import BY_KEY
from notices.channels.services import ChannelError
from notices.delivery import LEASE, MOST_FAILURES, tick
from notices.models import Channel, Delivery, Service
from people import services as people_services
from tests.notices.conftest import DISCORD, NOON, SLACK, TELEGRAM
from tests.notices.server import Chats

pytestmark = pytest.mark.django_db

TOKENS = (
    "abcDEF_-0123456789abcdefghijklmnopqrstuvwxyz",
    "TIiajkdnlazkcOXrIdevi7FQ",
    "abcdefg_hijklmnop-qrstuvwx",
)


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        (DISCORD, "discord://123456789012345678/abcDEF_-0123456789abcdefghijklmnopqrstuvwxyz"),
        (
            f" {DISCORD}/ ",
            "discord://123456789012345678/abcDEF_-0123456789abcdefghijklmnopqrstuvwxyz",
        ),
        (
            DISCORD.replace("discord.com/api", "canary.discordapp.com/api/v10"),
            parse_address(DISCORD).url,
        ),
        (parse_address(DISCORD).url, parse_address(DISCORD).url),
        (SLACK, "slack://T1JJ3T3L2/B1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"),
        (TELEGRAM, TELEGRAM),
    ],
)
def test_addresses_that_are_served(typed: str, url: str) -> None:
    assert parse_address(typed).url == url


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ("json://127.0.0.1:8000/admin", "json:// are not supported"),
        ("xml://10.0.0.1/", "xml:// are not supported"),
        ("file:///etc/passwd", "file:// are not supported"),
        ("mailto://user:pass@example.org", "mailto:// are not supported"),
        ("apprise://localhost/key", "apprise:// are not supported"),
        ("http://169.254.169.254/latest/meta-data/", "not an address of Discord or Slack"),
        (
            "https://example.org/api/webhooks/123456789012345678/abcDEF_-0123456789abcdefghij",
            "not an address of Discord or Slack",
        ),
        (
            "https://discord.com.example.org/api/webhooks/123456789012345/abcDEF_-0123456789abcdefghij",
            "not an address of Discord or Slack",
        ),
        (
            "https://discord.com@127.0.0.1/api/webhooks/123456789012345678/abcDEF_-0123456789abcdefghij",
            "incomplete",
        ),
        ("http" + DISCORD[5:], "not an address of Discord or Slack"),
        (DISCORD + "?template=http://127.0.0.1/", "cannot have options"),
        (
            "discord://123456789012345678/abcDEF_-0123456789abcdefghij/?avatar_url=http://127.0.0.1/",
            "cannot have options",
        ),
        (DISCORD + "/../../../users/@me", "incomplete"),
        ("https://hooks.slack.com/services/T1/B2", "incomplete"),
        ("tgram://123456789:abcdefg_hijklmnop-qrstuvwx/", "incomplete"),
        ("tgram://123456789:abcdefg_hijklmnop-qrstuvwx/-100123/@all", "incomplete"),
        ("", "address is not supported"),
        ("a b", "address is not supported"),
        ("x" * 600, "address is not supported"),
        (DISCORD + "\u202e", "address is not supported"),
    ],
)
def test_addresses_that_are_not(typed: str, content: str) -> None:
    with pytest.raises(BadAddress) as refused:
        parse_address(typed)
    assert content in str(refused.value)
    assert not any(token in str(refused.value) for token in TOKENS)


def test_a_channel_is_added_confirmed_and_told(running: Any, chats: Chats) -> None:
    bee, client = running.people["bee"], Client()
    client.force_login(bee)
    page = client.post(
        "/me/notices/", {"do": "add", "address": DISCORD, "name": "Our table"}, follow=True
    ).content.decode()
    assert "We have sent a code to Our table" in page
    (channel,) = Channel.objects.filter(user=bee, service="discord")
    assert channel.confirmed_at is None
    assert [path for _m, path, _b in chats.asked] == [DISCORD.removeprefix("https://discord.com")]
    (code,) = re.findall(r"\b\d{6}\b", chats.content[0])
    tick(NOON)
    assert len(chats.asked) == 1  # nothing but its code goes to one that is not confirmed
    running.play("bee", "end")
    wrong = "111111" if code != "111111" else "222222"
    answer = client.post(
        "/me/notices/", {"do": "confirm", "channel": str(channel.pk), "code": wrong}
    )
    assert (
        answer.status_code,
        "This is not the code that was sent there" in answer.content.decode(),
    ) == (
        422,
        True,
    )
    client.post("/me/notices/", {"do": "confirm", "channel": str(channel.pk), "code": code})
    running.play("ant", "end")
    tick(NOON + timedelta(hours=1))
    assert chats.content[-1].startswith("\\[The Heap] Your turn is open, The Bee: 4 actions\nTurn ")
    assert re.search(r"<http://127\.0\.0\.1:8000/notices/\d+/>$", chats.content[-1])
    for path in ("/me/notices/", "/me/", "/notices/"):
        shown = client.get(path).content.decode()
        assert not any(token in shown for token in TOKENS)
    assert not any(token in channel.sealed for token in TOKENS)
    client.post("/me/notices/", {"do": "remove", "channel": str(channel.pk)})
    channel.refresh_from_db()
    assert (channel.active, channel.sealed, channel.removed_at is None) == (False, "", False)


def test_five_wrong_codes_are_enough(running: Any, chats: Chats) -> None:
    channel = services.add(running.people["bee"], SLACK, "")
    (code,) = re.findall(r"\b\d{6}\b", chats.content[0])
    for _n in range(5):
        with pytest.raises(ChannelError):
            services.confirm(channel, "no")
    with pytest.raises(ChannelError, match="Too many"):
        services.confirm(channel, code)
    services.resend_code(channel)
    services.confirm(channel, re.findall(r"\b\d{6}\b", chats.content[1])[0])
    assert Channel.objects.get(pk=channel.pk).confirmed_at is not None


def test_one_that_nothing_reaches_is_not_added(running: Any, chats: Chats) -> None:
    chats.answers = [404]
    with pytest.raises(ChannelError, match=r"Discord refused the notice \(404\)"):
        services.add(running.people["bee"], DISCORD, "")
    assert not Channel.objects.exists()


def test_no_one_changes_another_users_channel(
    running: Any, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    own, client = make_channel(running.people["bee"]), Client()
    client.force_login(running.people["ant"])
    for do in ("test", "off", "remove", "confirm", "again", "hour"):
        page = client.post("/me/notices/", {"do": do, "channel": str(own.pk), "hour": "3"})
        assert page.status_code == 422
    client.post("/me/notices/", {"do": "wishes", f"how-{own.pk}-next": "now"})
    own.refresh_from_db()
    assert (own.active, own.removed_at, own.preferences.count(), chats.asked) == (True, None, 0, [])


def test_pressed_twice_one_is_added(running: Any, chats: Chats) -> None:
    """Of one's own and of a campaign; refused, the form may come again."""
    client = Client()
    client.force_login(running.gm)
    for page in ("/me/notices/", f"/c/{running.campaign.address}/channels/"):
        assert [client.post(page, {"do": "add", "address": "x"}).status_code for _ in range(2)] == [
            422,
            422,
        ]
        answers = [
            client.post(page, {"do": "add", "address": DISCORD, "name": "Our table"})
            for _ in range(2)
        ]
        assert [answer["Location"] for answer in answers] == [page, page]
    assert Channel.objects.filter(service="discord").count() == 2
    assert len(chats.asked) == 2


def test_guests_and_demonstration_users_have_none(
    running: Any, chats: Chats, settings: Any
) -> None:
    with pytest.raises(NotAllowed):
        services.add(people_services.make_guest(), DISCORD, "")
    bee = running.people["bee"]
    bee.demo = True
    bee.save()
    with pytest.raises(ChannelError):
        services.add(bee, DISCORD, "")
    client = Client()
    client.force_login(bee)
    assert (
        "Nothing is sent to demonstration users"
        in client.post("/me/notices/", {"do": "add", "address": DISCORD}).content.decode()
    )
    assert chats.asked == []


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (DISCORD, "\\*a\\* @\u200beveryone \\<!x> &"),
        (SLACK, "*a* @\u200beveryone &lt;!x&gt; &amp;"),
        (TELEGRAM, "*a* @\u200beveryone &lt;!x&gt; &amp;"),
    ],
)
def test_typed_text_is_no_markup_and_mentions_no_one(chats: Chats, typed: str, shown: str) -> None:
    address = parse_address(typed)
    chat.send(address, address.service.plain("*a* @everyone <!x> &"))
    assert chats.content == [shown]


@pytest.mark.parametrize(
    ("typed", "path", "body"),
    [
        (
            DISCORD,
            "/api/webhooks/123456789012345678/abcDEF_-0123456789abcdefghijklmnopqrstuvwxyz",
            {
                "content": "Two & two\nhttps://example.org/",
                "allowed_mentions": {"parse": []},
                "flags": 4,
            },
        ),
        (
            SLACK,
            "/services/T1JJ3T3L2/B1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ",
            {
                "text": "Two &amp; two\nhttps://example.org/",
                "mrkdwn": False,
                "unfurl_links": False,
                "unfurl_media": False,
            },
        ),
        (
            TELEGRAM,
            "/bot123456789:abcdefg_hijklmnop-qrstuvwx/sendMessage",
            {
                "chat_id": -1001234567,
                "text": "Two &amp; two\r\nhttps://example.org/",
                "parse_mode": "HTML",
                "link_preview_options": {"is_disabled": True},
            },
        ),
    ],
)
def test_a_message_is_a_single_post_without_previews(
    chats: Chats, typed: str, path: str, body: dict[str, Any]
) -> None:
    chat.send(parse_address(typed), "Two & two\nhttps://example.org/")
    assert chats.asked == [("POST", path, body)]


def test_every_service_has_a_type() -> None:
    assert sorted(BY_KEY) == sorted(Service.values)


def test_messages_go_to_the_hosts_of_the_services() -> None:
    assert discord.WEBHOOKS == "https://discord.com/api/webhooks"
    assert slack.WEBHOOKS == "https://hooks.slack.com/services"
    assert telegram.API == "https://api.telegram.org"


def test_what_does_not_fit_is_cut_with_a_word(chats: Chats) -> None:
    text = Discord().fitting([f"{n} " + "x" * 200 for n in range(30)], "There is more here.")
    assert len(text) <= 2000
    assert text.endswith("\n\nThere is more here.")
    assert Discord().fitting(["y" * 5000], "More.") == "y" * (2000 - 8) + "…\n\nMore."
    assert Discord().fitting(["a", "b"], "More.") == "a\n\nb"


def test_a_chat_that_is_gone_is_switched_off_and_its_owner_told(
    running: Any,
    chats: Chats,
    make_channel: Callable[..., Channel],
    confirm_address: Callable[..., Any],
) -> None:
    bee = confirm_address(running.people["bee"])
    own = make_channel(bee, name="Our table")
    chats.answers = [404]
    tick(NOON)
    own.refresh_from_db()
    assert (own.active, own.off_why) == (False, "Discord refused the notice (404).")
    tick(NOON + timedelta(minutes=1))
    assert "Our table has been switched off" in [mail.subject for mail in outbox.outbox]
    assert not any(token in str(mail.body) for mail in outbox.outbox for token in TOKENS)


def test_one_that_keeps_failing_is_switched_off(
    running: Any, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    """A server in trouble is no fault of the address.

    A refusal is, and eight in a row are enough.
    """
    own = make_channel(running.people["bee"])
    Channel.objects.filter(pk=own.pk).update(failures=1)
    chats.answers = [500] + [400] * (MOST_FAILURES - 1)
    for day in range(MOST_FAILURES - 1):
        tick(NOON + timedelta(days=day))
    own.refresh_from_db()
    assert (own.failures, own.active) == (MOST_FAILURES - 1, True)
    tick(NOON + timedelta(days=MOST_FAILURES))
    own.refresh_from_db()
    assert (own.active, own.off_why) == (False, "Discord refused the notice (400).")
    assert Delivery.objects.get(channel=own).state == "failed"


def test_after_a_killed_worker_a_chat_gets_no_message_twice(
    running: Any, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    own = make_channel(running.people["bee"])
    tick(NOON)
    assert len(chats.asked) == 1
    Delivery.objects.filter(channel=own).update(state="sending", taken_at=NOON)
    tick(NOON + LEASE + timedelta(minutes=1))
    assert len(chats.asked) == 1
    assert Delivery.objects.get(channel=own).state == "doubtful"


@pytest.mark.parametrize("typed", [DISCORD, SLACK, TELEGRAM])
def test_after_a_lost_answer_a_chat_gets_no_message_twice(
    running: Any, chats: Chats, make_channel: Callable[..., Channel], typed: str
) -> None:
    """The message arrived, but the connection broke before the answer.

    The site cannot look up whether the message exists.
    """
    own = make_channel(running.people["bee"], typed)
    chats.answers = [0]
    for day in range(3):
        tick(NOON + timedelta(days=day))
    assert len(chats.asked) == 1
    one = Delivery.objects.get(channel=own)
    assert (one.state, one.last_error) == (
        "doubtful",
        f"{own.called} did not answer. The notice may have arrived.",
    )
    own.refresh_from_db()
    assert (own.active, own.failures) == (True, 0)


def test_what_was_surely_not_sent_is_tried_again(
    running: Any,
    chats: Chats,
    make_channel: Callable[..., Channel],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = make_channel(running.people["bee"])
    with monkeypatch.context() as away:
        with socket.create_server(("127.0.0.1", 0)) as free:
            nobody = f"http://127.0.0.1:{free.getsockname()[1]}/api/webhooks"
        away.setattr(discord, "WEBHOOKS", nobody)
        tick(NOON)
    assert Delivery.objects.get(channel=own).state == "waiting"
    tick(NOON + timedelta(days=1))
    assert Delivery.objects.get(channel=own).state == "sent"
    assert len(chats.asked) == 1


def test_two_sendings_at_once_get_their_own_refusals(chats: Chats) -> None:
    """A user tests a channel while the pulse sends.

    A fault of one address says nothing about the other.
    """
    chats.answers = [404, 500] * 20
    address, heard = parse_address(DISCORD), list[tuple[str, int]]()

    def play_move() -> None:
        with pytest.raises(NotSent) as refused:
            chat.send(address, "x")
        heard.append((str(refused.value), refused.value.gone))

    for _round in range(10):
        two = [threading.Thread(target=play_move) for _n in range(4)]
        for thread in two:
            thread.start()
        for thread in two:
            thread.join()
    assert sorted(heard) == sorted(
        [("Discord refused the notice (404).", True)] * 20
        + [("Discord refused the notice (500).", False)] * 20
    )


def test_no_log_holds_what_one_may_write_to(
    running: Any,
    chats: Chats,
    make_channel: Callable[..., Channel],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No record holds a token, at any level that a host may set."""
    caplog.set_level(logging.DEBUG)
    form = MaskingFormatter("{asctime} {levelname} {name}: {message}", style="{")
    for typed in (DISCORD, SLACK, TELEGRAM):
        make_channel(running.people["bee"], typed)
    chats.answers = [404, 500]
    tick(NOON)
    assert len(chats.asked) == 3
    lines = "\n".join(form.format(record) for record in caplog.records)
    assert not any(token in lines for token in TOKENS)
    assert not any(
        token in str(delivery.__dict__) for delivery in Delivery.objects.all() for token in TOKENS
    )


def test_a_test_is_sent_at_once(
    running: Any, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    own, client = make_channel(running.people["bee"], TELEGRAM), Client()
    client.force_login(running.people["bee"])
    assert (
        "We have sent a test message to Telegram."
        in client.post(
            "/me/notices/", {"do": "test", "channel": str(own.pk)}, follow=True
        ).content.decode()
    )
    assert chats.content == [
        "This is a test.\r\nThe test has arrived. Notices from Tabula will come here."
    ]
    chats.answers = [401]
    answer = client.post("/me/notices/", {"do": "test", "channel": str(own.pk)})
    assert (answer.status_code, "Telegram refused the notice (401)" in answer.content.decode()) == (
        422,
        True,
    )
    for _n in range(25):
        answer = client.post("/me/notices/", {"do": "test", "channel": str(own.pk)})
    assert answer.status_code == 429
