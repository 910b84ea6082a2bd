"""`manage.py audit`: replays stored campaigns and compares every row, in as many processes as there
are cores.
"""

import os
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import django
from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand
from django.db import connection, connections, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from campaign.hosting.audit import differences, log_fault, note_fault, rebuild_campaign
from campaign.models import Campaign, LogEntry
from games.registry import TITLES

AGO = re.compile(r"(\d{1,5})([dh])")
CHUNK = 4
"""Campaigns that a process is given at a time."""


class Found(NamedTuple):
    """An audited campaign: the lines to print, whether something is wrong, and the fault of its
    log.
    """

    lines: list[str]
    wrong: bool
    campaign: int
    fault: str


def moment(text: str) -> datetime:
    """A day, a day with a time (UTC where it names no zone), or how long ago: 7d, 12h."""
    if ago := AGO.fullmatch(text):
        return timezone.now() - int(ago[1]) * (
            timedelta(days=1) if ago[2] == "d" else timedelta(hours=1)
        )
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        known = "neither a time as 2026-11-23 or 2026-11-23T18:00, nor how long ago as 7d or 12h"
        raise ArgumentTypeError(f"{text!r} is {known}") from None
    return (
        when
        if timezone.is_aware(when)
        else timezone.make_aware(when, timezone.get_default_timezone())
    )


def positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError("must be a number of processes, from 1")
    return int(text)


class Command(BaseCommand):
    help = (
        "Replay every stored campaign and compare every row. Name all campaigns that differ; exit"
        " status 1 if there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", nargs="*", help="public ids; all campaigns by default")
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="write readings and copies again from the log first",
        )
        parser.add_argument(
            "--all",
            action="store_true",
            help="print every difference of a campaign, not only the first",
        )
        parser.add_argument(
            "--jobs",
            type=positive,
            metavar="N",
            help="processes at the same time; by default one a core",
        )
        parser.add_argument(
            "--since",
            type=moment,
            metavar="TIME",
            help=(
                "only campaigns in whose log something was written since: 2026-11-23,"
                " 2026-11-23T18:00, 7d or 12h ago"
            ),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaigns = Campaign.objects.order_by("pk")
        if options["campaign"]:
            campaigns = campaigns.filter(public_id__in=options["campaign"])
        if options["since"]:
            campaigns = campaigns.filter(
                Exists(LogEntry.objects.filter(campaign=OuterRef("pk"), at__gte=options["since"]))
            )
        keys, wrong = list(campaigns.values_list("pk", flat=True)), False
        look = partial(looked_at, every=options["all"], anew=options["rebuild"])
        # Other processes cannot see what a transaction of this one has not committed.
        jobs = (
            1
            if connection.in_atomic_block
            else min(options["jobs"] or cores(), -(-len(keys) // CHUNK))
        )
        for one in (
            map(look, keys)
            if jobs <= 1
            else parallel(look, keys, jobs, alone=not options["rebuild"])
        ):
            for line in one.lines:
                self.stdout.write(line)
            wrong = wrong or one.wrong
            # The child process only reads and cannot write on SQLite.
            note_fault(Campaign.objects.get(pk=one.campaign), one.fault)
        if wrong:
            raise SystemExit(1)


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parallel(look: Any, keys: list[int], jobs: int, alone: bool) -> Iterator[Found]:
    """What is found of each, in their order. Whoever reads no further ends the processes."""
    connections.close_all()  # no process shares a connection with another
    pool = ProcessPoolExecutor(jobs, initializer=begin, initargs=(alone,))
    try:
        yield from pool.map(look, keys, chunksize=CHUNK)
    finally:
        pool.shutdown(cancel_futures=True)


def begin(alone: bool) -> None:
    """In a process of its own. Who only reads need not be the one writer that SQLite has at
    a time.
    """
    django.setup()
    connections.close_all()
    if alone and connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"


def looked_at(pk: int, every: bool, anew: bool) -> Found:
    """One campaign. In one transaction: no move comes between two reads."""
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=pk)
        if anew and campaign.title in TITLES:
            campaign = rebuild_campaign(campaign)
        wrong = _wrong(campaign, every)
        entries = campaign.entries.count()
        fault = _fault(campaign, wrong)
    lines = wrong or [f"{entries} entries, all as replayed"]
    named = [f"{campaign.public_id} {campaign.title}: {text}" for text in lines]
    return Found(named, bool(wrong), pk, fault)


def _fault(campaign: Campaign, wrong: list[str]) -> str:
    """Return the fault to store for a log; the stored fault if the site does not host the game."""
    if campaign.title not in TITLES:
        return campaign.fault
    return log_fault(campaign) if wrong else ""


def _wrong(campaign: Campaign, every: bool) -> list[str]:
    if campaign.title not in TITLES:
        return [f"the game {campaign.title} is not played here"]
    faults: list[str] = []
    try:
        for text in differences(campaign):
            faults.append(text)
            if not every:
                break
    except InvalidToken:
        faults.append("its secrets are sealed with another installation's key")
    return faults
