"""Drafts that appear by themselves, and what an undo makes of what was posted."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import OperationalError, connection

from campaign import pulse
from campaign import services as table_services
from campaign.errors import NotNow
from campaign.log import positions
from campaign.log import undo as log_undo
from forum import services
from forum.models import PendingDrafts, Post, Thread
from forum.posts import drafts, outbox
from forum.posts import reports as posts_reports
from tests.table import Table

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LINK = "https://board.example/p/"


@pytest.fixture
def thread(running: Table) -> Thread:
    return make_thread(running)


def make_thread(table: Table, **more: Any) -> Thread:
    given: dict[str, Any] = {"transport": "clipboard", "name": "The board", "settings": {}, **more}
    return services.set_up(table.campaign, table.gm, now=NOW, **given)


def reports_of(**which: Any) -> set[str]:
    return set(Post.objects.filter(**which).values_list("report", flat=True))


def close_turn(table: Table) -> int:
    """End the slot, which closes the turn, and return the number of the turn."""
    turn = table.campaign.turn
    table.play(table.campaign.active_seat, "end")
    assert table.campaign.turn == turn + 1
    return int(turn)


def mark_posted(table: Table, post: Post, n: int) -> Post:
    services.record_posted(post, table.gm, f"{LINK}{n}", now=NOW)
    return Post.objects.get(pk=post.pk)


def test_a_turn_that_closes_is_drafted_and_so_is_the_next_ones_opening(
    running: Table, thread: Thread
) -> None:
    turn = close_turn(running)
    assert reports_of(state="draft") == {f"turn-{turn}", f"opening-{turn + 1}"}
    post = Post.objects.get(report=f"turn-{turn}")
    assert (post.kind, post.made_by, post.subject, post.text) == ("turn", None, f"Turn {turn}", "")
    assert post.entry == running.campaign.entries.latest("sequence")


def test_a_battle_is_drafted_when_it_is_decided_and_battles_have_posts_of_their_own(
    running: Table,
) -> None:
    make_thread(running, kinds=["battle", "turn"])
    running.play(running.campaign.active_seat, "duel")
    assert not Post.objects.exists()
    running.play("gm", "settle", winner="attacker")
    assert reports_of() == {"battle-1"}


def test_only_the_kinds_that_were_chosen_and_only_where_drafts_are_made(running: Table) -> None:
    some = make_thread(running, kinds=["turn", "nonsense"])
    assert some.drafted_kinds == ["turn"]
    stopped = make_thread(running)
    Thread.objects.filter(pk=stopped.pk).update(active=False)
    turn = close_turn(running)
    assert list(Post.objects.values_list("thread", "report")) == [(some.pk, f"turn-{turn}")]


def test_a_move_that_completes_nothing_asks_for_no_report(
    running: Table, thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        posts_reports, "lines_of", lambda *_, **__: pytest.fail("asked for a report")
    )
    running.play(running.campaign.active_seat, "dig")


def test_a_report_that_cannot_be_told_keeps_no_move(
    running: Table,
    thread: Thread,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(posts_reports, "lines_of", broken)
    close_turn(running)
    assert not Post.objects.exists()
    assert "No drafts" in caplog.text


def test_told_twice_it_is_drafted_once(running: Table, thread: Thread) -> None:
    close_turn(running)
    entry = running.campaign.entries.latest("sequence")
    drafts.draft_after(running.campaign, entry, None, None)
    drafts.tick(NOW)
    assert Post.objects.count() == 2
    assert not PendingDrafts.objects.exists()


def test_what_was_not_posted_is_superseded_by_an_undo_and_comes_back_with_the_moves(
    running: Table, thread: Thread
) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    ready = services.mark_ready(Post.objects.get(report=f"turn-{turn}"), running.gm, now=NOW)
    undo = running.undo(before)
    assert reports_of(state="superseded") == {f"turn-{turn}", f"opening-{turn + 1}"}
    assert not Post.objects.exclude(
        state="superseded"
    ).exists()  # nothing was posted, so nothing needs a correction
    table_services.restore(running.reload(), running.gm, undo.number, "It was right")
    assert reports_of(state="draft") == {f"turn-{turn}", f"opening-{turn + 1}"}
    ready.refresh_from_db()
    assert (ready.text, ready.marker) == ("", "")


def test_an_undo_of_what_was_posted_proposes_a_correction(running: Table, thread: Thread) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    shown = mark_posted(running, Post.objects.get(report=f"turn-{turn}"), 1)
    undo = running.undo(before)
    correction = Post.objects.get(state="draft")
    assert (correction.report, correction.kind, list(correction.corrects.all())) == (
        f"undo-{undo.number}",
        "undo",
        [shown],
    )
    part = posts_reports.post_parts(correction)[0]
    assert f"This corrects the post “{shown.subject}”" in part.text
    assert f"{LINK}1" in part.text
    assert "A slip" in part.text
    shown.refresh_from_db()
    assert shown.state == "posted"
    mark_posted(running, correction, 2)
    shown.refresh_from_db()
    assert (shown.state, shown.permalink) == ("superseded", f"{LINK}1")


def test_what_holds_after_all_is_corrected_once_more_and_stands_again(
    running: Table, thread: Thread
) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    shown = mark_posted(running, Post.objects.get(report=f"turn-{turn}"), 1)
    undo = running.undo(before)
    correction = mark_posted(running, Post.objects.get(report=f"undo-{undo.number}"), 2)
    restored = table_services.restore(running.reload(), running.gm, undo.number, "It was right")
    again = Post.objects.get(report=f"restore-{restored.number}")
    assert list(again.corrects.all()) == [correction]
    mark_posted(running, again, 3)
    shown.refresh_from_db()
    correction.refresh_from_db()
    assert (shown.state, correction.state) == ("posted", "superseded")


def test_a_correction_that_was_not_posted_goes_with_the_undo(
    running: Table, thread: Thread
) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    shown = mark_posted(running, Post.objects.get(report=f"turn-{turn}"), 1)
    undo = running.undo(before)
    table_services.restore(running.reload(), running.gm, undo.number, "It was right")
    assert Post.objects.get(report=f"undo-{undo.number}").state == "superseded"
    assert not Post.objects.filter(kind="restore").exists()
    shown.refresh_from_db()
    assert shown.state == "posted"


def test_what_an_undo_and_its_restoration_make_of_posts_is_foreseen(
    running: Table, thread: Thread
) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    shown, opening = (
        mark_posted(running, Post.objects.get(report=f"turn-{turn}"), 1),
        Post.objects.get(report=f"opening-{turn + 1}"),
    )
    seen = drafts.preview_undo(log_undo.rewind_to(running.campaign, before))
    assert (seen.corrected, seen.later, seen.dropped, seen.drafted) == ([shown], [], [opening], [])
    undo = running.undo(before)
    correction = Post.objects.get(state="draft")
    assert list(correction.corrects.all()) == seen.corrected
    assert reports_of(state="superseded") == {draft.report for draft in seen.dropped}
    seen = drafts.preview_undo(log_undo.restoration(running.reload(), undo.number)[1])
    assert (seen.corrected, seen.dropped, seen.drafted) == ([], [correction], [opening])
    table_services.restore(running.reload(), running.gm, undo.number, "It was right")
    assert reports_of(state="draft") == {opening.report}
    assert reports_of(state="superseded") == {correction.report}


def test_the_same_turn_told_anew_corrects_what_was_posted_of_it(
    running: Table, thread: Thread
) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    shown = mark_posted(running, Post.objects.get(report=f"turn-{turn}"), 1)
    running.undo(before)
    running.play(running.campaign.active_seat, "dig")
    close_turn(running)
    anew = Post.objects.get(report=f"turn-{turn}", state="draft")
    assert list(anew.corrects.all()) == [shown]
    mark_posted(running, anew, 2)
    shown.refresh_from_db()
    assert shown.state == "superseded"


def test_two_undos_do_not_correct_one_post_twice(running: Table, thread: Thread) -> None:
    start = running.campaign.last_number
    running.play(running.campaign.active_seat, "dig")
    middle = running.campaign.last_number
    turn = close_turn(running)
    mark_posted(running, Post.objects.get(report=f"turn-{turn}"), 1)
    running.undo(middle)
    running.undo(start)
    assert Post.objects.filter(kind="undo").count() == 1


def test_in_doubt_and_struck_it_is_not_sent_again(running: Table, thread: Thread) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    post = services.mark_ready(Post.objects.get(report=f"turn-{turn}"), running.gm, now=NOW)
    Post.objects.filter(pk=post.pk).update(doubt=True)
    running.undo(before)
    post.refresh_from_db()
    assert post.state == "doubtful"
    services.record_absent(post, running.gm, now=NOW)
    assert post.state == "superseded"


def test_a_thread_of_its_own_language_is_told_in_it(running: Table) -> None:
    make_thread(running, language="it")
    before = running.campaign.last_number
    turn = close_turn(running)
    mark_posted(running, Post.objects.get(report=f"turn-{turn}"), 1)
    undo = running.undo(before)
    assert Post.objects.get(kind="undo").subject == f"Annullamento, voce {undo.number}"


def test_what_one_hides_is_in_no_post(running: Table, thread: Thread) -> None:
    seat = running.campaign.active_seat
    running.play(seat, "hide", secret=987654)
    turn = close_turn(running)
    for post in Post.objects.all():
        assert "987654" not in posts_reports.post_parts(post)[0].text + post.subject
        assert "hide" not in posts_reports.post_parts(post)[0].text
    assert Post.objects.filter(report=f"turn-{turn}").exists()


def test_a_report_may_be_drafted_by_hand_and_one_draft_is_enough(
    running: Table, thread: Thread
) -> None:
    key = f"turn-{running.campaign.turn}"
    one = services.draft(running.campaign, running.gm, thread, key, now=NOW)
    assert services.draft(running.campaign, running.gm, thread, key, now=NOW) == one
    assert one.made_by == running.gm


def test_back_to_a_draft_its_text_follows_the_table(running: Table, thread: Thread) -> None:
    key = f"turn-{running.campaign.turn}"
    post = services.draft(running.campaign, running.gm, thread, key, now=NOW)
    services.mark_ready(post, running.gm, now=NOW)
    was = post.text
    running.play(running.campaign.active_seat, "dig")
    services.return_to_draft(post, running.gm)
    services.mark_ready(post, running.gm, now=NOW)
    assert post.text != was
    assert "dig" in post.text


# After commit -------------------------------------------------------------------------------------


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nobody takes what is asked for after commit; the kinds of work that were asked for."""
    asked: list[str] = []
    monkeypatch.setattr(
        outbox, "request_work", getattr(outbox.request_work, "__wrapped__", outbox.request_work)
    )
    monkeypatch.setattr(pulse, "_ask", asked.append)
    return asked


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_transaction_of_a_move_replays_nothing_and_renders_nothing(
    running: Table, thread: Thread, no_worker: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    within: dict[str, list[bool]] = {}

    def spy(where: Any, name: str) -> None:
        real = getattr(where, name)

        def noted(*given: Any, **named: Any) -> Any:
            within.setdefault(name, []).append(connection.in_atomic_block)
            return real(*given, **named)

        monkeypatch.setattr(where, name, noted)

    spy(positions, "perform")  # a replay without receipts
    spy(positions, "history")  # one with them
    for name in ("lines_of", "contents", "report_with_line", "post_parts"):
        spy(posts_reports, name)
    monkeypatch.setattr(pulse, "_ask", lambda kind: pulse.work(kind))
    turn = close_turn(running)
    positions.memory.clear()  # as in a process that has not seen this campaign
    close_turn(running)
    assert reports_of(state="draft") >= {f"turn-{turn}", f"turn-{turn + 1}"}
    assert within["perform"]
    assert within["lines_of"]
    assert not any(call for calls in within.values() for call in calls), within


def test_drafts_of_a_move_whose_process_died_after_commit_are_made_by_the_pulse(
    running: Table, thread: Thread, no_worker: list[str]
) -> None:
    turn = close_turn(running)
    assert not Post.objects.exists()
    assert PendingDrafts.objects.get().entry == running.campaign.entries.latest("sequence")
    running.play(running.campaign.active_seat, "dig")  # what came since changes nothing of it
    assert drafts.tick(NOW) == 1
    assert reports_of(state="draft") == {f"turn-{turn}", f"opening-{turn + 1}"}
    assert Post.objects.get(report=f"turn-{turn}").entry.number == running.campaign.last_number - 1
    assert (drafts.tick(NOW), Post.objects.count()) == (0, 2)


def test_drafts_that_a_process_died_over_are_made_whole(
    running: Table, thread: Thread, no_worker: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = close_turn(running)
    real, calls = drafts._draft, []

    def killed(*given: Any) -> None:
        calls.append(given)
        if len(calls) == 2:
            raise SystemExit
        real(*given)

    monkeypatch.setattr(drafts, "_draft", killed)
    with pytest.raises(SystemExit):
        drafts.tick(NOW)
    assert not Post.objects.exists()
    assert drafts.tick(NOW) == 1
    assert reports_of(state="draft") == {f"turn-{turn}", f"opening-{turn + 1}"}


def test_what_is_struck_before_it_was_drafted_is_drafted_when_it_is_restored(
    running: Table, thread: Thread, no_worker: list[str]
) -> None:
    before = running.campaign.last_number
    turn = close_turn(running)
    undo = running.undo(before)
    assert drafts.tick(NOW) == 0
    assert not Post.objects.exists()
    table_services.restore(running.reload(), running.gm, undo.number, "It was right")
    assert drafts.tick(NOW) == 1
    assert reports_of(state="draft") == {f"turn-{turn}", f"opening-{turn + 1}"}


def test_what_two_workers_draft_at_once_is_drafted_once(
    running: Table, thread: Thread, no_worker: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = close_turn(running)
    real = drafts._write_drafts

    def overtaken(*given: Any, **named: Any) -> bool:
        monkeypatch.setattr(drafts, "_write_drafts", real)
        assert drafts.tick(NOW) == 1  # another one, between this one's replay and its writing
        return real(*given, **named)

    monkeypatch.setattr(drafts, "_write_drafts", overtaken)
    assert drafts.tick(NOW) == 0
    assert sorted(Post.objects.values_list("report", flat=True)) == [
        f"opening-{turn + 1}",
        f"turn-{turn}",
    ]


def test_a_database_that_is_busy_loses_no_draft(
    running: Table, thread: Thread, no_worker: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    close_turn(running)
    with monkeypatch.context() as patch:
        patch.setattr(
            posts_reports,
            "lines_of",
            lambda *_, **__: (_ for _ in ()).throw(OperationalError("database is locked")),
        )
        with pytest.raises(OperationalError):
            drafts.tick(NOW)
    assert drafts.tick(NOW) == 1
    assert Post.objects.count() == 2


def test_a_link_that_arrives_while_the_copy_is_recorded_marks_the_post(
    running: Table, thread: Thread
) -> None:
    """A browser can send both before either has ended: each has read the draft."""
    turn = close_turn(running)
    copied = Post.objects.get(report=f"turn-{turn}")
    linked = Post.objects.get(pk=copied.pk)
    services.record_copy(copied, running.gm, now=NOW)
    post = mark_posted(running, linked, 1)
    assert (post.state, post.permalink, post.copied_at) == ("posted", f"{LINK}1", NOW)


def test_a_copy_that_is_recorded_late_leaves_the_post_marked(
    running: Table, thread: Thread
) -> None:
    turn = close_turn(running)
    copied = Post.objects.get(report=f"turn-{turn}")
    linked = Post.objects.get(pk=copied.pk)
    mark_posted(running, linked, 1)
    with pytest.raises(NotNow):
        services.record_copy(copied, running.gm, now=NOW)
    post = Post.objects.get(pk=copied.pk)
    assert (post.state, post.permalink) == ("posted", f"{LINK}1")


def test_a_draft_that_is_gone_is_refused(running: Table, thread: Thread) -> None:
    turn = close_turn(running)
    post = Post.objects.get(report=f"turn-{turn}")
    Post.objects.filter(pk=post.pk).delete()
    with pytest.raises(NotNow):
        services.record_copy(post, running.gm, now=NOW)
    with pytest.raises(NotNow):
        services.record_posted(post, running.gm, f"{LINK}1", now=NOW)
