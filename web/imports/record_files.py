"""Uploaded files with a record: the record itself, or an audit pack that contains it.

Only the record of an audit pack is read.
"""

from __future__ import annotations

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import limited_process
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
"""The largest size of a pack in bytes, compressed."""
HARM = {
    MANY: gettext_noop("This is not an audit pack: it contains too many files."),
    OUTSIDE: gettext_noop(
        "This is not an audit pack: it contains a file with a path outside the pack."
    ),
    NO_RECORD: gettext_noop("This is not an audit pack: %(name)s is missing."),
    OTHERWISE: gettext_noop(
        "This site cannot read the compression of this pack. Send it as a plain zip file."
    ),
    DAMAGED: gettext_noop("The pack is damaged or has a password."),
    LARGE_RECORD: gettext_noop("The record is larger than 20 MB."),
    LARGE_DRAWING: gettext_noop("The pack’s %(name)s is too large."),
}
"""The messages for the faults of a pack, by the constants of `campaign.pack_files`."""
ZIP = b"PK"
"""The first bytes of a zip file."""


def record_of(sent: UploadedFile, size: int) -> bytes:
    """Return the record in a file, with the drawing if a pack has one (`imports.BOTH`).

    A child process opens the pack. Raise `Refused` for files that are too large, harmful, or not
    packs of this software.
    """
    head = sent.read(4)
    sent.seek(0)
    if not head.startswith(ZIP):
        if size > LARGEST:
            raise Refused("too-large", _("The record is larger than 20 MB."))
        return bytes(sent.read(LARGEST + 1))
    if size > HEAVIEST:
        raise Refused("too-large", _("The pack has more than 100 MB."))
    path = getattr(sent, "temporary_file_path", None)
    record = limited_process.run(record_in, path() if path else sent.read())
    if isinstance(record, bytes):
        return record
    code = "too-large" if record in (LARGE_RECORD, LARGE_DRAWING) else "no-pack"
    raise Refused(code, _(HARM[record]) % {"name": DRAWING if record == LARGE_DRAWING else MEMBER})
