"""The bell, the lists of notices, and the pages that mark a notice as read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from notices.models import Notice
from tests.web.five import Five, five, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def bell(five: Five, who: str, path: str = "/rules/") -> str:  # noqa: F811
    """Return the text of the bell."""
    text = five.get(who, path if path != "/rules/" else "/rules/grand_campaign/").content.decode()
    content = re.search(r'aria-label="Notices(?:, ([^"]*) new)?"', text)
    assert content
    return content[1] or ""


def new(five: Five, who: str) -> list[str]:  # noqa: F811
    return [
        notice.kind
        for notice in Notice.objects.filter(user=five.people[who], read_at=None).order_by("pk")
    ]


def test_the_bell_counts_new_notices(five: Five) -> None:  # noqa: F811
    assert bell(five, "hun") == str(len(new(five, "hun")))
    assert bell(five, "stranger") == ""
    assert (
        "Notices" not in re.search(r'<div class="bar__me">.*?</div>', five.text("nobody", "/"))[0]
    )  # type: ignore[index]


def test_the_list_shows_escaped_notices(five: Five) -> None:  # noqa: F811
    five.play(
        "gm",
        "adjust",
        nation="huns",
        account="income",
        change=25,
        reason="<script>alert(1)</script>",
    )
    for path in ("/notices/", "notices/"):
        text = five.text("hun", path)
        assert "It is your turn, Huns" in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "<script>alert" not in text
        assert "It is your turn" not in five.text("roman", path)


def test_opening_the_list_marks_nothing_as_read(five: Five) -> None:  # noqa: F811
    before = new(five, "hun")
    five.get("hun", "/notices/")
    five.get("hun", "notices/")
    assert new(five, "hun") == before != []


def test_the_page_of_its_subject_marks_a_notice_as_read(five: Five) -> None:  # noqa: F811
    assert "slot-open" in new(five, "hun")
    five.clients["hun"].get(f"{five.home}n/huns/", headers={"HX-Request": "true"})
    assert "slot-open" in new(five, "hun")
    five.get("hun", "n/huns/")
    assert "slot-open" not in new(five, "hun")
    five.get("hun")
    assert new(five, "hun") == [
        kind for kind in new(five, "hun") if kind not in ("turn-opened", "seat-given")
    ]


def test_opening_a_notice_marks_it_as_read_and_redirects(five: Five) -> None:  # noqa: F811
    one = Notice.objects.get(user=five.people["hun"], kind="slot-open")
    answer = five.get("hun", f"/notices/{one.pk}/")
    assert (answer.status_code, answer["Location"]) == (302, f"{five.home}n/huns/")
    assert "slot-open" not in new(five, "hun")
    assert five.get("roman", f"/notices/{one.pk}/").status_code == 404


def test_one_notice_or_all_are_marked_by_post(five: Five) -> None:  # noqa: F811
    one, other = Notice.objects.filter(user=five.people["hun"], read_at=None)[:2]
    before = len(new(five, "hun"))
    five.post("roman", "/notices/read/", notice=str(one.pk))
    assert len(new(five, "hun")) == before
    answer = five.post("hun", "/notices/read/", notice=str(one.pk), next="//evil.example/")
    assert (answer.status_code, answer["Location"]) == (303, "/notices/")
    assert len(new(five, "hun")) == before - 1
    five.post("hun", "/notices/read/", campaign="aaaaaaaa")
    assert len(new(five, "hun")) == before - 1
    five.post("hun", "/notices/read/", campaign=five.campaign.public_id, next="/notices/?before=9")
    assert new(five, "hun") == []
    assert five.get("hun", "/notices/read/").status_code == 405
    assert other.pk


def test_notices_of_struck_entries_say_so(five: Five) -> None:  # noqa: F811
    number = five.play("huns", "end-slot").entries[0].number
    services.undo_to(five.campaign, five.people["gm"], number - 1, "Too early", five.seen("gm"))
    entry = Notice.objects.filter(entry__number=number).first()
    if entry is not None:
        who = "roman" if entry.user_id == five.people["roman"].pk else "hun"
        assert "struck by entry" in five.text(who, "/notices/")
    assert "Too early" in five.text("hun", "/notices/")


@pytest.mark.parametrize("path", ["/notices/", "notices/"])
def test_queries_do_not_grow_with_notices(new_campaign: Callable[..., Five], path: str) -> None:  # noqa: F811
    five = new_campaign()  # noqa: F811
    five.play("gm", "start")
    for n in range(30):
        five.play("gm", "adjust", nation="huns", account="income", change=25, reason=f"Again {n}")
        five.play("gm", "adjust", nation="huns", account="income", change=-25, reason=f"Back {n}")
    five.get("hun", path)
    with CaptureQueriesContext(connection) as counted:
        text = five.text("hun", path)
    assert len(counted) <= 12
    assert text.count('class="notice ') == 50
    older = re.search(r"\?before=(\d+)", text)
    assert older
    assert five.text("hun", path, before=older[1]).count('class="notice ') > 5
    assert five.get("hun", path, before="x").status_code == 404
