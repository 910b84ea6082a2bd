"""The record in an audit pack: taken out in a child process, which needs no Django."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path, PurePosixPath

MEMBER, DRAWING = "record.json", "drawing.json"
"""The record in a pack, and the campaign's own map, if it has one."""
LARGEST, LONGEST_DRAWING = 20_000_000, 2_000_000
"""Bytes of a record, as RECORD has it, and of a drawing."""
MOST = 2_000
"""Files in a pack: ours has a page a turn and a picture an entry at most."""
ENTRY = b"PK\x01\x02"
"""Before each file in a pack's list."""
MANY, OUTSIDE, NO_RECORD, OTHERWISE, DAMAGED, LARGE_RECORD, LARGE_DRAWING = (
    "many", "outside", "no-record", "otherwise", "damaged", "large-record", "large-drawing"
)  # fmt: skip


class Harmful(Exception):
    """What is wrong with a pack, as one of the words above."""


def record_in(pack: bytes | str) -> bytes | str:
    """Return the record in a pack, with its drawing as one text where it has one; or the word for what is wrong.

    A pack is its bytes or the path of its file. Nothing is unpacked to a disk, and no more is read than a record may have.
    """
    content = Path(pack).read_bytes() if isinstance(pack, str) else pack
    if content.count(ENTRY) > MOST:  # to read a list of millions takes a gigabyte
        return MANY
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return _with_drawing(archive, _record(archive))
    except Harmful as wrong:
        return str(wrong)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        return DAMAGED


def _record(archive: zipfile.ZipFile) -> bytes:
    members = archive.infolist()
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        is_link = (member.external_attr >> 16) & 0o170000 == 0o120000
        if path.is_absolute() or ".." in path.parts or ":" in member.filename or is_link:
            raise Harmful(OUTSIDE)
    named = [member for member in members if member.filename == MEMBER]
    if len(named) != 1:
        raise Harmful(NO_RECORD)
    return _unpacked(archive, named[0], LARGEST, LARGE_RECORD)


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int, otherwise: str) -> bytes:
    """Return the bytes of a member, `most` of them; `otherwise` is raised where there are more."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others are unpacked whole before any is read
        raise Harmful(OTHERWISE)
    if member.file_size > most:
        raise Harmful(otherwise)
    with archive.open(member) as stream:
        text = stream.read(most + 1)  # what it says of its size is not believed
    if len(text) > most:
        raise Harmful(otherwise)
    return text


def _with_drawing(archive: zipfile.ZipFile, record: bytes) -> bytes:
    named = [member for member in archive.infolist() if member.filename == DRAWING]
    if not named:
        return record
    drawing = _unpacked(archive, named[-1], LONGEST_DRAWING, LARGE_DRAWING)
    return b'{"drawing":' + drawing + b',"record":' + record + b"}"
