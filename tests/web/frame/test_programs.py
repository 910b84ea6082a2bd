"""The page where users create and revoke the tokens of their programs."""

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


def test_a_new_token_is_shown_once_and_works(
    window: Client, rosa: Any, django_assert_max_num_queries: Any
) -> None:
    assert "None of your programs has a token." in window.get(PAGE).content.decode()
    assert window.post(PAGE, MAKE).status_code == 302
    assert Token.objects.get().secret_hash not in str(dict(window.session))
    assert not re.search(r"tab_[\w-]{43}", str(dict(window.session)))
    first = window.get(PAGE)
    secret = shown(first)[0]
    assert "My &lt;bot&gt;" in first.content.decode()
    result = tokens.find_token(secret, timezone.now())
    assert result is not None
    assert (result.user, result.scope, result.name) == (rosa, "read", "My <bot>")
    assert (result.ends_at - result.made_at).days == 90  # type: ignore[operator]
    with django_assert_max_num_queries(6):
        again = window.get(PAGE)
    assert shown(again) == []
    assert "My &lt;bot&gt;" in again.content.decode()
    assert not mail.outbox


def test_scopes_are_in_italian(window: Client) -> None:
    page = window.get(PAGE, headers={"accept-language": "it"}).content.decode()
    assert re.findall(r'name="scope".*?<strong>([^<]+)</strong>', page, re.DOTALL) == [
        "Leggere",
        "Leggere e giocare",
    ]


def test_a_double_click_creates_one_token(window: Client) -> None:
    for _ in range(2):
        assert window.post(PAGE, MAKE).status_code == 302
    assert Token.objects.count() == 1
    assert len(shown(window.get(PAGE))) == 1


def test_a_letter_announces_a_token_that_can_play(window: Client) -> None:
    window.post(PAGE, {**MAKE, "scope": "play", "days": ""})
    (letter,) = mail.outbox
    assert letter.to == ["rosa@example.org"]
    assert "My <bot>" in letter.body
    assert Token.objects.get().ends_at is None
    assert not shown(type("Letter", (), {"content": letter.body.encode()}))


def test_a_token_is_revoked_after_a_confirmation(window: Client, rosa: Any) -> None:
    kept, secret = tokens.make_token(confirm(rosa), "kept", "read", timezone.now())
    gone, other = tokens.make_token(confirm(rosa), "gone", "read", timezone.now())
    asks = window.get(PAGE, {"revoke": str(gone.pk)}).content.decode()
    assert "Revoke it?" in asks
    assert tokens.find_token(other, timezone.now()) is not None
    assert window.post(PAGE, {"do": "revoke", "token": str(gone.pk)}).status_code == 302
    assert tokens.find_token(other, timezone.now()) is None
    assert tokens.find_token(secret, timezone.now()) is not None
    assert "Revoke all of them?" not in window.get(PAGE).content.decode()
    assert window.post(PAGE, {"do": "revoke", "token": "all"}).status_code == 302
    assert tokens.find_token(secret, timezone.now()) is None
    assert kept.pk != gone.pk


def test_another_user_s_token_is_not_revoked(window: Client, person: Any) -> None:
    created, secret = tokens.make_token(confirm(person("Ida")), "hers", "read", timezone.now())
    for content in (str(created.pk), "", "x", "9" * 30):
        assert window.post(PAGE, {"do": "revoke", "token": content}).status_code == 404
    assert "hers" not in window.get(PAGE, {"revoke": str(created.pk)}).content.decode()
    assert tokens.find_token(secret, timezone.now()) is not None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"name": ""}, "Say what the token is for"),
        ({"name": "a\u202eb"}, "The text contains a character that cannot be displayed."),
        ({"scope": "write"}, "Choose what the program may do."),
        ({"days": "31"}, "Choose how long the token is valid."),
        ({"days": "x"}, "Choose how long the token is valid."),
    ],
)
def test_errors_are_at_their_fields_and_the_form_can_be_sent_again(
    window: Client, content: dict[str, str], why: str
) -> None:
    for _ in range(2):
        page = window.post(PAGE, {**MAKE, **content})
        assert page.status_code == 422
        assert why in page.content.decode()
    assert not Token.objects.exists()


def test_tokens_are_limited_each_hour(window: Client) -> None:
    for number in range(20):
        window.post(PAGE, {**MAKE, "name": f"bot {number}"})
    assert window.post(PAGE, {**MAKE, "name": "one more"}).status_code == 429
    Token.objects.update(revoked_at=timezone.now())
    assert Token.objects.count() == 20


def test_guests_and_demonstration_users_have_no_tokens(person: Any) -> None:
    demo, guest = person("Demo", demo=True), services.make_guest()
    for user in (demo, guest):
        window = Client()
        window.force_login(user)
        assert window.post(PAGE, MAKE).status_code == 200
        assert b'name="scope"' not in window.get(PAGE).content
    assert not Token.objects.exists()


def test_a_new_password_revokes_tokens(window: Client, rosa: Any) -> None:
    _made, secret = tokens.make_token(confirm(rosa), "bot", "play", timezone.now())
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
    assert tokens.find_token(secret, timezone.now()) is None
