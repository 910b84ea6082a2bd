"""Sign-up, sign-in, sign-out, passwords, through the pages."""

import re
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client

from campaign.services import found_campaign, invite
from people.models import find_by_login
from tests.conftest import PASSWORD
from tests.web.contests import visible_text

Person = Callable[..., Any]
pytestmark = pytest.mark.django_db
TOO_MANY = "Too many attempts. Wait five minutes, then try again."
FORM = {
    "username": "Marozia",
    "email": "marozia@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "time_zone": "Europe/Rome",
}

ME = {
    "username": "Inga",
    "language": "en",
    "time_zone": "Europe/Rome",
    "theme": "dark",
    "forum_name": "Ingrid of the forum",
    "fog2_name": "ingrid_fog",
}


def is_signed_in(client: Client) -> str | None:
    pk = client.session.get("_auth_user_id")
    return get_user_model().objects.get(pk=pk).username if pk else None


def test_sign_up_signs_in_and_keeps_the_zone(client: Client) -> None:
    assert client.post("/sign-up/", FORM).status_code == 302
    assert is_signed_in(client) == "Marozia"
    user = get_user_model().objects.get()
    assert (user.time_zone, user.email, user.demo, user.is_staff) == (
        "Europe/Rome",
        "marozia@example.org",
        False,
        False,
    )


def test_sign_up_goes_on_to_where_one_was_going(client: Client) -> None:
    assert 'name="next" value="/me/"' in client.get("/sign-up/?next=/me/").content.decode()
    assert client.post("/sign-up/", {**FORM, "next": "/me/"}).headers["Location"] == "/me/"
    assert (
        Client()
        .post(
            "/sign-in/", {"login": "Marozia", "password": PASSWORD, "next": "https://else.example/"}
        )
        .headers["Location"]
        == "/"
    )


@pytest.mark.parametrize(
    ("field", "value", "content"),
    [
        ("username", "a@b.example", "A name can contain only letters"),
        ("username", "Maro\x01zia", "A name can contain only letters"),
        ("username", "M\x00", "Null characters"),
        ("username", "x" * 61, "at most 60"),
        ("email", "marozia", "valid email"),
        ("password2", "another one altogether", "same password"),
        ("time_zone", "Mars/Olympus", "valid choice"),
    ],
)
def test_sign_up_says_what_is_wrong_and_keeps_what_was_typed(
    client: Client, field: str, value: str, content: str
) -> None:
    answer = client.post("/sign-up/", {**FORM, field: value})
    page = answer.content.decode()
    assert content in page
    assert "field__error" in page
    assert 'aria-invalid="true"' in page
    if field != "email":
        assert 'value="marozia@example.org"' in page
    assert not get_user_model().objects.exists()


@pytest.mark.parametrize("password", ["short", "password", "12345678901", "marozia@example.org"])
def test_weak_passwords_are_refused(client: Client, password: str) -> None:
    client.post("/sign-up/", {**FORM, "password1": password, "password2": password})
    assert not get_user_model().objects.exists()


@pytest.mark.parametrize("name", ["Élodie", "élodie", "ÉLODIE"])
def test_a_taken_name_is_taken_in_any_case(client: Client, person: Person, name: str) -> None:
    person("Élodie", email="e@example.org")
    assert (
        "This name is already taken"
        in client.post("/sign-up/", {**FORM, "username": name}).content.decode()
    )
    assert get_user_model().objects.count() == 1


def test_a_taken_address_is_answered_as_a_free_one(client: Client, person: Person) -> None:
    """Only its owner is notified, by a letter without a link.

    The new user is never found by the address.
    """
    person("Ingrid", email="marozia@example.org")
    free = Client().post("/sign-up/", {**FORM, "username": "Free", "email": "free@example.org"})
    taken = client.post("/sign-up/", {**FORM, "email": "Marozia@Example.org"})
    assert (taken.status_code, taken.headers["Location"]) == (
        free.status_code,
        free.headers["Location"],
    )
    page = client.get("/me/").content.decode()
    assert "example.org" in page.lower()
    to_free, to_owner = mail.outbox
    assert (to_free.to, to_owner.to) == (["free@example.org"], ["marozia@example.org"])
    assert "/me/email/" in to_free.body
    assert to_owner.subject == "You already have an account"
    assert "/me/email/" not in to_owner.body
    assert "http://127.0.0.1:8000/password/" in to_owner.body
    assert find_by_login("marozia@example.org") == get_user_model().objects.get(username="Ingrid")
    # The account lives on by its name, and is saved like any other.
    assert (
        client.post(
            "/me/", {"username": "Marozia", "language": "", "time_zone": "UTC", "theme": "dark"}
        ).status_code
        == 302
    )


@pytest.mark.parametrize(
    "login", ["Ingrid", "ingrid@example.org", "Nobody", "nobody@example.org", "Without"]
)
def test_a_wrong_password_takes_the_same_time_for_every_name(
    person: Person, settings: Any, login: str
) -> None:
    """Each attempt computes one hash, so the time reveals nothing."""
    person("Ingrid")
    get_user_model().objects.create_user(
        username="Without", email="without@example.org", password=None
    )
    hashed: list[str] = []

    class Counted(MD5PasswordHasher):
        def encode(self, password: str, salt: str) -> str:
            hashed.append(password)
            return super().encode(password, salt)

    with (
        mock.patch("django.contrib.auth.hashers.get_hashers", return_value=[Counted()]),
        mock.patch("django.contrib.auth.hashers.get_hasher", return_value=Counted()),
    ):
        assert Client().post("/sign-in/", {"login": login, "password": "wrong"}).status_code == 200
    assert len(hashed) == 1


def test_two_sign_ups_at_once_with_one_name(client: Client, person: Person) -> None:
    """Both forms were valid when they were read; the second finds the name gone when it writes."""
    person("Marozia", email="first@example.org")
    with mock.patch(
        "people.sign_in_ways.Adapter.clean_username", lambda self, name, shallow=False: name
    ):
        answer = client.post("/sign-up/", {**FORM, "username": "marozia"})
    assert answer.status_code == 200
    assert "has just been taken" in answer.content.decode()
    assert is_signed_in(client) is None


@pytest.mark.parametrize(
    "login", ["Élodie", "élodie", "ÉLODIE", " Élodie ", "e@example.org", "E@Example.org"]
)
def test_sign_in_by_name_or_address_in_any_case(client: Client, person: Person, login: str) -> None:
    person("Élodie", email="e@example.org")
    client.post("/sign-in/", {"login": login, "password": PASSWORD})
    assert is_signed_in(client) == "Élodie"


def test_a_wrong_password_and_an_unknown_name_read_alike(client: Client, person: Person) -> None:
    person("Ingrid")
    for login in ("Ingrid", "Nobody"):
        page = client.post(
            "/sign-in/", {"login": login, "password": "not this one"}
        ).content.decode()
        assert "The name and password do not match" in page
    assert is_signed_in(client) is None


def test_guessing_ends_after_a_few_tries(client: Client, person: Person) -> None:
    person("Ingrid")
    answers = [
        client.post("/sign-in/", {"login": "Ingrid", "password": f"guess {n}"}) for n in range(7)
    ]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 3
    assert "Too many attempts Please wait a little" in visible_text(answers[-1])
    client.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    assert is_signed_in(client) is None


def test_an_inactive_user_gets_an_explanation(client: Client, person: Person) -> None:
    person("Ingrid", is_active=False)
    answer = client.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD}, follow=True)
    assert "This account is closed" in answer.content.decode()
    assert is_signed_in(client) is None


def test_sign_out_is_a_post(client: Client, person: Person) -> None:
    client.force_login(person("Ingrid"))
    assert "Sign out" in client.get("/sign-out/").content.decode()
    assert is_signed_in(client) == "Ingrid"
    client.post("/sign-out/")
    assert is_signed_in(client) is None


def test_an_answer_to_a_request_from_before_the_sign_in_signs_no_one_out(
    client: Client, person: Person
) -> None:
    """A browser that fetches a page beside the form of a link may send the old cookie."""
    campaign = found_campaign(person("Ingrid"), "grand_campaign", "The Seven", "420ad", {})
    link = invite(campaign, campaign.founder, "huns")[1]
    client.get(f"/join/{link}/")
    late = Client()
    late.cookies["sessionid"] = client.cookies["sessionid"].value
    assert client.post("/sign-up/", FORM).status_code == 302
    assert "sessionid" not in late.get("/offline/").cookies
    assert is_signed_in(client) == "Marozia"
    assert client.post("/sign-out/").cookies["sessionid"].value == ""


def test_change_of_password(client: Client, person: Person) -> None:
    client.force_login(person("Ingrid"))
    form = {
        "oldpassword": PASSWORD,
        "password1": "another long one",
        "password2": "another long one",
    }
    page = client.post("/me/password/", {**form, "oldpassword": "wrong"}).content.decode()
    assert "Current password" in page
    assert "Enter your current password" in page
    answer = client.post("/me/password/", form, follow=True)
    assert "Your password has been changed." in answer.content.decode()
    assert get_user_model().objects.get().check_password("another long one")
    assert is_signed_in(client) == "Ingrid"


def test_a_forgotten_password_by_a_link_that_works_once(client: Client, person: Person) -> None:
    person("Ingrid", email="ingrid@example.org")
    page = client.post("/password/", {"email": "INGRID@example.org"}, follow=True).content.decode()
    assert "Check your e-mail" in page
    (letter,) = mail.outbox
    assert letter.subject == "Set a new password at Tabula"
    match = re.search(r"http://127\.0\.0\.1:8000(/password/key/\S+)", letter.body)
    assert match
    key = client.get(match[1]).headers["Location"]
    assert "Repeat the new password" in client.get(key).content.decode()
    client.post(key, {"password1": "another long one", "password2": "another long one"})
    assert get_user_model().objects.get().check_password("another long one")
    assert "This link has already been used" in Client().get(match[1], follow=True).content.decode()


def test_an_unknown_address_reads_like_a_known_one_and_gets_no_mail(client: Client) -> None:
    page = client.post("/password/", {"email": "nobody@example.org"}, follow=True).content.decode()
    assert "Check your e-mail" in page
    assert mail.outbox == []


def test_ones_own_account(client: Client, person: Person) -> None:
    assert client.get("/me/").headers["Location"] == "/sign-in/?next=/me/"
    client.force_login(person("Ingrid"))
    assert client.post("/me/", {**ME, "owns_mare_nostrum": "on"}).status_code == 302
    user = get_user_model().objects.get()
    assert (user.username, user.time_zone, user.theme, user.language) == (
        "Inga",
        "Europe/Rome",
        "dark",
        "en",
    )
    assert (user.fog2_name, user.forum_name, user.owns_mare_nostrum) == (
        "ingrid_fog",
        "Ingrid of the forum",
        True,
    )
    page = client.get("/me/").content.decode()
    assert "Times in Europe/Rome" in page
    assert '<html lang="en" data-theme="dark">' in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"fog2_name": "a\x07"},
        {"fog2_name": "x" * 61},
        {"forum_name": "two\nlines"},
        {"forum_name": "a\u2028b"},
        {"time_zone": "Nowhere"},
        {"theme": "pink"},
        {"language": "la"},
        {"username": ""},
        {"username": "x" * 61},
        {"username": "a\nb"},
        {"username": "OWEN"},
    ],
)
def test_what_ones_own_account_refuses(
    client: Client, person: Person, wrong: dict[str, str]
) -> None:
    person("Owen")
    client.force_login(person("Ingrid"))
    assert client.post("/me/", {**ME, **wrong}).status_code == 422
    assert get_user_model().objects.get(username="Ingrid").theme == "system"


def test_a_name_may_have_sixty_characters(client: Client, person: Person) -> None:
    client.force_login(person("Ingrid"))
    assert client.post("/me/", {**ME, "username": "ß" * 60}).status_code == 302
    assert get_user_model().objects.get().username == "ß" * 60
    assert client.post("/me/", {**ME, "username": "I"}).status_code == 302


def test_anonymous_visitors_and_the_system_theme_follow_the_device(
    client: Client, person: Person
) -> None:
    assert '<html lang="en">' in client.get("/").content.decode()
    client.force_login(person("Ingrid"))
    assert '<html lang="en">' in client.get("/").content.decode()


def test_a_game_master_is_offered_the_second_factor(client: Client, person: Person) -> None:
    ingrid = person("Ingrid")
    client.force_login(ingrid)
    assert "you run a campaign" not in client.get("/me/").content.decode()
    found_campaign(
        ingrid, "grand_campaign", "The Long Frontier", "420ad", {}, "Europe/Rome", "listed"
    )
    page = client.get("/me/").content.decode()
    assert 'href="/me/second-factor/"' in page
    assert "you run a campaign, and it would protect your desk" in page
    assert "/me/second-factor/" not in client.get("/").content.decode()  # no one has to change it


@pytest.mark.parametrize(
    ("address", "queries"), [("/me/", 7), ("/me/second-factor/", 5), ("/sign-in/", 0)]
)
def test_queries(
    client: Client, person: Person, django_assert_max_num_queries: Any, address: str, queries: int
) -> None:
    """At most: the bell of the bar may be spared."""
    if queries:
        client.force_login(person("Ingrid"))
    client.get(address)
    with django_assert_max_num_queries(queries):
        assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short-horse", "at least 12 characters"),
        ("123456789012", "entirely numeric"),
        ("1q2w3e4r5t6y", "too common"),
    ],
)
def test_a_password_has_twelve_characters_and_is_no_common_one(
    client: Client, password: str, why: str
) -> None:
    """At sign-up, where it is changed, and where a letter's link sets one."""
    refused = client.post("/sign-up/", {**FORM, "password1": password, "password2": password})
    assert why in refused.content.decode()
    client.post("/sign-up/", FORM)
    change = {"oldpassword": PASSWORD, "password1": password, "password2": password}
    assert why in client.post("/me/password/", change).content.decode()
    client.post("/sign-out/")
    client.post("/password/", {"email": FORM["email"]})
    address = re.search(r"/password/key/\S+", mail.outbox[-1].body)
    assert address
    form = client.get(address[0], follow=True).redirect_chain[-1][0]
    assert why in client.post(form, change).content.decode()
