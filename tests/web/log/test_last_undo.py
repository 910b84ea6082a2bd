"""The undo of the last decision in two steps: what it says, who may do it, what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import practice, services
from campaign.hosting.audit import differences
from campaign.log import positions, selectors
from campaign.models import Campaign
from engine.strict_json import canonical
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.play.test_practice import answered, played_on
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db
LAST = "undo/last/"


def state(campaign: Campaign) -> str:
    """Return the whole position as text."""
    return canonical(campaign.game.state(positions.current(Campaign.objects.get(pk=campaign.pk))))


class Player:
    """A client of one person who plays a campaign alone or among programs."""

    def __init__(self, user: Any, campaign: Campaign) -> None:
        self.user = user
        self.campaign = campaign
        self.home = f"/c/{campaign.address}/"
        self.client = Client()
        self.client.force_login(user)

    @property
    def seen(self) -> int:
        return selectors.seen(Campaign.objects.get(pk=self.campaign.pk), self.user)

    def page(self, path: str = LAST, **headers: str) -> str:
        answer = self.client.get(self.home + path, headers=headers)
        assert answer.status_code == 200
        return str(answer.content.decode())

    def press(self, do: str, seen: int | None = None) -> str:
        """Send the form of the panel, and return the text of the page that follows."""
        data = {"do": do, "seen": str(self.seen if seen is None else seen), "reason": "A slip."}
        answer = self.client.post(self.home + LAST, data, follow=True)
        assert answer.redirect_chain[-1][1] == 303
        return visible_text(answer.content.decode())

    def play(self, **move: Any) -> None:
        campaign = Campaign.objects.get(pk=self.campaign.pk)
        services.play(campaign, self.user, move, selectors.seen(campaign, self.user))


@pytest.fixture
def reign(person: Callable[..., Any]) -> Player:
    """Return a game of March on Rome in its first decision."""
    user = person("Ada")
    campaign = services.found_campaign(
        user, "march_on_rome", "A reign", "standard", seed="5eed" * 16
    )
    player = Player(user, campaign)
    player.client.post(
        f"{player.home}act/", {"do": "begin", "then": "on", "seen": str(player.seen)}
    )
    return player


def test_a_game_alone_goes_back_to_its_last_decision_with_the_dice_after_it(reign: Player) -> None:
    """The moves that follow by themselves are taken back together with the decision."""
    before = state(reign.campaign)
    reign.client.post(f"{reign.home}act/", {"do": "pass", "then": "on", "seen": str(reign.seen)})
    after = state(reign.campaign)
    assert after != before
    text = visible_text(reign.page())
    assert "Undo your last decision?" in text
    assert "Your last decision and the" in text
    assert "If you repeat the move, you get the same dice." in text
    assert "What changes" in text
    assert "legions" in text
    assert "Taken back. Struck moves stay readable in the log." in reign.press("undo")
    assert state(reign.campaign) == before
    restored = visible_text(reign.page())
    assert "You have not made a decision yet that can be undone." in restored
    assert "You can restore the last undone moves until someone makes another move." in restored
    assert "It is in force again." in reign.press("restore")
    assert state(reign.campaign) == after
    assert list(differences(Campaign.objects.get(pk=reign.campaign.pk))) == []


def test_the_panel_has_the_content_of_the_page(reign: Player) -> None:
    reign.client.post(f"{reign.home}act/", {"do": "pass", "then": "on", "seen": str(reign.seen)})
    page, part = reign.page(), reign.page(**{"HX-Target": "undo-panel"})
    assert "<html" in page
    assert "<html" not in part
    words = visible_text(part)
    assert words in visible_text(page)
    assert 'href="' + reign.home + 'undo/last/" data-undo' in reign.page("")
    with CaptureQueriesContext(connection) as queries:
        reign.page(**{"HX-Target": "undo-panel"})
    assert len(queries) <= 12, [query["sql"][:120] for query in queries]


def test_moves_of_programs_after_the_decision_are_taken_back_too(
    person: Callable[..., Any],
) -> None:
    user = person("Ada")
    campaign = played_on(
        practice.begin(user, "grand_campaign", "420ad", "huns", "bold", seed="7" * 64)
    )
    player = Player(user, campaign)
    before = state(campaign)
    own = answered(campaign, "huns").entries.filter(kind="move", seat="huns").latest("sequence")
    played_on(campaign)
    last = Campaign.objects.get(pk=campaign.pk).entries.filter(kind="move").latest("sequence")
    assert last.seat != "huns", "programs have moved since"
    text = visible_text(player.page())
    assert "Your last decision and the" in text
    assert "are taken back." in text
    player.press("undo")
    own.refresh_from_db()
    assert own.struck_by is not None
    assert state(campaign) == before
    assert "entry" in visible_text(player.page(f"e/{own.number}/"))


def test_practice_with_hidden_hands_allows_the_same_undo(person: Callable[..., Any]) -> None:
    """No other person is at the table, so hidden hands of programs do not limit the undo."""
    user = person("Ada")
    campaign = practice.begin(user, "roman_empire", "standard", "A", "cautious", seed="7" * 64)
    campaign = played_on(campaign)
    player = Player(user, campaign)
    before = state(campaign)
    player.client.post(f"{player.home}act/", {"do": "draw", "seen": str(player.seen)})
    assert state(campaign) != before
    played_on(Campaign.objects.get(pk=campaign.pk))
    player.press("undo")
    assert state(campaign) == before


def test_a_seat_takes_back_its_last_move_and_no_more(grand_table: GrandTable) -> None:
    hun = Player(grand_table.people["hun"], grand_table.campaign)
    before = state(grand_table.campaign)
    hun.play(by="huns", move="build", structure="hamlets")
    text = visible_text(hun.page())
    assert "Undo your last move?" in text
    assert "Your last decision is taken back." in text
    assert "build Hamlets" in text
    assert "Why" not in text, "a seat needs no reason"
    hun.press("undo")
    assert state(grand_table.campaign) == before
    refused = visible_text(hun.page())
    assert "Take it back" not in refused
    assert "You can restore the last undone moves" not in refused, "only the game master may"


def test_after_a_die_the_panel_says_who_can_undo_and_asks_them(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """The Spy steals a card at random, and only its two nations know which one (4.6)."""
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("gm", "give-card", nation="romans", card="scouts", reason="-")
    grand_table.play("gm", "give-card", nation="huns", card="spy", reason="-")
    hun = Player(grand_table.people["hun"], grand_table.campaign)
    hun.play(by="huns", move="play", card="spy", target="romans")
    number = Campaign.objects.get(pk=grand_table.campaign.pk).last_number
    text = visible_text(hun.page())
    assert (
        "A die has been thrown: only the game master can undo this. Game master: Marozia." in text
    )
    assert f"Please take back my last move. It is entry {number}:" in text
    assert "Take it back" not in text
    assert "Your request is in the log, where the game master can read it." in hun.press("ask")
    asked = grand_table.campaign.entries.latest("sequence")
    assert (asked.act, asked.actor) == ("talk", grand_table.people["hun"])
    assert asked.content["text"].startswith(f"Please take back my last move. It is entry {number}")
    assert "Scouts" not in asked.content["text"], "everyone reads the message"
    hun.press("ask")
    assert grand_table.campaign.entries.filter(act="talk").count() == 1, "pressed twice"
    before = state(grand_table.campaign)
    hun.press("undo")
    assert state(grand_table.campaign) == before, "a forged form undoes nothing"
    roman = Player(grand_table.people["roman"], grand_table.campaign)
    other = visible_text(roman.page())
    assert "The last move is not yours. Game master: Marozia." in other
    assert "Ask the game master" not in other, "the Roman has not moved"


def test_the_game_master_of_others_gives_a_reason_in_public(grand_table: GrandTable) -> None:
    before = state(grand_table.campaign)
    hun = Player(grand_table.people["hun"], grand_table.campaign)
    hun.play(by="huns", move="build", structure="hamlets")
    master = Player(grand_table.people["gm"], grand_table.campaign)
    text = visible_text(master.page())
    assert "Huns: the last decision is taken back." in text
    assert "(everyone can read it)" in text
    master.press("undo")
    assert state(grand_table.campaign) == before
    undone = grand_table.campaign.entries.latest("sequence")
    assert undone.content["reason"] == "A slip."


def test_nothing_is_undone_if_someone_has_moved_in_between(grand_table: GrandTable) -> None:
    hun = Player(grand_table.people["hun"], grand_table.campaign)
    hun.play(by="huns", move="build", structure="hamlets")
    seen = hun.seen
    grand_table.campaign.refresh_from_db()
    grand_table.play("huns", "end-slot")
    before = state(grand_table.campaign)
    text = hun.press("undo", seen)
    assert "The table has moved on since that page was made. Nothing was taken back." in text
    assert state(grand_table.campaign) == before


def test_pressing_the_button_twice_undoes_one_move(grand_table: GrandTable) -> None:
    hun = Player(grand_table.people["hun"], grand_table.campaign)
    hun.play(by="huns", move="build", structure="hamlets")
    between = state(grand_table.campaign)
    hun.play(by="huns", move="build", structure="shrines")
    seen = hun.seen
    hun.press("undo", seen)
    hun.press("undo", seen)
    assert state(grand_table.campaign) == between
