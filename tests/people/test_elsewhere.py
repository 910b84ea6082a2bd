"""Sign-in by an account of Discord or Steam, against servers of their protocols on this machine."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core import mail
from django.test import Client
from django.utils import timezone

from campaign.models import Campaign, Membership
from config.logs import masked
from people import services
from people.models import User
from tests.people.elsewhere import CLIENT, KEY, SECRET, Sites, address_after_consent
from tests.people.test_codes import sign_in_by_password, totp
from tests.people.test_sign_in import is_signed_in

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db
OFFERED = {
    "discord": {"APPS": [{"client_id": CLIENT, "secret": SECRET}], "OAUTH_PKCE_ENABLED": True},
    "steam": {"APPS": [{"client_id": "steam", "secret": KEY}]},
}


@pytest.fixture
def sites(settings: Any) -> Iterator[Sites]:
    servers = Sites()
    settings.SOCIALACCOUNT_PROVIDERS = OFFERED
    settings.DISCORD_SITE = settings.STEAM_SITE = settings.STEAM_API = servers.url
    settings.OUTSIDE_INSECURE = True
    settings.SITE_URL = "https://tabula.example"
    yield servers
    servers.close()


def address_at_site(client: Client, site: str = "discord", **more: str) -> str:
    """Press the button of a site and return the address to which it leads."""
    page = client.post(f"/sign-in/{site}/", more).content.decode()
    away = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', page)
    assert away, page
    return html.unescape(away[1])


def sign_in_at_site(client: Client, site: str = "discord", **more: str) -> Any:
    return client.get(address_after_consent(address_at_site(client, site, **more)))


def sign_up(client: Client, site: str = "discord", **more: str) -> Any:
    assert sign_in_at_site(client, site).headers["Location"] == "/sign-up/elsewhere/"
    form = {
        "username": "Marozia",
        "email": "marozia@example.org",
        "time_zone": "Europe/Rome",
        **more,
    }
    return client.post("/sign-up/elsewhere/", form)


def test_buttons_stand_only_where_the_host_has_set_keys(
    client: Client, settings: Any, sites: Sites
) -> None:
    assert "Continue with Discord" in client.get("/sign-in/").content.decode()
    assert "Continue with Steam" in client.get("/sign-up/").content.decode()
    settings.SOCIALACCOUNT_PROVIDERS = {}
    assert "Continue with" not in client.get("/sign-in/").content.decode()
    for address in (
        "/sign-in/discord/",
        "/sign-in/discord/back/",
        "/sign-in/steam/",
        "/sign-in/steam/back/",
    ):
        assert client.get(address).status_code == 404


def test_by_discord_for_the_first_time_and_again(client: Client, sites: Sites) -> None:
    away = address_at_site(client, next="/me/")
    assert away.startswith(f"{sites.url}/oauth2/authorize?client_id={CLIENT}")
    assert "redirect_uri=https%3A%2F%2Ftabula.example%2Fsign-in%2Fdiscord%2Fback%2F" in away
    assert "&scope=identify+email&" in away, "in the same order in every process"
    assert SECRET not in away
    assert client.get(address_after_consent(away)).headers["Location"] == "/sign-up/elsewhere/"
    page = client.get("/sign-up/elsewhere/").content.decode()
    assert "You have signed in at Discord as Ingrid" in page
    assert 'value="ingrid@example.org"' in page  # Discord has confirmed it; here it is a proposal
    form = {"username": "Marozia", "email": "marozia@example.org", "time_zone": "Europe/Rome"}
    assert client.post("/sign-up/elsewhere/", form).headers["Location"] == "/me/"
    user = User.objects.get()
    assert (user.username, user.time_zone, user.has_usable_password()) == (
        "Marozia",
        "Europe/Rome",
        False,
    )
    address = EmailAddress.objects.get()
    assert (address.email, address.verified) == ("marozia@example.org", False)
    assert mail.outbox[0].subject == "Confirm your address at Tabula"
    account = SocialAccount.objects.get()
    assert (account.uid, account.extra_data) == (
        "876543210987654321",
        {"name": "Ingrid"},
    )  # no more is kept
    assert not SocialToken.objects.exists()
    other = Client()
    assert sign_in_at_site(other, next="/me/").headers["Location"] == "/me/"
    assert is_signed_in(other) == "Marozia"
    assert sites.asked.count("POST /api/oauth2/token") == 2


def test_a_name_of_another_site_follows_the_rules_of_names(client: Client, sites: Sites) -> None:
    sites.person["global_name"] = "Game Master"
    sign_in_at_site(client)
    page = client.get("/sign-up/elsewhere/").content.decode()
    assert 'value="Game Master"' not in page, "such a name is not proposed"
    form = {"email": "marozia@example.org", "time_zone": "Europe/Rome"}
    answer = client.post("/sign-up/elsewhere/", {"username": "Gаme Master", **form})
    assert "several alphabets" in answer.content.decode()
    answer = client.post("/sign-up/elsewhere/", {"username": "Game Master", **form})
    assert "taken for a role" in answer.content.decode()
    assert not User.objects.exists()


def test_by_steam_for_the_first_time_and_again(client: Client, sites: Sites) -> None:
    now = datetime.now(UTC)
    sites.nonce = f"{now:%Y-%m-%dT%H:%M:%SZ}abc"
    assert sign_up(client, "steam").headers["Location"] == "/"
    assert SocialAccount.objects.get().extra_data == {"name": "Ingrid of Steam"}
    sites.nonce = f"{now:%Y-%m-%dT%H:%M:%SZ}def"
    sites.steam_name = "a\u202eb <b>"
    other = Client()
    sign_in_at_site(other, "steam")
    assert is_signed_in(other) == "Marozia"
    assert SocialAccount.objects.get().extra_data == {"name": "ab <b>"}


def test_a_guest_keeps_what_they_played(client: Client, sites: Sites) -> None:
    client.post("/play/march_on_rome/")
    (campaign,) = Campaign.objects.all()
    guest = User.objects.get(guest=True)
    assert sign_in_at_site(client).headers["Location"] == "/sign-up/elsewhere/"
    assert User.objects.get().guest  # looking changes nothing
    assert "You keep the game" in client.get("/sign-up/elsewhere/").content.decode()
    client.post("/sign-up/elsewhere/", {"username": "Marozia", "email": "marozia@example.org"})
    user = User.objects.get()
    assert (user.pk, user.guest, user.username) == (guest.pk, False, "Marozia")
    assert Membership.objects.filter(user=user, campaign=campaign).exists()
    # A user with an account gets there what they played as a guest elsewhere.
    other = Client()
    other.post("/play/march_on_rome/")
    sign_in_at_site(other)
    assert is_signed_in(other) == "Marozia"
    assert Membership.objects.filter(user=user).values("campaign").distinct().count() == 2


def test_a_known_address_opens_no_account(client: Client, person: Person, sites: Sites) -> None:
    """The owner is asked to sign in first, and then says whether to link it."""
    ingrid = person("Ingrid", email="ingrid@example.org")
    EmailAddress.objects.create(user=ingrid, email=ingrid.email, primary=True, verified=True)
    assert sign_in_at_site(client).headers["Location"] == "/sign-up/elsewhere/"
    assert is_signed_in(client) is None
    page = client.get("/sign-up/elsewhere/").content.decode()
    assert (
        "There is already an account with the address ingrid@example.org. Sign in to it first"
        in page
    )
    assert "/sign-in/?next=/me/ways/link/" in page
    assert not SocialAccount.objects.exists()
    client.post(
        "/sign-in/",
        {"login": "Ingrid", "password": "correct horse battery", "next": "/me/ways/link/"},
    )
    page = client.get("/me/ways/link/").content.decode()
    assert "You can then also sign in to Ingrid with the Discord account Ingrid" in page
    answer = client.post("/me/ways/link/", {"do": "link"}, follow=True).content.decode()
    assert "The account is linked" in answer
    assert SocialAccount.objects.get().user == ingrid
    assert mail.outbox[-1].subject == "A way to sign in has been added at Tabula"
    assert "the Discord account “Ingrid”" in mail.outbox[-1].body
    assert client.get("/me/ways/link/").headers["Location"] == "/me/ways/"
    other = Client()
    sign_in_at_site(other)
    assert is_signed_in(other) == "Ingrid"


def test_an_address_not_confirmed_by_discord_reveals_nothing(
    client: Client, person: Person, sites: Sites
) -> None:
    person("Ingrid", email="ingrid@example.org")
    sites.person["verified"] = False
    sign_in_at_site(client)
    page = client.get("/sign-up/elsewhere/").content.decode()
    assert "ingrid@example.org" not in page
    # A user who types it gets the usual answer: only the owner is notified.
    sent = client.post(
        "/sign-up/elsewhere/", {"username": "Mallory", "email": "ingrid@example.org"}
    )
    assert sent.status_code == 302
    assert mail.outbox[-1].subject == "You already have an account"
    assert User.objects.get(username="Mallory").email_is_anothers


def test_linking_and_unlinking(client: Client, person: Person, sites: Sites) -> None:
    ingrid = person("Ingrid")
    EmailAddress.objects.create(user=ingrid, email=ingrid.email, primary=True, verified=True)
    with time_machine.travel(datetime(2026, 11, 5, 12, tzinfo=UTC), tick=False) as clock:
        sign_in_by_password(client)
        answer = sign_in_at_site(client, process="connect", next="/me/ways/")
        assert answer.headers["Location"] == "/me/ways/"
        assert "The account is linked" in client.get("/me/ways/").content.decode()
        # Another person cannot have the same account.
        person("Owen")
        second = Client()
        sign_in_by_password(second, "Owen")
        sign_in_at_site(second, process="connect", next="/me/ways/")
        assert (
            "is already linked to another account here" in second.get("/me/ways/").content.decode()
        )
        assert SocialAccount.objects.get().user == ingrid
        # Minutes later it asks again, before the browser leaves.
        clock.shift(301)
        asked = client.post("/sign-in/discord/", {"process": "connect"})
        assert asked.headers["Location"] == "/me/again/?next=%2Fme%2Fways%2F"
        # By Discord itself, and only by this person's account there.
        assert (
            "/sign-in/discord/?process=redirect"
            in client.get("/me/again/?next=/me/ways/").content.decode()
        )
        sites.person["id"] = "111111111111111111"
        sign_in_at_site(client, process="redirect", next="/me/ways/")
        assert "This is a different account" in client.get("/me/ways/").content.decode()
        key = f"discord-{SocialAccount.objects.get().pk}"
        assert (
            client.post("/me/ways/", {"do": "remove", "way": key})
            .headers["Location"]
            .startswith("/me/again/")
        )
        sites.person["id"] = "876543210987654321"
        sign_in_at_site(client, process="redirect", next="/me/ways/")
        assert is_signed_in(client) == "Ingrid"
        answer = client.post("/me/ways/", {"do": "remove", "way": key}, follow=True)
        assert "Removed: the Discord account “Ingrid”" in answer.content.decode()
    assert not SocialAccount.objects.exists()


def test_what_the_other_site_answers_may_be_anything(client: Client, sites: Sites) -> None:
    """The user returns to the sign-in page with a sentence.

    No one is signed in, and the log contains no secret.
    """
    broken: list[list[tuple[int, bytes]]] = [
        [(500, b"")],
        [(200, b"[]")],
        [(200, b"7")],
        [(200, b'{"access_token": {"a": 1}}')],
        [(200, b"\xff")],
        [(302, b"")],
        [(200, b'{"access_token": "at-1"}'), (200, b"[]")],
        [(200, b'{"access_token": "at-1"}'), (200, b"nonsense")],
        [(200, b'{"access_token": "at-1"}'), (200, b'{"id": 7}')],
        [(200, b'{"access_token": "at-1"}'), (200, b'{"id": "x"}')],
        [(200, b'{"access_token": "at-1\\n"}')],
        [(200, b"x" * 1_100_000)],
        [(200, b"[" * 5_000)],
    ]
    for answers in broken:
        back = address_after_consent(address_at_site(client))
        sites.answers = list(answers)
        answer = client.get(back, follow=True)
        assert answer.redirect_chain[-1][0] == "/sign-in/", answers
        assert re.search(
            "did not confirm who you are|is not responding", answer.content.decode()
        ), answers
        sites.answers = []
    assert not User.objects.exists()
    assert "GET /elsewhere" not in sites.asked  # no redirect is followed


def test_where_the_other_site_is_away(client: Client, sites: Sites, settings: Any) -> None:
    back = address_after_consent(address_at_site(client))
    sites.close()
    assert "Discord is not responding" in client.get(back, follow=True).content.decode()
    settings.OUTSIDE_INSECURE = False  # and an address that is not public is not asked
    assert "Please start again" in client.get(back, follow=True).content.decode()


def test_the_state_is_of_one_browser_and_serves_once(client: Client, sites: Sites) -> None:
    back = address_after_consent(address_at_site(client))
    assert "Please start again" in Client().get(back, follow=True).content.decode()
    assert client.get(back).headers["Location"] == "/sign-up/elsewhere/"
    assert "Please start again" in client.get(back, follow=True).content.decode()
    assert (
        "without agreeing"
        in client.get(
            f"/sign-in/discord/back/?error=access_denied&{address_at_site(client).partition('&')[2]}",
            follow=True,
        ).content.decode()
    )
    for query in ("", "?state=x", "?state=x&code=y", "?code=\x00"):
        assert client.get(f"/sign-in/discord/back/{query}").headers["Location"] == "/sign-in/"
        assert client.get(f"/sign-in/steam/back/{query}").headers["Location"] == "/sign-in/"


def test_an_answer_not_signed_by_steam_signs_in_no_one(client: Client, sites: Sites) -> None:
    sites.nonce = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}abc"
    other = "76561198000000002"

    def refusal(change: Callable[[str], str]) -> str:
        answer = client.get(
            change(address_after_consent(address_at_site(client, "steam"))), follow=True
        )
        assert answer.redirect_chain[-1][0] == "/sign-in/"
        return str(answer.content.decode())

    changes: list[Callable[[str], str]] = [
        lambda back: back.replace(sites.steam, other),
        lambda back: back.replace("id_res", "error"),
        lambda back: back.replace("response_nonce%2C", ""),
        lambda back: back.replace("abc", "xyz"),
        lambda back: back.replace("openid.op_endpoint=http", "openid.op_endpoint=https"),
        lambda back: back + "&openid.mode=id_res",
        lambda back: back.replace("%2Fsteam%2Fback", "%2Felse"),
        lambda back: back.replace("openid.ns=", "openid.sn="),
        lambda back: re.sub(r"openid\.claimed_id=[^&]+", "", back),
    ]
    for change in changes:
        assert "did not confirm who you are" in refusal(change)
    assert "without agreeing" in refusal(lambda back: back.replace("id_res", "cancel"))
    old = datetime.now(UTC) - timedelta(minutes=6)
    sites.nonce = f"{old:%Y-%m-%dT%H:%M:%SZ}abc"
    assert "did not confirm" in refusal(lambda back: back)
    sites.nonce = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}new"
    assert sign_in_at_site(client, "steam").headers["Location"] == "/sign-up/elsewhere/"
    assert "did not confirm" in refusal(lambda back: back)  # signed once, used once
    assert not User.objects.exists()


def test_a_name_that_is_taken_keeps_the_form(client: Client, person: Person, sites: Sites) -> None:
    person("Marozia", email="m@example.org")
    answer = sign_up(client)
    page = answer.content.decode()
    assert "This name is already taken" in page
    assert 'value="marozia@example.org"' in page
    assert (
        client.post(
            "/sign-up/elsewhere/", {"username": "Other", "email": "marozia@example.org"}
        ).status_code
        == 302
    )


def test_an_account_elsewhere_that_is_offered_no_more_counts_for_nothing(
    client: Client, sites: Sites, settings: Any
) -> None:
    sign_up(client)
    settings.SOCIALACCOUNT_PROVIDERS = {}
    page = client.get("/me/ways/").content.decode()
    assert "not offered by this site at present" in page
    assert "Ingrid" in page


def test_erasing_takes_them_along(client: Client, sites: Sites) -> None:
    sign_up(client)
    services.erase(User.objects.get(), timezone.now())
    assert not SocialAccount.objects.exists()


def test_how_often_one_goes_there_is_counted(client: Client, sites: Sites) -> None:
    answers = [client.post("/sign-in/discord/").status_code for _ in range(61)]
    assert (answers[59], answers[60]) == (200, 429)


def test_no_log_tells_what_came_back() -> None:
    line = (
        "GET /sign-in/discord/back/?code=abc123&state=xyz789 and"
        " openid.sig=c2ln&openid.response_nonce=2026 client_secret=tops"
    )
    assert (
        masked(line)
        == "GET /sign-in/discord/back/?code=…&state=… and openid.sig=…&openid.response_nonce=…"
        " client_secret=…"
    )


def test_what_waits_to_be_linked_does_not_wait_for_long(
    client: Client, person: Person, sites: Sites
) -> None:
    """A browser may have several users, and two browsers one account elsewhere."""
    person("Ingrid")
    with time_machine.travel(datetime(2026, 11, 5, 12, tzinfo=UTC), tick=False) as clock:
        sign_in_at_site(client)
        clock.shift(31 * 60)
        assert client.get("/sign-up/elsewhere/").headers["Location"] == "/sign-in/"
        sign_in_by_password(client)
        assert client.get("/me/ways/link/").headers["Location"] == "/me/ways/"
        second, third = Client(), Client()
        for browser in (second, third):
            sign_in_at_site(browser)
        sign_in_by_password(second)
        assert (
            "The account is linked"
            in second.post("/me/ways/link/", {"do": "link"}, follow=True).content.decode()
        )
        form = {"username": "Marozia", "email": "marozia@example.org"}
        assert third.post("/sign-up/elsewhere/", form).headers["Location"] == "/sign-in/"
        person("Owen")
        fourth = Client()
        sign_in_at_site(fourth)
        assert is_signed_in(fourth) == "Ingrid"
        assert SocialAccount.objects.count() == 1


def test_a_second_factor_is_asked_for_after_an_account_elsewhere(
    client: Client, sites: Sites
) -> None:
    sign_up(client)
    user = User.objects.get()
    EmailAddress.objects.update(verified=True)
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    other = Client()
    assert sign_in_at_site(other, next="/me/").headers["Location"] == "/sign-in/second/"
    assert is_signed_in(other) is None
    other.post("/sign-in/second/", {"code": totp("JBSWY3DPEHPK3PXP")})
    assert is_signed_in(other) == "Marozia"
