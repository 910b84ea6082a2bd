"""How long the table of a long log takes beside an empty page: `script/measure`. It prints and judges nothing by the clock.

All pages are asked through the whole site as a server asks it, in turn, many times over; their medians are compared, so
that a slower or a busier machine comes to about the same ratios.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template.base import Template
from django.test import Client
from django.test.utils import _TestState
from django.urls import include, path

from campaign.log import positions
from tests.grand_campaign import campaigns
from tests.web.five import Five, new_campaign
from web.shell import page_cache

__all__ = ["new_campaign"]
ENTRIES, ROUNDS, MOST = 400, 80, 10


def empty(request: HttpRequest) -> HttpResponse:
    """A page with nothing on it, for somebody who is signed in."""
    return HttpResponse(f"{len(request.session.keys())} {request.user.pk}")


urlpatterns = [path("empty/", empty), path("", include("config.urls"))]


def grow(five: Five, rng: random.Random) -> None:
    """Random legal moves through the door, until the log has `ENTRIES`."""
    while five.campaign.last_sequence + 1 < ENTRIES:
        raw = campaigns.next_move(rng, positions.current(five.campaign))
        assert raw is not None, "the campaign ended too soon"
        five.play(raw.pop("for", raw.pop("by")), **raw)


def tag_of(client: Client, address: str) -> str:
    """Looked at twice: the first look marks notices as read."""
    client.get(address)
    return str(client.get(address)["ETag"])


def once(client: Client, address: str, headers: dict[str, str], fresh: bool) -> float:
    """Milliseconds; `fresh` as after a move, with nothing kept of this state."""
    if fresh:
        page_cache.kept.clear()
        page_cache.drawn.clear()
    before = perf_counter()
    answer = client.get(address, headers=headers)
    taken = 1000 * (perf_counter() - before)
    assert answer.status_code == (304 if headers else 200)
    return taken


@pytest.mark.django_db
@pytest.mark.urls("tests.measure")
def test_measure(new_campaign: Callable[..., Five], capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "CORRECTIONS", 0.6)
    monkeypatch.setattr(Template, "_render", _TestState.saved_data.template_render)  # as in use, not as tests watch it
    five = new_campaign()
    grow(five, random.Random(0))
    client, home = five.clients["hun"], five.home
    pages: dict[str, tuple[str, dict[str, str], bool]] = {
        "an empty page": ("/empty/", {}, False),
        "the table": (home, {}, False),
        "the table, first look after a move": (home, {}, True),
        "the table, unchanged": (home, {"if-none-match": tag_of(client, home)}, False),
        "the log": (f"{home}log/", {}, False),
        "the dice": (f"{home}dice/", {}, False),
    }
    times: dict[str, list[float]] = {name: [] for name in pages}
    for n in range(ROUNDS + 5):
        for name, asked in pages.items():
            taken = once(client, *asked)
            if n >= 5:
                times[name].append(taken)
    least = median(times["an empty page"])
    with capsys.disabled():
        print(f"\n{connection.vendor}, {ENTRIES} entries, turn {five.campaign.turn}, medians of {ROUNDS}; at most {MOST} times:")
        for name, found_here in times.items():
            address, headers, _ = pages[name]
            size = len(gzip.compress(client.get(address, headers=headers).content)) / 1000
            print(f"{median(found_here):8.2f} ms {median(found_here) / least:6.1f} times  {size:6.1f} kB compressed  {name}")
