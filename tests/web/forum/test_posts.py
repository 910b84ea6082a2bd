"""The outbox for its users: set up, drafted and posted by hand; secrets are not shown."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.pictures import images
from campaign.tasks import draw_picture
from forum import services
from forum.models import Post, Thread
from tests.web.contests import visible_text
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign  # noqa: F401
from web.forum.posts import views as posts

pytestmark = pytest.mark.django_db

WEBHOOK = "https://discord.com/api/webhooks/123456789012345678/" + "s3cretTOKEN" * 4
CLIPBOARD = {
    "transport": "clipboard",
    "name": "Slitherine",
    "set-address": "https://board.example/t/7",
    "dialect": "phpbb",
}
DISCORD = {
    "transport": "discord",
    "name": "Our channel",
    "set-webhook": WEBHOOK,
    "dialect": "discord",
    "language": "en",
}


def set_up(grand_table: GrandTable, **more: str) -> Thread:  # noqa: F811
    answer = grand_table.post(
        "gm", "threads/new/", **{**CLIPBOARD, "language": "en", "kinds": "turn", **more}
    )
    assert answer.status_code == 303, answer.content.decode()
    return Thread.objects.latest("pk")


def drafted(grand_table: GrandTable, report: str = "opening-1") -> Post:  # noqa: F811
    thread = Thread.objects.latest("pk")
    answer = grand_table.post("gm", "posts/", report=report, thread=str(thread.pk))
    created = Post.objects.latest("pk")
    assert answer["Location"] == f"{grand_table.home}posts/{created.number}/"
    return created


def test_a_new_game_master_sets_up_a_thread_and_posts_the_opening(grand_table: GrandTable) -> None:  # noqa: F811
    """A new game master sets up a thread, copies and posts the opening, and saves its link."""
    page = grand_table.text("gm", "posts/")
    assert "Where do the reports go?" in page
    assert f'href="{grand_table.home}threads/new/"' in page
    ways = grand_table.text("gm", "threads/new/")
    assert "Copy and paste" in ways
    assert "needs no permission and no password" in ways
    thread = set_up(grand_table)
    post = drafted(grand_table)
    page = grand_table.text("gm", f"posts/{post.number}/", now="1")
    assert 'data-copy="#text-1"' in page
    assert "its text is created from the log each time. It covers one moment or turn" in page
    assert 'href="https://board.example/t/7"' in page
    assert "The Long Frontier" in page
    answer = grand_table.post(
        "gm", f"posts/{post.number}/", do="posted", part="1", link="", follow=True
    )
    assert "Enter the link of the post" in answer.content.decode()
    after = drafted(grand_table, "turn-1")
    answer = grand_table.post(
        "gm",
        f"posts/{post.number}/",
        do="posted",
        part="1",
        link="https://board.example/p/9",
        follow=True,
    )
    assert "Marked as posted." in answer.content.decode()
    assert f'href="{grand_table.home}posts/{after.number}/">Next: ' in answer.content.decode()
    post.refresh_from_db()
    assert (post.state, post.permalink, post.thread) == (
        "posted",
        "https://board.example/p/9",
        thread,
    )
    assert post.marker in post.text
    for who in WHO:
        assert 'href="https://board.example/p/9"' in grand_table.text(who, "reports/opening-1/"), (
            who
        )


def test_one_field_sets_up_the_thread_and_one_link_posts_all(grand_table: GrandTable) -> None:  # noqa: F811
    """Slots wait for the report of the turn.

    The address alone sets up a thread for copies; one link marks all selected posts as posted.
    """
    answer = grand_table.post(
        "gm",
        "posts/",
        do="place",
        address="https://forum.board.example/viewtopic.php?t=7",
        follow=True,
    )
    assert "From now on reports are drafted for this thread." in answer.content.decode()
    thread = Thread.objects.get()
    assert (thread.name, thread.transport, thread.dialect) == (
        "board.example",
        "clipboard",
        "phpbb",
    )
    assert thread.drafted_kinds == ["opening", "turn", "final"]
    assert list(Post.objects.values_list("report", flat=True)) == ["opening-1"], (
        "what opened the turn that is played"
    )
    opening, turn = drafted(grand_table, "opening-1"), drafted(grand_table, "turn-1")
    images.prune(0)
    assert "The map is being drawn…" in grand_table.text("gm", "posts/")
    draw_picture(grand_table.campaign.pk, opening.entry.number, "en")
    page = grand_table.text("gm", "posts/")
    assert "Next to post: Turn 1 opens" in page
    assert "4 events are covered by this report" in page  # the slots until now
    assert 'data-open="https://forum.board.example/viewtopic.php?t=7"' in page
    answer = grand_table.clients["gm"].post(
        f"{grand_table.home}posts/{opening.number}/",
        {"do": "copied", "part": "1"},
        headers={"x-requested-with": "fetch"},
    )
    assert answer.status_code == 204
    opening.refresh_from_db()
    assert (opening.state, bool(opening.text), opening.copied_at is not None) == (
        "ready",
        True,
        True,
    )
    assert "copied" in grand_table.text("gm", "posts/")
    answer = grand_table.post(
        "gm", "posts/", do="posted", post=str(opening.number), link="", follow=True
    )
    assert "Enter the link of the post" in answer.content.decode()
    link = "https://forum.board.example/viewtopic.php?p=9"
    both = {"do": "posted", "post": [str(opening.number), str(turn.number)], "link": link}
    answer = grand_table.clients["gm"].post(f"{grand_table.home}posts/", both, follow=True)
    assert "2 posts have been marked as posted." in answer.content.decode()
    assert set(Post.objects.values_list("state", "permalink")) == {("posted", link)}
    assert "Next to post" not in grand_table.text("gm", "posts/"), "nothing due is nothing shown"


def test_selected_posts_are_skipped_together_or_not_at_all(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table)
    one, other = drafted(grand_table, "opening-1"), drafted(grand_table, "turn-1")
    for numbers in ([], ["0"], ["99"], ["x"]):
        answer = grand_table.clients["gm"].post(
            f"{grand_table.home}posts/", {"do": "aside", "post": numbers}, follow=True
        )
        assert "Select at least one post." in answer.content.decode()
    answer = grand_table.clients["gm"].post(
        f"{grand_table.home}posts/",
        {"do": "aside", "post": [str(one.number), str(other.number)]},
        follow=True,
    )
    assert "2 posts have been skipped." in answer.content.decode()
    assert set(Post.objects.values_list("state", flat=True)) == {"aside"}
    answer = grand_table.clients["gm"].post(
        f"{grand_table.home}posts/", {"do": "aside", "post": [str(one.number)]}, follow=True
    )
    assert "The post has changed" in answer.content.decode()


def test_how_often_the_campaign_posts_is_chosen_for_all_threads(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table)
    set_up(grand_table, **{"set-address": "https://board.example/t/8"})
    for frequency, kinds in {
        "slots": ["opening", "slot", "turn", "final"],
        "all": ["opening", "slot", "challenge", "result", "turn", "standings", "final"],
        "turn": ["opening", "turn", "final"],
    }.items():
        grand_table.post("gm", "posts/", do="frequency", frequency=frequency)
        assert [thread.drafted_kinds for thread in Thread.objects.all()] == [kinds, kinds]
        assert f'value="{frequency}" checked' in grand_table.text("gm", "posts/")
    answer = grand_table.post("gm", "posts/", do="frequency", frequency="never", follow=True)
    assert "Choose what is posted." in answer.content.decode()
    assert grand_table.post("hun", "posts/", do="frequency", frequency="all").status_code == 403


def test_the_mark_copied_from_a_draft_is_the_one_it_keeps(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table)
    post = drafted(grand_table)
    mark = re.search(
        r"\[[a-z0-9]{4}-1-[0-9a-f]{6}\]", grand_table.text("gm", f"posts/{post.number}/")
    )
    assert mark is not None
    services.record_posted(post, grand_table.people["gm"], "https://board.example/p/9")
    post.refresh_from_db()
    assert post.marker == mark[0]


def test_a_wrong_click_is_taken_back_and_a_link_corrected(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table)
    post = drafted(grand_table)
    where = f"posts/{post.number}/"
    grand_table.post("gm", where, do="posted", part="1", link="https://board.example/p/8")
    grand_table.post("gm", where, do="posted", part="1", link="https://board.example/p/9")
    post.refresh_from_db()
    assert (post.state, post.permalink) == ("posted", "https://board.example/p/9")
    grand_table.post("gm", where, do="unposted", part="1")
    post.refresh_from_db()
    assert (post.state, post.permalink, post.posted_at) == ("ready", "", None)
    assert "board.example/p/9" not in grand_table.text("hun", "reports/opening-1/")


def test_a_post_of_a_program_cannot_be_marked_as_not_posted(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table, **DISCORD)
    post = drafted(grand_table)
    services.mark_ready(post, grand_table.people["gm"])
    Post.objects.update(state="posted", posted_at=post.made_at)
    assert (
        "It can correct the post there, but not remove it"
        in grand_table.post("gm", f"posts/{post.number}/", True, do="unposted").content.decode()
    )
    post.refresh_from_db()
    assert post.state == "posted"


def test_only_game_masters_may_change_the_outbox(grand_table: GrandTable) -> None:  # noqa: F811
    thread = set_up(grand_table)
    post = drafted(grand_table)
    for who in ("hun", "roman", "stranger"):
        for path, data in (
            ("posts/", {"report": "turn-1", "thread": str(thread.pk)}),
            (f"posts/{post.number}/", {"do": "posted", "link": "https://board.example/p/9"}),
            (f"posts/{post.number}/", {"do": "aside"}),
            ("threads/new/", CLIPBOARD),
            (f"threads/{thread.pk}/", {"do": "remove"}),
            (f"threads/{thread.pk}/", {"do": "save", "name": "Mine"}),
        ):
            assert grand_table.post(who, path, **data).status_code == 403, (who, path)
    assert (
        grand_table.post("nobody", "posts/", report="turn-1", thread=str(thread.pk)).status_code
        == 302
    )
    post.refresh_from_db()
    thread.refresh_from_db()
    assert (post.state, thread.name, thread.removed_at, Post.objects.count()) == (
        "draft",
        "Slitherine",
        None,
        1,
    )


def test_threads_and_posts_of_another_campaign_are_not_found(
    grand_table: GrandTable,  # noqa: F811
    new_campaign: Any,  # noqa: F811
    person: Any,
) -> None:
    thread = set_up(grand_table)
    post = drafted(grand_table)
    from campaign import services as table

    other = table.found_campaign(person("Other"), "grand_campaign", "Other", "420ad")
    grand_table.clients["stranger"].force_login(other.founder)
    home = f"/c/{other.address}/"
    for path in (f"{home}posts/{post.number}/", f"{home}threads/{thread.pk}/"):
        assert grand_table.get("stranger", path).status_code == 404
        assert grand_table.post("stranger", path, do="remove").status_code == 404
    grand_table.post("stranger", f"{home}posts/", report="opening-1", thread=str(thread.pk))
    assert Post.objects.count() == 1


def test_a_secret_is_typed_once_and_never_shown(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table, **DISCORD)
    thread = Thread.objects.get()
    assert "s3cretTOKEN" not in f"{thread.settings}{thread.sealed}{thread}{thread!r}"
    pages = [
        grand_table.text("gm", path)
        for path in ("posts/", f"threads/{thread.pk}/", "desk/", "threads/new/")
    ]
    assert not any("s3cretTOKEN" in page for page in pages)
    assert "Stored encrypted" in pages[1]
    # An empty field keeps the secret; a wrong secret is not shown either.
    grand_table.post(
        "gm",
        f"threads/{thread.pk}/",
        **{**DISCORD, "do": "save", "set-webhook": "", "active": "on"},
    )
    after = Thread.objects.get()
    assert after.sealed
    answer = grand_table.post(
        "gm",
        f"threads/{thread.pk}/",
        **{**DISCORD, "do": "save", "set-webhook": "https://x.example/s3cretTOKEN"},
    )
    assert answer.status_code == 422
    assert "s3cretTOKEN" not in answer.content.decode()
    assert "Copy it again" in answer.content.decode()


def test_the_page_reloads_while_a_post_is_being_sent(grand_table: GrandTable) -> None:  # noqa: F811
    """It does so with and without a script, and gets status 204 while nothing has changed."""
    set_up(grand_table, **DISCORD)
    post = drafted(grand_table)
    assert (
        "hx-get"
        not in grand_table.text("gm", "posts/").partition('id="posts"')[2].partition(">")[0]
    )
    grand_table.post("gm", f"posts/{post.number}/", do="ready")

    def page() -> tuple[str, str]:
        text = grand_table.text("gm", "posts/")
        (asks,) = re.findall(
            r'id="posts" data-select hx-get="([^"]+)" hx-trigger="every (\d+)s"', text
        )
        assert f'<noscript><meta http-equiv="refresh" content="{asks[1]}"></noscript>' in text
        return asks  # type: ignore[no-any-return]

    again, seconds = page()
    assert (seconds, grand_table.get("gm", again).status_code) == ("4", 204)
    Post.objects.filter(pk=post.pk).update(state="sending")
    assert grand_table.get("gm", again).status_code == 200
    assert grand_table.get("hun", again).status_code == 403
    Post.objects.filter(pk=post.pk).update(
        state="ready", next_at=timezone.now() + timedelta(hours=2)
    )
    assert page()[1] == "60", "not so often while the next try is far"


def test_a_removed_thread_loses_its_credentials(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table, **DISCORD)
    thread, post = Thread.objects.get(), drafted(grand_table)
    grand_table.post("gm", f"threads/{thread.pk}/", do="remove")
    thread.refresh_from_db()
    post.refresh_from_db()
    assert (thread.sealed, thread.session, post.state) == ("", "", "aside")
    assert grand_table.get("gm", f"threads/{thread.pk}/").status_code == 404
    assert grand_table.get("gm", f"posts/{post.number}/").status_code == 200


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ({"set-address": "not an address"}, "This is not a web address"),
        ({"set-address": "javascript:alert(1)"}, "This is not a web address"),
        ({"limit": "3"}, "A post there may have 500 to"),
        ({"limit": "many"}, "A post there may have 500 to"),
        ({"dialect": "runes"}, "Choose how the posts are written."),
        ({"language": "la"}, "Choose a language."),
        ({"tone": "shrill"}, "Choose a tone."),
    ],
)
def test_errors_are_beside_their_fields_and_keep_what_was_typed(
    grand_table: GrandTable,  # noqa: F811
    typed: dict[str, str],
    content: str,
) -> None:
    answer = grand_table.post("gm", "threads/new/", **{**CLIPBOARD, "language": "en", **typed})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert content in page
    assert 'value="Slitherine"' in page
    assert not Thread.objects.exists()


def test_an_unsafe_link_is_refused(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table)
    post = drafted(grand_table)
    for link in (
        "javascript:alert(1)",
        "data:text/html,x",
        "https://u:p@board.example/",
        "nonsense",
    ):
        grand_table.post("gm", f"posts/{post.number}/", do="posted", part="1", link=link)
    post.refresh_from_db()
    assert (post.state, post.permalink) == ("draft", "")


def test_the_desk_says_how_many_posts_wait(grand_table: GrandTable) -> None:  # noqa: F811
    assert "No thread is set up yet." in grand_table.text("gm", "desk/")
    set_up(grand_table)
    drafted(grand_table)
    drafted(grand_table, "turn-1")
    page = visible_text(grand_table.text("gm", "desk/"))
    assert "2 posts are ready Outbox" in page
    assert "To post 2 Being sent 0 Posted this turn 0" in page
    assert "Posts" not in grand_table.text("hun", "")


def test_after_a_doubtful_sending_the_game_master_is_asked_to_look_for_the_mark(
    grand_table: GrandTable,  # noqa: F811
) -> None:
    set_up(grand_table, **DISCORD)
    post = drafted(grand_table)
    services.mark_ready(post, grand_table.people["gm"])
    Post.objects.update(state="doubtful", doubt=True, last_error="Discord did not say.")
    page = grand_table.text("gm", f"posts/{post.number}/")
    assert "Was it posted? Look for this mark:" in page
    post.refresh_from_db()
    assert post.marker in page
    grand_table.post("gm", f"posts/{post.number}/", do="absent", part="1")
    post.refresh_from_db()
    assert (post.state, post.doubt) == ("ready", False)


def test_a_refusal_by_the_board_is_shown_and_can_be_tried_again(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table, **DISCORD)
    thread = Thread.objects.get()
    Thread.objects.update(
        locked_at=thread.made_at, locked_why="Discord does not know this webhook."
    )
    assert "refused the post" in grand_table.text("gm", "posts/")
    assert "Discord does not know this webhook." in grand_table.text("gm", f"threads/{thread.pk}/")
    grand_table.post("gm", f"threads/{thread.pk}/", do="unlock")
    assert Thread.objects.get().locked_at is None


def test_a_thread_may_have_a_tone_of_its_own(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table, tone="chronicle")
    post = drafted(grand_table)
    assert "The heralds have called" in grand_table.text("gm", f"posts/{post.number}/")


def test_a_post_is_skipped_brought_back_and_drafted_again(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table, **DISCORD)
    post = drafted(grand_table)
    for do, state in (
        ("aside", "aside"),
        ("back", "draft"),
        ("ready", "ready"),
        ("unready", "draft"),
    ):
        grand_table.post("gm", f"posts/{post.number}/", do=do, part="1")
        post.refresh_from_db()
        assert post.state == state
    assert grand_table.post("gm", f"posts/{post.number}/", do="nonsense").status_code == 303
    assert grand_table.get("gm", "posts/99999999999999999999/").status_code == 404
    assert grand_table.get("gm", "threads/99999999999999999999/").status_code == 404


def test_texts_of_people_are_escaped_on_every_page(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table, name="<script>alert(1)</script>")
    post = drafted(grand_table)
    thread = Thread.objects.get()
    for path in ("posts/", f"posts/{post.number}/", f"threads/{thread.pk}/", "desk/"):
        assert "<script>alert" not in grand_table.text("gm", path)


ODD = [
    "",
    "0",
    "2",
    "99",
    "-1",
    "x",
    "9" * 30,
    "\x00",
    "<b>",
    "https://[",
    "https://a.example/\r\nX: 1",
    "a" * 9000,
]


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.parametrize("state", ["draft", "ready", "doubtful"])
def test_nonsense_is_refused_and_changes_nothing(grand_table: GrandTable, state: str) -> None:  # noqa: F811
    set_up(grand_table, **DISCORD)
    post, thread = drafted(grand_table), Thread.objects.get()
    if state != "draft":
        services.mark_ready(post, grand_table.people["gm"])
        Post.objects.update(state=state)
    for n, odd in enumerate(ODD):
        do = [*posts.POST_ACTIONS][n % len(posts.POST_ACTIONS)]
        assert (
            grand_table.post("gm", f"posts/{post.number}/", do=do, part=odd, link=odd).status_code
            == 303
        )
        assert (
            grand_table.post("gm", "posts/", report=odd, thread=str(thread.pk)).status_code == 303
        )
        assert grand_table.post("gm", "posts/", report="turn-1", thread=odd).status_code == 303
        given = {
            "set-webhook": odd,
            "set-thread": odd,
            "dialect": odd,
            "language": odd,
            "limit": odd,
            "name": odd,
            "kinds": odd,
        }
        assert grand_table.post(
            "gm", f"threads/{thread.pk}/", do=odd or "save", **given
        ).status_code in (
            303,
            422,
        )
        assert (
            grand_table.post("gm", "threads/new/", transport="discord", **given).status_code == 422
        )
    assert grand_table.get("gm", f"posts/{post.number}/").status_code == 200
    assert Thread.objects.count() == 1


@pytest.mark.parametrize(
    ("path", "most"), [("posts/", 14), ("posts/1/", 13), ("threads/new/", 12), ("threads/{}/", 12)]
)
def test_queries(
    grand_table: GrandTable,  # noqa: F811
    django_assert_max_num_queries: Any,
    path: str,
    most: int,
) -> None:
    set_up(grand_table)
    for report in ("opening-1", "turn-1"):
        drafted(grand_table, report)
    path = path.format(Thread.objects.get().pk)
    grand_table.get("gm", path)
    with django_assert_max_num_queries(most) as asked:
        grand_table.get("gm", path)
    assert isinstance(asked, CaptureQueriesContext)


def test_the_outbox_is_in_italian(grand_table: GrandTable) -> None:  # noqa: F811
    set_up(grand_table)
    post = drafted(grand_table)
    grand_table.people["gm"].language = "it"
    grand_table.people["gm"].save()
    for path in ("posts/", f"posts/{post.number}/", "threads/new/"):
        page = grand_table.text("gm", path)
        assert "Messaggi" in page or "messaggi" in page, path
        assert "Posts" not in re.sub(r"<[^>]+>", " ", page), path
