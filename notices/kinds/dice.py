"""Notices of dice: a die that the table waits for, words that are mixed in, public draws."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext_noop

from campaign.clocks import selectors as clock_terms
from campaign.dice import selectors as dice_selectors
from campaign.log.acts.dice import DIE, MIX
from campaign.models import Campaign, Clock, LogEntry
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind
from notices.models import Notice
from notices.present import Present, Task
from notices.writing import game_masters, notify


class DiceKind(Kind):
    """A kind that links to the page of the dice."""

    link = ("dice",)


class DieAwaited(DiceKind):
    """The notice that the table waits for a die, which the game masters enter."""

    key = "die-awaited"
    name = gettext_noop("The table waits for a die")
    group = Group.YOUR_TURN
    title = gettext_noop("The table is waiting for a die: {purpose}")
    body = gettext_noop("Enter the die on the Dice page; then the announced move is made.")
    is_urgent = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(DIE, "parked"):
            yield from event.to_game_masters({"purpose": event.content["purpose"]})


class WordsWanted(DiceKind):
    """The notice that you have not added your words for the next dice.

    It is sent when a turn has closed, and when a draw is named that ends the time for words.
    """

    key = "words-wanted"
    name = gettext_noop("You are asked for words for the dice")
    group = Group.YOUR_TURN
    title = gettext_noop("Words for the next dice")
    body = gettext_noop(
        "Add yours on the Dice page while words are accepted. Seats that are late are left out."
    )
    news = gettext_noop(
        "The words of all seats are mixed into the dice. Words that come too late do not count."
    )
    is_urgent = True

    def task(self, notice: Notice) -> Task:
        return Task(Clock.Kind.WORDS)

    def news_of(self, content: Content) -> str:
        return self.news

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the seat has added its words, or none are accepted any more."""
        missing = present.campaign_of(notice).seats_without_words
        return missing is None or notice.seat not in missing

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        campaign = event.campaign
        if not campaign.chance or not (event.closes_turn or event.is_act(MIX, "named")):
            return
        current = event.current
        stage = dice_selectors.next_stage(campaign, current.turn, current.phase)
        if stage is not None and stage.takes_words(event.entry.at):
            for seat in clock_terms.words_missing(campaign, stage, event.position_after):
                yield Recipient(seat, facts={"turn": stage.link})


class DrawFallen(DiceKind):
    """The notice that a public draw has taken place, so that game masters enter its number.

    It is sent at the hour of the draw, not by an entry.
    """

    key = "draw-fallen"
    name = gettext_noop("A public draw has taken place")
    group = Group.YOUR_TURN
    title = gettext_noop("The public draw has taken place")
    body = gettext_noop(
        "Enter the number that was drawn on the Dice page; the turn is waiting for it."
    )
    is_urgent = True


class DiceReady(DiceKind):
    """The notice that the turn can open: the time for words has ended, and nothing is missing."""

    key = "dice-ready"
    name = gettext_noop("The next dice have been mixed")
    group = Group.YOUR_TURN
    title = gettext_noop("The next dice have been mixed")
    body = gettext_noop("The turn can now be opened.")
    is_urgent = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if not event.is_act(MIX, "closed"):
            return
        content = event.content
        stage = dice_selectors.stage(event.campaign, content["chain"], content["turn"])
        if stage.done and event.entry.actor is None:
            yield from event.to_game_masters({"turn": stage.link})


class DrawNamed(DiceKind):
    """The notice that a public draw is named.

    A seat that reads this before the draw knows that it was named before.
    """

    key = "draw-named"
    name = gettext_noop("A public draw is named")
    group = Group.TABLE
    title = gettext_noop("A public draw is named")
    body = gettext_noop(
        "The Dice page shows which draw it is. Look at it before the draw takes place."
    )

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(MIX, "named"):
            yield from event.to_seats({"turn": event.content["turn"]})


class DrawEntered(DiceKind):
    """The notice that the number of a public draw is entered, so that every seat can check it."""

    key = "draw-entered"
    name = gettext_noop("A public draw is entered")
    group = Group.TABLE
    title = gettext_noop("The public draw has been entered")
    body = gettext_noop("{text}. Check that this is what was drawn, and object if it is not.")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(MIX, "drawn"):
            content = event.content
            yield from event.to_seats({"turn": content["turn"], "text": content["text"]})


class DrawRefuted(DiceKind):
    """The notice that dice were thrown with a typed drand value that is false."""

    key = "draw-refuted"
    name = gettext_noop("A wrong public draw has been entered")
    group = Group.TABLE
    title = gettext_noop("A wrong public draw has been entered")
    body = gettext_noop("drand signed {text}. Dice have already been thrown with the wrong number.")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(MIX, "refuted"):
            content = event.content
            yield from event.to_everyone({"turn": content["turn"], "text": content["text"]})


def notify_draw_fallen(campaign: Campaign, named: LogEntry, turn: int, at: datetime) -> None:
    """Notify the game masters that the public draw that the entry `named` announced is over."""
    notify(DrawFallen.key, named, game_masters(campaign), {"turn": turn}, at)


KINDS = (
    DieAwaited(),
    WordsWanted(),
    DrawFallen(),
    DiceReady(),
    DrawNamed(),
    DrawEntered(),
    DrawRefuted(),
)
