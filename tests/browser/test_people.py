"""Sign-in by a code, the second factor, the theme, and a lost connection, in the browser."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from tests.browser.steady import wait_until
from tests.people.test_codes import totp

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def last_code() -> str:
    return str(re.findall(r"^[A-Z0-9-]{6,12}$", mail.outbox[-1].body, re.MULTILINE)[0])


def test_in_by_a_code_and_a_second_factor_from_then_on(new_page: Any, person: Any) -> None:
    ingrid = person("Ingrid")
    EmailAddress.objects.create(user=ingrid, email=ingrid.email, primary=True, verified=True)
    page = new_page(width=390)
    page.goto("/sign-in/?next=/me/")
    page.get_by_role("link", name="Send me a code instead").click()
    page.get_by_label("E-mail or name").fill("ingrid")
    page.get_by_role("button", name="Send the code").click()
    page.get_by_label("Code").wait_for()  # the letter has been written by then
    page.get_by_label("Code").fill(last_code())
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Ingrid").wait_for()

    page.get_by_role("link", name="Second factor").click()
    page.get_by_role(
        "link", name="Switch it on"
    ).click()  # they have just signed in and are not asked again
    picture = page.get_by_alt_text("QR code of the secret below")
    picture.wait_for()
    wait_until(page, lambda: picture.evaluate("image => image.complete && image.naturalWidth > 0"))
    secret = page.get_by_label("Or type this secret into the app").input_value()
    page.get_by_label("Authenticator code").fill(totp(secret))
    page.get_by_role("button", name="Switch it on").click()
    codes = page.locator("#codes").inner_text().split()
    assert len(codes) == 10
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    other = new_page(java_script_enabled=False)
    other.goto("/sign-in/?next=/me/")
    other.get_by_label("E-mail or name").fill("Ingrid")
    other.get_by_label("Password").fill("correct horse battery")
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.get_by_label("Code").fill(codes[3])
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.get_by_role("heading", name="Ingrid").wait_for()


def test_the_theme_is_kept_and_needs_no_script(new_page: Any, person: Any) -> None:
    person("Ingrid")
    page = new_page(java_script_enabled=False, color_scheme="light")
    page.goto("/sign-in/?next=/me/")
    page.get_by_label("E-mail or name").fill("Ingrid")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Save").wait_for()
    page.wait_for_load_state()
    light = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    page.get_by_label("Light and dark").select_option(label="Dark")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").first.wait_for()
    page.wait_for_load_state()
    dark = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert light != dark


def test_without_a_connection_typed_text_stays(new_page: Any) -> None:
    page = new_page()
    page.goto("/sign-up/")
    page.get_by_label("Name", exact=True).fill("Marozia")
    page.get_by_label("E-mail").fill("marozia@example.org")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_label("Repeat the password").fill("correct horse battery")
    page.context.set_offline(True)
    page.get_by_text("You are offline, so nothing was sent").first.wait_for()
    page.evaluate("document.querySelector('[data-failed]').dataset.failed = 'before'")
    page.get_by_role("button", name="Create account").click()
    page.locator("[data-failed='']", has_text="You are offline, so nothing was sent").wait_for()
    assert page.url.endswith("/sign-up/")
    assert page.get_by_label("Name", exact=True).input_value() == "Marozia"
    page.context.set_offline(False)
    page.get_by_text("You are offline").wait_for(state="detached")
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name="Marozia").wait_for()
