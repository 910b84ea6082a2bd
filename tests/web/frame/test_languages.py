"""Languages: catalogues that agree with the code, and the choice of a language."""

import re
import shutil
import subprocess
from gettext import GNUTranslations
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings
from django.core.management import CommandError, call_command
from django.template import engines
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from config import catalogues
from config.management.commands import messages as commands_messages
from config.message_catalogues import Translations, read, update, write, wrong_placeholders
from config.message_comments import kinds_in_python, kinds_in_template
from config.message_sources import AREAS, key, messages_of_file, singular
from people.models import User
from tests.translated import TRANSLATED

ROOT = Path(settings.BASE_DIR)
IN_EACH = pytest.mark.parametrize("language", TRANSLATED)


def stored(language: str) -> dict[str, Catalog]:
    return {area: read(ROOT / "locale" / language / f"{area}.po", language) for area in AREAS}


def test_every_package_belongs_to_an_area() -> None:
    """The messages of a package without an area would never be translated."""
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    roots = {folder.split("/")[0] for folders in AREAS.values() for folder in folders}
    assert packages <= roots


def test_catalogues_have_exactly_the_messages_of_the_code() -> None:
    assert commands_messages.outdated_catalogues(ROOT / "locale") == []


@IN_EACH
def test_translations_have_the_placeholders_of_the_english_text(language: str) -> None:
    wrong = {
        area: [*wrong_placeholders(known, language)] for area, known in stored(language).items()
    }
    assert {area: texts for area, texts in wrong.items() if texts} == {}


@IN_EACH
def test_a_message_has_the_same_translation_in_every_area(language: str) -> None:
    """All areas are compiled into one catalogue: two meanings of one word need a context."""
    translations: dict[tuple[str, str], set[str]] = {}
    for known in stored(language).values():
        for message in known:
            if message.id and message.string and not message.fuzzy:
                translations.setdefault(key(message), set()).add(str(message.string))
    assert {name: texts for name, texts in translations.items() if len(texts) > 1} == {}


def test_short_messages_have_a_context_if_they_are_in_several_files() -> None:
    """One English word may need several translations: "Battle" on a button and above a column."""
    files: dict[str, set[str]] = {}
    for area in AREAS:
        for message in read(ROOT / "locale" / f"{area}.pot"):
            if not message.context and 0 < len(singular(message).split()) <= 4:
                files.setdefault(singular(message), set()).update(
                    file for file, _ in message.locations
                )
    assert {text: where for text, where in files.items() if len(where) > 1} == {}


PIECES = {
    " and ": "stands between the last two names of a list of any length",
    " or ": "stands between the last two names of a list of any length",
    "%(name)s,": "is the salutation of a letter, alone on its line",
}
"""Messages that are pieces of a line, with the reason why they cannot be whole messages."""


def test_messages_do_not_begin_or_end_in_the_middle_of_a_line() -> None:
    """A text that is added to another one cannot be put in another place by a translator."""
    part = re.compile(r"^(?:<[^>]*>)*(?:[\s,;:.)]|\([^\W\d_])|[\s,;(](?:<[^>]*>)*$")
    pieces = {
        form
        for area in AREAS
        for message in read(ROOT / "locale" / f"{area}.pot")
        if message.id
        for form in (message.id if isinstance(message.id, (tuple, list)) else (message.id,))
        if part.search(form)
    }
    assert pieces == set(PIECES)


def test_a_message_has_a_plural_in_every_area_or_in_none() -> None:
    plurals: dict[tuple[str, str], set[bool]] = {}
    for area in AREAS:
        for message in read(ROOT / "locale" / f"{area}.pot"):
            plurals.setdefault(key(message), set()).add(message.pluralizable)
    assert [name for name, kinds in plurals.items() if len(kinds) > 1] == []


@IN_EACH
def test_gettext_accepts_the_catalogues(language: str) -> None:
    if not shutil.which("msgfmt"):
        pytest.skip("msgfmt is not installed (package gettext)")
    for area in AREAS:
        file = ROOT / "locale" / language / f"{area}.po"
        done = subprocess.run(
            ["msgfmt", "--check", "--output-file=/dev/null", file],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


@IN_EACH
def test_catalogues_have_a_header_and_no_format_that_gettext_would_check(language: str) -> None:
    for area in AREAS:
        text = (ROOT / "locale" / language / f"{area}.po").read_text("utf-8")
        header = text.split("\n\n")[0]
        for line in (
            "Project-Id-Version: Tabula",
            f"Language: {language}",
            "Plural-Forms: nplurals=",
            "Content-Type: text/plain; charset=utf-8",
        ):
            assert line in header, f"{language}/{area}"
        assert not re.search(r"^#,(?:.*,)? python-brace-format", text, re.MULTILINE)


def test_catalogues_are_compiled_once_and_named_where_they_are_not(
    tmp_path: Path, settings: Any, caplog: Any
) -> None:
    source, target = tmp_path / "po", tmp_path / "mo"
    settings.LOCALE_PATHS = [target]
    catalogues.at_start()
    assert (
        "missing or outdated: de, es, it. Run: python manage.py messages --compile" in caplog.text
    )
    assert [warning.id for warning in catalogues.check()] == ["tabula.W001"]
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


def updated(known: Catalog, *messages: Message, others: tuple[Catalog, ...] = ()) -> list[Message]:
    """Return the messages of a catalogue after an update to these messages."""
    template = Catalog()
    for message in messages:
        template[message.id] = message
    asked = {singular(message) for message in messages}
    update(known, template, Translations([known, *others]), asked)
    return [message for message in known if message.id]


def test_a_changed_text_of_a_table_keeps_the_translation_of_its_id_as_fuzzy() -> None:
    known = Catalog(locale="it")
    known.add("It holds.", "Resiste.", context="heap.words.held")
    known.add("left", "resta", context="heap.words.left")
    created = updated(
        known,
        Message("The wall did not fall.", context="heap.words.held"),
        Message("left", context="heap.words.left"),
    )
    assert [(entry.id, entry.string, entry.fuzzy, entry.previous_id) for entry in created] == [
        ("The wall did not fall.", "Resiste.", True, ["It holds."]),
        ("left", "resta", False, []),
    ]
    assert known.obsolete == {}


def test_a_changed_message_keeps_the_nearest_translation_as_fuzzy(tmp_path: Path) -> None:
    known = Catalog(locale="it")
    known.add("The campaign ended at noon.", "La campagna è finita a mezzogiorno.")
    known.add(("%(n)s fleet", "%(n)s fleets"), ("%(n)s flotta", "%(n)s flotte"))
    known.add("Burn the ships", "Brucia le navi")
    wanted = Message("The campaign has ended at noon.")
    created = updated(known, wanted)
    assert [(entry.string, entry.fuzzy, entry.previous_id) for entry in created] == [
        ("La campagna è finita a mezzogiorno.", True, ["The campaign ended at noon."])
    ]
    assert {singular(entry) for entry in known.obsolete.values()} == {
        "%(n)s fleet",
        "Burn the ships",
    }

    # A second change keeps the text that was translated; a file keeps all this.
    file = tmp_path / "site.po"
    write(known, file)
    assert '#| msgid "The campaign ended at noon."' in file.read_text("utf-8")
    assert '#~ msgid "Burn the ships"' in file.read_text("utf-8")
    known = read(file, "it")
    created = updated(known, Message("This campaign has ended at noon."))
    assert created[0].previous_id == ["The campaign ended at noon."]
    assert created[0].fuzzy

    # A text that returns takes its obsolete translation.
    created = updated(known, Message("Burn the ships"))
    assert [(entry.string, entry.fuzzy) for entry in created] == [("Brucia le navi", False)]


def test_a_message_that_moves_or_gets_a_context_keeps_its_translation() -> None:
    other = Catalog(locale="it")
    other.add("Save", "Salva")
    created = updated(
        Catalog(locale="it"),
        Message("Save"),
        Message("Save", context="button"),
        others=(other,),
    )
    assert [(entry.string, entry.fuzzy) for entry in created] == [("Salva", False)] * 2


def test_writing_a_catalogue_again_changes_nothing(tmp_path: Path) -> None:
    source, file = ROOT / "locale" / "de" / "play.po", tmp_path / "play.po"
    write(read(source, "de"), file)
    assert file.read_bytes() == source.read_bytes()


def test_an_incomplete_language_fails_the_check_of_a_release(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.setattr(commands_messages, "outdated_catalogues", lambda folder: [])
    command = commands_messages.Command()
    command.check_languages(tmp_path)
    known = Catalog(locale="it")
    known.add("Save")
    known.add("Undo", "Annulla", flags=["fuzzy"])
    known.add("{n} moves", "{m} mosse")
    write(known, tmp_path / "it" / "play.po")
    with pytest.raises(CommandError, match="it/play: 1 missing, 1 fuzzy"):
        command.check_languages(tmp_path)
    assert "it: 1 missing, 1 fuzzy, 1 with wrong placeholders" in capsys.readouterr().out


def test_a_wrong_placeholder_or_form_is_found() -> None:
    known = Catalog(locale="it")
    known.add("{nation:The} {nation:attack|attacks}", "{nation:Il} {nation:attaccano|attacca}")
    known.add("The seat of {name:the}", "Il posto {name:dei}")
    known.add("%(n)s of %(m)s", "%(n)s di tutti")
    known.add("{n} moves", "{m} mosse")
    assert list(wrong_placeholders(known, "it")) == [
        "The seat of {name:the}",
        "%(n)s of %(m)s",
        "{n} moves",
    ]


def test_comments_say_where_a_message_is_shown() -> None:
    template = """<h2>{{ _("Seats") }}</h2>
<a class="button" href="/">{{ _("Save") }}</a> <a href="/">{{ _("Help") }}</a>
<p>{{ _("Nothing is known.") }}</p>
<button aria-label="{{ _("Close") }}">{% trans %}Go on{% endtrans %}</button>"""
    assert kinds_in_template(template) == {
        (1, "Seats"): "Heading",
        (2, "Save"): "Button",
        (2, "Help"): "Link",
        (4, "Close"): "Tooltip or name for screen readers",
        (4, ""): "Button",
    }
    module = """
class State(TextChoices):
    OPEN = "open", _("Open")
def look():
    text = _("A text")
    raise NotFound(_("There is no such seat.") % {})
"""
    assert kinds_in_python(module) == {
        "Open": "Option",
        "There is no such seat.": "Error message",
    }


def test_templates_show_messages_with_a_context_in_the_language_of_the_reader() -> None:
    template = engines["jinja2"].from_string(
        '{{ pgettext("own move", "Undo") }}, {% trans "own move" %}Undo{% endtrans %}, '
        '{{ npgettext("no context", "%(num)s <ship", "%(num)s <ships", 2) }}'
    )
    with override("de"):
        assert template.render() == "Zurücknehmen, Zurücknehmen, 2 <ships"


def test_messages_with_a_context_are_found_in_templates_and_code(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(
        "{# Translators: short #}\n"
        '{{ pgettext("button", "Save") }}\n'
        '{{ npgettext("fleet", "%(num)s ship", "%(num)s ships", 2) }}\n'
        '{% trans "sword" %}Draw{% endtrans %}\n'
    )
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "page.py").write_text(
        '# Translators: short\npgettext_lazy("tab", "Save")\n'
        'npgettext("army", "{n} unit", "{n} units", n)\n'
    )
    extracted = [
        (message.context, message.id)
        for path in ("templates/page.html", "web/page.py")
        for message in messages_of_file(tmp_path, path)
    ]
    assert extracted == [
        ("button", "Save"),
        ("fleet", ("%(num)s ship", "%(num)s ships")),
        ("sword", "Draw"),
        ("tab", "Save"),
        ("army", ("{n} unit", "{n} units")),
    ]
    first = next(messages_of_file(tmp_path, "web/page.py"))
    assert "short" in first.auto_comments
    first = next(messages_of_file(tmp_path, "templates/page.html"))
    assert "short" in first.auto_comments


@pytest.mark.django_db
def test_a_stranger_gets_the_language_of_the_browser_and_can_change_it() -> None:
    client = Client(headers={"accept-language": "it-IT,it;q=0.9,en;q=0.5"})
    page = client.get("/sign-in/")
    assert page["Content-Language"] == "it"
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", page["Vary"]))
    assert '<html lang="it"' in page.content.decode()
    answer = client.post("/language/", {"language": "en", "next": "/rules/"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/")
    assert '<html lang="en"' in client.get("/sign-in/").content.decode()


@pytest.mark.django_db
def test_a_signed_in_user_keeps_their_language_on_every_device(person: Any) -> None:
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
