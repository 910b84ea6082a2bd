"""Scenarios that are being made: begun, changed act by act, taken back and made again, published as
versions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaign import access, keys, scenarios
from campaign.errors import NotAllowed, Refused
from campaign.log import entries
from campaign.models import Scenario, ScenarioDraft
from engine.errors import MalformedRecord
from games.contract.title import Editable, Title
from games.registry import TITLES

MOST = 30
"""Drafts of one person."""
STEPS = 100
"""So many steps can be taken back."""
LARGEST = scenarios.LONGEST + scenarios.LONGEST_DRAWING
LISTED = ("public_id", "name", "title", "saved_at", "removed_at", "owner_id")
MISSING = "missing"
"""In a patch: there was nothing."""

Patch = list[list[Any]]


class MovedOn(Refused):
    """The draft was changed in another window since it was read."""


def editable(key: str) -> Editable:
    """The title whose scenarios are made here. Raises `Refused` for every other."""
    title: Title | None = TITLES.get(key)
    if not isinstance(title, Editable):
        raise Refused("unknown-title", _("Scenarios of this game are not written here."))
    return title


def drafts_of(user: Any, *, removed: bool = False) -> QuerySet[ScenarioDraft]:
    """A person's own, the one that was changed last first."""
    rows = ScenarioDraft.objects.filter(owner_id=user.pk, removed_at__isnull=not removed)
    return rows.only(*LISTED).order_by("-saved_at", "-pk")


def draft_of(user: Any, public_id: str) -> ScenarioDraft | None:
    """One of a person's own, removed ones, too; nobody else ever sees a draft."""
    return (
        ScenarioDraft.objects.filter(owner_id=user.pk, public_id=public_id).first()
        if user.pk
        else None
    )


def bundle_of(draft: ScenarioDraft) -> dict[str, Any]:
    """The scenario and the drawing of a draft; fractions of the scenario are decimals, as its rules
    read them.
    """
    return {
        "scenario": json.loads(draft.scenario, parse_float=Decimal),
        "drawing": json.loads(draft.drawing),
    }


@transaction.atomic
def begin(
    user: Any,
    title: str,
    bundle: Mapping[str, Any],
    name: str = "",
    origin: Scenario | None = None,
    begun_from: str = "",
    *,
    now: datetime | None = None,
) -> ScenarioDraft:
    """A new draft from a scenario and a drawing; without a drawing its map is laid out.

    `name` stands in place of the scenario's. Raises `MalformedRecord` with what no map can be drawn
    of, `Refused` where there are too many drafts.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    whole = editable(title).begun(bundle, name)
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    if ScenarioDraft.objects.filter(owner=user, removed_at=None).count() >= MOST:
        raise Refused("full", _("You have %(most)s drafts. Remove one first.") % {"most": MOST})
    draft = ScenarioDraft(
        public_id=keys.new_public_id(),
        owner=user,
        title=title,
        origin=origin,
        origin_name=begun_from[:100],
        begun_at=at,
        saved_at=at,
    )
    _write(draft, whole)
    draft.save()
    return draft


@transaction.atomic
def change(
    user: Any, public_id: str, revision: int, act: Mapping[str, Any], *, now: datetime | None = None
) -> ScenarioDraft:
    """One act on a draft; what takes it back is kept. An act that changes nothing is no step.

    Raises `MalformedRecord` with the field of the act that is wrong, `MovedOn` where the draft is
    another than was read.
    """
    draft = _mine(user, public_id, revision)
    before = bundle_of(draft)
    after = editable(draft.title).edited(before, act)
    back = difference(after, before)
    if not back:
        return draft
    draft.past = _text([*_steps(draft.past), back][-STEPS:])
    draft.future = "[]"
    return _changed(draft, after, now)


@transaction.atomic
def undo(user: Any, public_id: str, revision: int, *, now: datetime | None = None) -> ScenarioDraft:
    """Take the last step back. Without one nothing changes."""
    return _stepped(user, public_id, revision, "past", "future", now)


@transaction.atomic
def redo(user: Any, public_id: str, revision: int, *, now: datetime | None = None) -> ScenarioDraft:
    """Make the step again that was taken back last."""
    return _stepped(user, public_id, revision, "future", "past", now)


@transaction.atomic
def publish(
    user: Any,
    public_id: str,
    revision: int,
    note: str,
    sharing: str,
    *,
    now: datetime | None = None,
) -> Scenario:
    """The draft as it stands becomes the next version: a scenario on its owner's shelf, which never
    changes.

    Raises `MalformedRecord` with the first fault, `Refused` where nothing has changed since the
    last version.
    """
    draft = _mine(user, public_id, revision)
    last = draft.versions.order_by("-version").first()
    bundle = bundle_of(draft)
    row = scenarios.put(user, draft.title, bundle["scenario"], draft.drawing, sharing, now=now)
    if row.draft_id == draft.pk:
        raise Refused("same", _("Nothing has changed since version %(n)s.") % {"n": row.version})
    if row.draft_id is None:
        row.draft, row.version, row.note = (
            draft,
            (last.version if last else 0) + 1,
            " ".join(note.split())[:200],
        )
        row.save(update_fields=["draft", "version", "note"])
    return row


def versions(draft: ScenarioDraft) -> QuerySet[Scenario]:
    """What was published from a draft, the newest first."""
    return (
        draft.versions.select_related("owner")
        .only(*scenarios.LISTED, "version", "note", "draft_id")
        .order_by("-version")
    )


@transaction.atomic
def remove(user: Any, public_id: str, *, now: datetime | None = None) -> ScenarioDraft:
    """Put a draft away; what was published from it stays."""
    draft = _mine(user, public_id)
    draft.removed_at = draft.removed_at or entries.moment(now)
    draft.save(update_fields=["removed_at"])
    return draft


@transaction.atomic
def bring_back(user: Any, public_id: str) -> ScenarioDraft:
    draft = _mine(user, public_id)
    if (
        draft.removed_at
        and ScenarioDraft.objects.filter(owner=user, removed_at=None).count() >= MOST
    ):
        raise Refused("full", _("You have %(most)s drafts. Remove one first.") % {"most": MOST})
    draft.removed_at = None
    draft.save(update_fields=["removed_at"])
    return draft


def remove_drafts_of(user: Any, at: datetime) -> list[str]:
    """Who is erased leaves no draft."""
    gone = ScenarioDraft.objects.filter(owner=user, removed_at=None).update(removed_at=at)
    return [f"{gone} drafts"] if gone else []


def _mine(user: Any, public_id: str, revision: int | None = None) -> ScenarioDraft:
    draft = (
        ScenarioDraft.objects.select_for_update()
        .filter(owner_id=user.pk, public_id=public_id)
        .first()
    )
    if draft is None:
        raise NotAllowed("not-yours", _("This draft is another person's."))
    if revision is not None and revision != draft.revision:
        raise MovedOn(
            "moved-on",
            _("This draft was changed in another window. It is shown here as it is now."),
        )
    return draft


def _stepped(
    user: Any, public_id: str, revision: int, source: str, target: str, now: datetime | None
) -> ScenarioDraft:
    draft = _mine(user, public_id, revision)
    steps = _steps(getattr(draft, source))
    if not steps:
        return draft
    before = bundle_of(draft)
    after = patched(before, steps.pop())
    setattr(draft, source, _text(steps))
    setattr(
        draft, target, _text([*_steps(getattr(draft, target)), difference(after, before)][-STEPS:])
    )
    return _changed(draft, after, now)


def _changed(
    draft: ScenarioDraft, bundle: Mapping[str, Any], now: datetime | None
) -> ScenarioDraft:
    _write(draft, bundle)
    draft.revision += 1
    draft.saved_at = entries.moment(now)
    draft.save()
    return draft


def _write(draft: ScenarioDraft, bundle: Mapping[str, Any]) -> None:
    draft.name = str(bundle["scenario"]["name"])[:100]
    draft.scenario, draft.drawing = _text(bundle["scenario"]), _text(bundle["drawing"])
    if len(draft.scenario) + len(draft.drawing) > LARGEST:
        raise MalformedRecord("", _("A scenario has at most 2 MB"))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=float)


def _steps(text: str) -> list[Patch]:
    steps: list[Patch] = json.loads(text, parse_float=Decimal)
    return steps


# Steps as patches: where two bundles differ, and what stood there. --------------------------------


def difference(new: Any, old: Any, way: tuple[str | int, ...] = ()) -> Patch:
    """What makes `old` of `new` again: for each place where they differ the way there and what
    stood at it.
    """
    if isinstance(new, dict) and isinstance(old, dict):
        steps: Patch = []
        for key in sorted({*new, *old}):
            if key not in old:
                steps.append([[*way, key], MISSING])
            elif key not in new:
                steps.append([[*way, key], [old[key]]])
            else:
                steps += difference(new[key], old[key], (*way, key))
        return steps
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [
            step
            for n, (one, other) in enumerate(zip(new, old, strict=True))
            for step in difference(one, other, (*way, n))
        ]
    return [] if new == old else [[list(way), [old]]]


def patched(bundle: Any, patch: Patch) -> Any:
    """The bundle with every step of a patch made."""
    whole = deepcopy(bundle)
    for way, value in patch:
        if not way:
            return value[0]
        at = whole
        for key in way[:-1]:
            at = at[key]
        if value == MISSING:
            del at[way[-1]]
        else:
            at[way[-1]] = value[0]
    return whole
