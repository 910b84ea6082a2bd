"""A long report on a board: in parts, each within its limit, in their order, each once."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import pytest

from forum import services
from forum.models import Post
from forum.posts import sending
from games import registry
from tests.boards.places import Place
from tests.boards.wire import Fault, client
from tests.forum.heap import HeapReports
from tests.table import Table, people, running, table, toy  # noqa: F401


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["phpbb", "nodebb"])
def test_a_long_report_stands_there_in_its_parts(
    at: Callable[..., Place],
    running: Table,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    monkeypatch.setattr(registry.TITLES["heap"], "reporter", HeapReports())
    while not running.reload().ended:
        running.play(running.campaign.active_seat, "add", stones=1)
        if not running.reload().ended:
            running.play(running.campaign.active_seat, "end")
    here = at(kind)
    clock = here.board.clock
    thread = services.set_up(
        running.campaign,
        running.gm,
        transport=kind,
        name="The board",
        settings=here.settings,
        limit=500,
        now=clock.now(),
    )
    draft = services.draft(running.campaign, running.gm, thread, "final", now=clock.now())
    services.mark_ready(draft, running.gm, now=clock.now())
    lost = iter([Fault.CUT_AFTER, Fault.CUT_BEFORE])
    here.wire.faults = lambda step: next(lost, None) if step == "post" else None
    for _ in range(40):
        sending.tick(clock.now(), client=lambda jar: client(clock, jar))
        clock.sleep(120)
    parts = list(Post.objects.order_by("part"))
    assert len(parts) >= 2
    assert {part.state for part in parts} == {"posted"}
    stand: list[Any] = [post for post in here.board.posts if post.user in (3, "Clerk")]
    assert [part.marker in post.text for part, post in zip(parts, stand, strict=True)] == [
        True
    ] * len(parts)
    assert all(len(escape(post.text)) <= 500 for post in stand)
    assert [
        part.permalink.rpartition("p=" if kind == "phpbb" else "/")[2].split("#")[0]
        for part in parts
    ] == [str(post.id) for post in stand]
