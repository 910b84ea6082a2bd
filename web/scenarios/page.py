"""The pages of scenarios: the library, a single scenario, and the form for a new one."""

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
from engine.strict_json import read, replace_unprintable
from games.contract.plain import RawScenario
from games.contract.title import Title, WithScenarioEditor
from people import services as people_services
from people.models import User
from web.frame.chip import Chip
from web.scenarios.choice import SHELF
from web.scenarios.contract import Preview, Previews
from web.scenarios.forms import SHARINGS, ScenarioForm
from web.scenarios.judging import editable_titles, warnings_about
from web.titles.contract import pages_of

LISTED = 200
"""The largest number of scenarios in a list."""
LISTED_FAULTS = 40
"""The largest number of faults on the page of a scenario."""


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """A scenario in a list."""

    name: str
    url: str
    details: str
    chip: Chip | None = None


@dataclass(frozen=True, slots=True)
class RemovedRow:
    """A scenario that its owner has removed and may restore."""

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
    """The suggestion for a reader without scenarios.

    It has no link for readers with an account.
    """

    text: str
    link_text: str = ""
    link_url: str = ""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    """The reader's scenarios, shared scenarios of other users, and shipped ones."""

    mine: Sequence[ScenarioRow]
    removed: Sequence[RemovedRow]
    drafts: Sequence[DraftRow]
    public: Sequence[ScenarioRow]
    shipped: Sequence[ScenarioRow]
    may_write: bool
    invitation: Invitation


@dataclass(frozen=True, slots=True)
class SharingChoice:
    """A possible audience of a scenario."""

    key: str
    name: str
    explanation: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TitleChoice:
    """A title for which users can write scenarios."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class NewScenarioPage:
    """The form that brings a scenario, with all errors in what was sent."""

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
    """A file to download."""

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
    """The audience of the scenario, which its owner chooses.

    `address` is empty while the scenario is private.
    """

    sharings: Sequence[SharingChoice]
    address: str
    playtest_url: str


@dataclass(frozen=True, slots=True)
class ScenarioPage:
    """A scenario and its preview."""

    name: str
    title: str
    author: str
    """The owner's name; empty for a shipped scenario and if the reader is the owner."""
    report_ref: str
    """The reference for reports of abuse; empty for the reader's own and for shipped scenarios."""
    made_at: datetime | None
    found_url: str
    """The page that founds a campaign with the scenario; empty if the scenario is removed."""
    fork: Fork | None
    is_removed: bool
    is_hidden: bool
    is_mine: bool
    warnings: Sequence[str]
    files: Sequence[ScenarioFile]
    share: ShareSheet | None
    rules_url: str
    """The rules with the numbers of the scenario; empty for a shipped scenario."""
    preview: Preview
    """The title's preview, which names its own template."""


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
            for row in known(shelves.public_scenarios(user)[:LISTED], titles)
        ],
        shipped=shipped_rows(),
        may_write=user.is_authenticated and not guest,
        invitation=invitation(user, guest),
    )


def known(rows: Iterable[Scenario], titles: Mapping[str, str]) -> list[Scenario]:
    """Return the scenarios whose titles are among `titles`."""
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
    """Return the audience of a scenario as a chip."""
    if row.hidden:
        return Chip(_("hidden by the host"), "warn")
    if row.sharing == Scenario.Sharing.PUBLIC:
        return Chip(pgettext("scenario", "public"), "good")
    if row.sharing == Scenario.Sharing.LINK:
        return Chip(_("by link"))
    return Chip(pgettext("scenario", "private"))


def shared_row(row: Scenario, title: str) -> ScenarioRow:
    """Return a scenario of another user."""
    author = pgettext("scenarios", "by %(name)s") % {"name": owner_of(row).username}
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
    """Return the scenarios that are shipped with the titles."""
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
    """Return the suggestion that the page shows if the reader has no scenarios."""
    if user.is_authenticated and not guest:
        return Invitation(_("None yet. Begin one on the map, or upload a file."))
    text = _("With an account you can keep scenarios of your own here.")
    if guest:
        return Invitation(
            text, pgettext("scenarios", "Create an account"), reverse("account_signup")
        )
    return Invitation(text, pgettext("scenarios", "Sign in"), reverse("account_login"))


def sharing_choices(chosen: str) -> list[SharingChoice]:
    """Return the possible audiences of a scenario."""
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
    """Return the empty form, or the form that was sent with its errors."""
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
        faults=[replace_unprintable(str(fault)) for fault in faults[:LISTED_FAULTS]],
        more_faults=max(0, len(faults) - LISTED_FAULTS),
        warnings=warnings,
        file_error=refusal or first_error(errors, "file"),
        drawing_error=first_error(errors, "drawing"),
    )


def first_error(errors: Mapping[str, Sequence[object]], field: str) -> str:
    """Return the first error of a field; empty if it has none."""
    return next((str(error) for error in errors.get(field, ())), "")


def shipped_page(
    user: User | AnonymousUser, title: Title, key: str, raw: RawScenario
) -> ScenarioPage:
    """Return the page of a scenario that is shipped with a title."""
    preview = previews(title).preview(raw, "")
    files = [
        ScenarioFile(pgettext("scenarios", "Scenario"), reverse("scenario", args=[title.key, key]))
    ]
    if not preview.laid_out:
        drawing = reverse("scenario_drawing", args=[title.key, key])
        files.append(ScenarioFile(_("Drawing"), drawing))
    fork = Fork(source=f"{title.key}/{key}", button=_("Copy as your own draft"), version="")
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
    """Return the page of a scenario on a user's shelf."""
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
    """Return the page that founds a campaign with this scenario."""
    return f"{reverse('found')}?{urlencode({'title': title.key, 'scenario': choice})}"


def may_fork(user: User | AnonymousUser, title: Title) -> bool:
    """Return whether this reader may edit a draft of the scenario."""
    return user.is_authenticated and not user.guest and isinstance(title, WithScenarioEditor)


def fork_of(row: Scenario, mine: bool) -> Fork:
    """Return the form that makes a draft from a scenario on a shelf."""
    version = ""
    if row.version:
        version = _("version %(n)s") % {"n": row.version}
        version += f": {row.note}" if row.note else ""
    button = _("Edit it as a draft") if mine else _("Copy as your own draft")
    return Fork(source=row.public_id, button=button, version=version)


def scenario_file(row: Scenario) -> ScenarioFile:
    """Return the file of a scenario on a shelf."""
    return ScenarioFile(
        text=_("Scenario and drawing") if row.drawing_id else pgettext("scenarios", "Scenario"),
        url=reverse("scenario_file", args=[row.public_id]),
    )


def share_sheet(request: HttpRequest, row: Scenario) -> ShareSheet:
    """Return the audience of the scenario, and its address unless it is private."""
    is_shared = row.sharing != Scenario.Sharing.PRIVATE
    return ShareSheet(
        sharings=sharing_choices(row.sharing),
        address=request.build_absolute_uri() if is_shared else "",
        playtest_url=f"{reverse('scenario_playtest')}?scenario={row.public_id}",
    )


def previews(title: Title) -> Previews:
    """Return the part of a title that shows its scenarios.

    Raises:
        LookupError: Users cannot write scenarios for this title.
    """
    part = pages_of(title.key).scenarios
    if part is None:
        raise LookupError(f"{title.key} shows no scenarios")
    return part
