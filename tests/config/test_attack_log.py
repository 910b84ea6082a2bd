"""The log of attacks: its content in both forms, and its use by the example for fail2ban."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from config.logs import JsonLineFormatter, MaskingFormatter
from people import tokens
from tests.conftest import PASSWORD, confirm
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db
FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "fail2ban"
HOST = r"(?P<host>[0-9A-Fa-f.:]+)"
"""The pattern that fail2ban substitutes for `<HOST>`, for addresses."""
HERE = "192.0.2.7"


@pytest.fixture
def lines() -> Iterator[Callable[[], tuple[list[str], list[str]]]]:
    """Every line of the log since, as text and as JSON, written by the formatters of the site."""
    kept: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = kept.append  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    text = MaskingFormatter("{asctime} {levelname} {name}: {message}", style="{")
    yield lambda: (
        [text.format(record) for record in kept],
        [JsonLineFormatter().format(record) for record in kept],
    )
    logging.getLogger().removeHandler(handler)


def patterns(jail: str) -> list[re.Pattern[str]]:
    """Return the regular expressions of the filter with the events of this jail.

    They are read as fail2ban reads them.
    """
    config, jails = ConfigParser(), ConfigParser(interpolation=None)
    config.read(FOLDER / "tabula-filter.conf")
    jails.read(FOLDER / "tabula-jail.conf")
    given = re.fullmatch(r'tabula(?:\[events="(.+)"\])?', jails[jail]["filter"])
    assert given is not None
    events = given[1] or config["Definition"]["events"]
    return [
        re.compile(line.replace("<events>", events).replace("<HOST>", HOST))
        for line in config["Definition"]["failregex"].splitlines()
    ]


def banned(jail: str, line: str) -> str:
    """The address that the filter finds; fail2ban takes the time out of a line before it looks."""
    without = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{3}(?:\+00:00)?", "", line, count=1)
    return next(
        (match["host"] for pattern in patterns(jail) if (match := pattern.search(without))), ""
    )


def attacks(lines: list[str]) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, lines) if line["logger"] == "attacks"]


def test_failed_sign_ins_and_refused_codes(lines: Any, person: Callable[..., Any]) -> None:
    ingrid = confirm(person("Ingrid"))
    client = Client(REMOTE_ADDR=HERE)
    client.post("/sign-in/", {"login": "Ingrid", "password": "a wrong password"})
    client.post("/sign-in/", {"login": "Nobody", "password": "a wrong password"})
    client.post("/sign-in/code/", {"email": "Ingrid"})
    assert len(mail.outbox) == 1
    client.post("/sign-in/code/type/", {"code": "WRONG1"})
    text, structured = lines()
    assert [
        (line["event"], line["ip"], line["account"], line["path"]) for line in attacks(structured)
    ] == [
        ("sign-in-failed", HERE, ingrid.pk, "/sign-in/"),
        ("sign-in-failed", HERE, None, "/sign-in/"),
        ("code-refused", HERE, ingrid.pk, "/sign-in/code/type/"),
    ]
    for written in (text, structured):
        assert [host for line in written if (host := banned("tabula", line))] == [HERE] * 3
        assert "wrong password" not in "".join(written)
        assert "Ingrid" not in "".join(line for line in written if "attacks" in line)
    plain = [line.split(" WARNING ", 1)[1] for line in text if "attacks:" in line]
    assert plain[0] == f'attacks: sign-in-failed from {HERE} account={ingrid.pk} path="/sign-in/"'
    assert plain[1] == f'attacks: sign-in-failed from {HERE} account=none path="/sign-in/"'


def test_a_second_factor_and_who_confirms_again(lines: Any, person: Callable[..., Any]) -> None:
    ingrid = confirm(person("Ingrid"))
    client = Client(REMOTE_ADDR=HERE)
    client.post("/sign-in/", {"login": "Ingrid", "password": PASSWORD})
    client.post("/me/again/", {"password": "a wrong password"})
    assert [(line["event"], line["account"]) for line in attacks(lines()[1])] == [
        ("sign-in-failed", ingrid.pk)
    ]


def test_throttled_requests_and_refused_permissions(lines: Any, grand_table: GrandTable) -> None:
    cache.clear()
    hun = grand_table.clients["hun"]
    assert hun.post(grand_table.home + "n/romans/look/", REMOTE_ADDR=HERE).status_code == 403
    for number in range(11):
        status = (
            Client(REMOTE_ADDR="2001:db8::7")
            .post("/password/", {"email": f"m{number}@example.org"})
            .status_code
        )
    assert status == 429
    text, structured = lines()
    assert [(line["event"], line["ip"], line["account"]) for line in attacks(structured)] == [
        ("permission-refused", HERE, grand_table.people["hun"].pk),
        ("throttled", "2001:db8::7", None),
    ]
    for written in (text, structured):
        assert [host for line in written if (host := banned("tabula", line))] == ["2001:db8::7"]
        assert [host for line in written if (host := banned("tabula-permissions", line))] == [HERE]
    cache.clear()


def test_requests_of_programs_are_logged_too(lines: Any, grand_table: GrandTable) -> None:
    secret = tokens.make_token(
        confirm(grand_table.people["hun"]), "mine", "read", grand_table.campaign.founded_at
    )[1]
    bad = {"authorization": "Bearer tab_wrong"}
    client = Client(REMOTE_ADDR=HERE)
    home = f"/api/v1/campaigns/{grand_table.campaign.address}/"
    assert client.get(home, headers=bad).status_code == 401
    assert (
        client.post(
            home + "press/", {}, "application/json", headers={"authorization": f"Bearer {secret}"}
        ).status_code
        == 403
    )
    assert client.get("/api/v1/me/").status_code in (401, 404), "who brings no token has tried none"
    assert [(line["event"], line["account"]) for line in attacks(lines()[1])] == [
        ("sign-in-failed", None),
        ("permission-refused", grand_table.people["hun"].pk),
    ]


@pytest.mark.parametrize("form", [0, 1])
def test_no_request_bans_another_address(lines: Any, form: int) -> None:
    """A path may contain line ends, quotation marks or a whole line of the log.

    Only its sender is banned.
    """
    forged = (
        "\n2026-11-29 06:00:00,000 WARNING attacks: sign-in-failed from 198.51.100.9 account=1"
        ' path="'
    )
    logging.getLogger("django.request").warning("Not Found: %s", forged, extra={"status_code": 404})
    logging.getLogger("campaign").error("broken: %s", forged)
    Client(REMOTE_ADDR=HERE).post(f"/sign-in/{forged}", {"login": "x"})
    for record in "".join(part + "\n" for part in lines()[form]).splitlines():
        assert banned("tabula", record) in ("", HERE), record
