"""What pages cost beside an empty page: `script/measure`. It prints ratios with met or not, and
judges nothing by the clock.

All pages are asked through the whole site as a server asks it, in turn, many times over. Medians
are compared with those of two empty pages for somebody who is signed in, in the same run: `bare`
loads session and user and says two numbers, `framed` is a page of the site with nothing between
head and foot. The bare page is asked right before each of the others, and each is seen beside that
one: a machine that becomes slower or quicker changes nothing. Times are of the processor, so that
what else runs on the machine does not count, and beside the bare page of the clock, too, in which a
database elsewhere counts. Two logs are measured, of 400 and of 4,000 entries, with the same moves,
by turns; what the longer one costs more is printed beside. Results are kept in var/measure.jsonl,
and compared with the run before.
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import random
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from types import FrameType
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.template.base import Template
from django.test import Client
from django.test.utils import _TestState
from django.urls import include, path

from campaign import services
from campaign.log import positions, selectors
from tests.grand_campaign import campaigns
from tests.web.five import Five, new_campaign
from web.frame import page_cache

__all__ = ["new_campaign"]
LOGS = tuple(int(one) for one in os.environ.get("TABULA_MEASURE_ENTRIES", "400,4000").split(","))
ROUNDS = int(os.environ.get("TABULA_MEASURE_ROUNDS", "30"))
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
}
MOST = {"log": 8, "dice": 8, "ledger": 8}
GROWTH = 1.1
SHELVES = (page_cache.kept, page_cache.drawn, page_cache.fragments)


class Cost(NamedTuple):
    """Milliseconds of the processor, and of the clock."""

    cpu: float
    wall: float


def empty(request: HttpRequest) -> HttpResponse:
    """A page with nothing on it, for somebody who is signed in."""
    return HttpResponse(f"{len(request.session.keys())} {request.user.pk}")


@cache
def frame() -> Any:
    """The site's frame around nothing."""
    return engines["django"].from_string(
        '{% extends "base.html" %}{% block title %}Nothing{% endblock %}'
    )


def framed(request: HttpRequest) -> HttpResponse:
    """A page with nothing on it but what every page of the site has: head, navigation,
    bell, foot.
    """
    return HttpResponse(frame().render({}, request))


urlpatterns = [path("empty/", empty), path("framed/", framed), path("", include("config.urls"))]


def move(five: Five, rng: random.Random) -> None:
    """A random legal move through the door."""
    raw = campaigns.next_move(rng, positions.current(five.campaign))
    assert raw is not None, "the campaign ended too soon"
    five.play(raw.pop("for", raw.pop("by")), **raw)


def lay_out(five: Five, rng: random.Random, entries: int) -> None:
    """The same moves whatever the length, so that pages show the same: between those of a longer
    log stand corrections, by twos, of which the second takes the first back.
    """
    between = 0
    while (own := five.campaign.last_sequence + 1 - between) < LOGS[0]:
        move(five, rng)
        standing = [
            seat
            for seat, nation in positions.current(five.campaign).nations.items()
            if not nation.fallen
        ]
        while between + 2 <= (own + 1) * (entries / LOGS[0] - 1):
            for change in (1, -1):
                five.play(
                    "gm",
                    "adjust",
                    nation=standing[own % len(standing)],
                    account="income",
                    change=change,
                    reason="As ruled.",
                )
            between += 2


def timed(ask: Callable[[], Any]) -> Cost:
    clock, cpu = perf_counter(), process_time()
    ask()
    return Cost(1000 * (process_time() - cpu), 1000 * (perf_counter() - clock))


def asked(client: Client, address: str, status: int = 200, **headers: str) -> Cost:
    def ask() -> None:
        assert client.get(address, headers=headers).status_code == status, address

    return timed(ask)


class Ratio(NamedTuple):
    """What something costs beside the bare page that was asked right before it: of the processor,
    by the clock; medians.
    """

    cpu: float
    wall: float


def attack(five: Five, rng: random.Random) -> dict[str, str]:
    """An attack that the Hun may announce now, as the form posts it."""
    while five.campaign.active_seat != "huns":
        if five.campaign.active_seat:
            five.play(five.campaign.active_seat, "end-slot")
        else:
            move(five, rng)
    offers = [
        one
        for one in selectors.offers(five.campaign, five.people["hun"], "huns")
        if one.move == "attack" and not one.refusal
    ]
    for _try in range(200):
        offer = rng.choice(offers)
        raw = campaigns.choose(rng, offer)
        if raw is not None:
            form = {
                key: str(value)
                for key, value in raw.items()
                if key not in ("by", "for", "cards", "siege_train")
            }
            if sent(five, form | {"offer": offer.key}, str(five.seen("hun"))).status_code == 303:
                back(five)
                return form | {"offer": offer.key}
    raise AssertionError("no attack is possible")


def sent(five: Five, form: dict[str, str], seen: str) -> Any:
    return five.post("hun", "move/", **form, seen=seen, sure="1")


def back(five: Five) -> None:
    """To before the last move: so that the same may be announced again."""
    five.campaign.refresh_from_db()
    gm = five.people["gm"]
    services.undo_to(
        five.campaign,
        gm,
        five.campaign.last_number - 1,
        "Again.",
        selectors.seen(five.campaign, gm),
    )
    five.campaign.refresh_from_db()


@dataclass
class Costs:
    """What was noted on one log: each thing beside the bare page, by its name, and the bare pages
    themselves.
    """

    beside: dict[str, list[Ratio]] = field(default_factory=dict)
    least: list[Cost] = field(default_factory=list)

    @property
    def ratios(self) -> dict[str, Ratio]:
        return {
            name: Ratio(median(one.cpu for one in every), median(one.wall for one in every))
            for name, every in self.beside.items()
        }

    @property
    def bare(self) -> Cost:
        return Cost(median(one.cpu for one in self.least), median(one.wall for one in self.least))


class Notes:
    """What each thing costs beside a bare page, on one log."""

    def __init__(self, five: Five, costs: Costs) -> None:
        self.client, self.home, self.costs = five.clients["hun"], five.home, costs
        self.others = [five.clients[who] for who in ("roman", "gm", "stranger", "nobody")]

    def note(self, name: str, ask: Callable[[], Cost]) -> None:
        """Note what this costs once more."""
        self.costs.least.append(bare := asked(self.client, "/empty/"))
        cost = ask()
        ratio = Ratio(cost.cpu / bare.cpu, cost.wall / bare.wall)
        self.costs.beside.setdefault(name, []).append(ratio)

    def page(self, name: str, where: str) -> None:
        self.note(name, lambda: asked(self.client, self.home + where))


def rounds(five: Five, rng: random.Random, costs: Costs) -> Iterator[None]:
    """Note what each thing costs on this log; a round of another log may stand between two."""
    notes = Notes(five, costs)
    for _warm in range(3):
        asked(notes.client, "/empty/")
        asked(notes.client, "/framed/")
        for where in PAGES.values():
            asked(notes.client, notes.home + where)
    yield from _rounds_of_pages(notes)
    yield from _rounds_after_moves(five, rng, notes)
    yield from _rounds_of_readers(five, rng, notes)
    yield from _rounds_of_attacks(five, rng, notes)


def _rounds_of_pages(notes: Notes) -> Iterator[None]:
    client, home = notes.client, notes.home
    for _round in range(ROUNDS):
        notes.note("framed", lambda: asked(client, "/framed/"))
        for name, where in PAGES.items():
            notes.page(name, where)
        tag = client.get(home)["ETag"]
        unchanged = partial(asked, client, home, 304, **{"if-none-match": tag})
        notes.note("table, unchanged", unchanged)
        yield


def _rounds_after_moves(five: Five, rng: random.Random, notes: Notes) -> Iterator[None]:
    for name, where in PAGES.items():
        for client in [notes.client, *notes.others]:
            client.get(notes.home + where)
        for _round in range(max(6, ROUNDS // 2)):
            move(five, rng)
            notes.page(f"{name}, first look after a move", where)
            yield


def _rounds_of_readers(five: Five, rng: random.Random, notes: Notes) -> Iterator[None]:
    for _round in range(max(6, ROUNDS // 3)):
        move(five, rng)
        notes.page("table, the first reader of these", "")
        for other in notes.others:
            further = partial(asked, other, notes.home)
            notes.note("table, each further reader after a move", further)
        yield


def _rounds_of_attacks(five: Five, rng: random.Random, notes: Notes) -> Iterator[None]:
    form = attack(five, rng)

    def post(seen: str) -> None:
        five.get("hun", sent(five, form, seen)["Location"])

    for _round in range(max(6, ROUNDS // 2)):
        five.get("hun", "n/huns/")
        seen = str(five.seen("hun"))  # the form has it: to ask for it is no part of the POST
        notes.note("attack: POST and its answer", partial(timed, partial(post, seen)))
        back(five)
        yield


def by_turns(logs: Sequence[Iterator[None]]) -> None:
    """A round of each log, the other one first in every second. Each has its own shelves of what
    pages keep: with the same moves one would find pieces that were drawn for the other.
    """
    shelves: list[list[OrderedDict[Any, Any]]] = [
        [OrderedDict() for _each in SHELVES] for _log in logs
    ]
    turns = list(zip(logs, shelves, strict=True))
    while True:
        for log, own in turns:
            for shelf, pieces in zip(SHELVES, own, strict=True):
                shelf._made = pieces
            if next(log, "over") == "over":  # all have the same rounds
                return
        turns.reverse()


def target(name: str) -> float | None:
    if name == "table, unchanged":
        return 2
    if name.startswith("attack"):
        return 25
    return MOST.get(name.split(",")[0], 10) if name != "framed" else None


def previous(database: str) -> dict[str, Any]:
    """The last run on this database."""
    lines = HISTORY.read_text().splitlines() if HISTORY.exists() else []
    runs = [run for run in map(json.loads, lines) if run["database"] == database]
    return dict(runs[-1]["ratios"]) if runs else {}


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
    monkeypatch.setattr(
        Template, "_render", _TestState.saved_data.template_render
    )  # as in use, not as tests watch it
    ratios: dict[str, dict[str, float]] = {}
    sizes: dict[str, float] = {}
    lines: list[str] = []
    logs = []
    for entries in LOGS:
        five = new_campaign(name=f"A log of {entries}")
        monkeypatch.setattr(campaigns, "CORRECTIONS", 0.6)
        rng = random.Random(LOGS[0])
        lay_out(five, rng, entries)
        # Both logs end alike: the history shows what the last entry did.
        five.play("gm", "adjust", nation="huns", account="income", change=1, reason="As ruled.")
        logs.append((entries, five, rng, Costs()))
    monkeypatch.setattr(
        campaigns, "CORRECTIONS", 0.9
    )  # so that the campaign does not end while it is measured
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database in use has done by itself
    gc.collect()
    gc.freeze()
    by_turns([rounds(five, rng, costs) for _entries, five, rng, costs in logs])
    for entries, _five, _rng, costs in logs:
        lines.append(
            f"{entries} entries: bare {costs.bare.cpu:.2f} ms of the processor,"
            f" {costs.bare.wall:.2f} by the clock"
        )
        these = costs.ratios
        for name, cost in these.items():
            known = ratios.setdefault(name, {})
            known[str(entries)], known[f"{entries} by the clock"] = cost
            known[f"{entries} framed"] = cost.cpu / these["framed"].cpu
    _entries, five, rng, _costs = logs[0]
    passed = files_passed(five, rng)
    for name, where in PAGES.items():
        sizes[name] = len(gzip.compress(five.clients["hun"].get(five.home + where).content)) / 1000
    report(ratios, sizes, [*lines, *passed], capsys)


def files_passed(five: Five, rng: random.Random) -> list[str]:
    """How many of the project's own files the table and an attack pass through."""
    form = attack(five, rng)
    five.get("hun", "n/huns/")

    def count(ask: Callable[[], Any]) -> int:
        seen: set[str] = set()

        def note(frame: FrameType, event: str, _arg: Any) -> None:
            if event == "call":
                seen.add(frame.f_code.co_filename)

        sys.setprofile(note)
        try:
            ask()
        finally:
            sys.setprofile(None)
        root = str(settings.BASE_DIR)
        return sum(
            one.startswith(root)
            and "/tests/" not in one
            and "site-packages" not in one
            and not one.endswith("tests_services.py")
            for one in seen
        )

    table = count(lambda: five.get("hun"))
    seen = str(five.seen("hun"))
    posted = count(lambda: sent(five, form, seen))
    back(five)
    return [
        (
            f"files of the project passed: by the table's GET {table}, by an attack's POST {posted} (40"  # noqa: E501
            " and 50 are wanted)"
        )
    ]


def report(
    ratios: dict[str, dict[str, float]], sizes: dict[str, float], lines: list[str], capsys: Any
) -> None:
    before = previous(connection.vendor)
    short, long = str(LOGS[0]), str(LOGS[-1])
    with capsys.disabled():
        print(
            f"\n{connection.vendor}, medians of {ROUNDS}, the bare page being 1 (under framed the"
            " framed one); times of the processor, in brackets by the clock"
        )
        print("\n".join(lines))
        heads = (
            "",
            "before",
            f"{short}",
            "(clock)",
            "framed",
            f"{long}",
            "growth",
            "target",
            "bare",
            "framed",
        )
        print(f"{heads[0]:44}" + "".join(f"{head:>9}" for head in heads[1:]))
        for name, known in ratios.items():
            most, was = target(name), before.get(name, {}).get(short)
            growth = known[long] / known[short]
            grown = len(LOGS) == 1 or growth <= GROWTH
            words = "".join(
                f"{'' if most is None else 'not met' if value > most else 'met' if grown else 'grows':>9}"  # noqa: E501
                for value in (known[short], known[f"{short} framed"])
            )
            size = f"{sizes[name]:6.1f} kB" if name in sizes else ""
            by_clock = f"({known[f'{short} by the clock']:.1f})"
            print(
                f"{name:44}{f'{was:.1f}' if was else '-':>9}{known[short]:9.1f}{by_clock:>9}{known[f'{short} framed']:9.1f}"  # noqa: E501
                f"{known[long]:9.1f}{growth:9.2f}{most or '':>9}{words}{size}"
            )
    HISTORY.parent.mkdir(exist_ok=True)
    run = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "database": connection.vendor,
        "ratios": ratios,
    }
    with HISTORY.open("a") as file:
        file.write(json.dumps(run) + "\n")
