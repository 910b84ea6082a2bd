"""Who may see which scenario of somebody's shelf."""

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
from engine.errors import MalformedRecord, explained
from engine.strict_json import canonical, printable, read
from games.contract.scenarios import OwnScenarios
from games.contract.title import Drawn, Title
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
"""What a list shows of each: never its text, which is long."""


def scenarios_of_user(user: Any, *, removed: bool = False) -> QuerySet[Scenario]:
    """A person's own, the newest first; with `removed` those they have removed."""
    rows = Scenario.objects.filter(owner_id=user.pk, removed_at__isnull=not removed)
    return rows.select_related("owner").only(*LISTED).order_by("-made_at", "-pk")


def public(user: Any = None) -> QuerySet[Scenario]:
    """Those that others have put into the list for everybody, by name."""
    rows = Scenario.objects.filter(sharing=Scenario.Sharing.PUBLIC, removed_at=None, hidden=False)
    if user is not None and user.pk:
        rows = rows.exclude(owner_id=user.pk)
    return rows.select_related("owner").only(*LISTED).order_by("name", "pk")


def seen(public_id: str, user: Any) -> Scenario | None:
    """The scenario of this address, if this reader may see it: its owner, or whoever comes where it
    is shared.
    """
    theirs = Q(removed_at=None, hidden=False) & ~Q(sharing=Scenario.Sharing.PRIVATE)
    may = theirs | Q(owner_id=user.pk) if user.pk else theirs
    return (
        Scenario.objects.filter(may, public_id=public_id).select_related("owner", "drawing").first()
    )


# Scenarios that people write: judged whole, put on their shelf, shared, removed and brought back.

MOST = 50
"""Scenarios on one shelf."""
LONGEST, LONGEST_DRAWING = 400_000, 2_000_000
"""Characters of what is sent, of a scenario and of a drawing."""
EXPLAINED = 60
"""So many faults are told with what stands at their place."""
SEATED = re.compile(r"^scenario\.nations\.")
"""Where a scenario names what seats play: messages and the log show these names."""
BUNDLE = {"scenario", "drawing"}
"""The keys of a file that has both."""


class JudgedScenario(NamedTuple):
    """A scenario that was read, with the text of its drawing (empty without one), or every fault
    with its key.
    """

    scenario: dict[str, Any]
    drawing: str
    faults: list[MalformedRecord]


def judge(
    title: Title,
    text: str,
    drawn: str = "",
    *,
    mapped: bool = True,
) -> JudgedScenario:
    """A scenario and, beside it or within the same file, its drawing; all that is wrong with either
    is told at once.

    Where it is not `mapped`, the map is neither read nor laid out, which takes a hundredth of the
    time.
    """
    if len(text) > LONGEST + LONGEST_DRAWING or len(drawn) > LONGEST_DRAWING:
        return JudgedScenario({}, "", [MalformedRecord("", _("A scenario has at most 2 MB"))])
    try:
        raw = read(text)
    except MalformedRecord as wrong:
        return JudgedScenario({}, "", [wrong])
    document: Any = None
    if type(raw) is dict and set(raw) == BUNDLE:
        raw, document = raw["scenario"], raw["drawing"]
        if drawn.strip() and document is not None:
            return JudgedScenario(
                {},
                "",
                [
                    MalformedRecord(
                        "drawing", _("There are two: one in the scenario's file and one beside it")
                    )
                ],
            )
    faults: list[MalformedRecord] = []
    if drawn.strip():
        try:
            document = read(drawn)
        except MalformedRecord as wrong:
            faults.append(wrong.at("drawing"))
    return _judged(title, raw, document, faults, mapped)


def _judged(
    title: Title,
    raw: Any,
    document: Any,
    known_faults: list[MalformedRecord],
    mapped: bool,
) -> JudgedScenario:
    wrong = title.scenario_faults(raw) if isinstance(title, Drawn) else []
    if type(raw) is dict:
        more = (
            title.own_scenario_faults(raw) if not wrong and isinstance(title, OwnScenarios) else []
        )
        named = {one.where for one in wrong}
        wrong += [*(one for one in faults_of(raw) if one.where not in named), *more]
    whole = {"scenario": raw, "drawing": document}
    wrong = _explained(wrong, whole)
    if not mapped:
        return JudgedScenario(raw if type(raw) is dict else {}, "", [*wrong, *known_faults])
    if wrong or document is None or not isinstance(title, Drawn):
        unseen = (
            None if wrong or known_faults or not isinstance(title, Drawn) else title.undrawn(raw)
        )
        return JudgedScenario(
            raw if type(raw) is dict else {},
            "",
            [*wrong, *known_faults, *([unseen] if unseen else [])],
        )
    text, faults = title.drawing(raw, document)
    return JudgedScenario(raw, text, [*known_faults, *_explained(faults, whole)])


def played_faults(title: Title, raw: dict[str, Any]) -> list[MalformedRecord]:
    """Return why a scenario that its title can read cannot be played here."""
    return title.own_scenario_faults(raw) if isinstance(title, OwnScenarios) else []


def _explained(faults: list[MalformedRecord], whole: Mapping[str, Any]) -> list[MalformedRecord]:
    """The first of them with what stands there; looking for what is near takes time, and no page
    shows more.
    """
    return [explained(one, whole) if n < EXPLAINED else one for n, one in enumerate(faults)]


def warned(title: Title, raw: Any) -> list[MalformedRecord]:
    """What a scenario may say and its author hardly means."""
    return title.scenario_warnings(raw) if isinstance(title, Drawn) else []


def keep_drawing(title: Title, scenario: Mapping[str, Any], text: str) -> MapDrawing | None:
    """The row of a drawing, read again by its title: what is kept is always what the title wrote.
    None for none.

    Raises `MalformedRecord` with the first fault.
    """
    if not text:
        if isinstance(title, Drawn) and (unseen := title.undrawn(scenario)) is not None:
            raise unseen
        return None
    if not isinstance(title, Drawn):
        raise MalformedRecord("drawing", _("This game has no drawings of its own"))
    written, faults = title.drawing(scenario, read(text))
    if faults:
        raise faults[0]
    return MapDrawing.objects.get_or_create(digest=digest_of(written), defaults={"text": written})[
        0
    ]


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@transaction.atomic
def put(
    user: Any,
    title: str,
    scenario: Mapping[str, Any],
    drawing: str = "",
    sharing: str = Scenario.Sharing.PRIVATE,
    *,
    now: datetime | None = None,
) -> Scenario:
    """Put a scenario on one's shelf; what stands there already, letter by letter, is given back.

    Raises `MalformedRecord` for what is no scenario or drawing, `Refused` where the shelf is full.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    game = TITLES.get(title)
    if not isinstance(game, Drawn):
        raise Refused("unknown-title", _("Scenarios of this game are not written here."))
    must_be_sharing(sharing)
    for fault in [*game.scenario_faults(scenario), *faults_of(scenario)]:
        raise fault
    drawn, text = keep_drawing(game, scenario, drawing), canonical(scenario)
    digest = digest_of(f"{text}\n{drawn.digest if drawn else ''}")
    shelf = _shelf(user)
    if known := shelf.filter(title=title, digest=digest).first():
        return known
    if shelf.count() >= MOST:
        raise Refused("full", _("You have %(most)s scenarios. Remove one first.") % {"most": MOST})
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
    """Private, by link, or in the list for everybody."""
    must_be_sharing(sharing)
    return _changed(user, public_id, sharing=sharing)


@transaction.atomic
def remove(user: Any, public_id: str, *, now: datetime | None = None) -> Scenario:
    """Take it off the shelf; campaigns that were founded with it have their own copy. Twice is no
    error.
    """
    row = _scenario_of_user(user, public_id)
    return row if row.removed_at else _changed(user, public_id, removed_at=entries.moment(now))


@transaction.atomic
def bring_back(user: Any, public_id: str) -> Scenario:
    """Put a removed one on the shelf again, for oneself alone."""
    shelf, row = _shelf(user), _scenario_of_user(user, public_id)
    if row.removed_at and shelf.count() >= MOST:
        raise Refused("full", _("You have %(most)s scenarios. Remove one first.") % {"most": MOST})
    if row.removed_at and shelf.filter(title=row.title, digest=row.digest).exists():
        raise Refused("twin", _("The same scenario is among yours already."))
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
    """The host takes it from everybody but its owner, or takes that back. The command has asked
    whether it is the host.
    """
    row = Scenario.objects.select_for_update().filter(public_id=public_id).first()
    if row is None:
        raise Refused("unknown", _("There is no such scenario."))
    if row.hidden == hidden:
        raise Refused("not-now", _("It is already set this way."))
    row.hidden = hidden
    row.save(update_fields=["hidden"])
    services.note(
        row.owner,
        "hid" if hidden else "unhid",
        f"scenario {row.public_id}. {reason}".strip(),
        entries.moment(now),
    )
    return row


def remove_names(row: Scenario, sentence: str) -> None:
    """Its name and note go. What it says of nations and numbers stays as it is, for its owner alone
    once it is hidden.
    """
    Scenario.objects.filter(pk=row.pk).update(name=f"Scenario {row.public_id}", note=sentence[:200])


def remove_scenarios_of(user: Any, at: datetime) -> list[str]:
    """Who is erased leaves no scenario to be found; what campaigns play is theirs."""
    gone = Scenario.objects.filter(owner=user, removed_at=None).update(removed_at=at)
    Scenario.objects.filter(owner=user).update(sharing=Scenario.Sharing.PRIVATE)
    return [f"{gone} scenarios"] if gone else []


def _shelf(user: Any) -> QuerySet[Scenario]:
    """What stands on this person's shelf, which nobody else changes until the transaction ends."""
    # The person's row: of a shelf that is empty, or lacks the one that is brought twice at once, no
    # other could be held.
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    return Scenario.objects.filter(owner=user, removed_at=None)


def _scenario_of_user(user: Any, public_id: str) -> Scenario:
    row = Scenario.objects.select_for_update().filter(owner_id=user.pk, public_id=public_id).first()
    if row is None:
        raise NotAllowed("not-yours", _("This scenario is another person's."))
    return row


def _changed(user: Any, public_id: str, **what: Any) -> Scenario:
    row = _scenario_of_user(user, public_id)
    for field, value in what.items():
        setattr(row, field, value)
    row.save(update_fields=list(what))
    return row


def must_be_sharing(sharing: str) -> None:
    if sharing not in Scenario.Sharing.values:
        raise Refused("bad-sharing", _("A scenario is private, shared by link, or public."))


# What the table asks of a scenario beyond what makes a record well formed (docs/decisions/0009).

LONGEST_NAME = 60
LARGEST = 100_000
COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
A_COLOUR = gettext_noop("must be a colour as #rrggbb")
A_NAME = gettext_noop("must be a name of 1 to %(most)s printable characters")
A_TEXT = gettext_noop("must be at most %(most)s printable characters")


def is_name(text: Any) -> bool:
    """Is it a name of 1 to 60 printable characters? Those that only turn or hide others, and line
    ends, are none.
    """
    return (
        type(text) is str and printable(text) and bool(text.strip()) and len(text) <= LONGEST_NAME
    )


def vet(scenario: Mapping[str, Any]) -> None:
    """Raises `MalformedRecord` with the key of the first text, name or colour that no page shall
    show.

    The scenario has been read by its title: its keys are known. Deeper than that goes no title's.
    """
    for fault in faults_of(scenario):
        raise fault


def faults_of(scenario: Mapping[str, Any]) -> Iterator[MalformedRecord]:
    """Every such text, name or colour, and whether the whole is too large."""
    yield from _vet("scenario", "", scenario)
    try:
        size = len(canonical(scenario).encode())
    except ValueError:
        yield MalformedRecord("scenario", _("has a number with more digits than can be kept"))
        return
    if size > LARGEST:
        yield MalformedRecord(
            "scenario", _("is larger than %(most)s kB") % {"most": LARGEST // 1000}
        )


def _vet(where: str, key: str, value: Any) -> Iterator[MalformedRecord]:
    if isinstance(value, Mapping):
        for inner, one in value.items():
            yield from _vet(f"{where}.{inner}", inner, one)
    elif isinstance(value, (list, tuple)):
        for n, one in enumerate(value):
            yield from _vet(f"{where}.{n}", "", one)
    elif isinstance(value, str):
        if key == "colour" and not COLOUR.fullmatch(value):
            yield MalformedRecord(where, _(A_COLOUR))
        elif key == "name" and not is_name(value):
            yield MalformedRecord(where, _(A_NAME) % {"most": LONGEST_NAME})
        elif key == "name" and SEATED.search(where) and is_reserved(value):
            yield MalformedRecord(
                where, _("could be mistaken for a role, such as game master or moderator")
            )
        elif len(value) > LONGEST_NAME or not printable(value):
            yield MalformedRecord(where, _(A_TEXT) % {"most": LONGEST_NAME})


# The map that a campaign brings with it, as its title wrote it down.


def text_of(campaign: Campaign) -> str:
    """The text of the campaign's own drawing; empty where it has none, and the title knows how to
    draw its map.
    """
    return drawing_text(campaign.drawing_id) if campaign.drawing_id else ""


@lru_cache(32)
def drawing_text(digest: str) -> str:
    """A drawing by its name, which is the digest of it: once read, it stands."""
    return MapDrawing.objects.values_list("text", flat=True).get(digest=digest)
