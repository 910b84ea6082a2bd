"""The site as an installed app: installable.

Offline, seen pages can be read and typed texts wait.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from people.models import User
from talk.models import Message
from tests.browser.laid_out import create_demonstration
from tests.browser.steady import wait_until
from tests.conftest import CHROMIUM

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTH = (
    "src => fetch(src).then(answer => answer.blob()).then(createImageBitmap).then(drawn =>"
    " drawn.width)"
)

PRESS = """action => self.registration.getNotifications().then(([notification]) =>
    self.dispatchEvent(new NotificationEvent("notificationclick", {notification, action})))"""
"""A press on a button of the notification; empty for the notification itself."""
SHOWN = "navigator.serviceWorker.ready.then(worker => worker.getNotifications())"


@pytest.fixture
def window(new_page: Callable[..., Any], live_server: Any) -> Callable[..., Any]:
    def opened(name: str, path: str, **options: Any) -> Any:
        first = options.pop("first", "")
        page, client = new_page(service_workers="allow", **options), Client()
        if first:  # no page has installed the worker yet
            page.goto(first)
            page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        client.force_login(User.objects.get(username=name))
        page.context.add_cookies(
            [
                {
                    "name": "sessionid",
                    "value": client.cookies["sessionid"].value,
                    "url": live_server.url,
                }
            ]
        )
        page.goto(path)
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        page.wait_for_function("navigator.serviceWorker.controller")
        return page

    return opened


def test_it_can_be_installed(window: Callable[..., Any]) -> None:
    home = f"/c/{create_demonstration().address}/"
    page = window("Benedetto", home)
    session = page.context.new_cdp_session(page)
    result = session.send("Page.getAppManifest")
    assert result["errors"] == []
    shown = json.loads(result["data"])
    assert (shown["name"], shown["display"], shown["start_url"]) == ("Tabula", "standalone", "/")
    faults = {
        error["errorId"]
        for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    }
    assert faults <= {"in-incognito"}  # the window of a test is in incognito mode
    for icon in shown["icons"]:
        if icon["type"] == "image/png":
            size = page.evaluate(WIDTH, icon["src"])
            assert icon["sizes"] == f"{size}x{size}"


@pytest.fixture
def installed(chromium: Any, live_server: Any, tmp_path: Any) -> Iterator[Callable[[str], Any]]:
    """Return a function that installs the site as an app on this user's phone.

    The browser installs it in a profile of its own, because a private window, as other tests have,
    may not do so.
    """
    contexts = []

    def install(name: str) -> Any:
        context = chromium.browser_type.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=shutil.which("chromium"),
            args=[*CHROMIUM, "--headless=new"],
            ignore_default_args=["--headless", "--headless=old"],
            base_url=live_server.url,
            viewport={"width": 390, "height": 900},
            reduced_motion="reduce",
        )
        contexts.append(context)
        page, client = context.pages[0], Client()
        page.goto("/sign-in/")
        # the worker is ready before a user signs in
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        page.goto("/")  # the installed app is open; otherwise Chromium may wait for it in vain
        session = context.new_cdp_session(page)
        app = session.send("Page.getAppId")["appId"]
        assert app == f"{live_server.url}/"
        assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        session.send("PWA.install", {"manifestId": app, "installUrlOrBundleUrl": app})
        client.force_login(User.objects.get(username=name))
        context.add_cookies(
            [
                {
                    "name": "sessionid",
                    "value": client.cookies["sessionid"].value,
                    "url": live_server.url,
                }
            ]
        )
        opened = session.send("PWA.launch", {"manifestId": app})
        assert opened["targetId"]
        page.goto("/")
        page.wait_for_function("navigator.serviceWorker.controller")
        return page

    yield install
    for context in contexts:
        context.close()


def test_the_installed_app_reads_and_types_offline_and_sends_later(
    installed: Callable[[str], Any],
) -> None:
    campaign = create_demonstration()
    home = f"/c/{campaign.address}/"
    page = installed("Benedetto")
    for path in ("", "n/romans/", "b/6/", "reports/turn-1/", "rules/", "history/", "talk/?to=huns"):
        page.goto(home + path)
    assert page.locator("#kept").count() == 0
    page.wait_for_function(
        "caches.open('tabula-pages').then(all => all.keys()).then(keys => keys.length >= 7)"
    )
    page.context.set_offline(True)

    for path, words in (
        ("", "Waiting for"),
        ("n/romans/", "Romans"),
        ("b/6/", "Dalmatia"),
        ("reports/turn-1/", "Turn 1"),
        ("rules/", "Rules"),
        ("history/", "History"),
    ):
        page.goto(home + path)
        expect(page.locator("#kept")).to_contain_text("You see this page as it was on")
        expect(page.locator("main")).to_contain_text(words)
    page.goto(home + "dice/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.locator("#kept-pages li")).to_have_count(7)

    page.goto(home + "talk/?to=huns")
    page.fill("#f-text", "Meet me on the Danube.")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#waiting")).to_contain_text("Meet me on the Danube.")
    assert not Message.objects.exists()
    page.goto(home)
    expect(page.locator("#waiting")).to_contain_text("Written offline and not sent yet")

    page.context.set_offline(False)
    page.goto(home)
    expect(page.locator("#kept")).to_have_count(0)
    assert not Message.objects.exists(), "nothing goes by itself"
    page.get_by_role("link", name="Check the table, then send").click()
    expect(page.locator("form [role=status]")).to_contain_text(
        "Look at the current state of the table first"
    )
    expect(page.locator("#f-text")).to_have_value("Meet me on the Danube.")
    expect(page.locator("input[name=to][value=huns]")).to_be_checked()
    page.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_url("**/talk/*/#m1")
    assert Message.objects.get().text == "Meet me on the Danube."
    expect(page.locator("#waiting")).to_have_count(0)


def test_a_kept_page_has_its_map_kept(window: Callable[..., Any]) -> None:
    """The browser drew the map before the worker existed.

    It does not load the outlines again.
    """
    home = f"/c/{create_demonstration().address}/"
    page = window("Benedetto", home)
    page.goto(home)
    wait_until(
        page,
        """async () => {
            const file = document.querySelector('.map use[href*=".svg#"]').getAttribute("href").split("#")[0];
            const known = await caches.open("tabula-files");
            const sheet = document.querySelector("link[rel=stylesheet]").href;
            return Boolean(await known.match(file)) && Boolean(await known.match(sheet));
        }""",  # noqa: E501
    )


def test_stored_pages_belong_to_one_reader(window: Callable[..., Any]) -> None:
    campaign = create_demonstration()
    home = f"/c/{campaign.address}/"
    page = window("Benedetto", home)
    page.goto(home + "talk/")
    count = "caches.open('tabula-pages').then(all => all.keys()).then(keys => keys.length)"
    page.wait_for_function(f"{count}.then(n => n > 0)")
    page.evaluate(
        "localStorage.setItem('tabula-waiting', JSON.stringify([{id: 'a', reader: 'another', given:"
        " [], at: 0}]))"
    )
    page.goto("/me/")
    assert page.evaluate("localStorage.getItem('tabula-waiting')") is None
    page.context.clear_cookies()
    page.goto("/")
    page.wait_for_function(f"{count}.then(n => n === 0)")
    page.goto(home)
    assert page.evaluate(count) == 0, "a stranger's page is not kept"
    page.context.set_offline(True)
    page.goto(home + "talk/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert "Benedetto" not in page.content()


def test_a_push_is_shown_in_place_of_the_one_before(
    window: Callable[..., Any], live_server: Any
) -> None:
    home = f"/c/{create_demonstration().address}/"
    page = window("Benedetto", home)
    page.context.grant_permissions(["notifications"], origin=live_server.url)
    session, known = page.context.new_cdp_session(page), []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda result: known.extend(result["registrations"]),
    )
    session.send("ServiceWorker.enable")
    wait_until(page, lambda: known)
    number = known[-1]["registrationId"]
    for title in ("It is your turn, Romans", "Battle #6 has been decided"):
        buttons = [["Accept", f"{home}n/romans/"], ["Look", f"{home}b/6/"]]
        news = {
            "title": title,
            "body": "The Long Frontier",
            "tag": "abcdefgh",
            "url": home,
            "buttons": buttons,
        }
        push = {"origin": live_server.url, "registrationId": number, "data": json.dumps(news)}
        session.send("ServiceWorker.deliverPushMessage", push)
        there = f"{SHOWN}.then(all => all.some(one => one.title === {json.dumps(title)}))"
        wait_until(page, there)
    assert page.evaluate(
        f"{SHOWN}.then(all => all.map(one => [one.title, one.body, one.tag, one.silent]))"
    ) == [["Battle #6 has been decided", "The Long Frontier", "abcdefgh", True]]
    assert page.evaluate(f"{SHOWN}.then(all => all[0].actions.map(one => one.title))") == [
        "Accept",
        "Look",
    ]
    (worker,) = page.context.service_workers
    for pressed, path in (("1", f"{home}b/6/"), ("0", f"{home}n/romans/"), ("", home)):
        worker.evaluate(PRESS, pressed)
        page.wait_for_url(f"**{path}")
        session.send("ServiceWorker.deliverPushMessage", push)
        wait_until(page, f"{SHOWN}.then(all => all.length === 1)")
