"""Sign-up in a browser: fonts, scripts and security policy work together."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.steady import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_user_signs_up_and_out(new_page: Any, width: int) -> None:
    page = new_page(width=width, timezone_id="Europe/Rome")
    page.goto("/")
    wait_until(
        page,
        "[...document.fonts].some(one => one.family.includes('Source Sans 3') && one.status ==="
        " 'loaded')",
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="Create an account").click()
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Rome")
    page.get_by_label("Name", exact=True).fill("Marozia")
    page.get_by_label("E-mail").fill("marozia@example.org")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_label("Repeat the password").fill("correct horse battery")
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name="Marozia").wait_for()
    page.get_by_role("link", name="Marozia").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").first.wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()


def test_every_action_works_without_javascript(new_page: Any, person: Any) -> None:
    person("Ingrid")
    page = new_page(java_script_enabled=False)
    page.goto("/sign-in/?next=/me/")
    page.get_by_label("E-mail or name").fill("ingrid")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Ingrid").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Create an account").wait_for()
