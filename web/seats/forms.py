"""The forms about seats. The services check the values, with their own messages."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import pgettext_lazy

from campaign.models import Campaign
from engine.strict_json import read_whole_number
from games.contract.title import OrderKind
from people.validators import zones
from web.frame.raw_forms import PostedForm, text_field
from web.frame.requests import seen_number

MOST_VALUES = 200
"""The largest number of values in one field of a standing order."""
MOST_BATTLES = 100
"""The largest number of battles that one form may attribute to opponents."""
OrderValue = str | list[str]


class SeatForm(PostedForm):
    """A button about a seat."""

    seat = text_field()


class PersonForm(PostedForm):
    """A button about a user, with the seat that they get, if any."""

    person = text_field()
    seat = text_field()


class CountersignerForm(PostedForm):
    """The name of a user who is to countersign."""

    name = text_field()


class InvitationForm(PostedForm):
    """The invitation that is revoked."""

    invitation = text_field()


class ProgramForm(PostedForm):
    """The program that is to play a free seat."""

    seat = text_field()
    level = text_field()
    reason = text_field()


class FillForm(PostedForm):
    """The level of the programs that are to play all free seats."""

    level = text_field()


class StartForm(PostedForm):
    """The start of a campaign. `seen` is the last entry that the page had shown."""

    FILL = "fill"

    do = text_field()
    seen = text_field()

    @property
    def fills(self) -> bool:
        """Whether programs take the free seats first."""
        return self.text_of("do") == self.FILL

    @property
    def seen_entry(self) -> int:
        return seen_number(self.text_of("seen"))


class DescriptionForm(PostedForm):
    """The name, the time zone and the visibility of a campaign."""

    name = forms.CharField(
        label=pgettext_lazy("field", "Name"),
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"id": "f-name", "maxlength": 60, "required": True}),
    )
    time_zone = forms.CharField(
        label=pgettext_lazy("field", "Time zone"),
        required=False,
        widget=forms.Select(attrs={"id": "f-zone"}),
    )
    visibility = forms.CharField(
        label=pgettext_lazy("field", "Who can find it"),
        required=False,
        widget=forms.Select(attrs={"id": "f-vis"}),
    )

    def offer_choices(self) -> None:
        """Fill the two lists, which only a page that shows the form needs."""
        self.fields["time_zone"].widget.choices = [
            (zone, zone.replace("_", " ")) for zone in zones()
        ]
        self.fields["visibility"].widget.choices = Campaign.Visibility.choices


class NoteForm(PostedForm):
    """The notes of a seat's holder, with the version that the page had shown."""

    version = text_field()
    text = text_field()
    left = forms.BooleanField(required=False)

    @property
    def read_version(self) -> int:
        """The version that the page had shown; -1 if it named none."""
        version = self.number_of("version")
        return -1 if version is None else version

    @property
    def leaves(self) -> bool:
        """Whether the notes pass on to the next holder."""
        return bool(self["left"].value())


class RemedyForm(PostedForm):
    """The game master's remedy for an absent player."""

    battle = text_field()
    reason = text_field()
    person = text_field()
    forfeits = forms.MultipleChoiceField(required=False)

    @property
    def forfeited(self) -> set[int | None]:
        """The numbers of the battles that are attributed to the opponents."""
        return {
            read_whole_number(number) for number in (self["forfeits"].value() or [])[:MOST_BATTLES]
        }


class LookForm(PostedForm):
    """The opening or the closing of hidden hands; `back` is the address of the page that asks."""

    CLOSE = "close"

    do = text_field()
    back = text_field()

    @property
    def closes(self) -> bool:
        """Whether the hands are closed again."""
        return self.text_of("do") == self.CLOSE


class TurnQuery(PostedForm):
    """The turn from which on a hand-over lists the entries."""

    turn = text_field()


class AbsenceQuery(PostedForm):
    """The absence whose form an address opens."""

    change = text_field()


class OrdersQuery(PostedForm):
    """The order whose form an address opens, or the level of the program that suggests an order."""

    change = text_field()
    suggest = text_field()


class ProgramQuery(PostedForm):
    """The seat whose form for a program an address opens."""

    program = text_field()


class AbsenceForm(PostedForm):
    """The absence that is changed or taken back."""

    TAKE_BACK = "take-back"

    absence = text_field()
    do = text_field()

    @property
    def takes_back(self) -> bool:
        """Whether the absence is taken back."""
        return self.text_of("do") == self.TAKE_BACK


class OrdersForm(PostedForm):
    """A change of a seat's standing orders. `at` is the place of an order in the list."""

    REMOVE, CLEAR = "take-out", "clear"

    do = text_field()
    version = text_field()
    at = text_field()
    kind = text_field()
    when = text_field()

    @property
    def read_version(self) -> int:
        """The version that the page had shown; -1 if it named none."""
        version = self.number_of("version")
        return -1 if version is None else version

    @property
    def removes(self) -> bool:
        """Whether one order or all orders are removed."""
        return self.text_of("do") in (self.REMOVE, self.CLEAR)

    @property
    def clears(self) -> bool:
        """Whether all orders are removed."""
        return self.text_of("do") == self.CLEAR


def order_values(kind: OrderKind, post_data: QueryDict) -> dict[str, OrderValue]:
    """Return the typed fields of an order. The title checks them."""
    return {
        field.key: (
            [value for value in post_data.getlist(field.key)[:MOST_VALUES] if value]
            if field.several
            else post_data.get(field.key, "")
        )
        for field in kind.fields
    }
