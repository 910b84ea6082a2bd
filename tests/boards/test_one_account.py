"""Several threads of a campaign with one account: a wrong password is tried only once."""

from __future__ import annotations

from collections.abc import Callable
from http.cookiejar import CookieJar

import pytest

from forum import services
from forum.models import Thread
from forum.posts import sending
from outgoing.client import Client
from tests.boards.places import Place
from tests.table import Table, people, table, toy  # noqa: F401

pytestmark = pytest.mark.django_db
At = Callable[..., Place]


@pytest.mark.parametrize("kind", ["phpbb", "mybb"])
def test_a_wrong_password_is_tried_once(at: At, table: Table, kind: str) -> None:  # noqa: F811
    here = at(kind)
    clock = here.board.clock
    wrong = {**here.settings, "password": "wrong"}
    for n in (2, 3, 4):
        if kind == "phpbb":
            here.board.open_topic(f"Heap {n}", here.board.users[max(here.board.users)])
        else:
            here.board.open_thread(f"Heap {n}", "Master")
    topics = [
        {**wrong, "address": here.settings["address"].replace("=1", f"={n}")} for n in (1, 2, 3, 4)
    ]
    threads = [
        services.set_up(
            table.campaign, table.gm, transport=kind, name=f"{n}", settings=shown, now=clock.now()
        )
        for n, shown in enumerate([*topics, here.settings])
    ]
    for thread in threads:
        services.try_out(thread, table.gm, now=clock.now())

    def visitor(jar: CookieJar) -> Client:
        return Client(now=clock.now, sleep=clock.sleep, cookies=jar)

    for _round in range(6):
        clock.sleep(60)
        sending.tick(clock.now(), client=visitor)
    # The last has the right one, and the account still takes it.
    assert [thread.locked_at is not None for thread in Thread.objects.order_by("pk")] == [
        True
    ] * 4 + [False]
    assert here.wire.seen["login"] == 2
    assert [post.text.count("You can delete this post") for post in here.board.posts][-1] == 1
    services.unlock(threads[1], table.gm, now=clock.now())
    sending.tick(clock.now(), client=visitor)
    assert Thread.objects.filter(locked_at=None).count() == 1
    assert here.wire.seen["login"] == 3
