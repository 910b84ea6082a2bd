"""Guests: playing at once without an account, and getting an account without losing campaigns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client, RequestFactory

from campaign import services
from campaign.errors import NotAllowed, Refused
from campaign.hosting.audit import differences
from campaign.models import Campaign, Membership
from people.models import User
from tests.alone import patience
from tests.conftest import PASSWORD
from web.board import play_at_once

__all__ = ["patience"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("patience")]

SIGN_UP = {
    "username": "Ingrid",
    "email": "ingrid@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "time_zone": "UTC",
}


def start(client: Client) -> Campaign:
    answer = client.post("/play/patience/")
    assert answer.status_code == 303
    created = Campaign.objects.order_by("-pk")[0]
    assert answer["Location"] == f"/c/{created.address}/"
    return created


def rest(client: Client, campaign: Campaign) -> Any:
    campaign.refresh_from_db()
    return client.post(
        f"/c/{campaign.address}/act/", {"do": "rest", "seen": str(campaign.last_sequence)}
    )


def holder(campaign: Campaign) -> User:
    return Membership.objects.get(campaign=campaign, role="seat", until=None).user


def test_a_guest_plays_at_once_from_the_first_page(client: Client) -> None:
    page = client.get("/").content.decode()
    assert 'action="/play/patience/"' in page
    assert "Play Patience now" in page
    assert 'src="/static/mark.svg"' in page
    assert User.objects.count() == 0
    campaign = start(client)
    guest = holder(campaign)
    assert re.fullmatch(r"Guest \d{4}", guest.username)
    assert (guest.guest, guest.email, guest.has_usable_password()) == (True, "", False)
    assert (campaign.name, campaign.visibility, campaign.status) == (
        "The hill of Moldwarp",
        "unlisted",
        "running",
    )
    assert rest(client, campaign).status_code == 303
    assert client.session.get_expiry_age() >= 30 * 24 * 3600
    assert guest.username in client.get("/").content.decode()
    assert not mail.outbox


def test_the_same_browser_stays_the_same_guest(client: Client) -> None:
    first, second = start(client), start(client)
    assert holder(first) == holder(second)
    assert User.objects.count() == 1
    assert "The hill of Moldwarp" in client.get("/").content.decode()


def test_a_double_click_makes_one_guest_and_one_campaign() -> None:
    window = Client(enforce_csrf_checks=True)
    window.get("/sign-in/")
    secret = window.cookies["csrftoken"].value
    answers = []
    for _ in range(
        2
    ):  # as a browser sends them: the second before it has read the answer to the first
        click = Client(enforce_csrf_checks=True)
        click.cookies["csrftoken"] = secret
        answers.append((click, click.post("/play/patience/", {"csrfmiddlewaretoken": secret})))
    assert [answer.status_code for _, answer in answers] == [303, 303]
    assert User.objects.count() == Campaign.objects.count() == 1
    campaign = Campaign.objects.get()
    second, answer = answers[1]
    assert answer["Location"] == f"/c/{campaign.address}/"
    assert holder(campaign).username in second.get("/").content.decode()


def test_a_waiting_click_counts_as_the_first_if_the_first_is_forgotten(
    client: Client, person: Callable[..., Any]
) -> None:
    user = person("Marozia")
    client.force_login(user)
    asked = RequestFactory().post("/play/patience/")
    asked.user = user
    cache.set(play_at_once.key_of(asked, "patience"), [], 0.3)
    answer = client.post("/play/patience/")
    assert answer["Location"] == f"/c/{Campaign.objects.get().address}/"


def test_a_signed_in_user_plays_under_their_own_account(
    client: Client, person: Callable[..., Any]
) -> None:
    user = person("Marozia")
    client.force_login(user)
    assert holder(start(client)) == user
    assert User.objects.count() == 1


def test_looking_creates_no_guest(client: Client) -> None:
    for path in ("/", "/play/patience/", "/found/", "/me/", "/sign-up/", "/notices/"):
        client.get(path)
    assert client.get("/play/patience/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/play/patience/").status_code == 403
    assert client.post("/play/nothing/").status_code == 404
    assert client.post("/play/grand_campaign/").status_code == 404
    assert User.objects.count() == Campaign.objects.count() == 0


def test_guests_from_one_address_are_limited_each_hour() -> None:
    answers = [Client().post("/play/patience/").status_code for _ in range(21)]
    assert answers == [303] * 20 + [429]
    assert User.objects.count() == 20
    assert Client(REMOTE_ADDR="192.0.2.7").post("/play/patience/").status_code == 303


def test_signing_up_turns_the_guest_into_the_account(client: Client) -> None:
    campaign = start(client)
    guest = holder(campaign)
    page = client.get("/sign-up/").content.decode()
    assert "You keep the game that you have begun." in page
    assert client.post("/sign-up/", SIGN_UP).status_code == 302
    account = User.objects.get()
    assert (account.pk, account.username, account.guest) == (guest.pk, "Ingrid", False)
    assert account.check_password(PASSWORD)
    assert holder(campaign) == account
    assert rest(client, campaign).status_code == 303
    again = Client()
    assert again.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}).status_code == 302
    assert "Ingrid" in again.get("/me/").content.decode()
    campaign.refresh_from_db()
    assert list(differences(campaign)) == []


def test_a_wrong_sign_up_changes_nothing(client: Client, person: Callable[..., Any]) -> None:
    person("Ingrid")
    guest = holder(start(client))
    assert client.post("/sign-up/", SIGN_UP).status_code == 200
    guest.refresh_from_db()
    assert (guest.guest, guest.has_usable_password()) == (True, False)


def test_signing_in_passes_the_guest_s_seats_to_the_account(
    client: Client, person: Callable[..., Any]
) -> None:
    account = person("Ingrid")
    campaign = start(client)
    rest(client, campaign)
    guest = holder(campaign)
    assert "You keep the game that you have begun." in client.get("/sign-in/").content.decode()
    answer = client.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}, follow=True)
    assert (
        f"What you played as {guest.username} is yours now: The hill of Moldwarp."
        in answer.content.decode()
    )
    held = Membership.objects.filter(campaign=campaign, until=None).values_list("role", "user")
    assert set(held) == {("game_master", account.pk), ("seat", account.pk)}
    guest.refresh_from_db()
    assert (guest.is_active, guest.merged_into) == (False, account)
    campaign.refresh_from_db()
    last = campaign.entries.last()
    assert last is not None
    assert last.content == {"act": "guest", "how": "merged", "from": guest.pk, "user": account.pk}
    log = client.get(f"/c/{campaign.address}/log/").content.decode()
    assert f"Everything {guest.username} had as a guest now belongs to Ingrid." in log
    assert list(differences(campaign)) == []
    assert (
        client.post(
            f"/c/{campaign.address}/onward/", {"how": "on", "seen": str(campaign.last_sequence)}
        ).status_code
        == 303
    )


def test_signing_in_by_a_code_passes_the_seats_too(
    client: Client, person: Callable[..., Any]
) -> None:
    account, campaign = person("Ingrid"), start(client)
    client.post("/sign-in/code/", {"email": "Ingrid"})
    (letter,) = mail.outbox
    code = re.search(r"^\s*([A-Z0-9]{3,4}-?[A-Z0-9]{3,4})\s*$", letter.body, re.MULTILINE)
    assert code
    assert client.post("/sign-in/code/type/", {"code": code[1]}).status_code == 302
    assert holder(campaign) == account


def test_a_copy_is_played_at_once_too(client: Client) -> None:
    campaign = start(client)
    answer = client.post(f"/c/{campaign.address}/about/", {"do": "copy"}, follow=True)
    assert "with the same terms and new dice." in answer.content.decode()
    created = Campaign.objects.order_by("-pk")[0]
    assert (created.name, created.status, created.turn) == (
        "The hill of Moldwarp (copy)",
        "running",
        1,
    )
    assert holder(created) == holder(campaign)
    assert created.commitment != campaign.commitment


def test_a_wrong_password_passes_no_seats(client: Client, person: Callable[..., Any]) -> None:
    person("Ingrid")
    campaign = start(client)
    guest = holder(campaign)
    client.post("/sign-in/", {"login": "Ingrid", "password": "wrong"})
    assert holder(campaign) == guest
    assert rest(client, campaign).status_code == 303


def test_two_windows_of_one_guest(client: Client, person: Callable[..., Any]) -> None:
    """The second window that signs in finds no seats left and is no longer the guest."""
    first, second = person("Ingrid"), person("Benedetto")
    campaign = start(client)
    other, third = Client(), Client()
    for window in (other, third):
        window.cookies["sessionid"] = client.cookies["sessionid"].value
        assert window.get(f"/c/{campaign.address}/").status_code == 200
    number = client.session["guest"]
    client.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    copy = other.session  # the session of a second browser with the guest's cookie
    copy["guest"] = number
    copy.save()
    other.cookies["sessionid"] = copy.session_key
    assert other.get("/me/").status_code == 302
    other.post("/sign-in/", {"login": "Benedetto", "password": PASSWORD})
    assert holder(campaign) == first
    assert not Membership.objects.filter(user=second).exists()
    assert campaign.entries.filter(content_json__contains='"merged"').count() == 1


def test_merging_twice_is_no_error(client: Client, person: Callable[..., Any]) -> None:
    account, campaign = person("Ingrid"), start(client)
    guest = holder(campaign)
    assert services.merge_guest(guest, account) == [campaign]
    assert services.merge_guest(guest, account) == []
    assert services.merge_guest(account, account) == []
    assert Membership.objects.filter(campaign=campaign, until=None).count() == 2


def test_a_guest_is_warned_before_signing_out(client: Client) -> None:
    campaign = start(client)
    page = client.get("/sign-out/").content.decode()
    assert "Sign out and lose everything" in page
    assert "Create an account" in page
    assert (
        '<form class="only-wide" method="get" action="/sign-out/">'
        in client.get("/").content.decode()
    )
    client.post("/sign-out/")
    assert "Guest" not in client.get("/").content.decode()
    assert client.get(f"/c/{campaign.address}/").status_code == 200
    assert rest(client, campaign).status_code == 302


def test_the_guest_s_own_page(client: Client) -> None:
    campaign = start(client)
    page = client.get("/me/").content.decode()
    assert "Keep what you have played" in page
    assert 'name="username"' not in page
    data = {"language": "en", "time_zone": "Europe/Rome", "theme": "dark", "username": "Marozia"}
    assert client.post("/me/", data).status_code == 302
    guest = holder(campaign)
    assert (guest.time_zone, guest.theme) == ("Europe/Rome", "dark")
    assert guest.username.startswith("Guest ")


@pytest.mark.parametrize(
    "path",
    ["/me/password/", "/me/email/", "/me/again/", "/me/second-factor/", "/me/second-factor/on/"],
)
def test_guests_cannot_use_what_needs_an_account(client: Client, path: str) -> None:
    start(client)
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/")


def test_guests_cannot_reach_other_users(client: Client, person: Callable[..., Any]) -> None:
    master, campaign = person("Marozia"), start(client)
    guest = holder(campaign)
    grand = services.found_campaign(
        master, "grand_campaign", "The Long Frontier", "420ad", visibility="listed"
    )
    _, token = services.invite(grand, master, "huns")
    refused = [
        lambda: services.take_seat(guest, token),
        lambda: services.join_waiting_list(grand, guest),
        lambda: services.found_campaign(guest, "grand_campaign", "Mine", "420ad"),
    ]
    services.open_lobby(grand, master)
    refused.append(lambda: services.apply_for_seat(grand, guest, ["romans"]))
    for deed in refused:
        with pytest.raises(NotAllowed, match="Guests can only play alone"):
            deed()
    sent = client.post("/found/", {"title": "grand_campaign", "name": "Mine", "scenario": "420ad"})
    assert (sent.status_code, sent["Location"]) == (302, "/sign-up/?next=%2Ffound%2F")
    assert not Campaign.objects.filter(name="Mine").exists()
    assert client.post(f"/c/{campaign.address}/rulings/", {"text": "So it is."}).status_code == 403
    assert client.post(f"/join/{token}/", {"seat": "huns"}).status_code == 302
    shown = client.get(f"/join/{token}/", follow=True).content.decode()
    assert "Create an account" in shown
    assert "Take the seat" not in shown
    assert "Sign in to apply" in client.get(f"/c/{grand.address}/lobby/").content.decode()
    assert not mail.outbox
    assert not Membership.objects.filter(campaign=grand, user=guest).exists()


def test_a_campaign_for_one_invites_and_replaces_no_one(client: Client) -> None:
    campaign = start(client)
    guest = holder(campaign)
    User.objects.filter(pk=guest.pk).update(guest=False)
    guest.refresh_from_db()
    for deed in (
        lambda: services.invite(campaign, guest),
        lambda: services.hand_over_link(campaign, guest, "mole"),
        lambda: services.invite_master(campaign, guest),
        lambda: services.vacate(campaign, guest, "mole"),
        lambda: services.open_lobby(campaign, guest),
        lambda: services.join_waiting_list(campaign, guest),
    ):
        with pytest.raises(Refused, match="This is a game for one person"):
            deed()


def test_a_guest_founds_with_own_terms(client: Client, person: Callable[..., Any]) -> None:
    client.force_login(person("Marozia"))
    page = client.get("/found/?title=patience").content.decode()
    assert 'value="Moldwarp"' in page
    assert 'name="soft"' in page
    assert "Grand Campaign" in page
    assert "time_zone" not in page
    data = {
        "title": "patience",
        "mole": "Mole & Sons",
        "soft": "1",
        "name": "",
        "visibility": "listed",
    }
    assert client.post("/found/", data).status_code == 303
    created = Campaign.objects.get()
    assert (created.name, created.visibility, created.turn) == (
        "The hill of Mole & Sons",
        "listed",
        1,
    )
    about = client.get(f"/c/{created.address}/about/").content.decode()
    assert "<dt>Earth</dt><dd>soft</dd>" in about


@pytest.mark.parametrize(
    ("data", "content"),
    [
        ({"mole": ""}, "Has 1 to 40 characters."),
        ({"mole": "x" * 41}, "Has 1 to 40 characters."),
        ({"name": "\x07"}, "A campaign needs a name"),
        ({"visibility": "members"}, "Choose listed or unlisted"),
        ({"visibility": "nonsense"}, "A campaign must be listed"),
    ],
)
def test_wrong_terms_keep_what_was_typed(
    client: Client, person: Callable[..., Any], data: dict[str, str], content: str
) -> None:
    client.force_login(person("Marozia"))
    answer = client.post(
        "/found/",
        {"title": "patience", "mole": '<b>"', "name": "", "visibility": "unlisted", **data},
    )
    assert answer.status_code == 422
    assert content in answer.content.decode()
    if "mole" not in data:
        assert "&lt;b&gt;&quot;" in answer.content.decode()
    assert not Campaign.objects.exists()
