"""The registry of transports, and those without a board: clipboard, letters, Discord."""

from __future__ import annotations

import json
import smtplib
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend

from forum.boards import (
    AccessRefused,
    DoubtfulError,
    InvalidSetting,
    Letter,
    PermanentError,
    SearchError,
    SentPost,
    TemporaryError,
    TransportError,
    registry,
)
from forum.boards.discord import Discord
from forum.dialects import DIALECTS
from forum.posts import threads
from outgoing import Unreachable
from outgoing.client import Client
from tests.outgoing.servers import Server, serving

TOKEN = "s3cretTOKEN" * 4
HOOK = f"https://discord.com/api/webhooks/123456789012345678/{TOKEN}"
LETTER = Letter("The Long Frontier, turn 1", "All of it\n\n[k7qm-1-9f2a7c]", "[k7qm-1-9f2a7c]")


def test_every_transport_says_what_it_is() -> None:
    result = registry.transports()
    assert next(iter(result)) == "clipboard"
    assert {"clipboard", "mail", "discord"} <= set(result)
    for key, way in result.items():
        assert key == way.key
        assert len(key) <= 20
        assert way.dialect in DIALECTS
        assert way.limit >= 500
        assert str(way.name)
        assert len(str(way.account)) > 60
        assert len({need.key for need in way.needs}) == len(way.needs)
        assert all(str(need.label) for need in way.needs)
    assert [key for key, way in result.items() if not way.automatic] == ["clipboard"]


def test_the_list_has_each_key_once() -> None:
    assert [way.key for way in registry.DECLARED] == [
        "clipboard",
        "phpbb",
        "mybb",
        "discord",
        "discourse",
        "nodebb",
        "mail",
    ]
    assert list(registry.transports()) == [
        "clipboard",
        "discord",
        "discourse",
        "mail",
        "mybb",
        "nodebb",
        "phpbb",
    ]


@pytest.mark.parametrize(
    ("address", "software", "dialect"),
    [
        ("https://board.example/forum/viewtopic.php?f=2&t=7", "phpBB", "phpbb"),
        ("https://board.example/showthread.php?tid=7", "MyBB", "mybb"),
        ("https://board.example/showthread.php?action=lastpost&pid=7", "MyBB", "mybb"),
        ("https://board.example/thread-7.html", "MyBB", "mybb"),
        ("https://discord.com/channels/1/2", "Discord", "discord"),
        ("https://board.example/t/the-heap/7/3", "Discourse", "markdown"),
        ("https://board.example/p/7", "Discourse", "markdown"),
        (" https://board.example/topic/7/the-heap ", "NodeBB", "markdown"),
        ("https://board.example/post/7", "NodeBB", "markdown"),
        ("https://board.example/index.php", "", ""),
        ("", "", ""),
    ],
)
def test_a_board_is_told_by_the_address_of_a_topic(
    address: str, software: str, dialect: str
) -> None:
    assert threads.board_at(address) == (software, dialect)


# The clipboard ------------------------------------------------------------------------------------


def test_the_clipboard_keeps_no_secret_and_takes_any_address() -> None:
    way = registry.transport("clipboard")
    assert not any(need.secret for need in way.needs)
    for address in ("", "https://board.example/viewtopic.php?t=7", "http://old.example/t/7"):
        assert way.check({"address": address}) == {"address": address}
    for address in (
        "nonsense",
        "javascript:alert(1)",
        "https://u:p@board.example/",
        "https://a b/",
    ):
        with pytest.raises(InvalidSetting) as wrong:
            way.check({"address": address})
        assert wrong.value.field == "address"


def test_clipboard_posts_cannot_be_sent() -> None:
    way = registry.transport("clipboard")
    with pytest.raises(PermanentError):
        way.send({}, LETTER, Client())
    with pytest.raises(SearchError):
        way.find({}, LETTER.marker, Client())


# Letters ------------------------------------------------------------------------------------------

TO = {"address": "list@example.org"}


def test_a_letter_goes_to_the_list_alone_and_has_one_number_however_often_it_goes() -> None:
    way = registry.transport("mail")
    assert way.send(TO, LETTER, Client()) == SentPost("")
    way.send(TO, LETTER, Client())
    one, two = mail.outbox
    assert (one.to, one.cc, one.bcc) == (["list@example.org"], [], [])
    assert (one.subject, one.body) == (LETTER.subject, LETTER.text)
    ids = {str(letter.message()["Message-ID"]) for letter in (one, two)}
    assert ids == {"<k7qm-1-9f2a7c@localhost>"}
    assert one.message()["Auto-Submitted"] == "auto-generated"


def test_a_letter_of_html_can_be_read_without() -> None:
    registry.transport("mail").send(
        TO, Letter("T", "<p>A &amp; B</p>\n\n[m]", "[m]", dialect="html"), Client()
    )
    letter = mail.outbox[0]
    assert letter.body == "A & B\n\n[m]"
    assert letter.alternatives[0][1] == "text/html"
    assert letter.alternatives[0][0] == "<p>A &amp; B</p>\n<p>[m]</p>\n"


def test_no_subject_begins_another_header() -> None:
    registry.transport("mail").send(TO, Letter("T\r\nBcc: all@example.org", "x", "[m]"), Client())
    message = mail.outbox[0].message()
    assert message["Bcc"] is None
    assert message["Subject"] == "T Bcc: all@example.org"


@pytest.mark.parametrize(
    "address",
    ["", "nobody", "a@b", "a@example.org, b@example.org", "a@example.org\nBcc: c@example.org"],
)
def test_an_address_is_one_address(address: str) -> None:
    with pytest.raises(InvalidSetting):
        registry.transport("mail").check({"address": address})


class Failing(BaseEmailBackend):
    """A mail server that fails on demand: when it is opened, or while it takes a letter."""

    opens: Exception | None = None
    takes: Exception | None = None

    def open(self) -> bool:
        if self.opens:
            raise self.opens
        return True

    def send_messages(self, messages: Any) -> int:
        if self.takes:
            raise self.takes
        return len(messages)


@pytest.mark.parametrize(
    ("when", "what", "becomes"),
    [
        ("opens", ConnectionRefusedError(), TemporaryError),
        ("opens", TimeoutError(), TemporaryError),
        ("opens", smtplib.SMTPAuthenticationError(535, b"no"), TemporaryError),
        (
            "takes",
            smtplib.SMTPRecipientsRefused({"list@example.org": (550, b"no")}),
            PermanentError,
        ),
        (
            "takes",
            smtplib.SMTPRecipientsRefused({"list@example.org": (451, b"later")}),
            TemporaryError,
        ),
        ("takes", smtplib.SMTPDataError(554, b"no"), PermanentError),
        ("takes", smtplib.SMTPDataError(452, b"full"), TemporaryError),
        ("takes", smtplib.SMTPSenderRefused(550, b"no", "x"), PermanentError),
        ("takes", smtplib.SMTPServerDisconnected(), DoubtfulError),
        ("takes", TimeoutError(), DoubtfulError),
        ("takes", ConnectionResetError(), DoubtfulError),
    ],
)
def test_answers_of_a_mail_server_are_understood(
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    when: str,
    what: Exception,
    becomes: type[TransportError],
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Failing"
    monkeypatch.setattr(Failing, when, what)
    with pytest.raises(becomes) as caught:
        registry.transport("mail").send(TO, LETTER, Client())
    assert type(caught.value) is becomes


def test_a_letter_cannot_be_looked_up() -> None:
    with pytest.raises(SearchError):
        registry.transport("mail").find(TO, LETTER.marker, Client())


# Discord ------------------------------------------------------------------------------------------

KNOWN = {"guild_id": "42", "channel_id": "7"}
MADE = {"id": "99", "channel_id": "7"}
Answer = tuple[int, Any]


@contextmanager
def discord(monkeypatch: pytest.MonkeyPatch, *answers: Answer | None) -> Iterator[Server]:
    """Discord on this machine: what it answers, in order; None cuts the connection."""
    left = list(answers)

    def behave(wire: socket.socket, shown: bytes) -> None:
        if (answer := left.pop(0)) is not None:
            body = json.dumps(answer[1]).encode()
            wire.sendall(
                f"HTTP/1.1 {answer[0]} X\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
            )

    with serving(behave) as server:
        monkeypatch.setattr(Discord, "api", server.url)
        yield server


@pytest.fixture
def hook(settings: Any) -> dict[str, str]:
    settings.OUTSIDE_INSECURE = True
    return {"webhook": HOOK, "thread": "", "title": ""}


def body(asked: bytes) -> Any:
    return json.loads(asked.partition(b"\r\n\r\n")[2])


def test_discord_is_asked_to_say_whether_it_kept_it_and_to_mention_nobody(
    monkeypatch: pytest.MonkeyPatch, hook: dict[str, str]
) -> None:
    with discord(monkeypatch, (200, KNOWN), (200, MADE)) as server:
        sent = registry.transport("discord").send(hook, LETTER, Client())
    assert sent == SentPost("https://discord.com/channels/42/7/99")
    assert server.asked[0].startswith(f"GET /webhooks/123456789012345678/{TOKEN} ".encode())
    assert server.asked[1].startswith(
        f"POST /webhooks/123456789012345678/{TOKEN}?wait=true ".encode()
    )
    assert body(server.asked[1]) == {"content": LETTER.text, "allowed_mentions": {"parse": []}}


def test_discord_shows_buttons_that_lead_to_the_table(
    monkeypatch: pytest.MonkeyPatch, hook: dict[str, str]
) -> None:
    letter = replace(LETTER, links=(("Table", "https://tabula.example/c/k7qm/"),))
    with discord(monkeypatch, (200, KNOWN), (200, MADE)) as server:
        registry.transport("discord").send({**hook, "thread": "555555"}, letter, Client())
    assert b"?wait=true&with_components=true&thread_id=555555 " in server.asked[1]
    button = {"type": 2, "style": 5, "label": "Table", "url": "https://tabula.example/c/k7qm/"}
    assert body(server.asked[1])["components"] == [{"type": 1, "components": [button]}]


def test_into_a_thread_or_a_new_one_for_each_report(
    monkeypatch: pytest.MonkeyPatch, hook: dict[str, str]
) -> None:
    way = registry.transport("discord")
    with discord(monkeypatch, (200, KNOWN), (200, MADE)) as server:
        way.send({**hook, "thread": "555555"}, LETTER, Client())
    assert b"?wait=true&thread_id=555555 " in server.asked[1]
    with discord(monkeypatch, (200, KNOWN), (200, {"id": "99", "channel_id": "777777"})) as server:
        first = way.send({**hook, "title": "Campaign"}, LETTER, Client())
    assert body(server.asked[1])["thread_name"] == "Campaign: The Long Frontier, turn 1"
    second = Letter("T", "x", "[m]", 2, 2, first.permalink)
    with discord(monkeypatch, (200, KNOWN), (200, MADE)) as server:
        way.send({**hook, "title": "Campaign"}, second, Client())
    assert b"?wait=true&thread_id=777777 " in server.asked[1]
    assert "thread_name" not in body(server.asked[1])


def test_where_the_first_part_went_must_be_known(
    monkeypatch: pytest.MonkeyPatch, hook: dict[str, str]
) -> None:
    with discord(monkeypatch, (200, KNOWN)) as server, pytest.raises(PermanentError):
        registry.transport("discord").send(
            {**hook, "title": "Campaign"}, Letter("T", "x", "[m]", 2, 2), Client()
        )
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answers", "becomes"),
    [
        (((404, {"code": 10015}),), AccessRefused),
        (((401, {"code": 50027}),), AccessRefused),
        (((200, KNOWN), (404, {"code": 10015})), AccessRefused),
        (((200, KNOWN), (404, {"code": 10003, "message": "Unknown Channel"})), PermanentError),
        (((200, KNOWN), (400, {"message": "Cannot send an empty message"})), PermanentError),
        (((200, KNOWN), (429, {"retry_after": 2.5})), TemporaryError),
        (((429, {"retry_after": 2.5}),), TemporaryError),
        (((500, {}),), TemporaryError),
        ((None,), TemporaryError),  # only a question was asked
        (((200, KNOWN), (500, {})), DoubtfulError),
        (((200, KNOWN), (502, "nonsense")), DoubtfulError),
        (((200, KNOWN), (200, {})), DoubtfulError),
        (((200, []), (200, [])), DoubtfulError),
    ],
)
def test_answers_of_discord_are_understood(
    monkeypatch: pytest.MonkeyPatch,
    hook: dict[str, str],
    answers: tuple[Answer | None, ...],
    becomes: type[TransportError],
) -> None:
    with discord(monkeypatch, *answers), pytest.raises(TransportError) as caught:
        registry.transport("discord").send(hook, LETTER, Client())
    assert type(caught.value) is becomes
    assert "s3cret" not in f"{caught.value} {caught.value!r}"
    if isinstance(caught.value, TemporaryError) and 429 in [
        answer[0] for answer in answers if answer
    ]:
        assert caught.value.seconds == 2.5


def test_cut_off_while_it_takes_it_nobody_knows(
    monkeypatch: pytest.MonkeyPatch, hook: dict[str, str]
) -> None:
    from outgoing import Doubtful as Cut

    with discord(monkeypatch, (200, KNOWN), None) as server, pytest.raises(Cut) as caught:
        registry.transport("discord").send(hook, LETTER, Client())
    assert len(server.asked) == 2
    assert "s3cret" not in f"{caught.value} {caught.value!r}"


def test_where_discord_is_away_nothing_was_said(
    monkeypatch: pytest.MonkeyPatch, hook: dict[str, str]
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setattr(Discord, "api", f"http://127.0.0.1:{closed.getsockname()[1]}")
        with pytest.raises(Unreachable):
            registry.transport("discord").send(hook, LETTER, Client())


def test_a_message_cannot_be_looked_up() -> None:
    with pytest.raises(SearchError):
        registry.transport("discord").find({"webhook": HOOK}, LETTER.marker, Client())


GOOD: Callable[[str], str] = lambda host: HOOK.replace("discord.com", host)  # noqa: E731


def test_an_address_of_a_webhook() -> None:
    check = registry.transport("discord").check
    for url in (
        HOOK,
        GOOD("ptb.discord.com"),
        GOOD("discordapp.com"),
        HOOK.replace("/api/", "/api/v10/"),
        HOOK + "/",
    ):
        assert check({"webhook": url})["webhook"] == url
    for url in (
        "",
        GOOD("discord.com.evil.example"),
        GOOD("evil.example"),
        HOOK + "?x=1",
        HOOK[:-60],
        "http" + HOOK[5:],
    ):
        with pytest.raises(InvalidSetting) as wrong:
            check({"webhook": url})
        assert "s3cret" not in str(wrong.value)
    for more in ({"thread": "a"}, {"thread": "12345", "title": "x"}):
        with pytest.raises(InvalidSetting):
            check({"webhook": HOOK, **more})
