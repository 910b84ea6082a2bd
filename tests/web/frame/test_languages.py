"""Languages: chosen anywhere, complete in every catalogue."""

import re
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from config import catalogues
from config.management.commands import messages as commands_messages
from people.models import User
from tests.translated import TRANSLATED

ROOT = Path(settings.BASE_DIR)
IN_EACH = pytest.mark.parametrize("language", TRANSLATED)
PERCENT = re.compile(r"%\((\w+)\)[sd]")


def named(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_a_catalogue_has_what_the_code_asks_for_and_no_more() -> None:
    for area, asked in commands_messages.wanted_messages(ROOT).items():
        for language in TRANSLATED:
            known = commands_messages.read(ROOT / "locale" / language / f"{area}.po", language)
            there = {
                (one.id if isinstance(one.id, str) else one.id[0], one.context or "")
                for one in known
                if one.id
            }
            wrong = (set(asked) - there, there - set(asked))
            assert wrong == (set(), set()), f"{language} {area}: python manage.py messages"


@IN_EACH
def test_no_message_is_without_words(language: str) -> None:
    wrong = []
    for area in commands_messages.AREAS:
        for one in commands_messages.read(ROOT / "locale" / language / f"{area}.po", language):
            ids = [one.id] if isinstance(one.id, str) else list(one.id)
            strings = [one.string] if isinstance(one.string, str) else list(one.string)
            if not ids[0]:
                continue
            whole = set().union(*(PERCENT.findall(text) for text in ids))
            wrong += (
                [f"{area}: {ids[0]}"]
                if one.fuzzy or not all(strings) or len(strings) != len(ids)
                else []
            )
            wrong += [
                f"{area}: {ids[0]}" for text in strings if not set(PERCENT.findall(text)) <= whole
            ]
            wrong += [
                f"{area}: {ids[0]}"
                for text in strings[-1:]
                if set(PERCENT.findall(text)) != set(PERCENT.findall(ids[-1]))
            ]
            if not one.python_format and not any(
                part in (one.context or "") for part in (".chronicle.names.", ".rulebook.")
            ):
                # What data names in Latin, a language may call in its own way, and so it may the
                # rows of a rulebook; "1 army" need not name its number.
                wrong += [
                    f"{area}: {ids[0]}"
                    for text in strings
                    if not named_of(text) <= named_of(ids[-1])
                ]
                wrong += [
                    f"{area}: {ids[0]}"
                    for text in strings[-1:]
                    if named_of(text) != named_of(ids[-1])
                ]
    assert wrong == []


@IN_EACH
def test_a_message_says_the_same_in_every_area(language: str) -> None:
    """All areas are compiled into one catalogue: where two mean different things by one word, it
    needs a context.
    """
    content: dict[tuple[object, object], set[object]] = {}
    for area in commands_messages.AREAS:
        for one in commands_messages.read(ROOT / "locale" / language / f"{area}.po", language):
            if one.id:
                content.setdefault(
                    (one.id if isinstance(one.id, str) else one.id[0], one.context), set()
                ).add(str(one.string))
    assert {key: words for key, words in content.items() if len(words) > 1} == {}


def test_catalogues_are_compiled_once_and_named_where_they_are_not(
    tmp_path: Path, settings: Any, caplog: Any
) -> None:
    source, target = tmp_path / "po", tmp_path / "mo"
    settings.LOCALE_PATHS = [target]
    catalogues.at_start()
    assert (
        "missing or outdated: de, es, it. Run: python manage.py messages --compile" in caplog.text
    )
    assert [one.id for one in catalogues.check()] == ["tabula.W001"]
    call_command("messages", "--compile", verbosity=0)
    caplog.clear()
    catalogues.at_start()
    assert (catalogues.check(), caplog.text) == ([], "")

    (source / "it").mkdir(parents=True)
    po = source / "it" / "site.po"
    po.write_text(
        'msgid "a sword"\nmsgstr "una spada"\n#, fuzzy\nmsgid "a shield"\nmsgstr "una spada"\n',
        encoding="utf-8",
    )
    assert [catalogues.compile_outdated(target, source) for _ in range(2)] == [
        ["de", "es", "it"],
        [],
    ]
    with (target / "it" / "LC_MESSAGES" / "django.mo").open("rb") as opened:
        known = GNUTranslations(opened)
    assert [known.gettext(text) for text in ("a sword", "a shield")] == [
        "una spada",
        "a shield",
    ], "doubtful words wait"
    po.write_text('msgid "a sword"\nmsgstr "la spada"\n', encoding="utf-8")
    assert catalogues.outdated(target, source) == ["it"]


def test_words_of_a_text_that_has_changed_wait_for_a_translator() -> None:
    known = Catalog(locale="it")
    known.add("It holds.", "Resiste.", context="heap.words.held")
    known.add("left", "resta", context="heap.words.left")
    wanted = [
        commands_messages.Message("It held.", "", "heap.words.held"),
        commands_messages.Message("left", "", "heap.words.left"),
    ]
    created = commands_messages.renewed_catalogue(wanted, "it", [known])
    assert [(one.id, one.string, one.fuzzy) for one in created if one.id] == [
        ("It held.", "Resiste.", True),
        ("left", "resta", False),
    ]


def named_of(text: str) -> set[str]:
    """What stands in braces for `str.format`; a text with other braces has none."""
    try:
        return named(text)
    except ValueError:
        return set()


@pytest.mark.django_db
def test_a_stranger_reads_in_the_language_of_his_browser_and_changes_it() -> None:
    client = Client(headers={"accept-language": "it-IT,it;q=0.9,en;q=0.5"})
    page = client.get("/sign-in/")
    assert page["Content-Language"] == "it"
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", page["Vary"]))
    assert '<html lang="it"' in page.content.decode()
    answer = client.post("/language/", {"language": "en", "next": "/rules/"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/")
    assert '<html lang="en"' in client.get("/sign-in/").content.decode()


@pytest.mark.django_db
def test_who_is_signed_in_keeps_his_language_on_every_device(person: Any) -> None:
    user, here, there = person("Ingrid"), Client(), Client(headers={"accept-language": "en"})
    here.force_login(user)
    there.force_login(user)
    assert here.post("/language/", {"language": "it", "next": "//else.example/"})["Location"] == "/"
    assert User.objects.get(pk=user.pk).language == "it"
    assert '<html lang="it"' in there.get("/me/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["", "xx", "en-GB", "it\0", "../it"])
def test_no_other_language_can_be_chosen(language: str) -> None:
    answer = Client().post("/language/", {"language": language, "next": "/"})
    assert answer.status_code == 400
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies


@pytest.mark.parametrize("language", [key for key, _ in settings.LANGUAGES])
def test_a_picture_of_the_map_has_an_address_in_each_language(language: str) -> None:
    assert reverse("map_picture_at", args=["campaign", 7, language]).endswith(f"/7.{language}.png")
