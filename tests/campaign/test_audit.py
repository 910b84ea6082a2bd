"""`manage.py audit`: it finds every kind of changed row, and hashes chain the log together."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F, Model

from battles.models import Battle
from campaign import keys, services
from campaign.log import positions
from campaign.log.entries import body
from campaign.models import (
    Campaign,
    Clock,
    ContestEntry,
    DiceRoll,
    LogEntry,
    Membership,
    save_seat_sets,
)
from engine.errors import IllegalMove
from engine.strict_json import entry_hash
from nations.models import Action, Balance, Card, Holding, LedgerEntry, Nation

pytestmark = pytest.mark.thorough


def audit(*arguments: str) -> tuple[int, list[str]]:
    """Return the exit status and the lines of the command."""
    out = StringIO()
    try:
        call_command("audit", *arguments, stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


@pytest.fixture
def played(running: Any) -> Any:
    """Return a campaign with some of everything.

    It has dice, a hidden move, a finished and an open battle, an undo that was restored and one
    that is in force.
    """
    number = running.campaign.last_number
    running.play("bee", "dig")
    undo = running.undo(number)
    services.restore(running.campaign, running.gm, undo.number, "After all")
    running.reload()
    running.play("bee", "hide", secret=3)
    running.play("bee", "duel")
    with suppress(IllegalMove):  # if the answer's six has ended the duel
        running.play("gm", "settle", winner="defender")
    running.reload()
    running.play("bee", "add", stones=1)
    kept = running.campaign.last_number
    running.play("bee", "add", stones=1)
    running.undo(kept)
    running.play("bee", "duel")
    return running


def test_an_intact_campaign_passes(played: Any) -> None:
    code, lines = audit()
    assert (code, len(lines)) == (0, 1)
    assert lines[0].startswith(f"{played.campaign.public_id} heap: ")
    assert "all as replayed" in lines[0]


def test_the_audit_prints_one_line_for_each_campaign(played: Any, grand: Any) -> None:
    assert [line.split()[1] for line in audit()[1]] == ["heap:", "grand_campaign:"]
    assert len(audit(grand.campaign.public_id)[1]) == 1


def moves() -> Any:
    return LogEntry.objects.filter(kind="move")


def standing() -> Any:
    return moves().filter(struck_by=None)


TAMPERED: dict[str, Any] = {
    "a word of a move": (
        lambda: standing().filter(act="add"),
        {"content_json": '{"by":"bee","move":"add","stones":3}'},
    ),
    "an actor": (lambda: standing(), {"actor": None}),
    "a time": (lambda: standing(), {"at": datetime(1453, 5, 29, tzinfo=UTC)}),
    "a seat": (lambda: standing(), {"seat": "wasp"}),
    "a hidden move shown": (lambda: moves().filter(audience__isnull=False), {"audience": None}),
    "a digest": (lambda: standing(), {"digest": "0" * 64}),
    "a hash": (lambda: standing(), {"hash": "0" * 64}),
    "a turn": (lambda: standing(), {"turn": 77}),
    "a number": (lambda: standing().filter(number__isnull=False), {"number": 999}),
    "a cached effect": (lambda: standing().filter(act="add"), {"effects": "[]"}),
    "a move's name": (lambda: standing(), {"act": "dance"}),
    "an act's name": (lambda: LogEntry.objects.filter(act="genesis"), {"act": "undo"}),
    "an act's how": (lambda: LogEntry.objects.filter(act="genesis"), {"how": "parked"}),
    "a move's contests": (ContestEntry.objects.all, {"contest": 77}),
    "a struck move": (lambda: moves().filter(struck_by__isnull=False), {"struck_by": None}),
    "a move in force": (lambda: standing().filter(act="duel"), {"struck_by": None}),
    "a roll's value": (DiceRoll.objects.all, {"value": F("value") % 6 + 1}),
    "a roll's audience": (DiceRoll.objects.all, {"audience": "||"}),
    "an account": (lambda: Balance.objects.filter(account="stones"), {"amount": 99}),
    "a ledger line": (lambda: LedgerEntry.objects.filter(account="stones"), {"change": 99}),
    "a cause": (LedgerEntry.objects.all, {"cause": '["gift","",{}]'}),
    "a cause's name": (LedgerEntry.objects.all, {"cause_name": "gift"}),
    "a holding": (Holding.objects.all, {"owner": "wasp"}),
    "a card": (Card.objects.all, {"count": 9}),
    "who sees a card": (Card.objects.all, {"audience": None}),
    "an action": (Action.objects.all, {"cost": 9}),
    "a battle": (Battle.objects.all, {"outcome": "glory"}),
    "a battle's facts": (Battle.objects.all, {"facts": "{}"}),
    "a nation": (Nation.objects.all, {"facts": "{}"}),
    "a member": (lambda: Membership.objects.filter(role="seat"), {"seat": "wasp"}),
}


@pytest.mark.long
@pytest.mark.parametrize("what", TAMPERED)
def test_a_changed_row_is_found(played: Any, what: str) -> None:
    rows, change = TAMPERED[what]
    pk = rows().values_list("pk", flat=True).first()
    assert pk, what
    save_seat_sets(["||"])
    if what == "a move in force":
        change = {"struck_by": pk}
    rows().model.objects.filter(pk=pk).update(**change)
    code, lines = audit()
    assert code == 1, what
    assert len(lines) == 1


def test_the_columns_of_an_entry_are_repaired(played: Any) -> None:
    entries = LogEntry.objects.order_by("pk")
    before = list(entries.values())
    contests = list(ContestEntry.objects.order_by("pk").values())
    undo, duel = (
        entries.filter(act="undo").latest("pk"),
        standing().exclude(contest_rows=None).latest("pk"),
    )
    [number] = duel.contests
    entries.filter(pk=undo.pk).update(act="genesis", how="parked")
    entries.filter(pk=duel.pk).update(act="undo")
    duel.contest_rows.update(contest=77)
    code, lines = audit("--all")
    assert code == 1
    content = " ".join(lines)
    assert f"entry {undo.sequence}: its act is 'genesis', but 'undo' in its text" in content
    assert f"entry {duel.sequence}: its act is 'undo', but 'duel' in its text" in content
    assert f"contest entry {duel.pk}/{number} is missing" in content
    assert f"contest entry {duel.pk}/77 should not be there" in content
    assert audit("--rebuild")[0] == 0
    assert list(entries.values()) == before
    rebuilt = ContestEntry.objects.order_by("entry", "contest")
    assert list(rebuilt.values("campaign", "contest", "entry")) == [
        {"campaign": row["campaign_id"], "contest": row["contest"], "entry": row["entry_id"]}
        for row in contests
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    "model", [Balance, LedgerEntry, Holding, Card, Action, Battle, Nation, DiceRoll, Membership]
)
def test_a_deleted_row_is_found(played: Any, model: type[Model]) -> None:
    rows: Any = model
    result = rows.objects.filter(role="seat") if model is Membership else rows.objects.all()
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {model._meta.db_table} WHERE id = %s",
            [result.values_list("pk", flat=True)[0]],
        )
    assert audit()[0] == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scenario", '{"key":"small","stones":9}'),
        ("options", '{"quick":true}'),
        ("commitment", "0" * 64),
        ("seed_sealed", None),
        ("digest_key_sealed", None),
        ("status", "finished"),
        ("turn", 9),
        ("phase", "tea"),
        ("active_seat", "wasp"),
        ("last_sequence", 99),
        ("last_number", 99),
        ("last_hash", "0" * 64),
        ("standing_hash", "0" * 64),
        ("turn_times", None),
        ("title", "chess"),
    ],
)
def test_a_changed_copy_is_found(played: Any, field: str, value: Any) -> None:
    if value is None:
        value = keys.seal("another")
    Campaign.objects.update(**{field: value})
    positions.memory.clear()
    code, lines = audit()
    assert code == 1
    assert "another" not in lines[0]


def test_the_key_of_another_installation_is_reported(played: Any, settings: Any) -> None:
    settings.VAULT_KEY = "2" * 64
    code, lines = audit()
    assert code == 1
    assert "key" in lines[0]


def test_every_difference_is_listed_on_request(played: Any) -> None:
    Balance.objects.update(amount=77)
    code, lines = audit("--all")
    assert code == 1
    assert len(lines) > 2


def test_each_hash_depends_on_the_previous_hash(played: Any) -> None:
    # A hash that was made to fit the forged entry does not help: the next entry contains the old
    # hash.
    entries = list(played.campaign.entries.order_by("sequence"))
    forged = entries[-2]
    forged.actor = None
    target = forged.target.sequence if forged.target else None
    forged.hash = entry_hash(
        entries[-3].hash, body(forged, target, [row.roll for row in forged.rolls.all()])
    )
    forged.save()
    code, lines = audit()
    assert code == 1
    assert f"entry {entries[-1].sequence}" in lines[0]


def test_only_campaigns_changed_since_a_moment_are_audited(played: Any, grand: Any) -> None:
    LogEntry.objects.filter(campaign=played.campaign).update(
        at=datetime(2026, 11, 1, 12, tzinfo=UTC)
    )
    LogEntry.objects.filter(campaign=grand.campaign).update(
        at=datetime(2026, 11, 20, 12, tzinfo=UTC)
    )
    for since, titles in (
        ("2026-11-01", ["heap:", "grand_campaign:"]),
        ("2026-11-01T12:00:01", ["grand_campaign:"]),
        ("2026-11-20T13:00+01:00", ["grand_campaign:"]),
        ("2026-11-20T12:30", []),
        ("0d", []),
    ):
        assert (
            list(dict.fromkeys(line.split()[1] for line in audit("--all", "--since", since)[1]))
            == titles
        ), since
    for wrong in ("yesterday", "7 d", "2026-13-01"):
        with pytest.raises(CommandError, match="is neither a time such as"):
            audit("--since", wrong)
    with pytest.raises(CommandError, match="number of processes"):
        audit("--jobs", "0")


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_processes_share_the_campaigns_and_the_answer_is_the_same(
    transactional_db: None, request: Any
) -> None:
    running = request.getfixturevalue("running")
    created = [services.found_campaign(running.gm, "heap", f"No. {n}", "small") for n in range(11)]
    alone, shared = audit("--jobs", "1"), audit("--jobs", "3")
    assert alone == shared
    assert (alone[0], len(alone[1])) == (0, 12)
    Campaign.objects.filter(pk=created[3].pk).update(turn=77)
    Campaign.objects.filter(pk=created[9].pk).update(turn=77)
    wrong = [
        f"{created[n].public_id} heap: the campaign's turn differs from the log" for n in (3, 9)
    ]
    for jobs in ("1", "3"):
        code, lines = audit("--jobs", jobs)
        assert (code, len(lines)) == (1, 12), jobs
        assert [line for line in lines if "differs from the log" in line] == wrong, jobs
        assert (
            sum("turn differs from the log" in line for line in audit("--all", "--jobs", jobs)[1])
            == 2
        )
    assert audit("--rebuild", "--jobs", "3")[0] == 0


def test_migrate_gives_a_campaign_of_an_older_version_its_clocks(running: Any, grand: Any) -> None:
    """The older version wrote no clocks.

    The new rows begin with the entries that opened them, and no one is late because of them.
    """
    before = set(Clock.objects.values_list("campaign", "kind", "seat", "started_at", "due_at"))
    assert len(before) >= 2
    Clock.objects.all().delete()
    status, lines = audit()
    assert (status, [line for line in lines if "as replayed" not in line]) == (
        1,
        [f"{running.campaign.public_id} heap: clock turn is missing"],
    )
    call_command("migrate", verbosity=0)
    assert (
        set(Clock.objects.values_list("campaign", "kind", "seat", "started_at", "due_at")) == before
    )
    assert audit("--all")[0] == 0
    kept = set(Clock.objects.values_list("pk", flat=True))
    call_command("migrate", verbosity=0)
    assert set(Clock.objects.values_list("pk", flat=True)) == kept, "what has clocks is left alone"
