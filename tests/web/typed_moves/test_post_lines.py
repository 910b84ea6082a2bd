"""Lines of a post: each is read, announced or set aside, and none is lost or announced twice."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from forum import post_lines, reading
from forum.models import FollowedThread, ImportedPost
from forum.post_lines import DecidedLine, Decision, OpenLine
from tests.web.grand_table import GrandTable, new_campaign
from tests.web.play.test_post_interpreter import PLACE, Topic

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def topic(new_campaign: Callable[..., GrandTable]) -> Topic:
    """Return a campaign in the turn of the Huns, with a thread that is followed."""
    grand_table = new_campaign()
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    topic = Topic(grand_table)
    topic.follow()
    return topic


def add_post(topic: Topic, text: str) -> str:
    """Add a post by the Huns' player and return its id."""
    topic.add_post("Ingrid", text)
    return str(ImportedPost.objects.latest("pk").pk)


def send(topic: Topic, post: str, who: str = "hun", **fields: Any) -> Any:
    return topic.grand_table.post(who, "orders/", post=post, **({"do": "read"} | fields))


def page(answer: Any) -> str:
    return " ".join(strip_tags(html.unescape(answer.content.decode())).split())


def shown(answer: Any) -> list[str]:
    """Return the open lines of the page."""
    fields = re.findall(r'name="shown" value="([^"]*)"', answer.content.decode())
    return [html.unescape(line) for line in fields]


def as_sent(topic: Topic, answer: Any, who: str = "hun") -> dict[str, Any]:
    """Return the fields that the form of the page sends."""
    lines = re.findall(r'name="line" value="([^"]*)"', answer.content.decode())
    return {
        "shown": shown(answer),
        "line": [html.unescape(line) for line in lines],
        "seen": str(topic.grand_table.seen(who)),
    }


def moves_of_huns(topic: Topic) -> list[str]:
    entries = topic.grand_table.campaign.entries.filter(kind="move", seat="huns", struck_by=None)
    return [entry.content["move"] for entry in entries.order_by("sequence")]


def test_every_line_of_a_post_is_shown_with_its_thread_and_counts(topic: Topic) -> None:
    post = add_post(
        topic, "Good evening, all!\nShrines\nattack Dacia\nTax increase\n\nCheers <b>I</b>"
    )
    answer = send(topic, post)
    lines = ["Good evening, all!", "Shrines", "attack Dacia", "Tax increase", "Cheers <b>I</b>"]
    assert shown(answer) == lines
    assert "5 lines: 2 moves, " in page(answer)
    assert "Post by Ingrid in “The board”" in page(answer)
    assert f'href="{PLACE}/post/1"' in answer.content.decode()
    assert "<b>I</b>" not in answer.content.decode()
    assert ImportedPost.objects.get().taken_at is None


def test_a_post_is_read_when_each_line_is_announced_or_set_aside(topic: Topic) -> None:
    post = add_post(topic, "Shrines\nTax increase\nHello, friends")
    answer = send(topic, post)
    before = moves_of_huns(topic)
    sent = as_sent(topic, answer)
    done = send(topic, post, do="announce", **sent)
    assert done.status_code == 303
    assert moves_of_huns(topic) == [*before, "build", "tax-increase"]
    assert ImportedPost.objects.get().taken_at is not None
    # A second press of the same button announces nothing.
    again = send(topic, post, do="announce", **sent)
    assert moves_of_huns(topic) == [*before, "build", "tax-increase"]
    assert "Every line of this post has been decided." in page(again)


def test_a_post_that_is_left_half_way_keeps_its_decisions(topic: Topic) -> None:
    post = add_post(topic, "Shrines\nattack Dacia and win\nShrines")
    answer = send(topic, post)
    sent = as_sent(topic, answer)
    answer = send(topic, post, do="announce", **sent)
    assert answer.status_code == 200
    assert shown(answer) == ["attack Dacia and win", "Shrines"]
    assert ImportedPost.objects.get().taken_at is None
    assert "1 of 3 lines decided" in topic.page("hun")
    assert shown(send(topic, post)) == ["attack Dacia and win", "Shrines"]
    answer = send(topic, post, aside="0", **(as_sent(topic, answer)))
    assert shown(answer) == ["Shrines"]
    answer = send(topic, post, aside="0", **(as_sent(topic, answer)))
    assert shown(answer) == []
    assert ImportedPost.objects.get().taken_at is not None
    answer = send(topic, post, do="reopen")
    assert shown(answer) == ["attack Dacia and win", "Shrines"]


def test_a_changed_line_is_read_as_changed(topic: Topic) -> None:
    post = add_post(topic, "the usual holy things")
    answer = send(topic, post)
    sent = as_sent(topic, answer) | {"line": ["Shrines"]}
    answer = send(topic, post, **sent)
    assert "1 line: 1 move" in page(answer)
    before = moves_of_huns(topic)
    send(topic, post, do="announce", **as_sent(topic, answer))
    assert moves_of_huns(topic) == [*before, "build"]
    assert ImportedPost.objects.get().decided == [
        {"line": "the usual holy things", "decision": "move", "rest": ""}
    ]


def test_long_posts_are_read_in_portions_and_long_lines_are_cut_at_sentences(topic: Topic) -> None:
    long_line = " ".join(f"This is sentence {number} of a long line." for number in range(20))
    post = add_post(topic, long_line + "\n" + "\n".join(f"Word {number}" for number in range(40)))
    answer = send(topic, post)
    assert len(shown(answer)) == 30
    assert all(len(line) <= 300 for line in shown(answer))
    assert " ".join(line for line in shown(answer) if line.startswith("This")) == long_line
    more = len(re.findall("Word", ImportedPost.objects.get().text)) + 3 - 30
    assert f"{more} more lines follow when these are decided." in page(answer)
    assert f"{more} lines not read yet" in page(answer)
    assert send(topic, post, do="finish").status_code == 303
    assert ImportedPost.objects.get().taken_at is not None


def test_a_table_that_has_moved_on_announces_nothing(topic: Topic) -> None:
    post = add_post(topic, "Shrines\nTax increase")
    sent = as_sent(topic, send(topic, post))
    topic.grand_table.play("huns", "tax-increase")
    before = moves_of_huns(topic)
    answer = send(topic, post, do="announce", **sent)
    assert "The position has changed. No move has been announced" in page(answer)
    assert moves_of_huns(topic) == before
    assert shown(answer) == ["Shrines", "Tax increase"]


def test_forms_that_no_page_sends_are_harmless(topic: Topic) -> None:
    post = add_post(topic, "Shrines")
    for number in ("", "x", "999", "9" * 30):
        assert send(topic, number).status_code == 404
    for fields in (
        {"aside": "99"},
        {"aside": "x", "choose": "9:Shrines"},
        {"shown": ["Other"], "line": ["Shrines"], "do": "announce"},
        {"shown": ["Shrines"], "line": []},
        {"shown": ["Shrines"], "line": ["\u202e\x00"]},
    ):
        assert send(topic, post, **fields).status_code == 200
    assert "build" not in moves_of_huns(topic)[-1:]
    for who, status in (("roman", 403), ("gm", 200)):
        assert send(topic, post, who=who).status_code == status


def test_only_new_lines_of_a_changed_post_are_open(topic: Topic) -> None:
    post = add_post(topic, "Hello\nShrines")
    send(topic, post, do="finish")
    row = ImportedPost.objects.get()
    changed = reading.ReadPost(
        row.name, "Ingrid", row.posted_at, "Hello\nShrines\nTax increase", row.permalink
    )
    following = FollowedThread.objects.select_related("thread").get()
    reading.store_replies(following, [changed], row.imported_at.replace(year=2040), {})
    assert shown(send(topic, post)) == ["Tax increase"]


def test_the_page_of_a_post_asks_for_few_rows(
    topic: Topic, django_assert_max_num_queries: Any
) -> None:
    post = add_post(topic, "\n".join(["Shrines", "Hello", "attack"] * 10))
    send(topic, post)
    with django_assert_max_num_queries(12):
        send(topic, post)


def test_the_rest_of_a_half_announced_line_stays_open(topic: Topic) -> None:
    post = add_post(topic, "Attack Alania from Acatziri then Ramparts\nHello, friends")
    before = moves_of_huns(topic)
    answer = send(topic, post, do="announce", **as_sent(topic, send(topic, post)))
    assert moves_of_huns(topic) == [*before, "attack"]
    assert answer.status_code == 200
    assert 'name="line" value="Ramparts"' in answer.content.decode()
    assert ImportedPost.objects.get().taken_at is None


def test_the_first_move_of_a_line_is_not_offered_again(topic: Topic) -> None:
    post = add_post(topic, "Tax increase then Ramparts")
    answer = send(topic, post, do="announce", **as_sent(topic, send(topic, post)))
    assert 'name="line" value="Ramparts"' in answer.content.decode()
    assert shown(answer) == ["Tax increase then Ramparts"]


def test_a_rest_belongs_to_only_one_of_two_equal_lines(topic: Topic) -> None:
    number = add_post(topic, "Shrines then Ramparts\nShrines then Ramparts")
    post = ImportedPost.objects.get(pk=number)
    line = "Shrines then Ramparts"
    post = post_lines.decide(post, [DecidedLine(line, Decision.PART, "Ramparts")])
    assert post_lines.open_lines(post) == [OpenLine(line, "Ramparts"), OpenLine(line, line)]
    post = post_lines.decide(post, [DecidedLine(line, Decision.MOVE)])
    assert post_lines.open_lines(post) == [OpenLine(line, line)]


def test_a_deleted_post_is_not_announced(topic: Topic) -> None:
    post = add_post(topic, "Shrines")
    sent = as_sent(topic, send(topic, post))
    ImportedPost.objects.update(gone_at=timezone.now())
    before = moves_of_huns(topic)
    assert send(topic, post, do="announce", **sent).status_code == 303
    assert moves_of_huns(topic) == before
    assert "This post was deleted on its board." in topic.page("hun")


def test_a_post_that_was_read_as_a_whole_is_not_opened_again(topic: Topic) -> None:
    post = add_post(topic, "Shrines")
    ImportedPost.objects.update(taken_at=timezone.now())
    assert "Show the lines that were set aside" not in page(send(topic, post))
    assert shown(send(topic, post, do="reopen")) == []
    row = ImportedPost.objects.get()
    row.before, row.text = row.text, "Shrines\nHello"
    row.changed_at = timezone.now()
    row.save()
    send(topic, post, do="finish")
    assert shown(send(topic, post, do="reopen")) == ["Hello"]


def test_orders_are_never_set_aside_automatically(topic: Topic) -> None:
    text = "Tax increase\nShrines, then attack Dacia\nattack Dacia"
    post = add_post(topic, text)
    answer = send(topic, post, do="announce", **as_sent(topic, send(topic, post)))
    row = ImportedPost.objects.get()
    assert row.taken_at is None
    assert "aside" not in [line["decision"] for line in row.decided]
    assert shown(answer)[-1] == "attack Dacia"


@pytest.mark.parametrize("text", ["buy card, Shrines", "Move army, Shrines"])
def test_no_part_of_a_line_is_lost(topic: Topic, text: str) -> None:
    post = add_post(topic, text)
    before = moves_of_huns(topic)
    answer = send(topic, post)
    assert "1 line: 1 question" in page(answer)
    send(topic, post, do="announce", **as_sent(topic, answer))
    assert moves_of_huns(topic) == before
    assert ImportedPost.objects.get().decided == []


def test_a_part_that_is_not_understood_is_asked_back_between_moves(topic: Topic) -> None:
    post = add_post(topic, "Tax increase, buy card, Shrines")
    before = moves_of_huns(topic)
    answer = send(topic, post, do="announce", **as_sent(topic, send(topic, post)))
    assert moves_of_huns(topic) == [*before, "tax-increase"]
    assert 'name="line" value="buy card; Shrines"' in answer.content.decode()
