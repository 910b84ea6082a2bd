"""Extraction of the record from an audit pack in a child process, which needs no Django."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path, PurePosixPath

MEMBER, DRAWING = "record.json", "drawing.json"
"""The record in a pack, and the campaign's own map, if it has one."""
LARGEST, LONGEST_DRAWING = 20_000_000, 2_000_000
"""The largest sizes in bytes of a record (RECORD) and of a drawing."""
MOST = 2_000
"""The most files in a pack: a page for each turn and a picture for each entry are far fewer."""
ENTRY = b"PK\x01\x02"
"""The signature before each file in the list of a pack."""
MANY, OUTSIDE, NO_RECORD, OTHERWISE, DAMAGED, LARGE_RECORD, LARGE_DRAWING = (
    "many",
    "outside",
    "no-record",
    "otherwise",
    "damaged",
    "large-record",
    "large-drawing",
)


class HarmfulFile(Exception):
    """A fault of a pack, named by one of the words above."""


def record_in(pack: bytes | str) -> bytes | str:
    """Return the record in a pack, joined with its drawing if it has one; or the word for a fault.

    A pack is its bytes or the path of its file. Nothing is unpacked to a disk, and at most the size
    limits are read.
    """
    content = Path(pack).read_bytes() if isinstance(pack, str) else pack
    if content.count(ENTRY) > MOST:  # To read a list of millions takes a gigabyte.
        return MANY
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return _with_drawing(archive, _record(archive))
    except HarmfulFile as wrong:
        return str(wrong)
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
        zlib.error,
    ):
        return DAMAGED


def _record(archive: zipfile.ZipFile) -> bytes:
    """Return the record of a pack after checking the names of its files."""
    members = archive.infolist()
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        is_link = (member.external_attr >> 16) & 0o170000 == 0o120000
        if path.is_absolute() or ".." in path.parts or ":" in member.filename or is_link:
            raise HarmfulFile(OUTSIDE)
    named = [member for member in members if member.filename == MEMBER]
    if len(named) != 1:
        raise HarmfulFile(NO_RECORD)
    return _unpacked(archive, named[0], LARGEST, LARGE_RECORD)


def _unpacked(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int, otherwise: str
) -> bytes:
    """Return the bytes of a member. Raise `HarmfulFile(otherwise)` if it has more than `most`."""
    # A member in another format would be unpacked completely before any of it is read.
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise HarmfulFile(OTHERWISE)
    if member.file_size > most:
        raise HarmfulFile(otherwise)
    with archive.open(member) as stream:
        text = stream.read(most + 1)  # The stated size may be false.
    if len(text) > most:
        raise HarmfulFile(otherwise)
    return text


def _with_drawing(archive: zipfile.ZipFile, record: bytes) -> bytes:
    """Return a record joined with the drawing in its pack, if there is one."""
    named = [member for member in archive.infolist() if member.filename == DRAWING]
    if not named:
        return record
    drawing = _unpacked(archive, named[-1], LONGEST_DRAWING, LARGE_DRAWING)
    return b'{"drawing":' + drawing + b',"record":' + record + b"}"
