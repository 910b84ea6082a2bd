"""Additions to the next dice: words of the seats, and a public draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from campaign.clocks import selectors as clock_selectors
from campaign.clocks.selectors import WORDS
from campaign.dice import drand
from campaign.dice import selectors as dice_selectors
from campaign.dice import services as dice_services
from campaign.dice.selectors import Stage
from campaign.log.acts.dice import draw_name
from engine.language import sentence
from web.dice.forms import TypedMixing
from web.frame.dice_banners import has_fallen, late_seats, stage_title
from web.frame.table import TableContext

SOURCES: tuple[tuple[str, str | Promise], ...] = (
    (dice_services.LOTTO, gettext_lazy("Italian lottery")),
    (dice_services.DRAND, gettext_lazy("drand, a public random number every three seconds")),
    (dice_services.OTHER, gettext_lazy("another public number")),
)


@dataclass(frozen=True, slots=True)
class SeatWords:
    """The words of a seat."""

    seat: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of the reader that has not added words, and the typed text."""

    key: str
    name: str
    typed_text: str


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of the lottery and its seat."""

    wheel: str
    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class Mixed:
    """Words and draws that were mixed into earlier dice."""

    stage_title: str
    chain: int
    words: list[SeatWords]
    drawn: str
    url: str
    without: str
    source: str
    corrected: Sequence[str]
    truth: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words for the next dice."""

    given: list[SeatWords]
    open: bool
    late: str
    """The names of the seats that have not added words."""
    until: datetime | None
    own: list[OwnSeat]

    @property
    def nobody_added(self) -> bool:
        return bool(self.late) and not self.given

    @property
    def late_text(self) -> str:
        if not self.late:
            return _("Every seat has added words.")
        return _("Still missing: %(names)s.") % {"names": self.late}


@dataclass(frozen=True, slots=True)
class Draw:
    """The public draw for the next dice."""

    named: str
    """Empty until the game master has named the draw."""
    falls: datetime | None
    fallen: bool
    read_url: str
    """The address where a round of drand is published."""
    wheels: list[Wheel]
    choices: list[Wheel]
    """The wheels as offered by the form that names a draw."""
    drawn: str
    url: str
    corrected: Sequence[str]
    truth: str
    is_false: bool
    is_signed: bool
    without: str

    @property
    def is_pending(self) -> bool:
        return not self.drawn and not self.fallen

    @property
    def can_fetch(self) -> bool:
        return bool(self.read_url) and not self.drawn

    @property
    def enter_verb(self) -> str:
        return _("Enter it again") if self.drawn else _("Enter the draw")

    @property
    def enter_label(self) -> str:
        return _("The draw as printed") if self.wheels else pgettext("field", "Result of the draw")

    @property
    def name_verb(self) -> str:
        return _("Name another draw") if self.named else pgettext("button", "Name the draw")


@dataclass(frozen=True, slots=True)
class MixingStage:
    """The words and the draw that the next dice wait for."""

    stage_title: str
    done: bool
    words: Words | None
    """None if no words are mixed in."""
    draw: Draw | None


@dataclass(frozen=True, slots=True)
class MixingSheet:
    """The words and draws mixed into the dice, and the forms to add them."""

    past: list[Mixed]
    stage: MixingStage | None
    error: str
    form_values: TypedMixing
    zone: str
    may_object: bool
    master: bool

    @property
    def heading(self) -> str:
        if self.stage is None:
            return _("Mixed into the dice")
        return sentence(_("Mixed into the dice of {turn}"), turn=self.stage.stage_title)

    @property
    def is_readers(self) -> bool:
        words = self.stage.words if self.stage is not None else None
        return self.master or bool(words and words.own)

    @property
    def sources(self) -> tuple[tuple[str, str | Promise], ...]:
        return SOURCES


def mixing_sheet(table: TableContext, typed_mixing: TypedMixing, error: str) -> MixingSheet | None:
    """Return the sheet; None if nothing is mixed in. `error` is why `typed_mixing` was refused."""
    campaign = table.campaign
    if not campaign.chance:
        return None
    stage, stages = dice_selectors.next_stage(campaign), dice_selectors.stages(campaign)
    return MixingSheet(
        past=[mixed(table, past) for past in reversed(stages) if past.done],
        stage=mixing_stage(table, stage, stages, typed_mixing) if stage is not None else None,
        error=error,
        form_values=typed_mixing,
        zone=campaign.time_zone,
        may_object=bool(table.own_seats) and stage is not None and bool(stage.drawn),
        master=table.host and not campaign.ended and stage is not None,
    )


def mixed(table: TableContext, stage: Stage) -> Mixed:
    return Mixed(
        stage_title=stage_title(stage),
        chain=stage.chain,
        words=words_of(table, stage),
        drawn=stage.drawn,
        url=stage.url,
        without=stage.without,
        source=draw_name(stage.named) if stage.named else "",
        corrected=stage.corrected,
        truth=draw_truth(stage),
    )


def mixing_stage(
    table: TableContext, stage: Stage, stages: Sequence[Stage], typed_mixing: TypedMixing
) -> MixingStage:
    return MixingStage(
        stage_title=stage_title(stage),
        done=stage.done,
        words=next_words(table, stage, typed_mixing) if stage.needs_words else None,
        draw=next_draw(table, stage, stages, typed_mixing) if stage.needs_draw else None,
    )


def next_words(table: TableContext, stage: Stage, typed_mixing: TypedMixing) -> Words:
    late, is_open = late_seats(table, stage), stage.takes_words(timezone.now())
    clock = clock_selectors.clock_of(table.clocks, WORDS)
    ends = [at for at in (stage.falls_at, clock.due_at if clock else None) if at is not None]
    text = typed_mixing.text if typed_mixing.do == "words" else ""
    return Words(
        given=words_of(table, stage),
        open=is_open,
        late=", ".join(table.name_of(seat) for seat in late),
        until=min(ends, default=None),
        own=[
            OwnSeat(seat, table.name_of(seat), text if typed_mixing.seat == seat else "")
            for seat in table.own_seats
            if seat in late and is_open
        ],
    )


def words_of(table: TableContext, stage: Stage) -> list[SeatWords]:
    return [SeatWords(seat, table.name_of(seat), text) for seat, text in stage.words.items()]


def next_draw(
    table: TableContext, stage: Stage, stages: Sequence[Stage], typed_mixing: TypedMixing
) -> Draw:
    named: Mapping[str, Any] = stage.named or {}
    is_drand = named.get("source") == dice_services.DRAND
    usual = usual_wheels(table, [stage, *reversed(stages)])
    choices = {
        wheel: typed_mixing.wheels.get(wheel, usual.get(wheel, ""))
        for wheel in dice_services.WHEELS
    }
    return Draw(
        named=draw_name(named) if named else "",
        falls=stage.falls_at,
        fallen=has_fallen(stage, timezone.now()),
        read_url=drand.address(named["round"]) if is_drand else "",
        wheels=wheels_of(table, named.get("wheels", {})),
        choices=[Wheel(wheel, seat, "") for wheel, seat in choices.items()],
        drawn=stage.drawn,
        url=stage.url,
        corrected=stage.corrected,
        truth=draw_truth(stage),
        is_false=bool(stage.true_draw),
        is_signed=bool(stage.signature),
        without=stage.without,
    )


def wheels_of(table: TableContext, wheels: Mapping[str, str]) -> list[Wheel]:
    return [Wheel(wheel, seat, table.name_of(seat)) for wheel, seat in wheels.items()]


def usual_wheels(table: TableContext, stages: Sequence[Stage]) -> dict[str, str]:
    """Return the wheels as they were last named, by default a wheel for each nation in order."""
    for stage in stages:
        if stage.named and stage.named.get("wheels"):
            return dict(stage.named["wheels"])
    seats = [seat.key for seat in table.seats][: dice_services.MOST_WHEELS]
    return dict(zip(dice_services.WHEELS, seats, strict=False))


def draw_truth(stage: Stage) -> str:
    """Return a sentence on whether a draw is true; empty if the server does not know it."""
    if stage.true_draw:
        text = _("This number is false. The round’s number is %(number)s: drand signed it.")
        return text % {"number": stage.true_draw}
    if stage.signature:
        return _("The server has verified drand’s signature of this number.")
    if stage.entered_by_hand:
        return _("The game master has typed this number. The server has not confirmed it yet.")
    return ""
