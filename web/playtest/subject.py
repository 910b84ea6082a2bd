"""The scenario that a play-test is about."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.urls import reverse

from campaign import drafts
from campaign import scenarios as shelves
from engine.strict_json import read
from games.contract.plain import RawScenario
from people.models import User

REF_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Subject:
    """A scenario or a draft of the reader.

    `scenario` is a scenario of the title with the key `title`. `back` is the address of its own
    page, and `query` identifies it in the address of the play-test.
    """

    title: str
    scenario: RawScenario
    back: str
    query: str


def subject_of(user: User | AnonymousUser, scenario: str, draft: str) -> Subject:
    """Return the draft with the reference `draft`; without it, the scenario with this reference.

    Raises:
        Http404: The reader has no such scenario or draft.
    """
    return _draft(user, draft) if draft else _scenario(user, scenario)


def _draft(user: User | AnonymousUser, ref: str) -> Subject:
    draft = drafts.draft_of(user, ref[:REF_LENGTH])
    if draft is None:
        raise Http404
    return Subject(
        title=draft.title,
        scenario=drafts.bundle_of(draft)["scenario"],
        back=reverse("scenario_editor", args=[draft.public_id]),
        query=f"draft={draft.public_id}",
    )


def _scenario(user: User | AnonymousUser, ref: str) -> Subject:
    row = shelves.visible_scenario(ref[:REF_LENGTH], user)
    if row is None or row.owner_id != user.pk:
        raise Http404
    return Subject(
        title=row.title,
        scenario=dict(read(row.text)),
        back=reverse("scenario_shown", args=[row.public_id]),
        query=f"scenario={row.public_id}",
    )
