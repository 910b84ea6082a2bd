"""Moves: what one would do, saying it, taking it back, putting it in force again. The door is that of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.once import REPLAYED, once
from api.problems import problem
from api.serializers import moves as forms
from api.serializers.log import EntryLine
from api.views.base import Here, OfCampaign, effect, speaks_for, written
from api.views.log import lines
from api.views.writing import Speaking, fresh, moved_on
from campaign import hand, selectors, services
from campaign.errors import CannotUndo, NotNow, TableMovedOn
from campaign.models import LogEntry
from campaign.services.undoing import reveals
from engine.effects import Say
from engine.errors import IllegalMove
from engine.title import Branch

CERTAIN = "certain"


class PreviewView(OfCampaign):
    writes = False

    @extend_schema(summary="What a move would do", request=forms.Said, responses=forms.Preview)
    def post(self, request: Request, ref: str) -> Response:
        """Its ways to turn out with their exact chances, effects as you may see them. Refused as the move would be."""
        said = forms.Said(data=request.data)
        said.is_valid(raise_exception=True)
        here, move = self.here, said.validated_data["move"]
        speaks_for(here, move)
        try:
            found = services.preview(here.campaign, here.user, move)
            branches, move = found.branches, found.move
        except IllegalMove as refusal:
            if refusal.code != "no-dice":
                raise
            branches = ()
        sure = len(branches) == 1 and branches[0].what.id == CERTAIN
        told = {
            "move": move, "text": line(here, move), "ways": [way(here, one) for one in branches],
            "undoable": sure and str(move.get("by")) in here.access.seats and not reveals(branches[0].effects),
        }  # fmt: skip
        return self.told(forms.Preview, told)


class MovesView(Speaking):
    form = forms.Saying

    @extend_schema(
        summary="Say a move", request=forms.Saying, responses={201: forms.Receipt, 200: forms.Receipt, 202: forms.Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """201 with what was written. 202 where it waits for a die that is thrown elsewhere. 200 where you have said just this,
        with the same `seen`, before: it is not said again. 409 with the new `seen` where the table has moved on."""
        said = self.form(data=request.data)
        said.is_valid(raise_exception=True)
        move, seen = said.validated_data["move"], said.validated_data["seen"]
        return once(request, lambda: self.say(move, seen))

    def say(self, move: Mapping[str, Any], seen: int) -> Response:
        here = self.here
        speaks_for(here, move)
        try:
            result = services.play(here.campaign, here.user, dict(move), seen)
        except TableMovedOn as moved:
            made = self.said_before(moved.entries, move)
            return self.receipt(made, made[-1].sequence, 200, **{REPLAYED: "true"}) if made else moved_on(here, moved)
        except NotNow as refusal:
            waits = self.waits_already(move) if refusal.code == "awaits-die" else None
            if waits is None:
                raise
            return self.receipt([waits], waits.sequence, 202, **{REPLAYED: "true"})
        except IllegalMove as refusal:
            return self.refused(refusal)
        return self.receipt(result.entries, 0, 201 if result.entries[-1].is_move else 202)

    def refused(self, refusal: IllegalMove) -> Response:
        """422. Where an earlier part of the move threw a die, that part stands: then what was written is told, too."""
        before, now = self.here.campaign.last_sequence, fresh(self.here)
        made = [one for one in selectors.between(now.campaign, before) if one.actor_id == self.here.user.pk]
        more = {"seen": now.seen, "entries": written(EntryLine, lines(now, made))} if made else {}
        return problem(422, refusal.code, refusal.sentence or str(refusal), rule=refusal.rule, **more)

    def spoken(self, move: Mapping[str, Any]) -> dict[str, Any]:
        """The move with its voice."""
        return {"by": (self.here.access.voices or ("",))[0], **move}

    def said_before(self, moved: Iterable[LogEntry], move: Mapping[str, Any]) -> list[LogEntry]:
        """The entries of this very move by this very person, if they are the first since `seen`: a lost answer, a key pressed
        twice. A move may be two entries; then the second is the move."""
        first = list(moved)[:2]
        for at, entry in enumerate(first):
            if not entry.is_move or entry.struck_by_id is not None or entry.actor_id != self.here.user.pk:
                return []
            if entry.said == self.spoken(move):
                return first[: at + 1]
        return []

    def waits_already(self, move: Mapping[str, Any]) -> LogEntry | None:
        """The act that parked this very move, if it was this very person's."""
        now = fresh(self.here).campaign
        waits = hand.awaited(now)
        if waits is None or waits.move != self.spoken(move):
            return None
        acts = now.entries.filter(kind=LogEntry.Kind.TABLE, act=hand.ACT, how="parked")
        last = acts.order_by("sequence").last()
        return last if last is not None and last.actor_id == self.here.user.pk else None


class UndoView(Speaking):
    form = forms.Undo

    @extend_schema(summary="What you may take back", responses=forms.OwnUndo)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        try:
            found, why = list(services.own_undos(here.campaign, here.access)), None
        except CannotUndo as error:
            found, why = [], {"code": error.code, "rule": "", "text": str(error)}
        return self.told(forms.OwnUndo, {"entries": lines(here, found), "refusal": why, "seen": here.seen})

    @extend_schema(summary="Take moves back", request=forms.Undo, responses={201: forms.Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """Your own last move, or all from `first` on, until a die was thrown, a card shown, or another has moved. The game
        master says `after` which entry all is struck, with a reason that everybody reads."""
        return self.act(request, self.undo)

    def undo(self, said: Mapping[str, Any]) -> list[LogEntry]:
        here, seen = self.here, said["seen"]
        if "after" in said and "first" in said:
            raise ValidationError({"after": [_("Either your own moves (`first`), or all after an entry.")]})
        if "after" in said:
            return [services.undo_to(here.campaign, here.user, said["after"], said["reason"], seen)]
        return [services.undo_own(here.campaign, here.user, seen, said.get("first"))]


class RestoreView(Speaking):
    form = forms.Restore

    @extend_schema(summary="Put back what an undo struck", request=forms.Restore, responses={201: forms.Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, while nothing was played since."""
        return self.act(request, self.restore)

    def restore(self, said: Mapping[str, Any]) -> list[LogEntry]:
        here = self.here
        return [services.restore(here.campaign, here.user, said["entry"], said["reason"], said["seen"])]


def line(here: Here, move: Mapping[str, Any]) -> str:
    """The move as a sentence; empty where the sentence wants what was not said."""
    try:
        return here.title.move_line(here.scenario, move)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""


def way(here: Here, one: Branch) -> dict[str, Any]:
    """`services.preview` has left out what its reader may not see."""
    favourable, of = one.chance
    return {
        "what": one.what.id, "text": ", ".join(spoken(here, say) for say in one.path),
        "chance": {"favourable": favourable, "of": of}, "effects": [effect(here, each) for each in one.effects],
    }  # fmt: skip


def spoken(here: Here, say: Say) -> str:
    """What a die decided; a rule's refusal, where what was left of the move is not possible any more."""
    try:
        return here.say(say)
    except KeyError:
        return here.why_not(IllegalMove(say.id, say.rule, **say.facts))
