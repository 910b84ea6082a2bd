"""Public draws that no one can choose: one form, verified signatures, public corrections."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from urllib3 import HTTPHeaderDict

from campaign import services
from campaign.dice import drand, selectors
from campaign.dice import services as dice_services
from campaign.dice.selectors import Stage
from campaign.errors import NotNow, Refused
from campaign.hosting import audit
from campaign.log import record
from campaign.models import Campaign, DiceRoll
from engine.dice import chain, draw, mixed_key
from engine.strict_json import canonical
from notices.models import Notice
from outgoing.client import Client, Reply, Request
from tests.web.contests import visible_text
from tests.web.dice import unpacked
from tests.web.grand_table import SEED, GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

# Rounds of drand's quicknet, as the network published them.
ROUND = 21000000
RANDOM = "36ecd957580ee415f951370e2a5e13273be97de9072418aaf14d38242979e3c1"
SIGNATURE = "971cbe88adc436f6411fd26d51887ede7ba144264cd05edec6645b5e170a7702d16082947a85d89c89cb47cd8eb7d817"  # noqa: E501
SIGNED = {
    123: (
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"
    ),
    1000: (
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
    ),
    ROUND: SIGNATURE,
}
RANDOM_1000 = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
FALLS = drand.time_of(ROUND)
HOUR = timedelta(hours=1)
FORGED = "0" * 64


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    """Let the seats be taken two hours before the round."""
    with time_machine.travel(FALLS - 2 * HOUR):
        yield


class Network:
    """A drand server that notes the addresses it is asked for."""

    def __init__(self, status: int = 200, **changed: Any) -> None:
        self.asked: list[str] = []
        self.status = status
        self.answer = {"round": ROUND, "randomness": RANDOM, "signature": SIGNATURE, **changed}

    def __call__(self) -> Client:
        return Client(transport=self.send)

    def send(self, request: Request) -> Reply:
        self.asked.append(request.url)
        body = json.dumps(self.answer) if self.status == 200 else "later"
        return Reply(self.status, HTTPHeaderDict(), body.encode())


AWAY = Network(503)


def named(table: GrandTable, source: str = "drand", **more: Any) -> None:
    gm = table.people["gm"]
    services.name_draw(table.campaign, gm, source, FALLS, now=FALLS - HOUR, **more)


def stage(table: GrandTable) -> Stage:
    table.campaign = Campaign.objects.get(pk=table.campaign.pk)
    return selectors.stage(table.campaign, 0, 0)


def acts(table: GrandTable) -> list[str]:
    return [
        entry.content["how"]
        for entry in table.campaign.entries.filter(act="mix").order_by("sequence")
    ]


def checked(table: GrandTable, folder: Path) -> bool:
    """Return whether the audit pack's script finds nothing wrong with the log."""
    return unpacked.run_script(unpacked.unpack_audit_pack(table.campaign, folder))[0] == 0


def start_of(table: GrandTable) -> int:
    return DiceRoll.objects.get(entry__campaign=table.campaign, purpose="start").value


def mixed(text: str) -> int:
    """Return the roll of the start where this draw is mixed in."""
    return draw(mixed_key(chain(SEED, 6)[0], canonical({"draw": text})), "start", 6)


@pytest.mark.parametrize("number", list(SIGNED))
def test_published_rounds_are_signed(number: int) -> None:
    assert drand.is_signed(number, bytes.fromhex(SIGNED[number]))


def test_changed_rounds_fail_verification() -> None:
    signature = bytes.fromhex(SIGNATURE)
    assert not drand.is_signed(ROUND + 1, signature), "another round"
    assert not drand.is_signed(ROUND, bytes.fromhex(SIGNED[1000])), "another round's signature"
    assert not drand.is_signed(ROUND, signature[:-1] + bytes([signature[-1] ^ 1]))
    for forged in (
        b"",
        b"\xab" * 48,
        b"\x00" * 48,
        b"\xff" * 48,
        b"\xc0" + b"\x00" * 47,
        signature * 2,
    ):
        assert not drand.is_signed(ROUND, forged)
    raw = {"round": ROUND, "randomness": RANDOM, "signature": SIGNATURE}
    assert drand.verify(ROUND, raw) == (RANDOM, SIGNATURE)
    for wrong in (
        {"round": 6},
        {"randomness": FORGED},
        {"signature": "xyz"},
        {"signature": None},
        {"randomness": RANDOM_1000, "signature": SIGNED[1000]},
    ):
        with pytest.raises(ValueError):  # noqa: PT011
            drand.verify(ROUND, {**raw, **wrong})


def test_each_round_has_its_time() -> None:
    assert drand.time_of(1) == datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)
    assert drand.round_at(drand.time_of(1000)) == 1000
    assert drand.round_at(drand.time_of(1000) + timedelta(seconds=1)) == 1001


SPELLINGS = (
    "12 45 7 88 31",
    "12, 45, 7, 88, 31",
    "12-45-07-88-31",
    "  12/45/7/88/31 ",
    "7 12 31 45 88",
    "12;45;7;88;31",
    "[12] [45] [007] [88] [31]",
    "１２ ４５ ７ ８８ ３１",
)


def test_every_spelling_gives_the_same_dice(new_campaign: Callable[..., GrandTable]) -> None:
    for count in (5, None):  # draws of older campaigns have no number of numbers
        assert {dice_services.numbers_text(text, count) for text in SPELLINGS} == {"7 12 31 45 88"}
    table = new_campaign(chance="draw")
    with pytest.raises(Refused, match="how many numbers"):
        named(table, "other", name="the five of the day")
    named(table, "other", name="the five of the day", numbers=5)
    services.enter_draw(table.campaign, table.people["gm"], SPELLINGS[1], now=FALLS)
    for text in SPELLINGS:
        with pytest.raises(Refused, match="already been entered"):
            services.enter_draw(table.campaign, table.people["gm"], text, now=FALLS)
    table.campaign.refresh_from_db()
    table.play("gm", "start")
    assert start_of(table) == mixed("7 12 31 45 88")


def test_every_seat_is_notified_when_a_draw_is_named(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(chance="draw")
    named(table)
    assert [notice.user for notice in Notice.objects.filter(kind="draw-named").order_by("pk")] == [
        table.people["hun"],
        table.people["roman"],
    ]
    page = table.text("hun", "/notices/")
    assert "A public draw is named" in page
    assert "Look at it before the draw takes place." in page


def test_a_draw_has_as_many_numbers_as_were_named() -> None:
    for typed, count in (
        ("", 5),
        ("none", 5),
        ("twelve", 1),
        ("12 45 7 88", 5),
        ("12 45 7 88 31 6", 5),
        ("-", None),
    ):
        with pytest.raises(Refused):
            dice_services.numbers_text(typed, count)
    assert {
        dice_services.numbers_text(spelling, 1)
        for spelling in ("18234.56", "18,234.56", "18.234,56", "018 234 56")
    } == {"1823456"}
    assert (
        dice_services.numbers_text("0x000000000000000000024C8F" + "AB" * 10, 1)
        == "24c8f" + "ab" * 10
    ), "a hash"
    with pytest.raises(Refused, match="200 digits"):
        dice_services.numbers_text("9" * 2000, 1)


def test_the_lottery_has_only_one_form() -> None:
    printed = ("BARI 12 45 7 88 31", "Bari: 7, 12, 31, 45, 88", "bari 88-45-31-12-07")
    assert {dice_services.lottery_text(text, {"Bari": "huns"}) for text in printed} == {
        "Bari 7 12 31 45 88"
    }


def test_the_worker_fetches_and_verifies_a_round(new_campaign: Callable[..., GrandTable]) -> None:
    table, other = new_campaign(chance="draw"), new_campaign(chance="draw", name="Other")
    gm, network = table.people["gm"], Network()
    named(table)
    named(other, "lotto", wheels={"Roma": "romans"})
    assert dice_services.tick(FALLS - HOUR, 5, network) == 0
    assert dice_services.tick(FALLS, 5, network) == 2
    assert network.asked == [f"https://api.drand.sh/{drand.CHAIN}/public/{ROUND}"]
    one = stage(table)
    assert (one.done, one.drawn, one.signature, one.url) == (
        True,
        RANDOM,
        SIGNATURE,
        network.asked[0],
    )
    assert table.campaign.entries.get(act="mix", how="drawn").actor is None
    (notice,) = Notice.objects.filter(kind="draw-fallen")
    assert (notice.user, notice.campaign) == (gm, other.campaign)
    assert dice_services.tick(FALLS + HOUR, 5, network) == 0, "each once"
    with pytest.raises(NotNow, match="You cannot change it"):
        services.enter_draw(table.campaign, gm, FORGED, now=FALLS)
    table.play("gm", "start")
    assert start_of(table) == mixed(RANDOM)
    assert list(audit.differences(table.campaign)) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"randomness": FORGED},
        {"round": 1000, "randomness": RANDOM_1000, "signature": SIGNED[1000]},
        {"randomness": RANDOM_1000, "signature": SIGNED[1000]},
        {"randomness": hashlib.sha256(b"\xab" * 48).hexdigest(), "signature": "ab" * 48},
    ],
)
def test_a_forged_round_is_not_taken_and_asked_for_again(
    new_campaign: Callable[..., GrandTable], changed: dict[str, Any]
) -> None:
    table = new_campaign(chance="draw")
    named(table)
    assert dice_services.tick(FALLS, 5, Network(**changed)) == 1
    assert (stage(table).drawn, stage(table).done) == ("", False)
    assert dice_services.tick(FALLS, 5, Network()) == 0, "ten minutes later"
    assert Notice.objects.filter(kind="draw-fallen").count() == 1
    assert dice_services.tick(FALLS + dice_services.RETRY, 5, AWAY) == 1
    assert Notice.objects.filter(kind="draw-fallen").count() == 1, "the game master is told once"
    assert dice_services.tick(FALLS + 2 * dice_services.RETRY, 5, Network()) == 1
    assert stage(table).signature == SIGNATURE


def test_a_drand_value_is_typed_as_64_digits_and_confirmed(
    new_campaign: Callable[..., GrandTable], tmp_path: Path
) -> None:
    table = new_campaign(chance="draw")
    gm = table.people["gm"]
    named(table)
    dice_services.tick(FALLS, 5, AWAY)
    for bad in ("cafe", "0" * 63, "0" * 65, "g" * 64, "12 45 7 88 31"):
        with pytest.raises(Refused, match="64 hexadecimal digits"):
            services.enter_draw(table.campaign, gm, bad, now=FALLS)
    services.enter_draw(table.campaign, gm, f" {RANDOM[:32].upper()} {RANDOM[32:]}\n", now=FALLS)
    assert (stage(table).drawn, stage(table).unconfirmed, stage(table).done) == (RANDOM, True, True)
    page = visible_text(table.text("hun", "dice/"))
    assert "The game master has typed this number. The server has not confirmed it yet." in page
    table.play("gm", "start")
    assert f"drawn: {RANDOM}; typed by the game master, not confirmed" in visible_text(
        table.text("nobody", "reports/opening-1/")
    )
    assert dice_services.tick(FALLS, 5, AWAY) == 1
    assert dice_services.tick(FALLS + dice_services.RETRY, 5, Network()) == 1
    confirmed = visible_text(table.text("nobody", "reports/opening-1/"))
    assert f"drawn: {RANDOM}" in confirmed
    assert "not confirmed" not in confirmed
    assert (stage(table).unconfirmed, stage(table).signature) == (False, SIGNATURE)
    assert acts(table) == ["named", "drawn", "confirmed"]
    log = visible_text(table.text("nobody", "log/"))
    assert "The server has verified drand’s signature of the draw for the start and turn 1." in log
    assert "The server has verified drand’s signature of this number." in visible_text(
        table.text("nobody", "dice/")
    )
    assert list(audit.differences(table.campaign)) == []
    assert record.replays(table.campaign)
    assert dice_services.tick(FALLS + HOUR, 5, Network()) == 0
    assert checked(table, tmp_path)


def test_a_false_value_is_corrected_before_the_first_roll(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(chance="draw")
    named(table)
    services.enter_draw(table.campaign, table.people["gm"], FORGED, now=FALLS)
    assert dice_services.tick(FALLS, 5, Network()) == 1
    one = stage(table)
    assert (one.drawn, list(one.corrected), one.signature) == (RANDOM, [FORGED], SIGNATURE)
    line = f"Corrected draw for the start and turn 1: {RANDOM} in place of {FORGED}."
    assert line in visible_text(table.text("nobody", "log/"))
    table.play("gm", "start")
    assert start_of(table) == mixed(RANDOM)
    assert f"Entered before and corrected: {FORGED}" in visible_text(table.text("nobody", "dice/"))
    assert list(audit.differences(table.campaign)) == []


def test_a_false_value_that_was_thrown_from_is_shown_to_everyone(
    new_campaign: Callable[..., GrandTable], tmp_path: Path
) -> None:
    table = new_campaign(chance="draw")
    named(table)
    services.enter_draw(table.campaign, table.people["gm"], FORGED, now=FALLS)
    stage(table)
    table.play("gm", "start")
    assert dice_services.tick(FALLS, 5, Network()) == 1
    one = stage(table)
    assert (one.drawn, one.true_draw, one.unconfirmed) == (FORGED, RANDOM, False)
    assert start_of(table) == mixed(FORGED), "what was thrown keeps its value"
    for path in ("dice/", "log/"):
        assert RANDOM in visible_text(table.text("nobody", path))
    notified = Notice.objects.filter(kind="draw-refuted").values_list("user__username", flat=True)
    assert sorted(notified) == ["Benedetto", "Ingrid", "Marozia"]
    assert list(audit.differences(table.campaign)) == []
    assert dice_services.tick(FALLS + HOUR, 5, Network()) == 0
    assert checked(table, tmp_path)


def test_no_one_declines_a_draw_that_has_taken_place(
    new_campaign: Callable[..., GrandTable],
) -> None:
    for source, more in (
        ("drand", {}),
        ("lotto", {"wheels": {"Roma": "romans"}}),
        ("other", {"name": "the noon number", "numbers": 1}),
    ):
        table = new_campaign(chance="draw", name=source)
        gm = table.people["gm"]
        named(table, source, **more)
        for at in (FALLS, FALLS + HOUR):
            with pytest.raises(NotNow, match="no one can decline it"):
                services.skip_draw(table.campaign, gm, "we do not like it", now=at)
            with pytest.raises(NotNow, match="so it counts"):
                services.name_draw(table.campaign, gm, "drand", at + HOUR, now=at)
        with time_machine.travel(FALLS, tick=False):
            assert "Go on without a draw" not in table.text("gm", "dice/")
            assert table.post("gm", "dice/mixing/", do="without", reason="no").status_code == 422
    table = new_campaign(chance="draw", name="before")
    named(table)
    services.skip_draw(
        table.campaign, table.people["gm"], "we are in a hurry", now=FALLS - timedelta(seconds=1)
    )
    assert stage(table).without == "we are in a hurry"


def test_no_one_renews_the_dice_to_decline_a_draw(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign(chance="draw")
    gm = table.people["gm"]
    services.skip_draw(table.campaign, gm, "no draw for the start", now=FALLS - HOUR)
    table.campaign.refresh_from_db()
    table.play("gm", "start")
    while table.campaign.active_seat:
        table.play(table.campaign.active_seat, "end-slot")
    named(table)
    with pytest.raises(NotNow, match="no one can decline it"):
        services.renew_dice(table.campaign, gm, "doubts", now=FALLS)
    services.enter_draw(table.campaign, gm, RANDOM, now=FALLS)
    with pytest.raises(NotNow, match="no one can decline it"):
        services.renew_dice(table.campaign, gm, "doubts", now=FALLS)
    table.campaign.refresh_from_db()
    table.play("gm", "open-turn")
    while table.campaign.active_seat:
        table.play(table.campaign.active_seat, "end-slot")
    services.renew_dice(table.campaign, gm, "doubts", now=FALLS + HOUR)


def test_a_correction_shows_both_values(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign(chance="draw")
    gm = table.people["gm"]
    named(table, "other", name="the noon number", numbers=2)
    services.enter_draw(table.campaign, gm, "12 45", now=FALLS)
    services.enter_draw(table.campaign, gm, "12 54", "https://numbers.example/noon", now=FALLS)
    line = (
        "Corrected draw for the start and turn 1: 12 54 in place of 12 45. Source: "
        "https://numbers.example/noon"
    )
    assert line in visible_text(table.text("nobody", "log/"))
    assert "Entered before and corrected: 12 45" in visible_text(table.text("nobody", "dice/"))
    shown = table.get("gm", f"/api/v1/campaigns/{table.campaign.public_id}/dice/").json()["mixed"][
        -1
    ]
    assert (shown["drawn"], shown["corrected"]) == ("12 54", ["12 45"])
    table.campaign.refresh_from_db()
    table.play("gm", "start")
    with pytest.raises(NotNow):
        services.enter_draw(table.campaign, gm, "1 2", now=FALLS)
    assert "Entered before and corrected: 12 45" in visible_text(table.text("nobody", "dice/")), (
        "afterwards, too"
    )


def test_the_worker_asks_drand_and_the_page_does_not(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(chance="draw")
    named(table)
    dice_services.tick(FALLS, 5, AWAY)
    with time_machine.travel(FALLS + timedelta(minutes=1), tick=False):
        assert table.post("gm", "dice/mixing/", do="fetch").status_code == 303
        page = visible_text(table.text("gm", "dice/"))
        assert "The server is fetching the round. It will appear here in a moment." in page
        assert table.post("hun", "dice/mixing/", do="fetch").status_code == 403
    assert stage(table).drawn == ""
    assert dice_services.tick(FALLS + timedelta(minutes=1), 5, Network()) == 1
    assert stage(table).drawn == RANDOM


def test_a_log_of_an_older_version_reads_as_before(new_campaign: Callable[..., GrandTable]) -> None:
    """Draws keep the text that was entered, and drand values, which need no confirmation."""
    table = new_campaign(chance="draw")
    named(table)
    at = FALLS
    one = stage(table)
    for text in ("12, 45, 7", "cafe"):
        dice_services._append(
            table.campaign, table.people["gm"], one, "drawn", at, text=text, url=""
        )
    assert (stage(table).drawn, stage(table).corrected, stage(table).unconfirmed) == (
        "cafe",
        (),
        False,
    )
    table.play("gm", "start")
    assert start_of(table) == mixed("cafe")
    assert dice_services.tick(FALLS + HOUR, 5, Network()) == 1
    assert acts(table) == ["named", "drawn", "drawn"]
    assert list(audit.differences(table.campaign)) == []
    assert record.replays(table.campaign)
