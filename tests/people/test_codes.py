"""Sign-in by code, confirmed and changed addresses, and the second factor, through the pages."""

import re
import time
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client

from tests.conftest import PASSWORD
from tests.people.test_sign_in import FORM, TOO_MANY, is_signed_in
from tests.web.contests import visible_text

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db


def totp(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))


def link_in_letter(body: str) -> str:
    match = re.search(r"http://127\.0\.0\.1:8000(/\S+)", body)
    assert match
    return match[1]


def sign_in_by_password(client: Client, login: str = "Ingrid") -> Any:
    return client.post("/sign-in/", {"login": login, "password": PASSWORD})


def type_password_again(client: Client) -> None:
    """Type the password again, which changes of the ways to sign in require."""
    client.post("/me/again/", {"password": PASSWORD})


@pytest.mark.parametrize("login", ["Ingrid", "ingrid", "INGRID@example.org"])
def test_a_code_by_mail_signs_in_and_confirms_the_address(
    client: Client, person: Person, login: str
) -> None:
    ingrid = person("Ingrid")
    EmailAddress.objects.create(user=ingrid, email=ingrid.email, primary=True, verified=False)
    assert "Send me a code instead" in client.get("/sign-in/?next=/me/").content.decode()
    page = client.post(
        "/sign-in/code/", {"email": login, "next": "/me/"}, follow=True
    ).content.decode()
    assert "Enter the code" in page
    assert "ingrid@example.org" not in page
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["ingrid@example.org"], "Your code for Tabula")
    match = re.search(r"^\s*([A-Z0-9-]{6,12})\s*$", letter.body, re.MULTILINE)
    assert match
    assert (
        "This is not the right code"
        in client.post("/sign-in/code/type/", {"code": "WRONG1"}).content.decode()
    )
    assert (
        client.post("/sign-in/code/type/", {"code": match[1], "next": "/me/"}).headers["Location"]
        == "/me/"
    )
    assert is_signed_in(client) == "Ingrid"
    assert EmailAddress.objects.get().verified


def test_unknown_users_and_users_without_address_get_the_same_answer_and_no_code(
    person: Person,
) -> None:
    person("Owen", email="")
    person("Closed", is_active=False)
    pages = []
    for login in ("Nobody", "nobody@example.org", "Owen", "Closed", "a\u202eb"):
        page = Client().post("/sign-in/code/", {"email": login}, follow=True).content.decode()
        pages.append(re.sub(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")\w+', "", page))
    assert len(set(pages[:4])) == 1
    assert "Enter the code" in pages[0]
    assert "cannot be displayed" in pages[4]
    assert mail.outbox == []


def test_three_wrong_codes_end_it(client: Client, person: Person) -> None:
    person("Ingrid")
    client.post("/sign-in/code/", {"email": "Ingrid"})
    for _ in range(2):
        assert client.post("/sign-in/code/type/", {"code": "WRONG1"}).status_code == 200
    answer = client.post("/sign-in/code/type/", {"code": "WRONG1"}, follow=True)
    assert "Too many attempts" in visible_text(answer)
    assert client.get("/sign-in/code/type/").headers["Location"] == "/sign-in/code/"


def test_another_code_takes_the_place_of_the_first(client: Client, person: Person) -> None:
    person("Ingrid")
    client.post("/sign-in/code/", {"email": "Ingrid"})
    client.post("/sign-in/code/type/", {"action": "resend"})
    first, second = (
        re.findall(r"^[A-Z0-9-]{6,12}$", letter.body, re.MULTILINE)[0] for letter in mail.outbox
    )
    assert client.post("/sign-in/code/type/", {"code": first}).status_code == 200
    client.post("/sign-in/code/type/", {"code": second})
    assert is_signed_in(client) == "Ingrid"


def test_a_code_is_worth_nothing_after_a_quarter_of_an_hour(
    client: Client, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    person("Ingrid")
    client.post("/sign-in/code/", {"email": "Ingrid"})
    code = re.findall(r"^[A-Z0-9-]{6,12}$", mail.outbox[0].body, re.MULTILINE)[0]
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 15 * 60 + 1)
    client.post("/sign-in/code/type/", {"code": code})
    assert is_signed_in(client) is None


def test_sign_up_sends_a_link_that_a_press_confirms(client: Client) -> None:
    client.post("/sign-up/", FORM)
    (letter,) = mail.outbox
    assert letter.subject == "Confirm your address at Tabula"
    assert "Marozia entered this address" in letter.body
    assert "not confirmed" in client.get("/me/").content.decode()
    page = client.get(link_in_letter(letter.body)).content.decode()
    assert "marozia@example.org" in page
    assert not EmailAddress.objects.get().verified  # looking changes nothing
    assert client.post(link_in_letter(letter.body)).headers["Location"] == "/me/"
    assert EmailAddress.objects.get().verified
    assert "not confirmed" not in client.get("/me/").content.decode()
    assert "This link has already been used" in client.get("/me/email/nonsense/").content.decode()


def test_the_address_changes_when_the_new_one_is_confirmed(client: Client, person: Person) -> None:
    person("Owen", email="owen@example.org")
    ingrid = person("Ingrid")
    EmailAddress.objects.create(user=ingrid, email=ingrid.email, primary=True, verified=True)
    sign_in_by_password(client)
    type_password_again(client)
    for taken in ("OWEN@example.org", "ingrid@example.org", "no address"):
        assert (
            "field__error"
            in client.post("/me/email/", {"email": taken, "action_add": "1"}).content.decode()
        )
    client.post("/me/email/", {"email": "new@example.org", "action_add": "1"})
    ingrid.refresh_from_db()
    assert ingrid.email == "ingrid@example.org"
    (letter,) = mail.outbox
    assert letter.to == ["new@example.org"]
    client.post(link_in_letter(letter.body))
    ingrid.refresh_from_db()
    assert (ingrid.email, ingrid.email_folded) == ("new@example.org", "new@example.org")
    assert mail.outbox[-1].to == ["ingrid@example.org"]
    assert "to new@example.org" in mail.outbox[-1].body


def test_an_open_browser_is_not_enough_to_take_the_account(client: Client, person: Person) -> None:
    client.force_login(person("Ingrid"))
    for address in ("/me/email/", "/me/second-factor/on/"):
        assert client.get(address).headers["Location"].startswith("/me/again/?next=%2Fme%2F")
    assert (
        "This is not your password"
        in client.post("/me/again/", {"password": "wrong"}).content.decode()
    )
    assert (
        client.post(
            "/me/again/?next=/me/email/", {"password": PASSWORD, "next": "/me/email/"}
        ).status_code
        == 302
    )
    assert client.get("/me/email/").status_code == 200


@pytest.mark.django_db(transaction=True)  # a letter is sent on commit
def test_the_second_factor_from_on_to_off(client: Client, person: Person) -> None:
    ingrid = person("Ingrid")
    EmailAddress.objects.create(user=ingrid, email=ingrid.email, primary=True, verified=True)
    sign_in_by_password(client)
    type_password_again(client)
    assert "It is off" in client.get("/me/second-factor/").content.decode()
    page = client.get("/me/second-factor/on/").content.decode()
    assert 'src="data:image/svg+xml;base64,' in page
    secret = re.findall(r'id="secret" value="(\w+)"', page)[0]
    assert (
        "This is not the right code"
        in client.post("/me/second-factor/on/", {"code": "000000"}).content.decode()
    )
    answer = client.post("/me/second-factor/on/", {"code": totp(secret)}, follow=True)
    codes = re.findall(
        r"^(\d{8})$",
        unescape(answer.content.decode()).replace('<pre class="code" id="codes">', "\n"),
        re.MULTILINE,
    )
    assert len(codes) == 10
    assert mail.outbox[-1].subject == "Second factor switched on at Tabula"
    # Neither the secret nor the seed of the codes stands in the database as it is.
    assert all(
        secret not in str(data) for data in Authenticator.objects.values_list("data", flat=True)
    )
    assert client.get("/me/second-factor/codes/file/").content.decode().split() == codes

    other = Client()
    assert sign_in_by_password(other).headers["Location"] == "/sign-in/second/"
    assert is_signed_in(other) is None
    assert (
        "This is not the right code"
        in other.post("/sign-in/second/", {"code": "000000"}).content.decode()
    )
    other.post("/sign-in/second/", {"code": codes[0]})
    assert is_signed_in(other) == "Ingrid"
    third = Client()
    sign_in_by_password(third)
    third.post("/sign-in/second/", {"code": codes[0]})
    assert is_signed_in(third) is None  # a recovery code works once

    assert "Codes left: 9." in client.get("/me/second-factor/").content.decode()
    client.post("/me/second-factor/codes/new/")
    assert mail.outbox[-1].subject == "New recovery codes at Tabula"
    assert codes[1] not in client.get("/me/second-factor/codes/").content.decode()
    client.post("/me/second-factor/off/")
    assert not Authenticator.objects.filter(user=ingrid).exists()
    assert sign_in_by_password(Client()).headers["Location"] == "/"


def test_the_second_factor_waits_for_the_address(client: Client, person: Person) -> None:
    """Otherwise a stranger could register another's address and lock them out for good."""
    client.post("/sign-up/", FORM)
    type_password_again(client)
    answer = client.get("/me/second-factor/on/", follow=True)
    assert "Confirm your e-mail address first" in answer.content.decode()
    assert not Authenticator.objects.exists()


def test_guessing_the_second_factor_ends(client: Client, person: Person) -> None:
    person("Ingrid")
    sign_in_by_password(client)
    type_password_again(client)
    secret = re.findall(
        r'id="secret" value="(\w+)"', client.get("/me/second-factor/on/").content.decode()
    )[0]
    client.post("/me/second-factor/on/", {"code": totp(secret)})
    other = Client()
    sign_in_by_password(other)
    pages = [visible_text(other.post("/sign-in/second/", {"code": "000000"})) for _ in range(10)]
    assert all("This is not the right code" in page for page in pages)
    # Another browser at another address: tries count for the person.
    elsewhere = Client(REMOTE_ADDR="198.51.100.7")
    sign_in_by_password(elsewhere)
    right = {"code": totp(secret)}
    assert TOO_MANY in visible_text(elsewhere.post("/sign-in/second/", right))
    assert TOO_MANY in visible_text(other.post("/sign-in/second/", right))
    assert is_signed_in(elsewhere) is None


@pytest.mark.parametrize(
    "address",
    [
        "/me/",
        "/me/password/",
        "/me/email/",
        "/me/again/",
        "/me/again/code/",
        "/me/second-factor/",
        "/me/second-factor/on/",
        "/me/second-factor/off/",
        "/me/second-factor/codes/",
        "/me/second-factor/codes/new/",
        "/me/second-factor/codes/file/",
    ],
)
def test_an_account_is_for_its_owner(client: Client, person: Person, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(("/sign-in/", "/me/again/"))
    assert "Sign in" in client.get(address, follow=True).content.decode()


@pytest.mark.parametrize("address", ["/sign-in/second/", "/sign-in/code/type/"])
def test_no_step_of_a_sign_in_stands_alone(client: Client, person: Person, address: str) -> None:
    assert client.get(address).headers["Location"] in ("/sign-in/", "/sign-in/code/")
    client.force_login(person("Ingrid"))
    assert client.get(address).headers["Location"] == "/"


def test_a_demonstration_user_has_nothing_to_secure(client: Client) -> None:
    user = get_user_model().objects.create(username="Demo", demo=True)
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    assert "Second factor" not in client.get("/me/").content.decode()
    assert client.get("/me/email/", follow=True).status_code == 403
