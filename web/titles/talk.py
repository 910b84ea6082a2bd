"""Words for offers and previews: plain ones for every title, its own in its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from engine.effects import Effect
from engine.language import within
from games.contract.plain import Known, Position, RawMove
from games.contract.title import Branch, Field, Offer, Title
from web.titles import extras


class Mark(NamedTuple):
    """A row of a preview for an effect that is not of an account, with its cell and its rule.

    `holder` is the seat whose row it is; None for a row that concerns no seat.
    """

    key: str
    label: str
    text: str
    rule: str = ""
    holder: str | None = None


class Outcome(NamedTuple):
    """One way in which a contest may end that the move begins, with its branches."""

    label: str
    branches: Sequence[Branch]


class Group(NamedTuple):
    """A group of offers: its key, its heading, and a note beside it."""

    key: str
    name: str
    note: str = ""


def capital(text: str) -> str:
    """Return a text with a capital as its first letter."""
    return text[:1].upper() + text[1:]


def plain_name(key: str) -> str:
    """Return a key as people read it: "siege_train" is "Siege train"."""
    return capital(key.replace("-", " ").replace("_", " "))


class Talk:
    """Plain words for every title. A title's folder may have a subclass, `talk.Talk`.

    `position` is the one that is shown; nothing here changes it.
    """

    groups: Sequence[Group] = ()
    purse = "actions"
    synonyms: Mapping[str, str] = {}
    """Words that players type, in any language, for words of the title's own lines."""

    def __init__(self, title: Title, scenario: object, position: Position) -> None:
        self.title, self.scenario, self.position = title, scenario, position
        self.accounts = {account.key: account for account in title.accounts}
        options = getattr(position, "options", None)
        self.seats = {info.key: info for info in title.seats(scenario, options)}

    # Names

    def seat_name(self, key: str | None) -> str:
        if key is None:
            return _("nobody")
        return self.seats[key].name if key in self.seats else {"gm": _("game master")}.get(key, key)

    def amount(self, account: str, value: int) -> str:
        """Return an amount with its unit, with ½ for a half and a true minus."""
        known = self.accounts.get(account)
        if known is None:
            return str(value).replace("-", "−")
        whole, rest = divmod(abs(value), known.scale)
        half = "½" if known.scale == 2 and rest else ""
        text = (str(whole) if whole or not half else "") + half
        return ("−" if value < 0 else "") + text + known.unit

    def account_name(self, account: str) -> str:
        return self.accounts[account].label if account in self.accounts else account

    def field_label(self, offer: Offer, field: Field) -> str:
        return plain_name(field.key)

    def field_help(self, offer: Offer, field: Field, chosen: Mapping[str, object]) -> str:
        return ""

    def value_label(self, offer: Offer, field: Field, value: object) -> str:
        """Return a value of a field as people read it."""
        if value is None:
            return _("nobody")
        if isinstance(value, (list, tuple)):
            return ", ".join(self.value_label(offer, field, item) for item in value)
        if value in self.seats:
            return self.seats[value].name
        return plain_name(value) if isinstance(value, str) else str(value)

    # Offers

    def offer_name(self, offer: Offer) -> str:
        if not offer.fields:
            try:
                return capital(self.title.move_line(self.scenario, offer.raw({})))
            except (KeyError, TypeError):
                pass
        return plain_name(offer.move)

    def offer_sub(self, offer: Offer) -> str:
        """Return a note beside the name of an offer."""
        return ""

    def offer_about(self, offer: Offer) -> str:
        """Return what an offer with fields is about, before anything is chosen."""
        return ""

    def verb(self, offer: Offer) -> str:
        """Return the text of the button that announces a move."""
        return _("Announce")

    def final(self, raw: RawMove, position: Position) -> str:
        """Return why a move cannot be taken back, other than by dice and shown cards; empty if it
        can.
        """
        return ""

    def deed(self, raw: RawMove) -> str:
        """Return a move as a thing: "Shrines", "Fleet in Sicilia"."""
        return plain_name(str(raw["move"]))

    def moved(self, raw: RawMove, effects: Sequence[Effect]) -> str:
        """Return the message after a move."""
        seat = raw.get("for", raw["by"])
        name = _("Game master") if seat == "gm" else self.seat_name(seat)
        return capital(f"{name} {self.title.move_line(self.scenario, raw, effects)}.")

    # What follows

    def cascade(self, effect: Effect) -> bool:
        """Return whether an effect follows from the threshold of another one."""
        return False

    def mark(self, effect: Effect) -> Mark | None:
        """Return the row of an effect that is not of an account; None if it is not shown."""
        text = capital(self.title.speak(self.scenario, effect.cause))
        if effect.kind == "card":
            return Mark(
                f"card-{effect.subject}",
                text,
                plain_name(effect.subject),
                effect.cause.rule,
                effect.holder,
            )
        return Mark(
            f"{effect.kind}-{effect.subject}-{effect.cause.id}", "", text, effect.cause.rule
        )

    def untouched(self, key: str) -> str:
        """Return the cell of a row in a branch that does not touch it."""
        return _("as it was")

    def branch(self, branch: Branch) -> tuple[str, str]:
        """Return a branch in one or two words, and the rolls that lead to it."""
        return (
            ", ".join(
                self.title.speak(self.scenario, phrase) for phrase in branch.path or (branch.what,)
            ),
            "",
        )

    def hint(self, after: Position, holder: str, account: str) -> str:
        """Return what the new level of an account means, if that differs from before."""
        return ""

    def notes(self, raw: RawMove, after: Position) -> Sequence[tuple[str, str]]:
        """Return sentences to be shown beside the effects, each with its rule or none."""
        return ()

    def outcomes(self, raw: RawMove, after: Position) -> Sequence[Outcome]:
        """Return how a contest may end that this move begins or answers."""
        return ()


def talk(title: Title, scenario: object, position: Position) -> Talk:
    """Return the title's own words, or the plain ones."""
    own = extras(title.key, "talk")
    talk_made: Talk = (own.Talk if own else Talk)(title, scenario, position)
    return talk_made


# A battle of any title in plain words. A title's `battle` part has the same functions, and may have
# more: `setup_sheet`, `sides`, `timeline`.


def kind_word(known: Known) -> str:
    return within(plain_name(str(known["kind"]))) if known.get("kind") else _("contest")


def where(scenario: object, known: Known) -> str:
    """Return source → target, or the only place."""
    source, target = (plain_name(str(known.get(key) or "")) for key in ("source", "target"))
    return f"{source} → {target}" if source and target else source or target


def side_name(scenario: object, known: Known, side: str) -> str:
    named = known.get(side) or known.get("target")
    return plain_name(str(named)) if named else capital(_("nobody"))


def side_nation(known: Known, side: str) -> str:
    return str(known.get(side) or "independent")


def state_word(scenario: object, known: Known) -> tuple[str, str]:
    """Return the state in a word or two, and its tone."""
    if known.get("status") == "resolved":
        return plain_name(str(known["outcome"])) if known.get("outcome") else _("Resolved"), "good"
    return plain_name(str(known["status"])) if known.get("status") else _("Running"), ""
