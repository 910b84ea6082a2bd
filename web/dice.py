"""The dice log: what was promised before the start, what has been published, every roll that was thrown, how they fell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaign import access, services
from campaign.dice import selectors as dice_selectors
from campaign.errors import NotNow, Refused
from campaign.log import positions, record, selectors
from campaign.models import DiceRoll
from campaign.review import selectors as review_selectors
from campaign.review.selectors import Mark
from engine.log import canonical
from engine.strict_json import whole
from games import registry
from web.play import gm_move
from web.seats import hidden_hands
from web.shell.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.titles.talk import capital

PAGE = 50
OPEN = 2
"""So many kinds of dice are laid open, the others open at a touch."""


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Fifty rolls, and how all fell. They are counted from the first: `?before=` one pages on, `?all` shows every one."""
    return page(request, table)


def page(request: HttpRequest, table: TableContext, typed: Mapping[str, str] | None = None, error: str = "") -> HttpResponse:
    """The page; with what was `typed` of dice thrown elsewhere and refused, and why."""
    asked, line = request.GET.get("before", ""), table.title.roll_line
    found = list(selectors.rolls(table.campaign, table.user))
    before = whole(asked) if asked else len(found) + 1
    if before is None:
        raise Http404
    every = "all" in request.GET
    skip = 0 if every else max(0, len(found) + 1 - before)
    shown = found if every else found[skip : skip + PAGE]
    chains = record.chains(table.campaign)
    links = chains[0].links
    given, seen_at = dice_selectors.entered_dice(table.campaign), dice_selectors.links(table.campaign)
    marks = review_selectors.of_dice(table.campaign, shown, given)
    thrown = [
        {
            "purpose": row.purpose,
            "sides": row.sides,
            "value": row.value,
            "turn": row.turn,
            "chain": row.chain,
            "text": line(table.scenario, row.roll),
            "number": row.entry.number,
            "url": table.url("entry", row.entry.number) if row.entry.number is not None else "",
            "at": row.entry.at,
            "struck": row.entry.struck_by_id is not None,
            "hidden": row.audience is not None,
            "hand": row.purpose in given,
            "mark": _mark(table, marks.get(row.pk)),
            "seen_at": seen_at.get(row.purpose, ""),
            "proof": None if row.purpose in given else dice_selectors.dice_proof(row, chains),
        }
        for row in shown
    ]
    context: dict[str, Any] = {"rolls": thrown, "links": links, "renewed": chains[1:]}
    context["known_by"], context["imported"] = _known_by(table), table.campaign.imported
    context["may_renew"] = table.game_master and services.may_renew(table.campaign)
    context["boxes"], context["earlier"], context["later"] = dice_selectors.boxes(links, table.title.last_link(table.scenario))
    context["open"] = sum(row.turn < len(chains[row.chain].links) and row.purpose not in given for row in found)
    context["hand"], context["closed"] = sheet(table, typed or {}, error), hidden_hands.closed_hands(table)
    if error and context["hand"] is None:
        messages.error(request, error)
    context["list"] = table.url("rolls_file")
    context |= {"count": len(found), "every": every}
    context["older"] = len(found) + 1 - skip - len(shown) if skip + len(shown) < len(found) else None
    context["newer"] = len(found) + 1 - max(0, skip - PAGE) if skip else None
    context["file"] = table.url("dice_sheet")
    context["kinds"] = _kinds(table, found)
    context["hides"] = access.hides(table.campaign)
    return show(request, table, "dice/dice.html", context, here="dice", status=422 if error else 200)


@require_safe
@campaign_page
def rolls(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The list of rolls that can be checked without this server, oldest first, as its reader may see them."""
    found = reversed(selectors.rolls(table.campaign, table.user))
    made = dice_selectors.listed(table.campaign, table.campaign.address, record.chains(table.campaign), found)
    answer = HttpResponse(canonical(made), content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}-rolls.json"'
    return answer


def _known_by(table: TableContext) -> list[str]:
    """Who could have known what of these dice, in three sentences."""
    said = [
        _("Every value follows from its purpose and from a number that was fixed before it was needed: nobody can change it."),
        _("Nobody at the table can know a value before it falls, nor choose it."),
        _("Whoever runs this server could look at the sealed numbers, and so know values beforehand, but not change them."),
    ]
    if table.campaign.by_hand:
        said[1] = _("Dice are thrown elsewhere now: for those, you trust the game master and where they were seen.")
    return said


def _mark(table: TableContext, found: tuple[Mark, int] | None) -> dict[str, Any] | None:
    """What a roll says of countersignatures: whether it lacks one, who signed, who objects, and where all this stands."""
    if found is None:
        return None
    mark, number = found
    objects = ", ".join(who for who, _why in mark.objections)
    return {"lacks": mark.lacks, "signed": ", ".join(mark.signed), "objects": objects, "url": table.url("entry", number)}


def _kinds(table: TableContext, found: Sequence[DiceRoll]) -> list[tuple[Kind, bool, list[tuple[Row, str, str]]]]:
    """Each kind of die, whether it is laid open, the whole table's row and those of the seats, with their names and people."""
    order = table.account_holders
    holders = set(order)
    thrown = [Thrown(row.purpose, row.sides, row.value, _for_whom(row, holders)) for row in reversed(found)]
    made = []
    for n, kind in enumerate(kinds(thrown, order)):
        rows = [
            (kind.whole, _("Whole table"), ""),
            *((row, capital(table.name_of(row.seat)), ", ".join(table.holders(row.seat))) for row in kind.seats),
        ]
        made.append((kind, n == 0 or (n < OPEN and not kind.few), rows))
    return made


def _for_whom(row: DiceRoll, holders: Set[str]) -> str:
    """Whom its purpose names (`turn-2/card/huns`), else the seat whose entry threw it."""
    return next((part for part in row.purpose.split("/") if part in holders), row.entry.seat)


# The game master's dice thrown elsewhere: the mode, the dice an announcement waits for, one known beforehand.


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def manual_dice_page(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """POST does what `do` says: `on`, `off`, `give` the dice waited for, `ahead` one, `drop`; a GET leads to the dice page.
    What was refused stands in the form still."""
    back = f"{table.url('dice')}#h-hand"
    if request.method != "POST":
        return redirect(back)
    campaign, user, posted = table.campaign, table.user, request.POST
    try:
        match posted.get("do", ""):
            case "on" | "off" as how:
                services.throw_by(campaign, user, how == "on")
                messages.success(
                    request, _("From now on dice are entered by hand.") if how == "on" else _("The program throws again.")
                )
            case "give":
                values = _values(posted)
                made = services.give_dice(campaign, user, values, posted.get("url", ""))
                moved = any(entry.is_move for entry in made)
                messages.success(request, _("The dice are entered and the move is made.") if moved else _("The die is entered."))
            case "ahead":
                value = whole(posted.get("value", ""))
                services.give_die(
                    campaign, user, posted.get("purpose", ""), -1 if value is None else value, posted.get("url", "")
                )
                messages.success(request, _("The die is entered."))
            case "renew":
                services.renew_dice(campaign, user, posted.get("reason", ""))
                messages.success(request, _("The dice are renewed. Rolls already thrown keep their value."))
            case "drop":
                services.drop(campaign, user, posted.get("reason", ""))
                messages.success(request, _("The announcement is taken back."))
    except (Refused, NotNow) as error:
        return page(request, table, posted.dict(), str(error))
    return see_other(back)


def _values(posted: Any) -> dict[str, object]:
    """The dice that were filled in, by purpose; nonsense is a value off every die."""
    found: dict[str, object] = {}
    for key, text in list(posted.items())[: 2 * MOST]:
        if key.startswith("die:") and text.strip():
            value = whole(text.strip())
            found[key.removeprefix("die:")] = -1 if value is None else value
    return found


# What pages say of dice thrown elsewhere: the announcement that waits for one, the forms that enter them.

MOST = 40
"""Dice entered at once."""


def parked(table: TableContext) -> dict[str, Any] | None:
    """The announcement that waits for a die, as every page of the campaign says it; None where none waits."""
    waits = dice_selectors.awaited(table.campaign)
    if waits is None:
        return None
    seat = str(waits.move.get("for", waits.move["by"]))
    text = table.title.move_line(table.scenario, waits.move)
    return {
        "text": capital(text) if seat == GAME_MASTER else f"{capital(table.name_of(seat))}: {text}",
        "move": waits.move, "purpose": waits.purpose, "mine": seat in table.own_seats or table.game_master, "seat": seat,
        "url": f"{table.url('dice')}#h-hand",
    }  # fmt: skip


def sheet(table: TableContext, typed: Mapping[str, str], error: str) -> dict[str, Any] | None:
    """What the dice page asks of who enters dice, or of who may take a parked announcement back; the others are told of the mode
    while it is on. None where nothing is to be said. `typed` is what was refused, and `error` why."""
    waits = parked(table)
    master = table.game_master and not table.finished and not table.campaign.archived
    if not master and not (waits and waits["mine"]):
        return {"on": True, "error": error} if table.campaign.by_hand and not table.finished else None
    can = table.campaign.by_hand or not (
        table.campaign.title in registry.PAGES or table.title.hides(positions.options(table.campaign))
    )
    if master and not can and waits is None:
        return None
    dice = dice_selectors.ahead(table.campaign, table.position) if waits else []
    concerned = (gm_move.of_seat(table, waits["seat"]) or gm_move.of_move(table, waits["move"])) if waits and master else None
    ahead = gm_move.always(table) if master else None
    return {
        "typed": typed,
        "error": error,
        "parked": waits,
        "own": concerned,
        "ahead": ahead,
        "master": master,
        "dice": [(purpose, sides, typed.get(f"die:{purpose}", "")) for purpose, sides in dice[:MOST]],
        "on": table.campaign.by_hand,
    }


# Dice expected against rolled: how often each face came up, and how often it does with honest dice.
#
# A roll that was undone and made again is the same roll, with the same value: it counts once.

FACES = 12
"""Up to so many sides each face is counted by itself, else ranges of equal size."""
MOST_RANGES = 10
LEAST = 5
"""Where less is expected of each face, nothing can be said."""


class Thrown(NamedTuple):
    """A roll: what it was for, of how many sides, what came, on whose behalf."""

    purpose: str
    sides: int
    value: int
    seat: str


class Range(NamedTuple):
    """Faces that are counted together, both ends among them."""

    first: int
    last: int

    @property
    def name(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


class Count(NamedTuple):
    """How often a range came up; `out` where honest dice seldom come to that, `share` of the highest for a bar."""

    times: int
    out: bool
    share: float


class Row(NamedTuple):
    """The rolls of a seat, or of the whole table where `seat` is empty; of each range `low` to `high` is usual."""

    seat: str
    rolls: int
    counts: Sequence[Count]
    expected: str
    low: int
    high: int
    average: str


class Kind(NamedTuple):
    """All rolls of one kind of die."""

    sides: int
    ranges: Sequence[Range]
    whole: Row
    seats: Sequence[Row]
    line: float
    """What is expected of each range, as a share of the highest bar."""

    @property
    def average(self) -> str:
        mean = Decimal(self.sides + 1) / 2
        return number_format(mean.normalize() if mean % 1 else int(mean))

    @property
    def few(self) -> bool:
        return self.whole.rolls < LEAST * len(self.ranges)

    @property
    def within(self) -> int:
        return sum(not one.out for one in self.whole.counts)

    @property
    def faces(self) -> bool:
        return len(self.ranges) == self.sides


def ranges(sides: int) -> list[Range]:
    """Every face, or the most ranges of equal size up to ten; of a large prime every face again."""
    count = sides
    if sides > FACES:
        count = next((n for n in range(MOST_RANGES, 1, -1) if sides % n == 0), sides)
    size = sides // count
    return [Range(1 + n * size, (n + 1) * size) for n in range(count)]


@lru_cache(maxsize=4096)
def usual(rolls: int, parts: int) -> tuple[int, int]:
    """Between which numbers one of `parts` equal parts comes up in at least 95 of 100 times that so many are rolled.

    Exact: at most 25 of 1000 times it is less, at most 25 of 1000 times it is more.
    """
    if parts == 1:
        return rolls, rolls
    every = parts**rolls
    ways = (parts - 1) ** rolls  # in which it comes up `times` times
    times, so_far = 0, ways
    while 40 * so_far <= every:
        ways = ways * (rolls - times) // ((times + 1) * (parts - 1))
        times += 1
        so_far += ways
    low = times
    while 40 * (every - so_far) > every:
        ways = ways * (rolls - times) // ((times + 1) * (parts - 1))
        times += 1
        so_far += ways
    return low, times


def kinds(thrown: Iterable[Thrown], order: Sequence[str] = ()) -> list[Kind]:
    """The dice by their sides, the most rolled first; who threw in `order`, others after them."""
    once = {(roll.purpose, roll.sides): roll for roll in thrown}.values()
    by_sides: dict[int, list[Thrown]] = {}
    for roll in once:
        by_sides.setdefault(roll.sides, []).append(roll)
    return [_kind(sides, rolls, order) for sides, rolls in sorted(by_sides.items(), key=lambda one: (-len(one[1]), one[0]))]


def _kind(sides: int, rolls: Sequence[Thrown], order: Sequence[str]) -> Kind:
    parts = ranges(sides)
    seats = {roll.seat for roll in rolls}
    placed = [seat for seat in order if seat in seats] + sorted(seats - set(order))
    whole = _row("", rolls, parts, sides)
    rows = [_row(seat, [roll for roll in rolls if roll.seat == seat], parts, sides) for seat in placed]
    top = max(count.times for count in whole.counts)
    return Kind(sides, parts, whole, rows if len(rows) > 1 else (), len(rolls) / len(parts) / top)


def _row(seat: str, rolls: Sequence[Thrown], parts: Sequence[Range], sides: int) -> Row:
    size = sides // len(parts)
    times = [0] * len(parts)
    for roll in rolls:
        times[(roll.value - 1) // size] += 1
    low, high = usual(len(rolls), len(parts))
    counts = [Count(n, not low <= n <= high, n / max(times)) for n in times]
    average = sum(roll.value for roll in rolls) / len(rolls)
    return Row(seat, len(rolls), counts, _tenth(len(rolls) / len(parts)), low, high, _tenth(average))


def _tenth(value: float) -> str:
    """As the reader's language writes it, rounded: `number_format` alone would cut it off."""
    return number_format(Decimal(f"{value:.1f}"), 1)
