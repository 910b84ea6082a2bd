"""Reminders and actions of clocks when their time comes, each exactly once.

The tests use the Grand Campaign and a toy title.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from battles import services as battles
from campaign import hooks, pulse, services
from campaign.clocks import selectors as clocks
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import Terms
from campaign.clocks.services import tick
from campaign.hosting.audit import differences
from campaign.log import entries, positions, selectors
from campaign.models import Clock, LogEntry, Membership
from engine.errors import RollsMissing

pytestmark = [pytest.mark.django_db, pytest.mark.clock]
T0 = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
SEEN_EVENTS: list[tuple[str, str, datetime, dict[str, Any]]] = []


def listen(clock: Clock, what: str, at: datetime, facts: Any) -> None:
    SEEN_EVENTS.append((clock.kind, what, at, dict(facts)))


def stumble(clock: Clock, what: str, at: datetime, facts: Any) -> None:
    if clock.kind == "slot":
        raise RuntimeError("hunter2 is the password")
    listen(clock, what, at, facts)


@pytest.fixture(autouse=True)
def seen_events(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(hooks, "clock_event", listen)
    SEEN_EVENTS.clear()
    return SEEN_EVENTS


class Grand:
    """A Grand Campaign at chosen moments, in which the game master makes every move."""

    def __init__(self, grand: Any) -> None:
        self.campaign, self.gm = grand.campaign, grand.people["gm"]
        self.people = grand.people

    def play(self, move: str, at: datetime, seat: str = "", **given: Any) -> LogEntry:
        raw = {"by": "gm", **({"for": seat} if seat else {}), "move": move, **given}
        result = services.play(
            self.campaign, self.gm, raw, selectors.seen(self.campaign, self.gm), now=at
        )
        self.campaign = result.campaign
        return result.entries[-1]

    def terms(self, **kinds: Terms | None) -> None:
        clocks_services.set_terms(self.campaign, self.gm, kinds, now=T0)
        self.campaign.refresh_from_db()

    def clock(self, kind: str) -> Clock:
        return next(clock for clock in clocks.running(self.campaign) if clock.kind == kind)

    def last(self) -> Any:
        self.campaign.refresh_from_db()
        return selectors.log(self.campaign, self.gm, limit=1)[0]

    def attack(self, at: datetime) -> tuple[int, str]:
        """Make any attack on a nation in the open slot; return its number and the defender."""
        for _ in range(20):
            seat = self.campaign.active_seat
            offers = [
                o
                for o in selectors.offers(self.campaign, self.gm, seat)
                if o.move == "attack" and o.refusal is None
            ]
            for offer in offers:
                for raw in offer.moves():
                    target = positions.current(self.campaign).owner.get(raw.get("target"))
                    if (
                        target
                        and target != seat
                        and target in positions.current(self.campaign).nations
                    ):
                        raw = {k: v for k, v in raw.items() if k not in ("by", "for", "move")}
                        self.play("attack", at, seat, **raw)
                        number, facts = list(
                            self.campaign.game.rows(
                                positions.current(self.campaign)
                            ).contests.items()
                        )[-1]
                        return number, str(facts["defender"])
            self.play("end-slot", at, seat)
        raise AssertionError("nobody may attack anybody")


@pytest.fixture
def game(grand: Any) -> Grand:
    created = Grand(grand)
    created.play("start", T0)
    return created


def announced() -> list[tuple[str, str]]:
    return [(kind, what) for kind, what, _, _ in SEEN_EVENTS]


def test_a_slot_reminds_once_at_eighty_percent_on_its_last_day_and_when_it_has_expired(
    game: Grand,
) -> None:
    slot = game.clock("slot")
    due = slot.due_at
    assert due == T0 + 3 * DAY  # Thursday 09:30 UTC; its day's reminder at 07:30
    moments = [
        T0 + HOUR,
        due - DAY,
        due - DAY * 3 / 5,
        due - 2 * HOUR,
        due - HOUR,
        due,
        due + DAY,
        due + 9 * DAY,
    ]
    shown = []
    for at in moments:
        before = len(SEEN_EVENTS)
        tick(at)
        tick(at)
        shown.append(announced()[before:])
    assert shown == [
        [],
        [],
        [("slot", "soon")],
        [("slot", "today")],
        [],
        [("slot", "missed")],
        [],
        [],
    ]
    assert game.campaign.last_number == game.last().number  # only a reminder: nothing was done


def test_after_a_long_silence_only_the_most_important_reminder_is_sent(game: Grand) -> None:
    tick(T0 + 60 * DAY)
    assert sorted(announced()) == [("slot", "missed"), ("turn", "missed")]


def test_a_time_that_goes_backwards_repeats_no_reminder(game: Grand) -> None:
    tick(T0 + 4 * DAY)
    before = list(SEEN_EVENTS)
    for at in (T0 + DAY, T0 - 400 * DAY, T0 + 3 * DAY, T0 + 4 * DAY):
        assert tick(at) == 0
    assert before == SEEN_EVENTS


def test_11_the_clock_ends_a_slot_after_its_grace_and_an_undo_is_final(
    game: Grand,
) -> None:
    game.terms(slot=Terms("2d", "12h", True))
    first = game.campaign.active_seat
    before = game.last().number
    due = game.clock("slot").due_at
    tick(due)
    assert announced()[-1] == ("slot", "missed")
    assert tick(due + 11 * HOUR) == 0
    assert tick(due + 12 * HOUR) == 1
    line = game.last()
    entry = line.entry
    assert (entry.actor, entry.seat, entry.content) == (
        None,
        first,
        {"by": "gm", "for": first, "move": "end-slot"},
    )
    assert [call for call in SEEN_EVENTS if call[1] == "acted"] == [
        ("slot", "acted", due + 12 * HOUR, {"entry": entry})
    ]
    ended = Clock.objects.get(acted_entry=entry)
    assert (ended.end_reason, ended.seat) == ("acted", first)
    assert game.campaign.active_seat != first
    assert game.clock("slot").due_at == due + 12 * HOUR + 2 * DAY  # the next one's

    client = Client()
    client.force_login(game.gm)
    for language, words in (
        ("en", ("by the clock", "by the game master")),
        ("it", ("dall’orologio", "dall’arbitro")),
    ):
        page = client.get(
            f"/c/{game.campaign.address}/log/", headers={"accept-language": language}
        ).content.decode()
        newest = page[page.index(f'id="e{entry.number}"') :].partition("</li>")[0]
        assert [word in newest for word in words] == [True, False]

    # After the undo it is their slot again, and no clock ends it a second time, however long it
    # lasts.
    services.undo_to(
        game.campaign,
        game.gm,
        before,
        "He is back",
        selectors.seen(game.campaign, game.gm),
        now=due + DAY,
    )
    game.campaign.refresh_from_db()
    assert game.campaign.active_seat == first
    for days in range(2, 40):
        tick(due + days * DAY)
    game.campaign.refresh_from_db()
    assert (game.campaign.active_seat, game.clock("slot").acts_at) == (first, None)
    assert list(differences(game.campaign)) == []


def test_11_the_clock_accepts_a_challenge_after_its_grace(game: Grand) -> None:
    game.terms(answer=Terms("3d", "0h", True), slot=None)
    number, defender = game.attack(T0 + HOUR)
    assert tick(T0 + HOUR + 3 * DAY) == 1
    entry = game.last().entry
    assert entry.actor is None
    assert entry.content == {
        "by": "gm",
        "for": defender,
        "move": "respond",
        "attack": number,
        "choice": "accept",
    }
    assert game.clock("battle").contest == number
    assert list(differences(game.campaign)) == []


def test_a_turn_and_a_battle_only_remind(game: Grand) -> None:
    game.terms(answer=Terms("1d", "0h", True), slot=None)
    game.attack(T0)
    tick(T0 + DAY)
    assert game.clock("battle").due_at == T0 + 15 * DAY
    number = game.last().number
    tick(T0 + 90 * DAY)
    assert sorted(announced()[-2:]) == [("battle", "missed"), ("turn", "missed")]
    assert game.last().number == number


def claimed_battle(game: Grand) -> tuple[int, str, LogEntry]:
    """Return the number, the defender and the claim of a battle.

    The attacker's player claims it on the third day.
    """
    game.terms(answer=Terms("1d", "0h", True), slot=None, claim=Terms("3d", "1d", True))
    number, defender = game.attack(T0)
    tick(T0 + DAY)
    facts = game.campaign.game.rows(positions.current(game.campaign)).contests[number]
    Membership.objects.filter(campaign=game.campaign, role="seat").delete()
    for seat, who in ((facts["attacker"], "ant"), (defender, "bee")):
        Membership.objects.create(
            campaign=game.campaign, user=game.people[who], role="seat", seat=seat, since=T0
        )
    return number, defender, claim(game, number, T0 + 2 * DAY)


def claim(game: Grand, number: int, at: datetime) -> LogEntry:
    result = {
        "by": "gm",
        "move": "report",
        "attack": number,
        "routed": {"attacker": 31, "defender": 46},
    }
    created = battles.claim(game.campaign, game.people["ant"], number, result, now=at)
    game.campaign.refresh_from_db()
    return created


def test_the_clock_confirms_an_unopposed_claim(game: Grand) -> None:
    number, defender, entry = claimed_battle(game)
    clock = game.clock("claim")
    assert (clock.entry, clock.seat, clock.seats) == (entry, defender, (defender,))
    assert (clock.due_at, clock.acts_at) == (T0 + 5 * DAY, T0 + 6 * DAY)
    tick(T0 + 6 * DAY)
    newest = selectors.log(game.campaign, game.gm, limit=2)
    name = next(seat.name for seat in selectors.seats(game.campaign) if seat.key == defender)
    assert (
        newest[1].text
        == f"{name}: no one disputed the claim for battle #{number} in time, so it is confirmed."
    )
    assert [line.entry.actor for line in newest] == [None, None]
    assert newest[0].entry.content["move"] == "report"
    game.campaign.refresh_from_db()
    assert (
        game.campaign.game.rows(positions.current(game.campaign)).contests[number]["status"]
        == "resolved"
    )
    assert not Clock.objects.filter(kind__in=("claim", "battle"), ended_at=None).exists()


def test_a_claim_that_is_answered_has_no_clock(game: Grand) -> None:
    number, _, entry = claimed_battle(game)
    battles.withdraw(game.campaign, game.people["ant"], number, entry.number or 0, now=T0 + 3 * DAY)
    assert not Clock.objects.filter(kind="claim", ended_at=None).exists()
    again = claim(game, number, T0 + 3 * DAY)
    assert game.clock("claim").entry == again
    battles.dispute(
        game.campaign,
        game.people["bee"],
        number,
        again.number or 0,
        "It was not so",
        now=T0 + 4 * DAY,
    )
    assert not Clock.objects.filter(kind="claim", ended_at=None).exists()
    tick(T0 + 10 * DAY)
    assert ("claim", "acted") not in announced()


def test_if_the_action_is_switched_on_after_the_deadline_the_grace_starts_then(game: Grand) -> None:
    tick(T0 + 10 * DAY)
    clocks_services.set_terms(
        game.campaign, game.gm, {"slot": Terms("3d", "1d", True)}, now=T0 + 10 * DAY
    )
    first = game.campaign.active_seat
    assert tick(T0 + 10 * DAY + 23 * HOUR) == 0
    assert tick(T0 + 11 * DAY) == 1
    assert game.last().entry.seat == first


def test_an_extension_and_a_pause_reset_the_reminders(game: Grand) -> None:
    seen = selectors.seen(game.campaign, game.gm)
    tick(T0 + 2 * DAY + 20 * HOUR)
    assert announced() == [("slot", "soon")]
    to = T0 + 6 * DAY
    clocks_services.extend(
        game.campaign, game.gm, game.clock("slot"), to, "Exams", seen, now=T0 + 2 * DAY + 21 * HOUR
    )
    kind, what, _at, facts = SEEN_EVENTS[-1]
    assert (kind, what, facts["was"], facts["to"], facts["reason"]) == (
        "slot",
        "moved",
        T0 + 3 * DAY,
        to,
        "Exams",
    )
    assert facts["entry"].act == "extend"
    tick(T0 + 4 * DAY)
    tick(T0 + 5 * DAY)  # 80% of six days are 4.8
    services.change_life(game.campaign, game.gm, "paused", now=T0 + 5 * DAY)
    assert tick(T0 + 20 * DAY) == 0
    services.change_life(game.campaign, game.gm, "resumed", now=T0 + 20 * DAY)
    assert announced()[-3:] == [
        ("slot", "soon"),
        ("turn", "moved"),
        ("slot", "moved"),
    ] or announced()[-3:] == [
        ("slot", "soon"),
        ("slot", "moved"),
        ("turn", "moved"),
    ]
    tick(T0 + 21 * DAY)
    assert announced()[-1] == ("slot", "missed")


def test_a_failing_clock_stops_no_other_and_logs_no_secret(
    game: Grand, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    monkeypatch.setattr(hooks, "clock_event", stumble)
    at = T0 + 40 * DAY
    with caplog.at_level(logging.ERROR):
        assert tick(at) == 1
    assert announced() == [("turn", "missed")]
    assert "RuntimeError in" in caplog.text
    assert "hunter2" not in caplog.text
    slot = game.clock("slot")
    assert (slot.attempts, slot.next_at, slot.notified_kinds) == (1, at + timedelta(minutes=1), "")
    assert tick(at) == 0
    assert tick(at + timedelta(minutes=1)) == 0
    assert game.clock("slot").next_at == at + timedelta(minutes=3)
    monkeypatch.setattr(hooks, "clock_event", listen)
    assert tick(at + timedelta(minutes=3)) == 1
    assert (announced()[-1], game.clock("slot").attempts) == (("slot", "missed"), 0)


# The pulse ----------------------------------------------------------------------------------------


def fail_tick(now: datetime, limit: int | None = None) -> int:
    raise ValueError("token=hunter2")


def count(now: datetime, limit: int | None = None) -> int:
    return 7


def test_a_failing_function_stops_no_other(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setattr(hooks, "ticks", {"bursts": fail_tick, "counts": count})
    with override_settings(TICKS={"bursts": 5, "counts": 10}), caplog.at_level(logging.ERROR):
        assert pulse.tick(T0) == {"bursts": None, "counts": 7}
        shown = StringIO()
        with pytest.raises(SystemExit):
            call_command("tick", stdout=shown)
    assert shown.getvalue().splitlines() == ["bursts: failed", "counts: 7"]
    assert "ValueError in" in caplog.text
    assert "hunter2" not in caplog.text


WORKED: list[str] = []
"""The work that the kinds of the next tests did, in order."""
LEFT: dict[str, int] = {}


def _work(kind: str, limit: int | None) -> int:
    done = min(LEFT[kind], LEFT[kind] if limit is None else limit)
    LEFT[kind] -= done
    WORKED.append(f"{kind} {done}")
    return done


def much(now: datetime, limit: int | None = None) -> int:
    return _work("much", limit)


def little(now: datetime, limit: int | None = None) -> int:
    return _work("little", limit)


KINDS = {"much": 10, "little": 2}


def test_kinds_of_work_take_turns_so_that_much_of_one_does_not_delay_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hooks, "ticks", {"much": much, "little": little})
    WORKED.clear()
    LEFT.update(much=25, little=3)
    with override_settings(TICKS=KINDS):
        assert pulse.tick(T0) == {"much": 25, "little": 3}
        assert WORKED == ["much 10", "little 2", "much 10", "little 1", "much 5"]
        LEFT.update(much=25, little=3)
        WORKED.clear()
        assert pulse.tick(T0, limit=12) == {"much": 12, "little": 3}
        assert WORKED == ["much 10", "little 2", "much 2", "little 1"]


def test_remaining_work_is_shared_by_more_tasks_until_its_pulse_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tasks run here one by one, as workers would take them.

    Their time is over at once, as after a long batch.
    """
    from config import celery

    queue: list[tuple[Any, ...]] = []
    monkeypatch.setattr(hooks, "ticks", {"much": much, "little": little})
    monkeypatch.setattr(
        celery.work, "apply_async", lambda args, **options: queue.append((*args, options["queue"]))
    )
    LEFT.update(much=1_000_000)
    with override_settings(TICKS=KINDS, PARALLEL=3):
        monkeypatch.setattr(pulse, "SECONDS", 0.0)
        celery.work("much", since=time.time())
        assert [call[:2] for call in queue] == [("much", 2), ("much", 1)]
        assert {call[3] for call in queue} == {"much"}, "each kind has its own queue"
        for kind, share, since, _queue in list(queue):
            celery.work(kind, share, since)
        assert [call[1] for call in queue[2:]] == [1, 1, 1], "three at once and no more"
        del queue[:]
        celery.work("much", 3, time.time() - 61)
        assert queue == [], "the next pulse has begun and goes on with it"
        monkeypatch.setattr(pulse, "SECONDS", 1000.0)
        LEFT.update(much=5)
        celery.work("much", 3, time.time())
        assert (queue, LEFT["much"]) == ([], 0), "nothing is left"


def test_beat_sends_a_pulse_for_every_kind_of_work_each_minute() -> None:
    from django.conf import settings

    from config.celery import app

    assert app.conf.beat_schedule["letters"] == {
        "task": "work",
        "args": ["letters"],
        "schedule": 60.0,
        "options": {"queue": "letters", "expires": 60.0, "soft_time_limit": 300, "time_limit": 330},
    }
    assert {"celery", *settings.TICKS} == {queue.name for queue in app.conf.task_queues}
    assert set(settings.TICKS) | {"clear-sessions"} == set(app.conf.beat_schedule)
    assert list(settings.TICKS) == list(hooks.ticks)


def test_the_action_of_a_clock_waits_for_a_missing_die(game: Grand) -> None:
    game.terms(slot=Terms("2d", "12h", True))
    seat, raw = (
        game.campaign.active_seat,
        {"by": "gm", "for": game.campaign.active_seat, "move": "end-slot"},
    )
    with transaction.atomic():
        table = entries.lock(game.campaign)
        entries.park_move(table, game.gm, raw, RollsMissing(("turn-1/event/huns",), 100), T0)
        table.save()
    over = game.clock("slot").acts_at
    assert over is not None
    assert [tick(over), tick(over), tick(over + HOUR)] == [0, 0, 0]
    assert ("slot", "missed") not in announced(), "nobody can move meanwhile: nobody is late"
    game.campaign.refresh_from_db()
    assert game.campaign.active_seat == seat
    services.drop_parked_move(game.campaign, game.gm, now=over + HOUR)
    assert [tick(over + HOUR), tick(over + 2 * HOUR), tick(over + 3 * HOUR)] == [0, 1, 0]
    assert announced()[-1] == ("slot", "acted")
    game.campaign.refresh_from_db()
    assert game.campaign.active_seat != seat
    assert list(differences(game.campaign)) == []


@pytest.mark.skipif(
    connection.vendor == "sqlite",
    reason="it takes no index with a condition for values that are bound",
)
def test_a_tick_finds_its_few_campaigns_by_indexes(running: Any) -> None:
    with CaptureQueriesContext(connection) as asked:
        for part in ("onward", "practice", "forecasts"):
            hooks.ticks[part](T0, 1)
    with connection.cursor() as cursor:
        # with a single campaign it would read the whole table
        cursor.execute("SET LOCAL enable_seqscan = off")
        plans = ""
        for query in asked:
            if query["sql"].startswith('SELECT "campaign_campaign"'):
                cursor.execute("EXPLAIN " + query["sql"].removesuffix(" FOR UPDATE SKIP LOCKED"))
                plans += str(cursor.fetchall())
    assert {name for name in ("played_on", "with_programs", "forecast_on") if name in plans} == {
        "played_on",
        "with_programs",
        "forecast_on",
    }
