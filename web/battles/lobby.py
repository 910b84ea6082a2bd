"""The lobby in the computer game, agreements to another way of fighting, and substitutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from battles import projection as battles_projection
from battles import services as battle_services
from battles.models import Battle
from campaign.log.acts.battles import SET_UP
from campaign.models import LogEntry, Membership
from web.battles.acts import FormState, owns_mare_nostrum
from web.battles.forms import ShownForm, SubstituteForm
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome
from web.titles.contract import pages_of


@dataclass(frozen=True, slots=True)
class LobbySheet:
    """The lobby: whether it is set up, and its password.

    `password` is None unless it is shown.
    """

    has_password: bool
    password: str | None
    may_set_password: bool
    set_up: datetime | None
    may_set_up: bool
    refusal: ActionOutcome | None

    @property
    def password_label(self) -> str:
        return (
            pgettext("field", "New password")
            if self.has_password
            else pgettext("field", "Set a password")
        )


def lobby_sheet(
    table: TableContext, battle: Battle, acts: Sequence[LogEntry], form_state: FormState
) -> LobbySheet | None:
    """Return the lobby of a running battle; None if the reader may not read its password."""
    if battle.resolved_at is not None or not battle_services.may_read_password(
        table.access, battle
    ):
        return None
    password = battle_services.password(battle, table.access)
    set_up = next((entry.at for entry in acts if entry.act == SET_UP.name), None)
    fights = bool(battles_projection.sides(battle, table.access))
    can_be_set_up = battle.status != "challenged" and battle.number not in table.live_claims
    return LobbySheet(
        has_password=password is not None,
        password=password if ShownForm(form_state.data).shows_password else None,
        may_set_password=fights,
        set_up=set_up,
        may_set_up=fights and set_up is None and can_be_set_up,
        refusal=form_state.refusal("password", "set-up"),
    )


@dataclass(frozen=True, slots=True)
class AgreementSheet:
    """Another way of fighting, and which sides agree to it.

    `speaks` is true if the reader may agree for a side, `has_agreed` if they have done so, and
    `owns` if they own the game that this way of fighting needs.
    """

    key: str
    text: str
    rule: str
    yes: list[str]
    no: list[str]
    is_agreed: bool
    speaks: bool
    has_agreed: bool
    owns: bool
    refusal: ActionOutcome | None

    @property
    def state_text(self) -> str:
        if self.is_agreed:
            return _("Both sides agree: the result can be claimed.")
        return self._half_agreed_text() if self.yes else _("No one has agreed yet.")

    @property
    def missing_text(self) -> str:
        """Return which sides have not agreed yet."""
        if self.yes:
            return self._half_agreed_text()
        if len(self.no) > 1:
            facts = {"one": self.no[0], "other": self.no[1]}
            return _("%(one)s and %(other)s: not agreed yet.") % facts
        return _("%(one)s: not agreed yet.") % {"one": "".join(self.no)}

    def _half_agreed_text(self) -> str:
        facts = {"yes": ", ".join(self.yes), "no": ", ".join(self.no)}
        return _("%(yes)s: agreed. %(no)s: not agreed yet.") % facts


def agreement_sheet(
    table: TableContext, battle: Battle, acts: Sequence[LogEntry], form_state: FormState
) -> AgreementSheet | None:
    """Return the agreement that a running battle allows; None if it allows none."""
    forms = pages_of(table.title.key).battle_forms
    if forms is None or battle.resolved_at is not None:
        return None
    ways = forms.agreements(battle.facts)
    if not ways:
        return None
    key, way = next(iter(ways.items()))
    agreed_seats = battles_projection.agreements(battle, acts).get(key, set())
    seats = [seat for seat in battle.parties if seat]
    own_seats = [seat for seat in seats if seat in table.own_seats]
    return AgreementSheet(
        key=key,
        text=way.text,
        rule=way.rule,
        yes=[table.name_of(seat) for seat in seats if seat in agreed_seats],
        no=[table.name_of(seat) for seat in seats if seat not in agreed_seats],
        is_agreed=all(seat in agreed_seats for seat in battle.parties),
        speaks=bool(own_seats),
        has_agreed=bool(own_seats) and own_seats[0] in agreed_seats,
        owns=owns_mare_nostrum(table),
        refusal=form_state.refusal("agree"),
    )


@dataclass(frozen=True, slots=True)
class SubstituteOfSide:
    """The substitute of a side, or the form that names a substitute if `person` is empty.

    `instead` names the holder of the seat. `speaks` is true if the reader speaks for the seat,
    `is_reader` if the reader is the substitute.
    """

    seat: str
    name: str
    person: str
    since: datetime | None
    instead: str
    is_reader: bool
    speaks: bool
    is_wrong: bool
    typed_name: str

    @property
    def may_end(self) -> bool:
        return self.speaks or self.is_reader

    @property
    def end_text(self) -> str:
        return _("Step down") if self.is_reader else pgettext("battles", "End the substitution")


@dataclass(frozen=True, slots=True)
class SubstituteSheet:
    """The substitutes of both sides (RULES 11)."""

    sides: list[SubstituteOfSide]
    refusal: ActionOutcome | None


def substitute_sheet(
    table: TableContext,
    battle: Battle,
    substitutes: Mapping[str, Membership],
    form_state: FormState,
) -> SubstituteSheet | None:
    """Return the sides with a substitute, and those for which the reader may name a substitute."""
    if battle.resolved_at is not None:
        return None
    seats = [
        seat
        for seat in battle.parties
        if seat in substitutes or (seat and table.access.speaks_for(seat))
    ]
    if not seats:
        return None
    return SubstituteSheet(
        sides=[_substitute_of(table, seat, substitutes.get(seat), form_state) for seat in seats],
        refusal=form_state.refusal("substitute", "end-substitute"),
    )


def _substitute_of(
    table: TableContext, seat: str, place: Membership | None, form_state: FormState
) -> SubstituteOfSide:
    form = SubstituteForm(form_state.data)
    is_wrong = form_state.refusal("substitute") is not None and form.text_of("side") == seat
    return SubstituteOfSide(
        seat=seat,
        name=table.name_of(seat),
        person=place.user.username if place is not None else "",
        since=place.since if place is not None else None,
        instead=", ".join(table.holders(seat)),
        is_reader=place is not None and place.user_id == table.user.pk,
        speaks=bool(seat) and table.access.speaks_for(seat),
        is_wrong=is_wrong,
        typed_name=form.text_of("name") if is_wrong else "",
    )
