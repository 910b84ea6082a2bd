"""A record out of a file that a user sends: the record itself, or an audit pack, of which only the
record is read.
"""

from __future__ import annotations

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import limited
from campaign.errors import Refused
from campaign.pack_files import (
    DAMAGED,
    DRAWING,
    LARGE_DRAWING,
    LARGE_RECORD,
    LARGEST,
    MANY,
    MEMBER,
    NO_RECORD,
    OTHERWISE,
    OUTSIDE,
    record_in,
)

HEAVIEST = 100_000_000
"""Bytes of a pack, packed."""
HARM = {
    MANY: gettext_noop("This is not an audit pack: it has too many files."),
    OUTSIDE: gettext_noop("This is not an audit pack: a file in it would lie outside of it."),
    NO_RECORD: gettext_noop("This is not an audit pack: it has no %(name)s."),
    OTHERWISE: gettext_noop(
        "The pack is packed in a way that cannot be read here. Pack it as a plain zip."
    ),
    DAMAGED: gettext_noop("The pack is damaged or has a password."),
    LARGE_RECORD: gettext_noop("The record has more than 20 MB."),
    LARGE_DRAWING: gettext_noop("The pack’s %(name)s is too large."),
}
"""The messages for the faults of a pack, by the words of `campaign.pack_files`."""
ZIP = b"PK"
"""The first bytes of a zip."""


def record_of(sent: UploadedFile, size: int) -> bytes:
    """Return the record in a file, with the drawing of a pack that has one (`imports.BOTH`).

    Raises `Refused` for files that are too large, not our packs, or harmful. A child process opens
    the pack.
    """
    head = sent.read(4)
    sent.seek(0)
    if not head.startswith(ZIP):
        if size > LARGEST:
            raise Refused("too-large", _("The record has more than 20 MB."))
        return bytes(sent.read(LARGEST + 1))
    if size > HEAVIEST:
        raise Refused("too-large", _("The pack has more than 100 MB."))
    path = getattr(sent, "temporary_file_path", None)
    record = limited.run(record_in, path() if path else sent.read())
    if isinstance(record, bytes):
        return record
    code = "too-large" if record in (LARGE_RECORD, LARGE_DRAWING) else "no-pack"
    raise Refused(code, _(HARM[record]) % {"name": DRAWING if record == LARGE_DRAWING else MEMBER})
