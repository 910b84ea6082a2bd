"""Erased users: one name for all, unique in the database."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from people.models import FormerName, User, find_by_login, find_by_name


def make_former_user(person: Any, name: str) -> Any:
    created = person(name)
    User.objects.filter(pk=created.pk).update(
        username=f"@former {created.pk}", username_folded=f"@former {created.pk}"
    )
    return User.objects.get(pk=created.pk)


def test_erased_users_have_one_name_in_the_readers_language(person: Any) -> None:
    one, other = make_former_user(person, "Max"), make_former_user(person, "Moritz")
    assert (one.username, str(other)) == ("a former player", "a former player")
    with translation.override("it"):
        names = User.objects.filter(pk__in=(one.pk, other.pk)).values_list("username", flat=True)
        assert list(names) == ["un ex giocatore"] * 2


def test_an_erased_user_who_is_saved_keeps_the_stored_name(person: Any) -> None:
    one = make_former_user(person, "Max")
    assert isinstance(one.username, FormerName)
    one.save()
    one.save(update_fields=["username"])
    one.refresh_from_db()
    assert (one.username, one.username.kept, one.username_folded) == (
        "a former player",
        f"@former {one.pk}",
        f"@former {one.pk}",
    )


@pytest.mark.parametrize(
    "name", ["a former player", "A FORMER PLAYER", "Un ex giocatore", "@former 3"]
)
def test_no_user_can_take_the_name_or_be_found_by_it(person: Any, name: str) -> None:
    make_former_user(person, "Max")
    assert find_by_name(name) is None
    assert find_by_login(name) is None
    with pytest.raises(ValidationError):
        User(username=name, email="x@example.org").full_clean()
