"""The consequences of an undo or a restoration (`campaign.log.undo`), listed in advance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.clocks import services as clocks
from campaign.log import selectors
from campaign.log.acts.battles import CLAIM
from campaign.log.acts.programs import STANDING
from campaign.log.rewind import Rewind
from campaign.log.selectors import Line
from campaign.models import GAME_MASTER, Clock
from engine.language import sentence
from forum.models import Post
from forum.posts import drafts
from games.contract.battles import BattleWords
from games.kit.battle_words import battle_words
from web.frame.table import TableContext
from web.history.earlier_table import at_position
from web.history.position_diff import BattleDiff, PositionDiff, compare
from web.log.lines import LogRow, RollInWords, rolls_in_words, rows

SHOWN = 12
"""The number of newest moves that are shown; earlier moves are folded."""


@dataclass(frozen=True, slots=True)
class KnownDice:
    """The dice of a struck move, which are now known and would have the same values again."""

    number: int | None
    url: str
    seat: str
    """The seat whose choice the dice depended on."""
    name: str
    rolls: list[RollInWords]


@dataclass(frozen=True, slots=True)
class BattleChange:
    """A battle that vanishes, returns, is reopened or is closed again."""

    number: int
    url: str
    change: str
    text: str
    claims: list[str]
    """Claims that are no longer valid, or are valid again."""

    @property
    def outcome(self) -> str:
        return {
            "gone": _("vanishes"),
            "new": _("returns"),
            "reopened": _("is open again; its result is struck"),
            "closed": _("is decided again"),
        }.get(self.change) or _("stays as it was")

    @property
    def claims_text(self) -> str:
        if not self.claims:
            return ""
        if self.change == "gone":
            text = _(
                "A claim is no longer valid. It will be valid again if the battle is restored: "
                "%(claims)s"
            )
        else:
            text = _("A claim is valid again: %(claims)s")
        return text % {"claims": " ".join(self.claims)}


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline that ends, resumes or begins."""

    event: str
    """One of the events of `campaign.clocks.services`."""
    kind: str
    subject: str
    url: str
    at: datetime | None
    held: bool

    @property
    def runs_again(self) -> bool:
        return self.event == clocks.OPENS

    @property
    def text(self) -> str:
        return pgettext("undo", "ends") if self.event == clocks.ENDS else pgettext("undo", "begins")

    @property
    def stands_still(self) -> bool:
        return self.held and self.event != clocks.ENDS


@dataclass(frozen=True, slots=True)
class AffectedPost:
    """A post in a thread; `url` leads to its page, for game masters."""

    number: int
    subject: str
    permalink: str
    url: str


@dataclass(frozen=True, slots=True)
class PostGroup:
    """Posts that the undo affects in the same way."""

    text: str
    posts: list[AffectedPost]


@dataclass(frozen=True, slots=True)
class StandingOrder:
    """A standing order that acted among these moves."""

    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Consequences:
    """All changes that an undo or a restoration would make."""

    restores: bool
    count: int
    hidden: str
    """A sentence with the number of moves that the reader may not see."""
    newest: list[LogRow]
    older: list[LogRow]
    diff: PositionDiff
    battles: list[BattleChange]
    posts: list[PostGroup]
    deadlines: list[Deadline]
    """Empty if the campaign is played alone."""
    renewed: str
    dice: list[KnownDice]
    choosers: list[str]
    """Sentences on the seats that can choose again, knowing the dice."""
    orders: list[StandingOrder]
    unchanged: str
    """A text on what remains unchanged."""

    @property
    def heading(self) -> str:
        return (
            pgettext("heading", "In force again")
            if self.restores
            else pgettext("heading", "What is struck")
        )

    @property
    def older_text(self) -> str:
        n = len(self.older)
        text = ngettext("%(n)s move before these", "%(n)s moves before these", n)
        return text % {"n": n}


def consequences(table: TableContext, rewind: Rewind) -> Consequences:
    """Return what an undo or a restoration would change. Raise `CannotUndo` if it is refused."""
    rewind.read_rolls()
    lines = selectors.lines(table.campaign, table.access, reversed(rewind.moves), bare=True)
    shown = rows(table, lines)
    acts = acts_about(table, rewind)
    diff = compare(table, at_position(table, rewind.position))
    dice = [] if rewind.back else known_dice(table, lines)
    return Consequences(
        restores=rewind.back,
        count=len(rewind.moves),
        hidden=hidden_text(len(rewind.moves) - len(lines)),
        newest=shown[:SHOWN],
        older=shown[SHOWN:],
        diff=diff,
        battles=battle_changes(table, diff.battles, acts),
        posts=affected_posts(table, rewind),
        deadlines=[] if table.solo else deadlines(table, rewind),
        renewed=renewed_text(rewind),
        dice=dice,
        choosers=choosers(dice),
        orders=standing_orders(table, rewind, acts),
        unchanged=unchanged_text(table),
    )


def hidden_text(count: int) -> str:
    if not count:
        return ""
    text = ngettext(
        "%(n)s of them is hidden from you.", "%(n)s of them are hidden from you.", count
    )
    return text % {"n": count}


def unchanged_text(table: TableContext) -> str:
    if table.solo:
        return _("Comments on the moves stay as they are.")
    return _(
        "Claims, evidence, links, rulings and comments on the moves stay as they are. Plans stay "
        "with their holders, and the results of each plan are computed again."
    )


def renewed_text(rewind: Rewind) -> str:
    """Return which turns' dice are renewed because their links were published; empty if none."""
    turns = rewind.renewed
    if turns is None:
        return ""
    first, last = turns
    if first == last:
        text = _("The dice of turn %(first)s are renewed. Rolls already thrown keep their values.")
    else:
        text = _(
            "The dice of turns %(first)s to %(last)s are renewed. Rolls already thrown keep their "
            "values."
        )
    return text % {"first": first, "last": last}


# Battles and standing orders


def acts_about(table: TableContext, rewind: Rewind) -> list[Line]:
    """Return the claims and standing orders about these moves that the reader may see."""
    acts = [act for act in rewind.acts if act.act in (CLAIM.name, STANDING.name)]
    return selectors.lines(table.campaign, table.access, acts, bare=True)


def battle_changes(
    table: TableContext, battles: Iterable[BattleDiff], acts: Iterable[Line]
) -> list[BattleChange]:
    claims = [line for line in acts if line.entry.act == CLAIM.name]
    return [
        BattleChange(
            number=battle.number,
            url=battle_url(table, battle.number),
            change=battle.change,
            text=battle_text(table, battle),
            claims=claims_of(battle, claims),
        )
        for battle in battles
    ]


def claims_of(battle: BattleDiff, claims: Iterable[Line]) -> list[str]:
    if battle.change not in ("gone", "new"):
        return []
    return [line.text for line in claims if line.entry.content.get("battle") == battle.number]


def battle_url(table: TableContext, number: int | None) -> str:
    """Return the page of a battle that exists now; empty if it does not."""
    if number is None or table.pages is not None or number not in table.rows.contests:
        return ""
    return table.url("battle", number)


def battle_text(table: TableContext, battle: BattleDiff) -> str:
    words = battle_words(table.title)
    where = words.where(table.scenario, battle.facts)
    text = (
        _("%(attacker)s – %(defender)s, %(where)s") if where else _("%(attacker)s – %(defender)s")
    )
    return text % {
        "attacker": side_name(table, words, battle, "attacker"),
        "defender": side_name(table, words, battle, "defender"),
        "where": where,
    }


def side_name(table: TableContext, words: BattleWords, battle: BattleDiff, side: str) -> str:
    key = battle.facts.get(side)
    if key in table.names:
        return table.name_of(key)
    return str(words.side_name(table.scenario, battle.facts, side))


def standing_orders(
    table: TableContext, rewind: Rewind, acts: Iterable[Line]
) -> list[StandingOrder]:
    """Return the standing orders that acted, and whether each may act again."""
    struck = set(rewind.rows)
    return [
        StandingOrder(line.text, order_outcome(rewind, again=line.entry.target_id in struck))
        for line in acts
        if line.entry.act == STANDING.name
    ]


def order_outcome(rewind: Rewind, *, again: bool) -> str:
    if rewind.back:
        return _("Its text is in force again.")
    if again:
        return _("What the order did is struck. If the order is asked again, it may act again.")
    return _("What the order did is struck. It does not act on the same thing again.")


# Posts


def affected_posts(table: TableContext, rewind: Rewind) -> list[PostGroup]:
    """Return what happens to posts. Only game masters see unsent posts."""
    foreseen = drafts.preview_undo(rewind)
    if rewind.back:
        corrected = _(
            "These corrections have been posted. A correction of each is drafted at once:"
        )
    else:
        corrected = _("These posts are on the forum. A correction is drafted at once:")
    later = _("These posts are on the forum. The next report of the same kind corrects them:")
    groups = [(corrected, foreseen.corrected), (later, foreseen.later)]
    if table.host:
        groups += [
            (_("Not sent yet, and will be dropped:"), foreseen.dropped),
            (_("Drafts again:"), foreseen.drafted),
        ]
    return [
        PostGroup(text, [affected_post(table, post) for post in posts])
        for text, posts in groups
        if posts
    ]


def affected_post(table: TableContext, post: Post) -> AffectedPost:
    return AffectedPost(
        number=post.number,
        subject=post.subject or post.report,
        permalink=post.permalink,
        url=table.url("post", post.number) if table.host else "",
    )


# Deadlines and dice


def deadlines(table: TableContext, rewind: Rewind) -> list[Deadline]:
    outlook = clocks.foresee(rewind, timezone.now())
    if table.has_clocks:
        table.clocks = outlook.running
    return [deadline(table, clock) for clock in outlook.foreseen]


def deadline(table: TableContext, clock: clocks.ClockChange) -> Deadline:
    battle = clock.contest
    seat = table.name_of(clock.seat) if clock.seat else ""
    of_battle = _("battle %(number)s") % {"number": battle} if battle is not None else ""
    return Deadline(
        event=clock.what,
        kind=str(Clock.Kind(clock.kind).label),
        subject=", ".join(filter(None, (seat, of_battle))),
        url=battle_url(table, battle),
        at=clock.due_at,
        held=clock.held,
    )


def known_dice(table: TableContext, lines: Sequence[Line]) -> list[KnownDice]:
    """Return the dice that these moves threw, each purpose once; `lines` begin with the newest."""
    dice, seen = [], set[str]()
    for line in reversed(lines):
        new = [roll for roll in line.rolls if roll.purpose not in seen]
        seen |= {roll.purpose for roll in new}
        if new:
            seat = line.entry.seat
            dice.append(
                KnownDice(
                    number=line.number,
                    url=table.url("entry", line.number) if line.number is not None else "",
                    seat=seat,
                    name=table.name_of(seat or GAME_MASTER),
                    rolls=rolls_in_words(table, new),
                )
            )
    return dice


def choosers(dice: Iterable[KnownDice]) -> list[str]:
    """Return a sentence for each seat whose choice these dice depended on."""
    names = dict.fromkeys((die.seat, die.name) for die in dice)
    return [
        sentence(_("{name:The} can now choose again, already knowing the dice."), name=name)
        for _seat, name in names
    ]
