"""The page of a game: one address at all its moments (games.contract.pages.Pages)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.effects import Effect
from engine.errors import IllegalMove, MalformedRecord
from games.contract.pages import (
    Die,
    Fame,
    Frame,
    NamedSeat,
    Page,
    PastPage,
    Picture,
    Question,
    Reader,
    Told,
)
from games.kit.records import GM
from games.kit.title import BoardFounding
from games.tetrarchia.bots.players import sensible
from games.tetrarchia.drawing.map import Leg, Said, draw, space_text
from games.tetrarchia.page import choosing
from games.tetrarchia.page.choosing import GONE
from games.tetrarchia.page.shown import PastTetrarchy, TetrarchyBoard
from games.tetrarchia.rules import barbarians
from games.tetrarchia.rules.barbarians import HEAVY, weight
from games.tetrarchia.rules.battle import percent, percents, share
from games.tetrarchia.rules.moves import MOVES
from games.tetrarchia.rules.position import (
    ARMIES,
    DIGITS,
    EMPERORS,
    GREAT,
    IMPERIUM,
    LINKS,
    OF_REGION,
    ONWARD,
    OPTIONS,
    OUTER,
    OUTSIDE,
    PATRES,
    PRINTED,
    PROVINCES,
    REGION_NUMERALS,
    REGIONS,
    REVOLT,
    SPACES,
    STANDARD,
    TO_ROME,
    UNREST,
    VARIANTS,
    ZONES,
    Options,
    Position,
    Scenario,
)
from games.tetrarchia.rules.view import mover, seats
from games.tetrarchia.text.english import FOUNDING
from games.tetrarchia.text.words import (
    NUMERALS,
    counted_phrase,
    effect_line,
    emperor,
    listed,
    page_book,
    phrase_text,
    seat_within,
    space,
)
from games.tetrarchia.text.words import seat_name as words_seat_name


class TetrarchyPages:
    """`games.contract.pages.Pages` of Tetrarchia."""

    styles: Sequence[str] = ("css/march.css", "css/tetrarchia.css", "css/board.css", "css/film.css")

    def page(
        self, position: Position, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]
    ) -> Page[TetrarchyBoard]:
        mine = reader.plays and speaks(position, reader)
        acts_for = (
            seat_name(position) if mine and mover(position) not in (None, *reader.seats) else ""
        )
        asked = reader.typed.get("at") or reader.asked.get("at", "")
        chosen = asked if asked in SPACES else None
        reach = choosing.goals(position)
        turn = self.turn(position, log, mine) if position.phase == "roman" else {}
        spot = (
            choosing.spot(position, chosen, reach) if chosen and position.phase == "roman" else None
        )
        target = self.target(position, chosen)
        is_over = position.phase == "over"
        seat = NamedSeat(mover(position) or "", seat_name(position))
        own = TetrarchyBoard(
            stage=position.phase,
            mine=mine,
            plays=reader.plays,
            typed=dict(reader.typed),
            ribbon=ribbon(position),
            emperor=named(position.emperor),
            seat=seat,
            own_names=own_names(position, reader),
            acts_for=acts_for,
            shared=shared(position),
            variants=variants(position),
            board=self.board(position, reader),
            map=self.picture(position, chosen, reach, turn.get("legs", ()), target),
            spaces=spaces(position),
            supply=supply(position),
            threats=threats(position),
            phase=choosing.last_phase(position, log),
            turn=turn,
            spot=spot,
            attack=choosing.attack(position, target) if target else None,
            fleets=fleets(position) if position.phase == "fleets" else (),
            ending=ending(position, log) if is_over else None,
            hall=[fame(finished) for finished in hall] if is_over else (),
        )
        template = "end.html" if is_over else "tetrarchia.html"
        return Page(template, own, self.title(position), seat)

    def past(self, position: Position, changed: Collection[str]) -> PastPage[PastTetrarchy]:
        """See `games.contract.pages.Remembering`."""
        words = page_book()["board"]
        picture = draw(
            position,
            Said(words["title"], lambda key: space_text(position, key, words)),
            lit=changed,
            bold=[key for key in (*position.figures.values(), *position.barbarians) if key],
        )
        own = PastTetrarchy(
            map=Picture(picture),
            spaces=spaces(position),
            supply=supply(position),
            variants=variants(position),
        )
        return PastPage("past.html", own)

    def place(self, key: str) -> str:
        return space(key)

    def film(self, before: Position, log: Sequence[Told]) -> Sequence[Frame]:
        """See `games.contract.pages.Filming`."""
        return film(before.scenario, log)

    def board(self, position: Position, reader: Reader) -> Mapping[str, Any]:
        """See `games.contract.pages.Composing`."""
        return choosing.document(position, reader)

    @staticmethod
    def title(position: Position) -> str:
        key = f"title-{position.result}" if position.phase == "over" else f"title-{position.phase}"
        return phrase_text(key, name=emperor(position.emperor), round=position.round)

    # Parts ----------------------------------------------------------------------------------------

    @staticmethod
    def picture(
        position: Position,
        chosen: str | None,
        reach: Mapping[str, Any],
        gone: Sequence[Leg],
        target: str | None,
    ) -> Picture:
        """Return the board with its highlights: goals, armies in reach, the way to a space."""
        words = page_book()["board"]
        legs = list(gone)
        if chosen in reach:
            legs += choosing.legs(position, reach[str(chosen)].path)
        elif target is not None and position.at is not None:
            price = next(
                (
                    one["cost"]
                    for one in choosing.attacks(position)
                    if one["key"] == target and one["linked"]
                ),
                None,
            )
            if price is not None:
                legs.append(Leg(position.at, target, price, attack=True))
        armies = (
            [one["key"] for one in choosing.attacks(position) if one["linked"]]
            if position.phase == "roman"
            else []
        )
        picture = draw(
            position,
            Said(words["title"], lambda key: space_text(position, key, words)),
            lit=[*reach, *armies],
            selected=chosen,
            legs=legs,
            links=lambda key: f"?at={key}#h-turn",
            bold=[key for key in (*position.figures.values(), *position.barbarians) if key],
        )
        return Picture(picture, lit=bool(reach or armies))

    def turn(self, position: Position, log: Sequence[Told], mine: bool) -> dict[str, Any]:
        """The turn that is being played: what was done, what is left, what may be done next."""
        done = choosing.spent(position, log)
        return {
            "done": done,
            "left": position.ip,
            "pips": range(position.ip),
            "left_text": counted_phrase("points-left", position.ip),
            "of": max(position.ip + sum(one["cost"] for one in done), 1),
            "undo": bool(done) and mine,
            "legs": choosing.legs_travelled(position, log),
            "at": space(position.at) if position.at else "",
            "enter": choosing.entries(position) if position.can_enter else [],
            "gone": position.at is None and not position.can_enter,
            "here": choosing.moves_in_place(position),
            "sails": choosing.sails(position) if position.at or not position.can_enter else [],
            "goals": [
                {
                    "key": key,
                    "name": space(key),
                    "cost": way.cost,
                    "steps": len(way.path),
                    **choosing.offered_move(position, "move", path=list(way.path)),
                }
                for key, way in sorted(
                    choosing.goals(position).items(), key=lambda one: (one[1].cost, space(one[0]))
                )
            ],
            "attacks": choosing.attacks(position),
            "imperium": position.on(IMPERIUM) and range(1, position.supply[position.emperor] + 1),
            "patres": choosing.offered_move(position, "patres") if position.on(PATRES) else None,
            "patres_text": (
                phrase_text(f"patres-{position.emperor}")
                if position.emperor in ("diocletian", "constantius")
                else ""
            ),
            "sharing": position.sharing(),
            "end": choosing.offered_move(position, "end_turn"),
        }

    @staticmethod
    def target(position: Position, chosen: str | None) -> str | None:
        """The army whose attack is explained: the chosen one, else one that can be attacked now."""
        if position.phase != "roman" or position.at is None:
            return None
        if chosen in position.barbarians:
            return chosen
        if chosen is not None:
            return None
        return next((one["key"] for one in choosing.attacks(position) if one["linked"]), None)

    # What the page's forms say --------------------------------------------------------------------

    def asked(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        name = form.get("do", "")
        if name not in MOVES:
            raise IllegalMove("bad-arguments", "4.2", "choose-one")
        raw: dict[str, Any] = {"by": voice(position), "move": name}
        for key, kind in MOVES[name].form.items():
            typed = form.get(key, "").strip()[:400]
            if kind == "number":
                if not (typed.isascii() and typed.isdigit() and len(typed) < 6):
                    raise IllegalMove("bad-arguments", "4.2", "not-number", key=key)
                raw[key] = int(typed)
            else:
                raw[key] = [part for part in typed.split("-") if part] if kind == "texts" else typed
        return raw

    def onward(self, position: Position) -> Mapping[str, Any] | None:
        return None

    def deputy(self, position: Position) -> Mapping[str, Any] | None:
        move = sensible(position)
        return None if move is None else {"by": voice(position), **move}


def voice(position: Position) -> str:
    """The seat that speaks now; the table's owner before the beginning where several play."""
    return mover(position) or GM


def speaks(position: Position, reader: Reader) -> bool:
    """Is it the reader's move? The game master may make every seat's."""
    return voice(position) in reader.seats or GM in reader.seats


def seat_name(position: Position) -> str:
    """Whose move it is, by the name of the seat."""
    return next(
        (
            info.name
            for info in seats(position.scenario, position.options)
            if info.key == mover(position)
        ),
        "",
    )


def own_names(position: Position, reader: Reader) -> list[str]:
    """The reader's seats within a sentence, where several play."""
    seats_here = position.options.seats
    return (
        [seat_within(one) for one in seats_here if one in reader.seats]
        if len(seats_here) > 1
        else []
    )


def shared(position: Position) -> str:
    """With three players: who enters the moves of the Caesar whom nobody has, when it is his turn
    (2.1).
    """
    seat = mover(position)
    if (
        position.options.players != 3
        or position.phase != "roman"
        or seat is None
        or seat == position.emperor
    ):
        return ""
    return phrase_text("shared", name=emperor(position.emperor), augustus=emperor(seat))


def named(key: str) -> dict[str, str]:
    return {"key": key, "name": emperor(key)}


def variants(position: Position) -> list[str]:
    """What is played otherwise, in words."""
    return [
        phrase_text(f"variant-{one}")
        for one in sorted(position.options.variants | position.options.extras)
    ]


def supply(position: Position) -> list[dict[str, Any]]:
    """The tokens that each Emperor has left, and his borders."""
    borders = [position.tokens[one] for one in position.secured()]
    return [
        {
            **named(key),
            "left": position.supply[key],
            "borders": borders.count(key),
            "glory": position.glory[key],
            "removed": position.removed[key],
        }
        for key in EMPERORS
    ]


def fleets(position: Position) -> list[dict[str, str]]:
    """The ways to place the fleets."""
    return [
        {"value": "-".join(zones), "text": ", ".join(ZONES[zone] for zone in zones)}
        for zones in combinations(ZONES, position.options.level[1])
    ]


def ribbon(position: Position) -> list[dict[str, Any]]:
    """The four Emperors in the order of their turns."""
    rows, passed = [], position.phase == "roman"
    for key in EMPERORS:
        at, name = position.figures[key], emperor(key)
        now = position.phase == "roman" and key == position.emperor
        passed = passed and not now
        state = (
            counted_phrase("points", position.ip)
            if now
            else phrase_text("stands", space=space(at))
            if at
            else phrase_text("off")
        )
        rows.append(
            {
                "key": key,
                "name": name,
                "short": name[:3],
                "is": "now" if now else "done" if passed else "later",
                "state": state,
            }
        )
    return rows


# How a game ended: its score part by part, titles, what happened round by round, the hall of fame.


def ending(position: Position, log: Sequence[Told]) -> dict[str, Any]:
    """The end, for its page."""
    score, titles = barbarians.score(position), barbarians.titles(position)
    parts = [
        (phrase_text("score-secured", n=score.secured), score.secured),
        (
            phrase_text("score-quiet" if score.quiet else "score-loud"),
            barbarians.QUIET * score.quiet,
        ),
        (phrase_text("score-open", n=len(OUTSIDE) - score.secured), score.secured - len(OUTSIDE)),
        (phrase_text("score-armies", n=score.armies), -score.armies),
        (
            phrase_text(
                "score-heavy",
                names=", ".join(REGIONS[key] for key in score.heavy) or phrase_text("none"),
            ),
            -len(score.heavy),
        ),
    ]
    return {
        "result": position.result,
        "why": position.reason,
        "why_text": phrase_text(f"why-{position.reason}") if position.reason else "",
        "round": position.round,
        "rounds": counted_phrase("rounds", position.round),
        "points": score.points,
        "parts": parts,
        "personal": personal(position, titles),
        "aims": aims(position),
        "chronicle": chronicle(log),
        "level": position.options.digits,
        "dice": sum(len(one.rolls) for one in log),
    }


def personal(position: Position, titles: dict[str, str]) -> list[dict[str, Any]]:
    """Each Emperor's own score with the variant `the_great`; empty without it or where all is lost
    (7.5).
    """
    if not position.on(GREAT) or position.result != "won":
        return []
    scores = barbarians.personal(position)
    return [
        {
            "key": key,
            "name": emperor(key),
            "points": scores[key],
            "title": phrase_text(f"named-{titles[key]}") if key in titles else "",
        }
        for key in EMPERORS
    ]


def aims(position: Position) -> list[str]:
    """Has each seat what it wants beside the common win (7.5)? Empty without the variant or where
    all is lost.
    """
    if not position.on(GREAT) or position.result != "won":
        return []
    aim = phrase_text(f"aim-{position.options.players}")
    return [
        phrase_text(
            "aim-met" if barbarians.objective(position, seat) else "aim-missed",
            seat=words_seat_name(seat),
            aim=aim,
        )
        for seat in position.options.seats
    ]


def chronicle(log: Sequence[Told]) -> list[dict[str, Any]]:
    """The borders that were secured, the battles, the uprisings, round by round; quiet rounds are
    left out.
    """
    rounds: dict[int, list[str]] = {}
    turn = 1
    for one in log:
        for effect in one.effects:
            facts = effect.facts
            if effect.kind == "turn":
                turn = int(facts["round"])
                continue
            text = ""
            if effect.kind == "secured" and facts.get("border"):
                text = phrase_text(
                    "told-border",
                    name=emperor(str(effect.holder)),
                    space=space(str(effect.subject)),
                )
            elif effect.kind in ("victory", "defeat"):
                text = phrase_text(
                    f"told-{effect.kind}",
                    name=emperor(str(effect.holder)),
                    space=space(str(effect.subject)),
                )
            elif effect.kind == "uprising":
                text = phrase_text("told-uprising", space=space(str(effect.subject)))
            elif effect.kind == "invaders":
                text = phrase_text("told-invaders", space=space(str(effect.subject)))
            if text:
                rounds.setdefault(turn, []).append(text)
    return [{"number": n, "text": " ".join(lines)} for n, lines in rounds.items()]


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {
        "player": one.player,
        "url": one.url,
        "ended": one.ended,
        "points": one.points,
        **one.facts,
    }


# What threatens: armies and where they come next, Unrest beside Revolt, what the threat die brings,
# what is left in reserve.

HALF = 18
"""Pairs of 36 with which a broken link holds (4.3)."""


def threats(position: Position) -> dict[str, Any]:
    """The sheet of threats."""
    return {
        "armies": [
            army(position, key)
            for key in sorted(position.barbarians, key=lambda key: TO_ROME[key])
            if key in ONWARD
        ],
        "unrest": [one for key in PROVINCES if (one := risk(position, key))],
        "reserve": [
            counted_phrase(f"reserve-{what}", position.reserve[what])
            for what in (REVOLT, UNREST, ARMIES)
        ],
        "secured": len(position.secured()),
        "borders": len(OUTSIDE),
        "die": die(position),
        "heavy": [
            f"{REGION_NUMERALS[key]} {REGIONS[key]}"
            for key in REGIONS
            if weight(position, key) > HEAVY
        ],
    }


def army(position: Position, key: str) -> dict[str, Any]:
    """An army: how far from ROMA, where it comes next and with which chance."""
    to = ONWARD[key]
    broken = LINKS[key].get(to, False)
    standing = [emperor(one) for one in position.standing(to)]
    if to in position.barbarians and TO_ROME[to] >= TO_ROME[key]:
        how, chance = "army-blocked", 0
    elif standing:
        how, chance = "army-battle-broken" if broken else "army-battle", HALF if broken else 36
    else:
        how, chance = "army-broken" if broken else "army-open", HALF if broken else 36
    return {
        "key": key,
        "name": space(key),
        "steps": counted_phrase("steps", TO_ROME[key]),
        "text": phrase_text(how, to=space(to), name=standing[0] if standing else ""),
        "chance": percent(chance),
        "rome": TO_ROME[key] == 1,
    }


def risk(position: Position, key: str) -> dict[str, Any] | None:
    """Unrest that may become Revolt in the next phase; None where it is none or stands alone."""
    if position.tokens.get(key) != UNREST:
        return None
    near = {
        other: broken
        for other, broken in LINKS[key].items()
        if position.tokens.get(other) == REVOLT
    }
    if not near:
        return None
    tries = len(near)
    chance = 36 if not all(near.values()) else 36 - 36 // 2**tries
    return {
        "key": key,
        "name": space(key),
        "beside": ", ".join(space(other) for other in near),
        "chance": percent(chance),
        "sure": chance == 36,
    }


def die(position: Position) -> list[dict[str, Any]]:
    """What the threat die brings, by provinces: it never falls on ITALIA (4.3.3)."""
    chances = dict.fromkeys(("nothing", UNREST, REVOLT, "uprising"), 0)
    provinces = [key for region in OUTER for key in OF_REGION[region]]
    for key in provinces:
        token = position.tokens.get(key)
        if token == REVOLT:
            chances["uprising"] += 1
        elif token == UNREST:
            chances[REVOLT] += 1
        elif token in EMPERORS or key in PRINTED:
            chances["nothing"] += 1
        else:
            chances[UNREST] += 1
    return [
        {
            "name": phrase_text(f"die-{key}"),
            "why": phrase_text(f"die-{key}-why"),
            "n": n,
            "of": len(provinces),
            "text": text,
            "share": share(n),
        }
        for (key, n), text in zip(chances.items(), percents([*chances.values()]), strict=True)
    ]


def spaces(position: Position) -> list[dict[str, Any]]:
    """Every space by region, with all that is there: the table that says what the board says."""
    rows = []
    for region, name in REGIONS.items():
        keys = [key for key, one in SPACES.items() if one.region == region]
        rows.append(
            {
                "name": f"{REGION_NUMERALS[region]} {name}".strip(),
                "rows": [row(position, key) for key in keys],
            }
        )
    return rows


def row(position: Position, key: str) -> dict[str, Any]:
    token = position.tokens.get(key)
    printed = token is None and key in PRINTED
    return {
        "key": key,
        "name": space(key),
        "coord": SPACES[key].coord,
        "token": token if token in EMPERORS else "",
        "word": (
            emperor(str(token))
            if token in EMPERORS
            else phrase_text(token)
            if token
            else phrase_text("printed")
            if printed
            else ""
        ),
        "standing": [{"key": one, "name": emperor(one)} for one in position.standing(key)],
        "army": key in position.barbarians,
        "links": [{"name": space(other), "broken": broken} for other, broken in LINKS[key].items()],
    }


# How Tetrarchia is offered and founded: how many play, the four digits of the level, the variants.

PLAYERS: Mapping[str, Mapping[str, Any]] = {
    "1": {"players": 1},
    "2": {"players": 2},
    "3g": {"players": 3, "caesar": "galerius"},
    "3c": {"players": 3, "caesar": "constantius"},
    "4": {"players": 4},
}
FIRST_LEVEL = (4, 2, 0, 0)
"""What stands in the form: the level for who begins. A record that names none has the usual
4211.
"""
DIGIT_KEYS = ("tokens", "fleets", "revolts", "armies")


class TetrarchyFounding(BoardFounding):
    """`games.contract.pages.Founding` of Tetrarchia."""

    catalogue = FOUNDING

    @property
    def questions(self) -> Sequence[Question]:
        texts = FOUNDING.read()
        players = tuple((key, texts[f"players_{key}"]) for key in PLAYERS)
        asked = [
            Question(
                "players", texts["players"], "choice", texts["players_help"], "1", choices=players
            )
        ]
        for key, digits, usual in zip(DIGIT_KEYS, DIGITS.values(), FIRST_LEVEL, strict=True):
            choices = tuple((str(digit), str(digit)) for digit in digits)
            asked.append(
                Question(
                    key,
                    texts[key],
                    "choice",
                    texts.get(f"{key}_help", ""),
                    str(usual),
                    choices=choices,
                )
            )
        return (*asked, *(Question(key, texts[key], "flag") for key in (*VARIANTS, *OPTIONS)))

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        players = PLAYERS.get(answers.get("players", "") or "1")
        if players is None:
            raise MalformedRecord("players", FOUNDING.text("must_be"))
        level = []
        for key, digits, usual in zip(DIGIT_KEYS, DIGITS.values(), FIRST_LEVEL, strict=True):
            typed = answers.get(key, "") or str(usual)
            if typed not in map(str, digits):
                raise MalformedRecord(key, FOUNDING.text("must_be"))
            level.append(int(typed))
        options: dict[str, Any] = {**players, "level": level}
        for name, known in (("variants", VARIANTS), ("options", OPTIONS)):
            if on := [key for key in known if answers.get(key)]:
                options[name] = on
        return {"key": STANDARD}, options

    def called(self, answers: Mapping[str, str]) -> str:
        level = "".join(
            answers.get(key, "") if answers.get(key, "").isdigit() else str(usual)
            for key, usual in zip(DIGIT_KEYS, FIRST_LEVEL, strict=True)
        )
        return FOUNDING.text("called", level=level)

    def outcome_line(self, scenario: Scenario, facts: Mapping[str, Any]) -> str:
        return FOUNDING.text(str(facts["result"]), **facts)

    def division(self, facts: Mapping[str, Any]) -> str:
        on = [
            FOUNDING.read()[key].partition(":")[0]
            for key in (*VARIANTS, *OPTIONS)
            if key in facts["variants"]
        ]
        return ", ".join([FOUNDING.text("division", level=facts["level"]), *on])

    def facts(self, scenario: Scenario, options: Options) -> Sequence[tuple[str, str]]:
        texts = FOUNDING.read()
        level = texts["level_text"].format(
            level=options.digits, **dict(zip(DIGIT_KEYS, options.level, strict=True))
        )
        on = [
            texts[key].partition(":")[0]
            for key in (*VARIANTS, *OPTIONS)
            if key in options.variants | options.extras
        ]
        return ((texts["level"], level), (texts["variants"], ", ".join(on) or texts["none"]))


# Moves as a film: what is tried, the dice, what came of it, what changes on the board. Read from
# effects and rolls alone.

Change = dict[str, Any]
FOUGHT = {"victory": "good", "defeat": "bad", "draw": ""}
ROMAN, PLAIN = "roman", "pips"


def film(scenario: Any, log: Sequence[Told]) -> list[Frame]:
    """The frames of these entries."""
    return [frame for one in log for frame in Reel(scenario, one).frames()]


class Reel:
    """The frames of one entry. An effect that opens a frame is followed by those that
    belong to it.
    """

    def __init__(self, scenario: Any, one: Told) -> None:
        self.scenario, self.one = scenario, one
        self.rolls = {"/".join(roll.purpose.split("/")[2:]): roll.value for roll in one.rolls}
        self.shots: list[dict[str, Any]] = []
        self.fight = ""
        """The army that has attacked last."""

    def frames(self) -> list[Frame]:
        name = str(self.one.move["move"])
        if name == "begin":
            return list(self.beginning())
        if name == "end_turn":
            self.status()
        for effect in self.one.effects:
            self.read(effect)
        self.merge()
        return [
            Frame(at=self.one.number, **{**shot, "changes": tuple(shot["changes"])})
            for shot in self.shots
            if shot["say"]
        ]

    def merge(self) -> None:
        """What an act changed before it was named belongs to the frame that names it."""
        for place, shot in enumerate(self.shots[:-1]):
            if not shot["say"]:
                self.shots[place + 1]["changes"][:0] = shot["changes"]

    def beginning(self) -> Iterator[Frame]:
        """The first Revolts and armies, one by one, each after its dice: a die that was thrown
        again counts last.
        """
        groups: dict[str, dict[str, Die]] = {}
        for roll in self.one.rolls:
            purpose = roll.purpose.partition("/reroll-")[0]
            _setup, what, *rest = purpose.split("/")
            key = f"{what}/{rest[0]}" if what == "revolt" else what
            groups.setdefault(key, {})[purpose] = self.first_die(purpose, roll.value)
        changes = [
            change
            for change in map(self.change, self.one.effects)
            if change and change["kind"] in ("token", "army")
        ]
        for dice, change in zip(groups.values(), changes, strict=False):
            place = str(change.get("at") or change["to"])
            phrase = phrase_text(
                "film-first-revolt" if change["kind"] == "token" else "film-first-army",
                space=space(place),
            )
            yield Frame(
                phrase_text("film-first"),
                tuple(dice.values()),
                phrase,
                (change,),
                (place,),
                "bad",
                0,
                self.one.number,
            )

    def first_die(self, purpose: str, value: int) -> Die:
        region = "region" in purpose or "barbarian" in purpose
        label = phrase_text("die-region") if region else phrase_text("die-province")
        return Die(value, ROMAN if region else PLAIN, label, 6, NUMERALS[value] if region else "")

    def open(
        self,
        phrase: str,
        intro: str = "",
        dice: Sequence[Die] = (),
        places: Sequence[str] = (),
        tone: str = "",
        weight: int = 1,
    ) -> None:
        shot = {
            "intro": intro,
            "dice": tuple(dice),
            "say": phrase,
            "changes": [],
            "places": tuple(places),
            "tone": tone,
        }
        self.shots.append({**shot, "weight": weight})

    def pips(self, key: str, label: str) -> list[Die]:
        return [Die(self.rolls[key], PLAIN, label)] if key in self.rolls else []

    # The barbarian phase --------------------------------------------------------------------------

    def status(self) -> None:
        """Unrest beside Revolt, all at once: one frame, with the dice of broken links."""
        risen = [
            str(effect.subject) for effect in self.one.effects if effect.kind == "status_revolt"
        ]
        dice = [
            Die(value, PLAIN, space(key.split("/")[1]))
            for key, value in self.rolls.items()
            if key.startswith("status/")
        ]
        if not risen and not dice:
            return
        phrase = (
            phrase_text("film-status", spaces=listed(map(space, risen)))
            if risen
            else phrase_text("film-status-none")
        )
        self.open(
            phrase,
            phrase_text("film-status-try") if dice else "",
            dice,
            risen,
            "bad" if risen else "",
        )

    def read(self, effect: Effect) -> None:
        kind, facts = effect.kind, effect.facts
        opening = getattr(self, f"on_{kind}", None)
        if opening is not None:
            opening(effect, facts)
        change = self.change(effect)
        if change is not None:
            if not self.shots:
                self.open("", "")
            self.shots[-1]["changes"].append(change)

    def change(self, effect: Effect) -> Change | None:
        """What another effect changes on the board."""
        facts, place = effect.facts, str(effect.subject)
        match effect.kind:
            case "holding":
                return {"kind": "token", "at": place, "to": effect.holder}
            case "entered":
                return {"kind": "enter", "piece": str(effect.holder), "at": place}
            case "moved":
                return {
                    "kind": "march",
                    "piece": str(effect.holder),
                    "path": [str(facts["space"]), *map(str, facts["path"])],
                }
            case "moved_in":
                return {
                    "kind": "march",
                    "piece": str(effect.holder),
                    "path": [str(facts["space"]), str(facts["to"])],
                }
            case "advance":
                return {"kind": "army", "from": str(facts["space"]), "to": str(facts["to"])}
            case "army_removed":
                return {"kind": "army", "from": place, "to": None}
            case "invaders":
                return {"kind": "army", "from": None, "to": place}
            case "sailed":
                return {"kind": "fleet", "from": str(facts["zone"]), "to": str(facts["to_zone"])}
            case "turn":
                return {"kind": "turn", "piece": str(effect.holder), "ip": facts["ip"]}
            case "account" if effect.subject == "ip":
                return {"kind": "ip", "n": effect.balance}
        return {"kind": "off", "piece": str(effect.holder)} if effect.kind == GONE else None

    def line(self, effect: Effect) -> str:
        text = effect_line(self.scenario, effect)
        return f"{text[:1].upper()}{text[1:]}."

    def on_threat(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        no, region, place = facts["no"], str(facts["region"]), str(facts["space"])
        first = OUTER.index(region) + 1
        dice = [Die(first, ROMAN, REGIONS[region], 6, NUMERALS[first])] if no == 1 else []
        dice += self.pips(f"threat-{no}/number", phrase_text("die-province"))
        finds = facts["finds"]
        key = "held" if facts["holds"] else finds if finds in ("unrest", "revolt") else "open"
        phrase = phrase_text(
            f"film-threat-{key}", coord=f"{NUMERALS[first]} {facts['number']}", space=space(place)
        )
        self.open(
            phrase,
            phrase_text("film-threat" if no == 1 else "film-threat-again"),
            dice,
            [place],
            "" if facts["holds"] else "bad",
            2,
        )

    def on_uprising(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        prefix = f"uprising-{facts['no']}/"
        dice = [
            Die(value, PLAIN, space(key[len(prefix) :]))
            for key, value in self.rolls.items()
            if key.startswith(prefix)
        ]
        place = str(effect.subject)
        intro = phrase_text("film-uprising-try") if dice else ""
        self.open(phrase_text("film-uprising", space=space(place)), intro, dice, [place], "bad", 2)

    def on_echo(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.echo(effect, str(facts["region"]), int(facts["no"]))

    def echo(self, effect: Effect, region: str, no: int) -> None:
        n = self.rolls.get(f"echo-{no}", 0)
        dice = [Die(n, ROMAN, REGIONS[region], 6, NUMERALS[n])] if n else []
        self.open(self.line(effect), phrase_text("film-echo"), dice, [str(effect.subject)], "bad")

    def on_invaders(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        no = max(
            (int(key.partition("-")[2]) for key in self.rolls if key.startswith("echo-")), default=0
        )
        self.echo(effect, OUTER[self.rolls[f"echo-{no}"] - 1] if no else OUTER[0], no)

    def on_not_linked(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        if facts["step"] != "advance":
            return
        a, b = str(facts["space"]), str(facts["to"])
        phrase = phrase_text("film-held", space=space(a), to=space(b))
        self.open(
            phrase,
            phrase_text("film-broken", space=space(a), to=space(b)),
            self.pips(f"advance/{a}", phrase_text("die-broken")),
            [a],
        )

    def on_blocked(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.open(self.line(effect), places=[str(facts["space"])], weight=0)

    def on_advance(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        a, b = str(facts["space"]), str(facts["to"])
        steps = TO_ROME.get(b, 0)
        phrase = (
            phrase_text(
                "film-march", space=space(a), to=space(b), steps=counted_phrase("steps", steps)
            )
            if steps
            else self.line(effect)
        )
        if self.fight == a:
            self.shots[-1]["say"] += " " + phrase
            return
        dice = self.pips(f"advance/{a}", phrase_text("die-broken"))
        intro = phrase_text("film-broken", space=space(a), to=space(b)) if dice else ""
        self.open(phrase, intro, dice, [b], "bad")

    def on_attack(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        """A battle: both dice, and before them that of a broken link."""
        army, at, who = str(facts["army"]), str(facts["space"]), str(facts["emperor"])
        rolls = facts["rolls"]
        ours = facts["attacker"] == who
        before = [] if ours else self.pips(f"advance/{army}", phrase_text("die-broken"))
        dice = [
            *before,
            Die(rolls["roman"], ROMAN, emperor(who), 6, NUMERALS[rolls["roman"]]),
            Die(rolls["barbarian"], PLAIN, phrase_text("die-barbarians")),
        ]
        self.fight = "" if ours else army
        intro = phrase_text(
            "film-attack" if ours else "film-attacked",
            name=emperor(who),
            army=space(army),
            space=space(at),
        )
        self.open(self.line(effect), intro, dice, [army, at], "", 2)

    def fought(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        values = facts["values"]
        shot = self.shots[-1]
        shot["say"] = phrase_text(
            f"film-{effect.kind}",
            ours=values["roman"],
            theirs=values["barbarian"],
            name=emperor(str(facts["emperor"])),
            army=space(str(facts["army"])),
            space=space(str(facts["space"])),
        )
        shot["tone"] = FOUGHT[effect.kind]
        if facts["attacker"] == "barbarians":
            shot["changes"].append(
                {"kind": "lunge", "from": str(facts["army"]), "to": str(facts["space"])}
            )

    on_victory = on_defeat = on_draw = fought

    # All else is told as the log tells it ---------------------------------------------------------

    def on_emperor_removed(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        if facts["why"] != "defeat":
            self.open(self.line(effect), places=[str(effect.subject)], tone="bad")

    def line_of_effect(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        """It comes after what it changed: that belongs to it."""
        self.open(self.line(effect), places=[str(effect.subject)], weight=0)

    on_entered = on_moved = on_sailed = on_secured = on_subdued = on_patres = line_of_effect

    def on_turn(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.open(
            phrase_text(
                "film-turn",
                name=emperor(str(effect.holder)),
                left=counted_phrase("ip", facts["ip"]),
            ),
            weight=0,
        )

    def ended(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.open(
            self.line(effect),
            places=["roma"],
            tone="good" if effect.kind == "won" else "bad",
            weight=3,
        )

    on_won = on_lost = ended
