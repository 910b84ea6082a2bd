"""What the table refuses. A rule's refusal is an `engine.errors.IllegalMove` and passes through,
`sentence` filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from campaign.models import Campaign, LogEntry


class TableError(Exception):
    """`code` for programs, the text for people; `status` is the HTTP status that says the same."""

    status = 400

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class NoSuchCampaign(TableError):
    """There is none, or this user may not know that there is."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-campaign", _("There is no such campaign."))


class NoSuchEntry(TableError):
    """No entry of this number."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no-such-entry", _("The log has no entry of this number."))


class NotAllowed(TableError):
    """This user may not do this here."""

    status = 403


class TableMovedOn(TableError):
    """A request from a page that is older than the table; nothing was done.

    Attributes:
        entries: The entries since, as far as this user may see them.
        again: Those among them with which this user has already made the same move.
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
        text = _("The table has moved on since this page was made.")
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


class NotOfThisTable(TableMovedOn):
    """The form says to have seen entries that this reader's log does not have."""

    def __init__(self) -> None:
        super().__init__([])
        self.code = "seen-ahead"
        self.args = (
            _(
                "This form is not from a page of this table as you see it: open the page again, and"
                " send it from there."
            ),
        )


class CannotUndo(TableError):
    """Nothing to strike or restore, or a die, a revelation or another's move stands in the way."""

    status = 409


class NotNow(TableError):
    """The campaign's state forbids it: paused, abandoned, in the archive, its lobby open; or it
    stands so already.
    """

    status = 409


class LogFault(NotNow):
    """A stored log that has failed its check (`campaign.hosting.audit`); new entries would prove
    nothing.
    """

    def __init__(self) -> None:
        text = _(
            "The stored log of this campaign has failed its check. No one can move until the host"
            " has repaired or restored it."
        )
        super().__init__("log-fault", text)


class PlanChanged(TableError):
    """The plan was changed in another window since this page was made: nothing of what was asked
    was done to it.
    """

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "plan-changed",
            _("The plan was changed in another window. This is the plan now; nothing is lost."),
        )


class NoteChanged(TableError):
    """The notes were changed in another window since this page was made: what was asked was not
    done to them.
    """

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "note-changed",
            _("The notes were changed in another window. Below is the text saved there."),
        )


class OrdersChanged(TableError):
    """The orders were changed in another window since this page was made: nothing of what was asked
    was done to them.
    """

    status = 409

    def __init__(self) -> None:
        text = _(
            "The orders were changed in another window. These are the orders now; nothing is lost."
        )
        super().__init__("orders-changed", text)


class Refused(TableError):
    """An argument of a table's act that makes no sense."""


class InvitationRefused(TableError):
    """The link does not open a seat; the text says whom to ask. `campaign` is None for an unknown
    link.
    """

    status = 410

    def __init__(self, code: str, text: str, campaign: Campaign | None = None) -> None:
        super().__init__(code, text)
        self.campaign = campaign
