"""Build the page on which a user has everything that is kept about them made as a file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from people.models import OwnDataExport
from web.frame.sentences import with_times
from web.own_data.storage import LIFETIME
from web.templatetags.tabula import when

SECONDS_BETWEEN_LOOKS = 3


@dataclass(frozen=True, slots=True)
class OwnDataPage:
    """How far the file is."""

    has_failed: bool
    ready_at: datetime | None
    is_made: bool
    """Whether it is being made, or waits for that."""
    done: int
    parts: int

    @property
    def is_ready(self) -> bool:
        return self.ready_at is not None

    @property
    def ready_text(self) -> str:
        """Return when the file was made, and until when it can be downloaded."""
        assert self.ready_at is not None
        text = _("The file was made %(at)s. It can be taken until %(until)s, then it is removed.")
        return with_times(text, at=when(self.ready_at), until=when(self.ready_at + LIFETIME))

    @property
    def progress_text(self) -> str:
        if not self.parts:
            return _("It waits for its turn.")
        return _("%(done)s of %(of)s parts") % {"done": self.done, "of": self.parts}

    @property
    def again_text(self) -> str:
        text = _("This page looks again every %(again)s seconds.")
        return text % {"again": SECONDS_BETWEEN_LOOKS}

    @property
    def verb(self) -> str:
        return _("Make it anew") if self.is_ready else _("Make the file")


def own_data_page(row: OwnDataExport | None) -> OwnDataPage:
    """Return how far the file is; `row` is None if there is none."""
    if row is None:
        return OwnDataPage(has_failed=False, ready_at=None, is_made=False, done=0, parts=0)
    return OwnDataPage(
        has_failed=row.failed,
        ready_at=row.ready_at,
        is_made=row.ready_at is None and not row.failed,
        done=row.done,
        parts=row.total,
    )
