"""Mixed dice in play: words of the seats and public draws, fixed before they count.

See RECORD, Mixed dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from campaign import services
from campaign.clocks import services as clocks
from campaign.clocks.selectors import Terms
from campaign.clocks.services import tick
from campaign.dice import selectors
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.hosting import audit
from campaign.log import positions, record
from campaign.models import Campaign, Clock, DiceRoll
from engine.dice import chain, draw, mixed_key
from engine.errors import IllegalMove
from engine.strict_json import canonical
from games.registry import TITLES
from notices.models import Notice
from tests.web.contests import visible_text
from tests.web.dice.test_dice_proof import rolls, verify
from tests.web.grand_table import SEED, GrandTable, new_campaign
from tests.web.lobby.test_found import form

__all__ = ["new_campaign", "verify"]
pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PRINTED = """Estrazione di sabato
BARI      12 45 7 88 31
CAGLIARI  1 2 3 4 5
ROMA      90 1 17 44 60
TORINO    5 6 7 8 9"""


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    """Let the seats be taken an hour before NOW.

    A user who takes a seat later gets no notices about what was played before.
    """
    with time_machine.travel(NOW - HOUR):
        yield


def values(campaign: Campaign) -> dict[str, int]:
    return dict(DiceRoll.objects.filter(entry__campaign=campaign).values_list("purpose", "value"))


def close_turn(table: GrandTable) -> None:
    while table.campaign.active_seat:
        table.play(table.campaign.active_seat, "end-slot", NOW)


def test_words_of_the_seats_change_the_dice_and_none_can_be_added_later(
    new_campaign: Callable[..., GrandTable], verify: Any
) -> None:
    table = new_campaign(chance="words")
    campaign, gm = table.campaign, table.people["gm"]
    assert campaign.entries.filter(act="genesis").last().content["chance"] == "words"
    with pytest.raises(IllegalMove, match="not-mixed") as refused:
        table.play("gm", "start")
    assert (
        refused.value.sentence
        == "The dice of turn 0 are waiting for the value to be mixed in. See the page Dice."
    )
    assert "Words for the dice" in visible_text(table.text("gm", "clocks/")), (
        "their deadline is among the time limits"
    )
    services.add_words(campaign, table.people["hun"], "huns", "Attila was here", now=NOW)
    with pytest.raises(NotNow, match="already in the log"):
        services.add_words(campaign, table.people["hun"], "huns", "again", now=NOW)
    with pytest.raises(NotAllowed):
        services.add_words(campaign, table.people["hun"], "romans", "not mine", now=NOW)
    for bad in ("", "x" * 201, "two\nlines"):
        with pytest.raises(Refused, match="1 to 200 printable characters"):
            services.add_words(campaign, table.people["roman"], "romans", bad, now=NOW)
    with pytest.raises(NotAllowed):
        services.close_words(campaign, table.people["hun"], now=NOW)
    services.close_words(campaign, gm, now=NOW)
    with pytest.raises(NotNow, match="It is too late to add words for this turn"):
        services.add_words(campaign, table.people["roman"], "romans", "S·P·Q·R", now=NOW)
    campaign.refresh_from_db()
    table.play("gm", "start", NOW)
    links, mixture = chain(SEED, 6), canonical({"phrases": {"huns": "Attila was here"}})
    thrown = values(table.campaign)
    assert thrown["start"] == draw(mixed_key(links[0], mixture), "start", 6)
    assert thrown["turn-1/card/huns"] == draw(mixed_key(links[1], mixture), "turn-1/card/huns", 100)
    log = visible_text(table.text("nobody", "log/"))
    assert "Huns: words for the start and turn 1: “Attila was here”" in log
    assert "Words for the start and turn 1 can no longer be added. 1 seat has added none." in log

    report = visible_text(table.text("gm", "reports/opening-1/"))
    assert f"Commitment of the dice: {table.campaign.commitment}" in report
    assert "Mixed into the dice of turn 1: Huns: “Attila was here”" in report

    # Seats may add words for turn 2 while turn 1 is played. They close when every seat has added
    # some.
    services.add_words(campaign, table.people["roman"], "romans", "S·P·Q·R", now=NOW)
    close_turn(table)
    with pytest.raises(IllegalMove, match="not-mixed"):
        table.play("gm", "open-turn", NOW)
    services.add_words(campaign, table.people["hun"], "huns", "Ruga", now=NOW)
    table.campaign.refresh_from_db()
    table.play("gm", "open-turn", NOW)
    mixture = canonical({"phrases": {"huns": "Ruga", "romans": "S·P·Q·R"}})
    assert values(table.campaign)["turn-2/event/huns"] == draw(
        mixed_key(links[2], mixture), "turn-2/event/huns", 100
    )
    assert list(audit.differences(table.campaign)) == []
    assert record.replays(table.campaign)
    given, promised = rolls(table), table.campaign.commitment
    assert given["chains"][0]["mixed"]["2"] == {"phrases": {"huns": "Ruga", "romans": "S·P·Q·R"}}
    code, lines = verify(table, promised)
    assert (code, lines[-1]) == (0, "No faults were found.")


def test_a_draw_is_named_beforehand_and_words_close_before_it(
    new_campaign: Callable[..., GrandTable], verify: Any
) -> None:
    table = new_campaign(chance="both")
    campaign, gm, hun = table.campaign, table.people["gm"], table.people["hun"]
    with pytest.raises(NotNow, match="No draw has been named"):
        services.enter_draw(campaign, gm, "12", now=NOW)
    with pytest.raises(Refused, match="before it takes place"):
        services.name_draw(campaign, gm, "other", NOW - HOUR, "the noon number", now=NOW)
    with pytest.raises(Refused, match="Each wheel must belong to a different nation"):
        services.name_draw(
            campaign, gm, "lotto", NOW + HOUR, wheels={"Bari": "huns", "Roma": "huns"}, now=NOW
        )
    services.name_draw(
        campaign, gm, "lotto", NOW + HOUR, wheels={"Bari": "huns", "Roma": "romans"}, now=NOW
    )
    services.add_words(campaign, hun, "huns", "Attila", now=NOW + HOUR / 2)
    with pytest.raises(NotNow, match="has not taken place"):
        services.enter_draw(campaign, gm, PRINTED, now=NOW + HOUR / 2)
    with pytest.raises(NotNow, match="It is too late to add words for this turn"):
        services.add_words(campaign, table.people["roman"], "romans", "too late", now=NOW + HOUR)
    with pytest.raises(NotNow, match="has taken place"):
        services.name_draw(
            campaign, gm, "other", NOW + 3 * HOUR, "a better one", now=NOW + 2 * HOUR
        )
    for bad in (
        "BARI 12 45 7 88 31",
        PRINTED.replace("90 1", "91 1"),
        PRINTED.replace("90 1 17", "17 1 17"),
    ):
        with pytest.raises(Refused, match="Roma: enter the wheel’s name"):
            services.enter_draw(campaign, gm, bad, now=NOW + 2 * HOUR)
    services.enter_draw(campaign, gm, PRINTED.replace("90 1 17", "80 1 17"), now=NOW + 2 * HOUR)
    with pytest.raises(NotAllowed, match="hold a seat"):
        services.object_to_draw(campaign, table.people["stranger"], "no", now=NOW + 2 * HOUR)
    services.object_to_draw(campaign, hun, "Roma drew 90, not 80", now=NOW + 2 * HOUR)
    services.enter_draw(campaign, gm, PRINTED, "https://lotto.example/23", now=NOW + 2 * HOUR)
    campaign.refresh_from_db()
    table.play("gm", "start", NOW + 3 * HOUR)
    mixture = canonical(
        {"draw": "Bari 7 12 31 45 88, Roma 1 17 44 60 90", "phrases": {"huns": "Attila"}}
    )
    assert values(table.campaign)["start"] == draw(
        mixed_key(chain(SEED, 6)[0], mixture), "start", 6
    )
    with pytest.raises(NotNow):
        services.enter_draw(table.campaign, gm, PRINTED.replace("90", "89"), now=NOW + 3 * HOUR)
    log = visible_text(table.text("nobody", "log/"))
    for line in (
        (
            "The dice of the start and turn 1 will be mixed with a public draw: the Italian lottery"
            " (Bari, Roma), on 23 Nov 2026 13:00 UTC."
        ),
        "Huns: objection to the draw for the start and turn 1: Roma drew 90, not 80",
        "Drawn for the start and turn 1: Bari 7 12 31 45 88, Roma 1 17 44 60 80.",
        (
            "Corrected draw for the start and turn 1: Bari 7 12 31 45 88, Roma 1 17 44 60 90 in"
            " place of"
        ),
        "in place of Bari 7 12 31 45 88, Roma 1 17 44 60 80. Source: https://lotto.example/23",
    ):
        assert line in log
    assert list(audit.differences(table.campaign)) == []
    table.campaign.refresh_from_db()
    Campaign.objects.filter(pk=table.campaign.pk).update(mixing={})
    table.campaign.refresh_from_db()
    assert "the campaign's mixing differs from the log" in list(audit.differences(table.campaign))


def test_a_turn_goes_on_without_a_draw_that_did_not_take_place(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(chance="draw")
    gm = table.people["gm"]
    services.skip_draw(table.campaign, gm, "no draw on a holiday", now=NOW)
    table.campaign.refresh_from_db()
    table.play("gm", "start", NOW)
    assert values(table.campaign)["start"] == draw(chain(SEED, 6)[0], "start", 6), (
        "nothing was mixed in"
    )
    assert list(audit.differences(table.campaign)) == []


def test_dice_renewed_in_a_turn_are_mixed_anew_before_their_first_roll(
    new_campaign: Callable[..., GrandTable], verify: Any
) -> None:
    table = new_campaign(chance="draw")
    gm = table.people["gm"]

    def drawn(text: str) -> None:
        services.name_draw(
            table.campaign, gm, "other", NOW + HOUR, "the number of the day", numbers=1, now=NOW
        )
        services.enter_draw(table.campaign, gm, text, now=NOW + HOUR)
        table.campaign.refresh_from_db()

    drawn("1")
    table.play("gm", "start", NOW)
    close_turn(table)
    drawn("2")
    table.play("gm", "open-turn", NOW)
    before, promised = values(table.campaign), table.campaign.commitment
    first = table.campaign.entries.filter(kind="move", act="end-slot").order_by("sequence").first()
    services.undo_to(table.campaign, gm, first.number, "a slip in turn 1", table.seen("gm"))
    table.campaign.refresh_from_db()
    assert (table.campaign.turn, table.campaign.renewals) == (1, 1)
    stage = selectors.next_stage(table.campaign)
    assert stage is not None
    assert (stage.chain, stage.link, stage.done) == (1, 1, False)
    dice = positions.dice(table.campaign)
    assert dice.roll("turn-1/card/huns", 100, 1) == before["turn-1/card/huns"], (
        "what was thrown keeps its value"
    )
    with pytest.raises(IllegalMove, match="not-mixed"):
        dice.roll("turn-1/attack/huns/dalmatia/siege", 100, 1)
    drawn("3")
    renewal = table.campaign.dice_renewals.get()
    assert (
        1 <= positions.dice(table.campaign).roll("turn-1/attack/huns/dalmatia/siege", 100, 1) <= 100
    )
    close_turn(table)
    drawn("4")
    table.play("gm", "open-turn", NOW)
    close_turn(table)
    drawn("5")
    table.play("gm", "open-turn", NOW)
    assert {
        purpose: value for purpose, value in values(table.campaign).items() if purpose in before
    } == before
    assert list(audit.differences(table.campaign)) == []
    assert record.replays(table.campaign)
    assert verify(table, promised, renewal.commitment)[0] == 0


def test_the_pages_explain_mixed_dice(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign(chance="both")
    for who in ("nobody", "gm", "hun"):
        text = visible_text(table.text(who, "dice/"))
        assert "With words and a public draw" in text
        assert (
            "No one can know a value before the public draw, not even the person who runs this "
            "server."
        ) in text
    assert "Where the dice come from" in table.text("nobody", "about/")
    assert table.campaign.commitment in table.text("nobody", "about/")
    home = visible_text(table.text("hun"))
    assert "The dice of the start and of turn 1 are not ready yet" in home
    assert (
        "2 seats have not added their words yet. The game master has not chosen the public draw "
        "yet." in home
    )
    assert (
        table.post("hun", "dice/mixing/", do="words", seat="huns", text="<b>Attila</b>").status_code
        == 303
    )
    assert (
        table.post("hun", "dice/mixing/", do="words", seat="huns", text="again").status_code == 422
    )
    assert (
        table.post("stranger", "dice/mixing/", do="words", seat="huns", text="mine").status_code
        == 403
    )
    refused = table.post(
        "gm", "dice/mixing/", do="name", source="other", falls="", name="the noon number"
    )
    assert refused.status_code == 422
    text = refused.content.decode()
    assert "Enter the day and time of the draw." in text
    assert 'value="the noon number"' in text, "what was typed stands in the form still"
    assert "“&lt;b&gt;Attila&lt;/b&gt;”" in table.text("nobody", "dice/")
    with time_machine.travel(NOW, tick=False):
        answer = table.post(
            "gm", "dice/mixing/", do="name", source="drand", falls="2026-11-23T14:00"
        )
        assert answer.status_code == 303, "two in the afternoon in Rome is one by UTC"
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    stage = selectors.next_stage(campaign)
    assert stage is not None
    assert (stage.falls_at, stage.named and stage.named["round"]) == (NOW + HOUR, 34211812)
    with time_machine.travel(NOW + 2 * HOUR, tick=False):
        page = visible_text(table.text("gm", "dice/"))
        assert "Round 34211812 of drand" in page
        assert table.post("gm", "dice/mixing/", do="draw", text="ab" * 32).status_code == 303
        assert table.post("hun", "dice/mixing/", do="object", reason="it was cd").status_code == 303
        assert "ready" in visible_text(table.text("hun", "dice/"))
    assert "not mixed yet" not in table.text("hun")


def test_the_founder_chooses_the_source_of_the_dice(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign()
    gm = table.clients["gm"]
    page = visible_text(gm.get("/found/?title=grand_campaign").content.decode())
    for name in (
        "The generator",
        "With the players’ words",
        "With a public draw",
        "With words and a public draw",
        "Dice thrown elsewhere",
    ):
        assert name in page
    given = form(gm)
    created = {}
    for chance in ("", "words", "draw", "both", "manual"):
        answer = gm.post("/found/", {**given, "name": f"Chance {chance}", "chance": chance})
        assert answer.status_code == 302, answer.content.decode()
        created[chance] = Campaign.objects.latest("pk")
    assert [(roll.chance, roll.by_hand) for roll in created.values()] == [
        ("", False),
        ("words", False),
        ("draw", False),
        ("both", False),
        ("", True),
    ]
    wrong = gm.post("/found/", {**given, "name": "Wrong", "chance": "tarot"})
    assert wrong.status_code == 422
    assert "Choose how the dice are thrown." in visible_text(wrong.content.decode())
    terms = gm.post(f"/c/{created['both'].public_id}/terms/", {**given, "chance": "words"})
    assert terms.status_code == 302
    created["both"].refresh_from_db()
    assert created["both"].chance == "words"
    assert created["both"].entries.filter(act="genesis").last().content["chance"] == "words"
    march = next(iter(TITLES["march_on_rome"].scenarios()))
    with pytest.raises(Refused, match="In this game"):
        services.found_campaign(table.people["gm"], "march_on_rome", "M", march, chance="draw")


def test_the_clock_of_words_reminds_and_closes_them(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(chance="words")
    services.add_words(table.campaign, table.people["hun"], "huns", "Attila", now=NOW)
    services.close_words(table.campaign, table.people["gm"], now=NOW)
    table.campaign.refresh_from_db()
    terms = {"words": Terms("2d", "1h", acts=True)}
    clocks.set_terms(table.campaign, table.people["gm"], terms, now=NOW)
    table.campaign.refresh_from_db()
    table.play("gm", "start", NOW)
    close_turn(table)
    clock = Clock.objects.get(campaign=table.campaign, kind="words", ended_at=None)
    assert (clock.due_at, clock.seats) == (NOW + 48 * HOUR, ("huns", "romans"))
    services.add_words(table.campaign, table.people["roman"], "romans", "S·P·Q·R", now=NOW + HOUR)
    clock.refresh_from_db()
    assert clock.seats == ("huns",)
    shown = Notice.objects.filter(campaign=table.campaign, kind="words-wanted")
    assert sorted(shown.values_list("user__username", flat=True)) == [
        "Benedetto",
        "Ingrid",
    ], "when turn 1 closed"
    tick(NOW + 50 * HOUR)
    (ready,) = Notice.objects.filter(campaign=table.campaign, kind="dice-ready")
    assert ready.user == table.people["gm"]
    last = table.campaign.entries.order_by("-sequence").first()
    assert (last.content["how"], last.content["late"], last.actor) == ("closed", ["huns"], None)
    table.campaign.refresh_from_db()
    table.play("gm", "open-turn", NOW + 50 * HOUR)
    assert not Clock.objects.filter(campaign=table.campaign, kind="words", ended_at=None).exists()
    assert list(audit.differences(table.campaign)) == []


def test_renewed_dice_ask_for_words_anew_with_their_own_time(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """Between turns the clocks of both chains begin with the move that ended the turn."""
    table = new_campaign(chance="words")
    gm = table.people["gm"]
    services.close_words(table.campaign, gm, now=NOW)
    clocks.set_terms(table.campaign, gm, {"words": Terms("2d", "1h", acts=True)}, now=NOW)
    table.campaign.refresh_from_db()
    table.play("gm", "start", NOW)
    close_turn(table)
    first = Clock.objects.get(campaign=table.campaign, kind="words", ended_at=None)
    with time_machine.travel(NOW + 40 * HOUR, tick=False):
        assert table.post("gm", "dice/by-hand/", do="renew", reason="a leak").status_code == 303
    second = Clock.objects.get(campaign=table.campaign, kind="words", ended_at=None)
    assert (first.followup_key, second.followup_key, second.entry) == ("0/2", "1/2", first.entry)
    assert (second.started_at, second.due_at) == (NOW + 40 * HOUR, NOW + 88 * HOUR)

    # An undo of the opening renews the dice too, and words are asked for a third time after the
    # same move.
    table.campaign.refresh_from_db()
    services.close_words(table.campaign, gm, now=NOW + 41 * HOUR)
    table.campaign.refresh_from_db()
    table.play("gm", "open-turn", NOW + 41 * HOUR)
    opening = table.campaign.entries.filter(kind="move", act="open-turn").get()
    services.undo_to(
        table.campaign, gm, opening.number - 1, "too early", table.seen("gm"), now=NOW + 50 * HOUR
    )
    third = Clock.objects.get(campaign=table.campaign, kind="words", ended_at=None)
    assert (third.followup_key, third.due_at, third.entry) == ("2/2", NOW + 98 * HOUR, first.entry)
    table.campaign.refresh_from_db()
    assert list(audit.differences(table.campaign)) == []


def test_knowledge_of_the_servers_link_does_not_predict_mixed_dice(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """Without the draw, link and words predict 1,000 rolls no better than chance."""
    link, words = chain(SEED, 6)[2], {"huns": "Attila", "romans": "S·P·Q·R"}
    purposes = [f"turn-2/attack/huns/p{n}/siege" for n in range(1000)]
    known = canonical({"phrases": words})
    drawn = canonical({"draw": "Bari 12 45 7 88 31", "phrases": words})
    guesses = [
        (draw(link, purpose, 100), draw(mixed_key(link, known), purpose, 100))
        for purpose in purposes
    ]
    fell = [draw(mixed_key(link, drawn), purpose, 100) for purpose in purposes]
    assert sum(value == guess[0] for value, guess in zip(fell, guesses, strict=True)) <= 25
    assert sum(value == guess[1] for value, guess in zip(fell, guesses, strict=True)) <= 25
