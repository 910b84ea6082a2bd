"""The forms of the page of typed moves."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from campaign.models import GAME_MASTER
from engine.language import capitalize
from engine.strict_json import is_clean_text, read_whole_number
from games.kit.reading.lines import addressed, typed_lines
from web.frame.raw_forms import PostedForm, text_field
from web.frame.requests import seen_number
from web.frame.table import TableContext
from web.typed_moves.reader import speakers

LONGEST = 6000
TOO_LONG = gettext_lazy("Up to 6,000 printable characters, one move per line.")


class ShownForm(PostedForm):
    """The requested content: a move as a line (`do=line`), or the lines of a seat."""

    do = text_field()
    seat = text_field()

    @property
    def asks_for_line(self) -> bool:
        return self.text_of("do") == "line"


class LinesForm(forms.Form):
    """Typed lines, the seat for lines without a name, and a chosen suggestion."""

    text = forms.CharField(required=False, strip=False)
    seat = forms.CharField(required=False, strip=False)
    choose = forms.CharField(required=False, strip=False)
    seen = forms.CharField(required=False)

    def clean_text(self) -> str:
        """Refuse a text that is too long or cannot be shown."""
        text = str(self.cleaned_data["text"]).replace("\r\n", "\n")
        on_one_line = text.replace("\n", " ").replace("\t", " ")
        if len(text) > LONGEST or not is_clean_text(on_one_line, LONGEST):
            raise forms.ValidationError(str(TOO_LONG))
        return text

    @property
    def typed_text(self) -> str:
        """Return the typed text, cut to the length that the box accepts."""
        return str(self["text"].value() or "").replace("\r\n", "\n")[:LONGEST]

    @property
    def seen_entry(self) -> int:
        """Return the last entry that the page had shown."""
        return seen_number(self.cleaned_data.get("seen", ""))

    def lines(self, table: TableContext) -> str:
        """Return the lines, with the chosen suggestion (`2:Build Shrines`) in place of its line."""
        text = str(self.cleaned_data["text"])
        number, _colon, chosen = self.cleaned_data.get("choose", "").partition(":")
        lines, at = typed_lines(text), read_whole_number(number, 3)
        if at is None or at >= len(lines) or not chosen:
            return text
        seat, _rest = addressed(lines[at], speakers(table))
        lines[at] = f"{capitalize(table.name_of(seat))}: {chosen}" if seat else chosen
        return "\n".join(lines)


def chosen_seat(table: TableContext, asked: str) -> str:
    """Return the seat for which a line without a name speaks.

    It is the chosen seat, by default the reader's own seat, and then the seat whose slot is open.
    """
    if asked in table.names and (asked in table.own_seats or table.game_master):
        return asked
    if table.own_seats:
        return table.own_seats[0]
    return table.campaign.active_seat or GAME_MASTER


def seat_choices(table: TableContext) -> list[tuple[str, str]]:
    """Return the seats for which a game master may write; empty for all other readers."""
    if not table.game_master:
        return []
    seats = [(key, table.name_of(key)) for key in table.names if key != GAME_MASTER]
    return [*seats, (GAME_MASTER, table.name_of(GAME_MASTER))] if seats else []
