"""The errors of the table.

A refusal by the rules is an `engine.errors.IllegalMove`, which passes through with its `sentence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from campaign.models import Campaign, LogEntry


class TableError(Exception):
    """A request that the table refuses.

    `code` is for programs, the text for people; `status` is the HTTP status of the answer.
    """

    status = 400

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class NoSuchCampaign(TableError):
    """A campaign that does not exist, or of which this user may not know."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-campaign", _("There is no such campaign."))


class NoSuchEntry(TableError):
    """A number without a log entry."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-entry", _("The log has no entry with this number."))


class NotAllowed(TableError):
    """An act that this user may not do here."""

    status = 403


class TableMovedOn(TableError):
    """A request from a page that is older than the table; nothing was done.

    Attributes:
        entries: The entries since, as far as this user may see them.
        again: The entries with which this user has already made the same move.
        changed: Whether the move is possible but has other consequences than the page showed.
        why: Why the move is no longer possible.
    """

    status = 409

    def __init__(
        self,
        entries: Sequence[LogEntry],
        *,
        again: Sequence[LogEntry] = (),
        changed: bool = False,
        why: str = "",
    ) -> None:
        text = _("The table has moved on since you loaded this page.")
        if changed:
            text = _(
                "The table has moved on since you loaded this page: your move would now have other"
                " consequences."
            )
        elif why:
            text = _(
                "The table has moved on since you loaded this page: your move is no longer"
                " possible. %(why)s"
            )
            text %= {"why": why}
        super().__init__("table-moved-on", text)
        self.entries, self.again, self.changed = list(entries), list(again), changed


class WrongCampaign(TableMovedOn):
    """A form that claims to have seen entries which this reader's log does not have."""

    def __init__(self) -> None:
        super().__init__([])
        self.code = "seen-ahead"
        self.args = (
            _(
                "This form does not fit the table as you see it now. Open the page again, and "
                "send the form from there."
            ),
        )


class CannotUndo(TableError):
    """An undo or restoration that is impossible.

    There is nothing to strike or restore, or a die, a revelation or another seat's move prevents
    it.
    """

    status = 409


class NotNow(TableError):
    """An act that the campaign's state forbids, or that has been done already.

    The campaign is paused, abandoned or archived, for example, or its lobby is open.
    """

    status = 409


class LogFault(NotNow):
    """A stored log that has failed its check (`campaign.hosting.audit`).

    New entries would prove nothing.
    """

    def __init__(self) -> None:
        text = _(
            "The stored log of this campaign has failed its check. No one can move until the host"
            " has repaired or restored it."
        )
        super().__init__("log-fault", text)


class PlanChanged(TableError):
    """A plan that was changed in another window since this page was made; nothing was done."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "plan-changed",
            _("The plan was changed in another window. This is the current plan; nothing is lost."),
        )


class NoteChanged(TableError):
    """Notes that were changed in another window since this page was made; nothing was done."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "note-changed",
            _("The notes were changed in another window. Below is the text saved there."),
        )


class OrdersChanged(TableError):
    """Standing orders that were changed in another window since this page was made.

    Nothing was done.
    """

    status = 409

    def __init__(self) -> None:
        text = _(
            "The orders were changed in another window. These are the current orders; nothing is "
            "lost."
        )
        super().__init__("orders-changed", text)


class Refused(TableError):
    """An act with an invalid argument."""


class InvitationRefused(TableError):
    """A link that does not open a seat. The text names the user to ask.

    `campaign` is None for an unknown link.
    """

    status = 410

    def __init__(self, code: str, text: str, campaign: Campaign | None = None) -> None:
        super().__init__(code, text)
        self.campaign = campaign
