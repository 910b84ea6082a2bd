"""Drafts of scenarios: begin, change, undo, redo, publish as versions."""

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
from games.contract.title import Title, WithScenarioEditor
from games.registry import TITLES

MOST = 30
"""The maximum number of drafts of one user."""
STEPS = 100
"""The number of steps that can be undone."""
LARGEST = scenarios.LONGEST + scenarios.LONGEST_DRAWING
LISTED = ("public_id", "name", "title", "saved_at", "removed_at", "owner_id")
MISSING = "missing"
"""The value in a patch of a key that did not exist."""

Patch = list[list[Any]]


class DraftChanged(Refused):
    """A draft that was changed in another window since it was read."""


def editable_title(key: str) -> WithScenarioEditor:
    """Return the title if its scenarios can be edited here. Raises `Refused`."""
    title: Title | None = TITLES.get(key)
    if not isinstance(title, WithScenarioEditor):
        raise Refused("unknown-title", _("You cannot write scenarios for this game here."))
    return title


def drafts_of(user: Any, *, removed: bool = False) -> QuerySet[ScenarioDraft]:
    """Return a user's drafts, the latest change first."""
    rows = ScenarioDraft.objects.filter(owner_id=user.pk, removed_at__isnull=not removed)
    return rows.only(*LISTED).order_by("-saved_at", "-pk")


def draft_of(user: Any, public_id: str) -> ScenarioDraft | None:
    """Return a draft of this user, removed or not; None if it is not theirs."""
    return (
        ScenarioDraft.objects.filter(owner_id=user.pk, public_id=public_id).first()
        if user.pk
        else None
    )


def bundle_of(draft: ScenarioDraft) -> dict[str, Any]:
    """Return the scenario and the drawing of a draft.

    Fractions of the scenario are decimals, as its rules read them.
    """
    return {
        "scenario": json.loads(draft.scenario, parse_float=Decimal),
        "drawing": json.loads(draft.drawing),
    }


@transaction.atomic
def begin_draft(
    user: Any,
    title: str,
    bundle: Mapping[str, Any],
    name: str = "",
    origin: Scenario | None = None,
    begun_from: str = "",
    *,
    now: datetime | None = None,
) -> ScenarioDraft:
    """Begin a draft from a scenario and a drawing; without a drawing its map is laid out.

    `name` replaces the scenario's. Raises `MalformedRecord` if no map can be drawn of it, `Refused`
    if there are too many drafts.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    whole = editable_title(title).begun(bundle, name)
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    if ScenarioDraft.objects.filter(owner=user, removed_at=None).count() >= MOST:
        raise Refused(
            "full", _("You already have %(most)s drafts. Remove one first.") % {"most": MOST}
        )
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
def change_draft(
    user: Any, public_id: str, revision: int, act: Mapping[str, Any], *, now: datetime | None = None
) -> ScenarioDraft:
    """Apply an act to a draft, and keep the patch that undoes it.

    An act that changes nothing is no step. Raises `MalformedRecord` with the wrong field of the
    act, `DraftChanged` if the draft has changed since it was read.
    """
    draft = _own_draft(user, public_id, revision)
    before = bundle_of(draft)
    after = editable_title(draft.title).edited(before, act)
    back = difference(after, before)
    if not back:
        return draft
    draft.past = _text([*_steps(draft.past), back][-STEPS:])
    draft.future = "[]"
    return _changed(draft, after, now)


@transaction.atomic
def undo(user: Any, public_id: str, revision: int, *, now: datetime | None = None) -> ScenarioDraft:
    """Undo the last step, if there is one."""
    return _stepped(user, public_id, revision, "past", "future", now)


@transaction.atomic
def redo(user: Any, public_id: str, revision: int, *, now: datetime | None = None) -> ScenarioDraft:
    """Redo the step that was undone last, if there is one."""
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
    """Publish the draft as its next version: a scenario that never changes.

    Raises `MalformedRecord` with the first fault, `Refused` if nothing has changed since the last
    version.
    """
    draft = _own_draft(user, public_id, revision)
    last = draft.versions.order_by("-version").first()
    bundle = bundle_of(draft)
    row = scenarios.save_scenario(
        user, draft.title, bundle["scenario"], draft.drawing, sharing, now=now
    )
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
    """Return the versions published from a draft, the newest first."""
    return (
        draft.versions.select_related("owner")
        .only(*scenarios.LISTED, "version", "note", "draft_id")
        .order_by("-version")
    )


@transaction.atomic
def remove_draft(user: Any, public_id: str, *, now: datetime | None = None) -> ScenarioDraft:
    """Remove a draft; its published versions stay."""
    draft = _own_draft(user, public_id)
    draft.removed_at = draft.removed_at or entries.moment(now)
    draft.save(update_fields=["removed_at"])
    return draft


@transaction.atomic
def restore_draft(user: Any, public_id: str) -> ScenarioDraft:
    """Restore a removed draft. Raises `Refused` if there are too many drafts."""
    draft = _own_draft(user, public_id)
    if (
        draft.removed_at
        and ScenarioDraft.objects.filter(owner=user, removed_at=None).count() >= MOST
    ):
        raise Refused(
            "full", _("You already have %(most)s drafts. Remove one first.") % {"most": MOST}
        )
    draft.removed_at = None
    draft.save(update_fields=["removed_at"])
    return draft


def remove_drafts_of(user: Any, at: datetime) -> list[str]:
    """Remove the drafts of an erased user, and return the line for the host."""
    gone = ScenarioDraft.objects.filter(owner=user, removed_at=None).update(removed_at=at)
    return [f"{gone} drafts"] if gone else []


def _own_draft(user: Any, public_id: str, revision: int | None = None) -> ScenarioDraft:
    """Lock and return a user's own draft.

    Raises `NotAllowed`, and `DraftChanged` for another revision.
    """
    draft = (
        ScenarioDraft.objects.select_for_update()
        .filter(owner_id=user.pk, public_id=public_id)
        .first()
    )
    if draft is None:
        raise NotAllowed("not-yours", _("This draft belongs to someone else."))
    if revision is not None and revision != draft.revision:
        raise DraftChanged(
            "moved-on",
            _("This draft was changed in another window. This is the current version."),
        )
    return draft


def _stepped(
    user: Any, public_id: str, revision: int, source: str, target: str, now: datetime | None
) -> ScenarioDraft:
    """Move one step from `source` to `target`, the lists of undone and redone steps."""
    draft = _own_draft(user, public_id, revision)
    steps = _steps(getattr(draft, source))
    if not steps:
        return draft
    before = bundle_of(draft)
    after = apply_patch(before, steps.pop())
    setattr(draft, source, _text(steps))
    setattr(
        draft, target, _text([*_steps(getattr(draft, target)), difference(after, before)][-STEPS:])
    )
    return _changed(draft, after, now)


def _changed(
    draft: ScenarioDraft, bundle: Mapping[str, Any], now: datetime | None
) -> ScenarioDraft:
    """Save a draft with another content and the next revision."""
    _write(draft, bundle)
    draft.revision += 1
    draft.saved_at = entries.moment(now)
    draft.save()
    return draft


def _write(draft: ScenarioDraft, bundle: Mapping[str, Any]) -> None:
    """Set the content of a draft, without saving it."""
    draft.name = str(bundle["scenario"]["name"])[:100]
    draft.scenario, draft.drawing = _text(bundle["scenario"]), _text(bundle["drawing"])
    if len(draft.scenario) + len(draft.drawing) > LARGEST:
        raise MalformedRecord("", _("A scenario has at most 2 MB"))


def _text(value: Any) -> str:
    """Return a value as JSON text."""
    return json.dumps(value, ensure_ascii=False, default=float)


def _steps(text: str) -> list[Patch]:
    """Return the steps stored in a text."""
    steps: list[Patch] = json.loads(text, parse_float=Decimal)
    return steps


# Steps as patches: the places where two bundles differ, with their old values.


def difference(new: Any, old: Any, way: tuple[str | int, ...] = ()) -> Patch:
    """Return the patch that turns `new` back into `old`.

    It has the path to each place where they differ, and the old value.
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
            for n, (new_part, old_part) in enumerate(zip(new, old, strict=True))
            for step in difference(new_part, old_part, (*way, n))
        ]
    return [] if new == old else [[list(way), [old]]]


def apply_patch(bundle: Any, patch: Patch) -> Any:
    """Return the bundle after applying every step of a patch."""
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
