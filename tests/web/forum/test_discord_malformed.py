"""Malformed bodies of requests that Discord has signed are answered with 400, never with 500."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from tests.web.forum.test_discord import (
    HUN,
    KEY,
    application,
    buttons,
    command,
    grand_table,
    linked,
    menu,
    new_campaign,
    press,
)
from tests.web.grand_table import GrandTable

__all__ = ["application", "grand_table", "linked", "new_campaign"]
pytestmark = pytest.mark.django_db

MUTATIONS: list[Any] = [None, True, 7, "", "x" * 7000, "\x00", "\ud800", [], [None], {}]
REMOVED = object()


def status_of(body: bytes) -> int:
    """Return the status of the answer to a signed body."""
    stamp = str(int(datetime.now(UTC).timestamp()))
    headers = {
        "x-signature-timestamp": stamp,
        "x-signature-ed25519": KEY.sign(stamp.encode() + body).hex(),
    }
    answer = Client().post(
        "/discord/interactions/", body, content_type="application/json", headers=headers
    )
    return answer.status_code


def interaction(kind: int, data: dict[str, Any] | None) -> dict[str, Any]:
    user = {"id": HUN, "username": "mason", "discriminator": "0", "avatar": None}
    sent: dict[str, Any] = {
        "id": "1",
        "application_id": "845027738276462632",
        "type": kind,
        "token": "x",
        "version": 1,
        "member": {"user": user, "roles": [], "permissions": "2147483647"},
        "guild_id": "2",
        "channel_id": "3",
        "locale": "en-GB",
    }
    return sent if data is None else {**sent, "data": data}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in a JSON value."""
    if path:
        yield path
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, item in items:
        yield from places(item, (*path, key))


def mutated(body: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return a copy of a body with another value at a path."""
    result = copy.deepcopy(body)
    parent: Any = result
    for key in path[:-1]:
        parent = parent[key]
    if value is REMOVED:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return result


def test_bodies_that_are_no_objects() -> None:
    deep = b"[" * 100_000
    for body in (
        b"",
        b" ",
        b"\xff\xfe",
        b"{",
        b"null",
        b"[]",
        b"1",
        b'"x"',
        b"NaN",
        b'{"type": NaN}',
        b'{"type": ' + b"9" * 5000 + b"}",
        b'{"type": 1, "type": 2}',
        deep,
        b'{"type": 2, "data": ' + deep,
        b"{}",
        b'{"type": null}',
        b'{"type": true}',
        b'{"type": "1"}',
        b'{"type": 1.0}',
        b'{"type": 99}',
        b'{"type": 2}',
    ):
        assert status_of(body) == 400, body[:40]
    assert status_of(b'{"type": 1}') == 200


def test_a_false_timestamp_is_no_signature() -> None:
    for stamp in ("", "x", "-1", "²", "9" * 6000, "१२३"):
        answer = Client().post(
            "/discord/interactions/",
            b"null",
            content_type="application/json",
            headers={
                "x-signature-timestamp": stamp,
                "x-signature-ed25519": KEY.sign(b"null").hex(),
            },
        )
        assert answer.status_code == 401, stamp[:20]


def test_what_must_be_there_and_of_which_type() -> None:
    next_command = interaction(2, {"id": "5", "name": "next", "type": 1, "options": []})
    assert status_of(json.dumps(next_command).encode()) == 200
    for path in (
        ("type",),
        ("data",),
        ("data", "name"),
        ("data", "options"),
        ("member",),
        ("member", "user"),
        ("member", "user", "id"),
        ("member", "user", "username"),
        ("locale",),
    ):
        for value in (0, True, "\x00", [None], "x" * 100_000):
            body = mutated(next_command, path, value)
            assert status_of(json.dumps(body).encode()) == 400, (path, value)


def test_every_field_may_be_anything(linked: GrandTable) -> None:
    custom, options = menu(command("moves"))
    narrow, sources = menu(press(custom, HUN, options["Land attack"]))
    announce = buttons(press(custom, HUN, options["Tax increase"]))["Announce"]
    campaign = {"name": "campaign", "type": 3, "value": linked.campaign.public_id}
    code = {"name": "code", "type": 3, "value": "AAAAAAAA"}
    field = {"type": 4, "custom_id": "attacker", "value": "31"}
    rows = [{"type": 1, "components": [field]}]
    valid = [
        interaction(1, None),
        interaction(2, {"id": "5", "name": "next", "type": 1}),
        interaction(2, {"id": "5", "name": "table", "type": 1, "options": [campaign]}),
        interaction(2, {"id": "5", "name": "link", "type": 1, "options": [code]}),
        interaction(4, {"name": "table", "options": [{**campaign, "focused": True}]}),
        interaction(3, {"custom_id": narrow, "component_type": 3, "values": [sources["Acatziri"]]}),
        interaction(3, {"custom_id": announce, "component_type": 2}),
        interaction(5, {"custom_id": "claimed:x", "components": rows}),
    ]
    before = linked.campaign.last_sequence
    tried = 0
    for number, body in enumerate(valid):
        for path in places(body):
            if number > 1 and path[0] != "data":
                continue
            for value in (*MUTATIONS, REMOVED):
                text = json.dumps(mutated(body, path, value)).encode()
                assert status_of(text) in (200, 400), (number, path, value)
                tried += 1
    assert tried > 500
    linked.campaign.refresh_from_db()
    assert linked.campaign.last_sequence <= before + 1, "the announcement itself"
