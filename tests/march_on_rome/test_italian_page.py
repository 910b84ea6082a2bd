"""The page of a reign in Italian; numbers that a browser reads are not localized."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.march_on_rome.test_page_web import MOMENTS, Window

pytestmark = pytest.mark.django_db


def test_a_battle_that_waits_for_a_commitment(person: Callable[..., Any]) -> None:
    seed, there, _ = MOMENTS["devote"]
    window = Window(person("Anna"), seed, there)
    page = window.client.get(window.home, headers={"accept-language": "it"}).content.decode()
    text = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
    for content in (
        "Battaglia 1 · anno 2 · il tuo attacco Asia → Acaia",
        "Quante vanno in Acaia? tocca a te",
        "Galba ha l’iniziativa: scegli prima tu, e il rivale risponde dopo.",
        (
            "Sei più forte, 13 a 10, e il rivale rischia più legioni. Arrotondato per eccesso; mai"
            " più di quante ne ha il generale."
        ),
        "Albinus offre un’alleanza a chi tiene l’ Acaia",
        "Poi il rivale tira e la battaglia si combatte fino in fondo.",
        "89% 98% 95%",
    ):
        assert content in text
    assert "10,1" in text
    assert 'data-none="Cedi l’Acaia"' in html.unescape(page)
    shares = re.findall(r'style="--[pw]:([^"%]*)%"', page)
    assert len(shares) > 20
    assert [share for share in shares if not re.fullmatch(r"\d+\.\d", share)] == []


def test_a_choice_among_neighbours(person: Callable[..., Any]) -> None:
    window = Window(person("Anna"), 363, lambda position: position.phase == "pc", "Ursus")
    page = window.client.get(window.home, headers={"accept-language": "it"}).content.decode()
    text = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
    for content in (
        "La tua azione, anno 1 tocca a te",
        "Offri un’alleanza",
        "Si tira l’iniziativa, poi scegli quante delle",
        "Detentori",
    ):
        assert content in text
    assert "Ursus" in text
    assert "your" not in text.casefold()
