"""A reign at the table: founded, played, logged, undone, audited, shown."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from html import unescape
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from campaign import services
from campaign.errors import CannotUndo
from campaign.log import positions, record, selectors
from campaign.models import Campaign, DiceRoll, LogEntry
from engine.dice import sha256
from engine.errors import IllegalMove
from engine.strict_json import canonical
from games.replay import replay
from nations import projection as nations
from tests.march_on_rome.reigns import reign

pytestmark = pytest.mark.django_db
LONG = "march 12"
OVER = "march 13"


class Table:
    """A player at their own table."""

    def __init__(self, user: Any, seed: str, scenario: Any = "standard") -> None:
        self.user, self.seed = user, seed
        self.campaign = services.found_campaign(
            user, "march_on_rome", "The reign", scenario, seed=seed
        )
        self.client = Client()
        self.client.force_login(user)
        self.home = f"/c/{self.campaign.address}/"

    def play(self, raw: dict[str, Any]) -> Any:
        seen = selectors.seen(self.campaign, self.user)
        result = services.play(self.campaign, self.user, {"by": "pc", **raw}, seen)
        self.campaign = result.campaign
        return result

    def state(self) -> dict[str, Any]:
        return self.campaign.game.state(positions.current(self.campaign))

    def text(self, path: str = "", client: Client | None = None) -> str:
        answer = (client or self.client).get(path if path.startswith("/") else self.home + path)
        assert answer.status_code == 200, path
        return str(answer.content.decode())

    def audited(self) -> bool:
        out = StringIO()
        call_command("audit", stdout=out)
        return out.getvalue().strip().endswith("all as replayed")


@pytest.fixture
def table(person: Callable[..., Any]) -> Table:
    return Table(person("Theodora"), LONG)


@pytest.fixture
def played(person: Callable[..., Any]) -> Table:
    """Return a whole reign, played to its end."""
    created = Table(person("Marozia"), OVER, {"key": "standard", "general": "Clodius Albinus"})
    moves, states = reign(OVER, random.Random(3))
    assert moves[0]["move"] == "begin"
    for raw in moves[1:]:
        created.play(raw)
    assert created.state() == states[-1]
    return created


def test_a_founded_reign_has_already_started(table: Table) -> None:
    assert table.campaign.status == Campaign.Status.RUNNING
    assert (table.campaign.turn, table.campaign.phase, table.campaign.active_seat) == (
        1,
        "pc",
        "pc",
    )
    assert [entry.content["move"] for entry in positions.moves_in_force(table.campaign)] == [
        "begin"
    ]
    assert selectors.waiting(table.campaign)[0].seat == "pc"


def test_the_log_names_the_player_of_each_move(table: Table) -> None:
    table.play({"move": "pass"})
    table.play({"move": "continue"})
    lines = [line.text for line in selectors.log(table.campaign, table.user)]
    assert (
        lines[:2] == ["Albinus lets the year go on.", "Albinus waits."]
        or "lets the year go on" in lines[0]
    )
    entry = positions.moves_in_force(table.campaign).last()
    assert entry is not None
    assert entry.content == {"by": "pc", "move": "continue"}
    assert DiceRoll.objects.filter(entry=entry, purpose__startswith="turn-1/npc-order/").exists()


def test_a_refused_move_leaves_no_trace(table: Table) -> None:
    before = (table.campaign.last_sequence, DiceRoll.objects.count(), canonical(table.state()))
    for raw, code in [
        ({"move": "continue"}, "wrong-phase"),
        ({"move": "attack", "target": "carthage"}, "unknown-province"),
        ({"move": "dance"}, "unknown-move"),
        ({"move": "devote", "legions": True}, "bad-arguments"),
        ({"move": "devote", "legions": 1}, "nothing-pending"),
    ]:
        with pytest.raises(IllegalMove) as refusal:
            table.play(raw)
        assert refusal.value.code == code
        assert refusal.value.sentence.endswith(".")
    table.campaign.refresh_from_db()
    assert (
        table.campaign.last_sequence,
        DiceRoll.objects.count(),
        canonical(table.state()),
    ) == before


def test_a_move_without_dice_can_be_taken_back(table: Table) -> None:
    """A wait threw no die, so the player takes it back.

    Moves with dice are undone in public by the game master, who is the player.
    """
    start = canonical(table.state())
    table.play({"move": "pass"})
    services.undo_own(table.campaign, table.user, selectors.seen(table.campaign, table.user))
    table.campaign.refresh_from_db()
    assert canonical(table.state()) == start
    table.play({"move": "pass"})
    table.play({"move": "continue"})
    queue = table.state()["queue"]
    with pytest.raises(CannotUndo):
        services.undo_own(table.campaign, table.user, selectors.seen(table.campaign, table.user))
    begun = positions.moves_in_force(table.campaign).first()
    assert begun is not None
    assert begun.number is not None
    services.undo_to(
        table.campaign,
        table.user,
        begun.number,
        "Not yet.",
        selectors.seen(table.campaign, table.user),
    )
    table.campaign.refresh_from_db()
    assert canonical(table.state()) == start
    table.play({"move": "pass"})
    table.play({"move": "continue"})
    assert table.state()["queue"] == queue
    assert table.audited()


def test_the_rows_hold_the_state(played: Table) -> None:
    state = played.state()
    balances = nations.balances(played.campaign)
    assert {who: balances[who]["legions"] for who in state["legions"]} == state["legions"]
    assert balances["senate"]["garrison"] == sum(state["garrison"].values())
    assert {row.place: row.owner for row in played.campaign.holdings.all()} == state["owner"]
    assert played.audited()


def test_the_record_replays_to_the_state(played: Table) -> None:
    whole = json.loads(canonical(record.full_record(played.campaign)))
    assert whole["dice"]["seed"] == OVER
    assert replay(whole) == played.state()


def test_a_running_reigns_record_has_its_rolls_and_links_and_no_seed(table: Table) -> None:
    table.play({"move": "pass"})
    table.play({"move": "continue"})
    running = json.loads(canonical(record.full_record(table.campaign)))
    assert "seed" not in running["dice"]
    assert len(running["dice"]["links"]) == 1
    assert replay(running) == table.state()


def test_links_are_published_year_by_year(played: Table) -> None:
    links = record.published_links(played.campaign)
    assert len(links) == played.state()["turn"] + 1
    assert sha256(links[0]) == played.campaign.commitment
    assert all(sha256(later) == earlier for earlier, later in pairwise(links))


def test_the_row_of_the_campaign_holds_the_end(played: Table) -> None:
    assert played.campaign.status == Campaign.Status.FINISHED
    (standing,) = played.campaign.game.score(positions.current(played.campaign)) or ()
    assert set(standing.facts) == {"result", "year", "provinces", "legions"}
    assert standing.points == (standing.facts["result"] == "won")


def test_every_page_of_a_finished_reign_works(played: Table) -> None:
    for path in (
        "log/",
        "dice/",
        "about/",
        "reports/",
        "rulings/",
        "rules/",
        f"e/{played.campaign.last_number}/",
    ):
        for client in (played.client, Client()):
            text = played.text(path, client)
            main = text.split("<main")[1]
            assert not re.search(
                r"\{\w+\}|npc-\d" if path != "dice/" else r"\{\w+\}", re.sub(r"<[^>]*>", "", main)
            ), path
    assert "Clodius Albinus" in played.text("log/")
    assert "battle 1: " in played.text("dice/?all")
    assert json.loads(played.text("record.json"))["format"] == "march_on_rome/1"


def test_dice_of_one_purpose_are_named_once(played: Table) -> None:
    following = DiceRoll.objects.filter(
        entry__campaign=played.campaign, purpose__regex=r"/(legions|attacker|defender)/[23]$"
    )
    assert following.count() > 4
    log = played.text("log/")
    named, thrown = log.count('<span class="roll">'), log.count('<span class="die">')
    assert thrown - named == following.count()


def test_the_rules_cited_are_of_this_title(table: Table) -> None:
    table.play({"move": "pass"})
    text = table.text("log/")
    assert re.findall(r'class="rule" href="([^"]*)', table.text("e/3/")) == [
        f"{table.home}rules/#r-3.1"
    ]
    assert "3.1" in text or "waits" in text


def test_every_entry_has_its_page(played: Table) -> None:
    entries = LogEntry.objects.filter(campaign=played.campaign, number__isnull=False).order_by(
        "sequence"
    )
    for number in list(entries.values_list("number", flat=True))[::5]:
        played.text(f"e/{number}/")


@pytest.mark.long
@pytest.mark.parametrize("signed_in", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_no_link_of_its_pages_is_dead(played: Table, table: Table, signed_in: bool) -> None:
    client = played.client if signed_in else Client()
    todo, seen = [(played.home, ""), (table.home, "")], set()
    while todo:
        path, linked = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code in (200, 202, 302), (path, linked)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            hrefs = re.findall(r'href="([^"#]+)', answer.content.decode())
            result = [unescape(href).split("#")[0] for href in hrefs]
            todo += [
                (href, path)
                for href in result
                if href.startswith(("/c/", "/rules/march")) and "told=" not in href
            ]
    assert len(seen) > 30
