"""Read what the forms about seats post. The services check it, with messages of their own."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from campaign.models import Campaign
from engine.strict_json import whole
from games.contract.title import OrderKind
from people.validators import zones
from web.frame.posted import PostedForm, text_field

MOST_VALUES = 200
"""The number of values that one field of a standing order may have."""
MOST_BATTLES = 100
"""The number of battles that one form may attribute."""
OrderValue = str | list[str]


class SeatForm(PostedForm):
    """A button that concerns a seat."""

    seat = text_field()


class PersonForm(PostedForm):
    """A button that concerns a user, with the seat that they are to have, if any."""

    person = text_field()
    seat = text_field()


class CountersignerForm(PostedForm):
    """Name a user who is to countersign."""

    name = text_field()


class InvitationForm(PostedForm):
    """Revoke an invitation."""

    invitation = text_field()


class ProgramForm(PostedForm):
    """Let a program hold a free seat."""

    seat = text_field()
    level = text_field()
    reason = text_field()


class DescriptionForm(PostedForm):
    """The name of a campaign, its time zone, and who finds it."""

    name = forms.CharField(
        label=_("Name"),
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"id": "f-name", "maxlength": 60, "required": True}),
    )
    time_zone = forms.CharField(
        label=_("Time zone"), required=False, widget=forms.Select(attrs={"id": "f-zone"})
    )
    visibility = forms.CharField(
        label=_("Who finds it"), required=False, widget=forms.Select(attrs={"id": "f-vis"})
    )

    def offer_choices(self) -> None:
        """Fill the two lists; only a page that shows the form needs them."""
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
        """Return the version that the page had shown; -1 if it named none."""
        version = self.number("version")
        return -1 if version is None else version

    @property
    def leaves(self) -> bool:
        """Return whether the notes pass on to the next holder."""
        return bool(self["left"].value())


class RemedyForm(PostedForm):
    """What a game master does about an absent player."""

    battle = text_field()
    reason = text_field()
    person = text_field()
    forfeits = forms.MultipleChoiceField(required=False)

    @property
    def forfeited(self) -> set[int | None]:
        """Return the numbers of the battles that are attributed to the opponents."""
        return {whole(number) for number in (self["forfeits"].value() or [])[:MOST_BATTLES]}


class LookForm(PostedForm):
    """Open hidden hands, or close them; `back` is the address of the page that asks."""

    CLOSE = "close"

    do = text_field()
    back = text_field()

    @property
    def closes(self) -> bool:
        """Return whether the hands are closed again."""
        return self.typed("do") == self.CLOSE


class TurnQuery(PostedForm):
    """The turn since which a hand-over shows what has happened."""

    turn = text_field()


class AbsenceQuery(PostedForm):
    """The absence whose form an address opens."""

    change = text_field()


class OrdersQuery(PostedForm):
    """The order whose form an address opens, or the level of the program that suggests one."""

    change = text_field()
    suggest = text_field()


class ProgramQuery(PostedForm):
    """The seat whose form for a program an address opens."""

    program = text_field()


class AbsenceForm(PostedForm):
    """Which absence is changed, or taken back."""

    TAKE_BACK = "take-back"

    absence = text_field()
    do = text_field()

    @property
    def takes_back(self) -> bool:
        """Return whether the absence is taken back."""
        return self.typed("do") == self.TAKE_BACK


class OrdersForm(PostedForm):
    """Change the standing orders of a seat. `at` is the place of an order in the list."""

    REMOVE, CLEAR = "take-out", "clear"

    do = text_field()
    version = text_field()
    at = text_field()
    kind = text_field()
    when = text_field()

    @property
    def read_version(self) -> int:
        """Return the version that the page had shown; -1 if it named none."""
        version = self.number("version")
        return -1 if version is None else version

    @property
    def removes(self) -> bool:
        """Return whether one order or all orders are removed."""
        return self.typed("do") in (self.REMOVE, self.CLEAR)

    @property
    def clears(self) -> bool:
        """Return whether all orders are removed."""
        return self.typed("do") == self.CLEAR


def order_values(kind: OrderKind, posted: QueryDict) -> dict[str, OrderValue]:
    """Return the parts of an order as they were typed. The title checks them."""
    return {
        field.key: (
            [value for value in posted.getlist(field.key)[:MOST_VALUES] if value]
            if field.several
            else posted.get(field.key, "")
        )
        for field in kind.fields
    }
