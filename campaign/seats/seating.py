"""Seats: invitations, taking and leaving a seat, notes, visits, and programs that hold seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from campaign import access, hooks, keys, review
from campaign.errors import InvitationRefused, NotAllowed, NoteChanged, NotNow, Refused
from campaign.log import entries, positions
from campaign.log.acts.programs import CHANGES, LEAVES, PROGRAM, TAKES, level_word
from campaign.log.acts.seats import MASTER, SEAT, SUBSTITUTE
from campaign.models import Campaign, Invitation, LogEntry, Membership, SeatHandover, SeatNote
from campaign.seats import selectors
from engine.language import sentence
from engine.strict_json import is_clean_text
from games.contract.players import Opponents
from games.contract.report import Block, Contents, Paragraph, Span
from games.registry import TITLES

OPEN_FOR = timedelta(days=30)
MOST_USES = 20
ALONE = gettext_noop(
    "Hands are hidden here: a game master who plays needs a co-game-master who does not play and "
    "sees all hands. Invite one on the Seats page first."
)

SEEN_ALL = gettext_noop(
    "%(name)s has given up a seat here and has since seen all hidden hands as game "
    "master: they cannot take a seat again before the campaign ends."
)


def seat_keys(campaign: Campaign) -> list[str]:
    """Return the keys of the campaign's seats, in the title's order."""
    return list(positions.seats(campaign))


def solo(campaign: Campaign) -> bool:
    """Return whether the campaign has only one seat."""
    return len(seat_keys(campaign)) == 1


def free_seats(campaign: Campaign) -> list[str]:
    """Return the seats that no user holds, in the title's order.

    In practice, programs hold the other seats for good, so these are not free. A seat that a
    program holds among people is free for the next user.
    """
    held = {
        *campaign.memberships.filter(until=None, role=Membership.Role.SEAT).values_list(
            "seat", flat=True
        )
    }
    held |= set(program_seats(campaign))
    return [seat for seat in seat_keys(campaign) if seat not in held]


def program_seats(campaign: Campaign) -> dict[str, str]:
    """Return the level of the program in each seat of a practice campaign.

    Empty in other campaigns.
    """
    known: dict[str, str] = dict(campaign.programs["seats"]) if campaign.programs else {}
    return known


@transaction.atomic
def invite(
    campaign: Campaign, user: Any, seat: str = "", uses: int = 1, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """Return a link to a seat, or to any free one, and its token.

    The token is shown only now; the database keeps its hash.
    """
    access.must_be_host(campaign, user)
    if seat and seat not in seat_keys(campaign):
        raise Refused("unknown-seat", _("This campaign has no such seat."))
    if not 1 <= uses <= MOST_USES or (seat and uses != 1):
        raise Refused(
            "bad-uses",
            _("A link to one seat can be used once, a link to any free seat up to %(most)s times.")
            % {"most": MOST_USES},
        )
    return new_invitation(campaign, user, entries.moment(now), seat=seat, uses_left=uses)


@transaction.atomic
def hand_over_link(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """Return a link by which another user takes a held seat, as its holder or the game master.

    The link works while this holder has the seat. The holder stays until it is used.
    """
    table = entries.lock(campaign)
    held = held_seat(table, user, seat)
    return new_invitation(table, user, entries.moment(now), seat=seat, leaver_id=held.user_id)


def must_have_company(campaign: Campaign) -> None:
    """Raise `Refused` in a campaign for one player: no one can be invited, wait, or be replaced."""
    if solo(campaign):
        raise Refused("solo", _("This is a game for one person."))


def new_invitation(
    campaign: Campaign, user: Any, at: datetime, **given: Any
) -> tuple[Invitation, str]:
    """Create an invitation and its token. The caller has checked that the user may invite."""
    if campaign.programs:
        raise Refused("practice", _("This is practice: programs hold the other seats."))
    must_have_company(campaign)
    access.must_have_account(user)
    token = keys.new_token()
    fixed = {
        "token_hash": keys.token_hash(token),
        "made_by": user,
        "created_at": at,
        "expires_at": at + OPEN_FOR,
    }
    return Invitation.objects.create(campaign=campaign, **fixed, **given), token


@transaction.atomic
def revoke(invitation: Invitation, user: Any, *, now: datetime | None = None) -> None:
    """Withdraw an invitation. This function is idempotent.

    Game masters, the user who made it, and the user whom it names may do so.
    """
    table = entries.lock(invitation.campaign)
    if user.pk not in (invitation.made_by_id, invitation.named_id):
        access.must_be_host(table, user)
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(
        revoked_at=entries.moment(now)
    )


def open_invitation(token: str, *, now: datetime | None = None) -> Invitation:
    """Return the invitation of a link, if it can still be used. This changes nothing.

    Raises `InvitationRefused`, which names the user to ask.
    """
    at = entries.moment(now)
    invitation = (
        Invitation.objects.select_related("campaign", "made_by")
        .filter(token_hash=keys.token_hash(token))
        .first()
    )
    if invitation is None:
        raise InvitationRefused(
            "unknown",
            _("This link is not an invitation. Ask the person who sent it for a new one."),
        )
    if invitation.campaign.suspended:
        raise InvitationRefused(
            "suspended",
            _("The host has suspended this campaign. Open the link again when it goes on."),
        )
    if invitation.revoked_at is not None:
        raise _refused(invitation, "revoked", _("This invitation has been withdrawn."))
    if invitation.uses_left < 1:
        raise _refused(invitation, "used", _("This invitation has been used."))
    if invitation.expires_at <= at:
        raise _refused(invitation, "expired", _("This invitation has expired."))
    if invitation.role != Membership.Role.SEAT:
        still = invitation.leaver_id is None or _chief(invitation.campaign) == invitation.leaver_id
    elif invitation.leaver_id is not None:
        still = _holder(invitation.campaign, invitation.seat) == invitation.leaver_id
    else:
        free = free_seats(invitation.campaign)
        if not free:
            raise _refused(invitation, "full", _("All seats have been taken."))
        still = not invitation.seat or invitation.seat in free
    if not still:
        raise _refused(
            invitation,
            "taken",
            (
                _("This seat has been taken in the meantime.")
                if invitation.seat
                else _("This has been done in the meantime.")
            ),
        )
    return invitation


@transaction.atomic
def take_seat(user: Any, token: str, seat: str = "", *, now: datetime | None = None) -> Membership:
    """Take what a link gives: a seat, or the role of a co-game-master.

    `seat` is the choice if the link leaves one; without a choice the first free seat is taken. A
    user who already holds the chosen seat, or any seat if they do not choose, gets that again.
    Raises `InvitationRefused` as `open_invitation` does, and `Refused` if they may not play
    (`must_keep_a_master`).
    """
    at = entries.moment(now)
    access.must_have_account(user)
    known = (
        Invitation.objects.select_related("campaign")
        .filter(token_hash=keys.token_hash(token))
        .first()
    )
    if known is None or known.named_id is not None:
        open_invitation("" if known else token, now=at)
        raise AssertionError("an unknown link has been refused")
    table = entries.lock(known.campaign)
    if seat and seat not in seat_keys(table):
        raise _refused(known, "unknown-seat", _("This campaign has no such seat."))
    wanted = known.seat or seat
    mine = table.memberships.filter(user=user, role=known.role, until=None).order_by("since", "pk")
    held = (mine.filter(seat=wanted) if wanted else mine).first()
    if held is not None:
        return held
    invitation = open_invitation(token, now=at)
    if invitation.role == Membership.Role.CO_GAME_MASTER:
        _use(invitation)
        return join_masters(table, user, at)
    if invitation.seat and seat not in ("", invitation.seat):
        raise _refused(invitation, "other-seat", _("This invitation is for another seat."))
    if invitation.leaver_id is None:
        free = free_seats(table)
        wanted = wanted or free[0]
        if wanted not in free:
            raise _refused(invitation, "taken", _("This seat has been taken in the meantime."))
    _use(invitation)
    if invitation.leaver_id is None:
        return seat_user(table, user, wanted, "taken", user, at)
    table.memberships.filter(role=Membership.Role.SEAT, seat=wanted, until=None).update(until=at)
    return seat_user(table, user, wanted, "given", user, at, {"from": invitation.leaver_id})


@transaction.atomic
def take_seat_as_master(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> Membership:
    """Take a free seat of the campaign, as the game master.

    Raises `Refused` if the seat is not free, and if no one else would see hidden hands.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    must_have_company(table)
    if seat not in free_seats(table):
        raise Refused("unknown-seat", _("Choose a free seat of this campaign."))
    return seat_user(table, user, seat, "taken", user, at)


def seat_user(
    table: Campaign,
    actor: Any,
    seat: str,
    how: str,
    user: Any,
    at: datetime,
    more: dict[str, Any] | None = None,
) -> Membership:
    """Give a seat to a user, who then no longer waits for one. A program leaves the seat.

    Raises `Refused` if they may not play.
    """
    _must_not_have_seen_all(table, user)
    end_program(table, actor, seat, at)
    table.memberships.filter(user=user, role=Membership.Role.RESERVE, until=None).update(until=at)
    member = Membership.objects.create(
        campaign=table, user=user, role=Membership.Role.SEAT, seat=seat, since=at
    )
    must_keep_a_master(table)
    create_handover(table, member)
    log_seat_change(table, actor, how, seat, user.pk, at, more)
    return member


def _must_not_have_seen_all(table: Campaign, user: Any) -> None:
    """Raise `Refused` for a user who played here and then saw all hidden hands as game master."""
    if table.started and access.hides(table) and selectors.saw_all_after_playing(table, user.pk):
        raise Refused("seen-all-hands", _(SEEN_ALL) % {"name": user.username})


def join_masters(table: Campaign, user: Any, at: datetime) -> Membership:
    """Make a user co-game-master, unless they are a game master already."""
    held = table.memberships.filter(user=user, role__in=Membership.MASTERS, until=None).first()
    if held is not None:
        return held
    member = Membership.objects.create(
        campaign=table, user=user, role=Membership.Role.CO_GAME_MASTER, since=at
    )
    must_keep_a_master(table)
    entries.append_act(table, user, {"act": MASTER.name, "how": "joined", "user": user.pk}, now=at)
    return member


def must_keep_a_master(table: Campaign) -> None:
    """Raise `Refused` if hands are hidden and no one would see all of them.

    A game master who plays needs another one who does not.
    """
    now = table.memberships.filter(until=None)
    masters = set(now.filter(role__in=Membership.MASTERS).values_list("user_id", flat=True))
    seated = set(now.filter(role=Membership.Role.SEAT).values_list("user_id", flat=True))
    if not selectors.all_seen(table, masters, seated):
        raise Refused("no-master-left", _(ALONE))


@transaction.atomic
def vacate(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """Free a seat, as its holder or the game master. The seat's past stays in the log."""
    at = entries.moment(now)
    table = entries.lock(campaign)
    must_have_company(table)
    held = held_seat(table, user, seat)
    held.until = at
    held.save(update_fields=["until"])
    log_seat_change(table, user, "left", seat, held.user_id, at)


def log_seat_change(
    table: Campaign,
    user: Any,
    how: str,
    seat: str,
    holder: int,
    at: datetime,
    more: dict[str, Any] | None = None,
) -> None:
    """Log a change of a seat's holder."""
    what = {"act": SEAT.name, "how": how, "seat": seat, "user": holder, **(more or {})}
    entries.append_act(table, user, what, seat=seat, now=at)


def held_seat(table: Campaign, user: Any, seat: str) -> Membership:
    """Return the membership that holds a seat, for its holder and the game masters."""
    who = access.access_of(table, user)
    if not who.host and seat not in who.seats:
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    # An unknown key may contain characters that a database refuses to search for.
    known = seat in seat_keys(table)
    held = (
        table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None).first()
        if known
        else None
    )
    if held is None:
        raise Refused("nobody-there", _("No one holds this seat."))
    return held


def _holder(table: Campaign, seat: str) -> int | None:
    """Return the id of a seat's holder; None if it has none."""
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    return held.values_list("user_id", flat=True).first()


def _chief(table: Campaign) -> int | None:
    """Return the id of the game master."""
    held = table.memberships.filter(role=Membership.Role.GAME_MASTER, until=None)
    return held.values_list("user_id", flat=True).first()


def _use(invitation: Invitation) -> None:
    """Count one use of an invitation."""
    invitation.uses_left -= 1
    invitation.save(update_fields=["uses_left"])


def _refused(invitation: Invitation, code: str, text: str) -> InvitationRefused:
    """Return the error with the name of the user to ask for another link."""
    whom = invitation.made_by.username
    asked = _("%(why)s Ask %(name)s for a new one.") % {"why": text, "name": whom}
    return InvitationRefused(code, asked, invitation.campaign)


# Substitutes for a seat's holder at one contest. The caller, in `battles`, checks permissions.


def put_substitute(
    table: Campaign, actor: Any, user: Any, seat: str, launch: LogEntry, contest: int, at: datetime
) -> Membership:
    """Make a user the substitute for a seat at a contest of a locked campaign."""
    member = Membership.objects.create(
        campaign=table,
        user=user,
        role=Membership.Role.SUBSTITUTE,
        seat=seat,
        launch=launch,
        contest=contest,
        since=at,
    )
    _note(table, actor, member, "named", at)
    return member


def end_substitute(table: Campaign, actor: Any, held: Membership, at: datetime) -> None:
    """End a substitution in a locked campaign before the contest has ended."""
    held.until = at
    held.save(update_fields=["until"])
    _note(table, actor, held, "ended", at)


def _note(table: Campaign, actor: Any, held: Membership, how: str, at: datetime) -> None:
    what = {"act": SUBSTITUTE.name, "how": how, "battle": held.contest, "user": held.user_id}
    entries.append_act(table, actor, what, seat=held.seat, target=held.launch, now=at)


# Notes for a seat, and what passes to its next holder.


@transaction.atomic
def write_note(
    campaign: Campaign,
    user: Any,
    seat: str,
    text: str,
    *,
    left: bool,
    version: int,
    now: datetime | None = None,
) -> SeatNote:
    """Replace the note of a seat's holder; `left` leaves it to the next holder.

    Raises `NotAllowed`, `Refused` if it is too long or cannot be shown, `NoteChanged` if `version`
    is not the stored one.
    """
    table = entries.lock(campaign)
    note = selectors.note_of(table, user, seat)
    if version != note.version:
        raise NoteChanged
    text = text.replace("\r\n", "\n").strip()
    entries.must_be_visible(text, pgettext("field", "Notes"))
    if text and not is_clean_text(text, selectors.LONGEST_NOTE):
        most = {"most": selectors.LONGEST_NOTE}
        raise Refused("bad-note", _("Notes can have up to %(most)d printable characters.") % most)
    note.text_sealed, note.empty, note.for_successor = (
        keys.seal(text) if text else "",
        not text,
        left,
    )
    note.version += 1
    note.changed_at = entries.moment(now)
    note.save()
    return note


def replace_note(row: SeatNote, text: str, at: datetime) -> None:
    """Replace the text of a note by the sentence that says that it was removed."""
    SeatNote.objects.filter(pk=row.pk).update(
        text_sealed=keys.seal(text), version=F("version") + 1, changed_at=at
    )


def create_handover(table: Campaign, held: Membership) -> None:
    """Create the hand-over page for the new holder of a seat, with the last holder's note.

    Before the start only a note is handed over. A user who returns to the seat that they held last
    needs no page.
    """
    past = table.memberships.filter(role=held.role, seat=held.seat, until__isnull=False).order_by(
        "-until", "-pk"
    )
    leaver = past.values_list("user_id", flat=True).first()
    if leaver == held.user_id:
        return
    kept = SeatNote.objects.filter(campaign=table, seat=held.seat, for_successor=True, empty=False)
    left = kept.filter(user_id=leaver).first() if leaver is not None else None
    if left is None and not table.started:
        return
    SeatHandover.objects.create(
        campaign=table,
        membership=held,
        user_id=held.user_id,
        seat=held.seat,
        leaver_id=leaver,
        note=left,
        at=held.since,
    )


@transaction.atomic
def dismiss_handover(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> None:
    """Stop leading the holder of a seat to its hand-over page, because they have read it.

    This function is idempotent. Raises `NotAllowed`.
    """
    table = entries.lock(campaign)
    handover = selectors.handover_of(table, user, seat)
    if handover is None:
        return
    waiting = SeatHandover.objects.filter(pk=handover.pk, dismissed_at=None)
    if waiting.update(dismissed_at=entries.moment(now)):
        entries.note_own_change(table.memberships.filter(user=user))


# The position of each member's last visit. The film of what has happened since begins there.

AWAY = timedelta(minutes=30)
"""A new visit begins after so long without a look."""
ROUGHLY = timedelta(minutes=5)
"""The precision with which the last look is stored."""
VISIT = (
    "UPDATE campaign_membership SET visited_at = %s, visit_seen = %s, visit_since = %s WHERE id"
    " = %s"
)


def note_visit(place: Membership, last: int, now: datetime) -> int:
    """Note that a member looks at the campaign, whose newest entry is `last`.

    Returns the newest entry at the end of the visit before. If the database cannot write now, the
    page is shown all the same and the visit is not stored.
    """
    # A cached membership may be older than a visit in another process.
    if place.visited_at is not None and now - place.visited_at > AWAY:
        row = (
            Membership.objects.filter(pk=place.pk)
            .values_list("visited_at", "visit_seen", "visit_since")
            .first()
        )
        place.visited_at, place.visit_seen, place.visit_since = row or (None, None, None)
    seen = last if place.visit_seen is None else min(place.visit_seen, last)
    away = place.visited_at is None or place.visit_since is None or now - place.visited_at > AWAY
    since = seen if away else min(place.visit_since or 0, last)
    if (
        away
        or place.visit_seen != last
        or (place.visited_at is not None and now - place.visited_at > ROUGHLY)
    ):
        with suppress(DatabaseError):
            _keep_visit(place.pk, now, last, since)
            place.visited_at, place.visit_seen, place.visit_since = now, last, since
    return since


def _keep_visit(place: int, *visit: Any) -> None:
    """Store a visit as `update` would.

    The SQL is written here because Django takes ten times as long to make it as the database to run
    it. On SQLite the page waits at most 100 ms for another writer.
    """
    moment, *numbers = visit
    values = [connection.ops.adapt_datetimefield_value(moment), *numbers, place]
    with connection.cursor() as cursor:
        if connection.vendor != "sqlite":
            cursor.execute(VISIT, values)
            return
        database = connection.connection
        ((usual,),) = database.execute("PRAGMA busy_timeout")
        database.execute("PRAGMA busy_timeout=100")
        try:
            cursor.execute(VISIT, values)
        finally:
            database.execute(f"PRAGMA busy_timeout={usual}")


# Programs that hold seats among people. The game master lets them in and removes them; they leave
# when a user takes the seat. They play in `campaign.practice`; their seats follow from the log
# (`campaign.seats.selectors`).


def seat_players(title: str) -> Opponents | None:
    """Return the programs of a title that can hold seats among people; None if it has none."""
    players = TITLES[title].players if title in TITLES else None
    return players if isinstance(players, Opponents) else None


def levels(campaign: Campaign) -> Mapping[str, str]:
    """Return the programs that may hold a seat of this campaign now, the weakest first.

    Empty if none may: in practice, in a campaign with a single seat, and after the end.
    """
    players = seat_players(campaign.title)
    over = campaign.ended or campaign.abandoned or campaign.archived or campaign.suspended
    if players is None or over or campaign.programs or solo(campaign):
        return {}
    return players.levels


@transaction.atomic
def let_program(
    campaign: Campaign,
    user: Any,
    seat: str,
    level: str,
    reason: str = "",
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Let a program hold a free seat until a user takes it, as the game master.

    If a program already holds the seat, it plays at the other level from now on. The reason may be
    empty. Raises `Refused`, `NotNow`.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    _must_be_level(table, level)
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    if seat not in positions.seats(table) or held.exists():
        raise Refused("taken", _("This seat is not free."))
    present = selectors.program_levels(table).get(seat)
    if present == level:
        raise Refused("taken", _("A program of this level already plays this seat."))
    reason = entries.checked_reason(reason) if reason.strip() else ""
    entry = _note_program(
        table, user, seat, TAKES if present is None else CHANGES, level, reason, at
    )
    if table.started:
        _ask(table, user, entry, at)
    return entry


@transaction.atomic
def fill_with_programs(
    campaign: Campaign, user: Any, chosen: Mapping[str, str], *, now: datetime | None = None
) -> list[str]:
    """Let programs of these levels hold the free seats, as the game master.

    Seats that are not free are left as they are. Returns the seats that programs now hold. Raises
    `Refused`, `NotNow`.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    held = selectors.program_levels(table)
    seats = [seat for seat in free_seats(table) if seat in chosen and seat not in held]
    for seat in seats:
        let_program(table, user, seat, chosen[seat], now=now)
    return seats


@transaction.atomic
def leave_to_program(
    campaign: Campaign, user: Any, seat: str, level: str, *, now: datetime | None = None
) -> None:
    """Free a seat and let a program hold it at once, as its holder or the game master.

    Raises `NotAllowed`, `Refused`, `NotNow`.
    """
    at = entries.moment(now)
    _must_be_level(entries.lock(campaign), level)
    host = access.access_of(campaign, user).host
    vacate(campaign, user, seat, now=at)
    table = entries.lock(campaign)
    entry = _note_program(table, user, seat, TAKES, level, "", at)
    if table.started and host:
        _ask(table, user, entry, at)


def must_have_same_seats(campaign: Campaign, user: Any, seen: int, changes: int = 0) -> None:
    """Raise `Refused` if a person or a program has taken or left a seat since `seen`.

    `changes` is the number of such changes that the request itself has made.
    """
    who = access.access_of(campaign, user)
    since = entries.visible_entries(campaign, who)[max(seen + 1, 0) :]
    if sum(entry.act in (SEAT.name, PROGRAM.name) for entry in since) > changes:
        raise Refused(
            "seats-changed",
            _("The seats have changed since you opened this page. Please check who plays."),
        )


def _must_be_level(table: Campaign, level: str) -> None:
    """Raise an error unless a program of this level may hold a seat of the campaign now."""
    known = levels(table)
    if not known:
        raise NotNow("no-programs", _("No program can hold a seat here now."))
    if level not in known:
        raise Refused("unknown-level", _("Choose how well the program plays."))


def _note_program(
    table: Campaign, user: Any, seat: str, how: str, level: str, reason: str, at: datetime
) -> LogEntry:
    """Log that a program takes a seat, or plays at another level from now on."""
    what = {"act": PROGRAM.name, "how": how, "level": level, "reason": reason}
    entry = entries.append_act(table, user, what, seat=seat, now=at)
    hooks.programs_changed(table, at)
    return entry


def seats_to_take_back(campaign: Campaign, user: Any) -> list[str]:
    """Return the seats that this user has left to a program, which has held them since then.

    A seat that the game master has freed is not among them, nor one that was free in between.
    """
    held = selectors.program_levels(campaign)
    if not held or not user.is_authenticated or not levels(campaign):
        return []
    acts = campaign.entries.filter(
        kind=LogEntry.Kind.TABLE, act__in=(SEAT.name, PROGRAM.name), seat__in=list(held)
    )
    leavers, left = dict[str, int | None](), dict[str, int | None]()
    for entry in acts.order_by("sequence"):
        if entry.act == SEAT.name:
            own = entry.content["how"] == "left" and entry.actor_id == entry.content["user"]
            leavers[entry.seat] = entry.actor_id if own else None
            left.pop(entry.seat, None)
        elif entry.content["how"] == TAKES:
            leaver = leavers.pop(entry.seat, None)
            left[entry.seat] = leaver if leaver == entry.actor_id else None
        elif entry.content["how"] == LEAVES:
            left.pop(entry.seat, None)
    return [seat for seat in held if left.get(seat) == user.pk]


@transaction.atomic
def take_back(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> Membership:
    """Take a seat again that this user has left to a program. Raises `NotAllowed`, `Refused`."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_have_account(user)
    if seat not in seats_to_take_back(table, user):
        raise NotAllowed("not-your-seat", _("Ask the game master for a link to this seat."))
    return seat_user(table, user, seat, "taken", user, at)


def _ask(table: Campaign, user: Any, entry: LogEntry, at: datetime) -> None:
    """Ask for a countersignature if the seat is in a battle against a seat of this game master.

    The act changes who fights there.
    """
    contests = table.game.rows(positions.current(table)).contests
    running = [number for number, facts in contests.items() if facts["status"] != "resolved"]
    theirs = [number for number in running if review.of_contest(table, number, {entry.seat})]
    review.ask(
        table,
        user,
        entry,
        lambda own: (
            {opponent for number in theirs for opponent in review.of_contest(table, number, own)}
            - {entry.seat}
        ),
        at,
    )


@transaction.atomic
def take_program_away(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> LogEntry:
    """Remove the program from a seat, as the game master. The seat is free then."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    entry = end_program(table, user, seat, at)
    if entry is None:
        raise Refused("no-program", _("No program holds this seat."))
    _ask(table, user, entry, at)
    return entry


def end_program(table: Campaign, user: Any, seat: str, at: datetime) -> LogEntry | None:
    """Log that the program leaves the seat, if one holds it. Its moves remain.

    The caller holds the campaign's row.
    """
    level = selectors.program_levels(table).get(seat)
    if level is None:
        return None
    what = {"act": PROGRAM.name, "how": LEAVES, "level": level}
    entry = entries.append_act(table, user, what, seat=seat, now=at)
    hooks.programs_changed(table, at)
    return entry


def report_notes(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Return the paragraphs about programs for the report of a turn."""
    if item.kind != "turn" or not campaign.seat_programs:
        return ()
    played: dict[str, str] = {}
    for move in positions.replayed_log(campaign).moves:
        if move.turn != item.turn or move.actor is not None:
            continue
        if level := selectors.program_at(campaign, move.seat, move.sequence):
            played[move.seat] = level
    names, blocks = positions.seats(campaign), []
    for seat in (key for key in names if key in played):
        text = sentence(
            _("A program ({level}) played {seat:the}."),
            level=level_word(played[seat]),
            seat=names[seat],
        )
        blocks.append(Paragraph((Span(text, italic=True),)))
    return blocks
