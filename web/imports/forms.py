"""Read the form that founds a campaign from a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from campaign.errors import Refused
from web.imports.record_files import record_of

LONGEST_TEXT = 2_000_000


@dataclass(frozen=True, slots=True)
class RecordForm:
    """What was posted. The service checks name, time zone and visibility."""

    file: UploadedFile | None
    text: str
    name: str
    time_zone: str
    visibility: str

    @classmethod
    def read(cls, request: HttpRequest) -> Self:
        posted, file = request.POST, request.FILES.get("file")
        return cls(
            file=file if isinstance(file, UploadedFile) else None,
            text=posted.get("text", ""),
            name=posted.get("name", ""),
            time_zone=posted.get("time_zone", ""),
            visibility=posted.get("visibility", ""),
        )

    def record(self) -> bytes:
        """Return the record of the file, or the text that was pasted. Raises `Refused`."""
        if self.file is not None and self.text.strip():
            raise Refused("both", _("Send a file or paste a record, not both."))
        if self.file is not None:
            return record_of(self.file, self.file.size or 0)
        if not self.text.strip():
            text = _("Choose the file of a record or an audit pack, or paste a record.")
            raise Refused("none", text)
        if len(self.text) > LONGEST_TEXT:
            text = _("This is too long to be pasted: send it as a file.")
            raise Refused("too-large", text)
        return self.text.encode("utf-8", "surrogatepass")
