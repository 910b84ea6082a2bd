"""`manage.py audit`: replay stored campaigns and compare every row, on all cores."""

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
"""The number of campaigns that a process gets at a time."""


class AuditResult(NamedTuple):
    """The result of an audit: the lines to print, whether it found a fault, and the log's fault."""

    lines: list[str]
    wrong: bool
    campaign: int
    fault: str


def moment(text: str) -> datetime:
    """Return the time that a text means: a day, a day with a time, or an age such as 7d, 12h.

    A time without a zone is in UTC.
    """
    if ago := AGO.fullmatch(text):
        return timezone.now() - int(ago[1]) * (
            timedelta(days=1) if ago[2] == "d" else timedelta(hours=1)
        )
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        known = (
            "neither a time such as 2026-11-23 or 2026-11-23T18:00 nor a duration such as 7d or 12h"
        )
        raise ArgumentTypeError(f"{text!r} is {known}") from None
    return (
        when
        if timezone.is_aware(when)
        else timezone.make_aware(when, timezone.get_default_timezone())
    )


def positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError("must be a number of processes, at least 1")
    return int(text)


class Command(BaseCommand):
    help = (
        "Replay every stored campaign and compare every row. Lists the campaigns that differ; the"
        " exit status is 1 if there are any."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", nargs="*", help="public ids (default: all campaigns)")
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="first rebuild projections and copies from the log",
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
            help="number of parallel processes (default: one per core)",
        )
        parser.add_argument(
            "--since",
            type=moment,
            metavar="TIME",
            help=(
                "only campaigns with log entries since this time: 2026-11-23, 2026-11-23T18:00,"
                " or 7d or 12h ago"
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
        look = partial(audit_campaign, every=options["all"], anew=options["rebuild"])
        # Other processes cannot see what a transaction of this one has not committed.
        jobs = (
            1
            if connection.in_atomic_block
            else min(options["jobs"] or cores(), -(-len(keys) // CHUNK))
        )
        for audited in (
            map(look, keys)
            if jobs <= 1
            else parallel(look, keys, jobs, alone=not options["rebuild"])
        ):
            for line in audited.lines:
                self.stdout.write(line)
            wrong = wrong or audited.wrong
            # The child process only reads and cannot write on SQLite.
            note_fault(Campaign.objects.get(pk=audited.campaign), audited.fault)
        if wrong:
            raise SystemExit(1)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parallel(look: Any, keys: list[int], jobs: int, alone: bool) -> Iterator[AuditResult]:
    """Yield the result for each campaign, in their order.

    Closing the generator ends the processes.
    """
    connections.close_all()  # no process shares a connection with another
    pool = ProcessPoolExecutor(jobs, initializer=begin, initargs=(alone,))
    try:
        yield from pool.map(look, keys, chunksize=CHUNK)
    finally:
        pool.shutdown(cancel_futures=True)


def begin(alone: bool) -> None:
    """Prepare a process of the pool.

    A process that only reads need not be the one writer that SQLite allows at a time.
    """
    django.setup()
    connections.close_all()
    if alone and connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"


def audit_campaign(pk: int, every: bool, anew: bool) -> AuditResult:
    """Return the result for a campaign.

    A single transaction ensures that no move comes between two reads.
    """
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=pk)
        if anew and campaign.title in TITLES:
            campaign = rebuild_campaign(campaign)
        wrong = _wrong(campaign, every)
        entries = campaign.entries.count()
        fault = _fault(campaign, wrong)
    lines = wrong or [f"{entries} entries, all as replayed"]
    named = [f"{campaign.public_id} {campaign.title}: {text}" for text in lines]
    return AuditResult(named, bool(wrong), pk, fault)


def _fault(campaign: Campaign, wrong: list[str]) -> str:
    """Return the fault to store for a log; the stored fault if the site does not host the game."""
    if campaign.title not in TITLES:
        return campaign.fault
    return log_fault(campaign) if wrong else ""


def _wrong(campaign: Campaign, every: bool) -> list[str]:
    if campaign.title not in TITLES:
        return [f"this site does not offer the game {campaign.title}"]
    faults: list[str] = []
    try:
        for text in differences(campaign):
            faults.append(text)
            if not every:
                break
    except InvalidToken:
        faults.append("its secrets are encrypted with the key of another installation")
    return faults
