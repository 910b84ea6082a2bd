"""Signing in as a demonstration user by a click.

Only with TABULA_DEMO, by POST, from this machine.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, override_settings

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db


def who(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


@override_settings(TABULA_DEMO=True)
def test_a_click_signs_in_as_a_demonstration_user(client: Client, person: Person) -> None:
    marozia, owen = person("Marozia", demo=True), person("Owen", demo=True)
    person("Ingrid")
    page = client.get("/").content.decode()
    assert "Marozia" in page
    assert "Ingrid" not in page
    assert client.post(f"/demonstration/{marozia.pk}/").headers["Location"] == "/"
    assert who(client) == str(marozia.pk)
    assert client.post(f"/demonstration/{owen.pk}/", {"next": "/me/"}).headers["Location"] == "/me/"
    assert who(client) == str(owen.pk)


@override_settings(TABULA_DEMO=True)
@pytest.mark.parametrize(
    "onward", ["https://else.example/", "//else.example/", "javascript:alert(1)", "/\\else.example"]
)
def test_the_click_redirects_only_within_the_site(
    client: Client, person: Person, onward: str
) -> None:
    pk = person("Marozia", demo=True).pk
    assert client.post(f"/demonstration/{pk}/", {"next": onward}).headers["Location"] == "/"


@override_settings(TABULA_DEMO=True)
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"demo": True, "is_active": False},
        {"demo": True, "is_staff": True},
        {"demo": True, "is_superuser": True},
    ],
)
def test_a_click_signs_in_as_no_other_user(
    client: Client, person: Person, fields: dict[str, bool]
) -> None:
    assert client.post(f"/demonstration/{person('Ingrid', **fields).pk}/").status_code == 404
    assert who(client) is None


@override_settings(TABULA_DEMO=True)
def test_demonstration_sign_in_needs_post_from_this_machine(client: Client, person: Person) -> None:
    pk = person("Marozia", demo=True).pk
    assert client.get(f"/demonstration/{pk}/").status_code == 405
    for address in ("192.0.2.7", "", "10.0.0.1"):
        assert client.post(f"/demonstration/{pk}/", REMOTE_ADDR=address).status_code == 404
    assert Client(enforce_csrf_checks=True).post(f"/demonstration/{pk}/").status_code == 403
    assert who(client) is None


def test_without_the_setting_there_is_no_demonstration_sign_in(
    client: Client, person: Person
) -> None:
    pk = person("Marozia", demo=True).pk
    assert client.post(f"/demonstration/{pk}/").status_code == 404
    assert who(client) is None
    assert "Demonstration" not in client.get("/").content.decode()


@override_settings(TABULA_DEMO=True)
def test_a_demonstration_user_sees_that_they_have_no_password(
    client: Client, person: Person
) -> None:
    marozia = person("Marozia", demo=True)
    marozia.set_unusable_password()
    marozia.save()
    client.post(f"/demonstration/{marozia.pk}/")
    answer = client.get("/me/password/")
    assert answer.status_code == 403
    assert "no password to change" in answer.content.decode()
