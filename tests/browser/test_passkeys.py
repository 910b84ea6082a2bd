"""Passkeys with Chromium's virtual authenticator.

Creation, sign-in, a second device, a lost one.
"""

from __future__ import annotations

import re
from threading import Event
from time import sleep
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from playwright.sync_api import expect

from config.middleware import Sessions
from tests.browser.test_people import last_code
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BUILT_IN = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(autouse=True)
def _here(settings: Any, live_server: Any) -> None:
    settings.SITE_URL = live_server.url
    settings.PASSKEY_HOST = "localhost"
    settings.PASSKEY_ORIGINS = [live_server.url]


class Device:
    """A window of a device that stores passkeys.

    With `proposes` it accepts what a field proposes at once.
    """

    def __init__(self, page: Any, proposes: bool = False, **more: Any) -> None:
        self.page = page
        if not proposes:
            page.add_init_script(
                "PublicKeyCredential.isConditionalMediationAvailable = async () => false"
            )
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.send("WebAuthn.enable", {"enableUI": False})
        self.id = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": BUILT_IN | more})[
            "authenticatorId"
        ]

    def keys(self) -> list[Any]:
        return list(
            self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]
        )

    def touched(self, yes: bool) -> None:
        """Set whether the user touches the device when it asks."""
        self.cdp.send(
            "WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": self.id, "enabled": yes}
        )

    def verified(self, yes: bool) -> None:
        """Set whether finger, face or number are right from now on."""
        self.cdp.send(
            "WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": yes}
        )


def by_password(page: Any) -> None:
    page.goto("/sign-in/?next=/me/ways/")
    page.get_by_label("E-mail or name").fill("Ingrid")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Ways to sign in", exact=True).wait_for()


def add(page: Any, name: str) -> None:
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name of the device").fill(name)
    page.get_by_role("button", name="Create the passkey").click()
    page.get_by_text(f"From now on you can sign in with “{name}”.").first.wait_for()


def test_a_key_a_second_device_and_a_lost_one(new_page: Any, person: Any) -> None:
    ingrid = person("Ingrid")
    EmailAddress.objects.create(user=ingrid, email=ingrid.email, primary=True, verified=True)
    phone = Device(new_page(width=390))
    by_password(phone.page)
    add(phone.page, "The old phone")
    assert len(phone.keys()) == 1
    assert mail.outbox[-1].subject == "A way to sign in has been added at Tabula"
    assert "the passkey “The old phone”" in mail.outbox[-1].body
    phone.page.get_by_role("link", name="Add a passkey").click()
    phone.page.get_by_role("button", name="Create the passkey").click()
    phone.page.get_by_text("This device already has a passkey for your account.").first.wait_for()

    # Sign in again without typing.
    phone.page.context.clear_cookies()
    phone.page.goto("/sign-in/?next=/me/ways/")
    phone.page.get_by_role("button", name="Sign in with a passkey").click()
    phone.page.get_by_role("heading", name="Ways to sign in", exact=True).wait_for()
    assert Authenticator.objects.get().last_used_at is not None

    # A second device. The phone is lost: its key is removed, and it is signed out.
    other = Device(new_page())
    by_password(other.page)
    add(other.page, "The laptop")
    expect(
        other.page.locator("li", has_text="The old phone").get_by_text("last used")
    ).to_be_visible()
    other.page.get_by_role("link", name="Remove… the passkey “The old phone”").click()
    other.page.get_by_role("button", name="Remove", exact=True).click()
    other.page.get_by_text("Removed: the passkey “The old phone”").first.wait_for()
    assert mail.outbox[-1].subject == "A way to sign in has been removed at Tabula"
    phone.page.goto("/me/")
    phone.page.get_by_role("heading", name="Sign in").wait_for()
    phone.page.get_by_role("button", name="Sign in with a passkey").click()
    phone.page.get_by_text("No account here has this passkey").first.wait_for()


def test_a_user_who_has_lost_the_only_device_signs_in_by_mail(new_page: Any, person: Any) -> None:
    """The account has no password.

    Sign up with a passkey, lose it, sign in by a code, remove it, add a new one.
    """
    page = new_page(width=390)
    lost = Device(page)
    page.goto("/sign-up/?next=/me/")
    page.get_by_label("Name", exact=True).fill("Marozia")
    page.get_by_label("E-mail").fill("marozia@example.org")
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("heading", name="One last step: your passkey").wait_for()
    page.get_by_role("button", name="Create the passkey").click()
    page.get_by_role("heading", name="Marozia").wait_for()
    assert len(lost.keys()) == 1
    page.goto(next(word for word in mail.outbox[0].body.split() if "/me/email/" in word))
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("has been confirmed").first.wait_for()

    new = Device(new_page(width=390))
    new.page.goto("/sign-in/code/?next=/me/ways/")
    new.page.get_by_label("E-mail or name").fill("marozia")
    new.page.get_by_role("button", name="Send the code").click()
    new.page.get_by_label("Code").wait_for()
    new.page.get_by_label("Code").fill(last_code())
    new.page.get_by_role("button", name="Sign in", exact=True).click()
    new.page.get_by_role("heading", name="Ways to sign in", exact=True).wait_for()
    new.page.get_by_role("link", name="Remove… the passkey").click()
    new.page.get_by_role("button", name="Remove", exact=True).click()
    new.page.get_by_text("Removed: the passkey").first.wait_for()
    add(new.page, "The new phone")
    new.page.context.clear_cookies()
    new.page.goto("/sign-in/?next=/me/")
    new.page.get_by_role("button", name="Sign in with a passkey").click()
    new.page.get_by_role("heading", name="Marozia").wait_for()
    assert new.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_errors_are_shown(new_page: Any, person: Any, settings: Any) -> None:
    person("Ingrid")
    device = Device(new_page())
    page = device.page
    by_password(page)
    add(page, "Laptop")
    page.context.clear_cookies()
    page.goto("/sign-in/")
    device.verified(False)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("Nothing was done: you cancelled, or it took too long.").first.wait_for()
    # A browser without passkeys, and one at another name of the site.
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto("/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("This browser does not support passkeys.").first.wait_for()
    settings.PASSKEY_ORIGINS = ["https://tabula.example"]
    page.goto("/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("Passkeys for this site work only at https://tabula.example.").first.wait_for()


def test_the_field_proposes_a_key(new_page: Any, person: Any) -> None:
    """If the browser can, the field for the name proposes a passkey without a press."""
    person("Ingrid")
    device = Device(new_page(), proposes=True)
    by_password(device.page)
    add(device.page, "Laptop")
    device.page.context.clear_cookies()
    device.page.goto("/sign-in/?next=/me/")
    device.page.get_by_role("heading", name=re.compile("Ingrid")).wait_for()
    # The user ignores the proposal and presses the button, which asks again.
    device.page.context.clear_cookies()
    device.touched(False)
    with device.page.expect_response("**/sign-in/passkey/"):
        device.page.goto("/sign-in/?next=/me/")
    device.touched(True)
    device.page.get_by_role("button", name="Sign in with a passkey").click()
    device.page.get_by_role("heading", name=re.compile("Ingrid")).wait_for()


def test_a_late_proposal_signs_no_one_out(
    new_page: Any, person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign-in by password leaves a request open that began its own session.

    Its answer comes before the next page.
    """
    person("Ingrid")
    signed_in, answered = Event(), Event()
    begin, end = Sessions.process_request, Sessions.process_response

    def process_request(self: Sessions, request: Any) -> None:
        if request.path == "/me/ways/" and not signed_in.is_set():
            signed_in.set()
            answered.wait(20)
            sleep(0.5)  # the answer's way to the browser
        begin(self, request)

    def process_response(self: Sessions, request: Any, response: Any) -> Any:
        if request.path == "/sign-in/passkey/":
            signed_in.wait(20)
            answered.set()
        return end(self, request, response)

    monkeypatch.setattr(Sessions, "process_request", process_request)
    monkeypatch.setattr(Sessions, "process_response", process_response)
    device = Device(new_page(), proposes=True)
    with device.page.expect_request("**/sign-in/passkey/"):
        device.page.goto("/sign-in/?next=/me/ways/")
    device.page.get_by_label("E-mail or name").fill("Ingrid")
    device.page.get_by_label("Password").fill(PASSWORD)
    device.page.get_by_role("button", name="Sign in", exact=True).click()
    device.page.get_by_role("heading", name="Ways to sign in", exact=True).wait_for()
    assert answered.is_set()
    device.page.goto("/me/ways/")
    device.page.get_by_role("link", name="Add a passkey").wait_for()
