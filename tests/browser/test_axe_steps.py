"""Pages that one comes to by a form or a list, and those for errors, held to axe-core."""

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
from tests.browser.axe import Looker, looker
from tests.browser.laid_out import MASTER, NOBODY, PLAYER, RIVAL, Laid, battles, claim, others
from tests.conftest import PASSWORD

__all__ = ["looker"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def laid(person: Callable[..., Any]) -> Laid:
    person("Fresh")
    return Laid()


@pytest.mark.nightly
def test_a_battle_from_its_setting_up_to_its_judgment(looker: Looker, laid: Laid) -> None:
    battles(laid)
    for name in (PLAYER, "Fresh", MASTER):
        looker.visit(name, laid.home + "b/6/")
    claim(laid)
    window = looker.visit(PLAYER, laid.home + "b/6/")
    window.get_by_text("Dispute…").click()
    looker.look(window, "disputing")
    window.locator("form:has([value=dispute]) [name=reason]").fill("It was 41.")
    window.locator("form:has([value=dispute]) button").click()
    looker.sees(window, "Disputed")
    looker.visit(MASTER, laid.home + "b/6/")
    looker.visit(MASTER, laid.home + "desk/")
    looker.visit(RIVAL, "/notices/")


def test_moves_asked_twice_refused_moved_on_and_taken_back(looker: Looker, laid: Laid) -> None:
    window = looker.window(PLAYER)
    window.goto(laid.home + "n/romans/")
    window.get_by_role("button", name="End slot").first.click()
    looker.sees(window, "End slot?")
    window.goto(laid.home + "n/romans/")
    window.evaluate(
        "document.querySelectorAll('main [name=seen]').forEach(one => { one.value = '3' })"
    )
    window.get_by_role("button", name=re.compile("^Announce")).first.click()
    looker.sees(window, "The table has moved on.")
    window.get_by_role("button", name="Announce it again").click()
    window.locator(".toast").wait_for()
    looker.look(window, "after a move")
    looker.visit(PLAYER, laid.home + "undo/")
    looker.visit(PLAYER, laid.home + "log/", whole=False)


@pytest.mark.nightly
def test_reports_of_every_kind(looker: Looker, laid: Laid) -> None:
    others(laid)
    kinds = set()
    for home in (laid.home, laid.at["ended"]):
        page = looker.window(NOBODY)
        page.goto(home + "reports/")
        for link in page.eval_on_selector_all(
            "main a[href*='/reports/']", "all => all.map(one => one.getAttribute('href'))"
        ):
            kind = link.rstrip("/").rpartition("/")[2].partition("-")[0]
            if kind not in kinds | {"reports"}:
                kinds.add(kind)
                looker.visit(NOBODY, link)
    assert kinds >= {"turn", "slot", "battle"}


@pytest.mark.nightly
def test_a_thread_set_up_and_posts_of_every_state(looker: Looker, laid: Laid) -> None:
    window = looker.window(MASTER)
    window.goto(laid.home + "threads/new/?transport=clipboard")
    window.get_by_label("Address of the thread").fill("https://board.example/t/7")
    window.get_by_role("button", name="Set it up").click()
    window.goto(laid.home + "posts/?report=opening-1#alone")
    with window.expect_navigation(url="**/posts/*/"):
        window.get_by_role("button", name="Make a draft").click()
    looker.look(window, "a draft to be copied")
    window.get_by_label("Link of the post").fill("https://board.example/p/9")
    with window.expect_navigation():
        window.get_by_role("button", name="Mark as posted").click()
    looker.look(window, "posted")
    master, channel = laid.people[MASTER], laid.demo.threads.get()
    created = forum_services.draft(laid.demo, master, channel, "opening-1")
    forum_services.ready(created, master)
    for state in ("doubtful", "failed", "superseded"):
        Post.objects.filter(pk=created.pk).update(
            state=state, last_error="The board is out of order."
        )
        looker.visit(MASTER, laid.home + f"posts/{created.number}/")
    looker.visit(MASTER, laid.home + f"threads/{channel.pk}/")
    looker.visit(MASTER, laid.home + "posts/")


@pytest.mark.nightly
def test_a_record_taken_over_and_one_that_is_none(looker: Looker, laid: Laid) -> None:
    window = looker.window("Fresh")
    for sent in (b"{}", canonical(record.whole(laid.demo)).encode()):
        row, _new = imports.store_upload(
            laid.people["Fresh"], sent, "Again", "Europe/Rome", "unlisted"
        )
        window.goto(f"/found/import/{row.pk}/")
        looker.sees(window, "Look now")
        imports.work(row.pk)
        looker.visit("Fresh", f"/found/import/{row.pk}/")
    looker.sees(window, "Again is founded.")
    looker.visit("Fresh", "/found/import/")


@pytest.mark.nightly
def test_links_to_a_seat_and_a_seat_offered(looker: Looker, laid: Laid) -> None:
    others(laid)
    looker.visit("Fresh", f"/join/{laid.at['token']}/")
    looker.visit(NOBODY, f"/join/{laid.at['token']}/")
    looker.visit("Fresh", f"/join/{laid.at['seat_token']}/")
    services.offer_seat(laid.demo, laid.people[PLAYER], "romans", laid.people["Fresh"])
    looker.visit("Fresh", laid.home, whole=False)
    looker.visit(PLAYER, laid.home + "n/romans/")
    window = looker.visit(MASTER, laid.home + "seats/")
    window.goto(laid.at["draft"] + "seats/")
    window.locator("form:has([value=invite]) button").first.click()
    looker.sees(window, "It is shown once.")


def test_every_error_has_a_page_to_read(
    looker: Looker, laid: Laid, monkeypatch: pytest.MonkeyPatch
) -> None:
    looker.visit(PLAYER, laid.home + "desk/", 403)
    looker.visit(NOBODY, "/nothing-here/", 404)
    looker.visit(NOBODY, "/notices/read/", 405)
    looker.visit(NOBODY, "/join/0123456789abcdef/", 410)
    with monkeypatch.context() as broken:
        broken.setattr("web.dice.page.record.published_links", lambda campaign: 1 // 0)
        looker.visit(NOBODY, laid.home + "dice/", 500)
    page = looker.window(NOBODY)
    page.goto("/sign-in/")
    page.get_by_label("E-mail or name").fill("nobody")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("alert").wait_for()
    looker.look(page, "a wrong password")
    page.context.clear_cookies()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    looker.sees(page, "The page was too old")
    page.goto("/sign-in/code/")
    page.evaluate("""() => { const form = document.querySelector('main form');
        for (let n = 0; n < 1200; n++) { form.append(Object.assign(document.createElement('input'), {name: 'f' + n})) }
        form.submit() }""")  # noqa: E501
    looker.sees(page, "cannot be read")
    for _ in range(12):
        page.goto("/password/")
        page.get_by_label("E-mail").fill("nobody@example.org")
        with page.expect_navigation():
            page.locator("main form button").click()
        if page.get_by_text("Wait a little").count():
            break
    looker.sees(page, "Wait a little")
    page.goto("/sign-up/")
    page.context.set_offline(True)
    looker.sees(page, "No connection. Nothing was sent")
    page.context.set_offline(False)
    page.get_by_text("No connection").wait_for(state="detached")
