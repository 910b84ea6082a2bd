"""What pages cost beside an empty page: `script/measure`.

It prints each page in milliseconds of the processor and as a ratio to the empty page, with its
target, met or not.

All pages are asked through the whole site as a server asks it. The empty page loads session and
user and says two numbers. It is asked right before each of the others, and each is compared with
that one, so that a machine that becomes slower or faster changes nothing. Two logs are measured by
turns, of 400 and of 4,000 entries, with the same moves; what the longer one costs more is printed
beside. Results are kept in var/measure.jsonl, and compared with the run before.
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
from tests.grand_campaign import campaigns
from tests.web.five import Five, new_campaign

__all__ = ["new_campaign"]
LOGS = tuple(int(size) for size in os.environ.get("TABULA_MEASURE_ENTRIES", "400,4000").split(","))
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
UNCHANGED, ANONYMOUS, ATTACK = "table, unchanged", "table, anonymous again", "attack and its answer"
TARGETS = {"desk": 25.0, UNCHANGED: 3.5, ANONYMOUS: 7.0}
TARGETS |= dict.fromkeys(set(PAGES) - {"desk"}, 20.0)
"""Ratios of the first look after a move, and of what is answered without rendering."""
GROWTH = 1.15
REQUEST = Client.request
"""As it is without the fixture that gives tests each page on one line."""


class Cost(NamedTuple):
    """Milliseconds of the processor, and of the clock."""

    cpu: float
    wall: float


def empty(request: HttpRequest) -> HttpResponse:
    """Answer with an empty page for a reader who is signed in."""
    return HttpResponse(f"{len(request.session.keys())} {request.user.pk}")


urlpatterns = [path("empty/", empty), path("", include("config.urls"))]


def move(five: Five, rng: random.Random) -> None:
    """Make a random legal move."""
    raw = campaigns.next_move(rng, positions.current(five.campaign))
    assert raw is not None, "the campaign ended too soon"
    five.play(raw.pop("for", raw.pop("by")), **raw)


def lay_out(five: Five, rng: random.Random, entries: int) -> None:
    """Play a log of so many entries. Every log has the same moves, so that pages show the same; a
    longer one has corrections between them, in pairs, of which the second takes the first back.
    """
    between = 0
    while (own := five.campaign.last_sequence + 1 - between) < LOGS[0]:
        move(five, rng)
        nations = positions.current(five.campaign).nations
        standing = [seat for seat, nation in nations.items() if not nation.fallen]
        while between + 2 <= (own + 1) * (entries / LOGS[0] - 1):
            nation = standing[own % len(standing)]
            for change in (1, -1):
                correct(five, nation, change)
            between += 2


def correct(five: Five, nation: str, change: int) -> None:
    """Change a nation's income by the game master."""
    given = {"nation": nation, "account": "income", "change": change, "reason": "As ruled."}
    five.play("gm", "adjust", **given)


def timed(ask: Callable[[], Any]) -> Cost:
    clock, cpu = perf_counter(), process_time()
    ask()
    return Cost(1000 * (process_time() - cpu), 1000 * (perf_counter() - clock))


def asked(client: Client, address: str, status: int = 200, **headers: str) -> Cost:
    """Return what a page costs."""

    def ask() -> None:
        assert client.get(address, headers=headers).status_code == status, address

    return timed(ask)


def attack(five: Five, rng: random.Random) -> dict[str, str]:
    """Return an attack that the Hun may announce now, as the form posts it."""
    while five.campaign.active_seat != "huns":
        if five.campaign.active_seat:
            five.play(five.campaign.active_seat, "end-slot")
        else:
            move(five, rng)
    offers = [
        offer
        for offer in selectors.offers(five.campaign, five.people["hun"], "huns")
        if offer.move == "attack" and not offer.refusal
    ]
    for _try in range(200):
        offer = rng.choice(offers)
        raw = campaigns.choose(rng, offer)
        if raw is None:
            continue
        left_out = ("by", "for", "cards", "siege_train")
        form = {key: str(value) for key, value in raw.items() if key not in left_out}
        form["offer"] = offer.key
        if sent(five, form, str(five.seen("hun"))).status_code == 303:
            strike_last(five)
            return form
    raise AssertionError("no attack is possible")


def sent(five: Five, form: dict[str, str], seen: str) -> Any:
    return five.post("hun", "move/", **form, seen=seen, sure="1")


def strike_last(five: Five) -> None:
    """Undo the last move, so that the same may be made again."""
    five.campaign.refresh_from_db()
    gm = five.people["gm"]
    before, seen = five.campaign.last_number - 1, selectors.seen(five.campaign, gm)
    services.undo_to(five.campaign, gm, before, "Again.", seen)
    five.campaign.refresh_from_db()


@dataclass
class Costs:
    """What was measured on one log: by name the costs, and the ratios to the empty page that was
    asked right before.
    """

    spent: dict[str, list[float]] = field(default_factory=dict)
    ratios: dict[str, list[float]] = field(default_factory=dict)
    least: list[float] = field(default_factory=list)

    def note(self, name: str, cost: Cost, bare: Cost) -> None:
        self.least.append(bare.cpu)
        self.spent.setdefault(name, []).append(cost.cpu)
        self.ratios.setdefault(name, []).append(cost.cpu / bare.cpu)


def rounds(five: Five, rng: random.Random, costs: Costs) -> Iterator[None]:
    """Measure everything on this log, round by round; another log's round may come between two."""
    hun, gm, nobody = (five.clients[who] for who in ("hun", "gm", "nobody"))

    def note(name: str, ask: Callable[[], Cost]) -> None:
        bare = asked(hun, "/empty/")
        costs.note(name, ask(), bare)

    def look(client: Client, address: str) -> Callable[[], Cost]:
        return lambda: asked(client, five.home + address)

    for name, address in PAGES.items():
        reader = gm if name == "desk" else hun
        look(reader, address)()
        for _round in range(ROUNDS):
            move(five, rng)
            note(name, look(reader, address))
            yield
    nobody.get(five.home)
    for _round in range(ROUNDS):
        tag = hun.get(five.home)["ETag"]
        note(UNCHANGED, lambda tag=tag: asked(hun, five.home, 304, **{"if-none-match": tag}))  # type: ignore[misc]
        note(ANONYMOUS, look(nobody, ""))
        yield
    form = attack(five, rng)
    for _round in range(ROUNDS):
        five.get("hun", "n/huns/")
        seen = str(five.seen("hun"))  # the form has it: to ask for it is no part of the POST

        def post(seen: str = seen) -> None:
            five.get("hun", sent(five, form, seen)["Location"])

        note(ATTACK, lambda post=post: timed(post))  # type: ignore[misc]
        strike_last(five)
        yield


def by_turns(logs: Sequence[Iterator[None]]) -> None:
    """Take a round of each log, the other one first in every second."""
    turns = list(logs)
    while all(next(log, "over") is None for log in turns):  # all have the same rounds
        turns.reverse()


def commit() -> str:
    try:
        asked_git = ["git", "-C", str(settings.BASE_DIR), "rev-parse", "--short", "HEAD"]
        return subprocess.run(asked_git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


@pytest.mark.django_db
@pytest.mark.urls("tests.measure")
def test_measure(
    new_campaign: Callable[..., Five], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "request", REQUEST)
    logs = []
    for entries in LOGS:
        five = new_campaign(name=f"A log of {entries}")
        monkeypatch.setattr(campaigns, "CORRECTIONS", 0.6)
        rng = random.Random(LOGS[0])
        lay_out(five, rng, entries)
        # Both logs end alike: the history shows what the last entry did.
        correct(five, "huns", 1)
        logs.append((entries, five, rng, Costs()))
    # So that the campaign does not end while it is measured.
    monkeypatch.setattr(campaigns, "CORRECTIONS", 0.9)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database in use has done by itself
    gc.collect()
    gc.freeze()
    by_turns([rounds(five, rng, costs) for _entries, five, rng, costs in logs])
    five = logs[0][1]
    sizes = {
        name: len(gzip.compress(five.clients["gm"].get(five.home + address).content)) / 1000
        for name, address in PAGES.items()
    }
    report({entries: costs for entries, _five, _rng, costs in logs}, sizes, capsys)


def report(logs: dict[int, Costs], sizes: dict[str, float], capsys: Any) -> None:
    """Print a line for each page, and keep the ratios."""
    short, long = logs[LOGS[0]], logs[LOGS[-1]]
    before = previous(connection.vendor)
    with capsys.disabled():
        for entries, costs in logs.items():
            print(f"\n{entries} entries: an empty page takes {median(costs.least):.2f} ms", end="")
        print(f"\n{'':24}{'before':>8}{'ms':>8}{'ratio':>8}{'target':>8}{'growth':>8}")
        for name in short.ratios:
            ratio, growth = median(short.ratios[name]), growth_of(name, short, long)
            most = TARGETS.get(name)
            met = "met" if ratio <= (most or ratio) and growth <= GROWTH else "not met"
            size = f"{sizes[name]:.1f} kB" if name in sizes else ""
            print(
                f"{name:24}{before.get(name, 0.0):8.1f}{median(short.spent[name]):8.1f}{ratio:8.1f}"
                f"{most or '':>8}{growth:8.2f}  {met:8}{size:>9}"
            )
    HISTORY.parent.mkdir(exist_ok=True)
    run = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "database": connection.vendor,
        "medians": {name: median(ratios) for name, ratios in short.ratios.items()},
        "growth": {name: growth_of(name, short, long) for name in short.ratios},
    }
    with HISTORY.open("a") as file:
        file.write(json.dumps(run) + "\n")


def growth_of(name: str, short: Costs, long: Costs) -> float:
    return median(long.ratios[name]) / median(short.ratios[name])


def previous(database: str) -> dict[str, float]:
    """Return the ratios of the last run on this database."""
    lines = HISTORY.read_text().splitlines() if HISTORY.exists() else []
    runs = [run for run in map(json.loads, lines) if run["database"] == database]
    return dict(runs[-1].get("medians", {})) if runs else {}
