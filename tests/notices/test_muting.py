"""One campaign muted for oneself, and a channel that was switched off on the bell."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

from notices import delivery, services
from notices.channels import services as channels_services
from notices.kinds.undelivered import ChannelOff
from notices.models import Channel, DeliveryItem, Mute, Notice
from notices.wording import notices_in_words
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign

__all__ = ["draft", "grand_table", "new_campaign"]

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def notices_shown(grand_table: GrandTable, who: str, *kinds: str) -> None:
    """Notices of these kinds, as if something had happened just now."""
    entry = grand_table.campaign.entries.filter(audience=None).latest("sequence")
    for kind in kinds:
        Notice.objects.create(
            user=grand_table.people[who],
            campaign=grand_table.campaign,
            entry=entry,
            kind=kind,
            seat="huns",
            at=NOW,
            facts={"contest": 1, "other": "romans", "turn": 1},
            about=str(Notice.objects.count()),
        )


def bell_text(client: Client) -> int:
    match = re.search(
        r'aria-label="Notices, (\d+) new"', client.get("/", follow=True).content.decode()
    )
    return int(match[1]) if match else 0


def test_a_muted_campaign_sends_only_urgent_notices(grand_table: GrandTable) -> None:
    """There is no letter, and the bell shows only urgent notices.

    The list shows all of them, and no other user is affected.
    """
    Notice.objects.all().delete()
    box = Channel.objects.create(
        user=grand_table.people["hun"], service="email", created_at=NOW, confirmed_at=NOW
    )
    notices_shown(grand_table, "hun", "turn-opened")
    delivery.route(NOW)
    assert DeliveryItem.objects.filter(channel=box).count() == 1
    grand_table.post("hun", "notices/", do="mute")
    grand_table.post("hun", "notices/", do="mute")
    assert [(mute.user, mute.campaign) for mute in Mute.objects.all()] == [
        (grand_table.people["hun"], grand_table.campaign)
    ]
    notices_shown(grand_table, "hun", "turn-closed", "claimed")
    notices_shown(grand_table, "roman", "turn-closed")
    delivery.route(NOW)
    assert DeliveryItem.objects.filter(channel=box).count() == 1, "nothing more leaves"
    assert delivery.still_relevant(box.deliveries.get(), NOW) == [], "nor what was waiting to leave"
    assert (bell_text(grand_table.clients["hun"]), bell_text(grand_table.clients["roman"])) == (
        1,
        1,
    )
    assert grand_table.text("hun", "notices/").count("mark-new") == 3
    page = grand_table.text("hun", "/me/notices/")
    assert "The Long Frontier" in page.partition('id="mutes"')[2]
    answer = grand_table.post("hun", "notices/", do="unmute", back="told")
    assert answer["Location"] == "/me/notices/"
    assert (bell_text(grand_table.clients["hun"]), Mute.objects.count()) == (
        0,
        0,
    ), "notices from the meantime count as read"


def test_who_may(grand_table: GrandTable) -> None:
    assert grand_table.post("nobody", "notices/", do="mute").status_code == 302
    assert "mute" in grand_table.text("roman", "about/")
    assert not Mute.objects.exists()


def test_a_channel_that_was_switched_off_rings(grand_table: GrandTable, person: Any) -> None:
    Notice.objects.all().delete()
    notices_shown(grand_table, "hun", "turn-opened")
    chat = Channel.objects.create(
        user=grand_table.people["hun"],
        service="discord",
        name="Home",
        created_at=NOW,
        confirmed_at=NOW,
    )
    channels_services.store_failure(
        chat, "There is no such webhook.", NOW, gone=True, counts=True, enough=5
    )
    (one,) = notices_in_words(Notice.objects.filter(kind=ChannelOff.key))
    assert one.title == "Home has been switched off"
    assert "There is no such webhook." in one.body
    assert (
        grand_table.clients["hun"].get(f"/notices/{one.notice.pk}/")["Location"] == "/me/notices/"
    )
    Notice.objects.filter(pk=one.notice.pk).update(read_at=None)
    assert bell_text(grand_table.clients["hun"]) == 2
    services.mute(grand_table.people["hun"], grand_table.campaign)
    assert bell_text(grand_table.clients["hun"]) == 1, "it waits for them"
    channels_services.switch(chat, True, NOW + timedelta(minutes=5))
    assert bell_text(grand_table.clients["hun"]) == 0
    assert delivery.route(NOW) == 1, "the notice itself leaves by no channel"
