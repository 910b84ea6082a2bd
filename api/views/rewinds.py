"""What an undo or a restoration would change before it is said, and how it stood in what one has struck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import rewinds as form
from api.serializers.moves import FAR
from api.views.base import Here, OfCampaign
from api.views.log import branches
from campaign import access, concerning, life, moments, rewinds, selectors, services, undone
from campaign.clocks import foreseen as clocks
from campaign.rewinds import Rewind
from forum import foreseen as posts
from forum.models import Post
from notices import foreseen as notices


def _entry(name: str, says: str) -> OpenApiParameter:
    return OpenApiParameter(name, {"type": "integer", "minimum": 0, "maximum": FAR}, description=says)


ASKED = [
    _entry("after", "Of the game master's undo of all after this entry."),
    _entry("undo", "Of his restoration of what this undo struck."),
    _entry("first", "Of your own moves from this entry on; the last one without it."),
]
AT = _entry("at", "As it stood after this entry, one of `entries`; the last without it.")


class RewindView(OfCampaign):
    @extend_schema(summary="What an undo or a restoration would change", responses=form.RewindTold, parameters=ASKED)
    def get(self, request: Request, ref: str) -> Response:
        """`?after=` and `?undo=` for the game master; else your own undo. Refused as the act itself would be."""
        here, named = self.here, [one.name for one in ASKED if one.name in request.GET]
        if len(named) > 1:
            raise ValidationError({named[1]: [_("Either your own moves (`first`), or all after an entry.")]})
        number = pages.asked(request, named[0], 0) if named else None
        if named and named[0] != "first":
            access.must_be_game_master(here.campaign, here.user)
            life.must_be_played(here.campaign, by_master=True)
            assert number is not None
            if named[0] == "undo":
                found = rewinds.restored(here.campaign, rewinds.of(here.campaign, number)[0])
            else:
                found = rewinds.to(here.campaign, number)
        else:
            if not here.access.seats:
                raise PermissionDenied(_("Only who plays here takes moves back."))
            found = rewinds.own(here.campaign, services.until(services.own_undos(here.campaign, here.access), number))
        return self.told(form.RewindTold, foreseen(here, found))


def foreseen(here: Here, found: Rewind) -> dict[str, Any]:
    campaign, reader = here.campaign, here.access
    lines = selectors.lines(campaign, reader, found.moves, bare=True)
    acts = [one for one in found.acts if one.act in ("claim", "standing")]
    said = selectors.lines(campaign, reader, acts, bare=True)
    told = notices.foresee(found, [seat.key for seat in here.seats], here.places, here.user)
    own = concerning.own(campaign, here.user, reader) if found.how != rewinds.OWN else frozenset()
    rows = set(found.rows)
    return {
        "how": found.how, "entry": found.number, "moves": [one.number for one in lines if one.number is not None],
        "hidden": sum(one.number is None for one in found.moves),
        "concerns": sorted(concerning.of_struck(found.moves, own)),
        **stood(here, found.position), **otherwise(here, found.position, [one for one in said if one.entry.act == "claim"]),
        "dice": [] if found.back else dice(here, lines), "posts": on_their_way(here, posts.foresee(found)),
        "people": [{"person": one.name, "seats": list(one.seats), "abroad": one.abroad} for one in told.people],
        "notices": told.notices,
        "clocks": [one._asdict() for one in ([] if len(here.seats) == 1 else clocks.foresee(found, timezone.now()))],
        "orders": [
            {"seat": one.entry.seat, "text": one.text, "again": one.entry.target_id in rows}
            for one in said if one.entry.act == "standing"
        ],
    }  # fmt: skip


def stood(here: Here, position: Any) -> dict[str, Any]:
    state = here.title.view(position, here.access.viewer)
    return {"turn": state["turn"], "phase": state["phase"], "slot": state["slot"], "state": state}


def otherwise(here: Here, position: Any, claims: Iterable[selectors.Line]) -> dict[str, Any]:
    """What everybody sees of both positions and is not the same in them; of cards `state` tells, as its reader may know them."""
    old, new = here.rows, here.title.rows(position)
    fights = [{key: facts["status"] for key, facts in one.contests.items()} for one in (old, new)]
    said = [(one.entry.said.get("battle"), one.number) for one in claims]
    return {
        "accounts": [
            {"holder": key[0], "account": key[1], "now": now, "then": then}
            for key, now, then in _differ(old.accounts, new.accounts)
        ],
        "holders": [{"holder": key, "now": now, "then": then} for key, now, then in _differ(old.holders, new.holders)],
        "places": [{"place": key, "now": now, "then": then} for key, now, then in _differ(old.holdings, new.holdings)],
        "battles": [
            {"number": key, "now": now, "then": then,
             "claims": [number for battle, number in said if battle == key and None in (now, then)]}
            for key, now, then in _differ(*fights)
        ],
    }  # fmt: skip


def _differ(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> list[tuple[Any, Any, Any]]:
    """What is otherwise in the second: key, the one value and the other, None where there is none."""
    return [(key, old.get(key), new.get(key)) for key in sorted({*old, *new}) if old.get(key) != new.get(key)]


def dice(here: Here, lines: Iterable[selectors.Line]) -> list[dict[str, Any]]:
    """Each purpose once: the last throw of the same is the same."""
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        for one in here.rolls(line.rolls):
            found.setdefault(one["purpose"], {**one, "entry": line.number, "seat": line.entry.seat})
    return list(found.values())


def on_their_way(here: Here, found: posts.Foreseen) -> dict[str, Any]:
    def told(some: Iterable[Post]) -> list[dict[str, Any]]:
        return [{"number": one.number, "subject": one.subject or one.report, "permalink": one.permalink} for one in some]

    mine = here.access.host
    return {
        "corrected": told(found.corrected), "later": told(found.later), "dropped": told(found.dropped) if mine else [],
        "drafted": told(found.drafted) if mine else [],
    }  # fmt: skip


class BranchView(OfCampaign):
    @extend_schema(summary="What one undo struck, and how it stood there", responses=form.BranchWhole, parameters=[AT])
    def get(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        turn, told = rewinds.of(here.campaign, number)
        road = moments.branch(here.campaign, turn)
        place = road.at(pages.asked(request, "at", 0)) if "at" in request.GET else len(road.stops) - 1
        if place is None or not road.stops:
            raise Http404
        stop = road.stops[place]
        back = turn.act.struck_by_id is None
        now = frozenset(moments.trail(here.campaign).sequences)
        steps = undone.way_back(told, turn.act, now) if back else []
        found = {
            **branches(here, [turn.act])[0], "entries": [one.number for one in road.stops], "entry": stop.number,
            "way_back": None if steps is None else [
                {"restores": one.restores, "entry": one.number, "moves": one.moves} for one in steps
            ],
            **stood(here, moments.after(here.campaign, stop.moves, road)),
        }  # fmt: skip
        return self.told(form.BranchWhole, found)
