"""What a kind of notice declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext_noop

from campaign.log import positions
from campaign.models import Campaign
from games.contract.title import Title
from notices.events import LoggedEvent, Recipient
from notices.models import Notice


class Group(Enum):
    """The groups of kinds on the page of settings, in their order. The value is the name."""

    YOUR_TURN = gettext_noop("Your turn to act")
    DEADLINES = gettext_noop("Deadlines")
    BATTLES = gettext_noop("Battles")
    ABOUT_YOU = gettext_noop("What touches you")
    TABLE = gettext_noop("The table")
    GAME_MASTERS = gettext_noop("For game masters")


@dataclass(frozen=True)
class Content:
    """What the texts of a notice may use.

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
    """A kind of notice: who is notified of what, in which words, and how urgently.

    Each kind is a subclass without state. Texts are message ids, which are translated when they are
    read; `{seat}` and the like are values of `Content` or of `words`.
    """

    key: str
    """Is stored with each notice and each preference; never changes."""
    name: str
    """What the page of settings calls it."""
    group: Group
    title: str
    body: str
    link: tuple[str, ...]
    """The name of an address of the campaign, then the facts that are its arguments."""

    is_urgent = False
    """It waits for an answer: it is sent at once by every channel of its reader."""
    is_request = False
    """It asks for something that the table waits for, so that a reminder may follow it."""
    is_public = False
    """Its texts have nothing that not everyone may know: a channel of the campaign may have it."""
    is_usual_in_campaign_channels = False
    """A channel of the campaign has it unless someone has chosen otherwise."""
    is_usual_on_devices = False
    """A device shows it at once although it is not urgent."""
    has_channels = True
    """It may leave by channels; otherwise only the list of notices has it."""
    outlasts_suspension = False
    """It is shown while the host has suspended the campaign."""
    names_origin = False
    """Its texts say how players agreed on a result."""
    answer_button = ""
    """The button of a device that leads to the form of the answer, if there is one."""

    def recipients(self, event: LoggedEvent) -> Iterable[Recipient]:
        """Return who is notified of an entry; no one if a clock or another package notifies."""
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

    def page(self, number: int | None, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the page it leads to: the name of the address and its arguments after the
        campaign. `number` is that of the entry; None for an entry without one.
        """
        name, *keys = self.link
        return (name, *(facts[key] for key in keys))

    def is_overtaken(self, notice: Notice) -> bool:
        """Return whether a notice is out of date, so that it need not be sent."""
        return False


class EntryKind(Kind):
    """A kind that leads to its entry; to the log if that has no number."""

    link = ("entry",)

    def page(self, number: int | None, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        return ("entry", number) if number is not None else ("log",)
