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
from tests.web.grand_table import GrandTable, new_campaign
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


def leave(grand_table: GrandTable, how: str) -> None:
    """Let the Roman give up their seat, or take it from them."""
    table, roman, sid = (
        grand_table.campaign,
        grand_table.people["roman"],
        grand_table.people["stranger"],
    )
    if how == "left":
        assert grand_table.post("roman", "about/", do="leave", seat="romans").status_code == 302
    elif how == "freed":
        services.vacate(table, grand_table.people["gm"], "romans")
    elif how == "given":
        services.take_seat(sid, services.hand_over_link(table, roman, "romans")[1])
    else:
        services.join_waiting_list(table, sid)
        services.offer_seat(table, roman, "romans", sid)
        assert (
            grand_table.post("stranger", "about/", do="accept-seat", seat="romans").status_code
            == 302
        )


def played(grand_table: GrandTable, other: bool) -> None:
    """Give the Romans cards by a correction, a secret order, a plan and notes."""
    opened(grand_table)
    for card in ("spy" if other else "scouts", "bodyguard"):
        give(grand_table, "romans", card)
    roman = grand_table.people["roman"]
    grand_table.post(
        "roman",
        "move/",
        offer="keep",
        move="keep",
        seat="romans",
        card="bodyguard",
        value="true",
        seen=str(grand_table.seen("roman")),
    )
    card = "spy" if other else "scouts"
    services.plan_move(
        grand_table.campaign, roman, "romans", {"by": "romans", "move": "offer", "card": card}
    )
    services.write_note(
        grand_table.campaign, roman, "romans", f"I hold {card}.", left=True, version=0
    )


def ask(grand_table: GrandTable, whole: bool) -> Answers:
    """Return all answers that the Roman can get.

    Without `whole`, those about their seat and hand.
    """
    got: Answers = {}
    paths = [
        path
        for path in addresses(grand_table, "roman", whole)
        if whole or not path.startswith("e/")
    ]  # the log contains them all
    paths += ["n/romans/notes/", "n/romans/handover/", "n/romans/plan/", "?open=keep"]
    paths += (
        [f"history/?at={number}" for number in range(grand_table.campaign.last_number + 1)]
        if whole
        else []
    )
    paths += [
        f"live/?at={grand_table.seen('roman')}",
        "live/?at=3",
        "n/romans/?open=offer",
        "n/romans/ledger.csv",
        "ledger/?nation=romans",
    ]
    for path in dict.fromkeys(paths):
        got["roman", "GET", path] = answer(grand_table.get("roman", path))
    last_entry = str(grand_table.seen("roman"))
    for form in [
        *forms(),
        {"offer": "keep", "move": "keep", "card": "bodyguard", "value": "false"},
    ]:
        for to in ("preview/", "move/"):
            posted = grand_table.post(
                "roman",
                to,
                seat="romans",
                back=grand_table.home + "n/romans/",
                seen=last_entry,
                **form,
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
            grand_table.post("roman", to, version="1", seen=last_entry, **do)
        )
    return got


@pytest.mark.long
@pytest.mark.parametrize(
    "how",
    [how if how == "given" else pytest.param(how, marks=pytest.mark.thorough) for how in LEAVES],
)
def test_a_former_player_gets_equal_answers_for_different_hands(
    new_campaign: Callable[..., GrandTable],
    roll: dict[str, int],
    how: str,
) -> None:
    created: list[Answers] = []
    held: list[bytes] = []
    for other in (False, True):
        positions.memory.clear()
        counters_back()
        with transaction.atomic():
            grand_table = new_campaign(hands="hidden")
            played(grand_table, other)
            held.append(
                b"".join(
                    grand_table.get("roman", path).content
                    for path in ("n/romans/", "notices/", "n/romans/plan/")
                )
            )
            leave(grand_table, how)
            grand_table.campaign.refresh_from_db()
            created.append(ask(grand_table, how == "given"))
            transaction.set_rollback(True)
    assert held[0] != held[1], "the two tellings are one: nothing is compared"
    assert differences(*created) == []


def test_an_earlier_tag_is_not_valid(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign(hands="hidden")
    played(grand_table, False)
    grand_table.get("roman")  # this reads the notices about their order
    tags = {
        path: grand_table.get("roman", path)["ETag"]
        for path in ("", "n/romans/", "log/", "ledger/")
    }
    assert all(
        grand_table.clients["roman"]
        .get(grand_table.home + path, HTTP_IF_NONE_MATCH=tag)
        .status_code
        == 304
        for path, tag in tags.items()
    )
    leave(grand_table, "left")
    for path, tag in tags.items():
        changed_page = grand_table.clients["roman"].get(
            grand_table.home + path, HTTP_IF_NONE_MATCH=tag
        )
        assert (changed_page.status_code, changed_page.headers.get("ETag") != tag) == (200, True), (
            path
        )
    assert "Scouts" not in grand_table.text("roman", "n/romans/")
    with pytest.raises(NotAllowed):
        plans.plan_of_user(grand_table.campaign, grand_table.people["roman"], "romans")


def test_a_returning_player_finds_plan_and_notes_again(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    played(grand_table, False)
    leave(grand_table, "left")
    assert grand_table.get("roman", "n/romans/notes/").status_code == 403
    services.take_seat(
        grand_table.people["roman"],
        services.invite(grand_table.campaign, grand_table.people["gm"], "romans")[1],
    )
    assert "I hold scouts." in grand_table.text("roman", "n/romans/notes/")
    assert "offer" in str(
        plans.plan_of_user(grand_table.campaign, grand_table.people["roman"], "romans").moves
    )


def test_the_former_players_feed_has_nothing_hidden(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    played(grand_table, False)
    token = notices_services.create_feed(grand_table.people["roman"], "notices")
    assert "Scouts" in grand_table.text("nobody", f"/feed/{token}/notices.atom")
    leave(grand_table, "left")
    feed = grand_table.get("nobody", f"/feed/{token}/notices.atom")
    assert (feed.status_code, "Scouts" in feed.content.decode()) == (200, False)
