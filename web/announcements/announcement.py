"""A move as a form announces it: its mover, its seat, its offer, its record form."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import review, services
from campaign.models import GAME_MASTER, AccessLogEntry
from engine.errors import IllegalMove
from engine.language import plain_name
from web.frame.requests import inside_this_site
from web.frame.table import TableContext
from web.moves.forms import FormRefusal, MoveForm, complete, missing, where_wrong
from web.moves.offers import OfferCard, OpenForm, SeatOffers

EXPLAINED_BY_RULES = ("text", "number", "shares")
"""Kinds of fields for which the rules give the best message if they are missing."""


class Announcement:
    """A posted move. `offer` is None if the move is no longer offered.

    Raises `PermissionDenied` if the reader may not move for the seat.
    """

    def __init__(self, table: TableContext, data: QueryDict) -> None:
        self.table, self.form = table, MoveForm(data)
        self.seat = self._seat()
        self.by = self._mover()
        self.actor = SeatOffers(table, self.seat)
        self.actor.by = self.by
        if self.by != self.seat:
            services.log_access(table.campaign, table.user, self.seat, AccessLogEntry.Way.MOVE)
        self.offer = self.actor.offer(self.form.offer_key)
        self.raw = self.form.raw(self.offer, self.by, self.seat)
        self.arguments = self.form.arguments(self.offer)
        if self.seat == GAME_MASTER:
            self._must_see_hands()

    def _seat(self) -> str:
        """Return the seat of the form, by default the reader's first seat."""
        table = self.table
        if self.form.seat_key in table.names:
            return self.form.seat_key
        return table.own_seats[0] if table.own_seats else GAME_MASTER

    def _mover(self) -> str:
        """Return the mover: the seat itself, or the game master for it."""
        is_by_master = self.form.is_by_game_master or self.seat == GAME_MASTER
        by = GAME_MASTER if is_by_master else self.seat
        if by not in self.table.access.voices:
            raise PermissionDenied(_("This is not your seat."))
        return by

    def _must_see_hands(self) -> None:
        """Raise `PermissionDenied` if the game master's move needs a hand closed to them."""
        table = self.table
        filled = complete(self.offer, self.arguments) if self.offer else {}
        hands = review.seats_revealed(table.campaign, table.access, {**filled, **self.raw})
        if not all(table.access.opens(hand) for hand in hands):
            raise PermissionDenied(_("You have not opened this hand. Open it first."))

    @property
    def seen(self) -> int:
        """Return the last entry that the page of the form showed."""
        return self.form.seen_entry

    @property
    def for_nation(self) -> bool:
        """Return whether the game master moves for the seat."""
        return self.by != self.seat

    @property
    def seat_name(self) -> str:
        return self.table.name_of(self.seat)

    @property
    def back(self) -> str:
        """Return the page of the form if this site has it, otherwise the page of the seat."""
        table = self.table
        if back := inside_this_site(table.request, self.form.text_of("back"), "/c/"):
            return back
        return table.url("desk") if self.seat == GAME_MASTER else table.url("nation", self.seat)

    @property
    def is_on_nation_page(self) -> bool:
        """Return whether the form is on the page of its nation."""
        if self.seat == GAME_MASTER:
            return False
        return self.back.split("?")[0] == self.table.url("nation", self.seat)

    @property
    def name(self) -> str:
        if self.offer is not None:
            return self.actor.words.offer_name(self.offer)
        return plain_name(str(self.raw["move"]))

    @property
    def verb(self) -> str:
        return (
            self.actor.verb(self.offer)
            if self.offer is not None
            else pgettext("button", "Announce")
        )

    @property
    def sentence(self) -> str:
        """Return the move as a sentence, with the nation that makes it."""
        line = f"{self.move_line()}."
        return line if self.seat == GAME_MASTER else f"{self.seat_name} {line}"

    def move_line(self) -> str:
        """Return the move in words; only its name if an argument for the words is missing."""
        try:
            return self.table.title.move_line(self.table.scenario, self.raw)
        except (KeyError, TypeError, ValueError, AttributeError):
            return self.name

    def hidden(self, *, sure: bool = False) -> list[tuple[str, str]]:
        """Return the whole form as hidden fields, with the last entry that the reader now sees."""
        fields = [*self.form.repeated_fields, ("seen", str(self.table.seen))]
        return [*fields, ("sure", "1")] if sure else fields

    def missing_choice(self) -> FormRefusal | None:
        """Return a refusal if a field was not chosen; None if the rules have the better message."""
        field = missing(self.offer, self.arguments) if self.offer is not None else None
        if self.offer is None or field is None or field.kind in EXPLAINED_BY_RULES:
            return None
        label = self.actor.words.field_label(self.offer, field)
        return FormRefusal(
            pgettext("announcements", "%(field)s: choose a value.") % {"field": label},
            "",
            field.key,
        )

    def wrong(self, refusal: IllegalMove) -> FormRefusal:
        """Return a refusal of the rules with the field that it concerns."""
        field = where_wrong(self.offer, self.arguments, refusal)
        return FormRefusal(self.actor.sentence(refusal), refusal.rule, field)

    def opened(self, wrong: FormRefusal | None = None) -> OpenForm:
        """Return the form with the typed data, so that the page of the nation shows it open."""
        return OpenForm(self.form.offer_key, self.form.post_data, wrong)

    def card(self, wrong: FormRefusal | None) -> OfferCard | None:
        """Return the offer with its form open; None if the move is no longer offered."""
        if self.offer is None:
            return None
        return self.actor.card(self.offer, self.back, self.arguments, wrong)
