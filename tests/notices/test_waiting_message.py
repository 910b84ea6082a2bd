"""A campaign's own channel: public facts, and one message that names the awaited players."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.errors import NotAllowed
from notices import waiting_message as board_of
from notices.channels import services as channels_services
from notices.delivery import LEASE, tick
from notices.models import Channel
from tests.notices.conftest import DISCORD, NOON, SLACK
from tests.notices.server import Chats
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def silence_channel(created: Channel) -> Channel:
    """Switch off all notices of a channel, so that only the board arrives."""
    usual = ("turn-opened", "turn-closed", "finished", "life")
    channels_services.set_preferences(created, dict.fromkeys(usual, "off"))
    return created


@pytest.fixture
def board(running: Any, chats: Chats, make_channel: Callable[..., Channel]) -> Channel:
    """Return a board that was shown once: its message exists."""
    created = silence_channel(make_channel(running.gm, campaign=running.campaign))
    board_of.switch_on(created, NOON)
    tick(NOON)
    created.refresh_from_db()
    chats.asked.clear()
    return created


def test_it_is_made_once_and_changed_in_place(running: Any, chats: Chats, board: Channel) -> None:
    assert list(chats.messages) == [board.board_message] == ["1000"]
    text = chats.messages["1000"]
    assert text.startswith(
        f"**The Heap** · Turn {running.campaign.turn}\n• The Bee (Bee): wait, by <t:"
    )
    assert text.endswith(f"<http://127.0.0.1:8000/c/{running.campaign.address}/>")
    tick(NOON + MINUTE)
    assert chats.asked == []
    running.play("bee", "add", stones=1)  # changes nothing in the list of awaited players
    tick(NOON + 2 * MINUTE)
    assert chats.asked == []
    running.play("bee", "end")
    tick(NOON + 3 * MINUTE)
    tick(NOON + 3 * MINUTE)
    ((method, path, body),) = chats.asked
    assert (method, path.rsplit("/", 2)[1:]) == ("PATCH", ["messages", "1000"])
    assert "• The Ant (Ant): wait" in chats.messages["1000"]
    assert body["allowed_mentions"] == {"parse": []}


def test_deleted_there_it_is_made_anew(running: Any, chats: Chats, board: Channel) -> None:
    chats.messages.clear()
    running.play("bee", "end")
    tick(NOON + MINUTE)
    assert [method for method, _p, _b in chats.asked] == ["PATCH", "POST"]
    board.refresh_from_db()
    assert board.board_message in chats.messages


def test_a_first_message_in_doubt_waits_for_a_person(
    running: Any, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    """There was no answer, or the sender died.

    The message may exist, and a webhook cannot look it up.
    """
    created = silence_channel(make_channel(running.gm, campaign=running.campaign))
    board_of.switch_on(created, NOON)
    chats.answers = [0]
    tick(NOON)
    tick(NOON + timedelta(days=1))
    running.play("bee", "end")
    tick(NOON + timedelta(days=2))
    assert [method for method, _p, _b in chats.asked] == ["POST"]
    client = Client()
    client.force_login(running.gm)
    page = f"/c/{running.campaign.address}/channels/"
    assert "the message may already be there" in client.get(page).content.decode()
    client.post(page, {"do": "anew", "channel": str(created.pk)})
    Channel.objects.filter(pk=created.pk).update(board_due=NOON, board_taken=NOON)
    tick(NOON + LEASE + MINUTE)
    assert len(chats.asked) == 1
    client.post(page, {"do": "anew", "channel": str(created.pk)})
    tick(NOON + LEASE + MINUTE)
    assert len(chats.messages) == 1


def test_a_change_in_doubt_is_said_again(running: Any, chats: Chats, board: Channel) -> None:
    running.play("bee", "end")
    chats.answers = [0]
    tick(NOON + MINUTE)
    tick(NOON + 3 * MINUTE)
    assert [method for method, _p, _b in chats.asked] == ["PATCH", "PATCH"]
    assert "The Ant" in chats.messages["1000"]


def test_a_webhook_that_is_gone_is_switched_off(running: Any, chats: Chats, board: Channel) -> None:
    running.play("bee", "end")
    chats.answers = [401]
    tick(NOON + MINUTE)
    board.refresh_from_db()
    assert (board.active, board.off_why) == (False, "Discord refused the notice (401).")


def test_it_says_when_the_campaign_rests_or_is_over(
    running: Any, chats: Chats, board: Channel
) -> None:
    services.change_life(running.campaign, running.gm, "paused")
    tick(NOON + MINUTE)
    assert "The campaign is paused." in chats.messages["1000"]
    running.reload()
    assert "The campaign is paused." in board_of.waiting_text(running.campaign)


def test_hidden_hands_are_in_no_board_and_no_announcement(
    new_campaign: Callable[..., GrandTable], chats: Chats, make_channel: Any
) -> None:
    content = []
    for card in ("spy", "chancellor"):
        chats.asked.clear()
        grand_table = new_campaign(hands="hidden", name="Hidden")
        created = make_channel(grand_table.people["gm"], campaign=grand_table.campaign)
        board_of.switch_on(created, NOON)
        channels_services.set_preferences(
            created, {"card-lost": "now", "slot-open": "now", "correction": "now", "ruling": "now"}
        )
        grand_table.play("gm", "start")
        grand_table.play("gm", "give-card", nation="romans", card=card, reason="For the test")
        tick(NOON)
        content.append(
            [text.replace(grand_table.campaign.public_id, "…") for text in chats.content]
        )
        assert {row["kind"] for row in created.preferences.values("kind")} == {"ruling"}
    assert [_without_times(texts) for texts in content[:1]] == [
        _without_times(texts) for texts in content[1:]
    ]
    assert any("Turn 1" in text for text in content[0])


def _without_times(texts: list[str]) -> list[str]:
    return [re.sub(r"<t:\d+:f>", "…", text) for text in texts]


def test_a_turn_is_told_once_however_many_sit_there(
    running: Any, chats: Chats, make_channel: Callable[..., Channel]
) -> None:
    tick(NOON)
    created = make_channel(running.gm, SLACK, campaign=running.campaign)
    running.play("bee", "end")
    tick(NOON)
    heading, body = (
        f"[The Heap] Turn {running.campaign.turn} opens",
        "The table shows the order of play.",
    )
    assert chats.content == [
        f"{heading}\n{body}\nhttp://127.0.0.1:8000/c/{running.campaign.address}/"
    ]
    assert created.deliveries.count() == 1


def test_only_who_runs_the_campaign_sets_it_up(grand_table: GrandTable, chats: Chats) -> None:
    assert tuple(grand_table.statuses("channels/").values()) == (200, 403, 403, 403, 302)
    with pytest.raises(NotAllowed):
        channels_services.add(grand_table.people["hun"], DISCORD, "", grand_table.campaign)
    assert grand_table.post("hun", "channels/", do="add", address=DISCORD).status_code == 403
    grand_table.post("gm", "channels/", do="add", address=DISCORD, name="Public")
    (created,) = Channel.objects.filter(campaign=grand_table.campaign)
    assert created.confirmed_at is None
    assert (
        grand_table.post("gm", "channels/", do="board", channel=str(created.pk)).status_code == 422
    )
    Channel.objects.filter(pk=created.pk).update(confirmed_at=NOON)
    page = grand_table.text("gm", "channels/")
    assert "Show whom the table is waiting for" in page
    assert "A turn opens" in page
    assert "A card leaves your hand" not in page
    assert "abcDEF" not in page


def test_it_speaks_the_language_that_its_hosts_choose(
    running: Any, chats: Chats, board: Channel
) -> None:
    client, page = Client(), f"/c/{running.campaign.address}/channels/"
    client.force_login(running.gm)
    assert (
        client.post(
            page, {"do": "language", "channel": str(board.pk), "language": "xx"}
        ).status_code
        == 422
    )
    client.post(page, {"do": "language", "channel": str(board.pk), "language": "it"})
    Channel.objects.filter(pk=board.pk).update(board_due=NOON)
    tick(NOON + MINUTE)
    assert chats.messages["1000"].startswith(f"**The Heap** · Giro {running.campaign.turn}\n")
