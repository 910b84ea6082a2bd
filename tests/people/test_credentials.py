"""The list of what opens an account: complete, on one page, and ended together by four events."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.db.models import ForeignKey
from django.test import Client, RequestFactory

from notices import services as notices
from notices.models import Channel, FeedAddress
from people import address_proof, credentials, services, tokens
from people.models import BrowserSession, DiscordAccount, Token, User
from people.sessions import SessionStore
from tests.conftest import PASSWORD, confirm, sign_in_lately

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
PAGE, NEW = "/me/access/", "another horse battery"
KINDS = {
    "session",
    "token",
    "passkey",
    "elsewhere",
    "address",
    "discord",
    "device",
    "channel",
    "feed",
}


def credential_kinds(user: User) -> set[str]:
    user = User.objects.get(pk=user.pk)
    return {row.kind for source in credentials.sources() for row in source.listed(user)}


def add_credentials(user: User) -> dict[str, Any]:
    """Give this user one credential of each kind, as a thief at an open browser could.

    Return the secrets.
    """
    data = {"name": "Thief's phone", "credential": {}}
    Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data=data)
    SocialAccount.objects.create(user=user, provider="steam", uid="7", extra_data={"name": "thief"})
    DiscordAccount.objects.create(user=user, discord="80351110224678912", name="t", linked_at=NOW)
    EmailAddress.objects.create(user=user, email="thief@example.org", verified=False)
    for service in ("push", "telegram"):
        Channel.objects.create(
            user=user, service=service, sealed="x", created_at=NOW, confirmed_at=NOW
        )
    reader = Client()
    reader.post("/sign-in/code/", {"email": user.email})
    code = re.search(r"^\s*([A-Z0-9-]{6,12})\s*$", mail.outbox[-1].body, re.MULTILINE)
    Client().post("/password/", {"email": user.email})
    link = re.search(r"/password/key/\S+", mail.outbox[-1].body)
    assert code
    assert link
    browser = Client(headers={"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"})
    browser.post("/sign-in/", {"login": user.username, "password": PASSWORD})
    return {
        "token": tokens.make_token(user, "bot", "play", NOW)[1],
        "feed": notices.create_feed(user, "deadlines"),
        "code": code[1],
        "reader": reader,
        "link": link[0],
        "browser": browser,
    }


@pytest.fixture
def rosa(person: Callable[..., Any]) -> User:
    user: User = confirm(person("Rosa"))
    return user


def sign_in_own_browser(user: User) -> Client:
    return sign_in_lately(Client(), user)


def confirm_address_as_owner(user: User, owner: Client) -> None:
    """Confirm the address as its owner, in a browser that is not signed in."""
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    address_proof.end_earlier_access(request, user)


def change_password(user: User, owner: Client) -> None:
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert owner.post("/me/password/", form).status_code == 302


def set_password_by_letter(user: User, owner: Client) -> None:
    Client().post("/password/", {"email": user.email})
    link = re.search(r"/password/key/\S+", mail.outbox[-1].body)
    assert link
    visitor = Client()
    form = visitor.get(link[0], follow=True).redirect_chain[-1][0]
    assert visitor.post(form, {"password1": NEW, "password2": NEW}).status_code == 302


def sign_out_everywhere(user: User, owner: Client) -> None:
    assert owner.post(PAGE, {"do": "everywhere"}).headers["Location"] == PAGE


def ask_to_close(user: User, owner: Client) -> None:
    answer = owner.post("/me/leave/", {"do": "close", "name": user.username})
    assert answer.status_code == 302


def close_by_moderator(user: User, owner: Client) -> None:
    services.close_account(user, "spam", NOW)


ENDINGS = [
    (confirm_address_as_owner, False),
    (change_password, True),
    (set_password_by_letter, False),
    (sign_out_everywhere, True),
    (ask_to_close, False),
    (close_by_moderator, False),
]


@pytest.mark.parametrize(("end", "stays"), ENDINGS)
def test_everything_ends_together(
    rosa: User, end: Callable[[User, Client], None], stays: bool, settings: Any
) -> None:
    """`stays`: the browser in which the owner does it remains signed in."""
    settings.ACCOUNT_RATE_LIMITS = {}
    owner, thief = sign_in_own_browser(rosa), add_credentials(rosa)
    assert credential_kinds(rosa) == KINDS
    assert thief["browser"].get("/me/").status_code == 200
    end(rosa, owner)
    rosa.refresh_from_db()
    assert credential_kinds(rosa) == ({"session"} if stays else set())
    assert (owner.get("/me/").status_code == 200) == stays
    assert thief["browser"].get("/me/").status_code == 302
    assert BrowserSession.objects.filter(user=rosa).count() == int(stays)
    assert tokens.find_token(thief["token"], NOW) is None
    assert notices.find_feed(thief["feed"], "deadlines") is None
    thief["reader"].post("/sign-in/code/type/", {"code": thief["code"]})
    assert "_auth_user_id" not in thief["reader"].session
    page = Client().get(thief["link"], follow=True).content.decode()
    assert "password1" not in page
    assert not EmailAddress.objects.filter(email="thief@example.org").exists()


def test_a_change_of_password_keeps_the_second_factor(rosa: User) -> None:
    Authenticator.objects.create(user=rosa, type=Authenticator.Type.TOTP, data={"secret": "x"})
    owner = sign_in_own_browser(rosa)
    change_password(rosa, owner)
    assert Authenticator.objects.filter(user=rosa, type=Authenticator.Type.TOTP).exists()


def test_the_form_for_a_new_password_offers_a_link_to_those_who_have_forgotten_it(
    rosa: User,
) -> None:
    rosa.language = "es"
    rosa.save()
    page = sign_in_own_browser(rosa).get("/me/password/").content.decode()
    assert '<a href="/password/">¿Has olvidado tu contraseña?</a>' in page


def test_a_first_password_is_one_more_way_and_ends_no_passkey(rosa: User) -> None:
    owner, _thief = sign_in_own_browser(rosa), add_credentials(rosa)
    rosa.set_unusable_password()
    rosa.save()
    sign_in_lately(owner, rosa)
    assert owner.post("/me/password/new/", {"password1": NEW, "password2": NEW}).status_code == 302
    assert credential_kinds(rosa) == KINDS - {"token"}
    assert owner.get("/me/").status_code == 200
    assert BrowserSession.objects.filter(user=rosa).count() == 1


def test_no_user_is_locked_out(person: Callable[..., Any]) -> None:
    """Without a password and a confirmed address, what signs in stays, and the page says so."""
    rosa = person("Rosa")
    confirm(rosa)
    add_credentials(rosa)
    EmailAddress.objects.filter(email=rosa.email).update(verified=False)
    rosa.set_unusable_password()
    rosa.save()
    owner = sign_in_own_browser(rosa)
    page = owner.post(PAGE, {"do": "everywhere"}, follow=True).content.decode()
    assert (
        "Your passkeys and linked accounts remain, because you have no other way to sign in."
        in page
    )
    assert credential_kinds(rosa) == {"session", "passkey", "elsewhere"}


def test_the_page_lists_each_and_ends_one(rosa: User, person: Callable[..., Any]) -> None:
    owner, thief = sign_in_own_browser(rosa), add_credentials(rosa)
    page = owner.get(PAGE).content.decode()
    for name in (
        "Firefox, Linux",
        "this browser",
        "bot",
        "Thief&#x27;s phone",
        "Steam: thief",
        "Telegram",
        "Deadlines (calendar)",
        "thief@example.org",
        "Device",
        "Sign out everywhere",
    ):
        assert name in page, name
    for key in BrowserSession.objects.values_list("session_key", flat=True):
        assert key not in page
    # The site does not note when Discord's link is used: it claims nothing of it.
    discord = page.partition("Playing from Discord")[2].partition("</ul>")[0]
    assert "since" in discord
    assert "not used yet" not in discord
    for what in re.findall(r'\?end=([^"]+)"', page):
        asked = owner.get(f"{PAGE}?end={what}").content.decode()
        assert "End this access? It can then no longer use your account." in asked
        (typed,) = re.findall(r'name="what" value="([^"]+)"', asked)
        assert owner.post(PAGE, {"do": "end", "what": typed}).status_code == 302
    assert credential_kinds(rosa) == {"session", "passkey", "elsewhere"}
    assert thief["browser"].get("/me/").status_code == 302
    assert owner.get("/me/").status_code == 200
    # A passkey and an account elsewhere end on the page of ways, which keeps the last one.
    ways = re.findall(r'href="(/me/ways/\?remove=[^"]+)"', owner.get(PAGE).content.decode())
    assert len(ways) == 2
    assert "Remove it?" in owner.get(ways[0]).content.decode()


def test_nothing_of_others_ends(rosa: User, person: Callable[..., Any]) -> None:
    owner = sign_in_own_browser(rosa)
    ida = confirm(person("Ida"))
    add_credentials(ida)
    before = credential_kinds(ida)
    for source in credentials.sources():
        for row in source.listed(ida):
            what = f"{row.kind}:{row.key}"
            assert owner.post(PAGE, {"do": "end", "what": what}).status_code == 302
    for nonsense in ("", "session", "token:9999999999999999999999", "token:x", "nothing:1"):
        assert owner.post(PAGE, {"do": "end", "what": nonsense}).status_code == 302
    assert credential_kinds(ida) == before
    assert Token.objects.get().revoked_at is None
    assert FeedAddress.objects.get().revoked_at is None


def test_to_sign_out_everywhere_asks_who_it_is_and_is_announced(rosa: User) -> None:
    owner = Client()
    owner.post("/sign-in/", {"login": "Rosa", "password": PASSWORD})
    with time_machine.travel(datetime.now(UTC)) as clock:
        clock.shift(400)
        add_credentials(rosa)
        mail.outbox.clear()
        answer = owner.post(PAGE, {"do": "everywhere"})
        assert answer.headers["Location"] == "/me/again/?next=%2Fme%2Faccess%2F"
        assert credential_kinds(rosa) == KINDS
        # The form goes on by itself once the password is typed.
        owner.post("/me/again/", {"password": PASSWORD, "next": PAGE})
        assert credential_kinds(rosa) == {"session"}
    (letter,) = mail.outbox
    assert letter.subject == "Everything else has been signed out of your account at Tabula"
    assert letter.to == [rosa.email]


def test_only_owners_of_accounts_have_the_page(client: Client) -> None:
    assert client.get(PAGE).headers["Location"].startswith("/sign-in/")
    demo = User.objects.create(username="Demo", demo=True, password="!")
    client.force_login(demo)
    assert client.get(PAGE).status_code == 403


def test_what_points_to_a_person_and_holds_a_secret_is_on_the_list() -> None:
    """A new model with a hash of a token, or a sealed address, of a person needs a source."""
    named = ("token_hash", "secret_hash", "session_key", "uid", "discord")
    holding = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and field.related_model is User and field.name == "user"
        if any(column.name in named for column in model._meta.concrete_fields)
    }
    assert holding == {
        "people.Token",
        "people.BrowserSession",
        "people.DiscordAccount",
        "notices.FeedAddress",
        "socialaccount.SocialAccount",
    }


def test_a_user_who_cannot_confirm_their_identity_reads_what_to_do(rosa: User) -> None:
    """A user without password, e-mail address and passkey is not redirected in a circle."""
    User.objects.filter(pk=rosa.pk).update(email="", password="!")
    client = Client()
    client.force_login(User.objects.get(pk=rosa.pk))
    answer = client.get("/me/data/")
    assert answer.status_code == 403
    assert (
        "Your account has no password, e-mail address or passkey with which you could confirm who "
        "you are. Ask the host for help."
    ) in answer.content.decode()
