"""Pages to which letters link, and the second factor, checked by axe-core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress, get_emailconfirmation_model
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail

from notices.channels import mail as letters
from notices.channels import services
from people.models import User
from tests.browser.axe import PageChecker, page_checker
from tests.browser.test_passkeys import Device
from tests.conftest import PASSWORD
from tests.people.elsewhere import Sites
from tests.people.test_codes import totp
from tests.people.test_elsewhere import OFFERED

__all__ = ["page_checker"]

pytestmark = [pytest.mark.browser, pytest.mark.nightly, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def newcomer(person: Callable[..., Any]) -> Any:
    created = person("Fresh")
    EmailAddress.objects.create(user=created, email=created.email, primary=True, verified=False)
    return created


def sign_in(page: Any, onward: str) -> Any:
    page.goto(f"/sign-in/?next={onward}")
    page.get_by_label("E-mail or name").fill("Fresh")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    return page


def test_pages_to_which_letters_link(
    page_checker: PageChecker, newcomer: User, settings: Any, live_server: Any
) -> None:
    settings.SITE_URL = live_server.url
    page = page_checker.new_page()
    page.goto("/sign-in/code/")
    page.get_by_label("E-mail or name").fill("Fresh")
    page.get_by_role("button", name="Send the code").click()
    page.get_by_label("Code").wait_for()
    page_checker.check(page, "a code to type")
    page.goto("/password/")
    page.get_by_label("E-mail").fill(newcomer.email)
    page.locator("main form button").click()
    page.wait_for_url("**/password/sent/")
    page.goto(next(word for word in mail.outbox[-1].body.split() if "/password/key/" in word))
    page.locator("[name=password1]").fill("12345678")
    page.locator("[name=password2]").fill("12345679")
    page_checker.check(page, "a new password")
    page.locator("main form button").click()
    page.locator("[aria-invalid=true]").first.wait_for()
    page_checker.check(page, "a new password refused")
    page.goto("/password/key/1-nothing/")
    page.get_by_text("This link has already been used").first.wait_for()
    page_checker.check(page, "a link that was used")
    page_checker.visit("", "/me/email/nothing/")
    end = f"/unsubscribe/{letters.unsubscribe_token(services.email_channel(newcomer))}/"
    page_checker.visit("", end)
    page.goto(end)
    page.get_by_role("button", name="Stop all e-mails").click()
    page_checker.check_page_with_text(page, "We will not send you any more e-mails.")
    key = get_emailconfirmation_model().create(EmailAddress.objects.get(user=newcomer)).key
    page = page_checker.visit("", f"/me/email/{key}/")
    with page.expect_navigation():
        page.get_by_role("button", name="Confirm").click()
    assert EmailAddress.objects.get(user=newcomer).verified
    page_checker.check(page, "confirmed")


def test_the_second_factor(page_checker: PageChecker, newcomer: User) -> None:
    EmailAddress.objects.filter(user=newcomer).update(verified=True)
    page = sign_in(page_checker.new_page(), "/me/second-factor/")
    page.get_by_role("link", name="Switch it on").wait_for()
    page_checker.check(page, "second factor")
    page.goto("/me/again/?next=/me/second-factor/on/")
    page_checker.check(page, "asked for the password again")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Authenticator code").fill("000000")
    page_checker.check(page, "switching on")
    page.get_by_role("button", name="Switch it on").click()
    page.locator("[aria-invalid=true]").wait_for()
    page_checker.check(page, "a wrong code")
    secret = generate_totp_secret()
    TOTP.activate(newcomer, secret)
    RecoveryCodes.activate(newcomer)
    for path in ("", "off/", "codes/", "codes/new/"):
        page.goto(f"/me/second-factor/{path}")
        assert page.url.endswith(f"/me/second-factor/{path}")
        page_checker.check(page, f"second factor {path} when on")
    other = sign_in(page_checker.new_page(), "/me/")
    other.get_by_label("Code").wait_for()
    assert "/sign-in/second/" in other.url
    page_checker.check(other, "signing in with a code")
    other.get_by_label("Code").fill(totp(secret))
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.get_by_role("heading", name="Fresh").wait_for()
    other.goto("/me/again/code/")
    assert other.url.endswith("/me/again/code/")
    page_checker.check(other, "asked for a code again")


def test_ways_to_sign_in(
    page_checker: PageChecker, newcomer: User, settings: Any, live_server: Any
) -> None:
    settings.SITE_URL = live_server.url
    settings.PASSKEY_HOST, settings.PASSKEY_ORIGINS = "localhost", [live_server.url]
    settings.SOCIALACCOUNT_PROVIDERS, settings.OUTSIDE_INSECURE = OFFERED, True
    sites = Sites()
    settings.DISCORD_SITE = settings.STEAM_SITE = settings.STEAM_API = sites.url
    page = page_checker.new_page()
    device = Device(page)
    page.goto("/sign-in/")
    page_checker.check(page, "sign in, many ways")
    page.goto("/sign-up/")
    page_checker.check(page, "sign up, many ways")
    page.get_by_role("button", name="Continue with Discord").click()
    page.get_by_role("heading", name="New account").wait_for()
    page_checker.check(page, "sign up by Discord")
    sign_in(page, "/me/ways/link/")
    page.get_by_role("heading", name="Link Discord?").wait_for()
    page_checker.check(page, "link Discord")
    page.get_by_role("button", name="Link account", exact=True).click()
    page.get_by_text("The account is linked").first.wait_for()
    page.goto("/me/ways/passkey/")
    page_checker.check(page, "a new passkey")
    page.get_by_label("Name of the device").fill(
        "The telephone with a long name that I had before this one"
    )
    page.get_by_role("button", name="Create the passkey").click()
    page.get_by_text("signs you in").first.wait_for()
    assert len(device.keys()) == 1
    page_checker.check(page, "ways to sign in")
    page.goto(f"/me/ways/?remove=passkey-{Authenticator.objects.get().pk}")
    page_checker.check(page, "a way to remove")
    page.goto(f"/me/ways/?rename=passkey-{Authenticator.objects.get().pk}")
    page_checker.check(page, "a passkey to rename")
    for address, called in (("passkey", "again by passkey"), ("mail", "again by mail")):
        page.goto(f"/me/again/{address}/")
        page_checker.check(page, called)
    page.get_by_role("button", name="Send the code").click()
    page.get_by_label("Code").wait_for()
    page_checker.check(page, "again by mail, sent")
    page.goto("/sign-in/discord/?process=connect")
    page_checker.check(page, "on to Discord")
    sites.close()
    assert page_checker.faults == []
