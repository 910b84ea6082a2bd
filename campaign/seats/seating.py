"""Invitations and seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import access, hooks, keys, review
from campaign.errors import InvitationRefused, NotAllowed, NoteChanged, NotNow, Refused
from campaign.log import entries, positions
from campaign.log.acts.programs import PROGRAM, level_word
from campaign.log.acts.seats import MASTER, SEAT, SUBSTITUTE
from campaign.models import Campaign, Invitation, LogEntry, Membership, SeatHandover, SeatNote
from campaign.seats import selectors
from engine.language import sentence
from engine.strict_json import clean_text
from games.contract.players import SeatPlayers
from games.contract.report import Block, Contents, Paragraph, Span
from games.registry import TITLES

OPEN_FOR = timedelta(days=30)
MOST_USES = 20
ALONE = gettext_noop(
    "Hands are hidden here: a game master who plays needs a co-game-master who does not, and who"
    " sees all hands. Invite one on the seats page first."
)

SEEN_ALL = gettext_noop(
    "%(name)s has given up a seat here and has since seen all hidden hands as game "
    "master: they cannot take a seat again before the campaign ends."
)


def seat_keys(campaign: Campaign) -> list[str]:
    return list(positions.seats(campaign))


def solo(campaign: Campaign) -> bool:
    """Is it played alone?"""
    return len(seat_keys(campaign)) == 1


def free_seats(campaign: Campaign) -> list[str]:
    """The seats that no person holds, in the title's order. In practice the other seats are the
    programs' for good; among people whoever comes takes a program's seat.
    """
    held = {
        *campaign.memberships.filter(until=None, role=Membership.Role.SEAT).values_list(
            "seat", flat=True
        )
    }
    held |= set(program_seats(campaign))
    return [seat for seat in seat_keys(campaign) if seat not in held]


def program_seats(campaign: Campaign) -> dict[str, str]:
    """The seats that programs hold, each with its level; empty in a campaign of people."""
    known: dict[str, str] = dict(campaign.programs["seats"]) if campaign.programs else {}
    return known


@transaction.atomic
def invite(
    campaign: Campaign, user: Any, seat: str = "", uses: int = 1, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """A link to a seat, or to any free one. The token is told once, here; the table keeps
    its hash.
    """
    access.must_be_host(campaign, user)
    if seat and seat not in seat_keys(campaign):
        raise Refused("unknown-seat", _("This campaign has no such seat."))
    if not 1 <= uses <= MOST_USES or (seat and uses != 1):
        raise Refused(
            "bad-uses",
            _("A link to a seat serves once, one to any free seat up to %(most)s times.")
            % {"most": MOST_USES},
        )
    return new_invitation(campaign, user, entries.moment(now), seat=seat, uses_left=uses)


@transaction.atomic
def hand_over_link(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> tuple[Invitation, str]:
    """A link by which another person takes the seat in its holder's place, made by the holder or
    the game master.

    It opens the seat while this holder sits there; until somebody takes it the holder stays.
    """
    table = entries.lock(campaign)
    held = held_seat(table, user, seat)
    return new_invitation(table, user, entries.moment(now), seat=seat, leaver_id=held.user_id)


def must_have_company(campaign: Campaign) -> None:
    """Raises `Refused` where one plays alone: nobody is invited, waited for, or replaced."""
    if solo(campaign):
        raise Refused("solo", _("This game is played alone."))


def new_invitation(
    campaign: Campaign, user: Any, at: datetime, **given: Any
) -> tuple[Invitation, str]:
    """A row and its token, for a user who has been asked about: whether they may is settled
    before.
    """
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
    """The link opens nothing any more: by a game master, by who made it, or declined by whom it
    names. Twice is no error.
    """
    table = entries.lock(invitation.campaign)
    if user.pk not in (invitation.made_by_id, invitation.named_id):
        access.must_be_host(table, user)
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(
        revoked_at=entries.moment(now)
    )


def look_at(token: str, *, now: datetime | None = None) -> Invitation:
    """The invitation of a link, if it still opens a seat. Reading changes nothing: a page shows,
    its POST takes.

    Raises `InvitationRefused`, with whom to ask.
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
                _("This seat has been taken meanwhile.")
                if invitation.seat
                else _("This has been done meanwhile.")
            ),
        )
    return invitation


@transaction.atomic
def take_seat(user: Any, token: str, seat: str = "", *, now: datetime | None = None) -> Membership:
    """Take what a link gives: a seat, or a co-game-master's place. `seat` chooses where it leaves
    the choice.

    Without a choice the first free seat is taken. A user who sits there already, or anywhere if
    they do not choose, gets that again. Raises `InvitationRefused` as `look_at` does, and `Refused`
    where they may not play (`keep_a_master`).
    """
    at = entries.moment(now)
    access.must_have_account(user)
    known = (
        Invitation.objects.select_related("campaign")
        .filter(token_hash=keys.token_hash(token))
        .first()
    )
    if known is None or known.named_id is not None:
        look_at("" if known else token, now=at)
        raise AssertionError("an unknown link has been refused")
    table = entries.lock(known.campaign)
    if seat and seat not in seat_keys(table):
        raise _refused(known, "unknown-seat", _("This campaign has no such seat."))
    wanted = known.seat or seat
    mine = table.memberships.filter(user=user, role=known.role, until=None).order_by("since", "pk")
    held = (mine.filter(seat=wanted) if wanted else mine).first()
    if held is not None:
        return held
    invitation = look_at(token, now=at)
    if invitation.role == Membership.Role.CO_GAME_MASTER:
        _use(invitation)
        return join_masters(table, user, at)
    if invitation.seat and seat not in ("", invitation.seat):
        raise _refused(invitation, "other-seat", _("This invitation is for another seat."))
    if invitation.leaver_id is None:
        free = free_seats(table)
        wanted = wanted or free[0]
        if wanted not in free:
            raise _refused(invitation, "taken", _("This seat has been taken meanwhile."))
    _use(invitation)
    if invitation.leaver_id is None:
        return sit(table, user, wanted, "taken", user, at)
    table.memberships.filter(role=Membership.Role.SEAT, seat=wanted, until=None).update(until=at)
    return sit(table, user, wanted, "given", user, at, {"from": invitation.leaver_id})


@transaction.atomic
def play_too(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> Membership:
    """The game master takes a free seat of the campaign. Raises `Refused` where there is none such,
    and where nobody else would see hidden hands.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    must_have_company(table)
    if seat not in free_seats(table):
        raise Refused("unknown-seat", _("Choose a free seat of this campaign."))
    return sit(table, user, seat, "taken", user, at)


def sit(
    table: Campaign,
    actor: Any,
    seat: str,
    how: str,
    user: Any,
    at: datetime,
    more: dict[str, Any] | None = None,
) -> Membership:
    """The user has the seat from now on, and waits for none; a program leaves it. Raises `Refused`
    where they may not play.
    """
    _must_not_have_seen_all(table, user)
    leave(table, actor, seat, at)
    table.memberships.filter(user=user, role=Membership.Role.RESERVE, until=None).update(until=at)
    member = Membership.objects.create(
        campaign=table, user=user, role=Membership.Role.SEAT, seat=seat, since=at
    )
    keep_a_master(table)
    pass_on(table, member)
    note(table, actor, how, seat, user.pk, at, more)
    return member


def _must_not_have_seen_all(table: Campaign, user: Any) -> None:
    """Raise `Refused` for a user who held a seat in play, gave it up and then saw all hidden hands
    as game master.
    """
    if table.started and access.hides(table) and selectors.saw_all_after_playing(table, user.pk):
        raise Refused("seen-all-hands", _(SEEN_ALL) % {"name": user.username})


def join_masters(table: Campaign, user: Any, at: datetime) -> Membership:
    """The user is co-game-master from now on, if they are no game master yet."""
    held = table.memberships.filter(user=user, role__in=Membership.MASTERS, until=None).first()
    if held is not None:
        return held
    member = Membership.objects.create(
        campaign=table, user=user, role=Membership.Role.CO_GAME_MASTER, since=at
    )
    keep_a_master(table)
    entries.append_act(table, user, {"act": MASTER.name, "how": "joined", "user": user.pk}, now=at)
    return member


def keep_a_master(table: Campaign) -> None:
    """Where hands are hidden, somebody must see all of them: a game master who plays needs one who
    does not (HOUSE).
    """
    now = table.memberships.filter(until=None)
    masters = set(now.filter(role__in=Membership.MASTERS).values_list("user_id", flat=True))
    seated = set(now.filter(role=Membership.Role.SEAT).values_list("user_id", flat=True))
    if not selectors.all_seen(table, masters, seated):
        raise Refused("no-master-left", _(ALONE))


@transaction.atomic
def vacate(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> None:
    """The seat's holder leaves it, or the game master frees it. The seat's past stays in
    the log.
    """
    at = entries.moment(now)
    table = entries.lock(campaign)
    must_have_company(table)
    held = held_seat(table, user, seat)
    held.until = at
    held.save(update_fields=["until"])
    note(table, user, "left", seat, held.user_id, at)


def note(
    table: Campaign,
    user: Any,
    how: str,
    seat: str,
    holder: int,
    at: datetime,
    more: dict[str, Any] | None = None,
) -> None:
    """Log that somebody sat down or left, and save the campaign's row."""
    what = {"act": SEAT.name, "how": how, "seat": seat, "user": holder, **(more or {})}
    entries.append_act(table, user, what, seat=seat, now=at)


def held_seat(table: Campaign, user: Any, seat: str) -> Membership:
    """The seat's holding, for its holder and the game masters."""
    who = access.access_of(table, user)
    if not who.host and seat not in who.seats:
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    known = seat in seat_keys(table)  # what is none may hold what a database refuses to look for
    held = (
        table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None).first()
        if known
        else None
    )
    if held is None:
        raise Refused("nobody-there", _("Nobody holds this seat."))
    return held


def _holder(table: Campaign, seat: str) -> int | None:
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    return held.values_list("user_id", flat=True).first()


def _chief(table: Campaign) -> int | None:
    held = table.memberships.filter(role=Membership.Role.GAME_MASTER, until=None)
    return held.values_list("user_id", flat=True).first()


def _use(invitation: Invitation) -> None:
    invitation.uses_left -= 1
    invitation.save(update_fields=["uses_left"])


def _refused(invitation: Invitation, code: str, text: str) -> InvitationRefused:
    whom = invitation.made_by.username
    asked = _("%(why)s Ask %(name)s for another.") % {"why": text, "name": whom}
    return InvitationRefused(code, asked, invitation.campaign)


# Who stands in for a seat's holder at one contest. Who may name and end it, the room that knows
# contests asks before.


def put_substitute(
    table: Campaign, actor: Any, user: Any, seat: str, launch: LogEntry, contest: int, at: datetime
) -> Membership:
    """The user stands in from now on; on a locked table."""
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
    """They stand in no more, before the contest has ended; on a locked table."""
    held.until = at
    held.save(update_fields=["until"])
    _note(table, actor, held, "ended", at)


def _note(table: Campaign, actor: Any, held: Membership, how: str, at: datetime) -> None:
    what = {"act": SUBSTITUTE.name, "how": how, "battle": held.contest, "user": held.user_id}
    entries.append_act(table, actor, what, seat=held.seat, target=held.launch, now=at)


# Notes for a seat, written; and what passes to its next holder.


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
    """What the seat's holder writes down, in the place of what stood there; `left` leaves it to who
    holds the seat next.

    Raises `NotAllowed`, `Refused` where it is too long or cannot be shown, `NoteChanged` where
    `version` is not that which stands.
    """
    table = entries.lock(campaign)
    note = selectors.note_of(table, user, seat)
    if version != note.version:
        raise NoteChanged
    text = text.replace("\r\n", "\n").strip()
    entries.must_be_seen(text, _("Notes"))
    if text and not clean_text(text, selectors.LONGEST_NOTE):
        most = {"most": selectors.LONGEST_NOTE}
        raise Refused(
            "bad-note", _("Notes have up to %(most)d characters, all of which can be shown.") % most
        )
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
    """Another text stands in a note: what says that it was removed."""
    SeatNote.objects.filter(pk=row.pk).update(
        text_sealed=keys.seal(text), version=F("version") + 1, changed_at=at
    )


def pass_on(table: Campaign, held: Membership) -> None:
    """The seat that this place is of has come to its user: what its last holder left them, if
    anything is handed over.

    Before the start there is nothing but notes. A user who comes back to what they held last needs
    no page.
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
    handover = selectors.handed(table, user, seat)
    if handover is None:
        return
    waiting = SeatHandover.objects.filter(pk=handover.pk, dismissed_at=None)
    if waiting.update(dismissed_at=entries.moment(now)):
        entries.note_own_change(table.memberships.filter(user=user))


# What a member saw at the last visit: the film of what happened since begins there.

AWAY = timedelta(minutes=30)
"""Who has not looked for so long comes to another visit."""
ROUGHLY = timedelta(minutes=5)
"""So exactly is known when somebody looked last."""
VISIT = (
    "UPDATE campaign_membership SET visited_at = %s, visit_seen = %s, visit_since = %s WHERE id"
    " = %s"
)


def note_visit(place: Membership, last: int, now: datetime) -> int:
    """The holder of this place looks at the campaign, whose newest entry is `last`. Answers which
    was the newest at the visit before. A database that takes nothing now spoils no look: the visit
    is not kept then.
    """
    if (
        place.visited_at is not None and now - place.visited_at > AWAY
    ):  # kept places may be older than a visit elsewhere
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
    """As `update` does, whose SQL takes Django ten times what it takes the database. A page does
    not wait for SQLite while a long record is written there.
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


# A program holds a seat among people: let in and taken away by the game master, gone when a person
# comes. It plays in `campaign.practice`; what it holds stands in the log
# (`campaign.seats.selectors`), and everybody is notified.


def seat_players(title: str) -> SeatPlayers | None:
    """The programs of a title that can hold seats among people; None where there are none."""
    players = TITLES[title].players if title in TITLES else None
    return players if isinstance(players, SeatPlayers) else None


def levels(campaign: Campaign) -> Mapping[str, str]:
    """The programs that may hold a seat of this campaign now, the weakest first; empty where none
    may.
    """
    players = seat_players(campaign.title)
    going = campaign.started and not (
        campaign.ended or campaign.abandoned or campaign.archived or campaign.suspended
    )
    return players.levels if players is not None and going and not campaign.programs else {}


@transaction.atomic
def let_program(
    campaign: Campaign,
    user: Any,
    seat: str,
    level: str,
    reason: str,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """The game master lets a program hold a seat that nobody holds, until a person takes it. Raises
    `Refused`, `NotNow`.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    known = levels(table)
    if not known:
        raise NotNow("no-programs", _("No program can hold a seat here now."))
    if level not in known:
        raise Refused("unknown-level", _("Choose how well the program plays."))
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    if (
        seat not in positions.seats(table)
        or held.exists()
        or seat in selectors.program_levels(table)
    ):
        raise Refused("taken", _("This seat is not free."))
    what = {
        "act": PROGRAM.name,
        "how": "takes",
        "level": level,
        "reason": entries.a_reason(reason),
    }
    entry = entries.append_act(table, user, what, seat=seat, now=at)
    _ask(table, user, entry, at)
    hooks.programs_changed(table, at)
    return entry


def _ask(table: Campaign, user: Any, entry: LogEntry, at: datetime) -> None:
    """Ask for a countersignature where the seat is in battle with a seat of this game master's: who
    fights there changes.
    """
    contests = table.game.rows(positions.current(table)).contests
    running = [number for number, facts in contests.items() if facts["status"] != "resolved"]
    theirs = [number for number in running if review.of_contest(table, number, {entry.seat})]
    review.ask(
        table,
        user,
        entry,
        lambda own: (
            {one for number in theirs for one in review.of_contest(table, number, own)}
            - {entry.seat}
        ),
        at,
    )


@transaction.atomic
def take_program_away(
    campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None
) -> LogEntry:
    """The game master takes it away again: the seat is free, and nobody moves for it but the game
    master.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    entry = leave(table, user, seat, at)
    if entry is None:
        raise Refused("no-program", _("No program holds this seat."))
    _ask(table, user, entry, at)
    return entry


def leave(table: Campaign, user: Any, seat: str, at: datetime) -> LogEntry | None:
    """The program leaves the seat, if one holds it; its moves stay. Asks for a transaction that
    holds the campaign's row.
    """
    level = selectors.program_levels(table).get(seat)
    if level is None:
        return None
    what = {"act": PROGRAM.name, "how": "leaves", "level": level}
    entry = entries.append_act(table, user, what, seat=seat, now=at)
    hooks.programs_changed(table, at)
    return entry


def report_notes(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Return what the report of a turn says of programs."""
    if item.kind != "turn" or not campaign.seat_programs:
        return ()
    played: dict[str, str] = {}
    for deed in positions.retold(campaign).deeds:
        if deed.turn != item.turn or deed.actor is not None:
            continue
        if level := selectors.program_at(campaign, deed.seat, deed.sequence):
            played[deed.seat] = level
    names, blocks = positions.seats(campaign), []
    for seat in (key for key in names if key in played):
        text = sentence(
            _("A program ({level}) played {seat:the}."),
            level=level_word(played[seat]),
            seat=names[seat],
        )
        blocks.append(Paragraph((Span(text, italic=True),)))
    return blocks
