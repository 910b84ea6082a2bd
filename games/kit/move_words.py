"""Plain words for the moves of any title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.effects import Effect
from engine.language import capitalize, pgettext, plain_name
from engine.language import gettext as _
from games.contract.move_words import Group, Mark, MoveWords, Outcome, WithMoveWords
from games.contract.plain import Position, RawMove
from games.contract.title import Account, Branch, Field, Offer, SeatInfo, Title


class PlainMoveWords:
    """Plain words for the moves of every title; a title may have a subclass (`WithMoveWords`)."""

    groups: Sequence[Group] = ()
    purse = "actions"
    synonyms: Mapping[str, str] = {}
    things: Mapping[str, Sequence[str]] = {}
    moves_of_things: Mapping[str, RawMove] = {}
    phrases: Mapping[str, str] = {}
    foreign: Mapping[str, Mapping[str, str]] = {}

    def __init__(self, title: Title, scenario: object, position: Position) -> None:
        self.title, self.scenario, self.position = title, scenario, position
        self.accounts: Mapping[str, Account] = {account.key: account for account in title.accounts}
        options = getattr(position, "options", None)
        self.seats: Mapping[str, SeatInfo] = {
            info.key: info for info in title.seats(scenario, options)
        }

    # Names

    def other_names(self, kind: str, key: str) -> Sequence[str]:
        return ()

    def seat_name(self, key: str | None) -> str:
        if key is None:
            return pgettext("move", "no one")
        return (
            self.seats[key].name
            if key in self.seats
            else {"gm": pgettext("move", "game master")}.get(key, key)
        )

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
        """Return a value of a field as it is shown."""
        if value is None:
            return pgettext("field", "no one")
        if isinstance(value, (list, tuple)):
            return ", ".join(self.value_label(offer, field, item) for item in value)
        if not isinstance(value, str):
            return str(value)
        return self.seats[value].name if value in self.seats else plain_name(value)

    # Offers

    def offer_name(self, offer: Offer) -> str:
        if not offer.fields:
            try:
                return capitalize(self.title.move_line(self.scenario, offer.raw({})))
            except (KeyError, TypeError):
                pass
        return plain_name(offer.move)

    def offer_sub(self, offer: Offer) -> str:
        """Return a note beside the name of an offer."""
        return ""

    def offer_about(self, offer: Offer) -> str:
        """Return the description of an offer with fields, before anything is chosen."""
        return ""

    def verb(self, offer: Offer) -> str:
        """Return the text of the button that announces a move."""
        return pgettext("button", "Announce")

    def verb_alone(self, offer: Offer) -> str:
        """Return the text of the button that makes a move where no other person plays."""
        return self.verb(offer)

    def why_final(self, raw: RawMove, position: Position) -> str:
        """Return why a move cannot be taken back; empty if it can.

        Dice and shown cards are not among these reasons.
        """
        return ""

    def move_noun(self, raw: RawMove) -> str:
        """Return the name of the thing that a move makes: "Shrines", "Fleet in Sicilia"."""
        return plain_name(str(raw["move"]))

    def confirmation(self, raw: RawMove, effects: Sequence[Effect]) -> str:
        """Return the message after a move."""
        seat = raw.get("for", raw["by"])
        name = pgettext("move", "Game master") if seat == "gm" else self.seat_name(seat)
        return capitalize(f"{name} {self.title.move_line(self.scenario, raw, effects)}.")

    # The consequences of a move

    def cascade(self, effect: Effect) -> bool:
        """Return whether an effect follows from the threshold of another one."""
        return False

    def mark(self, effect: Effect) -> Mark | None:
        """Return the row of an effect that belongs to no account; None if it is not shown."""
        text = capitalize(self.title.speak(self.scenario, effect.cause))
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

    def unchanged_text(self, key: str) -> str:
        """Return the text of a row's cell in branches that do not change the row."""
        return _("unchanged")

    def branch(self, branch: Branch) -> tuple[str, str]:
        """Return a branch in one or two words, and the rolls that lead to it."""
        return (
            ", ".join(
                self.title.speak(self.scenario, phrase) for phrase in branch.path or (branch.what,)
            ),
            "",
        )

    def hint(self, after: Position, holder: str, account: str) -> str:
        """Return the meaning of an account's new level, if that differs from before."""
        return ""

    def notes(self, raw: RawMove, after: Position) -> Sequence[tuple[str, str]]:
        """Return sentences to be shown beside the effects, each with its rule or none."""
        return ()

    def contest(self, raw: RawMove, after: Position) -> int | None:
        """Return the number of the contest that this move begins or answers."""
        return None

    def outcomes(self, raw: RawMove, after: Position) -> Sequence[Outcome]:
        """Return the possible results of a contest that this move begins or answers."""
        return ()


def move_words(title: Title, scenario: object, position: Position) -> MoveWords:
    """Return the title's own words, or the plain ones."""
    if isinstance(title, WithMoveWords):
        return title.move_words(scenario, position)
    return PlainMoveWords(title, scenario, position)
