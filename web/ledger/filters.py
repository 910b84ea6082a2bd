"""The filters of the ledger: holder, account, turn and cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.effects import Phrase
from engine.language import capitalize, plain_name
from engine.strict_json import read
from games.contract.move_words import MoveWords
from games.registry import word
from nations.projection import Wanted
from web.frame.raw_forms import PostedForm, text_field
from web.frame.table import TableContext
from web.ledger.lines import account_holders, turn_name

EVERY = "*"
"""The value for all accounts including the purse, which is left out by default."""
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a filter and its name."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class Query:
    """The chosen filters; a filter that is not chosen is empty."""

    nation: str
    account: str
    turn: str
    cause: str

    @property
    def address(self) -> str:
        """Return the filters as the query of an address."""
        return urlencode({key: value for key, value in asdict(self).items() if value})

    def wanted(self, purse: str) -> Wanted:
        """Return the filtered lines; the `purse` only if it is chosen."""
        return Wanted(
            holder=self.nation,
            account="" if self.account == EVERY else self.account,
            without="" if self.account else purse,
            turn=int(self.turn) if self.turn else None,
            cause=self.cause,
        )


class LedgerForm(PostedForm):
    """The query of an address: a value for each filter, and a page of the lines."""

    nation = text_field()
    account = text_field()
    turn = text_field()
    cause = text_field()
    page = text_field()

    def page_number(self, pages: int) -> int:
        """Return the requested page, by default the first."""
        number = self.number_of("page")
        return number if number is not None and 1 <= number <= pages else 1


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter with its choices; the first choice means no filter."""

    key: str
    label: str
    choices: list[Choice]
    chosen: str


def filters(
    table: TableContext, words: MoveWords, causes: Sequence[str], form: LedgerForm
) -> list[Filter]:
    """Return the filters.

    Requested values that are not choices are left out, so that no filter is invalid.
    """
    turn_word = capitalize(word(table.campaign.title, "turn"))
    every = [
        ("nation", pgettext("ledger", "Holder"), holder_choices(table)),
        ("account", pgettext("ledger", "Account"), account_choices(table, words)),
        ("turn", turn_word, turn_choices(table)),
        (
            "cause",
            pgettext("ledger", "Cause"),
            [Choice("", pgettext("option", "All")), *cause_choices(table, causes)],
        ),
    ]
    return [
        Filter(key, label, choices, chosen(choices, form.text_of(key)))
        for key, label, choices in every
    ]


def chosen(choices: Sequence[Choice], value: str) -> str:
    """Return a value if it is a choice; otherwise an empty text."""
    return value if any(choice.value == value for choice in choices) else ""


def query_of(shown: Sequence[Filter]) -> Query:
    return Query(**{shown_filter.key: shown_filter.chosen for shown_filter in shown})


def holder_choices(table: TableContext) -> list[Choice]:
    holders = account_holders(table)
    return [
        Choice("", pgettext("option", "All")),
        *(Choice(key, capitalize(table.name_of(key))) for key in holders),
    ]


def account_choices(table: TableContext, words: MoveWords) -> list[Choice]:
    purse = words.accounts.get(words.purse)
    first = [Choice("", pgettext("option", "All"))]
    if purse:
        without = _("All but %(account)s") % {"account": purse.label}
        first = [Choice("", without), Choice(EVERY, pgettext("option", "All"))]
    accounts = table.accounts_by_key.values()
    return [*first, *(Choice(account.key, capitalize(account.label)) for account in accounts)]


def turn_choices(table: TableContext) -> list[Choice]:
    turns = range(table.campaign.turn + 1)
    return [
        Choice("", pgettext("option", "All")),
        *(Choice(str(turn), turn_name(table, turn)) for turn in turns),
    ]


def cause_choices(table: TableContext, causes: Sequence[str]) -> list[Choice]:
    """Return the kinds of causes as choices, each named by the common part of its sentences."""
    spoken: dict[str, list[str]] = {}
    for text in causes:
        phrase = Phrase(*read(text))
        spoken.setdefault(phrase.id, []).append(capitalize(table.sentence(phrase)))
    named = sorted((common(key, texts), key) for key, texts in spoken.items())
    twice = {name for (name, _key), (following, _next) in pairwise(named) if name == following}
    return [
        Choice(key, f"{name} ({plain_name(key)})" if name in twice else name) for name, key in named
    ]


def common(key: str, texts: Sequence[str]) -> str:
    """Return the words with which all sentences of a kind begin or end, such as "Battle of …".

    If they have nothing in common, return the name of the kind.
    """
    sentences = [text.split() for text in dict.fromkeys(texts)]
    if len(sentences) == 1:
        return cut(" ".join(sentences[0]))
    first = first_difference(sentences)
    if first is None:
        first = min(map(len, sentences))
    if first:
        return " ".join(sentences[0][:first])[: LONGEST - 2] + " …"
    last = first_difference([words[::-1] for words in sentences])
    if last:
        return "… " + " ".join(sentences[0][-last:])[-(LONGEST - 2) :]
    return plain_name(key)


def cut(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"


def first_difference(sentences: Sequence[Sequence[str]]) -> int | None:
    """Return the place of the first word in which the sentences differ.

    Return None if they do not differ within the length of the shortest sentence.
    """
    columns = enumerate(zip(*sentences, strict=False))
    return next((place for place, column in columns if len(set(column)) > 1), None)
