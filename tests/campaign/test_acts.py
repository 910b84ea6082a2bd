"""Declarations of the acts of the log."""

from __future__ import annotations

from types import SimpleNamespace

from campaign.log.acts import registry
from campaign.log.acts.declaration import Act, Place

NAMES = {1: "Ann", 2: "Bert"}


def names_of_acts(declared: str) -> set[str]:
    return {act.name for act in registry.ALL if getattr(act, declared)}


def test_every_act_has_a_name_of_its_own() -> None:
    assert len(registry.ACTS) == len(registry.ALL) == 42


def test_acts_declare_what_they_change() -> None:
    assert names_of_acts("changes_position") == {"genesis", "undo", "restore"}
    assert names_of_acts("changes_readings") == {"genesis", "undo", "restore", "host"}
    assert names_of_acts("concerns_dice") == {"genesis", "undo", "renew", "mix", "die"}
    assert names_of_acts("binds_texts") == {"genesis", "mix"}
    assert names_of_acts("is_correction") == {"undo", "restore", "judge", "unagreed"}
    assert names_of_acts("begins_clocks") == {"clock-terms", "program"}
    assert set(registry.ACTS) - names_of_acts("is_linked") == {"link", "talk", "press"}
    assert set(registry.ACTS) - {"genesis", "undo", "restore"} == registry.QUIET


def test_a_line_names_the_users_that_its_text_mentions() -> None:
    given = {"act": "seat", "how": "given", "seat": "huns", "user": 2, "from": 1}
    assert registry.people_of(given) == {1, 2}
    line = registry.act_line(given, "Huns", NAMES)
    assert line == "Huns: the seat passes from Ann to Bert."
    assert registry.people_of({**given, "how": "left"}) == set()


def test_a_fact_is_private_until_an_act_declares_it_public() -> None:
    order = {"act": "standing", "battle": 2, "question": "slot", "when": {"prestige": 3}}
    assert registry.public_facts(order) == {"act": "standing", "battle": 2}
    assert registry.public_facts({"act": "new", "how": "x", "text": "y"}) == {
        "act": "new",
        "how": "x",
    }


def test_acts_write_the_columns_of_the_row() -> None:
    row = SimpleNamespace(**registry.EMPTY_ROW, paused=False)
    for sequence, act in enumerate(
        [
            {"act": "life", "how": "paused"},
            {"act": "die", "how": "by-hand"},
            {"act": "die", "how": "given", "purpose": "turn-1/card", "value": 3},
            {"act": "program", "how": "takes", "level": "bold"},
            {"act": "deputy", "how": "end"},
        ]
    ):
        registry.update_row(row, act, "huns", sequence)
    assert (row.paused, row.by_hand, row.entered_dice) == (True, True, {"turn-1/card": 3})
    assert (row.seat_programs, row.helped) == ([["huns", "bold", 3, None]], True)


def test_a_guests_places_pass_to_their_account() -> None:
    places: set[Place] = {("seat", "huns", 1), ("co_game_master", "", 1), ("seat", "rome", 3)}
    registry.update_places(places, {"act": "guest", "how": "merged", "from": 1, "user": 2}, "")
    assert places == {("seat", "huns", 2), ("co_game_master", "", 2), ("seat", "rome", 3)}


def test_an_unknown_act_has_its_name_as_line() -> None:
    assert isinstance(registry.ACTS["undo"], Act)
    assert registry.act_line({"act": "new"}, "Huns") == "new"
