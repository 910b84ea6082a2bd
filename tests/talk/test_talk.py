"""Messages between seats: who reads them, who is notified, and how they end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from campaign import founding, services
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.models import GAME_MASTER, Campaign
from notices.models import Notice
from people import services as people_services
from talk import selectors
from talk import services as talk
from talk.models import Conversation, Message, ReadMarker
from talk.selectors import NoSuchThread
from tests.campaign.test_two_at_once import run_at_once
from tests.web.grand_table import NAMES, SEED

pytestmark = [pytest.mark.django_db]


class Table:
    """A campaign with a game master, the Hun, the Roman, the Vandal and a waiting user."""

    def __init__(self, person: Callable[..., Any], rule: str = founding.SIGHT_REPORTED) -> None:
        self.people = {
            who: person(name)
            for who, name in {**NAMES, "vandal": "Geiserich", "heir": "Odo"}.items()
        }
        self.campaign = services.found_campaign(
            self.people["gm"],
            "grand_campaign",
            "Letters",
            "420ad",
            {},
            "UTC",
            "listed",
            seed=SEED,
            sight=rule,
        )
        for who, seat in (("hun", "huns"), ("roman", "romans"), ("vandal", "vandals")):
            self.sit(who, seat)

    def sit(self, who: str, seat: str, at: datetime | None = None) -> None:
        _, token = services.invite(self.campaign, self.people["gm"], seat)
        services.take_seat(self.people[who], token, now=at)

    def write(self, who: str, *to: str, text: str = "Let us talk.", **more: Any) -> Message:
        return talk.write(self.campaign, self.people[who], to, text, **more)

    def reader(self, who: str) -> selectors.Reader:
        return selectors.reader(self.campaign, self.people[who])

    def reads(self, who: str) -> list[str]:
        return [message.text for message in selectors.messages(self.reader(who))]

    def new(self, who: str) -> int:
        places = self.campaign.memberships.all()
        place = selectors.with_unread(places, self.campaign, self.people[who])[0]
        return int(vars(place)["talk_new"])

    def notified(self, who: str, kind: str = "message") -> int:
        return Notice.objects.filter(user=self.people[who], kind=kind, read_at=None).count()


@pytest.fixture
def table(person: Callable[..., Any]) -> Table:
    return Table(person)


def test_a_pair_is_two(table: Table) -> None:
    thread = table.write("hun", "romans", text="Dalmatia is yours.").conversation
    assert table.reads("hun") == table.reads("roman") == ["Dalmatia is yours."]
    assert table.reads("vandal") == table.reads("gm") == []
    assert [table.new(who) for who in ("hun", "roman", "vandal", "gm")] == [0, 1, 0, 0]
    assert [table.notified(who) for who in ("hun", "roman", "vandal", "gm")] == [0, 1, 0, 0]
    for other in ("vandal", "gm"):
        assert selectors.threads(table.reader(other)) == []
        with pytest.raises(NoSuchThread):
            selectors.thread_of(table.reader(other), thread.key)
        with pytest.raises(NoSuchThread):
            talk.mute(table.reader(other), thread, True)
    with pytest.raises(NotAllowed):
        table.reader("stranger")
    with pytest.raises(NotAllowed):
        table.write("stranger", "huns")
    with pytest.raises(NotAllowed):
        table.write("roman", "vandals", seat="huns")


def test_the_log_knows_nothing_of_it(table: Table) -> None:
    before = Campaign.objects.values().get(pk=table.campaign.pk)
    table.write("hun", "romans")
    assert Campaign.objects.values().get(pk=table.campaign.pk) == {
        **before,
        "changes": before["changes"] + 1,
    }


def test_answers_stand_in_the_same_thread_and_are_new_until_read(table: Table) -> None:
    one = table.write("hun", "romans", text="Peace?")
    two = table.write("roman", "huns", text="For two turns.")
    three = table.write("roman", "huns", text="And 100 gold.")
    assert one.conversation == two.conversation
    assert [one.number, two.number, three.number] == [1, 2, 3]
    assert table.new("hun") == 2
    assert table.notified("hun") == 1, "one notice until they look"
    talk.mark_read(table.reader("hun"), one.conversation)
    assert (table.new("hun"), table.notified("hun"), table.new("roman")) == (0, 0, 1)


def test_a_group_the_table_and_the_game_master(table: Table) -> None:
    table.write("hun", "romans", "vandals", text="The three of us.")
    table.write("roman", "*", text="Hail, all.")
    table.write("vandal", "gm", text="May I?")
    assert table.reads("hun") == ["The three of us.", "Hail, all."]
    assert table.reads("vandal") == ["The three of us.", "Hail, all.", "May I?"]
    assert table.reads("gm") == ["Hail, all.", "May I?"]
    rows = selectors.threads(table.reader("vandal"))
    assert [(row.thread.parties_id, row.unread) for row in rows] == [
        ("|gm|vandals|", 0),
        ("|*|", 1),
        ("|huns|romans|vandals|", 1),
    ]
    with pytest.raises(Refused, match="at least one recipient"):
        table.write("hun", "huns")
    with pytest.raises(Refused, match="No one else"):
        table.write("hun", "sassanids")


def test_the_game_masters_sight_is_the_rule_of_the_day(person: Callable[..., Any]) -> None:
    table = Table(person, founding.SIGHT_ADDRESSED)
    table.write("hun", "romans", text="Under the first rule.")
    with pytest.raises(NotAllowed):
        founding.change_sight(table.campaign, table.people["hun"], founding.SIGHT_ALL)
    founding.change_sight(table.campaign, table.people["gm"], founding.SIGHT_ALL)
    assert [table.notified(who, "sight") for who in ("gm", "hun", "roman", "vandal")] == [
        0,
        1,
        1,
        1,
    ]
    assert table.reads("gm") == []
    thread = table.write("hun", "romans", text="Under the second.").conversation
    assert table.reads("gm") == ["Under the second."]
    assert [row.mine for row in selectors.threads(table.reader("gm"))] == [False]
    assert (table.new("gm"), table.notified("gm")) == (0, 0), "who only looks on is not told"
    with pytest.raises(NoSuchThread):
        talk.mute(table.reader("gm"), thread, True)
    services.take_seat_as_master(table.campaign, table.people["gm"], "sassanids")
    assert table.reads("gm") == [], "who plays reads like a player"


def test_the_next_holder_of_a_seat_sees_no_earlier_messages(table: Table) -> None:
    then = timezone.now() - timedelta(days=2)
    table.campaign.memberships.update(since=then)
    table.write("hun", "romans", text="Between us.", now=then + timedelta(hours=1))
    table.write("hun", "*", text="To all.", now=then + timedelta(hours=2))
    services.vacate(table.campaign, table.people["roman"], "romans")
    table.sit("heir", "romans")
    with pytest.raises(NotAllowed):
        table.reader("roman")
    assert table.new("roman") == 0
    assert table.reads("heir") == ["To all."]
    table.write("hun", "romans", text="Welcome.")
    assert table.reads("heir") == ["To all.", "Welcome."]
    assert table.reads("hun") == ["Between us.", "To all.", "Welcome."]
    assert (table.new("heir"), table.new("roman")) == (1, 0)


def test_muted_too_much_and_archived(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = table.write("hun", "romans").conversation
    talk.mute(table.reader("roman"), thread, True)
    table.write("hun", "romans", text="Do you hear?")
    assert (table.new("roman"), table.notified("roman"), len(table.reads("roman"))) == (0, 0, 2)
    talk.mute(table.reader("roman"), thread, False)
    for _n in range(58):
        table.write("hun", "romans")
    with pytest.raises(NotNow, match="60 messages"):
        table.write("hun", "vandals")
    assert not Conversation.objects.filter(parties="|huns|vandals|").exists()
    table.write("hun", "vandals", now=timezone.now() + timedelta(hours=2))
    Campaign.objects.filter(pk=table.campaign.pk).update(archived=True)
    table.campaign.refresh_from_db()
    with pytest.raises(NotNow):
        table.write("roman", "huns")


def test_an_entry_is_quoted_that_everybody_may_see(table: Table) -> None:
    assert table.write("hun", "romans", quoted=0).quoted == table.campaign.entries.get(number=0)
    with pytest.raises(Exception, match="no entry with this number"):
        table.write("hun", "romans", quoted=99)


def test_an_erased_user_leaves_no_text(table: Table) -> None:
    thread = table.write("hun", "romans", text="Remember me.").conversation
    table.write("roman", "huns", text="Always.")
    assert talk.erase(table.people["hun"], timezone.now()) == ["1 messages"]
    assert [
        (message.text, message.removed) for message in selectors.messages(table.reader("roman"))
    ] == [
        ("", True),
        ("Always.", False),
    ]
    assert not ReadMarker.objects.filter(
        conversation=thread, membership__user=table.people["hun"]
    ).exists()
    assert GAME_MASTER not in thread.seats


@pytest.mark.django_db(transaction=True)
def test_both_begin_the_same_thread_at_once(
    transactional_db: None, request: pytest.FixtureRequest
) -> None:
    table = Table(request.getfixturevalue("person"))
    outcomes = run_at_once(
        *[lambda: table.write("hun", "romans"), lambda: table.write("roman", "huns")] * 2
    )
    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
    (thread,) = Conversation.objects.all()
    assert [message.number for message in thread.messages.all()] == [1, 2, 3, 4]
    assert (table.new("hun"), table.new("roman"), table.notified("hun")) == (2, 2, 1)


def test_a_blocked_user_sends_no_messages_between_seats(table: Table) -> None:
    hun, roman = table.people["hun"], table.people["roman"]
    old = table.write("hun", "romans", text="Before.")
    people_services.block(roman, hun)
    table.write("hun", "romans", text="To you alone.")
    table.write("hun", "romans", "vandals", text="To the two of you.")
    table.write("hun", "*", text="To the whole table.")
    assert table.reads("roman") == ["Before.", "To the whole table."]
    assert table.reads("vandal") == ["To the two of you.", "To the whole table."]
    assert table.reads("hun") == [
        "Before.",
        "To you alone.",
        "To the two of you.",
        "To the whole table.",
    ], "they are not told"
    assert (table.new("roman"), table.notified("roman")) == (
        2,
        2,
    ), "of the one before and of the table's"
    with pytest.raises(Refused, match="Unblock them first"):
        table.write("roman", "huns", text="Leave me alone.")
    group = table.write("roman", "huns", "vandals", text="All three of us.")
    assert "All three of us." not in table.reads("hun")
    table.write("hun", "gm", text="They do not answer me.")
    assert table.reads("gm")[-1] == "They do not answer me.", "who runs the table hears everybody"
    with pytest.raises(NoSuchThread):
        selectors.thread_of(table.reader("gm"), group.conversation.key)
    people_services.unblock(roman, hun.pk)
    assert "To you alone." in table.reads("roman")
    assert table.write("roman", "huns", text="Peace.").conversation == old.conversation
