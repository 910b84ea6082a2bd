"""The bell, the lists of notices, and the pages that mark a notice as read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from notices.models import Notice
from tests.web.grand_table import GrandTable, grand_table, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def bell(grand_table: GrandTable, who: str, path: str = "/rules/") -> str:  # noqa: F811
    """Return the text of the bell."""
    text = grand_table.get(
        who, path if path != "/rules/" else "/rules/grand_campaign/"
    ).content.decode()
    content = re.search(r'aria-label="Notices(?:, ([^"]*) new)?"', text)
    assert content
    return content[1] or ""


def new(grand_table: GrandTable, who: str) -> list[str]:  # noqa: F811
    return [
        notice.kind
        for notice in Notice.objects.filter(user=grand_table.people[who], read_at=None).order_by(
            "pk"
        )
    ]


def test_the_bell_counts_new_notices(grand_table: GrandTable) -> None:  # noqa: F811
    assert bell(grand_table, "hun") == str(len(new(grand_table, "hun")))
    assert bell(grand_table, "stranger") == ""
    assert (
        "Notices"
        not in re.search(r'<div class="bar__me">.*?</div>', grand_table.text("nobody", "/"))[0]
    )  # type: ignore[index]


def test_the_list_shows_escaped_notices(grand_table: GrandTable) -> None:  # noqa: F811
    grand_table.play(
        "gm",
        "adjust",
        nation="huns",
        account="income",
        change=25,
        reason="<script>alert(1)</script>",
    )
    for path in ("/notices/", "notices/"):
        text = grand_table.text("hun", path)
        assert "It is your turn, Huns" in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "<script>alert" not in text
        assert "It is your turn" not in grand_table.text("roman", path)


def test_opening_the_list_marks_nothing_as_read(grand_table: GrandTable) -> None:  # noqa: F811
    before = new(grand_table, "hun")
    grand_table.get("hun", "/notices/")
    grand_table.get("hun", "notices/")
    assert new(grand_table, "hun") == before != []


def test_the_page_of_its_subject_marks_a_notice_as_read(grand_table: GrandTable) -> None:  # noqa: F811
    assert "slot-open" in new(grand_table, "hun")
    grand_table.clients["hun"].get(f"{grand_table.home}n/huns/", headers={"HX-Request": "true"})
    assert "slot-open" in new(grand_table, "hun")
    grand_table.get("hun", "n/huns/")
    assert "slot-open" not in new(grand_table, "hun")
    grand_table.get("hun")
    assert new(grand_table, "hun") == [
        kind for kind in new(grand_table, "hun") if kind not in ("turn-opened", "seat-given")
    ]


def test_opening_a_notice_marks_it_as_read_and_redirects(grand_table: GrandTable) -> None:  # noqa: F811
    one = Notice.objects.get(user=grand_table.people["hun"], kind="slot-open")
    answer = grand_table.get("hun", f"/notices/{one.pk}/")
    assert (answer.status_code, answer["Location"]) == (302, f"{grand_table.home}n/huns/")
    assert "slot-open" not in new(grand_table, "hun")
    assert grand_table.get("roman", f"/notices/{one.pk}/").status_code == 404


def test_one_notice_or_all_are_marked_by_post(grand_table: GrandTable) -> None:  # noqa: F811
    one, other = Notice.objects.filter(user=grand_table.people["hun"], read_at=None)[:2]
    before = len(new(grand_table, "hun"))
    grand_table.post("roman", "/notices/read/", notice=str(one.pk))
    assert len(new(grand_table, "hun")) == before
    answer = grand_table.post("hun", "/notices/read/", notice=str(one.pk), next="//evil.example/")
    assert (answer.status_code, answer["Location"]) == (303, "/notices/")
    assert len(new(grand_table, "hun")) == before - 1
    grand_table.post("hun", "/notices/read/", campaign="aaaaaaaa")
    assert len(new(grand_table, "hun")) == before - 1
    grand_table.post(
        "hun", "/notices/read/", campaign=grand_table.campaign.public_id, next="/notices/?before=9"
    )
    assert new(grand_table, "hun") == []
    assert grand_table.get("hun", "/notices/read/").status_code == 405
    assert other.pk


def test_notices_of_struck_entries_say_so(grand_table: GrandTable) -> None:  # noqa: F811
    number = grand_table.play("huns", "end-slot").entries[0].number
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        number - 1,
        "Too early",
        grand_table.seen("gm"),
    )
    entry = Notice.objects.filter(entry__number=number).first()
    if entry is not None:
        who = "roman" if entry.user_id == grand_table.people["roman"].pk else "hun"
        assert "struck by entry" in grand_table.text(who, "/notices/")
    assert "Too early" in grand_table.text("hun", "/notices/")


@pytest.mark.parametrize("path", ["/notices/", "notices/"])
def test_queries_do_not_grow_with_notices(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    path: str,
) -> None:
    grand_table = new_campaign()  # noqa: F811
    grand_table.play("gm", "start")
    for n in range(30):
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=25, reason=f"Again {n}"
        )
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=-25, reason=f"Back {n}"
        )
    grand_table.get("hun", path)
    with CaptureQueriesContext(connection) as counted:
        text = grand_table.text("hun", path)
    assert len(counted) <= 12
    assert text.count('class="notice ') == 50
    older = re.search(r"\?before=(\d+)", text)
    assert older
    assert grand_table.text("hun", path, before=older[1]).count('class="notice ') > 5
    assert grand_table.get("hun", path, before="x").status_code == 404
