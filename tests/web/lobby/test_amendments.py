"""Changes of rules during play: proposed, agreed to, put in force, shown, undone."""

from __future__ import annotations

import pytest

from campaign import rulebook, services
from campaign.errors import Refused
from campaign.log import positions
from tests.web.grand_table import GrandTable, grand_table, new_campaign  # noqa: F401
from tests.web.titles.test_table import visible_text

pytestmark = pytest.mark.django_db

HERE = "rules/changes/"
WHY = "A fleet that waits a turn is worth less than this."


def play_move(grand_table: GrandTable, who: str, **typed: str) -> str:  # noqa: F811
    answer = grand_table.post(who, HERE, follow=True, **typed)
    return visible_text(answer.content.decode())


def fleet(grand_table: GrandTable) -> int:  # noqa: F811
    """Return the cost of a fleet in half-actions."""
    grand_table.campaign.refresh_from_db()
    return int(positions.current(grand_table.campaign).rules.costs["fleet"])


def test_a_number_is_changed_by_agreement_and_an_undo_brings_the_old_one_back(
    grand_table: GrandTable,  # noqa: F811
) -> None:
    assert "No rule has been changed in this campaign." in visible_text(
        grand_table.text("hun", HERE)
    )
    typed = play_move(grand_table, "gm", do="add", find="fleet: actions")
    assert "Fleet: actions that it costs" in typed
    assert "½ →" in typed
    wrong = play_move(grand_table, "gm", do="ask", **{"v.costs.fleet": "many", "reason": WHY})
    assert "Enter a number. Actions can be halves." in wrong
    assert "Change at least one number." in play_move(
        grand_table, "gm", do="ask", **{"v.costs.fleet": "½", "reason": WHY}
    )
    assert "Give a reason" in play_move(
        grand_table, "gm", do="ask", **{"v.costs.fleet": "1", "reason": " "}
    )

    page = play_move(
        grand_table,
        "gm",
        do="ask",
        **{"v.costs.fleet": "1", "v.fortifications.1.2": "55", "reason": WHY},
    )
    assert "Amendment 1 has been proposed. The players will be asked." in page
    assert "0 of 2 agree" in page
    assert "½ → 1" in page
    assert "50 → 55" in page
    assert "How the rules will read" in page
    play_move(grand_table, "hun", do="answer", number="1", agrees="1", seat="huns")
    page = play_move(
        grand_table,
        "roman",
        do="answer",
        number="1",
        agrees="0",
        seat="romans",
        why="Great Walls too, or not at all.",
    )
    assert "1 of 2 agree" in page
    assert "“Great Walls too, or not at all.”" in page
    assert (
        grand_table.post(
            "stranger", HERE, do="answer", number="1", agrees="1", seat="huns"
        ).status_code
        == 403
    )

    page = play_move(
        grand_table, "gm", do="ask", **{"v.costs.fleet": "1", "reason": WHY, "need": "all"}
    )
    assert "0 of 2 agree" in page
    assert "all players agree" in page.casefold()
    for who, seat in (("hun", "huns"), ("roman", "romans")):
        page = play_move(grand_table, who, do="answer", number="1", agrees="1", seat=seat)
    assert "agreed, 2 of 2" in page
    assert (
        "Put it in force after this turn has closed and before you open the next turn."
        in play_move(grand_table, "gm")
    )

    while grand_table.campaign.phase == "slots":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    assert grand_table.campaign.phase == "closed"
    assert fleet(grand_table) == 1
    raw = {"by": "gm", "move": "amend", "rules": {"costs": {"fleet": 1}}, "reason": "At once."}
    with pytest.raises(Refused, match="Propose the amendment first"):
        services.play(grand_table.campaign, grand_table.people["gm"], raw, grand_table.seen("gm"))
    assert "Put it in force from turn 2" in play_move(grand_table, "gm")
    play_move(grand_table, "gm", do="force", number="1", seen=str(grand_table.seen("gm")))
    assert fleet(grand_table) == 2
    page = visible_text(grand_table.text("hun", HERE))
    assert "in force since entry" in page
    (one,) = rulebook.amendment_book(grand_table.campaign)
    assert (one.open, one.entry) == (False, grand_table.campaign.last_number)
    now, then = (
        visible_text(grand_table.text("hun", f"rules/{asked}")) for asked in ("", "?turn=1")
    )
    assert (
        visible_text(grand_table.text("hun", f"rules/?turn={'9' * 5000}")) == now
    )  # Python does not parse so long a number
    assert "turn 1 since turn 2" in now
    assert "as of turn 2" in now
    assert "as of turn 2" not in then
    log = visible_text(grand_table.text("hun", "log/"))
    assert f"The game master proposes amendment 1 of the rules, from turn 2: {WHY}" in log
    assert "Huns: in favour of amendment 1." in log

    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        one.entry - 1,
        "Too early.",
        grand_table.seen("gm"),
    )
    assert fleet(grand_table) == 1
    (one,) = rulebook.amendment_book(grand_table.campaign)
    assert one.open


def test_the_page_compares_the_effects_of_other_numbers(grand_table: GrandTable) -> None:  # noqa: F811
    grand_table.play("huns", "fleet", province="scythia")
    grand_table.play("huns", "siege-train")
    page = play_move(
        grand_table, "gm", do="look", **{"v.costs.fleet": "1½", "v.costs.siege-train": "0"}
    )
    assert "Fleet, 1×: ½ spent, 1½ with the new number." in page
    assert "Siege train, 1×: ½ spent, 0 with the new number." in page


def test_the_founder_decides_who_must_agree(grand_table: GrandTable) -> None:  # noqa: F811
    grand_table.campaign.amending = "all"
    grand_table.campaign.save()
    with pytest.raises(Refused, match="You can make this stricter, but not looser"):
        services.propose_amendment(
            grand_table.campaign,
            grand_table.people["gm"],
            {"costs": {"fleet": 1}},
            WHY,
            need="two-thirds",
        )
    services.propose_amendment(
        grand_table.campaign, grand_table.people["gm"], {"costs": {"fleet": 1}}, WHY
    )
    assert rulebook.amendment_book(grand_table.campaign)[0].need == "all"
