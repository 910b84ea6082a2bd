"""The page on which users request a file with all data stored about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from people.models import OwnDataExport
from web.frame.sentences import with_times
from web.own_data.storage import LIFETIME
from web.templatetags.tabula import when

SECONDS_BETWEEN_LOOKS = 3


@dataclass(frozen=True, slots=True)
class OwnDataPage:
    """The progress of the file."""

    has_failed: bool
    ready_at: datetime | None
    is_made: bool
    """Whether the file is being made, or waits to be made."""
    done: int
    parts: int

    @property
    def is_ready(self) -> bool:
        return self.ready_at is not None

    @property
    def ready_text(self) -> str:
        """Return when the file was made, and how long it can be downloaded."""
        assert self.ready_at is not None
        text = _("File created: %(at)s. You can download it until %(until)s; then it is removed.")
        return with_times(text, at=when(self.ready_at), until=when(self.ready_at + LIFETIME))

    @property
    def progress_text(self) -> str:
        if not self.parts:
            return pgettext("own data", "Waiting in the queue.")
        return _("%(done)s of %(of)s parts") % {"done": self.done, "of": self.parts}

    @property
    def again_text(self) -> str:
        text = _("This page checks again every %(again)s seconds.")
        return text % {"again": SECONDS_BETWEEN_LOOKS}

    @property
    def verb(self) -> str:
        return _("Create it again") if self.is_ready else _("Create the file")


def own_data_page(row: OwnDataExport | None) -> OwnDataPage:
    """Return the progress of the file; `row` is None if there is none."""
    if row is None:
        return OwnDataPage(has_failed=False, ready_at=None, is_made=False, done=0, parts=0)
    return OwnDataPage(
        has_failed=row.failed,
        ready_at=row.ready_at,
        is_made=row.ready_at is None and not row.failed,
        done=row.done,
        parts=row.total,
    )
