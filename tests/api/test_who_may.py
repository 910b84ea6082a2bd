"""Permissions of every address and method of the API, which are listed and kept (Habit 8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from api import urls
from tests.api.conftest import Program
from tests.api.test_reads import READS
from tests.api.who_may import OWN, REQUESTS
from tests.web.contests import attack_dalmatia
from tests.web.grand_table import WHO, GrandTable

pytestmark = pytest.mark.django_db
READING = ("preview", "sheet_check")
"""Requests that are posted and change nothing."""


def methods(name: str) -> set[str]:
    view = next(pattern.callback for pattern in urls.urlpatterns if pattern.name == name)
    return {
        method for method in ("get", "post", "put", "patch", "delete") if hasattr(view.cls, method)
    }


def test_every_address_stands_in_a_list() -> None:
    result = {str(pattern.name) for pattern in urls.urlpatterns}
    assert result == {*OWN, *READS, *REQUESTS}
    plain = result - {"docs", "nowhere"}
    assert {name for name in plain if "post" in methods(name)} == set(REQUESTS)
    assert {name for name in plain if "get" in methods(name)} <= {*OWN, *READS}
    assert {name for name in plain if methods(name) & {"put", "patch", "delete"}} == set()


def test_the_lists_are_true(grand_table: GrandTable, api: Callable[..., Program]) -> None:
    attack_dalmatia(grand_table)
    result = {
        name: tuple(api(who).get(path).status_code for who in WHO)
        for name, (path, _) in OWN.items()
    }
    assert result == {name: expected for name, (_, expected) in OWN.items()}
    content = {
        name: tuple(api(who).post(path, body).status_code for who in WHO)
        for name, (path, body, _) in REQUESTS.items()
    }
    assert content == {name: expected for name, (_, _, expected) in REQUESTS.items()}


def test_a_token_that_reads_is_refused_wherever_something_is_said(
    grand_table: GrandTable, api: Callable[..., Program]
) -> None:
    attack_dalmatia(grand_table)
    before = grand_table.seen("gm")
    answers = {
        name: api("gm", "read").post(path, body)
        for name, (path, body, _) in REQUESTS.items()
        if name not in READING
    }
    assert {
        name: (answer.status_code, answer.json()["code"]) for name, answer in answers.items()
    } == dict.fromkeys(answers, (403, "scope"))
    assert grand_table.seen("gm") == before
