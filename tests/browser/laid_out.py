"""Campaigns in every state for the browser: what the demonstration lacks is added by its own
people's forms.
"""

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
from tests.web.put_back import FORGET
from tests.web.scenarios.test_own_scenario import SMALL

MASTER, PLAYER, RIVAL, NOBODY = "Marozia", "Benedetto", "Ingrid", ""


LAID = Path(settings.VAR) / "laid.sqlite3"


def demonstration() -> Campaign:
    """The demonstration's Grand Campaign; what it takes a second to play is played once for all
    tests of a process.

    Needs a database without a transaction around the test, as a live server does.
    """
    for forget in FORGET:  # the same rows may have been looked at by the test before
        forget()
    if connection.vendor != "sqlite":
        call_command("demo", verbosity=0)
    else:
        with connection.cursor() as cursor:
            tables = connection.introspection.django_table_names(only_existing=True)
            if not LAID.exists():
                # Its rows have numbers that no test's own rows have: whoever lays it out replaces
                # nobody.
                cursor.execute("DELETE FROM sqlite_sequence")
                cursor.executemany(
                    "INSERT INTO sqlite_sequence VALUES (%s, 100000)",
                    [(table,) for table in tables],
                )
                call_command("demo", verbosity=0)
                own = LAID.with_suffix(f".{os.getpid()}")  # another process may do the same
                cursor.execute("VACUUM INTO %s", [str(own)])
                own.replace(LAID)
            else:
                cursor.execute("ATTACH %s AS laid", [str(LAID)])
                with connection.constraint_checks_disabled(), transaction.atomic():
                    for table in tables:
                        name = connection.ops.quote_name(table)
                        cursor.execute(
                            f"INSERT OR REPLACE INTO main.{name} SELECT * FROM laid.{name}"
                        )
                cursor.execute("DETACH laid")
    return Campaign.objects.get(title="grand_campaign")


class Laid:
    """The demonstration, its people, and the addresses of the campaigns beside it."""

    def __init__(self) -> None:
        self.demo = demonstration()
        self.people = {user.username: user for user in User.objects.all()}
        self.home = f"/c/{self.demo.address}/"
        self.at: dict[str, str] = {"rated": str(self.people[PLAYER].pk)}

    def act(self, name: str, path: str, /, **given: Any) -> None:
        """Sends a form of the demonstration as this person; a refusal is an error of the test."""
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


def battles(laid: Laid) -> None:
    """A ruling, an entry struck, and battle 6 with evidence, a password, a substitute and a claim
    to confirm.
    """
    master = laid.people[MASTER]
    rule_on(laid.demo, master, "A fleet counts where it lies.", rule="6.3")
    laid.at["struck"] = str(struck := laid.adjust())
    undo = services.undo_to(
        laid.demo, master, struck - 1, "It was right before.", selectors.seen(laid.demo, master)
    )
    laid.at["undo"] = str(undo.number)
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "#336699").save(picture, "PNG")
    shown = SimpleUploadedFile("x.png", picture.getvalue(), content_type="image/png")
    laid.act(PLAYER, "b/6/", do="picture", picture=shown)
    laid.act(PLAYER, "b/6/", do="link", url="https://example.org/screen")
    laid.act(RIVAL, "b/6/", do="set-up")
    laid.act(RIVAL, "b/6/", do="password", password="forty two")
    laid.act(RIVAL, "b/6/", do="substitute", side="huns", name="Fresh")


def claim(laid: Laid) -> None:
    laid.act(RIVAL, "b/6/", do="claim", by="shares", attacker="31", defender="46", sure="1")


def _handed_over(laid: Laid, campaign: Campaign) -> None:
    """The Romans pass from one to the other, with notes."""
    master, player, rival = (laid.people[name] for name in (MASTER, PLAYER, RIVAL))
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


def others(laid: Laid) -> None:
    """One campaign in the lobby with an applicant, a reserve and a link; one at rest, one at its
    end, one given up.
    """
    master, fresh = laid.people[MASTER], laid.people["Fresh"]
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
    services.apply(result["draft"], laid.people[RIVAL], ["romans", "huns"])
    _, laid.at["token"] = services.invite(result["draft"], master, "huns")
    for name in ("paused", "ended", "given_up"):
        result[name] = laid.master(result[name], {"move": "start"})
    _handed_over(laid, result["paused"])
    services.let_program(result["paused"], master, "vandals", "bold", "Nobody has come yet.")
    services.live(result["paused"], master, "paused", "Holidays.")
    services.live(result["given_up"], master, "abandoned", "Too few of us.")
    while result["ended"].status != "finished":
        result["ended"] = laid.master(
            result["ended"], {"for": result["ended"].active_seat, "move": "end-slot"}
        )
    for name, one in result.items():
        laid.at[name] = f"/c/{one.address}/"
    services.wait(laid.demo, fresh)
    _, laid.at["seat_token"] = services.hand_over_link(laid.demo, laid.people[PLAYER], "romans")
