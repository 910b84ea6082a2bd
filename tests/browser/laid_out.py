"""Campaigns in every state for tests of the browser: the demonstration and others beside it."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from PIL import Image

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from campaign.rulebook import rule_on
from people.models import User
from tests.web.put_back import CACHE_CLEARERS
from tests.web.scenarios.test_own_scenario import SMALL

MASTER, PLAYER, RIVAL, NOBODY = "Marozia", "Benedetto", "Ingrid", ""


STORED_DATABASE = Path(settings.VAR) / "laid.sqlite3"


def create_demonstration() -> Campaign:
    """Create the demonstration's Grand Campaign, played once for all tests of a process.

    It needs a database without a transaction around the test, as a live server does.
    """
    for forget in CACHE_CLEARERS:  # an earlier test may have looked at rows with equal ids
        forget()
    if connection.vendor != "sqlite":
        call_command("demo", verbosity=0)
    else:
        with connection.cursor() as cursor:
            tables = connection.introspection.django_table_names(only_existing=True)
            if not STORED_DATABASE.exists():
                # Its rows have ids that no test uses, so no user is replaced.
                cursor.execute("DELETE FROM sqlite_sequence")
                cursor.executemany(
                    "INSERT INTO sqlite_sequence VALUES (%s, 100000)",
                    [(table,) for table in tables],
                )
                call_command("demo", verbosity=0)
                own = STORED_DATABASE.with_suffix(
                    f".{os.getpid()}"
                )  # another process may do the same
                cursor.execute("VACUUM INTO %s", [str(own)])
                own.replace(STORED_DATABASE)
            else:
                cursor.execute("ATTACH %s AS laid", [str(STORED_DATABASE)])
                with connection.constraint_checks_disabled(), transaction.atomic():
                    for table in tables:
                        name = connection.ops.quote_name(table)
                        cursor.execute(
                            f"INSERT OR REPLACE INTO main.{name} SELECT * FROM laid.{name}"
                        )
                cursor.execute("DETACH laid")
    return Campaign.objects.get(title="grand_campaign")


class Demonstration:
    """The demonstration, its users, and the addresses of the campaigns beside it."""

    def __init__(self) -> None:
        self.demo = create_demonstration()
        self.people = {user.username: user for user in User.objects.all()}
        self.home = f"/c/{self.demo.address}/"
        self.at: dict[str, str] = {"rated": str(self.people[PLAYER].pk)}

    def act(self, name: str, path: str, /, **given: Any) -> None:
        """Send a form of the demonstration as this user; a refusal fails the test."""
        client = Client()
        client.force_login(self.people[name])
        given.setdefault("seen", str(selectors.seen(self.demo, self.people[name])))
        answer = client.post(self.home + path, given)
        assert answer.status_code in (302, 303), answer.content.decode()[-3000:]

    def master(self, campaign: Campaign, raw: dict[str, Any]) -> Campaign:
        user = self.people[MASTER]
        return services.play(
            campaign, user, {"by": "gm"} | raw, selectors.seen(campaign, user)
        ).campaign

    def adjust(self) -> int:
        raw = {
            "move": "adjust",
            "nation": "huns",
            "account": "army",
            "change": 5,
            "reason": "Counted again.",
        }
        return self.master(self.demo, raw).last_number


def add_battle_events(demonstration: Demonstration) -> None:
    """Add a ruling, a struck entry, and battle 6 with a claim to confirm.

    The battle has evidence, a password and a substitute.
    """
    master = demonstration.people[MASTER]
    rule_on(demonstration.demo, master, "A fleet counts where it lies.", rule="6.3")
    demonstration.at["struck"] = str(struck := demonstration.adjust())
    undo = services.undo_to(
        demonstration.demo,
        master,
        struck - 1,
        "It was right before.",
        selectors.seen(demonstration.demo, master),
    )
    demonstration.at["undo"] = str(undo.number)
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "#336699").save(picture, "PNG")
    shown = SimpleUploadedFile("x.png", picture.getvalue(), content_type="image/png")
    demonstration.act(PLAYER, "b/6/", do="picture", picture=shown)
    demonstration.act(PLAYER, "b/6/", do="link", url="https://example.org/screen")
    demonstration.act(RIVAL, "b/6/", do="set-up")
    demonstration.act(RIVAL, "b/6/", do="password", password="forty two")
    demonstration.act(RIVAL, "b/6/", do="substitute", side="huns", name="Fresh")


def claim_battle(demonstration: Demonstration) -> None:
    demonstration.act(
        RIVAL, "b/6/", do="claim", by="shares", attacker="31", defender="46", sure="1"
    )


def _hand_over_romans(demonstration: Demonstration, campaign: Campaign) -> None:
    """Hand the Romans over from one user to another, with notes."""
    master, player, rival = (demonstration.people[name] for name in (MASTER, PLAYER, RIVAL))
    services.take_seat(rival, services.invite(campaign, master, "romans")[1])
    services.write_note(
        campaign,
        rival,
        "romans",
        "The Vandals are friends. Keep 40 points at home.",
        left=True,
        version=0,
    )
    services.take_seat(player, services.hand_over_link(campaign, rival, "romans")[1])


def create_other_campaigns(demonstration: Demonstration) -> None:
    """Create campaigns in other states.

    One is in the lobby with an applicant, a reserve and a link; the others are paused, finished and
    abandoned.
    """
    master, newcomer = demonstration.people[MASTER], demonstration.people["Fresh"]
    result = {
        "draft": services.found_campaign(
            master,
            "grand_campaign",
            "In the lobby",
            "420ad",
            {"hands": "hidden"},
            visibility="listed",
        ),
        "paused": services.found_campaign(
            master, "grand_campaign", "At rest", "420ad", visibility="unlisted"
        ),
        "ended": services.found_campaign(
            master, "grand_campaign", "At an end", {**SMALL, "turns": 1}, visibility="unlisted"
        ),
        "given_up": services.found_campaign(
            master, "grand_campaign", "Given up", "420ad", visibility="unlisted"
        ),
    }
    services.open_lobby(result["draft"], master, "Whoever writes a report.")
    services.apply_for_seat(result["draft"], demonstration.people[RIVAL], ["romans", "huns"])
    _, demonstration.at["token"] = services.invite(result["draft"], master, "huns")
    for name in ("paused", "ended", "given_up"):
        result[name] = demonstration.master(result[name], {"move": "start"})
    _hand_over_romans(demonstration, result["paused"])
    services.let_program(result["paused"], master, "vandals", "bold", "Nobody has come yet.")
    services.change_life(result["paused"], master, "paused", "Holidays.")
    services.change_life(result["given_up"], master, "abandoned", "Too few of us.")
    while result["ended"].status != "finished":
        result["ended"] = demonstration.master(
            result["ended"], {"for": result["ended"].active_seat, "move": "end-slot"}
        )
    for name, value in result.items():
        demonstration.at[name] = f"/c/{value.address}/"
    services.join_waiting_list(demonstration.demo, newcomer)
    _, demonstration.at["seat_token"] = services.hand_over_link(
        demonstration.demo, demonstration.people[PLAYER], "romans"
    )
