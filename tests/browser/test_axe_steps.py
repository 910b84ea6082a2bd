"""Pages reached by a form or a list, and error pages, checked by axe-core."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from campaign import imports, services
from campaign.log import record
from engine.strict_json import canonical
from forum import services as forum_services
from forum.models import Post
from tests.browser.axe import PageChecker, page_checker
from tests.browser.laid_out import (
    MASTER,
    NOBODY,
    PLAYER,
    RIVAL,
    Demonstration,
    add_battle_events,
    claim_battle,
    create_other_campaigns,
)
from tests.conftest import PASSWORD

__all__ = ["page_checker"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def demonstration(person: Callable[..., Any]) -> Demonstration:
    person("Fresh")
    return Demonstration()


@pytest.mark.nightly
def test_a_battle_from_its_setting_up_to_its_judgment(
    page_checker: PageChecker, demonstration: Demonstration
) -> None:
    add_battle_events(demonstration)
    for name in (PLAYER, "Fresh", MASTER):
        page_checker.visit(name, demonstration.home + "b/6/")
    claim_battle(demonstration)
    window = page_checker.visit(PLAYER, demonstration.home + "b/6/")
    window.get_by_text("Dispute…").click()
    page_checker.check(window, "disputing")
    window.locator("form:has([value=dispute]) [name=reason]").fill("It was 41.")
    window.locator("form:has([value=dispute]) button").click()
    page_checker.check_page_with_text(window, "Disputed")
    page_checker.visit(MASTER, demonstration.home + "b/6/")
    page_checker.visit(MASTER, demonstration.home + "desk/")
    page_checker.visit(RIVAL, "/notices/")


def test_moves_asked_twice_refused_moved_on_and_taken_back(
    page_checker: PageChecker, demonstration: Demonstration
) -> None:
    window = page_checker.window(PLAYER)
    window.goto(demonstration.home + "n/romans/")
    window.get_by_role("button", name="End turn").first.click()
    page_checker.check_page_with_text(window, "End turn?")
    window.goto(demonstration.home + "n/romans/")
    window.evaluate(
        "document.querySelectorAll('main [name=seen]').forEach(one => { one.value = '3' })"
    )
    window.get_by_role("button", name=re.compile("^Announce")).first.click()
    page_checker.check_page_with_text(window, "The table has moved on.")
    window.get_by_role("button", name="Announce it again").click()
    window.locator(".toast").wait_for()
    page_checker.check(window, "after a move")
    page_checker.visit(PLAYER, demonstration.home + "undo/")
    page_checker.visit(PLAYER, demonstration.home + "log/", whole=False)


@pytest.mark.nightly
def test_reports_of_every_kind(page_checker: PageChecker, demonstration: Demonstration) -> None:
    create_other_campaigns(demonstration)
    kinds = set()
    for home in (demonstration.home, demonstration.at["ended"]):
        page = page_checker.window(NOBODY)
        page.goto(home + "reports/")
        for link in page.eval_on_selector_all(
            "main a[href*='/reports/']", "all => all.map(one => one.getAttribute('href'))"
        ):
            kind = link.rstrip("/").rpartition("/")[2].partition("-")[0]
            if kind not in kinds | {"reports"}:
                kinds.add(kind)
                page_checker.visit(NOBODY, link)
    assert kinds >= {"turn", "slot", "battle"}


@pytest.mark.nightly
def test_a_thread_set_up_and_posts_of_every_state(
    page_checker: PageChecker, demonstration: Demonstration
) -> None:
    window = page_checker.window(MASTER)
    window.goto(demonstration.home + "threads/new/?transport=clipboard")
    window.get_by_label("Address of the thread").fill("https://board.example/t/7")
    window.get_by_role("button", name="Set up the thread").click()
    window.goto(demonstration.home + "posts/?report=opening-1#alone")
    with window.expect_navigation(url="**/posts/*/#alone"):
        window.get_by_role("button", name="Create a draft").click()
    page_checker.check(window, "a draft to be copied")
    window.get_by_label("Link of the post").fill("https://board.example/p/9")
    with window.expect_navigation():
        window.get_by_role("button", name="Mark as posted").click()
    page_checker.check(window, "posted")
    master, channel = demonstration.people[MASTER], demonstration.demo.threads.get()
    created = forum_services.draft(demonstration.demo, master, channel, "opening-1")
    forum_services.mark_ready(created, master)
    for state in ("doubtful", "failed", "superseded"):
        Post.objects.filter(pk=created.pk).update(
            state=state, last_error="The board is out of order."
        )
        page_checker.visit(MASTER, demonstration.home + f"posts/{created.number}/")
    page_checker.visit(MASTER, demonstration.home + f"threads/{channel.pk}/")
    page_checker.visit(MASTER, demonstration.home + "posts/")


@pytest.mark.nightly
def test_a_record_taken_over_and_an_invalid_one(
    page_checker: PageChecker, demonstration: Demonstration
) -> None:
    window = page_checker.window("Fresh")
    for sent in (b"{}", canonical(record.full_record(demonstration.demo)).encode()):
        row, _new = imports.store_upload(
            demonstration.people["Fresh"], sent, "Again", "Europe/Rome", "unlisted"
        )
        window.goto(f"/found/import/{row.pk}/")
        page_checker.check_page_with_text(window, "Check now")
        imports.work(row.pk)
        page_checker.visit("Fresh", f"/found/import/{row.pk}/")
    page_checker.check_page_with_text(window, "Again has been created.")
    page_checker.visit("Fresh", "/found/import/")


@pytest.mark.nightly
def test_links_to_a_seat_and_a_seat_offered(
    page_checker: PageChecker, demonstration: Demonstration
) -> None:
    create_other_campaigns(demonstration)
    page_checker.visit("Fresh", f"/join/{demonstration.at['token']}/")
    page_checker.visit(NOBODY, f"/join/{demonstration.at['token']}/")
    page_checker.visit("Fresh", f"/join/{demonstration.at['seat_token']}/")
    services.offer_seat(
        demonstration.demo, demonstration.people[PLAYER], "romans", demonstration.people["Fresh"]
    )
    page_checker.visit("Fresh", demonstration.home, whole=False)
    page_checker.visit(PLAYER, demonstration.home + "n/romans/")
    window = page_checker.visit(MASTER, demonstration.home + "seats/")
    window.goto(demonstration.at["draft"] + "seats/")
    window.locator("form:has([value=invite]) button").first.click()
    page_checker.check_page_with_text(window, "shown only once, valid for 30 days")


def test_every_error_has_a_page_to_read(
    page_checker: PageChecker, demonstration: Demonstration, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_checker.visit(PLAYER, demonstration.home + "desk/", 403)
    page_checker.visit(NOBODY, "/nothing-here/", 404)
    page_checker.visit(NOBODY, "/notices/read/", 405)
    page_checker.visit(NOBODY, "/join/0123456789abcdef/", 410)
    with monkeypatch.context() as broken:
        broken.setattr("web.dice.page.record.published_links", lambda campaign: 1 // 0)
        page_checker.visit(NOBODY, demonstration.home + "dice/", 500)
    page = page_checker.window(NOBODY)
    page.goto("/sign-in/")
    page.get_by_label("E-mail or name").fill("nobody")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("alert").wait_for()
    page_checker.check(page, "a wrong password")
    page.context.clear_cookies()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page_checker.check_page_with_text(page, "This page is out of date")
    page.goto("/sign-in/code/")
    page.evaluate("""() => { const form = document.querySelector('main form');
        for (let n = 0; n < 1200; n++) { form.append(Object.assign(document.createElement('input'), {name: 'f' + n})) }
        form.submit() }""")  # noqa: E501
    page_checker.check_page_with_text(page, "We could not read this request")
    for _ in range(12):
        page.goto("/password/")
        page.get_by_label("E-mail").fill("nobody@example.org")
        with page.expect_navigation():
            page.locator("main form button").click()
        if page.get_by_text("Please wait a little").count():
            break
    page_checker.check_page_with_text(page, "Please wait a little")
    page.goto("/sign-up/")
    page.context.set_offline(True)
    page_checker.check_page_with_text(page, "You are offline, so nothing was sent")
    page.context.set_offline(False)
    page.get_by_text("You are offline").wait_for(state="detached")
