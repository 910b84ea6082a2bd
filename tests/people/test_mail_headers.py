"""Headers of letters: no name, however long or strange, adds a header."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from people.models import User
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db

LONG = "Ünïcødé-Große Kaiserin Ἄννα Κομνηνή 安娜 Прокопий von Trier"
FORM = {
    "username": "Ingrid",
    "email": "ingrid@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "time_zone": "UTC",
}


def test_a_letter_to_a_long_name_in_many_scripts(
    client: Client, person: Callable[..., Any]
) -> None:
    person(LONG, email="anna@example.org")
    client.post("/sign-in/code/", {"email": LONG})
    (letter,) = mail.outbox
    headers = letter.message()
    assert (headers["Subject"], headers["To"]) == ("Your code for Tabula", "anna@example.org")
    assert sorted(set(headers.keys())) == sorted(headers.keys()), "a header appears twice"
    head = headers.as_bytes().partition(b"\n\n")[0]
    assert head.isascii()
    assert max(map(len, head.splitlines())) <= 998


@pytest.mark.parametrize(
    "given",
    [
        {"username": "A\r\nBcc: b@example.org"},
        {"username": "A\nB"},
        {"email": "a@example.org\r\nBcc: b@example.org"},
    ],
)
def test_a_line_break_makes_no_account_and_no_letter(client: Client, given: dict[str, str]) -> None:
    assert client.post("/sign-up/", FORM | given).status_code == 200
    assert (User.objects.count(), mail.outbox) == (0, [])
    client.post("/sign-up/", FORM)
    assert User.objects.count() == 1
