"""The base classes of the kinds of notices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext_noop

from campaign.log import positions
from campaign.models import Campaign
from engine.language import pgettext_noop
from games.contract.title import Title
from notices.events import LoggedEvent, Recipient
from notices.expected import TITLES
from notices.models import Notice
from notices.present import CampaignNow, Present, Task


class Group(Enum):
    """The groups of kinds on the page of settings, in their order. The value is the name."""

    YOUR_TURN = gettext_noop("Your turn to act")
    DEADLINES = gettext_noop("Deadlines")
    BATTLES = gettext_noop("Battles")
    ABOUT_YOU = gettext_noop("Changes that concern you")
    TABLE = gettext_noop("The table")
    GAME_MASTERS = gettext_noop("For game masters")


@dataclass(frozen=True)
class Content:
    """The values that the texts of a notice may use.

    `facts` are those that were stored. `values` are the facts with names in place of the keys of
    seats, users and places; in addition `line` and `sentence` have the move of the entry as this
    reader may see it, and `speaker` has its seat. `origin` says how players agreed on a result, or
    how it was ruled.
    """

    notice: Notice
    facts: Mapping[str, Any]
    values: Mapping[str, Any]
    origin: str = ""

    @property
    def campaign(self) -> Campaign:
        return self.notice.campaign

    @property
    def game(self) -> Title:
        return self.campaign.game

    @property
    def scenario(self) -> Any:
        return positions.scenario(self.campaign)


class Kind:
    """A kind of notice: its recipients, its texts, and its urgency.

    Each kind is a subclass without state. Texts are message ids, which are translated when they are
    read; `{seat}` and similar fields are values of `Content` or of `words`.
    """

    key: str
    """The key that is stored with each notice and each preference. It never changes."""
    name: str
    """The name on the page of settings."""
    group: Group
    title: str
    body: str
    link: tuple[str, ...]
    """The name of an address of the campaign, followed by the facts that are its arguments."""

    is_urgent = False
    """Whether the notice is important, so that every channel sends it at once."""
    is_news = False
    """Whether an urgent notice asks its reader for nothing."""
    is_request = False
    """Whether the table waits for what the notice asks for, so that a reminder may follow."""
    is_public = False
    """Whether the texts are public, so that a channel of the campaign may send the notice."""
    is_usual_in_campaign_channels = False
    """Whether a channel of the campaign sends the notice unless someone has chosen otherwise."""
    is_usual_on_devices = False
    """Whether a device shows the notice at once although it is not urgent."""
    has_channels = True
    """Whether channels may send the notice; otherwise only the list of notices shows it."""
    outlasts_suspension = False
    """Whether the notice is shown while the host has suspended the campaign."""
    names_origin = False
    """Whether the texts of the notice say how players agreed on a result."""
    asked = ""
    """The request that a letter adds to the body, if the notice has no task."""
    button = pgettext_noop("button in a letter", "Open the page")
    """The label of the button in an e-mail."""
    warns = False
    """Whether a letter adds what threatens the reader's seat."""
    answer_button = ""
    """The label of a device's button that opens the form of the answer; empty if there is none."""

    def recipients(self, event: LoggedEvent) -> Iterable[Recipient]:
        """Return the recipients of an entry; none if other code sends the notice.

        Other code is a clock or another package.
        """
        return ()

    def title_of(self, content: Content) -> str:
        """Return the message id of the title."""
        return self.title

    def body_of(self, content: Content) -> str:
        """Return the message id of the text."""
        return self.body

    def words(self, content: Content) -> Mapping[str, Any]:
        """Return the values of the texts that only this kind has."""
        return {}

    @property
    def asks(self) -> bool:
        """Whether something is expected of the reader."""
        return self.is_urgent and not self.is_news

    def task(self, notice: Notice) -> Task | None:
        """Return what has the deadline that a letter names; None if there is no such deadline."""
        return None

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        """Return the message id of the title in a letter.

        `{title}` is the usual title, `{due}` the deadline if it lies ahead.
        """
        task = self.task(content.notice)
        return TITLES[task.kind] if task is not None and has_deadline else "{title}"

    def news_of(self, content: Content) -> str:
        """Return the message id of what has happened, for a letter that names the deadline."""
        return self.body_of(content)

    def letter_words(self, content: Content, campaign: CampaignNow) -> Mapping[str, Any]:
        """Return the values of the texts of a letter that only this kind has."""
        return {}

    def asked_of(self, notice: Notice) -> str:
        """Return the message id of what a letter asks for if the notice has no task."""
        return self.asked

    def page(self, number: int | None, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the name of the address that it links to, and its arguments after the campaign.

        `number` is that of the entry; None for an entry without a number.
        """
        name, *keys = self.link
        return (name, *(facts[key] for key in keys))

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether a notice is out of date, so that it need not be sent."""
        return False


class EntryKind(Kind):
    """A kind that links to its entry; to the log if the entry has no number."""

    link = ("entry",)

    def page(self, number: int | None, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        return ("entry", number) if number is not None else ("log",)
