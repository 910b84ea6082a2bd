"""The form with the sheet of a campaign that runs elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict

from games.grand_campaign.text.resume_sheet import COLUMNS, TypedSheet
from web.frame.raw_forms import PostedForm, text_field

LONGEST = 100_000
"""The most characters of a file, of a pasted table, or of a field with lines."""
LONGEST_HEAD, LONGEST_CELL = 1_000, 400
"""The most characters of the fields above the nations, and of a cell."""
BYTE_ORDER_MARK = "\ufeff"


def cell_field(nation: str, column: str) -> str:
    """Return the name of the field of a nation's cell."""
    return f"n.{nation}.{column}"


class ResumeForm(PostedForm):
    """The sheet: fields for the whole campaign, a row for each nation, and fields with lines."""

    do = text_field()
    turn = text_field()
    first = text_field()
    appointed = text_field()
    reason = text_field()
    provinces = text_field()
    truces = text_field()
    targets = text_field()
    pasted = text_field()
    file = forms.FileField(required=False)

    def __init__(
        self,
        post_data: Mapping[str, str],
        files: MultiValueDict[str, UploadedFile],
        *,
        nations: Sequence[str],
    ) -> None:
        """Read the form of a campaign with these nations."""
        super().__init__(post_data, files)
        self.nations = nations
        for nation in nations:
            for column in COLUMNS:
                self.fields[cell_field(nation, column)] = text_field()

    @property
    def takes_over(self) -> bool:
        """Return whether the campaign is to be taken over."""
        return self.text_of("do") == "take"

    def sheet(self) -> TypedSheet:
        """Return the sheet that was typed."""
        return TypedSheet(
            turn=self.text_of("turn")[:LONGEST_HEAD],
            first=self.text_of("first")[:LONGEST_HEAD],
            appointed=self.text_of("appointed")[:LONGEST_HEAD],
            reason=self.text_of("reason")[:LONGEST_HEAD],
            nations={nation: self.cells(nation) for nation in self.nations},
            provinces=self.lines("provinces"),
            truces=self.lines("truces"),
            targets=self.lines("targets"),
        )

    def cells(self, nation: str) -> dict[str, str]:
        """Return the cells of a nation, by column."""
        return {
            column: self.text_of(cell_field(nation, column))[:LONGEST_CELL] for column in COLUMNS
        }

    def lines(self, name: str) -> list[str]:
        """Return the lines of a field."""
        return self.text_of(name)[:LONGEST].splitlines()

    def pasted_table(self) -> str | None:
        """Return the table that was uploaded or pasted, or None if it is not to be read."""
        if self.text_of("do") != "paste":
            return None
        sent = self.files.get("file")
        if sent is not None:
            return str(sent.read(LONGEST).decode("utf-8-sig", "replace"))
        return self.text_of("pasted")[:LONGEST].removeprefix(BYTE_ORDER_MARK)
