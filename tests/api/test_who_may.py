"""Every address of the interface and every method stands in a list of who may, and is answered as
it says (Habit 8).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from api import urls
from tests.api.conftest import Program
from tests.api.test_reads import READS
from tests.api.who_may import OWN, SAID
from tests.web.contests import hun_attack
from tests.web.five import WHO, Five

pytestmark = pytest.mark.django_db
READING = ("preview", "sheet_check")
"""What is posted and changes nothing."""


def methods(name: str) -> set[str]:
    view = next(one.callback for one in urls.urlpatterns if one.name == name)
    return {
        method for method in ("get", "post", "put", "patch", "delete") if hasattr(view.cls, method)
    }


def test_every_address_stands_in_a_list() -> None:
    result = {str(one.name) for one in urls.urlpatterns}
    assert result == {*OWN, *READS, *SAID}
    plain = result - {"docs", "nowhere"}
    assert {name for name in plain if "post" in methods(name)} == set(SAID)
    assert {name for name in plain if "get" in methods(name)} <= {*OWN, *READS}
    assert {name for name in plain if methods(name) & {"put", "patch", "delete"}} == set()


def test_the_lists_are_true(five: Five, api: Callable[..., Program]) -> None:
    hun_attack(five)
    result = {
        name: tuple(api(who).get(path).status_code for who in WHO)
        for name, (path, _) in OWN.items()
    }
    assert result == {name: expected for name, (_, expected) in OWN.items()}
    content = {
        name: tuple(api(who).post(path, body).status_code for who in WHO)
        for name, (path, body, _) in SAID.items()
    }
    assert content == {name: expected for name, (_, _, expected) in SAID.items()}


def test_a_token_that_reads_is_refused_wherever_something_is_said(
    five: Five, api: Callable[..., Program]
) -> None:
    hun_attack(five)
    before = five.seen("gm")
    answers = {
        name: api("gm", "read").post(path, body)
        for name, (path, body, _) in SAID.items()
        if name not in READING
    }
    assert {
        name: (one.status_code, one.json()["code"]) for name, one in answers.items()
    } == dict.fromkeys(answers, (403, "scope"))
    assert five.seen("gm") == before
