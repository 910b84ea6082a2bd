"""The form that founds a campaign from a record."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from campaign.errors import Refused
from web.frame.raw_forms import PostedForm, text_field
from web.imports.record_files import record_of

LONGEST_TEXT = 2_000_000


class RecordForm(PostedForm):
    """A record as a file or as pasted text, and the settings of its campaign.

    The service checks name, time zone and visibility.
    """

    file = forms.FileField(required=False, allow_empty_file=True)
    text = text_field()
    name = text_field()
    time_zone = text_field()
    visibility = text_field()

    @property
    def sent_file(self) -> UploadedFile | None:
        return self.files.get("file")

    def record(self) -> bytes:
        """Return the record of the file, or the pasted text. Raise `Refused` if there is none."""
        file, pasted = self.sent_file, self.text_of("text")
        if file is not None and pasted.strip():
            raise Refused("both", _("Send a file or paste a record, not both."))
        if file is not None:
            return record_of(file, file.size or 0)
        if not pasted.strip():
            text = _("Choose the file of a record or an audit pack, or paste a record.")
            raise Refused("none", text)
        if len(pasted) > LONGEST_TEXT:
            text = _("This is too long to paste. Send it as a file.")
            raise Refused("too-large", text)
        return pasted.encode("utf-8", "surrogatepass")
