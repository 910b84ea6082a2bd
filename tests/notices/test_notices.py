"""The recipients of notices: each kind once, to those whom it concerns, without hidden facts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from battles import services as battles
from campaign import services
from campaign.log import selectors as table_selectors
from campaign.models import Membership
from notices import projection, selectors
from notices.kinds.kind import Group
from notices.models import Notice
from notices.present import Present
from notices.registry import KINDS
from notices.wording import notices_in_words
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db


def notices_shown(user: Any, *, new: bool = False) -> list[tuple[str, str, str]]:
    """Return kind, title and body of a user's notices, oldest first."""
    result = [
        notice for notice in notices_in_words(selectors.notices(user)) if notice.new or not new
    ]
    return [(notice.notice.kind, notice.title, notice.body) for notice in reversed(result)]


def notice_kinds(user: Any) -> list[str]:
    return [kind for kind, _, _ in notices_shown(user)]


def test_every_kind_declares_all_that_it_must() -> None:
    for kind in KINDS.values():
        texts = (kind.key, kind.name, kind.title, kind.body, *kind.link)
        assert all(type(text) is str and text for text in texts), kind.key
        assert isinstance(kind.group, Group), kind.key


def test_a_seat_taken_is_told_to_the_game_master_only(table: Any) -> None:
    assert notices_shown(table.gm) == [
        ("seat-taken", "The Ant: the seat has been taken", "Ant has taken it."),
        ("seat-taken", "The Bee: the seat has been taken", "Bee has taken it."),
    ]
    assert notices_shown(table.people["ant"]) == []
    services.vacate(table.campaign, table.gm, "bee")
    assert notices_shown(table.people["bee"]) == [
        (
            "seat-freed",
            "The Bee: you no longer hold the seat",
            "If you did not expect this, ask the game master.",
        )
    ]


def test_a_slot_and_a_turn_are_told_to_the_seats(running: Any) -> None:
    """The turn concerns both, the slot only the bee.

    No user is notified of their own act.
    """
    bee = notices_shown(running.people["bee"])
    assert [line for line in bee if line[0] == "slot-open"][-1] == (
        "slot-open",
        "It is your turn, The Bee",
        f"Turn {running.campaign.turn}. You have 2 actions.",
    )
    assert "turn-opened" in notice_kinds(running.people["ant"])
    assert not set(notice_kinds(running.gm)) - {"seat-taken"}


def test_a_challenge_its_answer_and_the_result(running: Any) -> None:
    bee, ant = running.people["bee"], running.people["ant"]
    running.play("bee", "duel")
    assert notices_shown(ant)[-1] == (
        "challenged",
        "You have been challenged: #1",
        "The Bee: bee: duel",
    )
    assert Notice.objects.filter(user=ant, kind="challenged").count() == 1
    running.play("ant", "answer")
    assert notices_shown(bee)[-1] == (
        "answered",
        "Your challenge has been answered: #1",
        "The Ant: ant: answer",
    )
    if table_selectors.position(running.campaign).duel:  # the die settles one of six by itself
        running.play("gm", "settle", winner="attacker")
        assert notices_shown(bee)[-1] == (
            "result",
            "Battle #1 has been decided",
            "Game master: gm: settle",
        )
        assert notices_shown(ant)[-1][0] == "result"


def test_a_claim_its_dispute_and_the_judgment(running: Any) -> None:
    ant, bee = running.people["ant"], running.people["bee"]
    number = 0
    while (
        not number or not table_selectors.position(running.campaign).duel
    ):  # the die settles one of six by itself
        number += 1
        running.play("bee", "duel")
        running.play("ant", "answer")
    raw = {"by": "gm", "move": "settle", "winner": "attacker"}
    claim = battles.claim(running.reload(), bee, number, raw)
    assert notices_shown(ant)[-1] == (
        "claimed",
        f"A result of battle #{number} has been claimed",
        "The Bee has made the claim. Confirm it or dispute it.",
    )
    assert "claimed" not in notice_kinds(bee)
    battles.dispute(running.reload(), ant, number, claim.number, "It was a draw")
    claimed = Notice.objects.get(kind="claimed", user=ant, entry=claim)
    others = Notice.objects.exclude(entry__act="claim").exclude(entry__act="dispute")
    assert Present([claimed], timezone.now()).is_claim_settled(claimed)
    assert Present(others, timezone.now())._last_acts_on_claims == {}
    assert notices_shown(bee)[-1] == (
        "disputed",
        f"The result of battle #{number} has been disputed",
        "The Ant: It was a draw",
    )
    assert notice_kinds(running.gm)[-1] == "disputed"
    battles.judge(running.reload(), running.gm, number, claim.number, running.seen("gm"))
    assert notice_kinds(bee)[-1] == "result"
    assert notice_kinds(ant)[-1] == "result"


def test_a_repeated_event_is_written_once(running: Any) -> None:
    played = running.play("bee", "end")
    entry = played.entries[0]
    count = Notice.objects.count()
    projection.notify_members(running.campaign, entry, None, None)
    assert Notice.objects.count() == count


def test_an_undo_strikes_what_was_told_and_a_restoration_brings_it_back(running: Any) -> None:
    ant = running.people["ant"]
    number = running.play("bee", "duel").entries[0].number
    before = selectors.unread(ant).count()
    undo = running.undo(number - 1, "Not yet")
    assert selectors.unread(ant).count() == before - 1
    assert notices_shown(running.people["bee"])[-1] == (
        "undone",
        f"The moves after entry {number - 1} have been undone",
        "Not yet",
    )
    last = next(
        notice
        for notice in notices_in_words(selectors.notices(ant))
        if notice.notice.kind == "challenged"
    )
    assert (last.struck, last.new) == (f"struck by entry {undo.number}", False)
    services.restore(running.campaign, running.gm, undo.number, "Rightly so")
    assert selectors.unread(ant).count() == before
    assert notice_kinds(running.people["bee"])[-1] == "restored"


def test_a_seats_own_undo_notifies_no_one(running: Any) -> None:
    running.play("bee", "add", stones=1)
    count = Notice.objects.count()
    services.undo_own(running.campaign, running.people["bee"], running.seen("bee"))
    assert Notice.objects.count() == count


def test_users_notified_of_a_move_learn_that_it_was_taken_back(running: Any) -> None:
    ant = running.people["ant"]
    opened = running.play("bee", "end").entries[0]
    falls, waiting = (
        Notice.objects.filter(user=ant, entry=opened).count(),
        selectors.unread(ant).count(),
    )
    assert falls
    undo = services.undo_own(running.campaign, running.people["bee"], running.seen("bee"))
    line = (
        "taken-back",
        "A move in one of your notices is taken back",
        "The Bee: an earlier notice about this move no longer applies.",
    )
    assert notices_shown(ant)[-1] == line
    assert selectors.unread(ant).count() == waiting - falls + 1
    services.restore(running.reload(), running.gm, undo.number, "It stood")
    assert notice_kinds(ant)[-1] == "restored"
    assert selectors.unread(ant).count() == waiting + 2, (
        "those of the move again, that it was taken back, that it is restored"
    )


def test_a_correction_notifies_those_whom_it_concerns(grand_table: GrandTable) -> None:
    grand_table.play(
        "gm", "adjust", nation="romans", account="income", change=25, reason="Miscounted <b>"
    )
    kind, title, body = notices_shown(grand_table.people["roman"])[-1]
    assert (kind, title) == ("correction", "A correction concerns you")
    assert "Miscounted <b>" in body
    assert "correction" not in notice_kinds(grand_table.people["hun"])


def test_the_next_seat_is_notified(grand_table: GrandTable) -> None:
    after = grand_table.order[grand_table.order.index("huns") + 1]
    assert ("next" in notice_kinds(grand_table.people["roman"])) == (after == "romans")
    assert "slot-open" in notice_kinds(grand_table.people["hun"])


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_a_taken_card_notifies_only_its_owner(
    new_campaign: Callable[..., GrandTable], hands: str
) -> None:
    """No one is notified when it returns to the hand as the owner's turn begins."""
    grand_table = new_campaign(hands=hands)
    grand_table.play("gm", "start")
    first, second = (
        grand_table.campaign.active_seat,
        grand_table.order[grand_table.order.index(grand_table.campaign.active_seat) + 1],
    )
    others = [user for who, user in grand_table.people.items() if who in ("hun", "roman")]
    Membership.objects.filter(campaign=grand_table.campaign, role="seat").update(
        until=grand_table.campaign.founded_at
    )
    for seat, user in zip((first, second), others, strict=True):
        _, token = services.invite(grand_table.campaign, grand_table.people["gm"], seat)
        services.take_seat(user, token)
    for seat in (first, second):
        grand_table.play("gm", "give-card", nation=seat, card="spy", reason="For the test")
    grand_table.play(first, "offer", card="spy")
    grand_table.play(first, "end-slot")
    entry = grand_table.play(
        second, "take", **{"from": first, "card": "spy", "give": "spy"}
    ).entries[0]
    lost = Notice.objects.filter(kind="card-lost")
    assert [(notice.entry_id, notice.user_id) for notice in lost] == [(entry.pk, others[0].pk)]
    assert notices_shown(others[0])[-1][1].endswith("lost a card")


def test_a_members_only_table_sends_nothing_to_former_members(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(visibility="members")
    grand_table.play("gm", "start")
    hun = grand_table.people["hun"]
    assert notice_kinds(hun)
    services.vacate(grand_table.campaign, hun, "huns")
    assert notice_kinds(hun) == []


def test_the_close_and_the_end_of_a_turn(table: Any) -> None:
    table.play("gm", "start")
    while table.campaign.status != "finished":
        table.play(table.campaign.active_seat, "add", stones=3)
        if table.campaign.status != "finished":
            table.play(table.campaign.active_seat, "end")
    assert notice_kinds(table.gm)[-1] == "finished"
    assert "finished" in notice_kinds(table.people["ant"]) + notice_kinds(table.people["bee"])


def test_a_fresh_process_knows_the_kinds(tmp_path: Path) -> None:
    phrase = "import django; django.setup(); from notices.registry import KINDS as k; "
    phrase += "print('challenged' in k)"
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TABULA_VAR": str(tmp_path),
        "SECRET_KEY": "s" * 50,
    }
    environment |= {"VAULT_KEY": "v" * 50, "DATABASE_URL": f"sqlite:///{tmp_path / 'none.sqlite3'}"}
    answer = subprocess.run(
        [sys.executable, "-c", phrase],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert answer.stdout.split() == ["True"]
