"""Acts on a battle: set-up, claims and their answers, evidence, substitutes, solo battles.

Every act is an entry of kind `table` that refers to the entry which launched the battle. A result
is entered by its own move, at once and in the same transaction, when the other side confirms it or
the game master rules on it. The lobby's password is not logged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, NoReturn

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from battles import projection
from battles.models import Battle, Claim, Evidence, LobbyPassword, Picture
from battles.pictures import TOO_LARGE, Kept, encode
from battles.projection import RESOLVED, project_act
from campaign import access, keys, limited_process, review, status
from campaign.access import Access
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, Refused
from campaign.log import entries, move_service, positions
from campaign.log.acts.battles import (
    AGREE,
    CLAIM,
    CONFIRM,
    DISPUTE,
    EVIDENCE,
    JUDGE,
    SET_UP,
    SOLO,
    UNAGREED,
    WITHDRAW_CLAIM,
)
from campaign.log.acts.declaration import Act
from campaign.log.talk import is_link
from campaign.models import GAME_MASTER, Campaign, Clock, LogEntry, Membership
from campaign.seats import seating as rows
from campaign.seats.selectors import program_levels
from engine.language import sentence
from engine.play import Move
from engine.strict_json import is_clean_text
from games.contract.report import Block, Contents, Paragraph, Span

LONGEST_WORD, LONGEST_PASSWORD = 1000, 60
MOST_EVIDENCE = 20


class At:
    """A user at a battle, within a transaction that has locked the campaign's row."""

    def __init__(self, campaign: Campaign, user: Any, number: int, now: datetime | None) -> None:
        self.table = entries.lock(campaign)
        self.user, self.at = user, entries.moment(now)
        self.who: Access = access.access_of(self.table, user)
        battle = projection.battle(self.table, number)
        if battle is None:
            raise NoSuchEntry
        self.battle: Battle = battle

    @property
    def seat(self) -> str:
        """The seat for which the user is at this battle, as its holder or substitute.

        Raises `NotAllowed` for a user who has no part in it.
        """
        own = projection.sides(self.battle, self.who)
        if not own:
            self.refuse()
        return own[0]

    def refuse(self, text: str = "") -> NoReturn:
        """Raise `NotAllowed`, or `NoSuchCampaign` for a user who may not know the campaign."""
        if not self.who.member and self.table.visibility == Campaign.Visibility.MEMBERS:
            raise NoSuchCampaign
        raise NotAllowed(
            "not-your-battle", text or _("Only the two players of this battle may do this.")
        )

    def must_run(self, *, by_master: bool = True) -> None:
        """Raise an error unless the battle can go on.

        It cannot in the archive, in an abandoned campaign or after its resolution. During a pause
        battles are fought and claimed, but only the game master enters results.
        """
        status.must_be_played(self.table, by_master)
        if self.battle.status == RESOLVED:
            raise Refused("resolved", _("This battle has been resolved."))

    def log_act(self, act: Act, seat: str, **facts: Any) -> LogEntry:
        """Log an act on this battle, and update the rows of its claims."""
        what = {"act": act.name, "battle": self.battle.number, **facts}
        entry = entries.append_act(
            self.table, self.user, what, seat=seat, target=self.battle.entry, now=self.at
        )
        project_act(self.table, entry)
        return entry

    def claim(self, number: int, *states: str) -> Claim:
        """Return the claim of this entry on this battle, if it is still in one of these states."""
        row = projection.claims(self.battle).filter(entry__number=number).first()
        if row is None:
            raise NoSuchEntry
        self.must_run()
        if row.state not in states:
            raise Refused("claim-closed", _closed(row.state))
        return row

    def must_still_hold(self, raw: Mapping[str, Any], seen: int) -> None:
        """Raise `TableMovedOn` if the result is no longer the one on the reader's page.

        It may have become impossible, or have other consequences.
        """
        move_service.result_must_still_hold(self.table, self.who, raw, seen)

    def result(self, raw: Mapping[str, Any]) -> Move:
        """Return the move that ends this battle whatever the dice show.

        Raises the errors of the title.
        """
        move, position = move_service.checked_move(self.table, raw), positions.current(self.table)
        game, number = self.table.game, self.battle.number
        after = [
            game.rows(branch.after).contests.get(number, {})
            for branch in game.branches(position, move)
        ]
        if not after or any(known.get("status") != RESOLVED for known in after):
            raise Refused("no-result", _("This does not end the battle."))
        if len(game.expand(position, move)) > 1:
            raise Refused("not-answered", _("The challenge has not been answered yet."))
        return move


@transaction.atomic
def set_up(campaign: Campaign, user: Any, number: int, *, now: datetime | None = None) -> LogEntry:
    """Log that a player has set the battle up in the game."""
    here = At(campaign, user, number, now)
    seat = here.seat
    here.must_run()
    if SET_UP.name in {entry.act for entry in projection.acts(here.battle)}:
        raise Refused("set-up", _("The battle has already been set up."))
    return here.log_act(SET_UP, seat)


@transaction.atomic
def claim(
    campaign: Campaign,
    user: Any,
    number: int,
    raw: Mapping[str, Any],
    word: str = "",
    line: str = "",
    *,
    agreement: str = "",
    now: datetime | None = None,
) -> LogEntry:
    """Log a player's claim of a result; `raw` is the game master's move that would enter it.

    `agreement` names what both players must have agreed to before. Only one claim can be open: the
    other side confirms or disputes it.
    """
    here = At(campaign, user, number, now)
    seat = here.seat
    here.must_run()
    if projection.claims(here.battle).filter(state__in=Claim.LIVE).exists():
        raise Refused(
            "claimed", _("There is already a claim. Confirm or dispute it, or have it withdrawn.")
        )
    if agreement and agreement not in projection.agreed(here.battle):
        raise Refused("not-agreed", _("Both players must agree to this first."))
    move = here.result(raw)
    word, line = _text(word, "word"), _text(line, "line")
    facts = {"word": word} if word else {}
    return here.log_act(
        CLAIM, seat, move=move.to_json(), **facts, **({"line": line} if line else {})
    )


@transaction.atomic
def withdraw(
    campaign: Campaign, user: Any, number: int, claim: int, *, now: datetime | None = None
) -> LogEntry:
    """Withdraw a claim of the user's side that is neither confirmed nor ruled on."""
    here = At(campaign, user, number, now)
    row = here.claim(claim, *Claim.LIVE)
    if row.seat not in projection.sides(here.battle, here.who):
        raise NotAllowed("not-your-claim", _("Only the person who made the claim can withdraw it."))
    return here.log_act(WITHDRAW_CLAIM, row.seat, claim=claim)


@transaction.atomic
def confirm(
    campaign: Campaign,
    user: Any,
    number: int,
    claim: int,
    seen: int,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Confirm a claim as the other side, enter the result at once, and return its entry.

    As in `move_service.play`, `seen` is the last entry of the page: the result must still have the
    consequences that the page showed.
    """
    here = At(campaign, user, number, now)
    row = here.claim(claim, *Claim.LIVE)
    seat = _other_side(here, row)
    here.must_run(by_master=False)
    here.must_still_hold(row.result, seen)
    return _confirmed(here, row, seat)


def confirm_unopposed(
    campaign: Campaign, entry: LogEntry, *, now: datetime | None = None
) -> LogEntry:
    """Confirm a claim that the other side left unanswered, and return the entry of the result.

    The clock does this in place of that side. Needs a transaction, and the time to be over. Raises
    the errors of `confirm`.
    """
    here = At(campaign, None, int(entry.content["battle"]), now)
    claim = here.claim(entry.number or 0, Claim.State.OPEN)
    here.must_run(by_master=False)
    return _confirmed(here, claim, here.battle.other(claim.seat), unopposed=True)


def _confirmed(here: At, claim: Claim, seat: str, **facts: Any) -> LogEntry:
    move = here.result(claim.result)
    here.log_act(CONFIRM, seat, claim=claim.entry.number, **facts)
    return move_service.enter(here.table, here.user, move, here.at)


@transaction.atomic
def dispute(
    campaign: Campaign,
    user: Any,
    number: int,
    claim: int,
    reason: str,
    raw: Mapping[str, Any] | None = None,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Dispute a claim as the other side, with a reason; the game master rules.

    `raw` is the result according to that side, as in a claim.
    """
    here = At(campaign, user, number, now)
    row = here.claim(claim, Claim.State.OPEN)
    seat, why = _other_side(here, row), entries.checked_reason(reason)
    facts = {} if raw is None else {"move": here.result(raw).to_json()}
    return here.log_act(DISPUTE, seat, claim=claim, reason=why, **facts)


@transaction.atomic
def judge(
    campaign: Campaign,
    user: Any,
    number: int,
    claim: int,
    seen: int,
    raw: Mapping[str, Any] | None = None,
    reason: str = "",
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Enter the claimed result (`raw` None), or another one with a reason, as the game master.

    Return the entry of the result.
    """
    access.must_be_game_master(campaign, user)
    here = At(campaign, user, number, now)
    access.must_be_game_master(here.table, user)
    row = here.claim(claim, *Claim.LIVE)
    here.must_still_hold(row.result if raw is None else raw, seen)
    applied = raw is None or dict(raw) == row.result
    why = _text(reason, "reason") if applied else entries.checked_reason(reason)
    move = here.result(row.result if raw is None else raw)
    facts = {"reason": why} if why else {}
    entry = here.log_act(
        JUDGE, GAME_MASTER, claim=claim, move=move.to_json(), applied=applied, **facts
    )
    review.ask_for_contest(here.table, user, entry, number, here.at)
    return move_service.enter(here.table, user, move, here.at)


@transaction.atomic
def agree(
    campaign: Campaign, user: Any, number: int, to: str, yes: bool, *, now: datetime | None = None
) -> LogEntry:
    """Log that a player agrees to another way of fighting, or no longer does.

    The caller has checked that it is possible. Only the holder of the seat can agree; a substitute
    fights as agreed.
    """
    here = At(campaign, user, number, now)
    seat = here.seat
    if seat not in here.who.seats:
        here.refuse(_("Only the holder of the seat can agree for it."))
    here.must_run()
    if (seat in projection.agreements(here.battle).get(to, ())) == yes:
        raise Refused("said-before", _("This has already been logged."))
    return here.log_act(AGREE, seat, to=to, yes=yes)


@transaction.atomic
def enter_unagreed(
    campaign: Campaign,
    user: Any,
    number: int,
    raw: Mapping[str, Any],
    agreement: str,
    reason: str,
    seen: int,
    *,
    now: datetime | None = None,
) -> LogEntry:
    """Enter a result that needs an agreement which the players have not made.

    The game master does it in public, with a reason. Return the entry of the result.
    """
    here = At(campaign, user, number, now)
    access.must_be_game_master(here.table, user)
    here.must_run()
    here.must_still_hold(raw, seen)
    if projection.claims(here.battle).filter(state__in=Claim.LIVE).exists():
        raise Refused("claimed", _("A claim has been made in the meantime. Decide on it first."))
    if agreement in projection.agreed(here.battle):
        raise Refused(
            "agreed",
            _("Both have agreed in the meantime. Look again, and enter it without a reason."),
        )
    why = entries.checked_reason(reason)
    move = here.result(raw)
    entry = here.log_act(UNAGREED, GAME_MASTER, to=agreement, reason=why)
    review.ask_for_contest(here.table, user, entry, number, here.at)
    return move_service.enter(here.table, user, move, here.at)


# Evidence -----------------------------------------------------------------------------------------


@transaction.atomic
def add_link(
    campaign: Campaign, user: Any, number: int, url: str, *, now: datetime | None = None
) -> Evidence:
    """Add a link, only with https, as evidence. The log has its hash, the row its address."""
    here = _may_show(campaign, user, number, now)
    url = url.strip()
    if not is_link(url):
        raise Refused(
            "no-link", _("Give an address that begins with https://, up to 500 characters.")
        )
    return _shown(here, sha256(url.encode()).hexdigest(), url=url)


def add_picture(
    campaign: Campaign, user: Any, number: int, sent: bytes, *, now: datetime | None = None
) -> Evidence:
    """Add a picture as evidence. It is re-encoded before a row is locked."""
    access_only = access.access_of(campaign, user)
    if not access_only.member:
        raise NotAllowed("not-your-battle", _("Only the two players of this battle may do this."))
    kept = reencode(sent)
    with transaction.atomic():
        here = _may_show(campaign, user, number, now)
        pictures.put(kept)
        return _shown(
            here, kept.digest, bytes=len(kept.content), width=kept.width, height=kept.height
        )


@transaction.atomic
def erase(evidence: Evidence, reason: str, *, now: datetime | None = None) -> int:
    """Erase the bytes or the address of evidence; hash and reason stay.

    Return the number of rows that showed it.
    """
    why = entries.checked_reason(reason)
    same = Evidence.objects.filter(digest=evidence.digest, erased_at=None)
    pictures.erase(evidence.digest)
    return same.update(erased_at=entries.moment(now), erasure_reason=why, url="")


def _may_show(campaign: Campaign, user: Any, number: int, now: datetime | None) -> At:
    here = At(campaign, user, number, now)
    status.must_be_played(here.table, True)
    if not here.who.game_master:
        assert here.seat
    if projection.evidence(here.battle).count() >= MOST_EVIDENCE:
        raise Refused(
            "much-evidence",
            _("This battle already has %(n)s pieces of evidence, and no more can be added.")
            % {"n": MOST_EVIDENCE},
        )
    return here


def _closed(state: str) -> str:
    """Return why nothing more can be done with a claim in this state."""
    if state == Claim.State.WITHDRAWN:
        return _("This claim has already been withdrawn.")
    if state == Claim.State.CONFIRMED:
        return _("This claim has already been confirmed.")
    if state == Claim.State.DISPUTED:
        return _("This claim has already been disputed. The game master decides now.")
    return _("The game master has already ruled on this claim.")


def _shown(here: At, digest: str, **facts: Any) -> Evidence:
    if projection.evidence(here.battle).filter(digest=digest).exists():
        raise Refused("shown", _("This evidence has already been added."))
    size = {"bytes": facts["bytes"]} if "bytes" in facts else {}
    own = projection.sides(here.battle, here.who)
    entry = here.log_act(EVIDENCE, own[0] if own else GAME_MASTER, sha256=digest, **size)
    launch, number = here.battle.entry, here.battle.number
    return Evidence.objects.create(
        campaign=here.table, entry=entry, launch=launch, number=number, digest=digest, **facts
    )


# The lobby's password -----------------------------------------------------------------------------


@transaction.atomic
def set_password(
    campaign: Campaign, user: Any, number: int, password: str, *, now: datetime | None = None
) -> None:
    """Set the lobby's password as one of the players; an empty one removes it.

    It is not logged.
    """
    here = At(campaign, user, number, now)
    assert here.seat
    here.must_run()
    password = password.strip()
    kept = LobbyPassword.objects.filter(launch=here.battle.entry, number=number)
    if not password:
        kept.delete()
        return
    entries.must_be_visible(password, pgettext("field", "Password"))
    if not is_clean_text(password, LONGEST_PASSWORD) or "\n" in password:
        raise Refused(
            "no-password",
            _("A password can have up to %(most)s characters on one line.")
            % {"most": LONGEST_PASSWORD},
        )
    values = {"sealed": keys.seal(password), "set_by": user, "set_at": here.at}
    LobbyPassword.objects.update_or_create(launch=here.battle.entry, number=number, defaults=values)


def may_read_password(who: Access, battle: Battle) -> bool:
    """Return whether a user may read it: the two players, a substitute and the game master."""
    return who.game_master or bool(projection.sides(battle, who))


def password(battle: Battle, who: Access) -> str | None:
    """Return the password of a battle from `projection.battle`; None if it has none.

    Raises `NotAllowed`.
    """
    if not may_read_password(who, battle):
        raise NotAllowed("not-your-battle", _("Only the two players of this battle may see this."))
    return keys.unseal(battle.sealed) if battle.sealed else None


def _other_side(here: At, claim: Claim) -> str:
    """The seat that answers a claim, if this user may answer it."""
    seat = here.battle.other(claim.seat)
    if not seat or seat not in projection.sides(here.battle, here.who):
        raise NotAllowed(
            "not-yours-to-confirm", _("Only the other player of this battle may do this.")
        )
    if claim.entry.actor_id == here.user.pk:
        raise NotAllowed(
            "own-claim", _("You made this claim yourself, so the game master judges it.")
        )
    return seat


def _text(value: str, what: str) -> str:
    value = value.strip()
    entries.must_be_visible(value, pgettext("field", "Text"))
    if value and not is_clean_text(value, LONGEST_WORD):
        raise Refused(
            f"bad-{what}",
            _("Up to %(most)s printable characters.") % {"most": LONGEST_WORD},
        )
    return value


# A substitute for a battle (RULES 11): named by the holder of the seat or the game master, ended by
# them or by the substitute.
#
# Substitutes fight the battle for that side: set-up, lobby, evidence, claims and answers to claims.
# Moves of the seat, agreements on how the battle is fought, and hidden facts remain with the
# holder. The substitute's role ends with the battle.


@transaction.atomic
def name_substitute(
    campaign: Campaign, user: Any, number: int, seat: str, whom: Any, *, now: datetime | None = None
) -> Membership:
    """Make `whom` the substitute of a seat at this battle.

    A side has at most one, who may be any user who does not fight the battle already. `whom` is
    None if no user has the typed name: only users who may name a substitute learn this.
    """
    here = At(campaign, user, number, now)
    if not here.who.speaks_for(seat):
        here.refuse(
            _("Only the holder of the seat and the game master can name a substitute for it.")
        )
    if not seat or seat not in here.battle.parties:
        raise Refused("no-side", _("This seat does not play this battle."))
    access.must_have_account(user)
    here.must_run()
    if whom is None:
        raise Refused(
            "no-such-person",
            _("There is no user with this name. Enter the exact user name."),
        )
    access.must_reach(user, whom)
    named = projection.substitutes(here.battle)
    if seat in named:
        raise Refused(
            "named",
            _("%(name)s is already the substitute for this side. End that first.")
            % {"name": named[seat].user.username},
        )
    seated = here.table.memberships.filter(
        user=whom, role=Membership.Role.SEAT, seat__in=here.battle.parties, until=None
    )
    if seated.exists() or whom.pk in {place.user_id for place in named.values()}:
        raise Refused(
            "plays-it",
            _("%(name)s already plays this battle. Choose someone else.") % {"name": whom.username},
        )
    return rows.put_substitute(
        here.table, user, whom, seat, here.battle.entry, here.battle.number, here.at
    )


@transaction.atomic
def end_substitute(
    campaign: Campaign, user: Any, number: int, seat: str, *, now: datetime | None = None
) -> None:
    """End the role of a substitute.

    The holder, the game master and the substitute may do it.
    """
    here = At(campaign, user, number, now)
    if not here.who.speaks_for(seat) and seat not in projection.sides(here.battle, here.who):
        here.refuse(
            _("Only the holder of the seat, the game master and the substitute may end this.")
        )
    here.must_run()
    held = projection.substitutes(here.battle).get(seat)
    if held is None:
        raise Refused("nobody", _("This side has no substitute."))
    rows.end_substitute(here.table, user, held, here.at)


# A battle that a side plays solo on empire difficulty, because the other is away (RULES 11): the
# game master decides it.
#
# It is in the log, on the battle's page and in its reports. The table no longer waits for the
# absent side; the game master rules on the claims of the opponent. The decision can be changed any
# number of times; the last one counts.

OF_BATTLE = re.compile(r"(?:battle|result)-([0-9]{1,9})", re.ASCII)


@transaction.atomic
def agree_solo(
    campaign: Campaign, user: Any, number: int, seat: str, *, now: datetime | None = None
) -> LogEntry:
    """Let the opponent of an absent seat play the battle solo.

    Raises `Refused` if there is no opponent, or if this is already the case.
    """
    access.must_be_game_master(campaign, user)
    here = At(campaign, user, number, now)
    if not seat or seat not in here.battle.parties or not here.battle.other(seat):
        raise Refused("no-side", _("This battle has no opponent who could play it alone."))
    here.must_run()
    if here.battle.status == "challenged":
        raise Refused("not-answered", _("The challenge has not been answered yet."))
    if here.battle.solo:
        raise Refused(
            "solo-already", _("This battle is already being played solo. End that first.")
        )
    return countersign_request(here, here.log_act(SOLO, seat, how="agreed"))


@transaction.atomic
def end_solo(
    campaign: Campaign, user: Any, number: int, *, now: datetime | None = None
) -> LogEntry:
    """Let both sides play the battle again."""
    access.must_be_game_master(campaign, user)
    here = At(campaign, user, number, now)
    here.must_run()
    if not here.battle.solo:
        raise Refused("not-solo", _("Both players already play this battle."))
    return countersign_request(here, here.log_act(SOLO, here.battle.solo, how="ended"))


def countersign_request(here: At, entry: LogEntry) -> LogEntry:
    """Ask for a review of the game master's act, if one is needed, and return the act."""
    review.ask_for_contest(here.table, here.user, entry, here.battle.number, here.at)
    return entry


def solo_of_programs(table: Campaign, at: datetime) -> None:
    """Let the opponents of programs that hold a seat among people play their battles solo.

    If the program has left, both sides play again. A battle between two programs waits for the game
    master. This is `hooks.programs_changed`.
    """
    if not table.seat_programs:
        return
    levels = program_levels(table)
    for battle in projection.running(table).exclude(status="challenged"):
        solo, last = battle.solo, current_agreement(battle)
        if solo and solo not in levels and last is not None and "level" in last.content:
            _note_solo(table, battle, solo, at, how="ended", level=last.content["level"])
            solo = ""
        sides = [seat for seat in battle.parties if seat in levels]
        if not solo and len(sides) == 1 and battle.other(sides[0]):
            _note_solo(table, battle, sides[0], at, how="agreed", level=levels[sides[0]])


def _note_solo(table: Campaign, battle: Battle, seat: str, at: datetime, **facts: str) -> None:
    what = {"act": SOLO.name, "battle": battle.number, **facts}
    project_act(
        table, entries.append_act(table, None, what, seat=seat, target=battle.entry, now=at)
    )


def current_agreement(battle: Battle) -> LogEntry | None:
    """Return the act by which the battle is played solo now; None if both play it."""
    if not battle.solo:
        return None
    acts = {"kind": LogEntry.Kind.TABLE, "act": SOLO.name}
    log = LogEntry.objects.filter(campaign_id=battle.campaign_id, target=battle.entry_id, **acts)
    return log.select_related("actor").order_by("sequence").last()


def solo_by_program(campaign: Campaign, battles: Sequence[Battle]) -> set[int]:
    """Return the primary keys of the solo battles in which a program has the absent seat.

    Makes one query if a program has ever held a seat.
    """
    if not campaign.seat_programs or not battles:
        return set()
    acts = campaign.entries.filter(
        kind=LogEntry.Kind.TABLE, act=SOLO.name, target__in=[battle.entry_id for battle in battles]
    )
    last = {act.target_id: act for act in acts.order_by("sequence")}
    return {battle.pk for battle in battles if "level" in last[battle.entry_id].content}


def report_notes(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Return the notes of a report about solo battles, as `forum.hooks.report_notes`.

    Makes at most two queries, and none for a report without battles.
    """
    match = OF_BATTLE.fullmatch(item.key)
    if not match and item.kind != "turn":
        return ()
    if SOLO.name not in positions.replayed_log(campaign).acts:
        return ()
    rows = Battle.objects.filter(campaign=campaign).exclude(solo="")
    rows = rows.filter(number=int(match[1])) if match else rows.filter(turn=item.turn)
    names, blocks, battles = positions.seats(campaign), [], list(rows.order_by("number"))
    by_program = solo_by_program(campaign, battles)
    for battle in battles:
        away, other = (
            names.get(battle.solo, battle.solo),
            names.get(battle.other(battle.solo), battle.other(battle.solo)),
        )
        text = _(
            "Battle #{number}: {away:the} {away:were|was} away (§11), and {other:the} played it"
            " solo on empire difficulty."
        )
        if battle.pk in by_program:
            text = _(
                "Battle #{number}: a program played {away:the}, and {other:the} played it solo on"
                " empire difficulty (§11)."
            )
        text = sentence(text, number=battle.number, away=away, other=other)
        blocks.append(Paragraph((Span(text, italic=True),)))
    return blocks


# Clocks of claims: an unopposed claim is confirmed automatically, if the game master has switched
# this on.


def confirm_when_due(table: Campaign, clock: Clock, at: datetime) -> LogEntry | None:
    """Confirm the claim of a clock whose time is over."""
    return confirm_unopposed(table, clock.entry, now=at)


# Pictures are stored in the database, so that a single backup has them all. Another storage needs
# another class.
#
# Pillow re-encodes each uploaded picture: only its pixels are stored.

HEAVIEST = 5 * 1024 * 1024
MEDIA = "image/webp"


def reencode(sent: bytes) -> Kept:
    """Return the picture as WebP, made in a child process.

    Raises `Refused` for anything that is not a small picture.
    """
    if len(sent) > HEAVIEST:
        raise Refused(
            "too-heavy", _("The picture is larger than 5 MB. Save a smaller version and choose it.")
        )
    kept = limited_process.run(encode, sent)
    if isinstance(kept, Kept):
        return kept
    if kept == TOO_LARGE:
        raise Refused(
            "too-large",
            _("The picture has more than 20 megapixels. Save a smaller version and choose it."),
        )
    raise Refused("no-picture", _("This is not a PNG, JPEG or WebP picture."))


class Pictures:
    """The storage of pictures: bytes by their hash."""

    def put(self, kept: Kept) -> None:
        """Store a picture."""
        Picture.objects.get_or_create(digest=kept.digest, defaults={"content": kept.content})

    def get(self, digest: str) -> bytes | None:
        """Return the bytes; None if there are none or they were erased."""
        content = Picture.objects.filter(digest=digest).values_list("content", flat=True).first()
        return None if content is None else bytes(content)

    def erase(self, digest: str) -> None:
        """Erase a picture."""
        Picture.objects.filter(digest=digest).delete()


pictures = Pictures()


def picture_of(battle: Battle, entry: int) -> bytes | None:
    """Return the picture that an entry shows for a battle; None if it no longer exists."""
    rows = projection.evidence(battle).filter(entry__number=entry, bytes__gt=0, erased_at=None)
    shown = rows.first()
    return pictures.get(shown.digest) if shown is not None else None
