"""The dice log: what was promised before the start, what has been published, every roll that was
thrown, how they fell.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from campaign import access, review, services
from campaign.clocks import selectors as selectors_of_clocks
from campaign.clocks.selectors import WORDS
from campaign.dice import drand
from campaign.dice import selectors as dice_selectors
from campaign.dice import services as dice_services
from campaign.dice.selectors import Chain, Stage
from campaign.errors import NotNow, Refused
from campaign.log import lines as log_lines
from campaign.log import positions, record, selectors
from campaign.log.selectors import KnownRoll, Rolls
from campaign.log.texts import draw_name
from campaign.models import Campaign, DiceRoll
from campaign.review import Mark
from engine.language import joined
from engine.strict_json import canonical, whole
from games import registry
from web import waiting
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.frame.parts import part_of_page
from web.ledger.lines import account_holders, taken_over
from web.moves import own_seats
from web.seats import hidden_hands
from web.titles.talk import capital

PAGE = 50
OPEN = 2
"""So many kinds of dice are laid open, the others open at a touch."""


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Fifty rolls, and how all fell. They are counted from the first: `?before=` one pages on,
    `?all` shows every one.
    """
    return page(request, table)


def page(
    request: HttpRequest,
    table: TableContext,
    typed: Mapping[str, str] | None = None,
    error: str = "",
) -> HttpResponse:
    """The page; with what was `typed` of dice thrown elsewhere and refused, and why."""
    asked = request.GET.get("before", "")
    rolled = selectors.thrown(table.campaign, table.access)
    count = len(rolled.rows)
    before = whole(asked) if asked else count + 1
    if before is None:
        raise Http404
    every = "all" in request.GET
    skip = 0 if every else max(0, count + 1 - before)
    shown = rolled.rows[::-1][skip : None if every else skip + PAGE]
    chains = record.chains(table.campaign)
    links = chains[0].links
    given, seen_at = table.campaign.entered_dice, dice_selectors.links(table.campaign)
    pks = [one.pk for one in shown]
    marks = review.of_dice(table.campaign, shown, given)
    rolls = {roll.pk: roll for roll in selectors.rolls_of(pks)}

    def draw(row: KnownRoll) -> str:
        known = (
            row.struck,
            row.purpose in given,
            marks.get(row.pk),
            seen_at.get(row.purpose, ""),
            row.turn < len(chains[row.chain].links),
        )
        return part_of_page("dice/_roll.html", {"r": roll_row(table, rolls[row.pk], known, chains)})

    context: dict[str, Any] = {
        "rolls": SafeString("".join(map(draw, shown))),
        "links": links,
        "renewed": chains[1:],
    }
    context["chance"], context["imported"] = chance_sheet(table.campaign), table.campaign.imported
    context["mix"] = mixing_sheet(table, typed or {}, error)
    context["may_renew"] = table.game_master and services.may_renew(table.campaign)
    context["boxes"], context["earlier"], context["later"] = dice_selectors.boxes(
        links, table.title.last_link(table.scenario)
    )
    context["open"] = _checkable(table, rolled, chains, given)
    here = "" if (typed or {}).get("do", "") in MIXING else error
    context["hand"], context["closed"] = (
        sheet(table, typed or {}, here),
        hidden_hands.closed_hands(table),
    )
    if error and context["mix" if error != here else "hand"] is None:
        messages.error(request, error)
    context["taken_over"], context["hands"] = taken_over(table), table.view.get("hands", "")
    context["list"], context["log"] = table.url("rolls_file"), table.url("log_file")
    context |= {"count": count, "every": every}
    context["older"] = count + 1 - skip - len(shown) if skip + len(shown) < count else None
    context["newer"] = count + 1 - max(0, skip - PAGE) if skip else None
    context["file"] = table.url("dice_sheet")
    context["kinds"] = _kinds(table, rolled)
    context["hides"] = access.hides(table.campaign)
    return show(
        request, table, "dice/dice.html", context, here="dice", status=422 if error else 200
    )


@require_safe
@campaign_page
def rolls(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The list of rolls that can be checked without this server, oldest first, as its reader may
    see them.
    """
    rolled = reversed(selectors.rolls(table.campaign, table.user))
    facts = dice_selectors.listed(
        table.campaign, table.campaign.address, record.chains(table.campaign), rolled
    )
    answer = HttpResponse(canonical(facts), content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}-rolls.json"'
    return answer


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Return the log that the page's script checks, an entry in each line, as far as its reader may
    see it.
    """
    if record.keeps_secrets(table.campaign):
        lines = log_lines.open_lines(
            table.campaign, reversed(selectors.rolls(table.campaign, table.user))
        )
    else:
        lines = log_lines.all_lines(table.campaign)
    answer = HttpResponse(
        "".join(canonical(line) + "\n" for line in lines),
        content_type="application/jsonl; charset=utf-8",
    )
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}-log.jsonl"'
    return answer


def roll_row(
    table: TableContext, row: DiceRoll, known: tuple[Any, ...], chains: Sequence[Chain]
) -> dict[str, Any]:
    """A roll as the page shows it. What may become otherwise after it was thrown is `known`: was
    its entry struck, was it entered by hand, what stands under it, where it was seen, is its link
    published?
    """
    struck, hand, mark, seen_at, published = known
    return {
        "purpose": row.purpose,
        "sides": row.sides,
        "value": row.value,
        "turn": row.turn,
        "chain": row.chain,
        "text": table.title.roll_line(table.scenario, row.roll),
        "number": row.entry.number,
        "url": table.url("entry", row.entry.number) if row.entry.number is not None else "",
        "at": row.entry.at,
        "struck": struck,
        "hidden": row.audience is not None,
        "hand": hand,
        "mark": _mark(table, mark),
        "seen_at": seen_at,
        "proof": dice_selectors.dice_proof(row, chains) if published and not hand else None,
    }


def _mark(table: TableContext, pair: tuple[Mark, int] | None) -> dict[str, Any] | None:
    """What a roll says of countersignatures: whether it lacks one, who signed, who objects, and
    where all this stands.
    """
    if pair is None:
        return None
    mark, number = pair
    objects = ", ".join(who for who, _why in mark.objections)
    return {
        "lacks": mark.lacks,
        "signed": ", ".join(mark.signed),
        "objects": objects,
        "url": table.url("entry", number),
    }


def _checkable(
    table: TableContext, rolled: Rolls, chains: Sequence[Chain], given: Container[str]
) -> int:
    """How many rolls anybody can work again: their link is published, and nobody entered them by
    hand.
    """
    published = sum(
        n for (chain, turn), n in rolled.links.items() if turn < len(chains[chain].links)
    )
    if not given:
        return published
    by_hand = (
        selectors.rolls(table.campaign, table.user)
        .values_list("purpose", "turn", "chain")
        .order_by()
    )
    return published - sum(
        purpose in given and turn < len(chains[chain].links) for purpose, turn, chain in by_hand
    )


def _kinds(
    table: TableContext, rolled: Rolls
) -> list[tuple[Kind, bool, list[tuple[Row, str, str]]]]:
    """Return each kind of die, whether it is laid open, the whole table's row and those of the
    seats, with their names and people.
    """
    order = tuple(account_holders(table))
    holders = set(order)
    thrown = [
        Thrown(purpose, roll.sides, roll.value, _for_whom(purpose, roll.seat, holders))
        for purpose, roll in rolled.purposes.items()
    ]
    groups = []
    for n, kind in enumerate(kinds(thrown, order)):
        rows = [
            (kind.whole, _("Whole table"), ""),
            *(
                (row, capital(table.name_of(row.seat)), ", ".join(table.holders(row.seat)))
                for row in kind.seats
            ),
        ]
        groups.append((kind, n == 0 or (n < OPEN and not kind.few), rows))
    return groups


def _for_whom(purpose: str, seat: str, holders: Set[str]) -> str:
    """Whom its purpose names (`turn-2/card/huns`), else the seat whose entry threw it."""
    return next((part for part in purpose.split("/") if part in holders), seat)


# The game master's dice thrown elsewhere: the mode, the dice an announcement waits for, one known
# beforehand.


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def manual_dice_page(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """POST does what `do` says: `on`, `off`, `give` the dice waited for, `ahead` one, `drop`; a GET
    leads to the dice page. What was refused stands in the form still.
    """
    back = f"{table.url('dice')}#h-hand"
    if request.method != "POST":
        return redirect(back)
    campaign, user, posted = table.campaign, table.user, request.POST
    try:
        match posted.get("do", ""):
            case "on" | "off" as how:
                services.throw_by(campaign, user, how == "on")
                messages.success(
                    request,
                    (
                        _("From now on dice are entered by hand.")
                        if how == "on"
                        else _("The program throws again.")
                    ),
                )
            case "give":
                values = _values(posted)
                written = services.give_dice(campaign, user, values, posted.get("url", ""))
                moved = any(entry.is_move for entry in written)
                messages.success(
                    request,
                    (
                        _("The dice are entered and the move is made.")
                        if moved
                        else _("The die is entered.")
                    ),
                )
            case "ahead":
                value = whole(posted.get("value", ""))
                services.give_die(
                    campaign,
                    user,
                    posted.get("purpose", ""),
                    -1 if value is None else value,
                    posted.get("url", ""),
                )
                messages.success(request, _("The die is entered."))
            case "renew":
                services.renew_dice(campaign, user, posted.get("reason", ""))
                messages.success(
                    request, _("The dice are renewed. Rolls already thrown keep their value.")
                )
            case "drop":
                services.drop(campaign, user, posted.get("reason", ""))
                messages.success(request, _("The announcement is taken back."))
    except (Refused, NotNow) as error:
        return page(request, table, posted.dict(), str(error))
    return see_other(back)


def _values(posted: Any) -> dict[str, object]:
    """The dice that were filled in, by purpose; nonsense is a value off every die."""
    values: dict[str, object] = {}
    for key, text in list(posted.items())[: 2 * MOST]:
        if key.startswith("die:") and text.strip():
            value = whole(text.strip())
            values[key.removeprefix("die:")] = -1 if value is None else value
    return values


# What pages say of dice thrown elsewhere: the announcement that waits for one, the forms that enter
# them.

MOST = 40
"""Dice entered at once."""


def parked(table: TableContext) -> dict[str, Any] | None:
    """The announcement that waits for a die, as every page of the campaign says it; None where none
    waits.
    """
    waits = dice_selectors.awaited(table.campaign)
    if waits is None:
        return None
    seat = str(waits.move.get("for", waits.move["by"]))
    text = table.title.move_line(table.scenario, waits.move)
    return {
        "text": capital(text) if seat == GAME_MASTER else f"{capital(table.name_of(seat))}: {text}",
        "move": waits.move,
        "purpose": waits.purpose,
        "mine": seat in table.own_seats or table.game_master,
        "seat": seat,
        "url": f"{table.url('dice')}#h-hand",
    }


def sheet(table: TableContext, typed: Mapping[str, str], error: str) -> dict[str, Any] | None:
    """What the dice page asks of who enters dice, or of who may take a parked announcement back;
    the others are told of the mode while it is on. None where nothing is to be said. `typed` is
    what was refused, and `error` why.
    """
    waits = parked(table)
    master = table.game_master and not table.campaign.ended and not table.campaign.archived
    if not master and not (waits and waits["mine"]):
        return (
            {"on": True, "error": error}
            if table.campaign.by_hand and not table.campaign.ended
            else None
        )
    can = table.campaign.by_hand or not (
        table.campaign.title in registry.PAGES
        or table.title.hides(positions.options(table.campaign))
    )
    if master and not can and waits is None:
        return None
    dice = dice_selectors.ahead(table.campaign, table.position) if waits else []
    concerned = (
        (own_seats.of_seat(table, waits["seat"]) or own_seats.of_move(table, waits["move"]))
        if waits and master
        else None
    )
    ahead = own_seats.always(table) if master else None
    return {
        "typed": typed,
        "error": error,
        "parked": waits,
        "own": concerned,
        "ahead": ahead,
        "master": master,
        "dice": [
            (purpose, sides, typed.get(f"die:{purpose}", "")) for purpose, sides in dice[:MOST]
        ],
        "on": table.campaign.by_hand,
    }


# How chance comes about: the choice at the founding, who could have known what, and what is mixed
# into the next dice.

CHANCES = (
    (
        "",
        gettext_lazy("The generator"),
        gettext_lazy("a sealed number made before the start; everybody checks it afterwards"),
    ),
    (
        "words",
        gettext_lazy("With the players’ words"),
        gettext_lazy("each seat adds words before a turn opens"),
    ),
    (
        "draw",
        gettext_lazy("With a public draw"),
        gettext_lazy("lottery, drand or another number, named before it is drawn"),
    ),
    (
        "both",
        gettext_lazy("With words and a public draw"),
        gettext_lazy("words close before the draw"),
    ),
    (
        "manual",
        gettext_lazy("Dice thrown elsewhere"),
        gettext_lazy("the game master enters each die"),
    ),
)
SOURCES = (
    (dice_services.LOTTO, gettext_lazy("Italian lottery")),
    (dice_services.DRAND, gettext_lazy("drand, a public random number every three seconds")),
    (dice_services.OTHER, gettext_lazy("another public number")),
)
MIXING = ("words", "close", "name", "draw", "fetch", "without", "object")


def chance_sheet(campaign: Campaign) -> dict[str, Any]:
    """How chance comes about in a campaign: its name, and who could have known what, in three
    sentences.
    """
    mode = "manual" if campaign.by_hand else campaign.chance
    return {
        "mode": mode,
        "name": next(name for key, name, _about in CHANCES if key == mode),
        "known_by": known_by(mode),
        "lies": lies_of(mode),
        "commitment": campaign.commitment,
    }


def known_by(mode: str) -> list[str]:
    """Who could have known what of the dice, in three sentences."""
    fixed = _(
        "Every value follows from its purpose and from numbers that were fixed before the throw:"
        " nobody can change it."
    )
    table = _("Nobody at the table can know a value before the throw, nor choose it.")
    match mode:
        case "manual":
            return [
                _(
                    "Dice are thrown elsewhere now: for those, you trust the game master and where"
                    " they were seen."
                ),
                _(
                    "Values that the program threw before follow from numbers that were fixed:"
                    " nobody can change them."
                ),
                _(
                    "The person who runs this server could have known those beforehand, but could"
                    " not change them."
                ),
            ]
        case "words":
            return [
                fixed,
                table,
                _(
                    "The person who runs this server could know or choose values only together with"
                    " the player whose words come last."
                ),
            ]
        case "draw" | "both":
            return [
                fixed,
                table,
                _(
                    "Nobody can know a value before the public draw, not even the person who runs"
                    " this server."
                ),
            ]
    return [
        fixed,
        table,
        _(
            "The person who runs this server could look at the sealed numbers, and so know values"
            " beforehand. They could choose among many such numbers before the commitment was"
            " published, but not change them afterwards."
        ),
    ]


def lies_of(mode: str) -> list[str]:
    """Return what a server that lies from the beginning could do with the dice, and what prevents
    it.
    """
    return [*LIES[mode], _CUT, _WITNESS if mode in ("words", "both") else _HASH]


_CUT = gettext_lazy(
    "It could cut off the end of the log, or show different logs to different people. A log that"
    " was cut off looks complete."
)
_WITNESS = gettext_lazy(
    "Your words prevent that: everyone who added words to a later turn sees that they "
    "are missing from a log that was cut off. Also keep the last hash of the audit pack, "
    "or post it in the forum."
)
_HASH = gettext_lazy(
    "To prevent that, keep the last hash of the audit pack, or post it in the forum: every later"
    " log must contain it."
)
_RENEWED = gettext_lazy(
    "An undo behind a published link discards the words and the draw for the next dice. "
    "The log shows everyone this undo and its reason."
)
_NAMED = gettext_lazy(
    "It could claim that a draw was named before it took place. You are notified when a draw is"
    " named: look before it takes place."
)
LIES: dict[str, list[Any]] = {
    "": [
        gettext_lazy(
            "It could try many sealed numbers at the founding, and again at each renewal, and keep"
            " those that it likes best. The commitment only proves that they did not change"
            " afterwards."
        ),
        gettext_lazy(
            "Players’ words prevent that: they come after the commitment, so no one can choose"
            " numbers to suit them."
        ),
    ],
    "words": [
        gettext_lazy(
            "It cannot choose sealed numbers that suit it, neither at the founding nor at a"
            " renewal: words come after each commitment. This holds for every turn to which one"
            " honest player adds words that no one could guess."
        ),
        gettext_lazy(
            "It could try many words for a seat that it controls and that speaks last, or close the"
            " words before you add yours. A public draw prevents that."
        ),
        _RENEWED,
    ],
    "draw": [
        gettext_lazy(
            "It cannot choose sealed numbers that suit it, neither at the founding nor at a"
            " renewal: the draw comes after each commitment. Look the draw up where it is"
            " published. For drand the log has the signature."
        ),
        _NAMED,
        _RENEWED,
    ],
    "both": [
        gettext_lazy(
            "It cannot choose sealed numbers or words that suit it, neither at the founding nor at"
            " a renewal: the draw comes after both. Look the draw up where it is published. For"
            " drand the log has the signature."
        ),
        _NAMED,
        _RENEWED,
    ],
    "manual": [
        gettext_lazy(
            "No computation proves a die that was thrown elsewhere. The log proves which value was"
            " entered, and when; the link beside it shows where it was seen."
        ),
    ],
}
"""Possible lies by the mode of chance, each with what prevents it."""


def mixing_waits(table: TableContext) -> dict[str, Any] | None:
    """What the next turn's opening still waits for, as every page of the campaign says it; None
    where nothing is missing.
    """
    stage = dice_selectors.next_stage(table.campaign)
    if stage is None or stage.done or table.campaign.archived or table.campaign.abandoned:
        return None
    if table.campaign.phase not in dice_selectors.OUT_OF_TURN and stage.link != table.campaign.turn:
        return None
    late = _late(table, stage)
    parts = []
    if stage.takes_words(timezone.now()) and late:
        parts.append(
            ngettext("words of %(n)s seat", "words of %(n)s seats", len(late)) % {"n": len(late)}
        )
    elif (
        stage.needs_words
        and not stage.closed
        and (stage.falls_at is None or timezone.now() < stage.falls_at)
    ):
        parts.append(_("the game master, who closes the words"))
    if stage.needs_draw and not (stage.drawn or stage.without):
        parts.append(
            _("the public draw") if stage.named else _("the game master, who names the public draw")
        )
    mine = bool(set(late) & set(table.own_seats)) and stage.takes_words(timezone.now())
    return {
        "what": _stage_title(stage),
        "for": joined(_(" and "), parts),
        "mine": mine or table.game_master,
        "words": mine,
    }


def _late(table: TableContext, stage: Stage) -> list[str]:
    return selectors_of_clocks.words_missing(table.campaign, stage, table.position)


def _stage_title(stage: Stage) -> str:
    return _("turn %(n)s") % {"n": stage.link} if stage.link else _("the start and turn 1")


def mixing_sheet(
    table: TableContext, typed: Mapping[str, str], error: str
) -> dict[str, Any] | None:
    """What is mixed into the next dice, and the forms of who adds to it; None where nothing is
    mixed in.
    """
    campaign = table.campaign
    stage, now = dice_selectors.next_stage(campaign), timezone.now()
    if not campaign.chance:
        return None
    past = [
        {
            "what": _stage_title(one),
            "chain": one.chain,
            "words": _words(table, one),
            "drawn": one.drawn,
            "url": one.url,
            "without": one.without,
            "source": draw_name(one.named) if one.named else "",
            "corrected": one.corrected,
            "truth": draw_truth(one),
        }
        for one in reversed(dice_selectors.stages(campaign))
        if one.done
    ]
    sheet = {
        "past": past,
        "stage": stage,
        "error": error if typed.get("do", "") in MIXING else "",
        "typed": typed,
    }
    if stage is None:
        return sheet
    late, open_now, named = _late(table, stage), stage.takes_words(now), stage.named or {}
    clock = selectors_of_clocks.clock_of(waiting.clocks(table), WORDS)
    ends = [at for at in (stage.falls_at, clock.due_at if clock else None) if at is not None]
    wheels = _usual_wheels(table, stage)
    return sheet | {
        "what": _stage_title(stage),
        "words": _words(table, stage),
        "open": open_now,
        "late": [table.name_of(seat) for seat in late],
        "until": min(ends, default=None),
        "own": [
            {"key": seat, "name": table.name_of(seat)}
            for seat in table.own_seats
            if seat in late and open_now
        ],
        "named": draw_name(named) if named else "",
        "falls": stage.falls_at,
        "fallen": stage.falls_at is not None and stage.falls_at <= now,
        "read_at": (
            drand.address(named["round"]) if named.get("source") == dice_services.DRAND else ""
        ),
        "wheels": [
            {"wheel": wheel, "name": table.name_of(seat)}
            for wheel, seat in named.get("wheels", {}).items()
        ],
        "truth": draw_truth(stage),
        "one": named.get("numbers") == 1,
        "sources": SOURCES,
        "zone": campaign.time_zone,
        "choices": [
            {"wheel": wheel, "seat": typed.get(f"wheel:{wheel}", wheels.get(wheel, ""))}
            for wheel in dice_services.WHEELS
        ],
        "may_object": bool(table.own_seats) and bool(stage.drawn),
        "master": table.host and not table.campaign.ended,
    }


def draw_truth(stage: Stage) -> str:
    """Return a sentence on whether a draw is true; "" if the server does not know it."""
    if stage.true_draw:
        text = _("This number is false. The round’s number is %(number)s: drand signed it.")
        return text % {"number": stage.true_draw}
    if stage.signature:
        return _("The server has verified drand’s signature of this number.")
    if stage.typed:
        return _("The game master has typed this number. The server has not confirmed it yet.")
    return ""


def _words(table: TableContext, stage: Stage) -> list[tuple[str, str, str]]:
    return [(seat, table.name_of(seat), text) for seat, text in stage.words.items()]


def _usual_wheels(table: TableContext, stage: Stage) -> dict[str, str]:
    """The wheels as they are named now, else as for the last draw of the lottery, else one for each
    nation in order.
    """
    for one in [stage, *reversed(dice_selectors.stages(table.campaign))]:
        if one.named and one.named.get("wheels"):
            return dict(one.named["wheels"])
    return dict(
        zip(
            dice_services.WHEELS,
            [seat.key for seat in table.seats][: dice_services.MOST_WHEELS],
            strict=False,
        )
    )


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def mixing_page(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """POST does what `do` says (MIXING); a GET leads to the dice page. What was refused stands in
    the form still.
    """
    back = f"{table.url('dice')}#h-mix"
    if request.method != "POST":
        return redirect(back)
    campaign, user, posted = table.campaign, table.user, request.POST
    try:
        match posted.get("do", ""):
            case "words":
                services.add_words(campaign, user, posted.get("seat", ""), posted.get("text", ""))
                messages.success(request, _("Your words are in the log. They stay."))
            case "close":
                services.close_words(campaign, user)
                messages.success(request, _("The words have closed."))
            case "name":
                wheels = {wheel: posted.get(f"wheel:{wheel}", "") for wheel in dice_services.WHEELS}
                falls = _instant(posted.get("falls", ""), campaign.time_zone)
                source = posted.get("source", "")
                numbers = (
                    _numbers(posted.get("numbers", "")) if source == dice_services.OTHER else None
                )
                services.name_draw(
                    campaign, user, source, falls, posted.get("name", ""), wheels, numbers
                )
                messages.success(
                    request, _("The draw is named. Everybody can read it before it takes place.")
                )
            case "draw":
                services.enter_draw(campaign, user, posted.get("text", ""), posted.get("url", ""))
                messages.success(request, _("The draw is entered."))
            case "fetch":
                services.fetch_draw(campaign, user)
                messages.success(
                    request, _("The server fetches the round. It appears here in a moment.")
                )
            case "without":
                services.go_without(campaign, user, posted.get("reason", ""))
                messages.success(request, _("The turn goes on without a public draw."))
            case "object":
                services.object_to_draw(campaign, user, posted.get("reason", ""))
                messages.success(request, _("Your objection is in the log for all to read."))
    except (Refused, NotNow) as error:
        return page(request, table, posted.dict(), str(error))
    return see_other(back)


def _numbers(text: str) -> int:
    """Return how many numbers another source draws. Raise `Refused`."""
    number = whole(text.strip())
    if number is None:
        raise Refused("bad-numbers", _("Enter how many numbers are drawn."))
    return number


def _instant(text: str, zone: str) -> datetime:
    """A local time of the table as a form has it. Raises `Refused`."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
    except ValueError:
        raise Refused("bad-date", _("Give the day and the time at which it is drawn.")) from None


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
    """How often a range came up; `out` where honest dice seldom come to that, `share` of the
    highest for a bar.
    """

    times: int
    out: bool
    share: float


class Row(NamedTuple):
    """The rolls of a seat, or of the whole table where `seat` is empty; of each range `low` to
    `high` is usual.
    """

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
    """Between which numbers one of `parts` equal parts comes up in at least 95 of 100 times that so
    many are rolled.

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
    return [
        _kind(sides, rolls, order)
        for sides, rolls in sorted(by_sides.items(), key=lambda one: (-len(one[1]), one[0]))
    ]


def _kind(sides: int, rolls: Sequence[Thrown], order: Sequence[str]) -> Kind:
    parts = ranges(sides)
    seats = {roll.seat for roll in rolls}
    placed = [seat for seat in order if seat in seats] + sorted(seats - set(order))
    whole = _row("", rolls, parts, sides)
    rows = [
        _row(seat, [roll for roll in rolls if roll.seat == seat], parts, sides) for seat in placed
    ]
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
    return Row(
        seat, len(rolls), counts, _tenth(len(rolls) / len(parts)), low, high, _tenth(average)
    )


def _tenth(value: float) -> str:
    """As the reader's language writes it, rounded: `number_format` alone would cut it off."""
    return number_format(Decimal(f"{value:.1f}"), 1)
