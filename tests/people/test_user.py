"""The custom user: one name and one address in whatever case, in every alphabet."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from people.models import find_by_login, find_by_name

Person = Callable[..., Any]


@pytest.mark.parametrize(
    ("first", "second"), [("Ingrid", "INGRID"), ("Élodie", "élodie"), ("Straße", "strasse")]
)
def test_names_are_unique_in_any_case(person: Person, first: str, second: str) -> None:
    person(first, email="one@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        person(second, email="two@example.org")


def test_addresses_are_unique_in_any_case(person: Person) -> None:
    person("Ingrid", email="ingrid@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        person("Other", email="Ingrid@Example.org")


def test_any_number_of_people_have_no_address(person: Person) -> None:
    person("Ingrid", email="")
    person("Owen", email="")
    assert get_user_model().objects.filter(email_folded=None).count() == 2


def test_a_renamed_user_frees_the_old_name(person: Person) -> None:
    ingrid = person("Ingrid")
    ingrid.username = "Inga"
    ingrid.save()
    assert person("INGRID", email="other@example.org").pk


def test_the_model_refuses_what_the_form_refuses(person: Person) -> None:
    ingrid = person("Ingrid")
    for field, value in {
        "username": "a@b",
        "time_zone": "Mars/Olympus",
        "fog2_name": "a\x00b",
    }.items():
        broken = get_user_model().objects.get(pk=ingrid.pk)
        setattr(broken, field, value)
        with pytest.raises(ValidationError) as refused:
            broken.full_clean()
        assert list(refused.value.message_dict) == [field]


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "Ingrid\x00", "a\x00b@example.org", "\ud800", "x" * 5000], ids=ascii
)
def test_an_impossible_name_finds_no_user(person: Person, text: str) -> None:
    """On PostgreSQL too, which takes no NUL in a query."""
    person("Ingrid", email="")
    assert find_by_name(text) is None
    assert find_by_login(text) is None


def test_a_user_is_found_in_any_case(person: Person) -> None:
    ingrid = person("Ingrid", email="ingrid@example.org")
    assert (
        find_by_name(" INGRID ")
        == find_by_login("ingrid")
        == find_by_login("Ingrid@Example.ORG ")
        == ingrid
    )
    assert find_by_name("ingrid@example.org") is None


def test_the_admin_reads_and_writes_nothing(person: Person, client: Client) -> None:
    chief = person("Chief", is_staff=True, is_superuser=True)
    ingrid = person("Ingrid")
    client.force_login(chief)
    page = client.get(f"/admin/people/user/{ingrid.pk}/change/").content.decode()
    assert "Ingrid" in page
    assert ingrid.password not in page
    assert "md5" not in page
    assert client.get("/admin/people/user/").status_code == 200
    assert client.get("/admin/people/user/add/").status_code == 403
    assert (
        client.post(f"/admin/people/user/{ingrid.pk}/change/", {"username": "X"}).status_code == 403
    )
    assert (
        client.post(f"/admin/people/user/{ingrid.pk}/delete/", {"post": "yes"}).status_code == 403
    )
    ingrid.refresh_from_db()
    assert ingrid.username == "Ingrid"


def test_the_admin_is_for_staff_by_the_sites_own_sign_in(person: Person, client: Client) -> None:
    assert client.get("/admin/login/").headers["Location"].startswith("/sign-in/")
    client.force_login(person("Ingrid"))
    assert client.get("/admin/login/").status_code == 403
