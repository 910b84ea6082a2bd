"""Proof of an address: it ends what others set up before.

Links in letters lead to the site's own address.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core import mail
from django.test import Client, RequestFactory
from django.utils import timezone

from notices import services
from notices.models import Channel, FeedAddress
from people import address_proof, tokens
from people.models import Token, User, find_by_login
from tests.people.test_sign_in import FORM

pytestmark = pytest.mark.django_db
EMAIL = "owner@example.org"


def sign_up_unproved() -> Client:
    """Return a browser in which a user has signed up with EMAIL and is signed in."""
    client = Client()
    assert (
        client.post("/sign-up/", {**FORM, "username": "Mallory", "email": EMAIL}).status_code == 302
    )
    assert client.get("/me/").status_code == 200
    return client


def remaining_access(client: Client) -> None:
    """Set up everything that is possible before the proof.

    That is no program, but a feed and another browser.
    """
    user = User.objects.get(username="Mallory")
    with pytest.raises(tokens.TokenError, match="Confirm your e-mail address first"):
        tokens.make_token(user, "bot", "play", timezone.now())
    assert (
        client.post(
            "/me/programs/", {"do": "make", "name": "bot", "scope": "play", "days": "90"}
        ).status_code
        == 422
    )
    assert not Token.objects.exists()
    services.create_feed(user, "notices")


def link_in_letter(letter: Any) -> str:
    match = re.search(r"http://127\.0\.0\.1:8000(/me/email/\S+)", letter.body)
    assert match, letter.body
    return match[1]


def is_signed_in(client: Client) -> bool:
    return bool(client.get("/me/").status_code == 200)


def test_the_owner_s_proof_ends_what_a_stranger_set_up() -> None:
    """By the letter's link, in a browser of their own."""
    stranger = sign_up_unproved()
    remaining_access(stranger)
    (letter,) = mail.outbox
    Client().post(link_in_letter(letter))
    assert EmailAddress.objects.get(email=EMAIL).verified
    assert not is_signed_in(stranger)
    user = User.objects.get(username="Mallory")
    assert not user.has_usable_password()
    assert (
        Client().post("/sign-in/", {"login": EMAIL, "password": FORM["password1"]}).status_code
        == 200
    )  # refused
    assert not FeedAddress.objects.filter(user=user).exists()
    assert not Channel.objects.filter(user=user).exclude(service="email").exists()


def test_so_does_signing_in_by_a_code() -> None:
    stranger = sign_up_unproved()
    remaining_access(stranger)
    mail.outbox.clear()
    owner = Client()
    owner.post("/sign-in/code/", {"email": EMAIL})
    code = re.search(r"^\s*([A-Z0-9-]{6,12})\s*$", mail.outbox[-1].body, re.MULTILINE)
    assert code
    owner.post("/sign-in/code/type/", {"code": code[1]})
    assert is_signed_in(owner)
    assert not is_signed_in(stranger)
    assert not User.objects.get(username="Mallory").has_usable_password()
    # A new password is set without the old one if the user has just confirmed who they are.
    assert owner.get("/me/password/").headers["Location"] == "/me/password/new/"


def test_who_confirms_where_they_signed_up_keeps_password_and_feed() -> None:
    client = sign_up_unproved()
    user = User.objects.get(username="Mallory")
    services.create_feed(user, "notices")
    elsewhere = Client()
    elsewhere.post("/sign-in/", {"login": EMAIL, "password": FORM["password1"]})
    assert is_signed_in(elsewhere)
    client.post(link_in_letter(mail.outbox[0]))
    assert is_signed_in(client)
    assert not is_signed_in(elsewhere)
    assert FeedAddress.objects.filter(user=user).exists()
    elsewhere.post("/sign-in/", {"login": EMAIL, "password": FORM["password1"]})
    assert is_signed_in(elsewhere)
    # Another address later is no first proof: nothing ends.
    assert tokens.make_token(user, "bot", "play", timezone.now())[0].pk


def test_a_password_by_a_letter_s_link_is_a_proof(settings: Any) -> None:
    stranger = sign_up_unproved()
    remaining_access(stranger)
    settings.ALLOWED_HOSTS = ["evil.example", "testserver"]
    settings.SITE_URL = "https://tabula.example:8443"
    mail.outbox.clear()
    Client().post("/password/", {"email": EMAIL}, HTTP_HOST="evil.example")
    body = mail.outbox[-1].body
    assert "evil.example" not in body
    match = re.search(r"https://tabula\.example:8443(/password/key/\S+)", body)
    assert match, body
    owner = Client()
    form = owner.get(match[1], follow=True).redirect_chain[-1][0]
    owner.post(form, {"password1": "another horse battery", "password2": "another horse battery"})
    assert EmailAddress.objects.get(email=EMAIL).verified
    assert not is_signed_in(stranger)
    assert not FeedAddress.objects.exists()
    owner.post("/sign-in/", {"login": EMAIL, "password": "another horse battery"})
    assert is_signed_in(owner)


def test_who_proves_an_address_that_two_have_given_has_it() -> None:
    """Neither user had proved it.

    The second sets a password by a letter's link, and is found by the address from then on.
    """
    sign_up_unproved()
    twin = Client()
    twin.post("/sign-up/", {**FORM, "username": "Twin", "email": EMAIL})
    first, second = User.objects.get(username="Mallory"), User.objects.get(username="Twin")
    assert (find_by_login(EMAIL), second.email, second.email_is_anothers) == (first, EMAIL, True)
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    address_proof.end_earlier_access(request, second)
    assert find_by_login(EMAIL) == User.objects.get(username="Twin")
    assert User.objects.get(username="Mallory").email_is_anothers


def test_a_changed_address_that_is_confirmed_elsewhere_ends_as_much() -> None:
    """A stranger with a proved address asks for the owner's.

    The owner presses the link.
    """
    stranger = sign_up_unproved()
    stranger.post(link_in_letter(mail.outbox[0]))
    user = User.objects.get(username="Mallory")
    secret = tokens.make_token(user, "bot", "play", timezone.now())[1]
    mail.outbox.clear()
    stranger.post("/me/again/", {"password": FORM["password1"]})
    stranger.post("/me/email/", {"email": "victim@example.org", "action_add": "1"})
    Client().post(link_in_letter(mail.outbox[0]))
    user.refresh_from_db()
    assert user.email == "victim@example.org"
    assert not is_signed_in(stranger)
    assert not user.has_usable_password()
    assert tokens.find_token(secret, timezone.now()) is None


def test_a_look_alike_does_not_take_what_is_proven() -> None:
    owner = sign_up_unproved()
    owner.post(link_in_letter(mail.outbox[0]))
    Client().post("/sign-up/", {**FORM, "username": "Twin", "email": "\uff4fwner@example.org"})
    twin = User.objects.filter(username="Twin").first()
    if twin is not None:  # else the form refuses such an address
        request = RequestFactory().get("/")
        request.user, request.session = AnonymousUser(), SessionStore()
        address_proof.end_earlier_access(request, twin)
    assert find_by_login(EMAIL) == User.objects.get(username="Mallory")


def test_a_taken_address_signs_in_as_a_free_one() -> None:
    owner = sign_up_unproved()
    owner.post(link_in_letter(mail.outbox[0]))
    Client().post(
        "/sign-up/",
        {
            **FORM,
            "username": "Twin",
            "email": EMAIL,
            "password1": "own horse staple",
            "password2": "own horse staple",
        },
    )
    elsewhere = Client()
    assert (
        elsewhere.post("/sign-in/", {"login": EMAIL, "password": "own horse staple"}).status_code
        == 302
    )
    assert "Twin" in elsewhere.get("/me/").content.decode()
    owner.post("/sign-out/")
    owner.post("/sign-in/", {"login": EMAIL, "password": FORM["password1"]})
    assert "Mallory" in owner.get("/me/").content.decode()


@pytest.mark.long
def test_every_try_to_sign_up_counts(settings: Any) -> None:
    """Refused ones, too: 60 an hour from one address."""
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "tries"}
    }
    client, wrong = Client(), {**FORM, "password2": "other"}
    with time_machine.travel(datetime(2026, 11, 5, 12, tzinfo=UTC), tick=False) as clock:
        for _minute in range(3):
            assert {client.post("/sign-up/", wrong).status_code for _ in range(20)} == {200}
            clock.shift(61)
        refused = client.post("/sign-up/", wrong)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, str(3600 - 183))


def test_who_is_locked_out_is_so_by_a_taken_address_too(settings: Any) -> None:
    """Axes locks after five wrong passwords for a name from an address.

    The right password of the second account has to wait, too.
    """
    owner = sign_up_unproved()
    owner.post(link_in_letter(mail.outbox[0]))
    own = {"password1": "own horse staple", "password2": "own horse staple"}
    Client().post("/sign-up/", {**FORM, **own, "username": "Twin", "email": EMAIL})
    stranger = Client(REMOTE_ADDR="198.51.100.7")
    for _ in range(5):
        stranger.post("/sign-in/", {"login": EMAIL, "password": "wrong"})
    assert (
        stranger.post("/sign-in/", {"login": EMAIL, "password": "own horse staple"}).status_code
        == 429
    )
    assert not is_signed_in(stranger)
