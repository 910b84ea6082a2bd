"""The pages that wait for an audit pack or for a picture."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import files
from campaign.pictures.images import KnownPicture
from web.exports import packs
from web.exports.packs import Progress, Wanted
from web.frame.table import TableContext
from web.frame.tabs import talks

PACK_LOOKS_AGAIN = 2
"""The seconds after which the page that waits for a pack reloads."""
PICTURE_LOOKS_AGAIN = 3
"""The seconds after which the page that waits for a picture reloads."""


@dataclass(frozen=True, slots=True)
class PicturePage:
    """The page that waits for a picture."""

    caption: str
    looks_again: str


@dataclass(frozen=True, slots=True)
class PackProgress:
    """The number of finished files of a pack; `of` is 0 while it is unknown."""

    done: int
    of: int
    text: str


@dataclass(frozen=True, slots=True)
class PackPage:
    """The page that waits for a pack.

    `has_talk` is true if the reader has messages, which no pack contains.
    """

    ready: bool
    progress: PackProgress
    looks_again: str
    has_talk: bool


def pack_page(table: TableContext, wanted: Wanted) -> PackPage:
    """Return the page that waits for a pack."""
    return PackPage(
        ready=files.exists(wanted.file),
        progress=progress_of(packs.progress(wanted)),
        looks_again=looks_again(PACK_LOOKS_AGAIN),
        has_talk=talks(table),
    )


def progress_of(known: Progress | None) -> PackProgress:
    """Return the progress of a pack in words."""
    done, of = (known.done, known.of) if known else (0, 0)
    if of:
        return PackProgress(done, of, _("%(done)s of %(of)s files") % {"done": done, "of": of})
    if known and known.reported:
        return PackProgress(done, of, _("The log is being read."))
    return PackProgress(done, of, pgettext("exports", "Waiting in the queue."))


def picture_page(wanted: KnownPicture) -> PicturePage:
    """Return the page that waits for a picture."""
    return PicturePage(wanted.text, looks_again(PICTURE_LOOKS_AGAIN))


def looks_again(seconds: int) -> str:
    """Return the sentence that announces when a page reloads."""
    sentence = ngettext(
        "This page checks again in %(seconds)s second.",
        "This page checks again in %(seconds)s seconds.",
        seconds,
    )
    return sentence % {"seconds": seconds}
