"""Posts of a followed thread beside the log, with guesses of moves for users who may make them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from forum import reading, services
from forum.boards import ReadPost
from forum.models import FollowedThread, ImportedPost
from tests.web.grand_table import WHO, GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db
PLACE = "https://board.example"


class Topic:
    """A campaign in its first turn and a topic about it.

    `add_post(author, text)` adds a post that is `minutes` old.
    """

    def __init__(self, grand_table: GrandTable) -> None:
        self.grand_table, self.gm = grand_table, grand_table.people["gm"]
        settings = {"address": f"{PLACE}/topic/7", "token": "a-token"}
        self.thread = services.set_up(
            grand_table.campaign, self.gm, transport="nodebb", name="The board", settings=settings
        )
        self.number = 0

    def follow(self, shown: bool = True) -> None:
        services.set_following(self.thread, self.gm, active=True, shown=shown)

    def add_post(self, author: str, text: str, minutes: float = 0) -> None:
        self.number += 1
        at = timezone.now() - timedelta(minutes=minutes)
        one = ReadPost(str(self.number), author, at, text, f"{PLACE}/post/{self.number}")
        row = FollowedThread.objects.select_related("thread").get(thread=self.thread)
        reading.store_replies(row, [one], timezone.now(), {})

    def page(self, who: str, **query: str) -> str:
        return " ".join(strip_tags(self.grand_table.text(who, "heard/", **query)).split())


@pytest.fixture
def topic(new_campaign: Callable[..., GrandTable]) -> Topic:  # noqa: F811
    grand_table = new_campaign()
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    return Topic(grand_table)


def test_only_members_read_the_posts(topic: Topic) -> None:
    topic.follow()
    topic.add_post("Ingrid", "My riders look at Dacia.")
    assert tuple(topic.grand_table.statuses("heard/").values()) == (200, 200, 200, 403, 302)
    for who in ("gm", "hun", "roman"):
        assert "My riders look at Dacia." in topic.page(who)
    topic.follow(shown=False)
    assert "My riders look at Dacia." in topic.page("gm")
    assert "There is nothing to read here." in topic.page("roman")


def test_it_is_switched_on_and_off_by_the_game_master_alone(topic: Topic) -> None:
    assert "You do not follow any thread." in topic.page("gm")
    pk = str(topic.thread.pk)
    for who in ("hun", "stranger", "nobody"):
        assert topic.grand_table.post(who, "heard/", thread=pk, do="follow").status_code in (
            302,
            403,
        )
        assert not FollowedThread.objects.exists()
    assert (
        topic.grand_table.post("gm", "heard/", thread=pk, do="follow", shown="on").status_code
        == 303
    )
    row = FollowedThread.objects.get()
    assert (row.active, row.shown, row.next_at is not None) == (True, True, True)
    assert "No posts have arrived yet." in topic.page("gm")
    FollowedThread.objects.update(
        stopped_at=timezone.now(), last_error="Guests may not read this topic."
    )
    assert "Guests may not read this topic." in topic.page("gm")
    topic.grand_table.post("gm", "heard/", thread=pk, do="again")
    assert FollowedThread.objects.get().stopped_at is None
    topic.grand_table.post("gm", "heard/", thread=pk, do="stop", shown="on")
    assert not FollowedThread.objects.get().active
    for wrong in (
        {"thread": "999", "do": "follow"},
        {"thread": pk, "do": "burn"},
        {"thread": "x"},
        {},
    ):
        assert topic.grand_table.post("gm", "heard/", **wrong).status_code == 404
    for page in ("0", "x", "99999"):
        assert topic.grand_table.get("gm", "heard/", page=page).status_code == 404


def test_posts_of_others_are_escaped(topic: Topic) -> None:
    topic.follow()
    topic.add_post("<b>Eve</b>", "<script>alert(1)</script>\n[b]hello[/b] & so on")
    page = topic.grand_table.text("gm", "heard/")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;Eve&lt;/b&gt;" in page


def test_log_entries_are_beside_the_post_that_they_followed(topic: Topic) -> None:
    topic.follow()
    topic.add_post("Ingrid", "An old word.", minutes=60 * 24)
    topic.grand_table.play("huns", "end-slot")
    topic.add_post("Benedetto", "A new word.")
    page = topic.page("gm")
    assert page.index("A new word.") < page.index("An old word.") < page.index("end their turn")


def test_a_line_with_a_move_of_its_author_is_guessed_for_permitted_users(topic: Topic) -> None:
    topic.follow()
    topic.add_post("Ingrid", "Enough for today.\n- End slot\nGood night, all!")
    topic.add_post("Benedetto", "End slot")  # the slot is not theirs
    topic.grand_table.people["hun"].forum_name = "Etzel"
    topic.grand_table.people["hun"].save()
    topic.add_post("etzel", "Nothing that is a move.")
    page = topic.page("hun")
    assert page.count("perhaps") == 1
    assert page.count("Read it as moves") == 2
    assert topic.page("gm").count("perhaps") == 1
    assert "perhaps" not in topic.page("roman")
    # The button sends the line to the page that reads moves, and announces nothing yet.
    before = topic.grand_table.campaign.entries.count()
    answer = topic.grand_table.post("hun", "orders/", seat="huns", text="End slot")
    assert answer.status_code == 200
    assert topic.grand_table.campaign.entries.count() == before


def test_the_sites_own_reports_are_marked(topic: Topic) -> None:
    from forum.models import Post

    topic.follow()
    post = services.mark_ready(
        services.draft(topic.grand_table.campaign, topic.gm, topic.thread, "turn-1"), topic.gm
    )
    Post.objects.filter(pk=post.pk).update(permalink=f"{PLACE}/post/1")
    topic.add_post("Clerk", f"The report {post.marker}")
    topic.add_post("Eve", f"See {post.marker}")
    assert [post.is_own_report for post in ImportedPost.objects.all()] == [True, False]
    page = topic.page("roman")
    assert page.count("Our report.") == 1
    assert page.count("It quotes one of our reports.") == 1


def test_queries_do_not_grow_with_posts(topic: Topic, django_assert_max_num_queries: Any) -> None:
    topic.follow()
    for number in range(30):
        topic.add_post(
            ("Ingrid", "Benedetto", "Eve")[number % 3],
            f"Post {number}. " + "Word after word. " * 80,
            minutes=100 - number,
        )
    for who in WHO[:3]:
        topic.page(who)
        with django_assert_max_num_queries(14):
            topic.page(who)
    assert "Post 29." in topic.page("gm")
    second = topic.page("gm", page="2")
    assert "Post 4." in second
    assert "Post 5." not in second
    assert "Post 5." in topic.page("gm")


def test_unread_orders_stay_offered_on_every_page(topic: Topic) -> None:
    topic.follow()
    topic.add_post("Ingrid", "End slot", minutes=2000)
    for number in range(30):
        topic.add_post("Eve", f"Post {number}.", minutes=100 - number)
    first, order = topic.page("hun"), ImportedPost.objects.earliest("pk")
    assert "Posts that have not been read as moves yetIngrid, " in first
    assert f'href="{topic.grand_table.home}heard/?page=2#p{order.pk}"' in topic.grand_table.text(
        "hun", "heard/"
    )
    assert "Posts that have not been read" not in topic.page("roman")
    second = topic.page("hun", page="2")
    assert "perhaps" in second
    assert "Read it as moves" in second
    assert "Posts that have not been read" not in second
    # Its lines are shown for those who may move for the author. It stays unread until they have
    # decided about each line.
    sent = {"do": "read", "post": str(order.pk)}
    assert topic.grand_table.post("roman", "orders/", **sent).status_code == 403
    assert topic.grand_table.post("roman", "heard/", **sent).status_code == 403
    assert topic.grand_table.post("hun", "heard/", **sent).status_code == 307
    assert topic.grand_table.post("hun", "orders/", **sent).status_code == 200
    assert "Posts that have not been read as moves yet" in topic.page("hun")
    topic.grand_table.post("hun", "orders/", **(sent | {"do": "finish"}))
    assert "Posts that have not been read" not in topic.page("hun")
    assert "perhaps" not in topic.page("hun", page="2")


def test_an_order_that_was_changed_is_offered_again_with_its_difference(topic: Topic) -> None:
    topic.follow()
    topic.add_post("Ingrid", "Good evening.\nEnd slot")
    post = ImportedPost.objects.get()
    topic.grand_table.post("hun", "heard/", do="aside", post=str(post.pk))
    assert "Mark as containing no moves" not in topic.page("hun")
    row, at = FollowedThread.objects.select_related("thread").get(), timezone.now()
    changed = ReadPost(
        post.name,
        "Ingrid",
        post.posted_at,
        "Good evening.\nBuild a wall in Dacia\nEnd slot",
        post.permalink,
    )
    reading.store_replies(row, [changed], at, {})
    page = topic.grand_table.text("hun", "heard/")
    assert "<ins>Build a wall in Dacia</ins>" in page
    assert "<ins>End slot</ins>" not in page
    answer = topic.grand_table.post("hun", "orders/", do="read", post=str(post.pk))
    shown = answer.content.decode()
    assert 'name="shown" value="Build a wall in Dacia"' in shown
    assert shown.count('name="shown"') == 1
    assert "Mark as containing no moves" in page
    gone = [
        ReadPost("7", "Eve", at, "One.", f"{PLACE}/post/7"),
        ReadPost("8", "Eve", at, "Two.", f"{PLACE}/post/8"),
    ]
    reading.store_replies(row, gone, at, {})
    reading.store_replies(
        row, [gone[0], ReadPost("9", "Eve", at, "Three.", f"{PLACE}/post/9")], at, {}
    )
    assert topic.page("gm").count("Deleted on the board (noticed:") == 1


def test_a_thread_to_which_posts_are_copied_can_be_followed(topic: Topic) -> None:
    topic.thread = services.set_up(
        topic.grand_table.campaign,
        topic.gm,
        transport="clipboard",
        name="By hand",
        settings={"address": "https://board.example/showthread.php?tid=7"},
    )
    assert "By hand" in topic.page("gm")
    assert (
        topic.grand_table.post(
            "gm", "heard/", thread=str(topic.thread.pk), do="follow", shown="on"
        ).status_code
        == 303
    )
    assert FollowedThread.objects.get().active
