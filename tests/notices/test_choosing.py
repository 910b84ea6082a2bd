"""A user's choices: kinds by channel, the hour, one daily letter.

Their page makes few queries and shows no secret.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.core import mail as outbox
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from notices.channels import services
from notices.delivery import tick
from notices.models import Channel, Delivery, NoticePreference
from notices.registry import DECLARED, KINDS, kinds_by_group
from tests.notices.conftest import DISCORD, NOON, SLACK
from tests.notices.server import Chats
from tests.web.grand_table import GrandTable
from web.notices import actions as views
from web.notices import channels as of_campaign

pytestmark = pytest.mark.django_db

ME = "/me/notices/"


def sign_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_every_kind_can_be_chosen_once() -> None:
    listed = [kind.key for _group, kinds in kinds_by_group(DECLARED) for kind in kinds]
    assert sorted(listed) == sorted(KINDS)
    assert len(KINDS) == len(DECLARED)


def test_what_is_chosen_is_done(running: Any, confirm_address: Callable[..., Any]) -> None:
    """The slot in the daily letter, the turn at once, who is next not at all."""
    bee = confirm_address(running.people["bee"])
    client, box = sign_in(bee), services.email_channel(bee)
    page = client.get(ME).content.decode()
    assert f'name="how-{box.pk}-slot-open"' in page
    content = {
        f"how-{box.pk}-{key}": how
        for key, how in (("slot-open", "digest"), ("turn-opened", "now"), ("next", "off"))
    }
    assert (
        client.post(
            ME,
            {
                "do": "wishes",
                **content,
                f"how-{box.pk}-challenged": "now",
                f"how-{box.pk}-x": "now",
            },
        ).status_code
        == 302
    )
    assert dict(NoticePreference.objects.values_list("kind", "mode")) == {
        "slot-open": "digest",
        "turn-opened": "now",
        "next": "off",
    }
    tick(NOON)
    (letter,) = outbox.outbox
    assert f"Turn {running.campaign.turn} opens" in letter.body
    assert "It is your turn" not in letter.body
    assert "You are next" not in letter.body
    client.post(
        ME, {"do": "wishes", f"how-{box.pk}-slot-open": "now"}
    )  # as usual: nothing is kept of it
    assert not NoticePreference.objects.filter(kind="slot-open").exists()


def test_the_hour_is_one_of_a_day(running: Any) -> None:
    bee = running.people["bee"]
    client, box = sign_in(bee), services.email_channel(bee)
    client.post(ME, {"do": "hour", "channel": str(box.pk), "hour": "19"})
    assert Channel.objects.get(pk=box.pk).digest_hour == 19
    for hour in ("24", "-1", "x", ""):
        assert (
            client.post(ME, {"do": "hour", "channel": str(box.pk), "hour": hour}).status_code == 422
        )
    assert Channel.objects.get(pk=box.pk).digest_hour == 19


def test_one_letter_a_day_leaves_what_is_switched_off(running: Any) -> None:
    box = services.email_channel(running.people["bee"])
    services.set_preferences(box, {"next": "off"})
    services.digest_only(box)
    wished = dict(NoticePreference.objects.values_list("kind", "mode"))
    assert (wished["slot-open"], wished["next"]) == ("digest", "off")
    assert "now" not in wished.values()


def test_letters_are_not_taken_away(running: Any) -> None:
    bee = running.people["bee"]
    box = services.email_channel(bee)
    assert sign_in(bee).post(ME, {"do": "remove", "channel": str(box.pk)}).status_code == 422
    assert Channel.objects.get(pk=box.pk).removed_at is None


def test_the_page_makes_few_queries_however_much_was_sent(
    running: Any,
    confirm_address: Callable[..., Any],
    chats: Chats,
    make_channel: Callable[..., Channel],
) -> None:
    bee = confirm_address(running.people["bee"])
    for typed in (DISCORD, SLACK):
        make_channel(bee, typed)
    for day in range(4):
        running.play(running.campaign.active_seat, "end")
        running.play(running.campaign.active_seat, "end")
        tick(NOON + timedelta(days=day))
    Delivery.objects.filter(form="now").update(state="failed", last_error='refused: <script>"x"')
    client = sign_in(bee)
    client.get(ME)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        page = client.get(ME).content.decode()
    assert len(asked) <= 12
    assert "refused: &lt;script&gt;" in page
    assert "<script>&quot;" not in page


def test_what_people_type_is_escaped_in_a_letter(
    running: Any, confirm_address: Callable[..., Any]
) -> None:
    bee = confirm_address(running.people["bee"])
    number = running.play("bee", "add", stones=1).entries[0].number
    running.undo(number - 1, "<img src=x> & {name} %s")
    tick(NOON + timedelta(days=1))
    tick(NOON + timedelta(days=2))
    (letter,) = [mail for mail in outbox.outbox if "undone" in mail.body and mail.to == [bee.email]]
    assert "<img src=x> & {name} %s" in letter.body
    assert "&lt;img src=x&gt; &amp; {name} %s" in letter.alternatives[0][0]
    assert "<img" not in letter.alternatives[0][0]


FIELDS = ("channel", "address", "name", "code", "hour", "what", "language", "how-1-next")
ODD = ("", "\x00\ud800", "9" * 5000, "json://127.0.0.1/")


@pytest.mark.parametrize("where", ["told", pytest.param("channels", marks=pytest.mark.nightly)])
def test_invalid_values_in_every_field_are_refused(
    grand_table: GrandTable, chats: Chats, where: str
) -> None:
    """Every form of the user's page and of the campaign's page is tested; nothing is sent."""
    gm = grand_table.people["gm"]
    path, deeds = (
        (ME, views.ACTIONS)
        if where == "told"
        else (f"{grand_table.home}channels/", of_campaign.CHANNEL_ACTIONS)
    )
    client = Client(raise_request_exception=False)
    client.force_login(gm)
    for do in (*deeds, "feed", "revoke", "nonsense"):
        for text in ODD:
            typed = "&".join(f"{name}={quote(text, errors='surrogatepass')}" for name in FIELDS)
            answer = client.post(
                path, f"do={do}&{typed}", content_type="application/x-www-form-urlencoded"
            )
            assert answer.status_code in (200, 302, 422, 429), (do, text, answer.status_code)
    assert chats.asked == []
    assert not Channel.objects.exclude(service="email").exists()
