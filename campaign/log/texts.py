"""The table's own acts in words, made when read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from campaign.models import LogEntry
from campaign.seats.selectors import ACT as ASKS
from campaign.seats.selectors import PROGRAM
from campaign.sentences import written
from campaign.status import HOST
from engine.effects import Effect
from engine.language import sentence
from games.contract.title import Discreet, Title

NOBODY: Mapping[int, str] = {}
LINK = "link"
LIFE = {
    "paused": gettext_noop("The campaign is paused: no moves are made until it is resumed."),
    "resumed": gettext_noop("The campaign goes on."),
    "abandoned": gettext_noop("The campaign is abandoned."),
    "revived": gettext_noop("The campaign is resumed."),
    "archived": gettext_noop("The campaign goes into the archive."),
    "unarchived": gettext_noop("The campaign comes out of the archive."),
}

SIGHTS = {
    "all": gettext_lazy("The game master reads every message"),
    "reported": gettext_lazy(
        "The game master reads what is addressed to them, and messages that are reported"
    ),
    "addressed": gettext_lazy("The game master reads only what is addressed to them"),
}
"""What the game master may read of messages between seats, the widest first
(`campaign.founding`).
"""


def people_of(act: Mapping[str, Any]) -> set[int]:
    """Whose names `act_line` needs, beside the actor's, which the page says."""
    if act["act"] == "lobby" and act["how"] == "drawn":
        return {one["user"] for one in act["order"]}
    if act["act"] in ("substitute", "countersigner"):
        return {act["user"]}
    if act.get("how") in ("given", "drawn", "seated", "handed", "merged", "offered", *PASSES):
        return {act[key] for key in ("user", "from") if key in act}
    return {act["user"]} if act["act"] == "reserve" and act["how"] == "waits" else set()


@dataclass(frozen=True, slots=True)
class ActOfTable:
    """An act of the table with what its line needs: names of seats and users, a move in words."""

    content: Mapping[str, Any]
    seat: str
    names: Mapping[int, str]
    meant: str

    @property
    def how(self) -> str:
        return str(self.content["how"])


def act_line(
    act: Mapping[str, Any], seat_name: str, names: Mapping[int, str] = NOBODY, meant: str = ""
) -> str:
    """Return the line of the log for an act of the table.

    The page names its actor beside it, and `names` the other users.
    """
    if is_host_act(act):
        return host_line(act, seat_name, names)
    name = str(act["act"])
    line = LINES.get(name)
    return name if line is None else line(ActOfTable(act, seat_name, names, meant))


def _genesis(act: ActOfTable) -> str:
    if "lesson" in act.content:
        text = _(
            "A lesson: it counts nowhere. The dice are those of every learner. Commitment:"
            " %(commitment)s."
        )
    elif "imported" in act.content:
        text = _(
            "The terms of the campaign, which began as a record. Commitment of its first"
            " dice: %(commitment)s."
        )
    elif "again" in act.content:
        text = _(
            "The terms of the campaign, with the dice of an earlier one. Commitment of the"
            " dice: %(commitment)s."
        )
    else:
        text = _("The terms of the campaign. Commitment of the dice: %(commitment)s.")
    return text % act.content


def _undo(act: ActOfTable) -> str:
    if act.content.get("own"):
        text = _taken_back(act.seat, act.content.get("moves", 1))
    else:
        text = _("The game master undoes every move after entry %(after)s: %(reason)s")
        text %= act.content
    return _with_new_dice(text, act.content)


def _taken_back(seat: str, moves: int) -> str:
    if moves == 1:
        return sentence(_("{seat}: a move is taken back."), seat=seat)
    text = ngettext("{seat}: {n} move is taken back.", "{seat}: {n} moves are taken back.", moves)
    return sentence(text, seat=seat, n=str(moves))


def _restored(act: ActOfTable) -> str:
    return _("The game master restores what entry %(undo)s undid: %(reason)s") % act.content


def _guest(act: ActOfTable) -> str:
    was = act.names.get(act.content["from"]) or _("a guest")
    now = act.names.get(act.content["user"]) or _("somebody")
    text = _("What %(guest)s held as a guest now belongs to %(name)s.")
    return text % {"guest": was, "name": now}


def _talk(act: ActOfTable) -> str:
    return sentence(_("{seat}: “{text}”"), seat=act.seat, text=act.content["text"])


def _press(act: ActOfTable) -> str:
    text = _("{seat}: proclamation “{headline}”. {text}")
    headline, words = act.content["headline"], act.content["text"]
    return sentence(text, seat=act.seat, headline=headline, text=words)


def _sight(act: ActOfTable) -> str:
    text = _("What the game master reads of messages changes. From now on: %(rule)s.")
    return text % {"rule": SIGHTS[act.how]}


def _deputy(act: ActOfTable) -> str:
    text = (
        _("A program decides for {seat} to the end.")
        if act.how == "end"
        else _("A program decides for {seat} for now.")
    )
    return sentence(text, seat=act.seat)


def _life(act: ActOfTable) -> str:
    reason = f" {act.content['reason']}" if "reason" in act.content else ""
    return _(LIFE[act.how]) + reason


def _link(act: ActOfTable) -> str:
    text = (
        _("On the forum, entry %(entry)s: %(url)s")
        if act.content["url"]
        else _("Entry %(entry)s no longer has a link.")
    )
    return text % act.content


def _forecast(act: ActOfTable) -> str:
    if act.how == ON:
        return _("The forecast is shown to everybody.")
    return _("The forecast is switched off.")


def _renewed(act: Mapping[str, Any]) -> str:
    if act.get("how") == "import":
        text = _(
            "The dice are renewed, because the person who brought the record may know those to"
            " come."
        )
    elif "reason" in act:
        text = _("The game master renews the dice: %(reason)s") % act
    else:
        text = _("The dice are renewed.")
    return _with_new_dice(text, act)


def _with_new_dice(text: str, act: Mapping[str, Any]) -> str:
    """The line, and what an entry says that promises new dice. A reason that somebody typed may end
    without a full stop.
    """
    if "commitment" not in act:
        return text
    addition = (
        _("Rolls already thrown keep their value. Commitment of the new dice: %(commitment)s.")
        % act
    )
    return f"{text}{'' if text.endswith(('.', '!', '?')) else '.'} {addition}"


LEVELS = {
    "random": gettext_noop("careless"),
    "bold": gettext_noop("bold"),
    "cautious": gettext_noop("cautious"),
    "cunning": gettext_noop("cunning"),
}
"""How well a program plays, in a word; one that is not here is called by its key."""


def level_word(level: str) -> str:
    """`bold` in the reader's language."""
    return _(LEVELS[level]) if level in LEVELS else level


def _program(act: Mapping[str, Any], seat_name: str) -> str:
    """A program comes to a seat among people, or goes."""
    if act["how"] == "takes":
        text = _("{seat}: a program holds the seat ({level}): {reason}")
        return sentence(text, seat=seat_name, level=level_word(act["level"]), reason=act["reason"])
    return sentence(_("{seat}: the program leaves the seat."), seat=seat_name)


def _amendment(act: Mapping[str, Any], seat_name: str) -> str:
    if act["how"] == "proposed":
        return (
            _(
                "The game master proposes amendment %(amendment)s of the rules, from turn %(turn)s:"
                " %(reason)s"
            )
            % act
        )
    if act["how"] == "withdrawn":
        return _("The game master withdraws amendment %(amendment)s.") % act
    facts = {"seat": seat_name, "n": str(act["amendment"]), "why": act.get("reason", "")}
    if act["how"] == "agreed":
        return sentence(
            (
                _("{seat}: amendment {n} is agreed to. {why}")
                if facts["why"]
                else _("{seat}: amendment {n} is agreed to.")
            ),
            **facts,
        )
    return sentence(
        (
            _("{seat}: amendment {n} is refused. {why}")
            if facts["why"]
            else _("{seat}: amendment {n} is refused.")
        ),
        **facts,
    )


def _ruling(act: Mapping[str, Any]) -> str:
    if act["rule"] and act["revises"]:
        return _("Ruling %(ruling)s on §%(rule)s, revised: %(text)s") % act
    if act["rule"]:
        return _("Ruling %(ruling)s on §%(rule)s: %(text)s") % act
    if act["revises"]:
        return _("Ruling %(ruling)s, revised: %(text)s") % act
    return _("Ruling %(ruling)s: %(text)s") % act


def _people(act: Mapping[str, Any], seat_name: str, names: Mapping[int, str]) -> str:
    if act["act"] == "lobby" and act["how"] == "drawn":
        return _drawn(act, names)
    user = names.get(act.get("user", 0)) or _("somebody")
    giver = names.get(act.get("from", 0)) or _("somebody")
    text = _act_text(str(act["act"]), str(act["how"]))
    return sentence(text, **{**act, "seat": seat_name, "user": user, "giver": giver})


def _act_text(name: str, how: str) -> str:
    """Return what an act says of people.

    `user` is whom it is about, `giver` who had before what passes to them.
    """
    other = OF_PEOPLE.get((name, ""), OF_PEOPLE["lobby", ""])
    return _(OF_PEOPLE.get((name, how), other))


OF_PEOPLE = {
    ("seat", "taken"): gettext_noop("{seat}: the seat is taken."),
    ("seat", "left"): gettext_noop("{seat}: the seat is free again."),
    ("seat", "given"): gettext_noop("{seat}: the seat passes from {giver} to {user}."),
    ("seat", "drawn"): gettext_noop("{seat}: the seat goes to {user} by the draw."),
    ("seat", "seated"): gettext_noop("{seat}: the seat goes to {user} from the reserve."),
    ("seat", "offered"): gettext_noop("{seat}: the seat is offered to {user}."),
    ("master", "joined"): gettext_noop("A co-game-master joins."),
    ("master", "left"): gettext_noop("A co-game-master leaves."),
    ("master", "offered"): gettext_noop("The campaign is offered to {user}."),
    ("master", "handed"): gettext_noop("{giver} hands the campaign over to {user}."),
    ("reserve", "waits"): gettext_noop("{user} waits for a seat."),
    ("reserve", ""): gettext_noop("No longer waits for a seat."),
    ("substitute", "named"): gettext_noop("{seat}: {user} stands in for battle #{battle}."),
    ("substitute", ""): gettext_noop("{seat}: {user} no longer stands in for battle #{battle}."),
    ("countersigner", "named"): gettext_noop("{user} is countersigner."),
    ("countersigner", ""): gettext_noop("{user} is no longer countersigner."),
    ("lobby", "opened"): gettext_noop(
        "The lobby opens: seats are applied for and drawn. Commitment of the draw: {commitment}."
    ),
    ("lobby", "applied"): gettext_noop("Applies for a seat."),
    ("lobby", ""): gettext_noop("Takes the application back."),
}
"""The acts on people by name and kind; an empty kind stands for every other one."""


def _drawn(act: Mapping[str, Any], names: Mapping[int, str]) -> str:
    rolled = [
        _("%(name)s %(value)s of %(sides)s")
        % {
            **one,
            "name": names.get(one["user"]) or _("somebody"),
        }
        for one in act["order"]
    ]
    if not rolled:
        return (
            _(
                "The lobby closes, and the dice draw: nobody had applied. Seed of the draw:"
                " %(seed)s."
            )
            % act
        )
    facts = {"drawn": ", ".join(rolled), "seed": act["seed"]}
    return _("The lobby closes, and the dice draw: %(drawn)s. Seed of the draw: %(seed)s.") % facts


# What the log says of absence, and of what was left or agreed for it (RULES 11 of the Grand
# Campaign).

ABSENCE, SOLO, STANDING = "absence", "solo", "standing"
AWAY_ACTS = frozenset({ABSENCE, SOLO, STANDING})


def away_line(act: Mapping[str, Any], seat_name: str) -> str:
    """One line; who is away is its actor, whom the page names beside it."""
    if act["act"] == ABSENCE:
        facts = {"first": day(act["first"]), "last": day(act["last"])}
        if act["how"] == "taken-back":
            return _("Is not away from %(first)s to %(last)s after all.") % facts
        if act["how"] == "changed":
            return (
                _("Is away from %(first)s to %(last)s; these days replace the earlier ones.")
                % facts
            )
        return _("Is away from %(first)s to %(last)s.") % facts
    if act["act"] == STANDING:
        return sentence(_("{seat}: a standing order acts."), seat=seat_name)
    if "level" in act:
        text = _(
            "A program plays {seat:the}: the opponent plays battle #{battle} solo, on empire"
            " difficulty."
        )
        if act["how"] == "ended":
            text = _(
                "Battle #{battle} is no longer played solo: no program plays {seat:the} any more."
            )
        return sentence(text, seat=seat_name, battle=act["battle"])
    if act["how"] == "ended":
        return sentence(
            _("Battle #{battle} is played by both again: {seat:the} {seat:are|is} back."),
            seat=seat_name,
            battle=act["battle"],
        )
    return sentence(
        _(
            "{seat:The} {seat:are|is} away: their opponent plays battle #{battle} solo, on empire"
            " difficulty."
        ),
        seat=seat_name,
        battle=act["battle"],
    )


def day(text: str) -> str:
    """A day as written in the log, as it is read: 3 Aug 2026."""
    return written(date.fromisoformat(text), "j M Y")


# The acts on clocks in words, and what a length of time is called.

CLOCK_ACTS = ("clock-terms", "extend")
FORECAST, ON, OFF = "forecast", "on", "off"
"""The act that switches the forecast, and its kinds."""
MOVED = {
    "turn": gettext_noop("The turn may last until {to}: {reason}"),
    "slot": gettext_noop("{seat}: the slot may last until {to}: {reason}"),
    "answer": gettext_noop("{seat}: challenge #{contest} is to be answered by {to}: {reason}"),
    "battle": gettext_noop("Battle #{contest} is to be fought by {to}: {reason}"),
    "claim": gettext_noop(
        "{seat}: the claim on battle #{contest} is to be confirmed by {to}: {reason}"
    ),
    "words": gettext_noop("Words for the next dice may be added until {to}: {reason}"),
}
TIMES = {
    "turn": gettext_noop("a turn %(length)s"),
    "slot": gettext_noop("a slot %(length)s"),
    "answer": gettext_noop("an answer %(length)s"),
    "battle": gettext_noop("a battle %(length)s"),
    "claim": gettext_noop("a claim %(length)s"),
    "words": gettext_noop("words for the dice %(length)s"),
}
NO_TIME = {
    "turn": gettext_noop("a turn without limit"),
    "slot": gettext_noop("a slot without limit"),
    "answer": gettext_noop("an answer without limit"),
    "battle": gettext_noop("a battle without limit"),
    "claim": gettext_noop("a claim without limit"),
    "words": gettext_noop("words for the dice without limit"),
}


def length_words(length: str) -> str:
    """`3d` is "3 days", `36h` "36 hours"."""
    amount = int(length[:-1])
    if length.endswith("d"):
        return ngettext("%(amount)s day", "%(amount)s days", amount) % {"amount": amount}
    return ngettext("%(amount)s hour", "%(amount)s hours", amount) % {"amount": amount}


def clock_line(act: Mapping[str, Any], seat_name: str) -> str:
    """One line of the log."""
    if act["act"] == "clock-terms":
        return _("Time from now on: %(terms)s.") % {
            "terms": "; ".join(_kind(kind, act["terms"][kind]) for kind in act["changed"])
        }
    where = ZoneInfo(act["zone"])
    to = written(datetime.fromisoformat(act["to"]).astimezone(where), "j M Y H:i")
    time = _("%(time)s (%(zone)s)") % {"time": to, "zone": act["zone"].replace("_", " ")}
    text = MOVED[act["kind"]]
    return sentence(
        _(text), seat=seat_name, to=time, reason=act["reason"], contest=act.get("contest", "")
    )


def _kind(kind: str, terms: Mapping[str, Any] | None) -> str:
    if terms is None:
        return _(NO_TIME[kind])
    text = _(TIMES[kind]) % {"length": length_words(terms["length"])}
    if terms.get("reminds", "both") != "both":
        reminded = (
            _("%(text)s, reminded on the last day")
            if terms["reminds"] == "day"
            else _("%(text)s, without a reminder")
        )
        text = reminded % {"text": text}
    if not terms["acts"]:
        return (
            text
            if terms.get("asks", True)
            else _("%(text)s, then nobody is asked") % {"text": text}
        )
    return _("%(text)s, and %(grace)s later automatically") % {
        "text": text,
        "grace": length_words(terms["grace"]),
    }


# The acts at a contest in words. What result is meant, the title says: its line of the move stands
# behind a claim.

SAID = {
    "set-up": gettext_noop("{seat}: {battle} is set up."),
    "claim": gettext_noop("{seat} {seat:claim|claims} {battle}: {result}."),
    "withdraw-claim": gettext_noop("{seat} {seat:withdraw|withdraws} the claim of {battle}."),
    "confirm": gettext_noop("{seat} {seat:confirm|confirms} the result of {battle}."),
    "dispute": gettext_noop("{seat} {seat:dispute|disputes} the claim of {battle}: {reason}"),
    "judge": gettext_noop("The game master judges {battle}: {result}. {reason}"),
    "agree": gettext_noop("{seat} {seat:agree|agrees} to {to} for {battle}."),
    "unagreed": gettext_noop(
        "The game master judges {battle} as {to} without the agreement of both: {reason}"
    ),
    "evidence": gettext_noop("{seat}: evidence for {battle}, {what}, SHA-256 {hash}…"),
}
CONTEST_ACTS = frozenset(SAID)
AGREED = {"naval": gettext_noop("a naval battle in Mare Nostrum")}


def contest_line(act: Mapping[str, Any], seat_name: str, result: str) -> str:
    """One line; `result` is the title's own line of the move that a claim or a judgment names, of
    which the end is said.
    """
    name = str(act["act"])
    text = SAID[name]
    if name == "agree" and not act["yes"]:
        text = gettext_noop("{seat} {seat:no longer agree|no longer agrees} to {to} for {battle}.")
    if name == "dispute" and act.get("move"):
        text = gettext_noop(
            "{seat} {seat:dispute|disputes} the claim of {battle}; by their account {result}."
            " {reason}"
        )
    if act.get("unopposed"):
        text = gettext_noop(
            "{seat}: nobody opposed the claim of {battle} in time, it is confirmed."
        )
    to = str(act.get("to"))
    return sentence(
        _(text),
        seat=seat_name,
        battle=f"#{act['battle']}",
        result=(result.partition(": ")[2] or result).rstrip("."),
        reason=act.get("reason", ""),
        to=_(AGREED[to]) if to in AGREED else to,
        what=_("a picture") if act.get("bytes") else _("a link"),
        hash=str(act.get("sha256", ""))[:12],
    ).strip()


# What the log says of dice that are thrown elsewhere.

DIE, RENEW, MIX = "die", "renew", "mix"


def die_line(act: Mapping[str, Any], seat_name: str, meant: str) -> str:
    """One line; `meant` is the parked move in the title's words."""
    match act["how"]:
        case "by-hand":
            return _("From now on dice are thrown elsewhere and entered by hand.")
        case "by-program":
            return _("From now on the program throws the dice again.")
        case "parked":
            return sentence(
                _("{seat}: {move}. It waits for a die: {purpose}."),
                seat=seat_name,
                move=meant,
                purpose=act["purpose"],
            )
        case "given":
            text = (
                _("Thrown elsewhere: %(purpose)s is %(value)s. Seen at %(url)s")
                if act["url"]
                else _("Thrown elsewhere: %(purpose)s is %(value)s.")
            )
            return text % act
        case _dropped:
            text = _("{seat}: what waited for a die is taken back. {reason}")
            return sentence(text, seat=seat_name, reason=act["reason"]).strip()


# What is mixed into the dice.


def mix_line(act: Mapping[str, Any], seat_name: str) -> str:
    """One line: words of a seat, the public draw before and after it fell, and what was
    left out.
    """
    when = _stage_name(act["turn"])
    match act["how"]:
        case "words":
            return sentence(
                _("{seat}: words for {turn}: “{text}”"), seat=seat_name, turn=when, text=act["text"]
            )
        case "named":
            at = written(datetime.fromisoformat(act["falls"]), "j M Y H:i")
            return sentence(
                _("The dice of {turn} are mixed with {draw}, drawn on {at} UTC."),
                turn=when,
                draw=draw_name(act),
                at=at,
            )
        case "closed" if act["late"]:
            many = len(act["late"])
            text = ngettext(
                "The words for {turn} have closed. {n} seat had added none.",
                "The words for {turn} have closed. {n} seats had added none.",
                many,
            )
            return sentence(text, turn=when, n=str(many))
        case "closed":
            return sentence(
                _("The words for {turn} have closed. Every seat has added some."), turn=when
            )
        case "drawn":
            facts = {"text": act["text"], "url": act["url"], "before": act.get("instead", "")}
            return sentence(_drawn_text(act), turn=when, **facts)
        case "confirmed":
            return sentence(
                _("The server has verified drand’s signature of the draw for {turn}."), turn=when
            )
        case "refuted":
            text = _(
                "The draw that the game master typed for {turn} is false. drand signed {text}."
            )
            return sentence(text, turn=when, text=act["text"])
        case "without":
            return sentence(
                _("The dice of {turn} are thrown without a public draw: {reason}"),
                turn=when,
                reason=act["reason"],
            )
        case _objected:
            return sentence(
                _("{seat}: objection to the draw for {turn}: {reason}"),
                seat=seat_name,
                turn=when,
                reason=act["reason"],
            )


def _drawn_text(act: Mapping[str, Any]) -> str:
    """Return what is said of a public draw, or of the correction of one."""
    if "instead" in act and act["url"]:
        return _("Corrected draw for {turn}: {text} in place of {before}. Read at {url}")
    if "instead" in act:
        return _("Corrected draw for {turn}: {text} in place of {before}.")
    if act["url"]:
        return _("Drawn for {turn}: {text}. Read at {url}")
    return _("Drawn for {turn}: {text}.")


def _stage_name(link: int) -> str:
    return _("turn %(n)s") % {"n": link} if link else _("the start and turn 1")


def draw_name(named: Mapping[str, Any]) -> str:
    """A public draw as it was named before it fell."""
    if named["source"] == "lotto":
        wheels = ", ".join(named["wheels"])
        return _("the Italian lottery (%(wheels)s)") % {"wheels": wheels}
    if named["source"] == "drand":
        return _("round %(round)s of drand") % {"round": named["round"]}
    return f"“{named['name']}”"


# What the host did at a table, and how a game master's place passes without them, in words.

HOST_ACTS = frozenset({HOST, ASKS})
PASSES = frozenset({"took-over", "placed"})
"""How a game master's place passes to another without them."""
STATES = {
    "suspended": gettext_noop(
        "The host suspends the campaign: nobody reads it or moves in it until the host ends the"
        " suspension."
    ),
    "unsuspended": gettext_noop("The host ends the suspension: the campaign goes on."),
    "hidden": gettext_noop("The host takes the campaign out of all lists."),
    "shown": gettext_noop("The host puts the campaign back into the lists."),
    "rekeyed": gettext_noop(
        "The host changes the key that seals the dice. For this, the program reads every sealed"
        " seed."
    ),
    "erased": gettext_noop(
        "A person has left for good, and is called a former player from now on."
    ),
    "closed": gettext_noop("A person’s account is closed: they play here no more."),
}


REMOVALS = {
    "name": gettext_noop("The host’s moderator removes the name of the campaign: {reason}"),
    "lobby": gettext_noop("The host’s moderator removes the words of the lobby: {reason}"),
    "evidence": gettext_noop("The host’s moderator removes a piece of evidence: {reason}"),
    "flavour": gettext_noop("The host’s moderator removes a text of a report: {reason}"),
}
"""A removed text that stands beside the log."""


def _removal_line(act: Mapping[str, Any]) -> str:
    if "of" in act:
        return sentence(_(REMOVALS[act["of"]]), reason=act["reason"])
    if "entry" in act:
        return sentence(
            _("The host’s moderator removes the text of entry {entry}: {reason}"), **act
        )
    return sentence(_("The host’s moderator removes the text of a hidden entry: {reason}"), **act)


def is_host_act(act: Mapping[str, Any]) -> bool:
    """Is it told here?"""
    return act["act"] in HOST_ACTS or (act["act"] == "master" and act.get("how") in PASSES)


def by_host(act: Mapping[str, Any]) -> bool:
    """Was it the host who did it, by a command?"""
    return act["act"] == HOST or act.get("how") == "placed" or bool(act.get("host"))


def host_line(act: Mapping[str, Any], seat_name: str, names: Mapping[int, str]) -> str:
    if act["act"] == HOST and act["how"] == "removed":
        return _removal_line(act)
    if act["act"] == HOST:
        state = STATES[act["how"]]
        return " ".join(filter(None, (_(state), act.get("reason", ""))))
    if act["act"] == ASKS:
        text = _("{seat}: nobody asks for a new game master any more.")
        if act["how"] == "asked":
            text = _(
                "{seat}: a new game master is asked for; this one has not been seen for {days}"
                " days."
            )
        return sentence(text, **{**act, "seat": seat_name})
    user, giver = names.get(act["user"]) or _("somebody"), names.get(act["from"]) or _("somebody")
    if act["how"] == "took-over":
        text = _(
            "{user} takes the campaign over from {giver}, who has not been seen for {days} days."
        )
        return sentence(text, user=user, giver=giver, days=act["days"])
    placed = sentence(
        _("The host makes {user} game master in place of {giver}."), user=user, giver=giver
    )
    return " ".join(filter(None, (placed, act.get("reason", ""))))


# What the log says of countersignatures.

MARKS = frozenset({"own-account", "countersign", "object"})


def mark_line(act: Mapping[str, Any]) -> str:
    """One line of an act under an entry."""
    match act["act"]:
        case "own-account":
            return (
                _(
                    "Entry %(entry)s concerns the game master’s own nation: somebody else is asked"
                    " to countersign it."
                )
                % act
            )
        case "countersign":
            return _("Entry %(entry)s is countersigned.") % act
        case _object:
            return _("Objection to entry %(entry)s: %(reason)s") % act


# What was said, as data for programs: no more of it than the log's own line tells the same reader.
#
# A move may name a card that its line keeps to itself, and an act keeps facts that no page shows:
# the dice an import brought, when a standing order was to speak. Of acts, what is told is listed,
# so that a fact which comes later is kept until somebody lists it here.

TOLD = frozenset(
    {
        "act",
        "how",
        "seat",
        "user",
        "from",
        "host",
        "reason",
        "text",
        "entry",
        "url",
        "days",
        "undo",
        "after",
        "own",
        "moves",
        "ruling",
        "rule",
        "revises",
        "amendment",
        "rules",
        "need",
        "level",
        "battle",
        "contest",
        "claim",
        "applied",
        "unopposed",
        "to",
        "yes",
        "purpose",
        "sides",
        "value",
        "move",
        "format",
        "options",
        "commitment",
        "seed",
        "free",
        "applications",
        "order",
        "imported",
        "first",
        "last",
        "kind",
        "was",
        "zone",
        "terms",
        "changed",
        "chance",
        "chain",
        "turn",
        "source",
        "name",
        "falls",
        "round",
        "wheels",
        "late",
        "of",
    }
)
"""The facts of acts that everybody may know who sees the act. People are numbers."""


def entry_json(game: Title, entry: LogEntry, effects: Iterable[Effect]) -> Mapping[str, Any]:
    """What the entry says, for a reader who may see it and these of its effects; fractions are
    decimals, as in a record.
    """
    content = entry.content
    if entry.is_move:
        return public_move(game, content, effects)
    kept = {key: value for key, value in content.items() if key in TOLD}
    if isinstance(
        kept.get("move"), Mapping
    ):  # what a claim means, or what waits for a die: it has no effects yet
        kept["move"] = public_move(game, kept["move"], ())
    return kept


def public_move(
    game: Title, move: Mapping[str, Any], effects: Iterable[Effect]
) -> Mapping[str, Any]:
    """A move in record form, without what only its speaker and some others know."""
    return game.spoken(move, effects) if isinstance(game, Discreet) else move


def _of_people(act: ActOfTable) -> str:
    return _people(act.content, act.seat, act.names)


def _of_dice(act: ActOfTable) -> str:
    return die_line(act.content, act.seat, act.meant)


def _of_absence(act: ActOfTable) -> str:
    return away_line(act.content, act.seat)


def _of_clocks(act: ActOfTable) -> str:
    return clock_line(act.content, act.seat)


def _of_marks(act: ActOfTable) -> str:
    return mark_line(act.content)


LINES: Mapping[str, Callable[[ActOfTable], str]] = {
    RENEW: lambda act: _renewed(act.content),
    MIX: lambda act: mix_line(act.content, act.seat),
    "genesis": _genesis,
    "undo": _undo,
    "restore": _restored,
    "guest": _guest,
    "talk": _talk,
    "press": _press,
    "sight": _sight,
    "deputy": _deputy,
    PROGRAM: lambda act: _program(act.content, act.seat),
    **dict.fromkeys(MARKS, _of_marks),
    **dict.fromkeys(
        ("seat", "master", "reserve", "lobby", "substitute", "countersigner"), _of_people
    ),
    "life": _life,
    "ruling": lambda act: _ruling(act.content),
    "amendment": lambda act: _amendment(act.content, act.seat),
    LINK: _link,
    DIE: _of_dice,
    **dict.fromkeys(AWAY_ACTS, _of_absence),
    **dict.fromkeys(CLOCK_ACTS, _of_clocks),
    FORECAST: _forecast,
}
"""The line of an act by its name."""
