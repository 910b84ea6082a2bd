"""Posts of a followed thread beside the log: for who sits at the table, with a guess for who may
act on it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from forum import reading, services
from forum.boards import Heard
from forum.models import FollowedThread, ImportedPost
from tests.web.five import WHO, Five, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db
PLACE = "https://board.example"


class Told:
    """A campaign in its first turn, told in a topic. `say(author, text)` is a post there, `minutes`
    ago.
    """

    def __init__(self, five: Five) -> None:
        self.five, self.gm = five, five.people["gm"]
        settings = {"address": f"{PLACE}/topic/7", "token": "a-token"}
        self.thread = services.set_up(
            five.campaign, self.gm, transport="nodebb", name="The board", settings=settings
        )
        self.number = 0

    def follow(self, shown: bool = True) -> None:
        services.set_following(self.thread, self.gm, active=True, shown=shown)

    def play(self, author: str, text: str, minutes: float = 0) -> None:
        self.number += 1
        at = timezone.now() - timedelta(minutes=minutes)
        one = Heard(str(self.number), author, at, text, f"{PLACE}/post/{self.number}")
        row = FollowedThread.objects.select_related("thread").get(thread=self.thread)
        reading.store_replies(row, [one], timezone.now(), {})

    def page(self, who: str, **query: str) -> str:
        return " ".join(strip_tags(self.five.text(who, "heard/", **query)).split())


@pytest.fixture
def rendered(new_campaign: Callable[..., Five]) -> Told:  # noqa: F811
    five = new_campaign()
    five.play("gm", "start")
    five.slot_to("huns")
    return Told(five)


def test_who_reads_it(rendered: Told) -> None:
    rendered.follow()
    rendered.play("Ingrid", "My riders look at Dacia.")
    assert tuple(rendered.five.statuses("heard/").values()) == (200, 200, 200, 403, 302)
    for who in ("gm", "hun", "roman"):
        assert "My riders look at Dacia." in rendered.page(who)
    rendered.follow(shown=False)
    assert "My riders look at Dacia." in rendered.page("gm")
    assert "There is nothing to read here." in rendered.page("roman")


def test_it_is_switched_on_and_off_by_the_game_master_alone(rendered: Told) -> None:
    assert "No thread is followed." in rendered.page("gm")
    pk = str(rendered.thread.pk)
    for who in ("hun", "stranger", "nobody"):
        assert rendered.five.post(who, "heard/", thread=pk, do="follow").status_code in (302, 403)
        assert not FollowedThread.objects.exists()
    assert rendered.five.post("gm", "heard/", thread=pk, do="follow", shown="on").status_code == 303
    row = FollowedThread.objects.get()
    assert (row.active, row.shown, row.next_at is not None) == (True, True, True)
    assert "Nothing has arrived yet." in rendered.page("gm")
    FollowedThread.objects.update(
        stopped_at=timezone.now(), last_error="Guests may not read this topic."
    )
    assert "Guests may not read this topic." in rendered.page("gm")
    rendered.five.post("gm", "heard/", thread=pk, do="again")
    assert FollowedThread.objects.get().stopped_at is None
    rendered.five.post("gm", "heard/", thread=pk, do="stop", shown="on")
    assert not FollowedThread.objects.get().active
    for wrong in (
        {"thread": "999", "do": "follow"},
        {"thread": pk, "do": "burn"},
        {"thread": "x"},
        {},
    ):
        assert rendered.five.post("gm", "heard/", **wrong).status_code == 404
    for page in ("0", "x", "99999"):
        assert rendered.five.get("gm", "heard/", page=page).status_code == 404


def test_what_others_wrote_stands_there_as_text(rendered: Told) -> None:
    rendered.follow()
    rendered.play("<b>Eve</b>", "<script>alert(1)</script>\n[b]hello[/b] & so on")
    page = rendered.five.text("gm", "heard/")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;Eve&lt;/b&gt;" in page


def test_the_log_stands_beside_the_post_it_followed(rendered: Told) -> None:
    rendered.follow()
    rendered.play("Ingrid", "An old word.", minutes=60 * 24)
    rendered.five.play("huns", "end-slot")
    rendered.play("Benedetto", "A new word.")
    page = rendered.page("gm")
    assert page.index("A new word.") < page.index("An old word.") < page.index("end the slot")


def test_a_line_that_is_a_move_of_its_author_is_guessed_for_who_may_make_it(rendered: Told) -> None:
    rendered.follow()
    rendered.play("Ingrid", "Enough for today.\n- End slot\nGood night, all!")
    rendered.play("Benedetto", "End slot")  # it is not theirs
    rendered.five.people["hun"].forum_name = "Etzel"
    rendered.five.people["hun"].save()
    rendered.play("etzel", "Nothing that is a move.")
    page = rendered.page("hun")
    assert page.count("perhaps") == 1
    assert page.count("Read it as moves") == 2
    assert rendered.page("gm").count("perhaps") == 1
    assert "perhaps" not in rendered.page("roman")
    # Pressed, the line goes to the page that reads moves, and nothing is said yet.
    before = rendered.five.campaign.entries.count()
    answer = rendered.five.post("hun", "orders/", seat="huns", text="End slot")
    assert answer.status_code == 200
    assert rendered.five.campaign.entries.count() == before


def test_a_report_of_ours_is_said_to_be_one(rendered: Told) -> None:
    from forum.models import Post

    rendered.follow()
    post = services.ready(
        services.draft(rendered.five.campaign, rendered.gm, rendered.thread, "turn-1"), rendered.gm
    )
    Post.objects.filter(pk=post.pk).update(permalink=f"{PLACE}/post/1")
    rendered.play("Clerk", f"The report {post.marker}")
    rendered.play("Eve", f"See {post.marker}")
    assert [one.ours for one in ImportedPost.objects.all()] == [True, False]
    page = rendered.page("roman")
    assert page.count("Our report.") == 1
    assert page.count("It quotes a report of ours.") == 1


def test_many_posts_and_few_questions(rendered: Told, django_assert_max_num_queries: Any) -> None:
    rendered.follow()
    for number in range(30):
        rendered.play(
            ("Ingrid", "Benedetto", "Eve")[number % 3],
            f"Post {number}. " + "Word after word. " * 80,
            minutes=100 - number,
        )
    for who in WHO[:3]:
        rendered.page(who)
        with django_assert_max_num_queries(14):
            rendered.page(who)
    assert "Post 29." in rendered.page("gm")
    second = rendered.page("gm", page="2")
    assert "Post 4." in second
    assert "Post 5." not in second
    assert "Post 5." in rendered.page("gm")


def test_orders_that_nobody_has_read_stay_offered_on_every_page(rendered: Told) -> None:
    rendered.follow()
    rendered.play("Ingrid", "End slot", minutes=2000)
    for number in range(30):
        rendered.play("Eve", f"Post {number}.", minutes=100 - number)
    first, order = rendered.page("hun"), ImportedPost.objects.earliest("pk")
    assert "Posts that nobody has read as moves yetIngrid, " in first
    assert f'href="{rendered.five.home}heard/?page=2#p{order.pk}"' in rendered.five.text(
        "hun", "heard/"
    )
    assert "Posts that nobody has read" not in rendered.page("roman")
    second = rendered.page("hun", page="2")
    assert "perhaps" in second
    assert "Read it as moves" in second
    assert "Posts that nobody has read" not in second
    # Read, it goes on to the page of moves as text with the same lines, and is offered no more by
    # itself.
    sent = {"do": "read", "post": str(order.pk), "seat": "huns", "text": "End slot"}
    assert rendered.five.post("roman", "heard/", **sent).status_code == 403
    answer = rendered.five.post("hun", "heard/", **sent)
    assert (answer.status_code, answer["Location"]) == (307, f"{rendered.five.home}orders/")
    assert "Posts that nobody has read" not in rendered.page("hun")
    assert "perhaps" not in rendered.page("hun", page="2")


def test_an_order_that_was_changed_is_offered_again_with_its_difference(rendered: Told) -> None:
    rendered.follow()
    rendered.play("Ingrid", "Good evening.\nEnd slot")
    post = ImportedPost.objects.get()
    rendered.five.post("hun", "heard/", do="aside", post=str(post.pk))
    assert "No moves in it" not in rendered.page("hun")
    row, at = FollowedThread.objects.select_related("thread").get(), timezone.now()
    changed = Heard(
        post.name,
        "Ingrid",
        post.posted_at,
        "Good evening.\nBuild a wall in Dacia\nEnd slot",
        post.permalink,
    )
    reading.store_replies(row, [changed], at, {})
    page = rendered.five.text("hun", "heard/")
    assert "<ins>Build a wall in Dacia</ins>" in page
    assert "<ins>End slot</ins>" not in page
    assert 'name="text" value="Build a wall in Dacia"' in page
    assert "No moves in it" in page
    gone = [
        Heard("7", "Eve", at, "One.", f"{PLACE}/post/7"),
        Heard("8", "Eve", at, "Two.", f"{PLACE}/post/8"),
    ]
    reading.store_replies(row, gone, at, {})
    reading.store_replies(
        row, [gone[0], Heard("9", "Eve", at, "Three.", f"{PLACE}/post/9")], at, {}
    )
    assert rendered.page("gm").count("Deleted there, as seen") == 1


def test_a_thread_to_which_posts_are_copied_can_be_followed(rendered: Told) -> None:
    rendered.thread = services.set_up(
        rendered.five.campaign,
        rendered.gm,
        transport="clipboard",
        name="By hand",
        settings={"address": "https://board.example/showthread.php?tid=7"},
    )
    assert "By hand" in rendered.page("gm")
    assert (
        rendered.five.post(
            "gm", "heard/", thread=str(rendered.thread.pk), do="follow", shown="on"
        ).status_code
        == 303
    )
    assert FollowedThread.objects.get().active
