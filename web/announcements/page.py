"""The pages between a form and its move: questions and refusals."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from web.announcements.announcement import Announcement
from web.log.lines import LogRow
from web.moves.forms import FormRefusal
from web.moves.offers import SLOT, OfferCard
from web.moves.own_seats import OwnSeats
from web.moves.preview import Follow


@dataclass(frozen=True, slots=True)
class Question:
    """The question before a move that cannot be taken back."""

    author: str
    name: str
    sentence: str
    seat: str
    follow: Follow | None
    """The consequences; None if `why` says everything that concerns the reader."""
    why: str
    own_seats: OwnSeats | None
    hidden: list[tuple[str, str]]
    verb: str
    back: str


@dataclass(frozen=True, slots=True)
class RefusedMove:
    """A refused move on a page of its own: its form, or only the reason if it has no offer now."""

    author: str
    name: str
    card: OfferCard | None
    wrong: FormRefusal | None
    back: str


@dataclass(frozen=True, slots=True)
class OvertakenMove:
    """A move that was not made because the table has moved on."""

    text: str
    since: list[LogRow]
    author: str
    name: str
    sentence: str
    seat: str
    wrong: FormRefusal | None
    follow: Follow | None
    why: str
    act: str
    """The URL name to which the form is sent."""
    hidden: list[tuple[str, str]]
    verb: str
    back: str


def question(
    announcement: Announcement, follow: Follow, why: str, own_seats: OwnSeats | None
) -> Question:
    """Return the question whether to announce a move."""
    author = announcement.seat_name
    if announcement.for_nation:
        author = _("%(who)s, by the game master") % {"who": author}
    return Question(
        author=author,
        name=announcement.name,
        sentence=announcement.sentence,
        seat=announcement.seat,
        follow=None if ends_slot_among_programs(announcement) else follow,
        why=why,
        own_seats=own_seats,
        hidden=announcement.hidden(sure=True),
        verb=announcement.verb,
        back=announcement.back,
    )


def ends_slot_among_programs(announcement: Announcement) -> bool:
    """Return whether the move ends the slot of a practice game.

    Its consequences are what the programs do next.
    """
    offer = announcement.offer
    return bool(announcement.table.campaign.programs) and offer is not None and offer.group == SLOT


def refused_move(
    announcement: Announcement, card: OfferCard | None, wrong: FormRefusal | None
) -> RefusedMove:
    """Return a refused move for a page of its own."""
    return RefusedMove(
        author=announcement.seat_name,
        name=announcement.name,
        card=card,
        wrong=wrong,
        back=announcement.back,
    )


def overtaken_move(
    announcement: Announcement,
    since: list[LogRow],
    wrong: FormRefusal | None,
    foreseen: tuple[Follow, str] | None,
    *,
    is_changed: bool,
) -> OvertakenMove:
    """Return a move after others have moved; `is_changed`: whether its consequences differ now."""
    follow, why = foreseen if foreseen is not None else (None, "")
    return OvertakenMove(
        text=overtaken_text(wrong, is_changed=is_changed),
        since=since,
        author=announcement.seat_name,
        name=announcement.name,
        sentence=announcement.sentence,
        seat=announcement.seat,
        wrong=wrong,
        follow=follow,
        why=why,
        act="announce" if wrong is None else "preview",
        hidden=announcement.hidden(sure=bool(why)),
        verb=_("Announce it again") if wrong is None else _("Choose again"),
        back=announcement.back,
    )


def overtaken_text(wrong: FormRefusal | None, *, is_changed: bool) -> str:
    """Return a sentence on whether the move is still possible."""
    if wrong is not None:
        return _("Your move was not made. It is no longer possible as it is.")
    if is_changed:
        return _(
            "Your move was not made, because it would now have other consequences. It is still "
            "possible."
        )
    return _("Your move was not made, but it is still possible.")
