"""What the pages of scenarios show: the library, one scenario, and the form for a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import drafts
from campaign import scenarios as shelves
from campaign.dates import written
from campaign.models import Scenario, ScenarioDraft
from engine.strict_json import printable_text, read
from games.contract.plain import RawScenario
from games.contract.title import Editable, Title
from people import services as people_services
from people.models import User
from web.frame.chip import Chip
from web.scenarios.choice import SHELF
from web.scenarios.contract import Preview, Previews
from web.scenarios.forms import SHARINGS, ScenarioForm
from web.scenarios.judging import editable_titles, warnings_about
from web.titles.contract import pages_of

LISTED = 200
"""The most scenarios in a list."""
LISTED_FAULTS = 40
"""The most faults on the page of a scenario."""


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """A scenario in a list."""

    name: str
    url: str
    details: str
    chip: Chip | None = None


@dataclass(frozen=True, slots=True)
class RemovedRow:
    """A scenario that its owner has removed and may bring back."""

    name: str
    url: str
    removed_at: datetime | None


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A draft of the reader."""

    name: str
    url: str
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a reader without scenarios is invited to do; without a link for those with an
    account.
    """

    text: str
    link_text: str = ""
    link_url: str = ""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    """The reader's scenarios, those that others share, and those that are shipped."""

    mine: Sequence[ScenarioRow]
    removed: Sequence[RemovedRow]
    drafts: Sequence[DraftRow]
    public: Sequence[ScenarioRow]
    shipped: Sequence[ScenarioRow]
    may_write: bool
    invitation: Invitation


@dataclass(frozen=True, slots=True)
class SharingChoice:
    """One answer to who sees a scenario."""

    key: str
    name: str
    explanation: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TitleChoice:
    """A title whose scenarios people write."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class NewScenarioPage:
    """The form that brings a scenario, with everything that is wrong with what was sent."""

    titles: Sequence[TitleChoice]
    text: str
    sharings: Sequence[SharingChoice]
    faults: Sequence[str]
    more_faults: int
    warnings: Sequence[str]
    file_error: str
    drawing_error: str

    @property
    def is_refused(self) -> bool:
        return bool(self.faults or self.file_error or self.drawing_error)


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A file that the page offers."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Fork:
    """The form that makes a draft from the scenario."""

    source: str
    button: str
    version: str


@dataclass(frozen=True, slots=True)
class ShareSheet:
    """Who sees the scenario, as its owner decides it; `address` is empty while nobody else does."""

    sharings: Sequence[SharingChoice]
    address: str
    playtest_url: str


@dataclass(frozen=True, slots=True)
class ScenarioPage:
    """A scenario before it is played."""

    name: str
    title: str
    author: str
    """The name of its owner; empty for a shipped scenario and for its owner."""
    report_ref: str
    """What a report of a text names; empty for the reader's own and for shipped scenarios."""
    made_at: datetime | None
    found_url: str
    """Where a campaign is founded with it; empty if it is removed."""
    fork: Fork | None
    is_removed: bool
    is_hidden: bool
    is_mine: bool
    warnings: Sequence[str]
    files: Sequence[ScenarioFile]
    share: ShareSheet | None
    rules_url: str
    """The rules with its numbers; empty for a shipped scenario."""
    preview: Preview
    """What its title shows of it, by the template that it names."""


def library_page(user: User | AnonymousUser) -> LibraryPage:
    """Return the library as this reader sees it."""
    titles = {title.key: title.name for title in editable_titles()}
    guest = people_services.is_guest(user)
    signed_in = bool(user.pk)
    return LibraryPage(
        mine=[
            own_row(row, titles[row.title])
            for row in known(shelves.scenarios_of_user(user) if signed_in else (), titles)
        ],
        removed=[removed_row(row) for row in known(removed_scenarios(user), titles)],
        drafts=[draft_row(draft) for draft in drafts.drafts_of(user)[:LISTED]] if signed_in else [],
        public=[
            shared_row(row, titles[row.title])
            for row in known(shelves.public(user)[:LISTED], titles)
        ],
        shipped=shipped_rows(),
        may_write=user.is_authenticated and not guest,
        invitation=invitation(user, guest),
    )


def known(rows: Iterable[Scenario], titles: Mapping[str, str]) -> list[Scenario]:
    """Return the scenarios of titles that people write scenarios for."""
    return [row for row in rows if row.title in titles]


def removed_scenarios(user: User | AnonymousUser) -> Iterable[Scenario]:
    """Return the scenarios that the reader has removed."""
    return shelves.scenarios_of_user(user, removed=True)[:LISTED] if user.pk else ()


def own_row(row: Scenario, title: str) -> ScenarioRow:
    """Return a scenario of the reader."""
    day = written(timezone.localtime(row.made_at), "j M Y")
    drawn_from_borders = _("map drawn from its borders")
    origin = f" · {drawn_from_borders}" if row.drawing_id is None else ""
    return ScenarioRow(
        name=row.name,
        url=reverse("scenario_shown", args=[row.public_id]),
        details=f"{title}, {day}{origin}",
        chip=sharing_chip(row),
    )


def sharing_chip(row: Scenario) -> Chip:
    """Return who sees a scenario, in a word."""
    if row.hidden:
        return Chip(_("hidden by the host"), "warn")
    if row.sharing == Scenario.Sharing.PUBLIC:
        return Chip(pgettext("scenario", "public"), "good")
    if row.sharing == Scenario.Sharing.LINK:
        return Chip(_("by link"))
    return Chip(pgettext("scenario", "private"))


def shared_row(row: Scenario, title: str) -> ScenarioRow:
    """Return a scenario of another user."""
    author = _("by %(name)s") % {"name": owner_of(row).username}
    return ScenarioRow(
        name=row.name,
        url=reverse("scenario_shown", args=[row.public_id]),
        details=f"{title}, {author}",
    )


def owner_of(row: Scenario) -> User:
    """Return the owner of a scenario, which every scenario in a list has."""
    assert row.owner is not None
    return row.owner


def removed_row(row: Scenario) -> RemovedRow:
    """Return a removed scenario of the reader."""
    return RemovedRow(
        name=row.name,
        url=reverse("scenario_shown", args=[row.public_id]),
        removed_at=row.removed_at,
    )


def draft_row(draft: ScenarioDraft) -> DraftRow:
    """Return a draft of the reader."""
    return DraftRow(
        name=draft.name,
        url=reverse("scenario_editor", args=[draft.public_id]),
        saved_at=draft.saved_at,
    )


def shipped_rows() -> list[ScenarioRow]:
    """Return the scenarios that come with the titles."""
    return [
        ScenarioRow(
            name=str(raw.get("name", key)),
            url=reverse("scenario_shipped", args=[title.key, key]),
            details=title.name,
        )
        for title in editable_titles()
        for key, raw in title.scenarios().items()
    ]


def invitation(user: User | AnonymousUser, guest: bool) -> Invitation:
    """Return the invitation that the page shows if the reader has no scenarios."""
    if user.is_authenticated and not guest:
        return Invitation(_("None yet. Begin one on the map, or bring the file of one."))
    text = _("With an account you keep scenarios of your own here.")
    if guest:
        return Invitation(text, _("Make an account"), reverse("account_signup"))
    return Invitation(text, _("Sign in"), reverse("account_login"))


def sharing_choices(chosen: str) -> list[SharingChoice]:
    """Return the answers to who sees a scenario."""
    return [
        SharingChoice(
            key=key, name=str(name), explanation=str(explanation), is_chosen=key == chosen
        )
        for key, name, explanation in SHARINGS
    ]


def new_scenario_page(
    form: ScenarioForm | None = None,
    faults: Sequence[object] = (),
    warnings: Sequence[str] = (),
    refusal: str = "",
) -> NewScenarioPage:
    """Return the form as it opens, or as it was sent with what is wrong."""
    titles = editable_titles()
    chosen = form.chosen_title if form is not None else titles[0]
    errors = form.errors if form is not None else {}
    sharing = form.data.get("sharing", "") if form is not None else ""
    text = form.scenario_text if form is not None else ""
    return NewScenarioPage(
        titles=[
            TitleChoice(key=title.key, name=title.name, is_chosen=title is chosen)
            for title in titles
        ],
        text=text[: shelves.LONGEST],
        sharings=sharing_choices(sharing or Scenario.Sharing.PRIVATE),
        faults=[printable_text(str(fault)) for fault in faults[:LISTED_FAULTS]],
        more_faults=max(0, len(faults) - LISTED_FAULTS),
        warnings=warnings,
        file_error=refusal or first_error(errors, "file"),
        drawing_error=first_error(errors, "drawing"),
    )


def first_error(errors: Mapping[str, Sequence[object]], field: str) -> str:
    """Return the first error of a field, empty if it has none."""
    return next((str(error) for error in errors.get(field, ())), "")


def shipped_page(
    user: User | AnonymousUser, title: Title, key: str, raw: RawScenario
) -> ScenarioPage:
    """Return a scenario that comes with a title."""
    preview = previews(title).preview(raw, "")
    files = [ScenarioFile(_("Scenario"), reverse("scenario", args=[title.key, key]))]
    if not preview.laid_out:
        drawing = reverse("scenario_drawing", args=[title.key, key])
        files.append(ScenarioFile(_("Drawing"), drawing))
    fork = Fork(source=f"{title.key}/{key}", button=_("Fork: a draft of your own"), version="")
    return ScenarioPage(
        name=str(raw["name"]),
        title=title.name,
        author="",
        report_ref="",
        made_at=None,
        found_url=found_url(title, key),
        fork=fork if may_fork(user, title) else None,
        is_removed=False,
        is_hidden=False,
        is_mine=False,
        warnings=warnings_about(title, raw, LISTED_FAULTS),
        files=files,
        share=None,
        rules_url="",
        preview=preview,
    )


def scenario_page(request: HttpRequest, row: Scenario, title: Title) -> ScenarioPage:
    """Return a scenario of a user's shelf."""
    raw = read(row.text)
    mine = row.owner_id == request.user.pk
    removed = row.removed_at is not None
    return ScenarioPage(
        name=str(raw["name"]),
        title=title.name,
        author="" if mine else owner_of(row).username,
        report_ref="" if mine else row.public_id,
        made_at=row.made_at,
        found_url="" if removed else found_url(title, f"{SHELF}{row.public_id}"),
        fork=fork_of(row, mine) if may_fork(request.user, title) and not removed else None,
        is_removed=removed,
        is_hidden=row.hidden,
        is_mine=mine,
        warnings=warnings_about(title, raw, LISTED_FAULTS),
        files=[scenario_file(row)],
        share=share_sheet(request, row) if mine and not removed else None,
        rules_url=reverse("scenario_rules", args=[row.public_id]),
        preview=previews(title).preview(raw, row.drawing.text if row.drawing else ""),
    )


def found_url(title: Title, choice: str) -> str:
    """Return the address at which a campaign is founded with this scenario."""
    return f"{reverse('found')}?{urlencode({'title': title.key, 'scenario': choice})}"


def may_fork(user: User | AnonymousUser, title: Title) -> bool:
    """Return whether this reader may edit a draft of the scenario."""
    return user.is_authenticated and not user.guest and isinstance(title, Editable)


def fork_of(row: Scenario, mine: bool) -> Fork:
    """Return the form that makes a draft from a scenario of a shelf."""
    version = ""
    if row.version:
        version = _("version %(n)s") % {"n": row.version}
        version += f": {row.note}" if row.note else ""
    button = _("Edit it as a draft") if mine else _("Fork: a draft of your own")
    return Fork(source=row.public_id, button=button, version=version)


def scenario_file(row: Scenario) -> ScenarioFile:
    """Return the file of a scenario of a shelf."""
    return ScenarioFile(
        text=_("Scenario and drawing") if row.drawing_id else _("Scenario"),
        url=reverse("scenario_file", args=[row.public_id]),
    )


def share_sheet(request: HttpRequest, row: Scenario) -> ShareSheet:
    """Return who sees the scenario, and its address if anyone else does."""
    is_shared = row.sharing != Scenario.Sharing.PRIVATE
    return ShareSheet(
        sharings=sharing_choices(row.sharing),
        address=request.build_absolute_uri() if is_shared else "",
        playtest_url=f"{reverse('scenario_playtest')}?scenario={row.public_id}",
    )


def previews(title: Title) -> Previews:
    """Return the part of a title that shows its scenarios.

    Raises:
        LookupError: Nobody writes scenarios for this title.
    """
    part = pages_of(title.key).scenarios
    if part is None:
        raise LookupError(f"{title.key} shows no scenarios")
    return part
