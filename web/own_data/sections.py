"""The rows that are stored about a user: a section for each column that refers to a user.

A test checks that no such column is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry as AdminEntry
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from battles.models import LobbyPassword
from campaign import models as table
from campaign.seats.selectors import text_of
from forum import models as forum
from moderation.models import AbuseReport, Removal
from notices import models as notices
from people import models as people
from talk.models import Message

SECRETS = frozenset(
    {
        "password",
        "sealed",
        "secret",
        "secret_hash",
        "token_hash",
        "code_hash",
        "session",
        "data",
        "text_sealed",
        "seed_sealed",
        "digest_key_sealed",
        "content",
        "settings",
        "effects",
        "hash",
        "digest",
        "username_folded",
        "email_folded",
        "key",
        "entered_dice",
        "sessions_ended",
        "parked",
        "mixing",
        "last_hash",
        "standing_hash",
        "last_sequence",
        "result",
        "board_message",
        "why",
        "username_skeleton",
    }
)
"""Columns that are left out.

They grant access, are derived from other columns, or contain other people's secrets.
"""


RowOfModel = TypeVar("RowOfModel", bound=Model)


def nothing_more(row: Model) -> Mapping[str, object]:
    return {}


@dataclass(frozen=True, slots=True)
class Section(Generic[RowOfModel]):
    """The rows of a model that refer to a user with the column `field`.

    `more` returns the content of sealed columns and of other tables. `only` names the columns that
    are shown if most of the row is not about the user; empty for all columns.
    """

    name: str
    label: Promise
    model: type[RowOfModel]
    field: str
    more: Callable[[RowOfModel], Mapping[str, object]] = nothing_more
    only: tuple[str, ...] = ()


def text_of_note(row: table.SeatNote) -> Mapping[str, object]:
    return {"text": text_of(row)}


def text_of_message(row: Message) -> Mapping[str, object]:
    return {"text": row.gap or row.text}


def name_of_blocked(row: people.Block) -> Mapping[str, object]:
    return {"name": row.blocked.username}


def removed_text(row: Removal) -> Mapping[str, object]:
    return {"text": row.text}


def reported_text(row: AbuseReport, *, of_reporter: bool) -> Mapping[str, object]:
    """Return the text, and the moderator's words if they were addressed to this user.

    They are addressed to the reporter if the text was left unchanged, otherwise to the author.
    """
    is_for_reporter = row.outcome == AbuseReport.Outcome.DISMISSED
    return {"text": row.text, "words": row.words if is_for_reporter is of_reporter else ""}


SECTIONS: tuple[Section[Any], ...] = (
    Section("addresses", gettext_lazy("E-mail addresses"), EmailAddress, "user"),
    Section(
        "elsewhere",
        gettext_lazy("Accounts on other sites with which you sign in"),
        SocialAccount,
        "user",
        only=("id", "provider", "uid", "last_login", "date_joined"),
    ),
    Section("second-factors", gettext_lazy("Second factors"), Authenticator, "user"),
    Section(
        "administration", gettext_lazy("Your actions in the administration"), AdminEntry, "user"
    ),
    Section("discord", gettext_lazy("Link to Discord"), people.DiscordAccount, "user"),
    Section("absences", gettext_lazy("Absences"), people.Absence, "user"),
    Section("tokens", pgettext_lazy("section", "Tokens for programs"), people.Token, "user"),
    Section(
        "blocks",
        gettext_lazy("People you block"),
        people.Block,
        "user",
        name_of_blocked,
    ),
    Section(
        "host",
        gettext_lazy("What the host and moderators did to your account"),
        people.HostAct,
        "user",
    ),
    Section(
        "moderated",
        gettext_lazy("Your actions as a moderator"),
        people.HostAct,
        "by",
        only=("id", "act", "at"),
    ),
    Section(
        "site-invitations",
        gettext_lazy("Invitations to this site that you made"),
        people.SiteInvitation,
        "made_by",
    ),
    Section(
        "guests",
        gettext_lazy("Your earlier guest accounts"),
        people.User,
        "merged_into",
        only=("id", "username", "date_joined"),
    ),
    Section("own-data", gettext_lazy("Files like this one"), people.OwnDataExport, "user"),
    Section("places", gettext_lazy("Seats and roles"), table.Membership, "user"),
    Section(
        "founded",
        gettext_lazy("Campaigns that you founded"),
        table.Campaign,
        "founder",
        only=("id", "public_id", "name", "title", "visibility", "founded_at", "status"),
    ),
    Section(
        "entries",
        gettext_lazy("Your actions in the logs"),
        table.LogEntry,
        "actor",
        only=("id", "campaign", "number", "seat", "content_json", "at", "turn"),
    ),
    Section("plans", gettext_lazy("Plans"), table.Plan, "user"),
    Section("notes", gettext_lazy("Notes for your seats"), table.SeatNote, "user", text_of_note),
    Section(
        "standing-orders", pgettext_lazy("section", "Standing orders"), table.StandingOrders, "user"
    ),
    Section("applications", gettext_lazy("Applications in lobbies"), table.Application, "user"),
    Section("invitations", gettext_lazy("Invitations that you made"), table.Invitation, "made_by"),
    Section("offers", gettext_lazy("Seats offered to you"), table.Invitation, "named"),
    Section(
        "offers-of-yours",
        gettext_lazy("Seats that you offered to others"),
        table.Invitation,
        "leaver",
    ),
    Section("handovers", gettext_lazy("Seats handed over to you"), table.SeatHandover, "user"),
    Section(
        "handed-over",
        gettext_lazy("Seats that you handed over"),
        table.SeatHandover,
        "leaver",
        only=("id", "campaign", "seat", "at"),
    ),
    Section(
        "imports", gettext_lazy("Records and scenarios that you sent"), table.ImportJob, "user"
    ),
    Section("looks", gettext_lazy("Hidden hands that you looked at"), table.AccessLogEntry, "user"),
    Section("scenarios", pgettext_lazy("section", "Scenarios"), table.Scenario, "owner"),
    Section("drafts", gettext_lazy("Drafts of scenarios"), table.ScenarioDraft, "owner"),
    Section(
        "messages",
        gettext_lazy("Messages that you wrote"),
        Message,
        "author",
        text_of_message,
    ),
    Section(
        "lobby-passwords",
        gettext_lazy("Passwords that you set for lobbies in the game"),
        LobbyPassword,
        "set_by",
        only=("id", "number", "set_at"),
    ),
    Section("notices", pgettext_lazy("section", "Notices"), notices.Notice, "user"),
    Section("channels", gettext_lazy("Channels of notices"), notices.Channel, "user"),
    Section("muted", pgettext_lazy("section", "Muted campaigns"), notices.Mute, "user"),
    Section("feeds", pgettext_lazy("section", "Feeds"), notices.FeedAddress, "user"),
    Section("webhooks", gettext_lazy("Webhooks that you set up"), notices.Webhook, "made_by"),
    Section("threads", gettext_lazy("Threads on boards that you set up"), forum.Thread, "made_by"),
    Section("posts", gettext_lazy("Posts that you prepared"), forum.Post, "made_by"),
    Section(
        "following",
        gettext_lazy("Threads that the site may read for you"),
        forum.FollowedThread,
        "changed_by",
        only=("id", "active", "read_at"),
    ),
    Section(
        "report-templates", gettext_lazy("Templates of reports"), forum.ReportTemplate, "changed_by"
    ),
    Section(
        "flavours", gettext_lazy("Your additions to reports"), forum.ReportComment, "changed_by"
    ),
    Section(
        "reports",
        gettext_lazy("Texts that you reported"),
        AbuseReport,
        "by",
        partial(reported_text, of_reporter=True),
        only=(
            "id",
            "kind",
            "ref",
            "campaign",
            "reason",
            "to_masters",
            "at",
            "masters_at",
            "settled_at",
            "outcome",
        ),
    ),
    Section(
        "reported",
        gettext_lazy("Your texts that were reported"),
        AbuseReport,
        "author",
        partial(reported_text, of_reporter=False),
        only=("id", "kind", "ref", "campaign", "at", "settled_at", "outcome"),
    ),
    Section(
        "decided",
        gettext_lazy("Reports that you decided"),
        AbuseReport,
        "settled_by",
        only=("id", "kind", "ref", "settled_at", "outcome"),
    ),
    Section(
        "removed",
        gettext_lazy("Your texts that were removed"),
        Removal,
        "author",
        removed_text,
        only=("id", "kind", "ref", "campaign", "reason", "at"),
    ),
    Section(
        "removals",
        gettext_lazy("Texts that you removed"),
        Removal,
        "by",
        only=("id", "kind", "ref", "campaign", "reason", "at"),
    ),
)
ELSEWHERE = frozenset({"people.block.blocked", "people.browsersession.user"})
"""Columns that refer to a user but are not in `SECTIONS`.

These are blocks by others, and sessions, which are a separate part (`web.own_data.contents`).
"""
