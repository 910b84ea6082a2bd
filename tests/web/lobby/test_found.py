"""Founding a campaign: options, numbers and tables of the rules, errors beside their fields.

Only values that differ from the rules are stored.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.clocks import selectors as clock_terms
from campaign.log import selectors
from campaign.models import Campaign
from games.grand_campaign.rules.numbers import table as numbers
from games.grand_campaign.text.rule_names import GROUPS, TABLES
from games.kit.numbers import read_number
from tests.table import people, table, toy
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text
from web.lobby import found

__all__ = ["draft", "grand_table", "new_campaign", "people", "table", "toy"]

FIELD = re.compile(r'<input class="input[^"]*"[^>]* name="(rules[^"]+)" value="([^"]*)"')
SELECT = re.compile(r'<select class="select" name="(rules[^"]+)"[^>]*>(.*?)</select>', re.S)


READING = re.compile(r'name="(external_attacks|diplomat|attack_limit)" value="(\w+)" checked')
PROPOSED = {"external_attacks": True, "diplomat": "bordering", "attack_limit": "turn"}
"""The defaults of the founding form for unclear rules."""


@pytest.fixture
def master(client: Client, person: Callable[..., Any]) -> Client:
    client.force_login(person("Marozia", time_zone="Europe/Rome"))
    return client


def fields(page: str) -> dict[str, str]:
    """Return the values of the rules that a browser would send from this page."""
    created = {name: html.unescape(value) for name, value in FIELD.findall(page)}
    for name, options in SELECT.findall(page):
        chosen = re.search(r'value="([^"]*)" selected', options)
        created[name] = chosen[1] if chosen else ""
    return created


def form(master: Client, **changes: str) -> dict[str, str]:
    """Return the page's form with these changes; `__` in a name means a dot."""
    page = master.get("/found/?title=grand_campaign").content.decode()
    created = fields(page) | dict(READING.findall(page))
    created |= {
        "title": "grand_campaign",
        "scenario": "420ad",
        "name": "The Long Frontier",
        "hands": "open",
        "time_zone": "Europe/Rome",
        "visibility": "unlisted",
    }
    return created | {name.replace("__", "."): value for name, value in changes.items()}


def rules_of(campaign: Campaign) -> Any:
    scenario, _ = selectors.terms(campaign)
    return scenario.get("rules")


def test_founding_needs_a_sign_in(client: Client, db: None) -> None:
    for answer in (client.get("/found/"), client.post("/found/", {"name": "x"})):
        assert (answer.status_code, answer["Location"]) == (302, "/sign-in/?next=/found/")
    assert not Campaign.objects.exists()


def test_every_number_and_table_of_the_rules_can_be_changed(master: Client) -> None:
    named = {path for _, entries in GROUPS for path, _ in entries} | {path for path, *_ in TABLES}
    every = set()
    for key, value in numbers("rules").items():
        every |= {f"{key}.{inner}" for inner in value} if isinstance(value, dict) else {key}
    assert named == every
    posted = fields(master.get("/found/").content.decode())
    for name in named:
        assert any(key == f"rules.{name}" or key.startswith(f"rules.{name}.") for key in posted)


def test_a_campaign_with_the_usual_rules_stores_none(master: Client) -> None:
    answer = master.post("/found/", form(master), follow=True)
    campaign = Campaign.objects.get()
    assert answer.redirect_chain == [(f"/c/{campaign.address}/seats/", 302)]
    assert "The Long Frontier has been created." in answer.content.decode()
    assert 'data-copy="#f-link"' in answer.content.decode()
    assert "/join/" in answer.content.decode()
    assert (campaign.name, campaign.time_zone, campaign.visibility) == (
        "The Long Frontier",
        "Europe/Rome",
        "unlisted",
    )
    assert selectors.terms(campaign)[1] == {"hands": "open", **PROPOSED}
    assert rules_of(campaign) is None
    assert selectors.game_masters(campaign)[0].username == "Marozia"


def test_only_changed_rules_are_stored(master: Client) -> None:
    data = form(
        master,
        rules__rout__decisive="50",
        rules__army__defeat="−20",
        rules__costs__land="1½",
        rules__event_turns="3 5",
        rules__income_actions__8__0="900",
        rules__income_actions__8__1="4,5",
        hands="hidden",
        external_attacks="on",
    )
    assert master.post("/found/", data).status_code == 302
    campaign = Campaign.objects.get()
    usual = numbers("rules")
    assert rules_of(campaign) == {
        "rout": {"decisive": 50},
        "army": {"defeat": -20},
        "costs": {"land": Decimal("1.5")},
        "event_turns": [3, 5],
        "income_actions": [*usual["income_actions"], [900, Decimal("4.5")]],
    }
    assert selectors.terms(campaign)[1] == {"hands": "hidden", **PROPOSED}


def test_other_readings_of_unclear_rules_are_stored(master: Client) -> None:
    """Rules are unclear here.

    No external attacks, any province for a Diplomat, attacks at once.

    They are 4.8, 6.1 and 7.2.
    """
    chosen = {
        "hands": "hidden",
        "external_attacks": "off",
        "diplomat": "anywhere",
        "attack_limit": "running",
    }
    data = form(master, rules__tax_increases_per_slot="3", **chosen)
    assert master.post("/found/", data).status_code == 302
    campaign = Campaign.objects.get()
    assert selectors.terms(campaign)[1] == {
        "hands": "hidden",
        "external_attacks": False,
        "diplomat": "anywhere",
        "attack_limit": "running",
    }
    assert rules_of(campaign) == {"tax_increases_per_slot": 3}
    rules = visible_text(master.get(f"/c/{campaign.address}/rules/").content.decode())
    for text in (
        "Only the holder and the game master see a hand (§4.2)",
        "External provinces start no attacks (§6.1)",
        "A Diplomat wins any independent province (§4.8)",
        "One attack of each kind at a time (§7.2)",
        "at most 3 per turn (§3.6)",
    ):
        assert text in rules


def test_an_unknown_reading_of_a_rule_is_named(master: Client) -> None:
    answer = master.post("/found/", form(master, diplomat="everywhere"))
    assert answer.status_code == 422
    assert "must be bordering or anywhere" in answer.content.decode()


def test_the_page_says_where_the_rules_are_unclear(master: Client) -> None:
    text = visible_text(master.get("/found/?title=grand_campaign").content.decode())
    unclear = text.partition("Where the rules are unclear")[2]
    assert (
        "does not say who sees them. All hands are open Drawn cards are public, as on a forum."
        " Proposed." in unclear
    )
    assert "“in hand until the opportunity arises”" in unclear
    assert "“one independent or external attack”" in text
    assert "The source sets no limit on tax increases." in text


def test_rows_of_tables_are_removed_and_renamed(master: Client) -> None:
    data = form(master, rules__fortifications__1__0="palisades")
    data |= {f"rules.fortifications.2.{c}": "" for c in range(3)} | {
        f"rules.cards.10.{c}": "" for c in range(3)
    }
    data |= {"rules.cards.9.1": "90"}
    assert master.post("/found/", data).status_code == 302
    rules = rules_of(Campaign.objects.get())
    assert rules["fortifications"] == [["ramparts", Decimal("0.5"), 30], ["palisades", 1, 50]]
    assert rules["cards"][9:] == [[66, 90, "reinforcements"], [91, 100, "scouts"]]


@pytest.mark.parametrize(
    ("field", "value", "content"),
    [
        ("rules.army.maximum", "many", "Army, Maximum: this is not a number."),
        ("rules.die", "", "Dice and events, Sides of the die: a number is missing."),
        (
            "rules.die",
            "0",
            "Dice and events, Sides of the die: must be a whole number from 1 to 1000000.",
        ),
        ("rules.costs.fleet", "0.3", "Costs, in actions, Fleet: must be a multiple of ½."),
        ("rules.costs.fleet", "NaN", "Costs, in actions, Fleet: this is not a number."),
        ("rules.costs.fleet", "1e999999999", "Costs, in actions, Fleet: this is not a number."),
        ("rules.costs.fleet", "9" * 5000, "Costs, in actions, Fleet: this is not a number."),
        (
            "rules.costs.fleet",
            "-1",
            "Costs, in actions, Fleet: must be a number from 0 to below 1000000000.",
        ),
        (
            "rules.talents.plague",
            "2.5",
            "Talents, Plague: must be a whole number from 0 to 999999999.",
        ),
        ("rules.event_turns", "2, two", "Turns with random events: enter whole numbers"),
        ("rules.cards.0.1", "12", "Cards by roll, row 2: must begin at 13 and not end before it."),
        ("rules.cards.11.1", "99", "Cards by roll: must end at 100."),
        ("rules.cards.0.2", "joker", "Cards by roll, row 1, card: is not one of the rules."),
        (
            "rules.income_actions.0.0",
            "500",
            "Income and actions, row 2: the incomes must rise from row to row.",
        ),
        (
            "rules.income_actions.0.1",
            "x",
            "Income and actions, row 1, actions: this is not a number.",
        ),
        ("rules.religious.1.0", "shrines", "Religious Buildings, row 2, key: appears twice."),
        ("hands", "<b>shut", "Hands: must be open or hidden."),
        (
            "name",
            "",
            "Name: A campaign needs a name of at most 60 printable characters on one line.",
        ),
        ("name", "two\nlines", "Name: A campaign needs a name"),
        ("name", "nul\0", "Name: A campaign needs a name"),
        ("time_zone", "Europe/Atlantis", "Time zone: There is no such time zone."),
        (
            "visibility",
            "",
            "Who can find it: A campaign must be listed, unlisted, or for members only.",
        ),
        ("scenario", "1066ad", "Scenario: Choose one of the scenarios."),
    ],
)
def test_a_wrong_value_is_named_and_everything_typed_is_kept(
    master: Client, field: str, value: str, content: str
) -> None:
    data = form(master, rules__rout__decisive="50") | {field: value}
    answer = master.post("/found/", data)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert content in html.unescape(visible_text(page))
    assert not Campaign.objects.exists()
    assert "<b>shut" not in page
    kept = fields(page)
    assert kept["rules.rout.decisive"] == "50"
    if field in kept and field != "rules.cards.0.2":
        assert kept[field] == value
    assert '<details class="house" open>' in page


def test_the_other_way_to_found_is_below_the_heading(master: Client) -> None:
    page = master.get("/found/?title=grand_campaign").content.decode()
    assert page.index("<h1>") < page.index("Start from a record or an audit pack instead")


def test_the_wrong_field_is_marked(master: Client) -> None:
    page = master.post("/found/", form(master, rules__army__maximum="many")).content.decode()
    field = re.search(r'<div class="field"><label for="f-rules-army-maximum">.*?</div>', page, re.S)
    assert field
    assert 'aria-invalid="true"' in field[0]
    assert "This is not a number." in field[0]
    assert "the rules say 1720" in field[0]


def test_a_request_without_the_form_founds_nothing(master: Client) -> None:
    assert master.post("/found/", {"name": "x"}).status_code == 422
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        (" 1.0 ", 1),
        ("1,5", Decimal("1.5")),
        ("½", Decimal("0.5")),
        ("2½", Decimal("2.5")),
        ("−30", -30),
        ("100", 100),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, value: object) -> None:
    result = read_number(text)
    assert (result, type(result)) == (value, type(value))


@pytest.mark.parametrize(
    "text", ["", " ", "two", "1/2", "1 2", "Infinity", "-nan", "١", "½½", "1e30", "."]
)
def test_texts_that_are_not_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"number"):
        read_number(text)


# another title ------------------------------------------------------------------------------------
def test_a_title_without_a_form_of_its_own(master: Client, toy: Any) -> None:
    page = master.get("/found/", {"title": "heap"}).content.decode()
    assert "House rules" not in page
    assert '<option value="small" selected>' in page
    data = {
        "title": "heap",
        "scenario": "large",
        "name": "Stones",
        "time_zone": "UTC",
        "visibility": "listed",
    }
    assert master.post("/found/", data).status_code == 302
    campaign = Campaign.objects.get()
    assert (campaign.title, selectors.terms(campaign)[0]) == ("heap", {"key": "large", "stones": 3})


# the terms until the start ------------------------------------------------------------------------
def test_only_the_game_master_changes_the_terms(draft: GrandTable) -> None:
    assert draft.statuses("terms/") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    before = draft.campaign.commitment
    for who in ("hun", "stranger", "nobody"):
        draft.post(who, "terms/", hands="hidden")
    draft.campaign.refresh_from_db()
    assert draft.campaign.commitment == before


def test_the_terms_are_changed_and_the_dice_with_them(draft: GrandTable) -> None:
    before = draft.campaign.commitment
    data = fields(draft.text("gm", "terms/")) | {"hands": "hidden", "rules.rout.decisive": "50"}
    page = draft.post("gm", "terms/", follow=True, **data).content.decode()
    assert "The terms have been changed. The dice have a new commitment." in page
    draft.campaign.refresh_from_db()
    assert draft.campaign.commitment != before
    assert draft.campaign.commitment in page
    assert rules_of(draft.campaign) == {"rout": {"decisive": 50}}
    again = fields(draft.text("gm", "terms/"))
    assert again["rules.rout.decisive"] == "50"
    assert (
        draft.post(
            "gm", "terms/", **again | {"hands": "open", "rules.rout.decisive": "45"}
        ).status_code
        == 302
    )
    draft.campaign.refresh_from_db()
    assert rules_of(draft.campaign) is None


def test_a_wrong_term_is_named(draft: GrandTable) -> None:
    data = fields(draft.text("gm", "terms/")) | {"rules.die": "x"}
    answer = draft.post("gm", "terms/", **data)
    assert answer.status_code == 422
    assert "Sides of the die: this is not a number." in visible_text(answer.content.decode())


def test_after_the_start_the_terms_are_fixed(grand_table: GrandTable) -> None:
    for answer in (
        grand_table.get("gm", "terms/"),
        grand_table.post("gm", "terms/", hands="hidden"),
    ):
        assert (answer.status_code, answer["Location"]) == (302, grand_table.home)
    assert "its scenario and options cannot change." in grand_table.text("gm")


def test_queries(master: Client) -> None:
    master.get("/found/")
    with CaptureQueriesContext(connection) as queries:
        master.get("/found/")
    assert len(queries) == 5  # two of them read the available scenarios


def length(page: str, kind: str) -> str:
    """Return the length in days of a clock, as the form has it."""
    match = re.search(rf'name="{kind}-length"[^>]* value="([^"]*)"', page)
    return match[1] if match else ""


OLD = {
    "slot-length": "3",
    "answer-length": "3",
    "battle-length": "14",
    "claim-length": "3",
    "name": "Contradiction",
}
PLACE = "https://www.board.example/viewtopic.php?t=7"


def test_contradictory_clocks_are_reported_with_corrections(master: Client) -> None:
    """A contradiction is reported with buttons that correct it.

    The proposal has none; nothing that was typed is lost.
    """
    page = master.get("/found/").content.decode()
    assert [length(page, kind) for kind in ("slot", "answer", "battle", "claim", "turn")] == [
        "2",
        "2",
        "10",
        "2",
        "28",
    ]
    assert (
        "The times fit together. If everyone takes the full time, a turn needs 26 days of 28. "
        "2 days are spare." in visible_text(page)
    )
    refused = master.post("/found/", form(master, **OLD))
    text = visible_text(refused.content.decode())
    assert (refused.status_code, Campaign.objects.count()) == (422, 0)
    assert "a turn needs 38 days , but you allow 28." in text
    assert (
        "Set the turn to 38 days Keep 28 days (player’s turn 2, answer 2, battle 10,"
        " confirmation 2)" in text
    )
    assert "Clocks: The clocks contradict each other" in text
    longer = master.post("/found/", form(master, **OLD, set="turn:38"))
    assert (longer.status_code, Campaign.objects.count()) == (200, 0)
    mended = longer.content.decode()
    assert (length(mended, "turn"), length(mended, "slot"), 'value="Contradiction"' in mended) == (
        "38",
        "3",
        True,
    )
    brisk = master.post(
        "/found/", form(master, set="slot:1,answer:1,battle:6,claim:1,turn:14")
    ).content.decode()
    assert "a turn needs 14 days of 14." in visible_text(brisk)
    assert master.post("/found/", form(master, **OLD, sure="yes")).status_code == 302
    assert clock_terms.terms_of(Campaign.objects.get())["battle"] == clock_terms.Terms("14d")


def test_the_page_updates_sum_and_summary_during_typing(master: Client) -> None:
    """While the user types, the page requests the sum, the summary and the board.

    Nothing is founded.
    """
    asked = {
        "title": "grand_campaign",
        "part": "sums",
        "slot-length": "5",
        "turn-then": "remind",
        "thread": PLACE,
    }
    text = visible_text(master.get("/found/", asked).content.decode())
    assert "a turn needs 44 days , but you allow 28." in text
    assert "Pace contradictory, see step 2" in text
    assert "Deadlines 4 ask you, 1 only reminds" in text
    assert "Thread phpBB" in text
    assert "Whole days" not in text
    assert "Enter whole days for each clock, from 1 to 365." in visible_text(
        master.get("/found/", asked | {"slot-length": "soon"}).content.decode()
    )
    clocks = master.get("/found/", asked | {"part": "clocks", "set": "turn:44"}).content.decode()
    assert (length(clocks, "turn"), length(clocks, "slot")) == ("44", "5")


def test_lines_are_left_out_even_if_a_language_has_one_word_for_two_labels(
    master: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found, "pgettext", lambda context, message: "Dauer")
    monkeypatch.setattr(found, "length_text", lambda plan: "")
    monkeypatch.setattr(found, "founder_text", lambda seats, form: "")
    page = master.get("/found/?title=grand_campaign").content.decode()
    summary = page[page.index('id="found-sums"') :].split("</dl>")[0]
    assert summary.count("<dt>") == 7, "all lines except the length"


def test_clocks_are_stored_as_proposed_or_chosen(master: Client) -> None:
    """Clocks act by themselves only if the founder chooses so; a wrong length is named."""
    master.post("/found/", form(master, name="As proposed"))
    terms = clock_terms.terms_of(Campaign.objects.get(name="As proposed"))
    assert {
        kind: (term.length, term.acts, term.asks, term.reminds)
        for kind, term in terms.items()
        if term
    } == {
        "slot": ("2d", False, True, "both"),
        "answer": ("2d", False, True, "both"),
        "battle": ("10d", False, True, "both"),
        "claim": ("2d", False, True, "both"),
        "turn": ("28d", False, True, "both"),
        "words": ("2d", False, True, "both"),
    }
    wrong = master.post("/found/", form(master, name="Long", **{"turn-length": "400"}))
    assert (wrong.status_code, Campaign.objects.filter(name="Long").count()) == (422, 0)
    assert "Turn: Enter whole days, from 1 to 365." in visible_text(wrong.content.decode())
    thens = {
        "slot-then": "act",
        "claim-then": "act",
        "turn-then": "act",
        "battle-then": "remind",
        "reminds": "day",
    }
    master.post("/found/", form(master, name="By itself", **thens))
    terms = clock_terms.terms_of(Campaign.objects.get(name="By itself"))
    assert {kind for kind, term in terms.items() if term is not None and term.acts} == {
        "slot",
        "claim",
    }
    assert terms["battle"] == clock_terms.Terms("10d", asks=False, reminds="day")


def test_the_founder_gets_a_thread_and_a_seat(master: Client) -> None:
    wrong = master.post("/found/", form(master, name="No thread", thread="a thread"))
    assert (wrong.status_code, Campaign.objects.count()) == (422, 0)
    assert "Thread: This is not a web address. Copy it from the browser" in visible_text(
        wrong.content.decode()
    )
    master.post("/found/", form(master, name="All at once", thread=PLACE, plays="yes", seat="huns"))
    campaign = Campaign.objects.get(name="All at once")
    thread = campaign.threads.get()
    assert (thread.settings["address"], thread.dialect, thread.transport) == (
        PLACE,
        "phpbb",
        "clipboard",
    )
    assert [seat.key for seat in selectors.seats(campaign) if seat.holder is not None] == ["huns"]
    for which, content in (
        ("", "Your seat: Choose the seat"),
        ("gauls", "Your seat: Choose a free seat"),
        ("huns", "If hands are hidden"),
    ):
        refused = master.post(
            "/found/",
            form(master, name="None", plays="yes", seat=which, hands="hidden", thread=PLACE),
        )
        assert (refused.status_code, content in visible_text(refused.content.decode())) == (
            422,
            True,
        )
    assert Campaign.objects.count() == 1, "refused, nothing of it stays"
