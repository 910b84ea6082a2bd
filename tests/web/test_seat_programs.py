"""A program holds a seat of a real campaign: let in by the game master, playing, attacked, and gone when a person comes."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from battles import services as battles_services
from battles.models import Battle
from campaign import practice, services
from campaign.clocks import services as clocks_services
from campaign.clocks.terms import ANSWER, BATTLE, SLOT, Terms
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.hosting import audit
from campaign.log import positions, record, selectors
from campaign.models import Campaign, Clock, LogEntry
from campaign.seats.seating import free_seats
from campaign.seats.selectors import program_levels, program_of
from tests.web.five import SEED, Five, five, found

__all__ = ["five", "found"]
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
    """A campaign of a game master and five people; nobody holds the Vandals."""

    def __init__(self, person: Callable[..., Any], **options: Any) -> None:
        self.gm = person("Marozia")
        self.people = {seat: person(name) for seat, name in PEOPLE.items()}
        campaign = services.found_campaign(self.gm, "grand_campaign", "The Sixth Seat", "420ad", options, "UTC", seed=SEED)
        for seat, user in self.people.items():
            services.take_seat(user, services.invite(campaign, self.gm, seat)[1])
        services.play(campaign, self.gm, {"by": "gm", "move": "start"}, selectors.seen(campaign, self.gm))
        self.campaign = Campaign.objects.get()
        self.home = f"/c/{self.campaign.address}/"

    def fresh(self) -> Campaign:
        self.campaign = Campaign.objects.get()
        return self.campaign

    def on(self) -> Campaign:
        """As the table stands when no program moves any more."""
        while practice.advance(self.campaign.pk):
            pass
        return self.fresh()

    def say(self, seat: str, move: str, **given: Any) -> Campaign:
        """A person's own move, and what the programs say to it."""
        user = self.people.get(seat, self.gm)
        services.play(self.campaign, user, {"by": seat, "move": move, **given}, selectors.seen(self.campaign, user))
        return self.on()

    def slot_to(self, seat: str) -> None:
        """End slots of people until it is this seat's; a program's slot is played by the program."""
        while self.campaign.active_seat != seat:
            assert self.campaign.active_seat in self.people
            self.say(self.campaign.active_seat, "end-slot")

    def client(self, user: Any) -> Client:
        client = Client()
        client.force_login(user)
        return client


@pytest.fixture
def real(person: Callable[..., Any]) -> Real:
    return Real(person)


def acts(campaign: Campaign, name: str) -> list[tuple[str, str]]:
    rows = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=name).order_by("sequence")
    return [(one.said["how"], one.seat) for one in rows]


def test_a_program_holds_the_sixth_seat(real: Real, person: Callable[..., Any]) -> None:
    """It plays its slot, is attacked, the battle is fought by its opponent alone; then a person takes the seat."""
    terms = {kind: Terms("3d") for kind in (SLOT, ANSWER, BATTLE)}
    clocks_services.set_terms(real.campaign, real.gm, terms)
    services.let_program(real.campaign, real.gm, "vandals", "bold", "Vera has left us.")
    real.on()
    assert program_levels(real.campaign) == {"vandals": "bold"}
    assert free_seats(real.campaign) == ["vandals"]
    notice = real.people["huns"].notices.get(kind="program")
    assert notice.known["reason"] == "Vera has left us."

    # Its slot: ordinary moves of the game master for the seat, whose actor is nobody.
    real.slot_to("huns")
    while not real.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="vandals").exists():
        real.say(real.campaign.active_seat, "end-slot")
    moves = list(real.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="vandals").order_by("sequence"))
    assert {(one.said["by"], one.said["for"], one.actor_id) for one in moves} == {("gm", "vandals", None)}
    assert moves[-1].said["move"] == "end-slot"
    assert {program_of(real.campaign, one) for one in moves} == {"bold"}
    assert not Clock.objects.filter(waits="|vandals|").exists()
    assert not real.campaign.entries.filter(act="own-account").exists()
