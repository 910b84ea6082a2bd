"""The challenges and claims of results that a nation has to answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from battles.models import Claim
from engine.language import sentence
from web.frame.deadlines import Due, deadline_of_battle, then_text, with_moments
from web.frame.table import TableContext
from web.moves.chances import OwnChance
from web.moves.offers import OfferCard, SeatOffers
from web.nation.contract import ChallengeText
from web.titles.contract import pages_of


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline as a sentence, the time that is left, and what happens when it passes."""

    text: SafeString
    left: str
    tone: str
    then: SafeString


@dataclass(frozen=True, slots=True)
class ClaimToAnswer:
    """A claimed result that the nation has to answer."""

    battle: int
    title: str
    text: str
    at: datetime
    deadline: Deadline | None
    url: str
    verb: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """An attack that has to be answered, with the possible answers."""

    number: int
    title: str
    text: str
    url: str
    deadline: Deadline | None
    cards: list[OfferCard]

    @property
    def chance(self) -> OwnChance | None:
        """Return the chances of the seat if it accepts and a model decides the battle."""
        chances = [card.follow.chance for card in self.cards if card.follow is not None]
        return next((chance for chance in chances if chance is not None), None)


@dataclass(frozen=True, slots=True)
class Challenges:
    """The sheet of challenges."""

    heading: str
    chip: str
    challenges: list[Challenge]


def deadline(due: Due | None, text: str) -> Deadline | None:
    """Return a deadline; `text` is its sentence with the placeholder `at`."""
    if due is None:
        return None
    return Deadline(with_moments(text, at=due.at), due.left, due.tone, then_text(due))


def claims_to_answer(actor: SeatOffers, *, for_nation: bool) -> list[ClaimToAnswer]:
    """Return the claims that this seat has to answer, for a reader who may answer them."""
    if actor.by is None:
        return []
    table, claimed = actor.table, []
    claims = table.live_claims
    for wait in table.waited_for:
        claim = claims.get(wait.contest) if wait.contest is not None else None
        if claim is not None and wait.seat == actor.seat:
            claimed.append(claim_to_answer(table, claim, actor.seat, for_nation=for_nation))
    return claimed


def claim_to_answer(
    table: TableContext, claim: Claim, seat: str, *, for_nation: bool
) -> ClaimToAnswer:
    actor = claim.entry.actor
    facts = {
        "who": actor.username if actor else table.name_of(claim.seat),
        "number": claim.number,
    }
    if for_nation:
        wait = _(
            "It waits until {name:the} {name:confirm or dispute|confirms or disputes} it. You can "
            "decide it."
        )
        text, until, verb = (
            sentence(wait, name=table.name_of(seat)),
            _("Due %(at)s."),
            pgettext("nation", "View it"),
        )
    else:
        text = _(
            "Nothing is posted until you confirm it. If the battle was played differently, "
            "dispute it, and the game master will decide."
        )
        until, verb = _("Confirm or dispute by %(at)s."), _("Confirm or dispute")
    return ClaimToAnswer(
        battle=claim.number,
        title=_("%(who)s has claimed the result of battle #%(number)s") % facts,
        text=text,
        at=claim.entry.at,
        deadline=deadline(deadline_of_battle(table, claim.number), until),
        url=table.url("battle", claim.number) + "#claim",
        verb=verb,
    )


def challenges(
    actor: SeatOffers, cards: Iterable[OfferCard], *, for_nation: bool
) -> Challenges | None:
    """Return the challenges with their answers; None if there is nothing to answer."""
    by_attack: dict[object, list[OfferCard]] = {}
    for card in cards:
        by_attack.setdefault(card.offer.given.get("attack"), []).append(card)
    if not by_attack:
        return None
    attacks = [challenge(actor.table, number, group) for number, group in by_attack.items()]
    heading = ngettext("%(n)s attack to answer", "%(n)s attacks to answer", len(attacks))
    name = actor.table.name_of(actor.seat)
    return Challenges(
        heading=heading % {"n": len(attacks)},
        chip=sentence(_("waits for {name:the}"), name=name)
        if for_nation
        else pgettext("nation", "waits for you"),
        challenges=attacks,
    )


def challenge(table: TableContext, number: object, cards: list[OfferCard]) -> Challenge:
    """Return a challenge. Attacks without a number have no text and no deadline."""
    title, text = pages_of(table.title.key).nation, ChallengeText(_("A challenge"), "", "")
    known = number if isinstance(number, int) else None
    if title is not None and known is not None:
        text = title.challenge_text(table, known)
    due = deadline_of_battle(table, known) if known is not None else None
    return Challenge(
        number=known or 0,
        title=text.title,
        text=text.text,
        url=text.url,
        deadline=deadline(due, pgettext("nation", "Answer by %(at)s.")),
        cards=cards,
    )
