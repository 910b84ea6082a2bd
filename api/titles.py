"""The games: what each is, its rules, its scenarios, its hall of fame."""

from __future__ import annotations

from html import unescape
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.html import strip_tags
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Resource, written
from campaign import hooks, rulebook, scenarios, status
from campaign.models import Scenario as Shelved
from campaign.models import Scenario as models_Scenario
from engine.strict_json import read
from games import registry
from games.contract.title import Introduced, Title


class AccountKind(s.Serializer):
    key = s.CharField()
    label = s.CharField()  # type: ignore[assignment]
    unit = s.CharField(allow_blank=True)
    scale = s.IntegerField(help_text="How many units make a whole: 2 for half-actions.")


class TitleLine(s.Serializer):
    """A game that is played here."""

    key = s.CharField()
    name = s.CharField()
    format = s.CharField(help_text="Of its records, with the edition of the rules.")
    about = s.CharField(allow_blank=True)
    lasts = s.CharField(allow_blank=True)
    alone = s.BooleanField(help_text="Is it played alone?")
    together = s.BooleanField(help_text="May several play it at one table?")
    accounts = AccountKind(many=True)
    scenarios = s.ListField(child=s.CharField())
    rulebook = s.CharField(allow_null=True)
    hall = s.CharField()


class Titles(s.Serializer):
    results = TitleLine(many=True)


class Scenario(s.Serializer):
    title = s.CharField()
    key = s.CharField()
    scenario = s.JSONField(help_text="As a record has it.")
    drawing = s.JSONField(allow_null=True, help_text="Of its map; null where none is shipped.")


class ShelfLine(s.Serializer):
    """A scenario of somebody's."""

    ref = s.CharField()
    name = s.CharField()
    title = s.CharField()
    owner = s.CharField()
    sharing = s.ChoiceField(Shelved.Sharing.choices)
    drawn = s.BooleanField(help_text="Has it a map of its own?")
    made_at = s.DateTimeField()
    url = s.CharField()


class ShelfPage(s.Serializer):
    results = ShelfLine(many=True)
    next = s.CharField(allow_null=True)


class ShelfWhole(ShelfLine):
    scenario = s.JSONField(help_text="As a record has it.")
    drawing = s.JSONField(allow_null=True)


class Paragraph(s.Serializer):
    number = s.CharField(allow_blank=True)
    text = s.CharField()


class Chapter(s.Serializer):
    number = s.CharField(allow_blank=True)
    name = s.CharField(allow_blank=True)
    paragraphs = Paragraph(many=True)


class Rulebook(s.Serializer):
    """The rules in the language that was asked for."""

    title = s.CharField()
    name = s.CharField()
    chapters = Chapter(many=True)


class RuleTold(s.Serializer):
    """A paragraph, or the chapter of that number with all of its own."""

    number = s.CharField()
    chapter = s.CharField()
    text = s.CharField()


class Famed(s.Serializer):
    place = s.IntegerField()
    player = s.CharField(allow_blank=True)
    points = s.IntegerField()
    told = s.CharField(allow_blank=True, help_text="What it came to.")
    ended_at = s.DateTimeField()
    campaign = s.CharField()


class Division(s.Serializer):
    """What is alike and compared."""

    name = s.CharField(allow_blank=True)
    results = Famed(many=True)


class Hall(s.Serializer):
    title = s.CharField()
    divisions = Division(many=True)


# The games: what each is, its rules by their numbers, its scenarios, its hall of fame. For
# everybody.


def find(key: str) -> Title:
    """The game of this key. Raises `Http404`."""
    if key not in registry.TITLES:
        raise Http404
    return registry.TITLES[key]


class TitlesView(Resource):
    @extend_schema(summary="The games", responses=Titles)
    def get(self, request: Request) -> Response:
        return self.answer(
            Titles, {"results": [title_row(one) for one in registry.TITLES.values()]}
        )


class TitleView(Resource):
    @extend_schema(summary="One game", responses=TitleLine)
    def get(self, request: Request, title: str) -> Response:
        return self.answer(TitleLine, title_row(find(title)))


def title_row(title: Title) -> dict[str, Any]:
    about, lasts = (title.about, title.lasts) if isinstance(title, Introduced) else ("", "")
    return {
        "key": title.key,
        "name": title.name,
        "format": title.format,
        "about": about,
        "lasts": lasts,
        "alone": registry.solo(title),
        "together": registry.together(title),
        "accounts": [one._asdict() for one in title.accounts],
        "scenarios": list(title.scenarios()),
        "rulebook": (
            reverse("api:rulebook", args=[title.key]) if rulebook.rules_text(title.key) else None
        ),
        "hall": reverse("api:hall", args=[title.key]),
    }


class ScenarioView(Resource):
    @extend_schema(summary="A shipped scenario", responses=Scenario)
    def get(self, request: Request, title: str, key: str) -> Response:
        """With the drawing of its map, where one is shipped: one's own may begin with it."""
        game = find(title)
        scenario = game.scenarios().get(key)
        if scenario is None:
            raise Http404
        drawing = hooks.scenario_drawing(game, scenario)
        facts = {
            "title": title,
            "key": key,
            "scenario": scenario,
            "drawing": read(drawing) if drawing else None,
        }
        return self.answer(Scenario, facts)


class RulebookView(Resource):
    @extend_schema(summary="The rules of a game", responses=Rulebook)
    def get(self, request: Request, title: str) -> Response:
        """In the language of `Accept-Language`; numbers are the same in every one."""
        name, chapters = rulebook.chapters(find(title).key)
        if not chapters:
            raise Http404
        results = [
            {
                "number": one.number,
                "name": one.name,
                "paragraphs": [{"number": p.number, "text": plain(p.html)} for p in one.paragraphs],
            }
            for one in chapters
        ]
        return self.answer(Rulebook, {"title": title, "name": name, "chapters": results})


class RuleView(Resource):
    @extend_schema(summary="A paragraph of the rules", responses=RuleTold)
    def get(self, request: Request, title: str, number: str) -> Response:
        """`7.8`, or the whole chapter `7`: what a refusal cites."""
        for chapter in rulebook.chapters(find(title).key)[1]:
            if number and chapter.number == number:
                text = "\n".join(f"{p.number} {plain(p.html)}".strip() for p in chapter.paragraphs)
                return self.answer(
                    RuleTold, {"number": number, "chapter": chapter.name, "text": text}
                )
            for one in chapter.paragraphs:
                if number and one.number == number:
                    return self.answer(
                        RuleTold,
                        {"number": number, "chapter": chapter.name, "text": plain(one.html)},
                    )
        raise Http404


def plain(html: str) -> str:
    """A paragraph without its markup."""
    return unescape(strip_tags(html))


class HallView(Resource):
    @extend_schema(summary="The hall of fame of a game", responses=Hall)
    def get(self, request: Request, title: str) -> Response:
        """Listed campaigns that have ended, the best first."""
        divisions = [
            {
                "name": name,
                "results": [
                    {
                        "place": one.place,
                        "player": one.finished.player,
                        "points": one.finished.points,
                        "told": one.outcome,
                        "ended_at": one.finished.ended_at,
                        "campaign": reverse("api:campaign", args=[one.finished.campaign.address]),
                    }
                    for one in placed
                ],
            }
            for name, placed in status.divisions(find(title).key)
        ]
        return self.answer(Hall, {"title": title, "divisions": divisions})


# Scenarios that people have brought: one's own, and those that are shared.

MINE = OpenApiParameter(
    "mine", {"type": "boolean"}, description="Your own in place of those of others."
)


class ShelfView(Resource):
    @extend_schema(
        summary="Scenarios that people share",
        responses=ShelfPage,
        parameters=[*base.PARAMETERS, MINE],
    )
    def get(self, request: Request) -> Response:
        """The newest first. Shipped ones are with their titles."""
        mine = request.GET.get("mine") == "true"
        if mine and not request.user.is_authenticated:
            raise NotAuthenticated
        shelf = (
            scenarios.scenarios_of_user(request.user) if mine else scenarios.public(request.user)
        )
        shelf = shelf.filter(title__in=list(registry.TITLES)).order_by("-made_at", "-pk")
        return base.page(
            request, shelf, lambda some: written(ShelfLine, [shelf_row(one) for one in some])
        )


class ShelvedView(Resource):
    @extend_schema(summary="A scenario that somebody shares", responses=ShelfWhole)
    def get(self, request: Request, scenario: str) -> Response:
        """With its drawing, if it has one: as a campaign is founded with it."""
        row = scenarios.seen(scenario, request.user)
        if row is None or row.title not in registry.TITLES:
            raise Http404
        drawing = read(row.drawing.text) if row.drawing else None
        return self.answer(
            ShelfWhole, {**shelf_row(row), "scenario": read(row.text), "drawing": drawing}
        )


def shelf_row(one: models_Scenario) -> dict[str, Any]:
    return {
        "ref": one.public_id,
        "name": one.name,
        "title": one.title,
        "owner": one.owner.username,
        "sharing": one.sharing,
        "drawn": one.drawing_id is not None,
        "made_at": one.made_at,
        "url": reverse("api:shelved", args=[one.public_id]),
    }
