"""The games: what each is, its rules by their numbers, its scenarios, its hall of fame. For everybody."""

from __future__ import annotations

from html import unescape
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.html import strip_tags
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers import titles as form
from api.views.base import Resource, by_pages
from campaign import hall, rulebook
from engine.strict_json import read
from engine.title import Introduced, Title
from games import registry


def find(key: str) -> Title:
    """The game of this key. Raises `Http404`."""
    if key not in registry.TITLES:
        raise Http404
    return registry.TITLES[key]


class TitlesView(Resource):
    @extend_schema(summary="The games", responses=form.Titles)
    def get(self, request: Request) -> Response:
        return self.told(form.Titles, {"results": [line(one) for one in registry.TITLES.values()]})


class TitleView(Resource):
    @extend_schema(summary="One game", responses=form.TitleLine)
    def get(self, request: Request, title: str) -> Response:
        return self.told(form.TitleLine, line(find(title)))


def line(title: Title) -> dict[str, Any]:
    about, lasts = (title.about, title.lasts) if isinstance(title, Introduced) else ("", "")
    return {
        "key": title.key, "name": title.name, "format": title.format, "about": about, "lasts": lasts,
        "alone": registry.solo(title), "together": registry.together(title),
        "accounts": [one._asdict() for one in title.accounts], "scenarios": list(title.scenarios()),
        "rulebook": reverse("api:rulebook", args=[title.key]) if rulebook.text(title.key) else None,
        "hall": reverse("api:hall", args=[title.key]),
    }  # fmt: skip


class ScenarioView(Resource):
    @extend_schema(summary="A shipped scenario", responses=form.Scenario)
    def get(self, request: Request, title: str, key: str) -> Response:
        """With the drawing of its map, where one is shipped: one's own may begin with it."""
        game = find(title)
        found = game.scenarios().get(key)
        if found is None:
            raise Http404
        drawing = by_pages("drawing")(game, found)
        told = {"title": title, "key": key, "scenario": found, "drawing": read(drawing) if drawing else None}
        return self.told(form.Scenario, told)


class RulebookView(Resource):
    @extend_schema(summary="The rules of a game", responses=form.Rulebook)
    def get(self, request: Request, title: str) -> Response:
        """In the language of `Accept-Language`; numbers are the same in every one."""
        name, chapters = rulebook.chapters(find(title).key)
        if not chapters:
            raise Http404
        found = [
            {"number": one.number, "name": one.name,
             "paragraphs": [{"number": p.number, "text": plain(p.html)} for p in one.paragraphs]}
            for one in chapters
        ]  # fmt: skip
        return self.told(form.Rulebook, {"title": title, "name": name, "chapters": found})


class RuleView(Resource):
    @extend_schema(summary="A paragraph of the rules", responses=form.RuleTold)
    def get(self, request: Request, title: str, number: str) -> Response:
        """`7.8`, or the whole chapter `7`: what a refusal cites."""
        for chapter in rulebook.chapters(find(title).key)[1]:
            if number and chapter.number == number:
                text = "\n".join(f"{p.number} {plain(p.html)}".strip() for p in chapter.paragraphs)
                return self.told(form.RuleTold, {"number": number, "chapter": chapter.name, "text": text})
            for one in chapter.paragraphs:
                if number and one.number == number:
                    return self.told(form.RuleTold, {"number": number, "chapter": chapter.name, "text": plain(one.html)})
        raise Http404


def plain(html: str) -> str:
    """A paragraph without its markup."""
    return unescape(strip_tags(html))


class HallView(Resource):
    @extend_schema(summary="The hall of fame of a game", responses=form.Hall)
    def get(self, request: Request, title: str) -> Response:
        """Listed campaigns that have ended, the best first."""
        divisions = [
            {
                "name": name,
                "results": [
                    {"place": one.place, "player": one.finished.player, "points": one.finished.points, "told": one.told,
                     "ended_at": one.finished.ended_at,
                     "campaign": reverse("api:campaign", args=[one.finished.campaign.address])}
                    for one in placed
                ],
            }
            for name, placed in hall.divisions(find(title).key)
        ]  # fmt: skip
        return self.told(form.Hall, {"title": title, "divisions": divisions})
