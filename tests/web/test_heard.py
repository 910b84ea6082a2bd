"""Posts of a followed thread beside the log: for who sits at the table, with a guess for who may act on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from forum import reading, services
from forum.boards import Heard
from forum.models import Following, HeardPost
from tests.web.five import WHO, Five, found  # noqa: F401

pytestmark = pytest.mark.django_db
PLACE = "https://board.example"


class Told:
    """A campaign in its first turn, told in a topic. `say(author, text)` is a post there, `minutes` ago."""

    def __init__(self, five: Five) -> None:
        self.five, self.gm = five, five.people["gm"]
        settings = {"address": f"{PLACE}/topic/7", "token": "a-token"}
        self.thread = services.set_up(five.campaign, self.gm, transport="nodebb", name="The board", settings=settings)
        self.number = 0

    def follow(self, shown: bool = True) -> None:
        services.set_following(self.thread, self.gm, active=True, shown=shown)

    def say(self, author: str, text: str, minutes: float = 0) -> None:
        self.number += 1
        at = timezone.now() - timedelta(minutes=minutes)
        one = Heard(str(self.number), author, at, text, f"{PLACE}/post/{self.number}")
        row = Following.objects.select_related("thread").get(thread=self.thread)
        reading.store_replies(row, [one], timezone.now(), {})

    def page(self, who: str, **query: str) -> str:
        return " ".join(strip_tags(self.five.text(who, "heard/", **query)).split())


@pytest.fixture
def told(found: Callable[..., Five]) -> Told:  # noqa: F811
    five = found()
    five.play("gm", "start")
    five.slot_to("huns")
    return Told(five)


def test_who_reads_it(told: Told) -> None:
    told.follow()
    told.say("Ingrid", "My riders look at Dacia.")
    assert tuple(told.five.statuses("heard/").values()) == (200, 200, 200, 403, 302)
    for who in ("gm", "hun", "roman"):
        assert "My riders look at Dacia." in told.page(who)
    told.follow(shown=False)
    assert "My riders look at Dacia." in told.page("gm")
    assert "There is nothing to read here." in told.page("roman")


def test_it_is_switched_on_and_off_by_the_game_master_alone(told: Told) -> None:
    assert "No thread is followed." in told.page("gm")
    pk = str(told.thread.pk)
    for who in ("hun", "stranger", "nobody"):
        assert told.five.post(who, "heard/", thread=pk, do="follow").status_code in (302, 403)
        assert not Following.objects.exists()
    assert told.five.post("gm", "heard/", thread=pk, do="follow", shown="on").status_code == 303
    row = Following.objects.get()
    assert (row.active, row.shown, row.next_at is not None) == (True, True, True)
    assert "Nothing has arrived yet." in told.page("gm")
    Following.objects.update(stopped_at=timezone.now(), last_error="Guests may not read this topic.")
    assert "Guests may not read this topic." in told.page("gm")
    told.five.post("gm", "heard/", thread=pk, do="again")
    assert Following.objects.get().stopped_at is None
    told.five.post("gm", "heard/", thread=pk, do="stop", shown="on")
    assert not Following.objects.get().active
    for wrong in ({"thread": "999", "do": "follow"}, {"thread": pk, "do": "burn"}, {"thread": "x"}, {}):
        assert told.five.post("gm", "heard/", **wrong).status_code == 404
    for page in ("0", "x", "99999"):
        assert told.five.get("gm", "heard/", page=page).status_code == 404


def test_what_others_wrote_stands_there_as_text(told: Told) -> None:
    told.follow()
    told.say("<b>Eve</b>", "<script>alert(1)</script>\n[b]hello[/b] & so on")
    page = told.five.text("gm", "heard/")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;Eve&lt;/b&gt;" in page


def test_the_log_stands_beside_the_post_it_followed(told: Told) -> None:
    told.follow()
    told.say("Ingrid", "An old word.", minutes=60 * 24)
    told.five.play("huns", "end-slot")
    told.say("Benedetto", "A new word.")
    page = told.page("gm")
    assert page.index("A new word.") < page.index("An old word.") < page.index("end the slot")


def test_a_line_that_is_a_move_of_its_author_is_guessed_for_who_may_make_it(told: Told) -> None:
    told.follow()
    told.say("Ingrid", "Enough for today.\n- End slot\nGood night, all!")
    told.say("Benedetto", "End slot")  # it is not his
    told.five.people["hun"].forum_name = "Etzel"
    told.five.people["hun"].save()
    told.say("etzel", "Nothing that is a move.")
    page = told.page("hun")
    assert page.count("perhaps") == 1
    assert page.count("Read it as moves") == 2
    assert told.page("gm").count("perhaps") == 1
    assert "perhaps" not in told.page("roman")
    # Pressed, the line goes to the page that reads moves, and nothing is said yet.
    before = told.five.campaign.entries.count()
    answer = told.five.post("hun", "orders/", seat="huns", text="End slot")
    assert answer.status_code == 200
    assert told.five.campaign.entries.count() == before


def test_a_report_of_ours_is_said_to_be_one(told: Told) -> None:
    from forum.models import Post

    told.follow()
    post = services.ready(services.draft(told.five.campaign, told.gm, told.thread, "turn-1"), told.gm)
    Post.objects.filter(pk=post.pk).update(permalink=f"{PLACE}/post/1")
    told.say("Clerk", f"The report {post.marker}")
    told.say("Eve", f"See {post.marker}")
    assert [one.ours for one in HeardPost.objects.all()] == [True, False]
    page = told.page("roman")
    assert page.count("Our report.") == 1
    assert page.count("It quotes a report of ours.") == 1


def test_many_posts_and_few_questions(told: Told, django_assert_max_num_queries: Any) -> None:
    told.follow()
    for number in range(30):
        told.say(("Ingrid", "Benedetto", "Eve")[number % 3], f"Post {number}. " + "Word after word. " * 80, minutes=100 - number)
    for who in WHO[:3]:
        told.page(who)
        with django_assert_max_num_queries(14):
            told.page(who)
    assert "Post 29." in told.page("gm")
    second = told.page("gm", page="2")
    assert "Post 4." in second
    assert "Post 5." not in second
    assert "Post 5." in told.page("gm")


def test_orders_that_nobody_has_read_stay_offered_on_every_page(told: Told) -> None:
    told.follow()
    told.say("Ingrid", "End slot", minutes=2000)
    for number in range(30):
        told.say("Eve", f"Post {number}.", minutes=100 - number)
    first, order = told.page("hun"), HeardPost.objects.earliest("pk")
    assert "Posts that nobody has read as moves yetIngrid, " in first
    assert f'href="{told.five.home}heard/?page=2#p{order.pk}"' in told.five.text("hun", "heard/")
    assert "Posts that nobody has read" not in told.page("roman")
    second = told.page("hun", page="2")
    assert "perhaps" in second
    assert "Read it as moves" in second
    assert "Posts that nobody has read" not in second
    # Read, it goes on to the page of moves as text with the same lines, and is offered no more by itself.
    sent = {"do": "read", "post": str(order.pk), "seat": "huns", "text": "End slot"}
    assert told.five.post("roman", "heard/", **sent).status_code == 403
    answer = told.five.post("hun", "heard/", **sent)
    assert (answer.status_code, answer["Location"]) == (307, f"{told.five.home}orders/")
    assert "Posts that nobody has read" not in told.page("hun")
    assert "perhaps" not in told.page("hun", page="2")


def test_an_order_that_was_changed_is_offered_again_with_its_difference(told: Told) -> None:
    told.follow()
    told.say("Ingrid", "Good evening.\nEnd slot")
    post = HeardPost.objects.get()
    told.five.post("hun", "heard/", do="aside", post=str(post.pk))
    assert "No moves in it" not in told.page("hun")
    row, at = Following.objects.select_related("thread").get(), timezone.now()
    changed = Heard(post.name, "Ingrid", post.said_at, "Good evening.\nBuild a wall in Dacia\nEnd slot", post.permalink)
    reading.store_replies(row, [changed], at, {})
    page = told.five.text("hun", "heard/")
    assert "<ins>Build a wall in Dacia</ins>" in page
    assert "<ins>End slot</ins>" not in page
    assert 'name="text" value="Build a wall in Dacia"' in page
    assert "No moves in it" in page
    gone = [Heard("7", "Eve", at, "One.", f"{PLACE}/post/7"), Heard("8", "Eve", at, "Two.", f"{PLACE}/post/8")]
    reading.store_replies(row, gone, at, {})
    reading.store_replies(row, [gone[0], Heard("9", "Eve", at, "Three.", f"{PLACE}/post/9")], at, {})
    assert told.page("gm").count("Deleted there, as seen") == 1


def test_a_thread_to_which_posts_are_copied_can_be_followed(told: Told) -> None:
    told.thread = services.set_up(
        told.five.campaign, told.gm, transport="clipboard", name="By hand",
        settings={"address": "https://board.example/showthread.php?tid=7"},
    )  # fmt: skip
    assert "By hand" in told.page("gm")
    assert told.five.post("gm", "heard/", thread=str(told.thread.pk), do="follow", shown="on").status_code == 303
    assert Following.objects.get().active
