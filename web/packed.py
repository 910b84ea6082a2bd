"""A record out of what somebody sends: the record itself, or an audit pack, of which nothing but the record is read."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath
from typing import IO, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.errors import Refused
from campaign.services.importing import LARGEST
from campaign.services.shelf import LONGEST_DRAWING

MEMBER, DRAWING = "record.json", "drawing.json"
MOST = 2_000
"""Files in a pack: ours has a page a turn and a picture an entry at most."""
ENTRY = b"PK\x01\x02"
"""Before each file in a pack's list."""
TOO_MANY = gettext_noop("This is no audit pack: it has too many files.")
HEAVIEST = 100_000_000
"""Bytes of a pack, packed."""


def record_of(sent: IO[bytes] | Any, size: int) -> bytes:
    """The record in a file, with the drawing of a pack that has one (`importing.BOTH`).

    Raises `Refused` for what is too large, no pack of ours, or built to harm: nothing is ever unpacked to a disk, and no
    more is read than a record may have.
    """
    head = sent.read(4)
    sent.seek(0)
    if not head.startswith(b"PK"):
        if size > LARGEST:
            raise Refused("too-large", _("The record has more than 20 MB."))
        return sent.read(LARGEST + 1)
    if size > HEAVIEST:
        raise Refused("too-large", _("The pack has more than 100 MB."))
    packed = sent.read()
    if packed.count(ENTRY) > MOST:  # to read a list of millions takes a gigabyte
        raise Refused("no-pack", _(TOO_MANY))
    try:
        with zipfile.ZipFile(BytesIO(packed)) as pack:
            return _with_drawing(pack, _member(pack))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        raise Refused("no-pack", _("The pack is damaged or has a password.")) from None


def _member(pack: zipfile.ZipFile) -> bytes:
    found = pack.infolist()
    if len(found) > MOST:
        raise Refused("no-pack", _(TOO_MANY))
    for one in found:
        path = PurePosixPath(one.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in one.filename or (one.external_attr >> 16) & 0o170000 == 0o120000:
            raise Refused("no-pack", _("This is no audit pack: a file in it would lie outside of it."))
    named = [one for one in found if one.filename == MEMBER]
    if len(named) != 1:
        raise Refused("no-pack", _("This is no audit pack: it has no %(name)s.") % {"name": MEMBER})
    return _unpacked(pack, named[0], LARGEST, _("The record has more than 20 MB."))


def _unpacked(pack: zipfile.ZipFile, one: zipfile.ZipInfo, most: int, otherwise: str) -> bytes:
    """The bytes of a member, `most` of them; `otherwise` says that there are more."""
    if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others are unpacked whole before any is read
        raise Refused("no-pack", _("The pack is packed in a way that is not read here. Pack it as a plain zip."))
    if one.file_size > most:
        raise Refused("too-large", otherwise)
    with pack.open(one) as member:
        text = member.read(most + 1)  # what it says of its size is not believed
    if len(text) > most:
        raise Refused("too-large", otherwise)
    return text


def _with_drawing(pack: zipfile.ZipFile, record: bytes) -> bytes:
    """The record and the campaign's own map as one text; the record alone where the pack has none."""
    named = [one for one in pack.infolist() if one.filename == DRAWING]
    if not named:
        return record
    drawing = _unpacked(pack, named[-1], LONGEST_DRAWING, _("The pack’s %(name)s is too large.") % {"name": DRAWING})
    return b'{"drawing":' + drawing + b',"record":' + record + b"}"
