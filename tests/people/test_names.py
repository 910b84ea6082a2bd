"""Names that could be taken for another person's, or for a role of this site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import translation

from people import names, services
from people.models import User, look_alike
from people.names import not_reserved, one_script, skeleton
from tests.conftest import confirm

PASSWORD = "an owl on the old roof"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pia", "рiа"),  # Cyrillic er and a
        ("pop", "рор"),  # all Cyrillic
        ("Ingrid", "lngrid"),  # a small L
        ("Ingrid", "1ngrid"),
        ("Otto", "0tt0"),
        ("Bernd", "Bemd"),
        ("Alba", "ΑΙba"),  # Greek capitals
        ("pia", "p.i_a"),
        ("pia", "𝐩𝐢𝐚"),  # mathematical letters
        ("pia", "ｐｉａ"),  # wide letters
        ("Élodie", "E\u0301lodie"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ingrid", "Ingrit"),
        ("Pia", "Mia"),
        ("Élodie", "Elodie"),
        ("Ivan", "Inan"),
        ("Нина", "Huha"),
        ("Ann", "Anna"),
    ],
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize("text", ["рia", "Aλex", "Ingrid Ж", "Gаme master", "ดpia"])
def test_a_name_has_one_script(text: str) -> None:
    with pytest.raises(ValidationError, match="several alphabets"):
        one_script(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ingrid 2",
        "Нина",
        "李_白",
        "ひらがなカナ漢",
        "한국어 漢",
        "Μαρία",
        "देविका",
        "d'Este",
        "Élodie",
    ],
)
def test_one_language_is_one_script(text: str) -> None:
    one_script(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "admin",
            "Admin",
            "ADMIN",
            "adm1n",
            "аdmin",
            "admin 2",
            "admin2",
            "a.d.m.i.n",
            "AdminTom",
            "SuperAdmin",
            "Tom the admin",
        ),
        *(
            "moderator",
            "m0derator",
            "Moderator-Pia",
            "gm",
            "GM",
            "g.m",
            "The GM",
            "gm_tom",
            "Game master",
            "game-master",
        ),
        *(
            "GameMaster",
            "Game Master Tom",
            "gamernaster",
            "host",
            "The Host",
            "Tabula",
            "Administrator",
        ),
        *("Spielleitung", "Spielleiter Tom", "Betreiber", "Moderatorin", "Moderation"),
        *("Arbitro", "Moderatore", "amministratore", "gestore"),
        *("Árbitro", "arbitro", "Moderador", "administrador", "Anfitrión", "anfitrion"),
    ],
)
def test_roles_are_reserved(text: str) -> None:
    with pytest.raises(ValidationError, match="role"):
        not_reserved(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ingrid",
        "G. M. Trevelyan",
        "Modesta",
        "Hostilian",
        "Gmelin",
        "Tom",
        "Arbogast",
        "S. L. A. Marshall",
    ],
)
def test_other_names_are_not(text: str) -> None:
    not_reserved(text)


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_what_the_pages_call_the_roles_is_reserved(language: str) -> None:
    with translation.override(language):
        for role in ("Game master", "game master", "co-game-master"):
            assert names.is_reserved(translation.gettext(role)), (
                f"{language}: {translation.gettext(role)}"
            )


def sign_up(name: str, email: str = "new@example.org") -> Any:
    data = {
        "username": name,
        "email": email,
        "password1": PASSWORD,
        "password2": PASSWORD,
        "time_zone": "Europe/Rome",
    }
    return Client().post(reverse("account_signup"), data)


@pytest.mark.django_db
def test_no_one_signs_up_with_such_a_name(person: Callable[..., Any]) -> None:
    person("pia")
    for name, why in {
        "рia": "several alphabets",
        "p1a": "is too similar to someone else’s name",
        "PIA": "This name is already taken",
        "admin": "taken for a role",
        "Game master": "taken for a role",
        "gm": "taken for a role",
        "moderator": "taken for a role",
        "a forrner player": "for people who have left",
    }.items():
        answer = sign_up(name)
        assert (answer.status_code, why in answer.content.decode()) == (200, True), name
    assert User.objects.count() == 1
    assert sign_up("Pio").status_code == 302
    assert User.objects.filter(username="Pio").exists()


@pytest.mark.django_db
def test_a_name_is_changed_by_the_same_rules(person: Callable[..., Any]) -> None:
    person("pia")
    user = confirm(person("Tom"))
    client = Client()
    client.force_login(user)
    form = {"language": "en", "time_zone": "UTC", "theme": "dark"}
    for name, why in {
        "рia": "several alphabets",
        "p1a": "is too similar",
        "The GM": "taken for a role",
    }.items():
        answer = client.post("/me/", {"username": name, **form})
        assert (answer.status_code, why in answer.content.decode()) == (422, True), name
    assert client.post("/me/", {"username": "Tomas", **form}).status_code == 302
    assert look_alike("T0mas").username == "Tomas"  # type: ignore[union-attr]
    assert look_alike("Tom") is None


@pytest.mark.django_db
def test_a_user_with_such_a_name_keeps_it(person: Callable[..., Any]) -> None:
    person("pia")
    old = User(username="рia", email="old@example.org")
    old.set_password(PASSWORD)
    old.save()
    client = Client()
    assert (
        client.post(reverse("account_login"), {"login": "рia", "password": PASSWORD}).status_code
        == 302
    )
    form = {"username": "рia", "language": "en", "time_zone": "UTC", "theme": "dark"}
    assert client.post("/me/", form).status_code == 302
    old.refresh_from_db()
    assert (old.theme, old.username) == ("dark", "рia")


@pytest.mark.django_db
def test_a_guest_gets_a_name_that_looks_like_no_other(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    person("Guest l000")
    drawn = iter((0, 1))
    monkeypatch.setattr(services.secrets, "randbelow", lambda _most: next(drawn))
    assert services.make_guest().username == "Guest 1001"
