"""Secrecy after leaving a seat: the former player sees nothing hidden of it any more.

Campaigns that differ only in the hand, the plan and the notes of the seat give the player equal
answers, byte by byte, and no earlier tag is valid.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from campaign import plans, services
from campaign.errors import NotAllowed
from campaign.log import positions
from notices import services as notices_services
from tests.web.five import Five, new_campaign
from tests.web.seats.test_hidden_hands import (
    Answers,
    _Snapshot,
    addresses,
    answer,
    counters_back,
    differences,
    forms,
    give,
    opened,
    roll,
)

__all__ = ["_Snapshot", "new_campaign", "roll"]

pytestmark = pytest.mark.django_db

LEAVES = ["left", "freed", "given", "accepted"]


def leave(five: Five, how: str) -> None:
    """Let the Roman give up their seat, or take it from them."""
    table, roman, sid = five.campaign, five.people["roman"], five.people["stranger"]
    if how == "left":
        assert five.post("roman", "about/", do="leave", seat="romans").status_code == 302
    elif how == "freed":
        services.vacate(table, five.people["gm"], "romans")
    elif how == "given":
        services.take_seat(sid, services.hand_over_link(table, roman, "romans")[1])
    else:
        services.join_waiting_list(table, sid)
        services.offer_seat(table, roman, "romans", sid)
        assert five.post("stranger", "about/", do="accept-seat", seat="romans").status_code == 302


def played(five: Five, other: bool) -> None:
    """Give the Romans cards by a correction, a secret order, a plan and notes."""
    opened(five)
    for card in ("spy" if other else "scouts", "bodyguard"):
        give(five, "romans", card)
    roman = five.people["roman"]
    five.post(
        "roman",
        "move/",
        offer="keep",
        move="keep",
        seat="romans",
        card="bodyguard",
        value="true",
        seen=str(five.seen("roman")),
    )
    card = "spy" if other else "scouts"
    services.plan_move(
        five.campaign, roman, "romans", {"by": "romans", "move": "offer", "card": card}
    )
    services.write_note(five.campaign, roman, "romans", f"I hold {card}.", left=True, version=0)


def ask(five: Five, whole: bool) -> Answers:
    """Return all answers that the Roman can get.

    Without `whole`, those about their seat and hand.
    """
    got: Answers = {}
    paths = [
        path for path in addresses(five, "roman", whole) if whole or not path.startswith("e/")
    ]  # the log contains them all
    paths += ["n/romans/notes/", "n/romans/handover/", "n/romans/plan/", "?open=keep"]
    paths += (
        [f"history/?at={number}" for number in range(five.campaign.last_number + 1)]
        if whole
        else []
    )
    paths += [
        f"live/?at={five.seen('roman')}",
        "live/?at=3",
        "n/romans/?open=offer",
        "n/romans/ledger.csv",
        "ledger/?nation=romans",
    ]
    for path in dict.fromkeys(paths):
        got["roman", "GET", path] = answer(five.get("roman", path))
    last_entry = str(five.seen("roman"))
    for form in [
        *forms(),
        {"offer": "keep", "move": "keep", "card": "bodyguard", "value": "false"},
    ]:
        for to in ("preview/", "move/"):
            posted = five.post(
                "roman", to, seat="romans", back=five.home + "n/romans/", seen=last_entry, **form
            )
            assert posted.status_code == 403, (to, form)
            got["roman", "POST", f"{to} {form}"] = answer(posted)
    for to, do in (
        ("n/romans/plan/", {"do": "all"}),
        ("n/romans/notes/", {"text": "x"}),
        ("n/romans/handover/", {}),
        ("undo/", {}),
    ):
        got["roman", "POST", to] = answer(
            five.post("roman", to, version="1", seen=last_entry, **do)
        )
    return got


@pytest.mark.long
@pytest.mark.parametrize(
    "how",
    [how if how == "given" else pytest.param(how, marks=pytest.mark.thorough) for how in LEAVES],
)
def test_a_former_player_gets_equal_answers_for_different_hands(
    new_campaign: Callable[..., Five],
    roll: dict[str, int],
    how: str,
) -> None:
    created: list[Answers] = []
    held: list[bytes] = []
    for other in (False, True):
        positions.memory.clear()
        counters_back()
        with transaction.atomic():
            five = new_campaign(hands="hidden")
            played(five, other)
            held.append(
                b"".join(
                    five.get("roman", path).content
                    for path in ("n/romans/", "notices/", "n/romans/plan/")
                )
            )
            leave(five, how)
            five.campaign.refresh_from_db()
            created.append(ask(five, how == "given"))
            transaction.set_rollback(True)
    assert held[0] != held[1], "the two tellings are one: nothing is compared"
    assert differences(*created) == []


def test_an_earlier_tag_is_not_valid(new_campaign: Callable[..., Five]) -> None:
    five = new_campaign(hands="hidden")
    played(five, False)
    five.get("roman")  # this reads the notices about their order
    tags = {path: five.get("roman", path)["ETag"] for path in ("", "n/romans/", "log/", "ledger/")}
    assert all(
        five.clients["roman"].get(five.home + path, HTTP_IF_NONE_MATCH=tag).status_code == 304
        for path, tag in tags.items()
    )
    leave(five, "left")
    for path, tag in tags.items():
        changed_page = five.clients["roman"].get(five.home + path, HTTP_IF_NONE_MATCH=tag)
        assert (changed_page.status_code, changed_page.headers.get("ETag") != tag) == (200, True), (
            path
        )
    assert "Scouts" not in five.text("roman", "n/romans/")
    with pytest.raises(NotAllowed):
        plans.plan_of_user(five.campaign, five.people["roman"], "romans")


def test_a_returning_player_finds_plan_and_notes_again(new_campaign: Callable[..., Five]) -> None:
    five = new_campaign(hands="hidden")
    played(five, False)
    leave(five, "left")
    assert five.get("roman", "n/romans/notes/").status_code == 403
    services.take_seat(
        five.people["roman"], services.invite(five.campaign, five.people["gm"], "romans")[1]
    )
    assert "I hold scouts." in five.text("roman", "n/romans/notes/")
    assert "offer" in str(plans.plan_of_user(five.campaign, five.people["roman"], "romans").moves)


def test_the_former_players_feed_has_nothing_hidden(new_campaign: Callable[..., Five]) -> None:
    five = new_campaign(hands="hidden")
    played(five, False)
    token = notices_services.create_feed(five.people["roman"], "notices")
    assert "Scouts" in five.text("nobody", f"/feed/{token}/notices.atom")
    leave(five, "left")
    feed = five.get("nobody", f"/feed/{token}/notices.atom")
    assert (feed.status_code, "Scouts" in feed.content.decode()) == (200, False)
