"""The help page."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.translation import gettext as _

from people.models import User
from web.help.guides import GUIDES
from web.help.steps import StepList, master_steps, player_steps
from web.help.words import QUESTIONS, WORDS
from web.titles import cards


@dataclass(frozen=True, slots=True)
class HelpLink:
    """A link to an explanatory text."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class HelpPage:
    """The first steps, the glossary, the frequent questions, and links to all other help."""

    lists: list[StepList]
    words: list[tuple[str, str]]
    questions: list[tuple[str, str]]
    links: list[HelpLink]


def help_page(user: User | AnonymousUser) -> HelpPage:
    """Return the page with the steps of the reader's newest campaigns, in at most six queries."""
    return HelpPage(
        lists=[master_steps(user), player_steps(user)],
        words=[(str(word), str(meaning)) for word, meaning in WORDS],
        questions=[(str(question), str(answer)) for question, answer in QUESTIONS],
        links=[*guide_links(), *lesson_links(), *other_links()],
    )


def guide_links() -> list[HelpLink]:
    return [
        HelpLink(str(guide.name), reverse("guide", args=[key])) for key, guide in GUIDES.items()
    ]


def lesson_links() -> list[HelpLink]:
    """Return links to the lessons of the titles that have a lesson."""
    return [
        HelpLink(
            _("Learn %(name)s in five minutes") % {"name": card.name},
            reverse("learn", args=[card.key]),
        )
        for card in cards()
        if card.lesson
    ]


def other_links() -> list[HelpLink]:
    return [
        HelpLink(_("The rules of the games"), reverse("rules")),
        HelpLink(_("For programmers: the API"), reverse("api:docs")),
    ]
