"""A player's plan, read: nobody but who made it, and holds the seat, learns of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NotAllowed
from campaign.models import Campaign, Plan
from engine.errors import IllegalMove
from engine.strict_json import clean_text
from engine.title import Branch, Title

MOST = 30
"""Moves in a plan."""
LONGEST = 2000
"""Characters of one move, as canonical JSON."""
LONGEST_KEY = 40


class Foreseen(NamedTuple):
    """A planned move as it would be after those before it.

    `before` is the position then, None where a move before it stops the plan. `branches` are its ways to turn out, empty
    where a refusal or a die that cannot be told beforehand stands.
    """

    said: dict[str, Any]
    before: Any = None
    branches: tuple[Branch, ...] = ()
    refusal: IllegalMove | None = None

    @property
    def reached(self) -> bool:
        return self.before is not None

    @property
    def certain(self) -> bool:
        """Is it known what it does, and so what stands after it? Not where a die falls."""
        return len(self.branches) == 1 and self.branches[0].what.id == "certain"

    @property
    def die(self) -> bool:
        return self.reached and self.refusal is None and not self.certain

    @property
    def after(self) -> Any:
        """The position after it, as far as that is known."""
        return self.branches[0].after if self.certain else self.before


def mine(campaign: Campaign, user: Any, seat: str, who: access.Access | None = None) -> Plan:
    """This user's plan for a seat that he holds; an empty one, not stored, where he has none. Raises `NotAllowed`.

    `who` is his place at the table, where that has been asked for already.
    """
    if seat not in access.of(campaign, who or user).seats:
        raise NotAllowed("not-your-seat", _("Only who holds a seat makes plans for it, and nobody else sees them."))
    kept = Plan.objects.filter(campaign=campaign, user_id=user.pk, seat=seat).first()
    return kept or Plan(campaign=campaign, user=user, seat=seat)


def beside(campaigns: QuerySet[Campaign], user: Any, seat: str) -> QuerySet[Campaign]:
    """The same campaigns, each with `planned`: how many moves this user has planned for the seat (None: no plan of his).

    Of no seat: with `listed`, when a plan of his was changed last, for pages on which one may stand.
    """
    if not seat:
        plans_of_his = Plan.objects.filter(campaign=OuterRef("pk"), user_id=user.pk).order_by("-changed_at")
        return campaigns.annotate(listed=Subquery(plans_of_his.values("changed_at")[:1])) if user.pk else campaigns
    if not clean_text(seat, LONGEST_KEY):
        return campaigns
    kept = Plan.objects.filter(campaign=OuterRef("pk"), user_id=user.pk, seat=seat)
    return campaigns.annotate(planned=Subquery(kept.values("size")[:1]))


def foresee(title: Title, position: Any, moves: Iterable[dict[str, Any]]) -> list[Foreseen]:
    """Each move as it would be after those before it, to the first refusal or die; the rest is not reached.

    Nothing is thrown or written, the position stays as it is. Hidden things stand in what is made here: effects are for
    the reader's eyes to filter, as in a preview.
    """
    made: list[Foreseen] = []
    for said in moves:
        if made and not made[-1].certain:
            made.append(Foreseen(said))
            continue
        before = made[-1].after if made else position
        try:
            found = tuple(title.branches(before, title.decode(dict(said), before)))
        except IllegalMove as refusal:
            unknown = refusal.code == "no-dice"
            made.append(Foreseen(said, before, (), None if unknown else refusal))
        else:
            made.append(Foreseen(said, before, found))
    return made
