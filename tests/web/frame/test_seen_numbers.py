"""The entry number in a page's forms: that of the page's content, also if a move came meanwhile."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from campaign import access
from campaign.models import Campaign
from tests.web.grand_table import GrandTable, grand_table, new_campaign  # noqa: F401
from web.frame.table import TableContext

pytestmark = pytest.mark.django_db


def context(table: GrandTable) -> TableContext:
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    user = table.people["hun"]
    request: Any = SimpleNamespace(user=user)
    return TableContext(request, campaign, access.access_of(campaign, user))


def test_a_move_while_the_page_is_drawn_is_not_seen(grand_table: GrandTable) -> None:  # noqa: F811
    drawn, before = context(grand_table), context(grand_table).seen
    grand_table.play("huns", "build", structure="hamlets")
    assert drawn.seen == before
    assert context(grand_table).seen == before + 1


def test_the_form_of_such_a_page_is_answered_as_outdated(grand_table: GrandTable) -> None:  # noqa: F811
    drawn = context(grand_table)
    grand_table.play("huns", "build", structure="hamlets")
    answer = grand_table.post(
        "hun", "move/", seat="huns", offer="end-slot", move="end-slot", seen=str(drawn.seen)
    )
    assert answer.status_code == 409


@pytest.mark.parametrize(
    "move", [{"move": "end-slot", "offer": "end-slot"}, {"move": "build", "offer": "build:hamlets"}]
)
def test_a_form_with_a_future_entry_number_is_refused_without_queries(
    grand_table: GrandTable,  # noqa: F811
    move: dict[str, str],
) -> None:
    before = grand_table.seen("hun")
    answer = grand_table.post("hun", "move/", seat="huns", seen="999999999", **move)
    assert answer.status_code == 409
    assert "This form does not fit the table as you see it" in answer.content.decode()
    undo = grand_table.post("hun", "undo/", seen="999999999", follow=True).content.decode()
    assert "This form does not fit the table" in undo or "The last move is not yours" in undo
    assert grand_table.seen("hun") == before
