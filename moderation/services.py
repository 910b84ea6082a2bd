"""Reporting a text, and what moderators do about it: dismiss, remove the text, warn its author,
close their account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from campaign import access, keys, sentences
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.hosting import host_acts
from campaign.log import entries
from campaign.models import Campaign, Membership
from campaign.seats import handover
from engine.language import reading_in
from engine.strict_json import clean_text
from moderation import targets
from moderation.models import AbuseReport, Kind, Removal
from moderation.targets import Target
from notices import mailing
from notices.kinds.moderation import (
    OUTCOMES,
    ReportSettled,
    TextRemoved,
    TextReported,
    Warned,
    notify_of_moderation,
)
from people import services as people
from people.models import Block, User

# Which reports there are, and who reads them.


def moderators() -> QuerySet[User]:
    named = Q(moderator=True) | Q(is_superuser=True)
    return User.objects.filter(named, is_active=True, guest=False, demo=False).order_by("username")


def waiting() -> QuerySet[AbuseReport]:
    """The reports that nobody has decided, the oldest first."""
    return (
        AbuseReport.objects.filter(settled_at=None)
        .select_related("campaign", "author", "by")
        .order_by("pk")
    )


def settled() -> QuerySet[AbuseReport]:
    rows = AbuseReport.objects.filter(settled_at__isnull=False).select_related(
        "campaign", "author", "by", "settled_by"
    )
    return rows.order_by("-settled_at", "-pk")


def of_campaign(campaign: Campaign, user: Any) -> list[AbuseReport]:
    """The reports that the game masters of a campaign read, those not seen to first: not what
    somebody reported of them, nor what they reported. Raises `NotAllowed`.
    """
    if not access.access_of(campaign, user).host:
        raise NotAllowed("game-master-only", _("Only the game master may do this."))
    rows = AbuseReport.objects.filter(campaign=campaign, to_masters=True).exclude(
        Q(author_id=user.pk) | Q(by_id=user.pk)
    )
    seats = Membership.objects.filter(campaign=campaign, user_id=user.pk, role=Membership.Role.SEAT)
    if seats.filter(until=None).exists():
        rows = rows.exclude(kind=Kind.MESSAGE)
    for (
        led
    ) in seats:  # other game masters saw messages that were reported while this one led a nation
        rows = rows.exclude(
            kind=Kind.MESSAGE, at__gte=led.since, at__lt=led.until or timezone.now()
        )
    return sorted(rows.select_related("campaign", "author", "by").order_by("-pk"), key=_is_done)


def _is_done(row: AbuseReport) -> bool:
    return row.masters_at is not None or row.settled_at is not None


def shown_texts(rows: Iterable[AbuseReport]) -> dict[int, str]:
    """Return the reported texts by row for game masters and reporters, without texts that were
    removed since.
    """
    reports = list(rows)
    removals = list(Removal.objects.filter(ref__in={row.ref for row in reports}).order_by("pk"))
    texts = {row.pk: row.text for row in reports}
    for row in reports:
        for gone in removals:
            if (gone.kind, gone.ref) == (row.kind, row.ref) and gone.at >= row.at:
                texts[row.pk] = sentences.removal_text(
                    timezone.localdate(gone.at, UTC), gone.reason
                )
                break
    return texts


def made_by(user: Any) -> QuerySet[AbuseReport]:
    """What somebody has reported, the latest first."""
    return AbuseReport.objects.filter(by_id=user.pk).select_related("campaign").order_by("-pk")


def about(user: Any) -> QuerySet[AbuseReport]:
    """What was reported of somebody's texts, the latest first: for moderators."""
    return (
        AbuseReport.objects.filter(author_id=user.pk)
        .select_related("campaign", "by")
        .order_by("-pk")
    )


REASON, WORDS = 500, 1000
A_DAY, MOST = timedelta(days=1), 30
"""So many texts may one person report in so long a time."""
Outcome = AbuseReport.Outcome


# Reporting ----------------------------------------------------------------------------------------


@transaction.atomic
def report(
    user: Any, kind: str, ref: str, reason: str = "", *, now: datetime | None = None
) -> AbuseReport:
    """Show a text to the host's moderators, and to the game masters of its campaign where the rule
    says so.

    Reporting twice is no error while nobody has decided. Raises `NoSuchText` for what they cannot
    read, `Refused`, `NotNow`.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    one = targets.target(kind, ref, user)
    if one.author is not None and one.author.pk == user.pk:
        raise Refused("your-own", _("You wrote this yourself."))
    reason = reason.replace("\r\n", "\n").strip()
    entries.must_be_seen(reason, _("Reason"))
    if reason and not clean_text(reason, REASON):
        raise Refused(
            "no-reason", _("Write the reason in up to %(most)s characters.") % {"most": REASON}
        )
    pending = AbuseReport.objects.filter(
        kind=one.kind, ref=one.ref, by=user, settled_at=None
    ).first()
    if pending is not None:
        return pending
    if AbuseReport.objects.filter(by=user, at__gt=at - A_DAY).count() >= MOST:
        raise NotNow(
            "too-many",
            _("You have reported %(most)s texts within a day. Wait a little.") % {"most": MOST},
        )
    masters = masters_to_tell(one, user) if one.to_masters and one.campaign is not None else []
    row = AbuseReport.objects.create(
        kind=one.kind,
        ref=one.ref,
        campaign=one.campaign,
        author=one.author,
        sealed=keys.seal(one.text),
        by=user,
        reason=reason,
        to_masters=bool(masters),
        at=at,
    )
    if waiting().count() == 1:
        for moderator in moderators():
            letter(moderator, _to_look_at, "")
    if masters and one.campaign is not None:
        notify_of_moderation(
            one.campaign, masters, TextReported.key, {}, f"report {row.pk}", at, seat="gm"
        )
    return row


def _to_look_at() -> tuple[str, str]:
    text = _("It waits on the page Moderation. Nothing more is sent until it is decided.")
    return _("A text was reported at %(site)s") % _site(), text


def masters_to_tell(one: Target, user: Any) -> list[int]:
    """Return the neutral game masters of the text's campaign.

    They have neither written nor reported the text. If it is a message between seats, they lead no
    nation.
    """
    assert one.campaign is not None
    now = Membership.objects.filter(campaign=one.campaign, until=None)
    held = now.filter(role__in=Membership.MASTERS)
    if one.kind == Kind.MESSAGE:
        held = held.exclude(user__in=now.filter(role=Membership.Role.SEAT).values("user"))
    parties = {user.pk, one.author.pk if one.author is not None else None}
    return [pk for pk in held.values_list("user_id", flat=True) if pk not in parties]


@transaction.atomic
def seen_to(campaign: Campaign, user: Any, number: int, *, now: datetime | None = None) -> None:
    """A game master has seen to a report at the table; the moderators still decide. Twice is no
    error.
    """
    row = next((one for one in of_campaign(campaign, user) if one.pk == number), None)
    if row is None or row.masters_at is not None:
        return
    at = entries.moment(now)
    AbuseReport.objects.filter(pk=row.pk).update(masters_at=at)
    notify_or_write(
        row.by, campaign, ReportSettled.key, {"outcome": "seen", "reason": ""}, f"seen {row.pk}", at
    )


# What moderators do -------------------------------------------------------------------------------


def must_moderate(user: Any) -> None:
    if not people.is_moderator(user):
        raise NotAllowed("moderators-only", _("Only the moderators of this site may do this."))


def dismiss(
    moderator: Any, report: AbuseReport, words: str = "", *, now: datetime | None = None
) -> None:
    """The text stays."""
    _decide(
        moderator,
        report,
        Outcome.DISMISSED,
        words,
        now,
        lambda row, why, at: None,
        needs_words=False,
    )


def remove(moderator: Any, report: AbuseReport, words: str, *, now: datetime | None = None) -> None:
    """The text is removed wherever it is shown; `words` are the reason that everybody reads in its
    place.
    """

    def do(row: AbuseReport, why: str, at: datetime) -> None:
        one = targets.target(row.kind, row.ref)
        _remove(moderator, one, why, at)

    _decide(moderator, report, Outcome.REMOVED, words, now, do)


def warn(moderator: Any, report: AbuseReport, words: str, *, now: datetime | None = None) -> None:
    """Its author reads a warning, by e-mail too."""

    def do(row: AbuseReport, why: str, at: datetime) -> None:
        if row.author is None:
            raise Refused("nobody", _("Nobody wrote this text, so nobody can be warned."))
        people.note(row.author, "warned", why, at, by=moderator)
        if row.campaign is not None:
            notify_or_write(
                row.author, row.campaign, Warned.key, {"reason": why}, f"warned {row.pk}", at
            )
        letter(row.author, _warning, why)

    _decide(moderator, report, Outcome.WARNED, words, now, do)


def close(moderator: Any, report: AbuseReport, words: str, *, now: datetime | None = None) -> None:
    """The account of its author is closed; the text stays, unless it was removed before."""

    def do(row: AbuseReport, why: str, at: datetime) -> None:
        if row.author is None:
            raise Refused("nobody", _("Nobody wrote this text, so there is no account to close."))
        close_account(moderator, row.author, why, now=at)

    _decide(moderator, report, Outcome.CLOSED, words, now, do)


def _decide(
    moderator: Any,
    report: AbuseReport,
    outcome: str,
    words: str,
    now: datetime | None,
    do: Callable[[AbuseReport, str, datetime], None],
    *,
    needs_words: bool = True,
) -> None:
    """One decision for every report of the same text that waits; each reporter learns of it. All of
    it, or nothing.
    """
    must_moderate(moderator)
    at = entries.moment(now)
    why = entries.a_reason(words) if needs_words or words.strip() else ""
    with transaction.atomic():
        row = AbuseReport.objects.select_for_update().get(pk=report.pk)
        if row.settled_at is not None:
            raise NotNow("settled", _("Another moderator has decided this already."))
        if moderator.pk in (row.author_id, row.by_id):
            raise NotAllowed(
                "a-party", _("You wrote or reported this text. Another moderator decides.")
            )
        do(row, why, at)
        _settle(row.kind, row.ref, outcome, why, moderator, at)


def _settle(kind: str, ref: str, outcome: str, why: str, moderator: Any, at: datetime) -> None:
    """Every report of this text is decided, and who made one learns how."""
    rows = list(waiting().filter(kind=kind, ref=ref).select_related("by", "campaign"))
    decided = {"settled_at": at, "settled_by": moderator, "outcome": outcome, "words": why}
    AbuseReport.objects.filter(pk__in=[one.pk for one in rows]).update(**decided)
    for one in rows:
        facts = {"outcome": str(outcome), "reason": why if outcome == Outcome.DISMISSED else ""}
        notify_or_write(one.by, one.campaign, ReportSettled.key, facts, f"settled {one.pk}", at)


@transaction.atomic
def remove_text(
    moderator: Any, kind: str, ref: str, reason: str, *, now: datetime | None = None
) -> Removal:
    """Remove a text that nobody has reported; None is the host's command. Raises `NoSuchText`,
    `Refused`, `NotNow`.
    """
    if moderator is not None:
        must_moderate(moderator)
    why, at = entries.a_reason(reason), entries.moment(now)
    row = _remove(moderator, targets.target(kind, ref), why, at)
    _settle(kind, ref, Outcome.REMOVED, why, moderator, at)
    return row


def _remove(moderator: Any, one: Target, why: str, at: datetime) -> Removal:
    targets.must_be_removable(one)
    gone = targets.remove(one, why, at)
    row = Removal.objects.create(
        kind=one.kind,
        ref=one.ref,
        campaign=one.campaign,
        entry=gone.entry,
        author=one.author,
        sealed=keys.seal(one.text),
        reason=why,
        by=moderator,
        at=at,
    )
    if one.author is not None:
        notify_or_write(
            one.author, one.campaign, TextRemoved.key, {"reason": why}, f"removed {row.pk}", at
        )
    return row


def close_account(
    moderator: Any, user: User, reason: str, *, now: datetime | None = None
) -> list[str]:
    """At once: nobody signs in as them, their places are free, their programs and devices are told
    nothing any more; they read why by e-mail and where they try to sign in. What it did, in words
    for the host. Raises `Refused`, `NotSo`.
    """
    if moderator is not None:
        must_moderate(moderator)
        if moderator.pk == user.pk:
            raise Refused("yourself", _("Close your own account on its own page."))
        if user.is_superuser or user.moderator:
            raise Refused(
                "a-moderator",
                _("This is a moderator of the site: the host closes the account by a command."),
            )
    why, at = entries.a_reason(reason), entries.moment(now)
    email, language = user.email if not user.email_is_anothers else "", user.language
    with transaction.atomic():
        lines = host_acts.close_account(user, why, by=moderator, now=at)
    _letter(email, language, _closed, why)
    return lines


def _warning() -> tuple[str, str]:
    return (
        _("A warning from %(site)s") % _site(),
        _("The moderators of %(site)s warn you:") % _site(),
    )


def _closed() -> tuple[str, str]:
    return (
        _("Your account at %(site)s is closed") % _site(),
        _("The moderators of %(site)s have closed your account:") % _site(),
    )


def _text_removed() -> tuple[str, str]:
    return _("A moderator has removed a text of yours"), _(
        "The reason, which everybody reads in its place:"
    )


# Telling people -----------------------------------------------------------------------------------


def notify_or_write(
    user: Any, campaign: Campaign | None, kind: str, facts: dict[str, Any], about: str, at: datetime
) -> None:
    """A notice where it is about a campaign, which comes through the channels that they chose; else
    a letter.
    """
    if campaign is not None:
        notify_of_moderation(campaign, [user.pk], kind, facts, about, at)
        return
    outcome, reason = facts.get("outcome", ""), facts.get("reason", "")
    if kind == ReportSettled.key:
        letter(user, lambda: (_("Your report has been looked at"), _(OUTCOMES[outcome])), reason)
    elif kind == TextRemoved.key:
        letter(user, _text_removed, reason)


def letter(user: Any, words: Callable[[], tuple[str, str]], reason: str) -> None:
    """Subject and first line, made in their language, and what a moderator wrote. Only to an
    address that is theirs.
    """
    if user.is_active and user.email and not user.email_is_anothers:
        _letter(user.email, user.language, words, reason)


def _letter(email: str, language: str, words: Callable[[], tuple[str, str]], reason: str) -> None:
    if not email:
        return
    with translation.override(language or "en"), reading_in(language or "en"):
        subject, first = words()
        whom = (
            _("If you think this is wrong, write to %(contact)s.") % {"contact": settings.CONTACT}
            if settings.CONTACT
            else ""
        )
    text = "\n\n".join(part for part in (first, reason, whom, settings.SITE_URL) if part)
    mailing.leave(EmailMessage(subject, text, None, [email]))


def _site() -> dict[str, str]:
    return {"site": settings.SITE_URL.split("://")[-1].rstrip("/")}


# Blocks -------------------------------------------------------------------------------------------


@transaction.atomic
def block(user: Any, other: User, *, now: datetime | None = None) -> Block:
    """They hear nothing from each other from now on; seats that one has offered the other are
    offered no more. Raises `CannotBlock`.
    """
    at = now or timezone.now()
    row = people.block(user, other, at)
    handover.end_offers_between(user, other, at)
    return row


def erase(user: Any, at: datetime) -> list[str]:
    """Of who leaves for good: the reasons that they gave, and their texts that were reported or
    removed. The rows stay.
    """
    mine = AbuseReport.objects.filter(by=user).update(reason="")
    theirs = AbuseReport.objects.filter(author=user).update(sealed="") + Removal.objects.filter(
        author=user
    ).update(sealed="")
    return [f"{mine} reports made", f"{theirs} texts reported or removed"]


def reopen_account(user: User, reason: str, *, now: datetime | None = None) -> None:
    """By the host's command. Raises `NotSo`."""
    people.reopen(user, reason, entries.moment(now))
