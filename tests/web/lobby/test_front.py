"""The first page and the headers of every answer."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_first_page_for_anonymous_readers(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "Keep the campaign here" in page
    assert 'href="/sign-in/"' in page
    assert "/sign-up/" in page
    assert "Demonstration" not in page
    assert "Times in UTC" in page


def test_the_first_page_for_users(client: Client, person: Callable[..., Any]) -> None:
    client.force_login(person("O'Brien", time_zone="Europe/Rome"))
    page = client.get("/").content.decode()
    assert "O&#x27;Brien" in page
    assert "Sign out" in page
    assert "/sign-up/" not in page
    assert "Times in Europe/Rome" in page


@pytest.mark.parametrize("address", ["/", "/sign-in/", "/nowhere/", "/admin/login/"])
def test_every_answer_has_a_content_security_policy(client: Client, address: str) -> None:
    headers = client.get(address).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"


def test_no_page_has_an_inline_script(client: Client) -> None:
    page = client.get("/").content.decode()
    assert page.count("<script") == page.count("<script src=") == 3
    assert " onclick" not in page
