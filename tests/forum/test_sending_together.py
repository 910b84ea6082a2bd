"""Several workers at once, which take each post once, with real connections on either database."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from forum.models import Post
from forum.posts import sending
from tests.forum.post_office import NOW, make_post, make_thread, run_tick, turn_report_key
from tests.forum.walls import Wall
from tests.table import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]


def test_four_workers_and_three_threads(running: Table, wall: Wall) -> None:
    marks = []
    for _ in range(3):
        thread = make_thread(running, wall)
        marks += [
            make_post(running, thread).marker,
            make_post(running, thread, turn_report_key(running)).marker,
        ]
    wrong: list[Any] = []

    def work() -> None:
        try:
            for _ in range(6):
                run_tick()
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []
    assert set(Post.objects.values_list("state", flat=True)) == {"posted"}
    every_part = set(Post.objects.values_list("marker", flat=True))
    assert set(marks) < every_part, "the second report of a thread has two parts"
    assert wall.counts == dict.fromkeys(every_part, 1)


def test_a_thread_that_somebody_changes_is_left_to_the_next_round(
    running: Table, wall: Wall
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nobody to be kept from it")
    from django.db import transaction

    thread = make_thread(running, wall)
    make_post(running, thread)
    result: list[Any] = []

    def other() -> None:
        result.append(sending.take_post(NOW, NOW))
        connection.close()

    with transaction.atomic():
        type(thread).objects.select_for_update().get(pk=thread.pk)
        worker = threading.Thread(target=other)
        worker.start()
        worker.join()
    assert result == [None]
    assert run_tick() == 1
