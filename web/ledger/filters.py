"""The filters of the ledger: holder, account, turn and cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from engine.effects import Say
from engine.language import capital, plain_name
from engine.strict_json import read
from games.contract.move_words import MoveWords
from games.registry import word
from nations.projection import Wanted
from web.frame.posted import PostedForm, text_field
from web.frame.table import TableContext
from web.ledger.lines import account_holders, turn_name

EVERY = "*"
"""Instead of an account: all accounts with the purse, which is left out by default."""
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a filter and its name."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class Query:
    """What is chosen; a filter that is not chosen is empty."""

    nation: str
    account: str
    turn: str
    cause: str

    @property
    def address(self) -> str:
        """Return the filters as an address has them."""
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
    """What an address asks for: a value of each filter, and a page of the lines."""

    nation = text_field()
    account = text_field()
    turn = text_field()
    cause = text_field()
    page = text_field()

    def page_number(self, pages: int) -> int:
        """Return the page that is asked for, by default the first."""
        number = self.number("page")
        return number if number is not None and 1 <= number <= pages else 1


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter with its choices; the first means no filter."""

    key: str
    label: str
    choices: list[Choice]
    chosen: str


def filters(
    table: TableContext, words: MoveWords, causes: Sequence[str], asked: LedgerForm
) -> list[Filter]:
    """Return the filters. Requested values that are no choices are left out, so that no filter is
    wrong.
    """
    turn_word = capital(word(table.campaign.title, "turn"))
    every = [
        ("nation", _("Holder"), holder_choices(table)),
        ("account", _("Account"), account_choices(table, words)),
        ("turn", turn_word, turn_choices(table)),
        ("cause", _("Cause"), [Choice("", _("All")), *cause_choices(table, causes)]),
    ]
    return [
        Filter(key, label, choices, chosen(choices, asked.typed(key)))
        for key, label, choices in every
    ]


def chosen(choices: Sequence[Choice], value: str) -> str:
    """Return a value if it can be chosen; else an empty text."""
    return value if any(choice.value == value for choice in choices) else ""


def query_of(shown: Sequence[Filter]) -> Query:
    return Query(**{shown_filter.key: shown_filter.chosen for shown_filter in shown})


def holder_choices(table: TableContext) -> list[Choice]:
    holders = account_holders(table)
    return [Choice("", _("All")), *(Choice(key, capital(table.name_of(key))) for key in holders)]


def account_choices(table: TableContext, words: MoveWords) -> list[Choice]:
    purse = words.accounts.get(words.purse)
    first = [Choice("", _("All"))]
    if purse:
        without = _("All but %(account)s") % {"account": purse.label}
        first = [Choice("", without), Choice(EVERY, _("All"))]
    accounts = table.accounts_by_key.values()
    return [*first, *(Choice(account.key, capital(account.label)) for account in accounts)]


def turn_choices(table: TableContext) -> list[Choice]:
    turns = range(table.campaign.turn + 1)
    return [Choice("", _("All")), *(Choice(str(turn), turn_name(table, turn)) for turn in turns)]


def cause_choices(table: TableContext, causes: Sequence[str]) -> list[Choice]:
    """Return the kinds of causes, each with the name of what its sentences have in common."""
    spoken: dict[str, list[str]] = {}
    for text in causes:
        phrase = Say(*read(text))
        spoken.setdefault(phrase.id, []).append(capital(table.sentence(phrase)))
    named = sorted((common(key, texts), key) for key, texts in spoken.items())
    twice = {name for (name, _key), (following, _next) in pairwise(named) if name == following}
    return [
        Choice(key, f"{name} ({plain_name(key)})" if name in twice else name) for name, key in named
    ]


def common(key: str, texts: Sequence[str]) -> str:
    """Return what sentences of one kind have in common, as in "Battle of …"; without anything, the
    name of the kind.
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
    """Return the place of the first word in which the sentences differ, as far as all have one."""
    columns = enumerate(zip(*sentences, strict=False))
    return next((place for place, column in columns if len(set(column)) > 1), None)
