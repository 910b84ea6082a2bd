"""Tokens of programs: shown once, kept as a hash, refused as soon as they should be."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from campaign.hosting.host_acts import erase_person
from people import services, tokens
from people.models import Token
from people.sign_in_ways import Adapter
from tests.conftest import confirm

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_secret_is_kept_as_its_hash_alone_and_finds_its_person(person: Any) -> None:
    rosa = person("Rosa")
    created, secret = tokens.make_token(confirm(rosa), " my bot ", "read", NOW, days=30)
    assert tokens.SECRET.fullmatch(secret)
    assert (created.name, created.scope, created.ends_at) == (
        "my bot",
        "read",
        NOW + timedelta(days=30),
    )
    row = Token.objects.values().get()
    assert row["secret_hash"] == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in repr(row)
    result = tokens.find_token(secret, NOW)
    assert result is not None
    assert result.user == rosa
    for other in (
        secret[:-1] + ("A" if secret[-1] != "A" else "B"),
        secret[4:],
        secret + "x",
        "",
        "tab_\udc80" + "a" * 42,
    ):
        assert tokens.find_token(other, NOW) is None


def test_the_last_use_is_written_once_an_hour(person: Any) -> None:
    _made, secret = tokens.make_token(confirm(person("Rosa")), "bot", "play", NOW)
    used = []
    for minutes in (0, 59, 61, 62):
        tokens.find_token(secret, NOW + timedelta(minutes=minutes))
        used.append(Token.objects.get().last_used_at)
    assert used == [NOW, NOW, NOW + timedelta(minutes=61), NOW + timedelta(minutes=61)]


def test_it_ends_at_its_time_or_when_revoked_by_its_owner(person: Any) -> None:
    rosa, ida = person("Rosa"), person("Ida")
    short, secret = tokens.make_token(confirm(rosa), "short", "read", NOW, days=30)
    endless, other = tokens.make_token(confirm(rosa), "endless", "read", NOW)
    end = NOW + timedelta(days=30)
    assert tokens.find_token(secret, end - timedelta(seconds=1)) is not None
    assert tokens.find_token(secret, end) is None
    assert tokens.find_token(other, NOW + timedelta(days=4000)) is not None
    assert [token.name for token in tokens.tokens_of(rosa)] == ["endless", "short"]
    assert not tokens.revoke(ida, endless.pk, NOW)
    assert tokens.revoke(rosa, endless.pk, NOW)
    assert not tokens.revoke(rosa, endless.pk, NOW)
    assert tokens.find_token(other, NOW) is None
    assert list(tokens.tokens_of(rosa)) == [short]


def test_a_user_who_may_not_sign_in_is_refused_with_their_token(person: Any) -> None:
    rosa = person("Rosa")
    _made, secret = tokens.make_token(confirm(rosa), "bot", "play", NOW)
    services.suspend(rosa, "spam", NOW)
    assert tokens.find_token(secret, NOW) is None
    services.unsuspend(rosa, "", NOW)
    assert tokens.find_token(secret, NOW) is not None


def test_another_password_revokes_all(person: Any) -> None:
    rosa, ida = person("Rosa"), person("Ida")
    secrets = [
        tokens.make_token(confirm(user), "bot", "play", NOW)[1] for user in (rosa, rosa, ida)
    ]
    Adapter().set_password(rosa, "another horse battery")
    assert [tokens.find_token(secret, NOW) is not None for secret in secrets] == [
        False,
        False,
        True,
    ]


def test_tokens_of_an_erased_user_are_revoked_and_their_names_deleted(person: Any) -> None:
    rosa = person("Rosa")
    _made, secret = tokens.make_token(confirm(rosa), "the bot of Rosa", "play", NOW)
    tokens.find_token(secret, NOW)
    assert "1 tokens" in erase_person(rosa, now=NOW)
    row = Token.objects.get()
    assert (row.name, row.revoked_at, row.last_used_at) == ("", NOW, None)
    assert tokens.find_token(secret, NOW) is None


def test_twenty_live_and_no_more(person: Any) -> None:
    rosa = person("Rosa")
    for number in range(20):
        tokens.make_token(confirm(rosa), f"bot {number}", "read", NOW, days=30)
    with pytest.raises(tokens.TokenError, match="Revoke one first") as wrong:
        tokens.make_token(confirm(rosa), "one more", "read", NOW)
    assert wrong.value.code == "too-many"
    tokens.make_token(confirm(rosa), "one more", "read", NOW + timedelta(days=30))


@pytest.mark.parametrize(
    ("kind", "content", "field"),
    [
        ({}, ("", "read", None), "name"),
        ({}, ("x" * 61, "read", None), "name"),
        ({}, ("two\nlines", "read", None), "name"),
        ({}, ("bot", "write", None), "scope"),
        ({}, ("bot", "read", 31), "days"),
        ({"guest": True}, ("bot", "read", 30), ""),
        ({"demo": True}, ("bot", "read", 30), ""),
    ],
)
def test_what_cannot_be_made(
    person: Any, kind: dict[str, bool], content: tuple[str, str, int | None], field: str
) -> None:
    name, scope, days = content
    with pytest.raises(tokens.TokenError) as wrong:
        tokens.make_token(confirm(person("Rosa", **kind)), name, scope, NOW, days=days)
    assert wrong.value.field == field
    assert not Token.objects.exists()
