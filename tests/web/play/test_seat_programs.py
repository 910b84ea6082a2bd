"""A program in a seat of a normal campaign: admitted, playing, attacked, replaced by a user."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles import projection as battles_projection
from battles import services as battles_services
from battles.models import Battle
from campaign import access, practice, services
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT, Terms
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.hosting import audit
from campaign.log import record, selectors
from campaign.models import AccessLogEntry, Campaign, Clock, LogEntry, StandingOrders
from campaign.seats import standing_orders
from campaign.seats.seating import free_seats
from campaign.seats.selectors import program_levels, program_of
from games.grand_campaign.bots.players import GrandPlayers
from tests.web.grand_table import SEED

pytestmark = pytest.mark.django_db

PEOPLE = {
    "huns": "Ingrid",
    "romans": "Benedetto",
    "hephtalites": "Hana",
    "kushans": "Kavi",
    "sassanids": "Shirin",
}


def text(answer: Any) -> str:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


class Real:
    """A campaign of a game master and five players, with the Vandals' seat free."""

    def __init__(self, person: Callable[..., Any], **options: Any) -> None:
        self.gm = person("Marozia")
        self.people = {seat: person(name) for seat, name in PEOPLE.items()}
        campaign = services.found_campaign(
            self.gm, "grand_campaign", "The Sixth Seat", "420ad", options, "UTC", seed=SEED
        )
        for seat, user in self.people.items():
            services.take_seat(user, services.invite(campaign, self.gm, seat)[1])
        # The Vandals are so weak that their army does not fight. Independents attack the Romans for
        # them, because the Romans lead.
        weak = {
            "move": "adjust",
            "account": "army",
            "change": -60,
            "reason": "Plague in the camps.",
        }
        for move in (
            {"move": "start"},
            {**weak, "nation": "romans"},
            {**weak, "nation": "vandals"},
            {
                "move": "adjust",
                "nation": "romans",
                "account": "prestige",
                "change": 3,
                "reason": "A triumph in Rome.",
            },
        ):
            services.play(
                campaign, self.gm, {"by": "gm", **move}, selectors.seen(campaign, self.gm)
            )
            campaign.refresh_from_db()
        self.campaign = Campaign.objects.get()
        self.home = f"/c/{self.campaign.address}/"

    def reload(self) -> Campaign:
        self.campaign = Campaign.objects.get()
        return self.campaign

    def on(self) -> Campaign:
        """Return the campaign at the moment when no program moves any more."""
        while practice.advance(self.campaign.pk):
            pass
        return self.reload()

    def play(self, seat: str, move: str, **given: Any) -> Campaign:
        """Make a user's own move, and let the programs react."""
        user = self.people.get(seat, self.gm)
        services.play(
            self.campaign,
            user,
            {"by": seat, "move": move, **given},
            selectors.seen(self.campaign, user),
        )
        return self.on()

    def slot_to(self, seat: str) -> None:
        """End slots of users until it is this seat's slot; programs play their own."""
        while self.campaign.active_seat != seat:
            assert self.campaign.active_seat in self.people
            self.play(self.campaign.active_seat, "end-slot")

    def client(self, user: Any) -> Client:
        client = Client()
        client.force_login(user)
        return client


@pytest.fixture
def real(person: Callable[..., Any]) -> Real:
    return Real(person)


def acts(campaign: Campaign, name: str) -> list[tuple[str, str]]:
    rows = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=name).order_by("sequence")
    return [(row.content["how"], row.seat) for row in rows]


def test_a_program_holds_the_sixth_seat(real: Real, person: Callable[..., Any]) -> None:
    """The program plays its slot and is attacked; its opponent fights the battle alone.

    Then a user takes the seat.
    """
    clocks_services.set_terms(
        real.campaign, real.gm, {kind: Terms("3d") for kind in (SLOT, ANSWER, BATTLE, CLAIM)}
    )
    services.let_program(real.campaign, real.gm, "vandals", "bold", "Vera has left us.")
    real.on()
    assert program_levels(real.campaign) == {"vandals": "bold"}
    assert free_seats(real.campaign) == ["vandals"]
    assert real.people["huns"].notices.get(kind="program").facts["reason"] == "Vera has left us."

    # In its slot, moves are entered for the seat without an actor. No clock waits for it, no
    # countersignature is required.
    real.slot_to("hephtalites")
    moves = list(
        real.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="vandals").order_by("sequence")
    )
    assert [entry.content["move"] for entry in moves] == ["build", "build", "attack", "end-slot"]
    assert {(entry.content["by"], entry.content["for"], entry.actor_id) for entry in moves} == {
        ("gm", "vandals", None)
    }
    assert {program_of(real.campaign, entry) for entry in moves} == {"bold"}
    assert not Clock.objects.filter(waits_for="|vandals|").exists()
    assert not real.campaign.entries.filter(act="own-account").exists()

    # It attacked the Romans, who accept and fight alone.
    real.play("romans", "respond", attack=1, choice="accept")
    assert Battle.objects.get(number=1).solo == "vandals"

    # It is attacked and answers at once. The Kushans fight alone and claim, and the game master
    # rules.
    real.slot_to("kushans")
    real.play(
        "kushans", "attack", kind="independent", **{"from": "gallaecia", "target": "lusitania"}
    )
    battle = Battle.objects.get(number=2)
    assert (battle.parties, battle.status, battle.solo) == (
        ("kushans", "vandals"),
        "fighting",
        "vandals",
    )
    assert acts(real.campaign, "solo") == [("agreed", "vandals"), ("agreed", "vandals")]
    waits = {(wait.seat, wait.contest) for wait in battles_projection.waits(real.campaign)}
    assert ("kushans", 2) in waits
    assert not any(seat == "vandals" for seat, _contest in waits)
    result = {"by": "gm", "move": "report", "attack": 2, "routed": {"attacker": 12, "defender": 61}}
    claim = battles_services.claim(real.campaign, real.people["kushans"], 2, result)
    real.reload()
    assert [wait.seat for wait in battles_projection.waits(real.campaign) if wait.contest == 2] == [
        "gm"
    ]
    assert not Clock.objects.filter(kind="claim", ended_at=None).exists()
    battles_services.judge(
        real.campaign, real.gm, 2, claim.number, selectors.seen(real.reload(), real.gm)
    )
    assert Battle.objects.get(number=2).status == "resolved"

    # A user takes the seat: the program leaves with an entry of its own, and both play the other
    # battle again. The claim of the Romans against it waits for her from now on, not from the time
    # of the claim.
    held = {"by": "gm", "move": "report", "attack": 1, "winner": "defender"}
    battles_services.claim(real.reload(), real.people["romans"], 1, held)
    vera = person("Vera")
    services.take_seat(vera, services.invite(real.campaign, real.gm, "vandals")[1])
    assert acts(real.reload(), "program") == [("takes", "vandals"), ("leaves", "vandals")]
    assert acts(real.campaign, "solo")[-1] == ("ended", "vandals")
    assert Battle.objects.get(number=1).solo == ""
    clock = Clock.objects.get(kind="claim", ended_at=None)
    assert (clock.seats, clock.started_at) == (
        ("vandals",),
        real.campaign.entries.get(act="program", how="leaves").at,
    )
    assert (program_levels(real.campaign), free_seats(real.campaign)) == ({}, [])
    assert {program_of(real.campaign, entry) for entry in moves} == {"bold"}
    assert practice.next_move(real.campaign) is None
    real.people["vandals"] = vera

    # The log is complete without the database.
    assert list(audit.differences(real.campaign)) == []
    assert record.replays(real.campaign)
    spoken = [
        move
        for move in record.export(real.campaign, access.access_of(real.campaign, real.gm))["moves"]
        if "for" in move
    ]
    assert len(spoken) == 5


def test_it_is_marked_everywhere(real: Real) -> None:
    services.let_program(real.campaign, real.gm, "vandals", "bold", "Vera has left us.")
    real.on()
    real.slot_to("hephtalites")
    reader = real.client(real.people["huns"])
    assert "Vandals program: bold" in text(reader.get(real.home))
    assert "practice against programs" not in text(reader.get(real.home))
    assert "Vandals program: bold" in text(reader.get(real.home + "about/"))
    assert "Vandals program: bold" in text(reader.get(real.home + "n/vandals/"))
    log = text(reader.get(real.home + "log/"))
    assert "Vandals: a program (bold) takes the seat: Vera has left us." in log
    assert "by program: bold" in log
    number = real.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="vandals").first().number
    assert "by a program (bold)" in text(reader.get(f"{real.home}e/{number}/"))
    real.play("romans", "respond", attack=1, choice="accept")
    assert "A program plays the Vandals: the opponent plays this battle solo" in text(
        reader.get(real.home + "b/1/")
    )
    report = text(reader.get(real.home + "reports/turn-1/"))
    assert "A program (bold) played the Vandals." in report
    assert "Vandals (program: bold), Hephtalites (Hana)" in report
    assert (
        "a program played the Vandals, and the Romans played it solo on empire difficulty (§11)"
        in report
    )
    assert "Vandals: a program (bold) has taken the seat" in text(
        reader.get(real.home + "notices/")
    )
    with CaptureQueriesContext(connection) as with_program:
        reader.get(real.home + "log/")
    services.take_program_away(real.reload(), real.gm, "vandals")
    reader.get(real.home + "log/")
    with CaptureQueriesContext(connection) as without:
        reader.get(real.home + "log/")
    assert len(with_program) == len(without)


def test_the_seats_page_lets_it_in_and_takes_it_away(real: Real) -> None:
    page = real.home + "seats/"
    master = real.client(real.gm)
    assert "Let a program play…" in text(master.get(page))
    form = {
        "do": "program",
        "seat": "vandals",
        "level": "cautious",
        "reason": "Until somebody comes.",
    }
    with CaptureQueriesContext(connection) as asked:
        assert "A program for the Vandals" in text(master.get(page, {"program": "vandals"}))
    assert len(asked) <= 9
    assert master.post(page, {**form, "level": "perfect"}).status_code == 422
    assert master.post(page, {**form, "seat": "huns"}).status_code == 422
    for user in (real.people["huns"], None):
        other = real.client(user) if user else Client()
        assert other.post(page, form).status_code in (302, 403)
        assert other.post(page, {"do": "take-program", "seat": "vandals"}).status_code in (302, 403)
    assert real.reload().seat_programs is None
    assert master.post(page, form).status_code == 302
    assert "Vandals program: cautious" in text(master.get(page))
    assert master.post(page, form).status_code == 422
    assert master.post(page, {"do": "take-program", "seat": "vandals"}).status_code == 302
    assert program_levels(real.reload()) == {}
    assert "No program holds this seat." in text(
        master.post(page, {"do": "take-program", "seat": "vandals"}, follow=True)
    )


def test_where_no_program_may_hold_a_seat(real: Real, person: Callable[..., Any]) -> None:
    """It may not hold a seat of a practice game or a seat that has a holder."""
    with pytest.raises(Refused, match="not free"):
        services.let_program(real.campaign, real.gm, "huns", "bold", "No.")
    with pytest.raises(NotAllowed):
        services.let_program(real.campaign, real.people["huns"], "vandals", "bold", "No.")
    ada = person("Ada")
    alone = practice.begin(ada, "grand_campaign", "420ad", "huns", "bold", seed=SEED)
    with pytest.raises(NotNow):
        services.let_program(alone, ada, "vandals", "bold", "No.")


def test_a_game_master_who_plays_learns_nothing_from_the_program(
    person: Callable[..., Any],
) -> None:
    """Hands are hidden.

    The program's moves are in no user's own account, and show its hand to no player.
    """
    real = Real(person, hands="hidden")
    clara = person("Clara")
    services.take_seat(clara, services.invite_master(real.campaign, real.gm)[1])
    services.take_seat_as_master(real.reload(), real.gm, "vandals")
    services.vacate(real.reload(), real.gm, "vandals")
    services.vacate(real.reload(), real.people["huns"], "huns")
    services.take_seat_as_master(real.reload(), real.gm, "huns")
    real.people["huns"] = real.gm
    services.let_program(real.reload(), real.gm, "vandals", "cautious", "Nobody has come yet.")
    real.on()
    for _slot in range(5):
        if real.campaign.active_seat:
            real.play(real.campaign.active_seat, "end-slot")
    assert (
        real.campaign.entries.filter(seat="vandals", kind=LogEntry.Kind.MOVE, actor=None).count()
        >= 2
    )
    assert not real.campaign.entries.filter(act="own-account").exists()
    who = access.access_of(real.campaign, real.gm)
    assert (who.game_master, who.opens("vandals"), who.voices) == (False, False, ("huns",))
    for user, seat in ((real.gm, "huns"), (real.people["romans"], "romans")):
        for line in selectors.log(real.campaign, user):
            assert all(
                effect.audience is None or seat in effect.audience for effect in line.effects
            )
        hand = real.campaign.game.view(selectors.position(real.campaign), seat)["nations"][
            "vandals"
        ]
        assert not isinstance(hand.get("hand"), list)
    assert list(audit.differences(real.campaign)) == []


def test_a_game_master_in_battle_with_the_seat_is_asked_for_a_countersignature(real: Real) -> None:
    """Admitting or removing a program changes who fights the battle.

    Later moves of the program need no countersignature.
    """
    services.vacate(real.campaign, real.gm, "kushans")
    services.take_seat_as_master(real.reload(), real.gm, "kushans")
    real.people["kushans"] = real.gm
    while real.campaign.active_seat != "kushans":
        services.play(
            real.reload(),
            real.gm,
            {"by": "gm", "for": real.campaign.active_seat, "move": "end-slot"},
            selectors.seen(real.campaign, real.gm),
        )
        real.reload()
    real.play(
        "kushans", "attack", kind="independent", **{"from": "gallaecia", "target": "lusitania"}
    )
    before = real.campaign.entries.filter(act="own-account").count()
    services.let_program(real.campaign, real.gm, "vandals", "bold", "It has to answer.")
    real.on()
    assert Battle.objects.get(number=1).solo == "vandals"
    asked = list(real.campaign.entries.filter(act="own-account").order_by("sequence"))[before:]
    assert [(entry.content["seats"], entry.target.act) for entry in asked] == [
        (["kushans"], "program")
    ]
    assert list(audit.differences(real.campaign)) == []


def test_the_program_plays_undone_moves_again(real: Real) -> None:
    services.let_program(real.campaign, real.gm, "vandals", "bold", "Vera has left us.")
    real.on()
    real.slot_to("hephtalites")
    first = (
        real.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="vandals")
        .order_by("sequence")
        .first()
    )
    services.take_program_away(real.campaign, real.gm, "vandals")
    services.undo_to(
        real.reload(),
        real.gm,
        first.number - 1,
        "Without the program.",
        selectors.seen(real.reload(), real.gm),
    )
    real.on()
    assert real.campaign.active_seat == "vandals"
    services.let_program(real.campaign, real.gm, "vandals", "cautious", "A better one.")
    assert practice.tick(timezone.now(), 5) == 1  # the pulse does it without a worker
    assert real.reload().active_seat == "hephtalites"
    own = real.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="vandals")
    assert {program_of(real.campaign, entry) for entry in own.exclude(struck_by=None)} == {"bold"}
    assert {program_of(real.campaign, entry) for entry in own.filter(struck_by=None)} == {
        "cautious"
    }
    assert list(audit.differences(real.campaign)) == []


def test_two_programs_leave_their_battle_to_the_game_master(real: Real) -> None:
    services.vacate(real.campaign, real.gm, "romans")
    for seat in ("vandals", "romans"):
        services.let_program(real.reload(), real.gm, seat, "bold", "Nobody has come yet.")
    real.on()
    real.slot_to("hephtalites")
    battle = Battle.objects.get(number=1)
    assert (battle.parties, battle.status, battle.solo) == (("vandals", "romans"), "fighting", "")
    assert [
        (wait.seat, wait.what.id)
        for wait in battles_projection.waits(real.campaign)
        if wait.contest == 1
    ] == [("gm", "contest-enter")]
    desk = text(real.client(real.gm).get(real.home + "desk/"))
    assert "enter the result" in desk.lower()
    services.vacate(real.campaign, real.gm, "kushans")
    assert practice.next_move(real.reload()) is None


def test_a_suggestion_fills_the_form_without_being_stored(person: Callable[..., Any]) -> None:
    real = Real(person, hands="hidden")
    page, roman = real.home + "n/romans/standing/", real.people["romans"]
    answer = real.client(roman).get(page, {"suggest": "bold"})
    assert "A program (bold) suggests the order below." in text(answer)
    assert 'value="accept" checked' in answer.content.decode()
    assert not StandingOrders.objects.exists()
    assert real.client(roman).get(page, {"suggest": "perfect"}).status_code == 422
    reader = real.client(roman)
    with CaptureQueriesContext(connection) as asked:
        reader.get(page, {"suggest": "bold"})
    assert len(asked) <= 7
    for seat in ("huns", "kushans"):
        assert real.client(real.people[seat]).get(page, {"suggest": "bold"}).status_code == 403

    # The game master: only while the holder is away and only if the hand is open, which is logged.
    master = real.client(real.gm)
    assert "Advice from a program" not in text(master.get(page))
    assert master.get(page, {"suggest": "bold"}).status_code == 403
    today = timezone.localdate()
    standing_orders.announce_absence(roman, today, today + timedelta(days=3))
    assert "You have not opened this hand" in text(master.get(page))
    assert master.get(page, {"suggest": "bold"}).status_code == 403
    assert master.post(real.home + "n/romans/look/").status_code == 303
    assert "Program (bold): Everywhere else: accept" in text(master.get(page, {"suggest": "bold"}))
    look = AccessLogEntry.objects.get(campaign=real.campaign, user=real.gm, seat="romans")
    assert {"hand", "orders"} <= set(look.ways.split(","))
    assert not StandingOrders.objects.exists()


def test_every_level_can_sit_among_people() -> None:
    assert set(GrandPlayers.by_seat) == set(GrandPlayers.levels)
