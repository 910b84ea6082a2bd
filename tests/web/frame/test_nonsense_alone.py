"""Nonsense sent to campaigns for one player: refused in words; it plays and stores nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaign.models import Campaign
from people.models import User
from tests.alone import Alone, alone, patience
from tests.web.frame.test_nonsense import ODD, WORDS, some

__all__ = ["alone", "patience"]
pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

SENT = [text.encode("utf-8", "replace").decode() for text in WORDS]
FIELDS = (
    "do",
    "depth",
    "how",
    "seen",
    "to",
    "reason",
    "title",
    "mole",
    "soft",
    "name",
    "visibility",
    "scenario",
    "general",
)


@pytest.fixture
def quiet(alone: Alone, settings: Any) -> Alone:
    """Let server errors come as answers."""
    alone.client.raise_request_exception = False
    return alone


@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    [
        "act/",
        *(pytest.param(path, marks=pytest.mark.nightly) for path in ("onward/", "undo/", "about/")),
    ],
)
def test_every_field_of_the_table_s_forms(quiet: Alone, path: str) -> None:
    for text in SENT:
        for data in (
            dict.fromkeys(FIELDS, text),
            {"do": "dig", "how": text, "depth": text, "seen": str(quiet.seen), "to": text},
        ):
            answer = quiet.client.post(quiet.home + path, data)
            assert answer.status_code < 500, (path, text[:40])
    assert quiet.content()[0] == "begin"
    assert set(quiet.content()) <= {"begin", "dig", "pass"}


READ = ("told", "to", "before", "province", "q", "account", "turn", "cause", "nation")
PAGES = ("", "undo/", "log/", "charts/", "ledger/", "ledger.csv")


@pytest.mark.long
@pytest.mark.parametrize(
    "n", [5, *(pytest.param(n, marks=pytest.mark.nightly) for n in (0, 1, 2, 3, 4))]
)
def test_every_word_in_an_address(quiet: Alone, n: int) -> None:
    """Send all words at once to all parameters of a page, and some to each alone.

    A page may refuse at the first parameter.
    """
    path = PAGES[n]
    asked = [dict.fromkeys(READ, text) for text in SENT]
    asked += [{query: text} for m, query in enumerate(READ) for text in some(SENT, n + m, 6)]
    for data in asked:
        assert quiet.client.get(quiet.home + path, data).status_code < 500, (path, str(data)[:80])


@pytest.mark.nightly
def test_unknown_titles_are_not_found(quiet: Alone) -> None:
    before = Campaign.objects.count()
    for text in ODD:
        for path in (f"/hall/{text[:300]}/", f"/play/{text[:300]}/"):
            try:
                path.encode()
            except UnicodeEncodeError:
                continue
            assert quiet.client.get(path).status_code in (404, 405), path
            assert quiet.client.post(path).status_code in (403, 404, 405), path
    assert Campaign.objects.count() == before


@pytest.mark.parametrize("title", ["patience", "march_on_rome"])
def test_founding(quiet: Alone, title: str) -> None:
    for text in SENT:
        answer = quiet.client.post("/found/", {**dict.fromkeys(FIELDS, text), "title": title})
        assert answer.status_code in (303, 422, 429), text[:40]
    assert Campaign.objects.exclude(title__in=["patience", "march_on_rome"]).count() == 0


def test_a_session_without_a_user_is_ignored(quiet: Alone) -> None:
    for odd in (0, -1, 10**30, "1", None, [], {"x": 1}, quiet.user.pk, True, 1.5):
        client = Client(raise_request_exception=False)
        session = client.session
        session["guest"] = odd
        session.save()
        client.cookies["sessionid"] = session.session_key
        assert client.get("/").status_code == 200, odd
        assert client.get("/me/").status_code == 302, odd
    assert User.objects.count() == 1
