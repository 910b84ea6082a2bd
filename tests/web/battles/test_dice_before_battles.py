"""Dice between a challenge and its battle: the escort (7.8) and the encounter at sea (8.1)."""

from __future__ import annotations

import pytest

from campaign.log import selectors
from games.grand_campaign.rules.attacks import TECHNOLOGY
from notices.models import Notice
from notices.wording import notices_in_words
from tests.web.contests import answer_challenge, play_to_turn, visible_text
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def voyage(grand_table: GrandTable) -> GrandTable:
    """Give the Romans a fleet near a province of the Vandals, who have a fleet too."""
    position = selectors.position(grand_table.campaign)
    start, target = next(
        (a, b)
        for a in sorted(key for key, owner in position.owner.items() if owner == "romans")
        for b in position.scenario.sea.get(a, ())
        if position.owner[b] == "vandals" and b not in position.scenario.land[a]
    )
    play_to_turn(
        grand_table,
        3,
        {"romans": [("fleet", {"province": start})], "vandals": [("fleet", {"province": target})]},
    )
    grand_table.slot_to("romans")
    grand_table.play("gm", "adjust", nation="romans", account="actions", change=2, reason="test")
    grand_table.start, grand_table.target = start, target  # type: ignore[attr-defined]
    return grand_table


def sail(table: GrandTable, *cards: str) -> None:
    """Let the Romans attack by sea with these cards."""
    for card in cards:
        table.play("gm", "give-card", nation="romans", card=card, reason="test")
    way = {"from": table.start, "target": table.target}  # type: ignore[attr-defined]
    table.play("romans", "attack", kind="amphibious", cards=[*cards], **way)


WON = (
    "ncounter off Carthaginiensis: 23 + 20 = 43 against 28: the Romans win; "
    "the fleet of the Vandals is wrecked and the battle follows"
)
LOST = (
    "ncounter off Carthaginiensis: 28 against 23: the Vandals win; the fleet of the Romans is"
    " wrecked and the attack ends"
)


@pytest.mark.parametrize(("cards", "text"), [((TECHNOLOGY,), WON), ((), LOST)])
def test_8_1_page_log_report_and_notice_give_both_sums(
    voyage: GrandTable, cards: tuple[str, ...], text: str
) -> None:
    """With the fixed seed, the attacker rolls 23 and the defender 28."""
    sail(voyage, *cards)
    voyage.play("vandals", "respond", attack=1, choice="accept")
    assert f"What the dice decided E{text}. " in visible_text(voyage.get("nobody", "b/1/"))
    assert f"e{text}" in visible_text(voyage.get("nobody", "log/"))
    report = visible_text(voyage.get("nobody", "reports/battle-1/"))
    assert f"E{text} (attacker d100 = 23, defender d100 = 28, §8.1)." in report
    assert report.count(f"E{text}") == 3  # as a post, in the board's language, and as plain text
    notices = notices_in_words(Notice.objects.filter(user=voyage.people["roman"], kind="answered"))
    assert [notice.body for notice in notices] == [f"Vandals: accept #1 Carthaginiensis. E{text}."]


def test_8_1_a_player_who_answers_reads_at_once_how_the_dice_decided(voyage: GrandTable) -> None:
    sail(voyage)
    answered = answer_challenge(voyage, "gm", 1, "accept", sure="accept", follow=True)
    assert f"Answer to #1 announced. E{LOST}." in visible_text(answered)


NO_ESCORT = (
    "Escort: 2 on the d6, 5 or more needed: no escort; the battle remains as launched, open battle."
)


def test_7_8_the_page_says_what_the_escort_roll_was_and_what_follows(
    grand_table: GrandTable,
) -> None:
    """With the fixed seed, the roll is 2: no escort."""
    grand_table.slot_to("romans")
    grand_table.play("romans", "attack", kind="land", **{"from": "dalmatia", "target": "pannonia"})
    answered = visible_text(
        answer_challenge(grand_table, "hun", 1, "escort", sure="escort", follow=True)
    )
    assert f"Answer to #1 announced. {NO_ESCORT}" in answered
    assert f"What the dice decided {NO_ESCORT}" in visible_text(grand_table.get("nobody", "b/1/"))
    assert NO_ESCORT[1:-1] in visible_text(grand_table.get("nobody", "log/"))
    assert NO_ESCORT[:-1] + " (d6 = 2, §7.8)." in visible_text(
        grand_table.get("nobody", "reports/battle-1/")
    )
    notices = notices_in_words(
        Notice.objects.filter(user=grand_table.people["roman"], kind="answered")
    )
    assert [notice.body for notice in notices] == [
        f"Huns: answer #1 Pannonia with an escort. {NO_ESCORT}"
    ]
