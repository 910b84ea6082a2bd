"""Secrecy of hidden hands: campaigns that differ only in hidden cards give equal answers.

See HOUSE, Secrets, and rule 4.2. Each story is played twice in one database and rolled back the
first time, so that ids, names and times are equal. Answers are compared byte by byte: status,
headers, messages, body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management.color import no_style
from django.db import connection, transaction
from django.middleware import csrf
from django.test import Client
from django.urls import reverse

from campaign import keys, services
from campaign.log import positions
from engine.dice import Dice
from notices import services as notices_services
from notices import webhooks
from notices.models import FeedAddress
from tests.web.frame.test_who_may import PAGES
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NATIONS = ("romans", "sassanids", "vandals", "hephtalites", "huns", "kushans")
HANDS = ("spy", "assassin", "chancellor", "ambush", "scouts", "reinforcements", "diplomat")
SHOWN = 12
OURS = [
    model
    for model in apps.get_models()
    if model._meta.app_label in ("campaign", "nations", "battles", "notices")
]
Story = Callable[[GrandTable, bool], None]
Answers = dict[tuple[str, str, str], tuple[Any, ...]]


@pytest.fixture(autouse=True)
def _Snapshot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give both runs equal ids, digest keys and times; `roll` fixes dice of a story."""
    monkeypatch.setattr(keys, "new_public_id", lambda: "abcdefgh")
    monkeypatch.setattr(keys, "new_secret", lambda: "5" * 64)
    monkeypatch.setattr(csrf, "_get_new_csrf_string", lambda: "7" * 32)
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret)
    with mock.patch("django.utils.timezone.now", return_value=NOW):
        yield
    positions.memory.clear()


@pytest.fixture
def roll(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    fixed: dict[str, int] = {}
    real = positions.dice

    def dice(campaign: Any, **given: Any) -> Dice:
        created = real(campaign, **given)
        return Dice(created.turns, seed=created.seed, fixed=fixed)

    monkeypatch.setattr(positions, "dice", dice)
    return fixed


def give(grand_table: GrandTable, nation: str, card: str) -> None:
    grand_table.play("gm", "give-card", nation=nation, card=card, reason="A correction.")


def opened(grand_table: GrandTable) -> None:
    """Return a campaign in the slot of the Huns in turn 1.

    They have a card of every kind that looks at other hands.
    """
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    for card in HANDS:
        give(grand_table, "huns", card)


# The stories --------------------------------------------------------------------------------------


def another_card_given(grand_table: GrandTable, other: bool) -> None:
    opened(grand_table)
    give(grand_table, "romans", "spy" if other else "scouts")


def a_bodyguard(grand_table: GrandTable, other: bool) -> None:
    opened(grand_table)
    give(grand_table, "romans", "diplomat")
    give(grand_table, "romans", "bodyguard" if other else "ambush")
    grand_table.play("huns", "play", card="assassin", target="romans", destroy="diplomat")


def another_card_traded(grand_table: GrandTable, other: bool) -> None:
    """All readers see the cards on offer, two see those that are given for them."""
    grand_table.play("gm", "start")
    first, second = grand_table.campaign.active_seat, grand_table.order[1]
    assert "huns" not in (first, second)
    for seat, card in ((first, "traitor"), (second, "spy"), (second, "scouts"), ("huns", "spy")):
        give(grand_table, seat, card)
    grand_table.play(first, "offer", card="traitor")
    grand_table.play(first, "end-slot")
    grand_table.play(
        second, "take", card="traitor", give="spy" if other else "scouts", **{"from": first}
    )
    grand_table.slot_to("huns")


def a_secret_order(grand_table: GrandTable, other: bool) -> None:
    """Orders to the Bodyguard are given and taken back in secret.

    No other reader's page may change.
    """
    opened(grand_table)
    give(grand_table, "romans", "bodyguard")
    if other:
        for value in (True, False, True):
            grand_table.post(
                "roman",
                "move/",
                offer="keep",
                move="keep",
                seat="romans",
                card="bodyguard",
                value=str(value).lower(),
                seen=str(grand_table.seen("roman")),
            )
        assert (
            grand_table.post("roman", "undo/", seen=str(grand_table.seen("roman"))).status_code
            == 303
        )
        assert grand_table.campaign.entries.filter(audience__isnull=False).count() == 4


def another_hand(grand_table: GrandTable, other: bool) -> None:
    """The Spy of the Sassanids steals one of the Romans' two cards, and the Romans get another.

    The Hun's Assassin destroys a card that depends on what the Romans ordered, kept back or set on
    guard.
    """
    grand_table.play("gm", "start")
    grand_table.slot_to("sassanids")
    for nation, card in (
        ("sassanids", "spy"),
        ("romans", "traitor"),
        ("romans", "traitor" if not other else "mercenaries"),
    ):
        give(grand_table, nation, card)
    grand_table.play("sassanids", "play", card="spy", target="romans")
    grand_table.slot_to("huns")
    for card in HANDS:
        give(grand_table, "huns", card)
    for card in ("spy" if other else "scouts", "diplomat", "bodyguard"):
        give(grand_table, "romans", card)
    grand_table.play("romans", "keep", card="bodyguard", value=other)
    grand_table.play("huns", "play", card="assassin", target="romans", destroy="diplomat")
    grand_table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})


def another_card_struck(grand_table: GrandTable, other: bool) -> None:
    """A card is drawn, one is given and one taken away, all in a branch that is struck.

    All readers see the branch, which shows no hand; nor does the comparison with the present. A
    preview of an Assassin shows the Hun nothing; the result of playing it may.
    """
    opened(grand_table)
    for card in ("diplomat" if other else "ambush", "traitor", "mercenaries"):
        give(grand_table, "romans", card)
    grand_table.play(
        "gm",
        "discard-card",
        nation="romans",
        card="traitor" if other else "mercenaries",
        reason="A correction.",
    )
    stays, gm = grand_table.campaign.last_number, grand_table.people["gm"]
    give(grand_table, "romans", "spy" if other else "scouts")
    grand_table.play("huns", "build", structure="hamlets")
    services.undo_to(grand_table.campaign, gm, stays, "A slip", grand_table.seen("gm"))
    grand_table.campaign.refresh_from_db()


STORIES: dict[str, Story] = {
    made.__name__: made
    for made in (
        another_card_given,
        another_hand,
        a_bodyguard,
        another_card_traded,
        a_secret_order,
        another_card_struck,
    )
}
STORY_NAMES = [
    name for name in STORIES if name != "another_card_given"
]  # this one is a part of others
DRAWN = ({"turn-1/card/romans": 15}, {"turn-1/card/romans": 75})
"""The die of a hidden draw: 15 is a Spy, 75 Reinforcements."""


# Asking -------------------------------------------------------------------------------------------


def answer(response: Any) -> tuple[Any, ...]:
    headers = sorted(
        (name, value) for name, value in response.headers.items() if name != "Expires"
    )  # the clock of the admin pages
    cookies = sorted(name for name in response.cookies)
    shown = [str(message) for message in response.wsgi_request.__dict__.get("_messages", ())]
    return response.status_code, headers, cookies, shown, response.content


CORE = (
    "",
    "log/",
    "live/",
    "ledger/",
    "battles/",
    "history/",
    "dice/",
    "dice/rolls.json",
    "dice/log.jsonl",
    "record.json",
    "reports/turn-1/",
)


def addresses(grand_table: GrandTable, who: str, whole: bool = True) -> list[str]:
    """Return the addresses that a reader may open.

    With `whole` these are all; without it the core of the campaign, and for the Hun the pages about
    hands.
    """
    created = [path for path, _ in PAGES.values()] if whole else [*CORE]
    if who == "nobody" or (
        who == "stranger" and not whole
    ):  # an anonymous reader sees what a stranger sees
        return [*created, "n/huns/"]
    created += [f"n/{nation}/" for nation in NATIONS]
    created += [f"n/{nation}/?ledger=all&account=actions" for nation in ("romans", "huns")]
    created += [f"e/{number}/" for number in range(grand_table.campaign.last_number + 3)]
    undos = grand_table.campaign.entries.filter(
        act="undo", number__isnull=False
    )  # a hidden entry has no address
    created += [f"e/{entry.number}/branch/" for entry in undos]
    created += [
        f"reports/{kind}/"
        for kind in ("slot-1-huns", "slot-1-romans", "slot-1-sassanids", "battle-1")
    ]
    return [*created, f"log/?before={grand_table.campaign.last_number}", "b/2/"]


def forms() -> list[dict[str, str]]:
    """Return the forms that a rival may try against hidden hands.

    They are previewed, then sent without the confirmation.
    """
    created = [
        {"offer": "play-spy", "move": "play", "card": "spy", "target": victim}
        for victim in ("romans", "kushans")
    ]
    created += [
        {
            "offer": "play-assassin",
            "move": "play",
            "card": "assassin",
            "target": "romans",
            "destroy": destroy,
        }
        for destroy in ("spy", "diplomat")
    ]
    created += [
        {"offer": "take-romans-spy", "move": "take", "from": "romans", "card": "spy", "give": "spy"}
    ]
    created += [
        {
            "offer": "gone",
            "move": "play",
            "card": "spy",
            "target": "romans",
            "steal": "scouts",
            "shape": "card:choice target:choice steal:choice",
        }
    ]
    return [*created, {"offer": "end-slot", "move": "end-slot"}]


LINES = (
    "play card=spy target=romans steal=scouts",
    "play card=assassin target=romans destroy=diplomat\nend the slot",
    "take card=spy from=romans give=spy",
    "Romans: keep card=bodyguard value=true",
)
"""Lines that they may type into the box."""


def ask(grand_table: GrandTable, whole: bool) -> Answers:
    """Return all answers that the Hun, the stranger and an anonymous reader can get.

    The pages of the site's administrator are included.
    """
    got: Answers = {("program", "POST", "webhook"): (200, [], [], [], posted(grand_table))}
    for who in ("hun", "stranger", "nobody"):
        for path in addresses(grand_table, who, whole):
            got[who, "GET", path] = answer(grand_table.get(who, path))
        last_entry = str(grand_table.seen(who))
        for form in forms() if who == "hun" else forms()[:1]:
            back = grand_table.home + "n/huns/"
            for to, seen in (("preview/", last_entry), ("move/", last_entry), ("move/", "3")):
                key = (who, "POST", f"{to} {form} {'fresh' if seen == last_entry else 'stale'}")
                got[key] = answer(
                    grand_table.post(who, to, seat="huns", back=back, seen=seen, **form)
                )
        if who == "hun":
            got |= own_pages(grand_table, last_entry)
        got[who, "POST", "undo/"] = answer(grand_table.post(who, "undo/", seen=last_entry))
        got[who, "GET", "after undo"] = answer(grand_table.get(who))
    return got


def posted(grand_table: GrandTable) -> bytes:
    """Return everything that the campaign's webhook has received until now."""
    entries = webhooks.public_entries(grand_table.campaign, 0, grand_table.campaign.last_number)
    assert [entry["number"] for entry in entries] == list(
        range(grand_table.campaign.last_number + 1)
    )
    return webhooks.request_body(grand_table.campaign, "key", entries)


def own_pages(grand_table: GrandTable, seen: str) -> Answers:
    """Return the Hun's own pages: previews of lines, the pages of their seat, their feeds."""
    got: Answers = {}
    for text in LINES:
        got["hun", "POST", f"orders/ {text}"] = answer(
            grand_table.post("hun", "orders/", text=text, do="read", seen=seen)
        )
    for page in ("standing", "notes", "handover"):
        got["hun", "GET", page] = answer(grand_table.get("hun", f"n/huns/{page}/"))
    for name, what in (
        ("feed_notices", FeedAddress.Kind.NOTICES),
        ("feed_deadlines", FeedAddress.Kind.DEADLINES),
    ):
        feed = reverse(name, args=[notices_services.create_feed(grand_table.people["hun"], what)])
        got["hun", "GET", name] = answer(grand_table.get("nobody", feed))
        assert got["hun", "GET", name][0] == 200
    return got


def administration() -> Answers:
    """Return the pages of the site's administrator, who is not a game master by that."""
    got: Answers = {}
    client = Client()
    client.force_login(apps.get_model("people.User").objects.get(username="Root"))
    for model in OURS:
        if model not in admin.site._registry:
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        rows = model._default_manager.order_by("-pk").values_list("pk", flat=True)[:SHOWN]
        for page in [
            reverse(f"{name}_changelist"),
            *(reverse(f"{name}_change", args=[pk]) for pk in rows),
        ]:
            got["root", "GET", page] = answer(client.get(page))
    return got


def counters_back() -> None:
    """Reset the sequences of row ids for the second run; PostgreSQL does not roll them back."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), OURS):
            cursor.execute(statement)


@pytest.fixture
def twice(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    person: Any,
    roll: dict[str, int],
) -> Callable[[Story], tuple[Answers, Answers]]:
    """Return the answers of both runs of a story.

    Everything is requested for the story with an equal number of secret entries, including the
    admin pages, because a gap in row ids cannot be hidden. For the others, only the Hun's pages and
    the core are requested.
    """
    person("Root", is_staff=True, is_superuser=True)

    def run_story(
        story: Story, rolls: tuple[dict[str, int], dict[str, int]] = ({}, {})
    ) -> tuple[Answers, Answers]:
        created: list[Answers] = []
        masters: list[list[bytes]] = []
        for other in (False, True):
            positions.memory.clear()
            counters_back()
            roll.clear()
            roll.update(rolls[other])
            looked = story is another_hand
            with transaction.atomic():
                grand_table = new_campaign(hands="hidden")
                story(grand_table, other)
                grand_table.open_hands()
                masters.append(
                    [grand_table.get("gm", f"n/{nation}/").content for nation in NATIONS]
                )
                created.append(ask(grand_table, looked) | (administration() if looked else {}))
                transaction.set_rollback(True)
        assert masters[0] != masters[1], "the two tellings are one: nothing is compared"
        return created[0], created[1]

    return run_story


def differences(one: Answers, other: Answers) -> list[str]:
    assert one.keys() == other.keys()
    return [
        f"{' '.join(key)}: {_first(one[key], other[key])}" for key in one if one[key] != other[key]
    ]


def _first(one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
    for a, b in zip(one, other, strict=True):
        if isinstance(a, bytes) and a != b:
            at = next(
                (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y),
                min(len(a), len(b)),
            )
            return f"{a[max(0, at - 80) : at + 80]!r} / {b[max(0, at - 80) : at + 80]!r}"
        if a != b:
            return f"{a!r} / {b!r}"
    return ""


@pytest.mark.parametrize(
    "name",
    [
        name if name == "a_bodyguard" else pytest.param(name, marks=pytest.mark.nightly)
        for name in STORY_NAMES
    ],
)
def test_other_readers_get_equal_answers(twice: Any, name: str) -> None:
    assert (
        differences(*twice(STORIES[name], DRAWN if name == "another_card_struck" else ({}, {})))
        == []
    )


@pytest.mark.long
def test_a_game_master_who_plays_learns_no_more_than_their_seat(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    person: Any,
    roll: dict[str, int],
) -> None:
    """The game master plays the Vandals and gets equal answers.

    Their co-game-master sees the difference.
    """
    co, created, seen = person("Cosima"), [], []
    for other in (False, True):
        positions.memory.clear()
        counters_back()
        with transaction.atomic():
            grand_table = new_campaign(hands="hidden")
            another_card_given(grand_table, other)
            gm, client = grand_table.people["gm"], Client()
            services.take_seat(co, services.invite_master(grand_table.campaign, gm)[1])
            services.take_seat(gm, services.invite(grand_table.campaign, gm, "vandals")[1])
            client.force_login(co)
            client.post(grand_table.home + "n/all/look/")
            seen.append(client.get(grand_table.home + "n/romans/").content)
            got: Answers = {
                ("gm", "GET", path): answer(grand_table.get("gm", path))
                for path in addresses(grand_table, "gm")
            }
            for form in forms():
                for seat in ("vandals", "romans", "gm"):
                    for to in ("preview/", "move/"):
                        data = {
                            "seat": seat,
                            "seen": str(grand_table.seen("gm")),
                            **form,
                            **({"for": seat} if seat == "romans" else {}),
                        }
                        got["gm", "POST", f"{to} {data}"] = answer(
                            grand_table.post("gm", to, **data)
                        )
            created.append(got)
            transaction.set_rollback(True)
    assert seen[0] != seen[1], "the two tellings are one: nothing is compared"
    assert differences(*created) == []
