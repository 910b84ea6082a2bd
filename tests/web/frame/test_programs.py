"""The page where somebody makes and revokes the tokens of their programs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from people import services, tokens
from people.models import Token
from tests.conftest import confirm, sign_in_lately

pytestmark = pytest.mark.django_db
MAKE = {"do": "make", "name": "My <bot>", "scope": "read", "days": "90"}
PAGE = "/me/programs/"


@pytest.fixture
def rosa(person: Any) -> Any:
    created = person("Rosa")
    EmailAddress.objects.create(user=created, email=created.email, verified=True, primary=True)
    return created


@pytest.fixture
def window(rosa: Any) -> Client:
    return sign_in_lately(Client(), rosa)


def shown(page: Any) -> list[str]:
    return re.findall(r"tab_[\w-]{43}", page.content.decode())


def test_one_that_is_made_is_shown_once_and_works(
    window: Client, rosa: Any, django_assert_max_num_queries: Any
) -> None:
    assert "No program of yours has a token." in window.get(PAGE).content.decode()
    assert window.post(PAGE, MAKE).status_code == 302
    assert Token.objects.get().secret_hash not in str(dict(window.session))
    assert not re.search(r"tab_[\w-]{43}", str(dict(window.session)))
    first = window.get(PAGE)
    secret = shown(first)[0]
    assert "My &lt;bot&gt;" in first.content.decode()
    result = tokens.by_secret(secret, timezone.now())
    assert result is not None
    assert (result.user, result.scope, result.name) == (rosa, "read", "My <bot>")
    assert (result.ends_at - result.made_at).days == 90  # type: ignore[operator]
    with django_assert_max_num_queries(6):
        again = window.get(PAGE)
    assert shown(again) == []
    assert "My &lt;bot&gt;" in again.content.decode()
    assert not mail.outbox


def test_its_scopes_in_italian(window: Client) -> None:
    page = window.get(PAGE, headers={"accept-language": "it"}).content.decode()
    assert re.findall(r'name="scope".*?<strong>([^<]+)</strong>', page, re.DOTALL) == [
        "Leggere",
        "Leggere e giocare",
    ]


def test_pressed_twice_one_is_made(window: Client) -> None:
    for _ in range(2):
        assert window.post(PAGE, MAKE).status_code == 302
    assert Token.objects.count() == 1
    assert len(shown(window.get(PAGE))) == 1


def test_one_that_plays_is_told_by_letter(window: Client) -> None:
    window.post(PAGE, {**MAKE, "scope": "play", "days": ""})
    (letter,) = mail.outbox
    assert letter.to == ["rosa@example.org"]
    assert "My <bot>" in letter.body
    assert Token.objects.get().ends_at is None
    assert not shown(type("Letter", (), {"content": letter.body.encode()}))


def test_it_is_revoked_when_one_has_said_yes(window: Client, rosa: Any) -> None:
    kept, secret = tokens.make(confirm(rosa), "kept", "read", timezone.now())
    gone, other = tokens.make(confirm(rosa), "gone", "read", timezone.now())
    asks = window.get(PAGE, {"revoke": str(gone.pk)}).content.decode()
    assert "Revoke it?" in asks
    assert tokens.by_secret(other, timezone.now()) is not None
    assert window.post(PAGE, {"do": "revoke", "token": str(gone.pk)}).status_code == 302
    assert tokens.by_secret(other, timezone.now()) is None
    assert tokens.by_secret(secret, timezone.now()) is not None
    assert "Revoke all of them?" not in window.get(PAGE).content.decode()
    assert window.post(PAGE, {"do": "revoke", "token": "all"}).status_code == 302
    assert tokens.by_secret(secret, timezone.now()) is None
    assert kept.pk != gone.pk


def test_anothers_is_not_revoked(window: Client, person: Any) -> None:
    created, secret = tokens.make(confirm(person("Ida")), "hers", "read", timezone.now())
    for content in (str(created.pk), "", "x", "9" * 30):
        assert window.post(PAGE, {"do": "revoke", "token": content}).status_code == 404
    assert "hers" not in window.get(PAGE, {"revoke": str(created.pk)}).content.decode()
    assert tokens.by_secret(secret, timezone.now()) is not None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"name": ""}, "Write what the token is for"),
        ({"name": "a\u202eb"}, "cannot be shown"),
        ({"scope": "write"}, "Choose what the program may do."),
        ({"days": "31"}, "Choose how long the token lives."),
        ({"days": "x"}, "Choose how long the token lives."),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_may_be_sent_again(
    window: Client, content: dict[str, str], why: str
) -> None:
    for _ in range(2):
        page = window.post(PAGE, {**MAKE, **content})
        assert page.status_code == 422
        assert why in page.content.decode()
    assert not Token.objects.exists()


def test_too_many_an_hour_wait(window: Client) -> None:
    for number in range(20):
        window.post(PAGE, {**MAKE, "name": f"bot {number}"})
    assert window.post(PAGE, {**MAKE, "name": "one more"}).status_code == 429
    Token.objects.update(revoked_at=timezone.now())
    assert Token.objects.count() == 20


def test_guests_and_demonstration_users_have_none(person: Any) -> None:
    demo, guest = person("Demo", demo=True), services.make()
    for user in (demo, guest):
        window = Client()
        window.force_login(user)
        assert window.post(PAGE, MAKE).status_code == 200
        assert b'name="scope"' not in window.get(PAGE).content
    assert not Token.objects.exists()


def test_another_password_ends_them(window: Client, rosa: Any) -> None:
    _made, secret = tokens.make(confirm(rosa), "bot", "play", timezone.now())
    assert (
        "This also ends all other access to your account"
        in window.get("/me/password/").content.decode()
    )
    new = "another horse battery"
    page = window.post(
        "/me/password/",
        {"oldpassword": "correct horse battery", "password1": new, "password2": new},
    )
    assert page.status_code == 302
    assert tokens.by_secret(secret, timezone.now()) is None
