"""The entry number in a page's forms: that of the page's content, also if a move came meanwhile."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from campaign import access
from campaign.models import Campaign
from tests.web.five import Five, five, new_campaign  # noqa: F401
from web.frame.table import TableContext

pytestmark = pytest.mark.django_db


def context(table: Five) -> TableContext:
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    user = table.people["hun"]
    request: Any = SimpleNamespace(user=user)
    return TableContext(request, campaign, access.access_of(campaign, user))


def test_a_move_while_the_page_is_drawn_is_not_seen(five: Five) -> None:  # noqa: F811
    drawn, before = context(five), context(five).seen
    five.play("huns", "build", structure="hamlets")
    assert drawn.seen == before
    assert context(five).seen == before + 1


def test_the_form_of_such_a_page_is_answered_as_outdated(five: Five) -> None:  # noqa: F811
    drawn = context(five)
    five.play("huns", "build", structure="hamlets")
    answer = five.post(
        "hun", "move/", seat="huns", offer="end-slot", move="end-slot", seen=str(drawn.seen)
    )
    assert answer.status_code == 409


@pytest.mark.parametrize(
    "move", [{"move": "end-slot", "offer": "end-slot"}, {"move": "build", "offer": "build:hamlets"}]
)
def test_a_form_with_a_future_entry_number_is_refused_without_queries(
    five: Five,  # noqa: F811
    move: dict[str, str],
) -> None:
    before = five.seen("hun")
    answer = five.post("hun", "move/", seat="huns", seen="999999999", **move)
    assert answer.status_code == 409
    assert "This form does not fit the table as you see it" in answer.content.decode()
    undo = five.post("hun", "undo/", seen="999999999", follow=True).content.decode()
    assert "This form does not fit the table" in undo or "The last move is not yours" in undo
    assert five.seen("hun") == before
