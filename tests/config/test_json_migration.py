"""Rows from before the JSON columns and the sets of seats, migrated on the test database."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from campaign.models import Campaign, DiceRoll, ImportJob, LogEntry, SeatSetMember
from forum.models import FollowedThread
from nations.models import LedgerEntry, PlaceMove
from talk.models import Conversation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long, pytest.mark.thorough]

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
BEFORE = [
    ("campaign", "0015_squashed_0042_changes_by_reader"),
    ("nations", "0002_cause_name"),
    ("forum", "0005_squashed_0007_boards_as_they_are"),
    ("notices", "0006_squashed_0008_requested_mail"),
    ("talk", "0002_moderated"),
    ("battles", "0001_squashed_0003_solo"),
    ("moderation", "0003_plain_names"),
]
EFFECTS = (
    '[{"cause":["tax","4.2",{}],"facts":{},"kind":"holding","subject":"roma"},'
    '{"cause":["attack","7",{"target":"roma"}],"facts":{"province":"hispânia"},"kind":"attack",'
    '"subject":3}]'
)


def test_earlier_rows_are_kept() -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    apps = {app for app, _name in BEFORE}
    others = [(app, name) for app, name in newest if app not in apps]
    executor.migrate(BEFORE)
    try:
        write(MigrationExecutor(connection).loader.project_state([*BEFORE, *others]).apps)
    finally:  # other tests use the same database
        MigrationExecutor(connection).migrate(newest)

    campaign = Campaign.objects.get()
    assert (campaign.programs, campaign.onward, campaign.parked) == (None, None, None)
    assert campaign.entered_dice == {"é/1": 6}
    assert campaign.clock_terms == {"slot": {"length": "3d"}, "turn": None}
    assert list(Campaign.objects.filter(onward__isnull=True)) == [campaign]
    public, hidden, for_no_one = LogEntry.objects.order_by("sequence")
    assert (public.audience_id, public.viewers, public.why) == (None, None, None)
    assert (hidden.viewers, hidden.why) == (
        ("huns", "romans"),
        ["why", "", {"share": Decimal("0.5")}],
    )
    assert (for_no_one.audience_id, for_no_one.viewers) == ("||", ())
    assert DiceRoll.objects.get().roll.audience == ("vandals",)
    assert LedgerEntry.objects.get().cause == ["tax", "4.2", {"n": 10**30, "of": "São"}]
    places = PlaceMove.objects.order_by("place").values_list("entry__sequence", "place")
    assert list(places) == [(0, "hispânia"), (0, "roma")]
    assert ImportJob.objects.get().faults == ["a\ufffdb: unknown key."]
    assert FollowedThread.objects.get().place is None
    assert Conversation.objects.get().seats == ("gm", "huns")
    members = SeatSetMember.objects.order_by("seat_set", "seat").values_list("seat_set", "seat")
    assert sorted(members) == [
        ("|gm|huns|", "gm"),
        ("|gm|huns|", "huns"),
        ("|huns|romans|", "huns"),
        ("|huns|romans|", "romans"),
        ("|vandals|", "vandals"),
    ]


def write(apps: Any) -> None:
    """Write the rows by the models of before."""
    user = apps.get_model("people", "User").objects.create(username="Ingrid", date_joined=NOW)
    campaign = apps.get_model("campaign", "Campaign").objects.create(
        public_id="12345678",
        name="São Paulo",
        title="grand_campaign",
        founder=user,
        founded_at=NOW,
        scenario='"420ad"',
        options="{}",
        given='{"é/1":6}',
        clock_terms='{"slot":{"length":"3d"},"turn":null}',
    )
    entries = [
        apps.get_model("campaign", "LogEntry").objects.create(
            campaign=campaign,
            sequence=sequence,
            kind="move",
            what='{"by":"huns","move":"attack"}',
            audience=audience,
            turn=1,
            digest="0" * 64,
            hash=f"{sequence:064}",
            at=NOW,
            effects=EFFECTS if sequence == 0 else "[]",
            why=why,
        )
        for sequence, (audience, why) in enumerate(
            [(None, ""), ("|huns|romans|", '["why","",{"share":0.5}]'), ("||", "")]
        )
    ]
    apps.get_model("campaign", "DiceRoll").objects.create(
        entry=entries[1], purpose="p", sides=6, value=3, turn=1, audience="|vandals|"
    )
    apps.get_model("nations", "LedgerEntry").objects.create(
        campaign=campaign,
        entry=entries[0],
        order=0,
        turn=1,
        holder="huns",
        account="gold",
        change=1,
        balance=1,
        cause=f'["tax","4.2",{{"n":{10**30},"of":"São"}}]',
        cause_name="tax",
    )
    apps.get_model("campaign", "Import").objects.create(
        user=user,
        kind="record",
        content=b"",
        state="faulty",
        faults=r'["a\u0000b: unknown key."]',
        made_at=NOW,
    )
    thread = apps.get_model("forum", "Thread").objects.create(
        campaign=campaign, transport="phpbb", made_by=user, made_at=NOW
    )
    apps.get_model("forum", "Following").objects.create(thread=thread, changed_by=user)
    apps.get_model("talk", "Thread").objects.create(
        campaign=campaign, key="abcdefgh", parties="|gm|huns|", begun_at=NOW
    )
