"""The ways to sign in: passkeys, the page that lists, adds and removes ways, and their proofs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.core.checks import run_checks
from django.test import Client

from campaign.models import Membership
from people import sign_in_ways, tokens
from people.models import User
from tests.people.keys import PRESENT, Device, add_passkey, encode_base64url, sign_in_by_passkey
from tests.people.test_codes import link_in_letter, sign_in_by_password, totp, type_password_again
from tests.people.test_sign_in import FORM, is_signed_in

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _named(settings: Any) -> None:
    settings.PASSKEY_HOST, settings.PASSKEY_ORIGINS = "tabula.example", ["https://tabula.example"]


def confirm_address(user: Any) -> Any:
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def remove_way(client: Client, key: str) -> Any:
    return client.post("/me/ways/", {"do": "remove", "way": key}, follow=True)


def ways_page(client: Client) -> str:
    return client.get("/me/ways/").content.decode()


def test_a_passkey_from_made_to_removed(client: Client, person: Person) -> None:
    ingrid = confirm_address(person("Ingrid"))
    sign_in_by_password(client)
    device = add_passkey(client, "Laptop")
    (letter,) = mail.outbox
    assert letter.subject == "A way to sign in has been added at Tabula"
    assert "the passkey “Laptop”" in letter.body
    assert "http://127.0.0.1:8000/me/ways/" in letter.body
    page = ways_page(client)
    assert "Laptop" in page
    assert "not used yet" in page
    other = Client()
    assert sign_in_by_passkey(other, device, next="/me/").headers["Location"] == "/me/"
    assert is_signed_in(other) == "Ingrid"
    assert "not used yet" in ways_page(client)  # the code by mail
    assert ways_page(client).count("last used") == 2
    key = f"passkey-{Authenticator.objects.get().pk}"
    assert (
        "on one line"
        in client.post("/me/ways/", {"do": "rename", "way": key, "name": "a\nb"}).content.decode()
    )
    client.post("/me/ways/", {"do": "rename", "way": key, "name": "<b>Old</b>"})
    assert "&lt;b&gt;Old&lt;/b&gt;" in ways_page(client)
    answer = remove_way(client, key)
    assert "Removed: the passkey “&lt;b&gt;Old&lt;/b&gt;”" in answer.content.decode()
    assert mail.outbox[-1].subject == "A way to sign in has been removed at Tabula"
    assert is_signed_in(client) == "Ingrid"
    assert other.get("/me/").status_code == 302  # the lost device is out
    refused = sign_in_by_passkey(Client(), device)
    assert refused.headers["Location"] == "/sign-in/"
    assert not Authenticator.objects.filter(user=ingrid).exists()


def test_a_passkey_needs_no_second_factor_and_is_none(client: Client, person: Person) -> None:
    confirm_address(person("Ingrid"))
    sign_in_by_password(client)
    device = add_passkey(client)
    # With a passkey alone, the password signs in as before.
    assert sign_in_by_password(Client()).headers["Location"] == "/"
    assert "It is off" in client.get("/me/second-factor/").content.decode()
    assert client.get("/me/second-factor/codes/new/").headers["Location"] == "/me/second-factor/"
    type_password_again(client)
    secret = re.findall(
        r'id="secret" value="(\w+)"', client.get("/me/second-factor/on/").content.decode()
    )[0]
    client.post("/me/second-factor/on/", {"code": totp(secret)})
    other = Client()
    assert sign_in_by_password(other).headers["Location"] == "/sign-in/second/"
    # No passkey of this kind serves for the second step alone; it signs in by itself, there as
    # well.
    assert other.post("/sign-in/second/", {"credential": "[" * 9_000}).status_code == 200
    assert is_signed_in(other) is None
    sign_in_by_passkey(other, device)
    assert is_signed_in(other) == "Ingrid"
    client.post("/me/second-factor/off/")
    assert set(Authenticator.objects.values_list("type", flat=True)) == {
        "webauthn"
    }  # no recovery codes of nothing


def test_an_invalid_passkey_signs_in_no_one(client: Client, person: Person) -> None:
    """Every refusal leads back to the page with a sentence.

    No input causes an internal error.
    """
    person("Ingrid")
    sign_in_by_password(client)
    device = add_passkey(client)

    def refusal(
        sent: str | None = None, spoil: Callable[[Any], Any] = lambda options: options
    ) -> str:
        other = Client()
        options = spoil(other.post("/sign-in/passkey/", {"do": "options"}).json())
        answer = other.post(
            "/sign-in/passkey/",
            {"credential": device.sign_challenge(options) if sent is None else sent},
            follow=True,
        )
        assert answer.status_code == 200
        assert is_signed_in(other) is None
        return str(answer.content.decode())

    late = device.sign_challenge({"publicKey": {"rpId": "tabula.example", "challenge": "AAAA"}})
    page = Client().post("/sign-in/passkey/", {"credential": late}, follow=True).content.decode()
    assert "This page was open for too long" in page
    assert "not accepted" in refusal(
        spoil=lambda one: {
            "publicKey": {**one["publicKey"], "challenge": encode_base64url(bytes(32))}
        }
    )
    assert "not accepted" in refusal(
        spoil=lambda one: {"publicKey": {**one["publicKey"], "rpId": "else.example"}}
    )
    device.origin = "https://evil.tabula.example"
    assert "work only at https://tabula.example" in refusal()
    device.origin, device.flags = "https://tabula.example", PRESENT
    assert "not accepted" in refusal()  # the user did not identify themselves to the device
    device.flags, device.handle = Device().flags, encode_base64url(b"zz")
    assert "No account here has this passkey" in refusal()
    stranger = Device()
    stranger.handle = encode_base64url(b"1")
    options = client.post("/me/again/passkey/", {"do": "options"}).json()
    for sent in (
        "",
        "null",
        "[]",
        "{}",
        "[" * 15_000,
        "x" * 20_000,
        json.dumps({"id": 1, "rawId": [], "response": 7}),
        '{"id":"é","rawId":"é","type":"public-key","response":{}}',
        stranger.sign_challenge(options),
        device.sign_challenge(options, userHandle="!!"),
        device.sign_challenge(options, authenticatorData="AAAA"),
        device.sign_challenge(options, clientDataJSON=encode_base64url(b"\xff{")),
        device.sign_challenge(options, signature=""),
    ):
        refusal(sent)


def test_new_keys_are_refused_as_well(client: Client, person: Person) -> None:
    person("Ingrid")
    sign_in_by_password(client)
    device = Device()
    for spoiled in (
        "",
        "{}",
        "[" * 15_000,
        '{"id":"AA","rawId":"AA","type":"public-key","response":{"attestationObject":"oA"}}',
    ):
        client.post("/me/ways/passkey/", {"do": "options"})
        assert (
            client.post("/me/ways/passkey/", {"name": "x", "credential": spoiled}).status_code
            == 422
        )
    options = client.post("/me/ways/passkey/", {"do": "options"}).json()
    assert options["publicKey"]["authenticatorSelection"]["userVerification"] == "required"
    assert options["publicKey"]["rp"] == {"id": "tabula.example", "name": "Tabula"}
    assert options["publicKey"]["user"]["name"] == "Ingrid"
    sent = {"name": "x" * 61, "credential": device.create_credential(options)}
    page = client.post("/me/ways/passkey/", sent).content.decode()
    assert "up to 60 characters" in page
    assert (
        client.post("/me/ways/passkey/", {**sent, "name": "x"}).status_code == 422
    )  # a challenge serves once
    assert not Authenticator.objects.exists()


def test_the_last_way_stays_and_the_others_go(client: Client, person: Person) -> None:
    ingrid = person("Ingrid")
    sign_in_by_password(client)
    assert "Remove…" not in ways_page(
        client
    )  # the address is not confirmed: a letter might go astray
    answer = client.post("/me/ways/", {"do": "remove", "way": "password"})
    assert answer.status_code == 422
    assert "This is your only remaining way to sign in" in answer.content.decode()
    device = add_passkey(client)
    secret = tokens.make_token(confirm_address(ingrid), "bot", "play", datetime.now(UTC))[1]
    assert "Removed: the password" in remove_way(client, "password").content.decode()
    assert is_signed_in(client) == "Ingrid"
    assert tokens.find_token(secret, datetime.now(UTC)) is not None
    assert sign_in_by_password(Client()).status_code == 200  # refused
    # The address is confirmed: the passkey may go, too, and a code signs in.
    assert "no longer exists" in remove_way(client, "passkey-999").content.decode()
    assert "no longer exists" in remove_way(client, "mail").content.decode()
    remove_way(client, f"passkey-{Authenticator.objects.get().pk}")
    assert [way.kind for way in sign_in_ways.ways_of(User.objects.get())] == ["mail"]
    assert sign_in_by_passkey(Client(), device).headers["Location"] == "/sign-in/"
    # And a password again, without the one before.
    assert client.get("/me/password/").headers["Location"] == "/me/password/new/"
    form = {"password1": "another long one", "password2": "another long one"}
    assert client.post("/me/password/new/", form).headers["Location"] == "/me/ways/"
    assert mail.outbox[-1].subject == "A way to sign in has been added at Tabula"
    assert (
        Client().post("/sign-in/", {"login": "Ingrid", "password": "another long one"}).status_code
        == 302
    )


def test_an_open_browser_is_not_enough_to_change_the_ways(client: Client, person: Person) -> None:
    """Minutes after a sign-in, every change of the ways to sign in asks again.

    This holds for all ways.
    """
    ingrid = confirm_address(person("Ingrid"))
    with time_machine.travel(datetime(2026, 11, 5, 12, tzinfo=UTC), tick=False) as clock:
        sign_in_by_password(client)
        device = add_passkey(client)
        remove_way(client, "password")
        clock.shift(301)
        for address in ("/me/ways/passkey/", "/me/email/", "/me/password/new/"):
            assert client.get(address).headers["Location"].startswith("/me/again/passkey/?next="), (
                address
            )
        key = f"passkey-{Authenticator.objects.get().pk}"
        assert (
            client.post("/me/ways/", {"do": "remove", "way": key})
            .headers["Location"]
            .startswith("/me/again/passkey/")
        )
        assert Authenticator.objects.exists()
        page = client.get("/me/again/passkey/?next=/me/ways/").content.decode()
        assert "/me/again/mail/?next=" in page
        # By a mailed code, which is asked for and typed in one browser.
        assert "Send the code" in client.get("/me/again/mail/?next=/me/email/").content.decode()
        assert (
            "We have sent a code to"
            in client.post("/me/again/mail/", {"do": "send", "next": "/me/email/"}).content.decode()
        )
        code = re.findall(r"^[A-Z0-9-]{6,12}$", mail.outbox[-1].body, re.MULTILINE)[0]
        assert code not in str(dict(client.session.items()))
        assert (
            "This is not the right code"
            in client.post("/me/again/mail/", {"code": "WRONG1"}).content.decode()
        )
        assert (
            client.post("/me/again/mail/", {"code": code.lower(), "next": "/me/email/"}).headers[
                "Location"
            ]
            == "/me/email/"
        )
        assert client.get("/me/email/").status_code == 200
        assert client.post("/me/again/mail/", {"code": code}).status_code == 422  # once
        # By the passkey.
        clock.shift(301)
        options = client.post("/me/again/passkey/", {"do": "options"}).json()
        assert [key["id"] for key in options["publicKey"]["allowCredentials"]] == [
            encode_base64url(device.id)
        ]
        sent = {"credential": device.sign_challenge(options), "next": "/me/email/"}
        assert client.post("/me/again/passkey/", sent).headers["Location"] == "/me/email/"
        assert (
            client.post("/me/again/passkey/", sent).status_code == 422
        )  # what was signed serves once
    assert ingrid.pk


def test_guessing_a_mailed_code_ends(client: Client, person: Person) -> None:
    confirm_address(person("Ingrid"))
    sign_in_by_password(client)
    client.post("/me/again/mail/", {"do": "send"})
    pages = [client.post("/me/again/mail/", {"code": "WRONG1"}).content.decode() for _ in range(4)]
    assert "Too many attempts" in pages[2]
    assert "This code has expired" in pages[3]
    mail.outbox.clear()
    answers = [client.post("/me/again/mail/", {"do": "send"}).status_code for _ in range(6)]
    assert answers[-1] == 429
    assert len(mail.outbox) == 4


def test_an_account_made_with_a_passkey(client: Client) -> None:
    form = {**FORM, "password1": "", "password2": "", "by": "passkey", "next": "/me/"}
    taken = client.post("/sign-up/", {**form, "email": "nonsense"}).content.decode()
    assert "valid email" in taken
    assert "Repeat the password" in taken
    assert (
        client.post("/sign-up/", form).headers["Location"]
        == "/me/ways/passkey/?next=%2Fme%2F&new=1"
    )
    user = User.objects.get()
    assert not user.has_usable_password()
    page = client.get("/me/ways/passkey/?next=/me/&new=1").content.decode()
    assert "Not now" in page
    device = add_passkey(client, "Phone")
    other = Client()
    sign_in_by_passkey(other, device)
    assert is_signed_in(other) == "Marozia"
    # Another's passkey does not outlive the proof of the address by its owner.
    Client().post(link_in_letter(mail.outbox[0].body))
    assert not Authenticator.objects.exists()
    assert other.get("/me/").status_code == 302


def test_the_proof_ends_accounts_elsewhere_too(client: Client) -> None:
    client.post("/sign-up/", FORM)
    SocialAccount.objects.create(
        user=User.objects.get(), provider="discord", uid="123456789012345678"
    )
    Client().post(link_in_letter(mail.outbox[0].body))
    assert not SocialAccount.objects.exists()


def test_only_owners_of_accounts_have_ways(client: Client, person: Person) -> None:
    for address in (
        "ways/",
        "ways/passkey/",
        "ways/link/",
        "again/passkey/",
        "again/mail/",
        "password/new/",
    ):
        assert client.get(f"/me/{address}").headers["Location"].startswith("/sign-in/"), address
    demo = User.objects.create(username="Demo", demo=True, password="!")
    client.force_login(demo)
    assert client.get("/me/ways/").status_code == 403
    owen = person("Owen")
    person("Ingrid")
    first, second = Client(), Client()
    sign_in_by_password(first)
    sign_in_by_password(second, "Owen")
    add_passkey(second, "Owen's")
    key = Authenticator.objects.get(user=owen)
    assert "Owen" not in ways_page(first)
    assert (
        first.post(
            "/me/ways/", {"do": "rename", "way": f"passkey-{key.pk}", "name": "Mine"}
        ).status_code
        == 404
    )
    assert "no longer exists" in remove_way(first, f"passkey-{key.pk}").content.decode()
    assert Authenticator.objects.filter(pk=key.pk).exists()


def test_a_suspended_user_is_not_signed_in_by_a_key(client: Client, person: Person) -> None:
    ingrid = person("Ingrid")
    sign_in_by_password(client)
    device = add_passkey(client)
    User.objects.filter(pk=ingrid.pk).update(is_active=False)
    other = Client()
    assert sign_in_by_passkey(other, device).headers["Location"] == "/me/inactive/"
    assert is_signed_in(other) is None


def test_passkeys_are_counted(client: Client) -> None:
    answers = [client.post("/sign-in/passkey/", {"do": "options"}).status_code for _ in range(201)]
    assert (answers[199], answers[200]) == (200, 429)


def test_a_letter_about_a_way_goes_to_no_stranger(person: Person) -> None:
    """Two users have given one address.

    The one who does not own it changes their ways, and the owner gets no letter. An unconfirmed
    address gets none either.
    """
    person("Ingrid", email="marozia@example.org")
    client = Client()
    client.post("/sign-up/", FORM)
    other = Client()
    other.post("/sign-up/", {**FORM, "username": "Other", "email": "slip@example.org"})
    mail.outbox.clear()
    for browser in (client, other):
        add_passkey(browser)
    assert mail.outbox == []
    assert [way.kind for way in sign_in_ways.ways_of(User.objects.get(username="Marozia"))] == [
        "password",
        "passkey",
    ]


def test_what_a_host_has_set_is_looked_at(settings: Any) -> None:
    def wrong(**values: Any) -> list[str]:
        for name, value in values.items():
            setattr(settings, name, value)
        return sorted(
            str(message.id) for message in run_checks() if str(message.id).startswith("people.")
        )

    settings.SITE_URL = "https://tabula.example"
    assert wrong() == []
    assert wrong(DISCORD_CLIENT_SECRET="s" * 32, DISCORD_CLIENT_ID="") == ["people.E001"]
    assert wrong(DISCORD_CLIENT_ID="abc") == ["people.E002"]
    assert wrong(DISCORD_CLIENT_ID="123456789012345678", DISCORD_CLIENT_SECRET="short") == [
        "people.E003"
    ]
    assert wrong(DISCORD_CLIENT_SECRET="s" * 32, STEAM_KEY="nonsense") == ["people.E004"]
    assert wrong(STEAM_KEY="0123456789ABCDEF" * 2) == []
    assert wrong(SITE_URL="http://tabula.example") == ["people.W001"]
    settings.SITE_URL = "https://tabula.example"
    assert wrong(PASSKEY_ORIGINS=["https://else.example"]) == ["people.E005"]
    assert wrong(PASSKEY_ORIGINS=["http://tabula.example"]) == ["people.W002"]
    assert wrong(PASSKEY_HOST="", PASSKEY_ORIGINS=[]) == []


def test_a_key_of_another_name_counts_for_nothing(
    client: Client, person: Person, settings: Any
) -> None:
    person("Ingrid")
    sign_in_by_password(client)
    add_passkey(client)
    assert "Remove… the password" in re.sub(r"<[^>]+>", "", ways_page(client))
    settings.PASSKEY_HOST, settings.PASSKEY_ORIGINS = "new.example", ["https://new.example"]
    page = re.sub(r"<[^>]+>", "", ways_page(client))
    assert "belongs to another address of this site" in page
    assert "Remove… the password" not in page


def test_without_a_name_there_are_no_passkeys(
    client: Client, person: Person, settings: Any
) -> None:
    settings.PASSKEY_HOST = ""
    assert "passkey" not in client.get("/sign-in/").content.decode()
    assert client.post("/sign-in/passkey/", {"do": "options"}).status_code == 404
    person("Ingrid")
    sign_in_by_password(client)
    assert client.get("/me/ways/passkey/").status_code == 404


def test_a_guest_who_signs_in_by_a_key_keeps_what_they_played(
    client: Client, person: Person
) -> None:
    ingrid = person("Ingrid")
    sign_in_by_password(client)
    device = add_passkey(client)
    other = Client()
    other.post("/play/march_on_rome/")
    assert sign_in_by_passkey(other, device).status_code == 302
    assert Membership.objects.filter(user=ingrid).exists()
