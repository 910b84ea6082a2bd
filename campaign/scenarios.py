"""Scenarios that users write: who may see them, how they are checked, and their map drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access, keys
from campaign.errors import NotAllowed, Refused
from campaign.log import entries
from campaign.models import Campaign, MapDrawing, Scenario
from engine.errors import MalformedRecord, explain_fault
from engine.strict_json import canonical, is_printable, read
from games.contract.scenarios import OwnScenarios
from games.contract.title import Title, WithScenarioDrawings
from games.registry import TITLES
from people import services
from people.names import is_reserved

LISTED = (
    "public_id",
    "name",
    "title",
    "sharing",
    "made_at",
    "removed_at",
    "hidden",
    "drawing_id",
    "owner_id",
    "owner__username",
    "owner__erased_at",
)
"""The columns that a list shows, without the text, which is long."""


def scenarios_of_user(user: Any, *, removed: bool = False) -> QuerySet[Scenario]:
    """Return a user's scenarios, the newest first; with `removed` those they have removed."""
    rows = Scenario.objects.filter(owner_id=user.pk, removed_at__isnull=not removed)
    return rows.select_related("owner").only(*LISTED).order_by("-made_at", "-pk")


def public_scenarios(user: Any = None) -> QuerySet[Scenario]:
    """Return the scenarios that other users have made public, by name."""
    rows = Scenario.objects.filter(sharing=Scenario.Sharing.PUBLIC, removed_at=None, hidden=False)
    if user is not None and user.pk:
        rows = rows.exclude(owner_id=user.pk)
    return rows.select_related("owner").only(*LISTED).order_by("name", "pk")


def visible_scenario(public_id: str, user: Any) -> Scenario | None:
    """Return the scenario of this address, if this reader may see it; None otherwise.

    Its owner may, and everyone if it is shared.
    """
    theirs = Q(removed_at=None, hidden=False) & ~Q(sharing=Scenario.Sharing.PRIVATE)
    may = theirs | Q(owner_id=user.pk) if user.pk else theirs
    return (
        Scenario.objects.filter(may, public_id=public_id).select_related("owner", "drawing").first()
    )


# Services: check scenarios, keep them, share them, remove and restore them.

MOST = 50
"""The maximum number of scenarios of one user."""
LONGEST, LONGEST_DRAWING = 400_000, 2_000_000
"""The maximum numbers of characters in a scenario and in a drawing."""
EXPLAINED = 60
"""The number of faults that are shown with their surroundings."""
SEATED = re.compile(r"^scenario\.nations\.")
"""The places in a scenario with the names of seats, which messages and the log show."""
BUNDLE = {"scenario", "drawing"}
"""The keys of a file that has both."""


class CheckedScenario(NamedTuple):
    """A scenario that was read, with the text of its drawing (empty without one) and its faults."""

    scenario: dict[str, Any]
    drawing: str
    faults: list[MalformedRecord]


def check_scenario(
    title: Title,
    text: str,
    drawn: str = "",
    *,
    mapped: bool = True,
) -> CheckedScenario:
    """Read a scenario and its drawing, and report everything that is wrong with either.

    The drawing may be in the same file or beside it. Without `mapped`, the map is neither read nor
    laid out, which takes a hundredth of the time.
    """
    if len(text) > LONGEST + LONGEST_DRAWING or len(drawn) > LONGEST_DRAWING:
        return CheckedScenario({}, "", [MalformedRecord("", _("A scenario has at most 2 MB"))])
    try:
        raw = read(text)
    except MalformedRecord as wrong:
        return CheckedScenario({}, "", [wrong])
    document: Any = None
    if type(raw) is dict and set(raw) == BUNDLE:
        raw, document = raw["scenario"], raw["drawing"]
        if drawn.strip() and document is not None:
            return CheckedScenario(
                {},
                "",
                [
                    MalformedRecord(
                        "drawing",
                        _(
                            "There are two drawings: one in the scenario’s file, and one entered "
                            "separately"
                        ),
                    )
                ],
            )
    faults: list[MalformedRecord] = []
    if drawn.strip():
        try:
            document = read(drawn)
        except MalformedRecord as wrong:
            faults.append(wrong.at("drawing"))
    return _checked(title, raw, document, faults, mapped)


def _checked(
    title: Title,
    raw: Any,
    document: Any,
    known_faults: list[MalformedRecord],
    mapped: bool,
) -> CheckedScenario:
    """Check a scenario and its drawing after both have been parsed."""
    wrong = title.scenario_faults(raw) if isinstance(title, WithScenarioDrawings) else []
    if type(raw) is dict:
        more = (
            title.own_scenario_faults(raw) if not wrong and isinstance(title, OwnScenarios) else []
        )
        named = {fault.where for fault in wrong}
        wrong += [*(fault for fault in faults_of(raw) if fault.where not in named), *more]
    whole = {"scenario": raw, "drawing": document}
    wrong = _explained(wrong, whole)
    if not mapped:
        return CheckedScenario(raw if type(raw) is dict else {}, "", [*wrong, *known_faults])
    if wrong or document is None or not isinstance(title, WithScenarioDrawings):
        unseen = (
            None
            if wrong or known_faults or not isinstance(title, WithScenarioDrawings)
            else title.why_undrawn(raw)
        )
        return CheckedScenario(
            raw if type(raw) is dict else {},
            "",
            [*wrong, *known_faults, *([unseen] if unseen else [])],
        )
    text, faults = title.drawing(raw, document)
    return CheckedScenario(raw, text, [*known_faults, *_explained(faults, whole)])


def played_faults(title: Title, raw: dict[str, Any]) -> list[MalformedRecord]:
    """Return why a scenario that its title can read cannot be played here."""
    return title.own_scenario_faults(raw) if isinstance(title, OwnScenarios) else []


def _explained(faults: list[MalformedRecord], whole: Mapping[str, Any]) -> list[MalformedRecord]:
    """Return the faults, the first of them with their surroundings.

    Searching these takes time, and no page shows more.
    """
    return [
        explain_fault(fault, whole) if n < EXPLAINED else fault for n, fault in enumerate(faults)
    ]


def scenario_warnings(title: Title, raw: Any) -> list[MalformedRecord]:
    """Return what a scenario may contain although its author hardly means it."""
    return title.scenario_warnings(raw) if isinstance(title, WithScenarioDrawings) else []


def keep_drawing(title: Title, scenario: Mapping[str, Any], text: str) -> MapDrawing | None:
    """Return the row of a drawing as its title writes it; None if there is no drawing.

    Raises `MalformedRecord` with the first fault.
    """
    if not text:
        if (
            isinstance(title, WithScenarioDrawings)
            and (unseen := title.why_undrawn(scenario)) is not None
        ):
            raise unseen
        return None
    if not isinstance(title, WithScenarioDrawings):
        raise MalformedRecord("drawing", _("You cannot add drawings to this game"))
    written, faults = title.drawing(scenario, read(text))
    if faults:
        raise faults[0]
    return MapDrawing.objects.get_or_create(digest=digest_of(written), defaults={"text": written})[
        0
    ]


def digest_of(text: str) -> str:
    """Return the digest of a text."""
    return sha256(text.encode()).hexdigest()


@transaction.atomic
def save_scenario(
    user: Any,
    title: str,
    scenario: Mapping[str, Any],
    drawing: str = "",
    sharing: str = Scenario.Sharing.PRIVATE,
    *,
    now: datetime | None = None,
) -> Scenario:
    """Keep a scenario for its owner; an identical one that they have is returned instead.

    Raises `MalformedRecord` if it is no scenario or drawing, `Refused` if the user has too many.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    game = TITLES.get(title)
    if not isinstance(game, WithScenarioDrawings):
        raise Refused("unknown-title", _("You cannot write scenarios for this game here."))
    must_be_sharing(sharing)
    for fault in [*game.scenario_faults(scenario), *faults_of(scenario)]:
        raise fault
    drawn, text = keep_drawing(game, scenario, drawing), canonical(scenario)
    digest = digest_of(f"{text}\n{drawn.digest if drawn else ''}")
    shelf = _shelf(user)
    if known := shelf.filter(title=title, digest=digest).first():
        return known
    if shelf.count() >= MOST:
        raise Refused(
            "full", _("You already have %(most)s scenarios. Remove one first.") % {"most": MOST}
        )
    return Scenario.objects.create(
        public_id=keys.new_public_id(),
        owner=user,
        title=title,
        name=str(scenario["name"])[:100],
        text=text,
        drawing=drawn,
        digest=digest,
        sharing=sharing,
        made_at=at,
    )


@transaction.atomic
def share(user: Any, public_id: str, sharing: str) -> Scenario:
    """Set who may see a scenario: its owner, everyone with the link, or everyone."""
    must_be_sharing(sharing)
    return _changed(user, public_id, sharing=sharing)


@transaction.atomic
def remove(user: Any, public_id: str, *, now: datetime | None = None) -> Scenario:
    """Remove a scenario. This function is idempotent.

    Campaigns that were founded with it have their own copy.
    """
    row = _scenario_of_user(user, public_id)
    return row if row.removed_at else _changed(user, public_id, removed_at=entries.moment(now))


@transaction.atomic
def restore_scenario(user: Any, public_id: str) -> Scenario:
    """Restore a removed scenario; it is private then."""
    shelf, row = _shelf(user), _scenario_of_user(user, public_id)
    if row.removed_at and shelf.count() >= MOST:
        raise Refused(
            "full", _("You already have %(most)s scenarios. Remove one first.") % {"most": MOST}
        )
    if row.removed_at and shelf.filter(title=row.title, digest=row.digest).exists():
        raise Refused("twin", _("You already have an identical scenario."))
    return _changed(
        user,
        public_id,
        removed_at=None,
        **({"sharing": Scenario.Sharing.PRIVATE} if row.removed_at else {}),
    )


@transaction.atomic
def set_hidden(
    public_id: str, hidden: bool, reason: str = "", *, now: datetime | None = None
) -> Scenario:
    """Hide a scenario from everyone but its owner, or end that, as the host.

    There is no permission check: only commands call this.
    """
    row = Scenario.objects.select_for_update().filter(public_id=public_id).first()
    if row is None:
        raise Refused("unknown", _("There is no such scenario."))
    if row.hidden == hidden:
        raise Refused("not-now", _("It is already set this way."))
    row.hidden = hidden
    row.save(update_fields=["hidden"])
    services.record_host_act(
        row.owner,
        "hid" if hidden else "unhid",
        f"scenario {row.public_id}. {reason}".strip(),
        entries.moment(now),
    )
    return row


def remove_names(row: Scenario, sentence: str) -> None:
    """Remove the name and the note of a scenario.

    Its names of nations stay, but once it is hidden only its owner sees them.
    """
    Scenario.objects.filter(pk=row.pk).update(name=f"Scenario {row.public_id}", note=sentence[:200])


def remove_scenarios_of(user: Any, at: datetime) -> list[str]:
    """Remove the scenarios of an erased user, and return the line for the host.

    Campaigns have their own copies.
    """
    gone = Scenario.objects.filter(owner=user, removed_at=None).update(removed_at=at)
    Scenario.objects.filter(owner=user).update(sharing=Scenario.Sharing.PRIVATE)
    return [f"{gone} scenarios"] if gone else []


def _shelf(user: Any) -> QuerySet[Scenario]:
    """Return a user's scenarios, locked until the transaction ends."""
    # The user's row is locked, because there may be no scenario to lock, or the same one may be
    # sent twice at once.
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    return Scenario.objects.filter(owner=user, removed_at=None)


def _scenario_of_user(user: Any, public_id: str) -> Scenario:
    """Lock and return a user's own scenario. Raises `NotAllowed`."""
    row = Scenario.objects.select_for_update().filter(owner_id=user.pk, public_id=public_id).first()
    if row is None:
        raise NotAllowed("not-yours", _("This scenario belongs to someone else."))
    return row


def _changed(user: Any, public_id: str, **what: Any) -> Scenario:
    """Change these columns of a user's own scenario."""
    row = _scenario_of_user(user, public_id)
    for field, value in what.items():
        setattr(row, field, value)
    row.save(update_fields=list(what))
    return row


def must_be_sharing(sharing: str) -> None:
    """Raise `Refused` if this is no way to share a scenario."""
    if sharing not in Scenario.Sharing.values:
        raise Refused("bad-sharing", _("A scenario must be private, shared by link, or public."))


# Requirements of the table for a scenario, beyond a well-formed record (docs/decisions/0009).

LONGEST_NAME = 60
LARGEST = 100_000
COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
A_COLOUR = gettext_noop("must be a colour in the form #rrggbb")
A_NAME = gettext_noop("must be a name of 1 to %(most)s printable characters")
A_TEXT = gettext_noop("must be at most %(most)s printable characters")


def is_name(text: Any) -> bool:
    """Return whether a text is a name of 1 to 60 printable characters.

    Line ends and characters that only turn or hide others are not printable.
    """
    return (
        type(text) is str
        and is_printable(text)
        and bool(text.strip())
        and len(text) <= LONGEST_NAME
    )


def vet(scenario: Mapping[str, Any]) -> None:
    """Raise `MalformedRecord` with the first text, name or colour that pages must not show.

    The title has read the scenario, so its keys are known and its depth is limited.
    """
    for fault in faults_of(scenario):
        raise fault


def faults_of(scenario: Mapping[str, Any]) -> Iterator[MalformedRecord]:
    """Yield every such text, name or colour, and a fault if the scenario is too large."""
    yield from _vet("scenario", "", scenario)
    try:
        size = len(canonical(scenario).encode())
    except ValueError:
        yield MalformedRecord("scenario", _("contains a number with too many digits"))
        return
    if size > LARGEST:
        yield MalformedRecord(
            "scenario", _("is larger than %(most)s kB") % {"most": LARGEST // 1000}
        )


def _vet(where: str, key: str, value: Any) -> Iterator[MalformedRecord]:
    """Yield the faults of a part of a scenario."""
    if isinstance(value, Mapping):
        for inner, part in value.items():
            yield from _vet(f"{where}.{inner}", inner, part)
    elif isinstance(value, (list, tuple)):
        for n, part in enumerate(value):
            yield from _vet(f"{where}.{n}", "", part)
    elif isinstance(value, str):
        if key == "colour" and not COLOUR.fullmatch(value):
            yield MalformedRecord(where, _(A_COLOUR))
        elif key == "name" and not is_name(value):
            yield MalformedRecord(where, _(A_NAME) % {"most": LONGEST_NAME})
        elif key == "name" and SEATED.search(where) and is_reserved(value):
            yield MalformedRecord(
                where, _("could be mistaken for a role, such as game master or moderator")
            )
        elif len(value) > LONGEST_NAME or not is_printable(value):
            yield MalformedRecord(where, _(A_TEXT) % {"most": LONGEST_NAME})


# The map that a campaign brings with it, as its title wrote it.


def text_of(campaign: Campaign) -> str:
    """Return the text of the campaign's own drawing; empty if its title draws the map."""
    return drawing_text(campaign.drawing_id) if campaign.drawing_id else ""


@lru_cache(32)
def drawing_text(digest: str) -> str:
    """Return a drawing by its digest. It never changes, so it is cached."""
    return MapDrawing.objects.values_list("text", flat=True).get(digest=digest)
