"""The cost of pages relative to an empty page: `script/measure`.

It prints each page in milliseconds of processor time and as a ratio to the empty page, with its
target, met or not, as soon as the page is measured.

All pages are requested through the whole site, as a server does. The empty page loads session and
user and shows two numbers. It is requested right before each other page, which is compared with it,
so that changes of the machine's speed do not matter. Two logs of 400 and of 4,000 entries with
equal moves are measured in turn; the additional cost of the longer one is printed. Results are kept
in var/measure.jsonl and compared with the run before.
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import random
import subprocess
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from campaign import services
from campaign.log import positions, selectors
from games.contract.title import Offer
from tests.grand_campaign import campaigns
from tests.measure_logs import Log, logs_to_measure, move
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
ROUNDS = int(os.environ.get("TABULA_MEASURE_ROUNDS", "15"))
HISTORY = Path(settings.BASE_DIR) / "var" / "measure.jsonl"
PAGES = {
    "table": "",
    "nation": "n/huns/",
    "battles": "battles/",
    "log": "log/",
    "entry": "e/50/",
    "dice": "dice/",
    "ledger": "ledger/",
    "charts": "charts/",
    "history": "history/",
    "story": "story/",
    "reports": "reports/",
    "rulings": "rulings/",
    "rules": "rules/",
    "clocks": "clocks/",
    "about": "about/",
    "desk": "desk/",
}
"""The pages whose first look after a move is measured."""
MORE = ("unchanged", "anonymous", "attack")
"""The table answered by status 304, the table that an anonymous reader sees again, and an attack of
the Huns with the page that follows.
"""
WANTED = os.environ.get("TABULA_MEASURE_PAGES", ",".join((*PAGES, *MORE))).split(",")
TARGETS = dict.fromkeys(PAGES, 20.0) | {"desk": 25.0, "unchanged": 3.5, "anonymous": 7.0}
"""Ratios of the first look after a move, and of answers without rendering."""
GROWTH = 1.15
SLOTS, MOVES, TRIES = 5, 300, 40
"""How many slots of the Huns are searched for an attack, how many moves may pass before a slot, and
how many attacks are tried in it.
"""
REQUEST = Client.request
"""The method without the fixture that gives tests each page on one line."""


class Cost(NamedTuple):
    """Milliseconds of the processor, and of the clock."""

    cpu: float
    wall: float


class Figure(NamedTuple):
    """The cost of a page and of an empty page requested right before it, in milliseconds."""

    page: float
    empty: float

    @property
    def ratio(self) -> float:
        return self.page / self.empty


Round = Callable[[], Figure]
"""A round of a page on one log: it prepares the page and measures it."""


def empty(request: HttpRequest) -> HttpResponse:
    """Answer with an empty page for a reader who is signed in."""
    return HttpResponse(f"{len(request.session.keys())} {request.user.pk}")


urlpatterns = [path("empty/", empty), path("", include("config.urls"))]


def timed(ask: Callable[[], object]) -> Cost:
    """Return what a call costs."""
    clock, cpu = perf_counter(), process_time()
    ask()
    return Cost(1000 * (process_time() - cpu), 1000 * (perf_counter() - clock))


def measured_get(client: Client, address: str, status: int = 200, **headers: str) -> Cost:
    """Return what a page costs."""

    def ask() -> None:
        assert client.get(address, headers=headers).status_code == status, address

    return timed(ask)


def rounds_of(log: Log, name: str) -> Round | None:
    """Return a function that measures a page once; None if the campaign offers no attack."""
    if name == "unchanged":
        return unchanged(log.grand_table)
    if name == "anonymous":
        return anonymous(log.grand_table)
    if name == "attack":
        return attack(log.grand_table, log.rng)
    return first_look(log.grand_table, log.rng, name)


def first_look(grand_table: GrandTable, rng: random.Random, name: str) -> Round:
    """Measure the first look at a page after a move."""
    client, page = (
        grand_table.clients["gm" if name == "desk" else "hun"],
        grand_table.home + PAGES[name],
    )
    measured_get(client, page)

    def measure() -> Figure:
        move(grand_table, rng)
        bare = measured_get(grand_table.clients["hun"], "/empty/")
        return Figure(measured_get(client, page).cpu, bare.cpu)

    return measure


def unchanged(grand_table: GrandTable) -> Round:
    """Measure the table that the browser has already."""
    client = grand_table.clients["hun"]

    def measure() -> Figure:
        client.get(grand_table.home)  # this may mark notices as read, and such a page has no tag
        tag = client.get(grand_table.home)["ETag"]
        bare = measured_get(client, "/empty/")
        return Figure(
            measured_get(client, grand_table.home, 304, **{"if-none-match": tag}).cpu, bare.cpu
        )

    return measure


def anonymous(grand_table: GrandTable) -> Round:
    """Measure the table that an anonymous reader has seen before."""
    grand_table.get("nobody")

    def measure() -> Figure:
        bare = measured_get(grand_table.clients["hun"], "/empty/")
        return Figure(measured_get(grand_table.clients["nobody"], grand_table.home).cpu, bare.cpu)

    return measure


def attack(grand_table: GrandTable, rng: random.Random) -> Round | None:
    """Measure an attack of the Huns with the page that follows; None if none is offered."""
    form = attack_form(grand_table, rng)
    if form is None:
        return None

    def measure() -> Figure:
        grand_table.get("hun", "n/huns/")
        seen = str(grand_table.seen("hun"))  # the form contains it, so it is no part of the POST
        bare = measured_get(grand_table.clients["hun"], "/empty/")
        cost = timed(lambda: grand_table.get("hun", sent(grand_table, form, seen)["Location"]))
        strike_last(grand_table)
        return Figure(cost.cpu, bare.cpu)

    return measure


def attack_form(grand_table: GrandTable, rng: random.Random) -> dict[str, str] | None:
    """Return an attack that the Huns may announce soon, as the form sends it.

    It is in one of their next slots; None if none is offered.
    """
    for _slot in range(SLOTS):
        if not reach_slot_of_huns(grand_table, rng):
            return None
        offers = offers_of_attacks(grand_table)
        for offer in rng.choices(offers, k=TRIES) if offers else ():
            form = filled_in(rng, offer)
            if form and sent(grand_table, form, str(grand_table.seen("hun"))).status_code == 303:
                strike_last(grand_table)
                return form
        grand_table.play("huns", "end-slot")
    return None


def reach_slot_of_huns(grand_table: GrandTable, rng: random.Random) -> bool:
    """Play on until it is the Huns' slot; return whether that succeeds."""
    for _move in range(MOVES):
        seat = grand_table.campaign.active_seat
        if seat == "huns":
            return True
        if seat:
            grand_table.play(seat, "end-slot")
        elif positions.current(grand_table.campaign).phase == "finished":
            return False
        else:
            move(grand_table, rng)
    return False


def offers_of_attacks(grand_table: GrandTable) -> list[Offer]:
    """Return the attacks that the Huns may announce now."""
    offers = selectors.offers(grand_table.campaign, grand_table.people["hun"], "huns")
    return [offer for offer in offers if offer.move == "attack" and not offer.refusal]


def filled_in(rng: random.Random, offer: Offer) -> dict[str, str]:
    """Return an offer with random choices as the form posts it; empty if no choice is left."""
    raw = campaigns.choose(rng, offer)
    if raw is None:
        return {}
    left_out = ("by", "for", "cards", "siege_train")
    form = {key: str(value) for key, value in raw.items() if key not in left_out}
    return form | {"offer": offer.key}


def sent(grand_table: GrandTable, form: dict[str, str], seen: str) -> Any:
    """Post a move of the Huns and return the answer."""
    return grand_table.post("hun", "move/", **form, seen=seen, sure="1")


def strike_last(grand_table: GrandTable) -> None:
    """Undo the last move, so that the same may be made again."""
    grand_table.campaign.refresh_from_db()
    gm = grand_table.people["gm"]
    before, seen = grand_table.campaign.last_number - 1, selectors.seen(grand_table.campaign, gm)
    services.undo_to(grand_table.campaign, gm, before, "Again.", seen)
    grand_table.campaign.refresh_from_db()


def figures_of(logs: Sequence[Log], name: str) -> list[list[Figure]]:
    """Measure a page on each log, in alternating order.

    Return an empty list if the campaign offers no attack.
    """
    measures = [rounds_of(log, name) for log in logs]
    figures: list[list[Figure]] = [[] for _log in logs]
    turns = [(measure, row) for measure, row in zip(measures, figures, strict=True) if measure]
    if len(turns) < len(logs):
        return []
    for _round in range(ROUNDS):
        for measure, row in turns:
            row.append(measure())
        turns.reverse()
    return figures


def commit() -> str:
    """Return the short name of the commit; empty outside git."""
    try:
        asked_git = ["git", "-C", str(settings.BASE_DIR), "rev-parse", "--short", "HEAD"]
        return subprocess.run(asked_git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


@pytest.mark.django_db
@pytest.mark.urls("tests.measure")
def test_measure(
    new_campaign: Callable[..., GrandTable],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unknown = set(WANTED) - {*PAGES, *MORE}
    assert not unknown, (
        f"There is no page {', '.join(unknown)}. Pages: {', '.join((*PAGES, *MORE))}"
    )
    monkeypatch.setattr(Client, "request", REQUEST)
    logs = logs_to_measure(new_campaign, monkeypatch)
    # So that the campaign does not end while it is measured.
    monkeypatch.setattr(campaigns, "CORRECTIONS", 0.9)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database in use has done automatically
    gc.collect()
    gc.freeze()
    before = previous(connection.vendor)
    with capsys.disabled():
        print(
            f"\n{connection.vendor}, logs of {', '.join(str(log.entries) for log in logs)} entries"
        )
        print(f"{'':12}{'before':>8}{'ms':>8}{'empty':>8}{'ratio':>8}{'target':>8}{'growth':>8}")
        for name in WANTED:
            figures = figures_of(logs, name)
            if not figures:
                print(f"{name:12}the campaign offers no attack", flush=True)
                continue
            report(name, figures, before.get(name), size_of(logs[0].grand_table, name))


def size_of(grand_table: GrandTable, name: str) -> float:
    """Return the size of a page in kilobytes, as it is sent; 0 for what is not a page."""
    if name not in PAGES:
        return 0.0
    return len(gzip.compress(grand_table.get("gm", PAGES[name]).content)) / 1000


def report(name: str, figures: list[list[Figure]], before: float | None, size: float) -> None:
    """Print the line of a page, and keep its ratio."""
    ratios = [median(figure.ratio for figure in row) for row in figures]
    ratio, growth = ratios[0], ratios[-1] / ratios[0]
    spent = median(figure.page for figure in figures[0])
    empty_page = median(figure.empty for figure in figures[0])
    target = TARGETS.get(name)
    met = "met" if ratio <= (target or ratio) and growth <= GROWTH else "not met"
    print(
        f"{name:12}{f'{before:.1f}' if before else '':>8}{spent:8.1f}{empty_page:8.2f}{ratio:8.1f}"
        f"{target or '':>8}{growth:8.2f}  {met:8}{f'{size:.1f} kB' if size else '':>9}",
        flush=True,
    )
    keep(
        {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": commit(),
            "database": connection.vendor,
            "rounds": ROUNDS,
            "page": name,
            "ratio": ratio,
            "growth": growth,
        }
    )


def keep(figure: dict[str, str | int | float]) -> None:
    """Add a line to the history."""
    HISTORY.parent.mkdir(exist_ok=True)
    with HISTORY.open("a") as file:
        file.write(json.dumps(figure) + "\n")


def previous(database: str) -> dict[str, float]:
    """Return the last ratio of each page on this database."""
    lines = HISTORY.read_text().splitlines() if HISTORY.exists() else []
    figures = [figure for figure in map(json.loads, lines) if figure["database"] == database]
    return {figure["page"]: figure["ratio"] for figure in figures if "page" in figure}
