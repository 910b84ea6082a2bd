"""Renewed dice, which no one can foresee: undo behind a published link, imports, renewals."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from campaign import services
from campaign.errors import CannotUndo, NotNow, Refused
from campaign.hosting import audit
from campaign.imports import check_record, import_record
from campaign.log import positions, record
from campaign.models import Campaign, DiceRoll
from campaign.status import best
from engine.dice import chain, draw
from engine.errors import IllegalMove
from tests.web.contests import play_to_turn, visible_text
from tests.web.dice.test_dice_proof import rolls, two, verify
from tests.web.grand_table import SEED, GrandTable, draft, grand_table, new_campaign

__all__ = ["draft", "grand_table", "new_campaign", "two", "verify"]
pytestmark = pytest.mark.django_db
WHY = "a slip in turn 1"
Verify = Callable[..., tuple[int, list[str]]]


def values(campaign: Campaign) -> dict[str, int]:
    return dict(DiceRoll.objects.filter(entry__campaign=campaign).values_list("purpose", "value"))


def back_to_turn_1(table: GrandTable) -> None:
    first = table.campaign.entries.filter(kind="move", act="end-slot").order_by("sequence").first()
    services.undo_to(table.campaign, table.people["gm"], first.number, WHY, table.seen("gm"))
    table.campaign.refresh_from_db()


def test_behind_a_published_link_the_dice_are_renewed(two: GrandTable, verify: Verify) -> None:
    before, links, promised = (
        values(two.campaign),
        record.published_links(two.campaign),
        two.campaign.commitment,
    )
    assert len(links) == 2
    preview = visible_text(
        two.text(
            "gm", f"rewind/?entry={two.campaign.entries.filter(act='end-slot').first().number}"
        )
    )
    assert (
        "The dice of turns 1 to 2 are renewed. Rolls already thrown keep their values." in preview
    )
    back_to_turn_1(two)
    assert (two.campaign.turn, two.campaign.renewals) == (1, 1)
    assert record.published_links(two.campaign) == links, "what was published stays so"
    (renewal,) = two.campaign.dice_renewals.all()
    assert renewal.commitment == renewal.entry.content["commitment"] != promised

    play_to_turn(two, 2, {})
    again = values(two.campaign)
    assert {purpose: again[purpose] for purpose in before} == before, (
        "what was thrown keeps its value"
    )
    # Turn 2 again, then turn 3: new rolls come from the new chain, not from the first one.
    play_to_turn(two, 3, {})
    after = values(two.campaign)
    new_purposes = {purpose for purpose in after if purpose not in before}
    assert {purpose.split("/")[0] for purpose in new_purposes} == {"turn-3"}
    old = chain(SEED, 6)
    foreseen = sum(draw(old[3], purpose, 100) == after[purpose] for purpose in new_purposes)
    assert foreseen <= 1, "chance would have 0.12 of 12"
    assert list(audit.differences(two.campaign)) == []
    assert record.replays(two.campaign)
    given = rolls(two)
    assert [len(dice_chain["links"]) for dice_chain in given["chains"]] == [3, 3]
    assert {roll["chain"] for roll in given["rolls"] if roll["purpose"] in new_purposes} == {1}
    code, lines = verify(two, promised, renewal.commitment)
    assert (code, lines[-1]) == (0, "No faults were found.")
    page = visible_text(two.text("nobody", "dice/"))
    assert f"Renewed dice 1, from entry {renewal.entry.number} on" in page
    assert renewal.commitment in page
    assert two.get("nobody", "log/").status_code == 200


def test_undo_restore_and_renew_in_any_order_change_no_roll(two: GrandTable) -> None:
    before = values(two.campaign)
    back_to_turn_1(two)
    undo = two.campaign.last_number
    services.restore(two.campaign, two.people["gm"], undo, WHY, two.seen("gm"))
    two.campaign.refresh_from_db()
    assert (two.campaign.turn, values(two.campaign)) == (2, before)
    back_to_turn_1(two)
    assert two.campaign.renewals == 2
    play_to_turn(two, 2, {})
    assert values(two.campaign) == before
    while two.campaign.active_seat:
        two.play(two.campaign.active_seat, "end-slot")
    services.renew_dice(two.campaign, two.people["gm"], "somebody doubts them")
    two.campaign.refresh_from_db()
    play_to_turn(two, 3, {})
    known = DiceRoll.objects.filter(entry__campaign=two.campaign)
    assert set(known.filter(purpose__startswith="turn-3/").values_list("chain", flat=True)) == {3}
    assert {
        purpose: value for purpose, value in values(two.campaign).items() if purpose in before
    } == before
    assert list(audit.differences(two.campaign)) == []
    assert record.replays(two.campaign)
    two.campaign.dice_renewals.filter(number=3).update(commitment="0" * 64)
    assert any(
        "does not match the commitment" in difference
        for difference in audit.differences(two.campaign)
    )


def test_the_game_master_renews_dice_only_between_turns(two: GrandTable) -> None:
    with pytest.raises(NotNow, match="between turns"):
        services.renew_dice(two.campaign, two.people["gm"], "in the midst of a slot")
    assert two.post("hun", "dice/by-hand/", do="renew", reason="mine").status_code == 403
    while two.campaign.active_seat:
        two.play(two.campaign.active_seat, "end-slot")
    assert "Renew the dice" in two.text("gm", "dice/")
    assert "Renew the dice" not in two.text("hun", "dice/")
    assert two.post("gm", "dice/by-hand/", do="renew", reason="").status_code == 422
    assert (
        two.post("gm", "dice/by-hand/", do="renew", reason="The <key> was seen").status_code == 303
    )
    entry = two.campaign.entries.order_by("-sequence").first()
    assert (entry.content["act"], entry.content["reason"]) == ("renew", "The <key> was seen")
    assert (
        "The game master renews the dice: The &lt;key&gt; was seen. Rolls already thrown keep their"
        " value." in two.text("nobody", "log/")
    )


MINE = "a seed of my own"


def of_turn_1(seed: str = MINE, **options: Any) -> dict[str, Any]:
    moves = [{"by": "gm", "move": "start"}]
    return {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": options,
        "dice": {"seed": seed},
        "moves": moves,
    }


def brought(user: Any, raw: dict[str, Any]) -> Campaign:
    judged = check_record(json.dumps(raw))
    assert judged.faults == []
    return import_record(user, judged, "Brought", "UTC", "listed")


def test_the_importer_of_a_record_cannot_foresee_dice(
    new_campaign: Callable[..., GrandTable],
) -> None:
    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    table = GrandTable(brought(people["gm"], of_turn_1()), people)
    assert (table.campaign.imported, table.campaign.renewals) == (True, 1)
    links = chain(MINE, 6)
    assert values(table.campaign)["start"] == draw(links[0], "start", 6), (
        "what fell is the record's"
    )
    play_to_turn(table, 4, {})
    new_values = {
        purpose: value
        for purpose, value in values(table.campaign).items()
        if purpose[:6] in ("turn-2", "turn-3", "turn-4")
    }
    assert len(new_values) == 30
    hits = sum(
        draw(links[int(purpose[5])], purpose, 100) == value for purpose, value in new_values.items()
    )
    assert hits <= 3, "chance would have 0.3"
    assert list(audit.differences(table.campaign)) == []
    page = visible_text(table.text("nobody", "dice/"))
    assert "This campaign began from a record." in page
    assert "continued from a record" in visible_text(table.text("nobody"))
    assert table.get("nobody", "dice/rolls.json").json()["imported"] is True
    Campaign.objects.filter(pk=table.campaign.pk).update(
        ended=True, points=99, result='[["huns",99,1,{}]]'
    )
    assert best("grand_campaign") == []


def test_an_imported_record_cannot_fix_later_dice(new_campaign: Callable[..., GrandTable]) -> None:
    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    raw = of_turn_1()
    raw["dice"]["fixed"] = {"turn-2/event/huns": 100, "start": 2}
    campaign = brought(people["gm"], raw)
    assert campaign.entered_dice == {"start": 2}
    assert "turn-2/event/huns" not in positions.dice(campaign).fixed
    hidden = of_turn_1(hands="hidden")
    hidden["dice"]["fixed"] = {"turn-2/event/huns": 100}
    (fault,) = check_record(json.dumps(hidden)).faults
    assert fault.startswith("dice.fixed.turn-2/event/huns: this die has not been thrown.")


@pytest.mark.parametrize("order", ["urnuruonu", "ruunrouru", "nurrounuro", "uuronrurou"])
def test_no_order_of_undoing_changes_a_roll_or_a_published_link(
    two: GrandTable, order: str
) -> None:
    """Each letter is an act.

    u: undo behind the end of turn 1, r: restore the last undo, n: renew in public, o: open the next
    turn.
    """
    seen: dict[str, int] = {}
    links: list[list[str]] = []
    undone: list[int] = []
    for step in order:
        gm = two.people["gm"]
        with suppress(NotNow, CannotUndo, Refused, IllegalMove):
            if step == "u":
                back_to_turn_1(two)
                undone.append(two.campaign.last_number)
            elif step == "r" and undone:
                services.restore(two.campaign, gm, undone.pop(), WHY, two.seen("gm"))
            elif step == "n":
                while two.campaign.active_seat:
                    two.play(two.campaign.active_seat, "end-slot")
                services.renew_dice(two.campaign, gm, "doubts")
            elif step == "o" and two.campaign.turn < 5:
                play_to_turn(two, two.campaign.turn + 1, {})
        two.campaign.refresh_from_db()
        now = values(two.campaign)
        assert {purpose: now[purpose] for purpose in seen} == seen, (
            "what was thrown keeps its value"
        )
        published = [list(published_chain.links) for published_chain in record.chains(two.campaign)]
        for before, after in zip(links, published, strict=False):
            assert after[: len(before)] == before, "a published link stays as it is"
        seen, links = now, published
    assert len(links) > 2
    assert list(audit.differences(two.campaign)) == []
    assert record.replays(two.campaign)


def test_published_links_do_not_predict_dice_after_an_undo(two: GrandTable) -> None:
    """Guess 1,000 unrolled dice of turn 1 by the published link.

    At most as many guesses are right as by chance.
    """
    link = record.published_links(two.campaign)[1]
    back_to_turn_1(two)
    dice = positions.dice(two.campaign)
    purposes = [f"turn-1/attack/huns/province-{n}/siege" for n in range(1000)]
    hits = sum(dice.roll(purpose, 100, 1) == draw(link, purpose, 100) for purpose in purposes)
    assert hits <= 25, "10 are expected by chance; more than 25 come once in 50,000 times"
