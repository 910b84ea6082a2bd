"""Services with which users report texts and moderators decide about them.

A moderator can dismiss a report, remove the text, warn its author or close the author's account.
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
from django.utils.translation import pgettext

from campaign import access, keys, sentences
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.hosting import host_acts
from campaign.log import entries
from campaign.models import Campaign, Membership
from campaign.seats import handover
from engine.language import use_language
from engine.strict_json import is_clean_text
from moderation import targets
from moderation.models import AbuseReport, Kind, Removal
from moderation.targets import Target
from notices import mailing
from notices.kinds.moderation import (
    OUTCOMES,
    ReportSettled,
    TextRemoved,
    TextReported,
    WarningReceived,
    notify_of_moderation,
)
from people import services as people
from people.models import Block, User

# Selectors: which reports there are, and who may read them


def moderators() -> QuerySet[User]:
    named = Q(moderator=True) | Q(is_superuser=True)
    return User.objects.filter(named, is_active=True, guest=False, demo=False).order_by("username")


def open_reports() -> QuerySet[AbuseReport]:
    """Return the reports that no moderator has decided yet, oldest first."""
    return (
        AbuseReport.objects.filter(settled_at=None)
        .select_related("campaign", "author", "by")
        .order_by("pk")
    )


def settled_reports() -> QuerySet[AbuseReport]:
    rows = AbuseReport.objects.filter(settled_at__isnull=False).select_related(
        "campaign", "author", "by", "settled_by"
    )
    return rows.order_by("-settled_at", "-pk")


def reports_for_game_master(campaign: Campaign, user: Any) -> list[AbuseReport]:
    """Return the reports that a game master of a campaign may read, those not dealt with first.

    Reports that this game master has made, or that are about their texts, are left out.

    Raises:
        NotAllowed: The user is not a game master of the campaign.
    """
    if not access.access_of(campaign, user).host:
        raise NotAllowed("game-master-only", _("Only the game master may do this."))
    rows = AbuseReport.objects.filter(campaign=campaign, to_masters=True).exclude(
        Q(author_id=user.pk) | Q(by_id=user.pk)
    )
    seats = Membership.objects.filter(campaign=campaign, user_id=user.pk, role=Membership.Role.SEAT)
    if seats.filter(until=None).exists():
        rows = rows.exclude(kind=Kind.MESSAGE)
    # Reports of messages made while this game master led a nation went to neutral game masters.
    for seat in seats:
        until = seat.until or timezone.now()
        rows = rows.exclude(kind=Kind.MESSAGE, at__gte=seat.since, at__lt=until)
    return sorted(rows.select_related("campaign", "author", "by").order_by("-pk"), key=_is_done)


def _is_done(row: AbuseReport) -> bool:
    return row.masters_at is not None or row.settled_at is not None


def shown_texts(rows: Iterable[AbuseReport]) -> dict[int, str]:
    """Return the reported texts, by report id, as game masters and reporters see them.

    Texts that were removed since are replaced by a sentence that says so.
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


def reports_by(user: Any) -> QuerySet[AbuseReport]:
    """Return the reports that a user has made, newest first."""
    return AbuseReport.objects.filter(by_id=user.pk).select_related("campaign").order_by("-pk")


def reports_about(user: Any) -> QuerySet[AbuseReport]:
    """Return the reports about a user's texts, newest first, for moderators."""
    return (
        AbuseReport.objects.filter(author_id=user.pk)
        .select_related("campaign", "by")
        .order_by("-pk")
    )


LONGEST_REASON, LONGEST_WORDS = 500, 1000
A_DAY, MOST_REPORTS = timedelta(days=1), 30
"""The number of texts that a user may report within `A_DAY`."""
Outcome = AbuseReport.Outcome


# Reporting


@transaction.atomic
def report(
    user: Any, kind: str, ref: str, reason: str = "", *, now: datetime | None = None
) -> AbuseReport:
    """Report a text to the host's moderators, and to the game masters of its campaign.

    The game masters receive the report only if `Target.to_masters` allows it and they are neutral.

    If the user has reported the text before and no one has decided yet, this returns the existing
    report.

    Raises:
        NoSuchText: There is no such text, or the user cannot read it.
        Refused: The user wrote the text, or the reason is too long.
        NotNow: The user has reported too many texts within a day.
    """
    at = entries.moment(now)
    access.must_have_account(user)
    target = targets.find_target(kind, ref, user)
    if target.author is not None and target.author.pk == user.pk:
        raise Refused("your-own", pgettext("error", "You wrote this yourself."))
    reason = reason.replace("\r\n", "\n").strip()
    entries.must_be_visible(reason, pgettext("field", "Reason"))
    if reason and not is_clean_text(reason, LONGEST_REASON):
        raise Refused(
            "no-reason",
            _("The reason must have at most %(most)s characters.") % {"most": LONGEST_REASON},
        )
    pending = AbuseReport.objects.filter(
        kind=target.kind, ref=target.ref, by=user, settled_at=None
    ).first()
    if pending is not None:
        return pending
    if AbuseReport.objects.filter(by=user, at__gt=at - A_DAY).count() >= MOST_REPORTS:
        raise NotNow(
            "too-many",
            _("You have already reported %(most)s texts within a day. Try again later.")
            % {"most": MOST_REPORTS},
        )
    masters = (
        neutral_game_masters(target, user)
        if target.to_masters and target.campaign is not None
        else []
    )
    row = AbuseReport.objects.create(
        kind=target.kind,
        ref=target.ref,
        campaign=target.campaign,
        author=target.author,
        sealed=keys.seal(target.text),
        by=user,
        reason=reason,
        to_masters=bool(masters),
        at=at,
    )
    if open_reports().count() == 1:
        for moderator in moderators():
            send_letter(moderator, _report_text, "")
    if masters and target.campaign is not None:
        notify_of_moderation(
            target.campaign, masters, TextReported.key, {}, f"report {row.pk}", at, seat="gm"
        )
    return row


def _report_text() -> tuple[str, str]:
    text = _(
        "You will find it on the Moderation page. We will not e-mail you about it again until "
        "someone has decided."
    )
    return _("A text was reported at %(site)s") % _site_facts(), text


def neutral_game_masters(target: Target, user: Any) -> list[int]:
    """Return the ids of the neutral game masters of the text's campaign.

    They have neither written nor reported the text. If it is a message between seats, they lead no
    nation.
    """
    assert target.campaign is not None
    now = Membership.objects.filter(campaign=target.campaign, until=None)
    held = now.filter(role__in=Membership.MASTERS)
    if target.kind == Kind.MESSAGE:
        held = held.exclude(user__in=now.filter(role=Membership.Role.SEAT).values("user"))
    parties = {user.pk, target.author.pk if target.author is not None else None}
    return [pk for pk in held.values_list("user_id", flat=True) if pk not in parties]


@transaction.atomic
def mark_as_seen_to(
    campaign: Campaign, user: Any, number: int, *, now: datetime | None = None
) -> None:
    """Mark a report as dealt with by a game master at the table. The moderators still decide.

    This function is idempotent.
    """
    row = next((row for row in reports_for_game_master(campaign, user) if row.pk == number), None)
    if row is None or row.masters_at is not None:
        return
    at = entries.moment(now)
    AbuseReport.objects.filter(pk=row.pk).update(masters_at=at)
    notify_or_write(
        row.by, campaign, ReportSettled.key, {"outcome": "seen", "reason": ""}, f"seen {row.pk}", at
    )


# Decisions of moderators


def must_moderate(user: Any) -> None:
    if not people.is_moderator(user):
        raise NotAllowed("moderators-only", _("Only the moderators of this site may do this."))


def dismiss(
    moderator: Any, report: AbuseReport, words: str = "", *, now: datetime | None = None
) -> None:
    """Dismiss a report. The text remains."""
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
    """Remove the reported text wherever it is shown.

    `words` is the reason, which everyone reads in place of the text.
    """

    def do(row: AbuseReport, why: str, at: datetime) -> None:
        target = targets.find_target(row.kind, row.ref)
        _remove(moderator, target, why, at)

    _decide(moderator, report, Outcome.REMOVED, words, now, do)


def warn(moderator: Any, report: AbuseReport, words: str, *, now: datetime | None = None) -> None:
    """Warn the author of the reported text, by notice and e-mail."""

    def do(row: AbuseReport, why: str, at: datetime) -> None:
        if row.author is None:
            raise Refused("nobody", _("This text has no author, so there is no one to warn."))
        people.record_host_act(row.author, "warned", why, at, by=moderator)
        if row.campaign is not None:
            about = f"warned {row.pk}"
            notify_or_write(
                row.author, row.campaign, WarningReceived.key, {"reason": why}, about, at
            )
        send_letter(row.author, _warning_text, why)

    _decide(moderator, report, Outcome.WARNED, words, now, do)


def close(moderator: Any, report: AbuseReport, words: str, *, now: datetime | None = None) -> None:
    """Close the account of the author of the reported text.

    The text remains, unless it was removed before.
    """

    def do(row: AbuseReport, why: str, at: datetime) -> None:
        if row.author is None:
            raise Refused("nobody", _("This text has no author, so there is no account to close."))
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
    """Apply a decision to all open reports of the same text and notify each reporter.

    Everything happens in one transaction. `do` carries out what the decision means for the text or
    its author.
    """
    must_moderate(moderator)
    at = entries.moment(now)
    why = entries.checked_reason(words) if needs_words or words.strip() else ""
    with transaction.atomic():
        row = AbuseReport.objects.select_for_update().get(pk=report.pk)
        if row.settled_at is not None:
            raise NotNow("settled", _("Another moderator has already decided this."))
        if moderator.pk in (row.author_id, row.by_id):
            raise NotAllowed(
                "a-party", _("You wrote or reported this text, so another moderator has to decide.")
            )
        do(row, why, at)
        _settle_reports(row.kind, row.ref, outcome, why, moderator, at)


def _settle_reports(
    kind: str, ref: str, outcome: str, why: str, moderator: Any, at: datetime
) -> None:
    """Mark all open reports of this text as decided, and notify their reporters of the outcome."""
    rows = list(open_reports().filter(kind=kind, ref=ref).select_related("by", "campaign"))
    decided = {"settled_at": at, "settled_by": moderator, "outcome": outcome, "words": why}
    AbuseReport.objects.filter(pk__in=[row.pk for row in rows]).update(**decided)
    for row in rows:
        facts = {"outcome": str(outcome), "reason": why if outcome == Outcome.DISMISSED else ""}
        notify_or_write(row.by, row.campaign, ReportSettled.key, facts, f"settled {row.pk}", at)


@transaction.atomic
def remove_text(
    moderator: Any, kind: str, ref: str, reason: str, *, now: datetime | None = None
) -> Removal:
    """Remove a text that may not have been reported. `moderator` is None for the host's command.

    Raises:
        NoSuchText: There is no such text.
        Refused: The text may not be removed, or the reason is missing.
        NotNow: The text has already been removed.
    """
    if moderator is not None:
        must_moderate(moderator)
    why, at = entries.checked_reason(reason), entries.moment(now)
    row = _remove(moderator, targets.find_target(kind, ref), why, at)
    _settle_reports(kind, ref, Outcome.REMOVED, why, moderator, at)
    return row


def _remove(moderator: Any, target: Target, why: str, at: datetime) -> Removal:
    targets.must_be_removable(target)
    gone = targets.remove(target, why, at)
    row = Removal.objects.create(
        kind=target.kind,
        ref=target.ref,
        campaign=target.campaign,
        entry=gone.entry,
        author=target.author,
        sealed=keys.seal(target.text),
        reason=why,
        by=moderator,
        at=at,
    )
    if target.author is not None:
        notify_or_write(
            target.author,
            target.campaign,
            TextRemoved.key,
            {"reason": why},
            f"removed {row.pk}",
            at,
        )
    return row


def close_account(
    moderator: Any, user: User, reason: str, *, now: datetime | None = None
) -> list[str]:
    """Close a user's account at once. Return what was done, in words for the host.

    The user can no longer sign in, their seats become free, and their programs and devices receive
    nothing more. They read the reason in an e-mail and when they try to sign in.

    Raises:
        Refused: The account is the moderator's own, or another moderator's.
        AccountError: The account is closed already.
    """
    if moderator is not None:
        must_moderate(moderator)
        if moderator.pk == user.pk:
            raise Refused("yourself", _("To close your own account, go to Your account."))
        if user.is_superuser or user.moderator:
            raise Refused(
                "a-moderator",
                _(
                    "This user is a moderator of the site. Only the host can close this account, "
                    "with a command on the server."
                ),
            )
    why, at = entries.checked_reason(reason), entries.moment(now)
    email, language = user.email if not user.email_is_anothers else "", user.language
    with transaction.atomic():
        lines = host_acts.close_account(user, why, by=moderator, now=at)
    _send_letter_to(email, language, _closing_text, why)
    return lines


def _warning_text() -> tuple[str, str]:
    return (
        _("A warning from %(site)s") % _site_facts(),
        _("The moderators of %(site)s have sent you a warning:") % _site_facts(),
    )


def _closing_text() -> tuple[str, str]:
    return (
        _("Your account at %(site)s has been closed") % _site_facts(),
        _("The moderators of %(site)s have closed your account:") % _site_facts(),
    )


def _removal_text() -> tuple[str, str]:
    return _("A moderator has removed one of your texts"), _(
        "This reason is shown to everyone in place of the text:"
    )


# Notifying users


def notify_or_write(
    user: Any, campaign: Campaign | None, kind: str, facts: dict[str, Any], about: str, at: datetime
) -> None:
    """Notify a user of a decision: by a notice if it belongs to a campaign, otherwise by e-mail.

    A notice reaches the user through the channels that they have chosen.
    """
    if campaign is not None:
        notify_of_moderation(campaign, [user.pk], kind, facts, about, at)
        return
    outcome, reason = facts.get("outcome", ""), facts.get("reason", "")
    if kind == ReportSettled.key:
        send_letter(
            user,
            lambda: (_("A moderator has decided on your report"), _(OUTCOMES[outcome])),
            reason,
        )
    elif kind == TextRemoved.key:
        send_letter(user, _removal_text, reason)


def send_letter(user: Any, words: Callable[[], tuple[str, str]], reason: str) -> None:
    """Send a user an e-mail in their language, if they have an address of their own.

    `words` returns the subject and the first line; `reason` is what a moderator wrote.
    """
    if user.is_active and user.email and not user.email_is_anothers:
        _send_letter_to(user.email, user.language, words, reason)


def _send_letter_to(
    email: str, language: str, words: Callable[[], tuple[str, str]], reason: str
) -> None:
    if not email:
        return
    with translation.override(language or "en"), use_language(language or "en"):
        subject, first = words()
        whom = (
            _("If you think this is a mistake, write to %(contact)s.")
            % {"contact": settings.CONTACT}
            if settings.CONTACT
            else ""
        )
    text = "\n\n".join(part for part in (first, reason, whom, settings.SITE_URL) if part)
    mailing.enqueue(EmailMessage(subject, text, None, [email]))


def _site_facts() -> dict[str, str]:
    return {"site": settings.SITE_URL.split("://")[-1].rstrip("/")}


# Blocks


@transaction.atomic
def block(user: Any, other: User, *, now: datetime | None = None) -> Block:
    """Block a user for another. They receive no messages from each other from now on.

    Seats that one of them has offered the other are no longer offered.

    Raises:
        CannotBlock: This user cannot be blocked.
    """
    at = now or timezone.now()
    row = people.block(user, other, at)
    handover.end_offers_between(user, other, at)
    return row


def erase(user: Any, at: datetime) -> list[str]:
    """Erase what reports contain of a user whose account is erased. Return what was erased.

    These are the reasons that the user gave, and their texts that were reported or removed. The
    rows remain.
    """
    mine = AbuseReport.objects.filter(by=user).update(reason="")
    theirs = AbuseReport.objects.filter(author=user).update(sealed="") + Removal.objects.filter(
        author=user
    ).update(sealed="")
    return [f"{mine} reports made", f"{theirs} texts reported or removed"]


def reopen_account(user: User, reason: str, *, now: datetime | None = None) -> None:
    """Reopen an account by the host's command.

    Raises:
        AccountError: The account is not closed.
    """
    people.reopen_account(user, reason, entries.moment(now))
