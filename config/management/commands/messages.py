"""Update the catalogues of messages from the code.

Write a template for each area and update the catalogues of each language from it. Then compile
them, and renew the tables in the guides that are made from the rules. With --compile only compile,
as each installation does. With --check change nothing, and fail if a language is not ready for a
release.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import catalogues
from config.message_catalogues import (
    Translations,
    incomplete,
    read,
    update,
    write,
    wrong_placeholders,
)
from config.message_sources import AREAS, key, singular, template_catalogues
from engine.language import FIRST, LANGUAGES, use_language
from games.registry import TITLES

TRANSLATED = tuple(language for language in LANGUAGES if language != FIRST)


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()  # one of them asks for this command

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--compile", action="store_true", help="only compile the catalogues")
        parser.add_argument(
            "--check", action="store_true", help="only check that all languages are complete"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.BASE_DIR, "locale")
        if options["check"]:
            self.check_languages(folder)
            return
        if not options["compile"]:
            self.update_catalogues(folder)
        names = catalogues.compile_outdated(Path(settings.LOCALE_PATHS[0]))
        if names and options["verbosity"]:
            self.stdout.write(f"Compiled: {', '.join(names)}")
        if not options["compile"]:
            self.renew_guides()

    def update_catalogues(self, folder: Path) -> None:
        """Write the templates and update the catalogues of all languages from them."""
        templates = template_catalogues(Path(settings.BASE_DIR))
        wanted = {singular(message) for template in templates.values() for message in template}
        for area, template in templates.items():
            write(template, folder / f"{area}.pot")
        for language in TRANSLATED:
            files = {path.stem: path for path in sorted((folder / language).glob("*.po"))}
            known = {area: read(file, language) for area, file in files.items()}
            translations = Translations(known.values())
            for area, template in templates.items():
                file = folder / language / f"{area}.po"
                catalogue = known.get(area) or read(file, language)
                update(catalogue, template, translations, wanted)
                write(catalogue, file)
                missing, fuzzy = incomplete(catalogue)
                self.stdout.write(
                    f"{language}/{area}: {len(catalogue)} messages,"
                    f" {missing} missing, {fuzzy} fuzzy"
                )
            for area in files.keys() - AREAS.keys():
                files[area].unlink()
                self.stdout.write(
                    f"Deleted: {language}/{area}.po, because this area no longer exists"
                )

    def check_languages(self, folder: Path) -> None:
        """Report what is not ready for a release, and fail if anything is not."""
        faults = list(outdated_catalogues(folder))
        for language in TRANSLATED:
            counts = {"missing": 0, "fuzzy": 0, "wrong": 0}
            for area in AREAS:
                catalogue = read(folder / language / f"{area}.po", language)
                missing, fuzzy = incomplete(catalogue)
                wrong = list(wrong_placeholders(catalogue, language))
                faults += [f"{language}/{area}: wrong placeholders: {text}" for text in wrong]
                if missing or fuzzy:
                    faults.append(f"{language}/{area}: {missing} missing, {fuzzy} fuzzy")
                counts["missing"] += missing
                counts["fuzzy"] += fuzzy
                counts["wrong"] += len(wrong)
            self.stdout.write(
                f"{language}: {counts['missing']} missing, {counts['fuzzy']} fuzzy,"
                f" {counts['wrong']} with wrong placeholders"
            )
        if faults:
            raise CommandError("Not ready for a release:\n" + "\n".join(faults))

    def renew_guides(self) -> None:
        """Write the tables of the guides anew from the rules."""
        from games.contract.title import WithAmendments

        for language in LANGUAGES:
            folder = "" if language == FIRST else language
            guide = Path(settings.BASE_DIR, "docs", folder, "build/scenarios.md")
            if not guide.is_file():  # not translated yet
                continue
            old = guide.read_text("utf-8")
            new = old
            with use_language(language):
                for title in TITLES.values():
                    new = title.documented(new) if isinstance(title, WithAmendments) else new
            if new != old:
                guide.write_text(new, "utf-8")
                self.stdout.write(f"Updated: {guide.relative_to(settings.BASE_DIR)}")


def outdated_catalogues(folder: Path) -> list[str]:
    """Return the files whose messages are not those of the code."""
    outdated = []
    for area, template in template_catalogues(Path(settings.BASE_DIR)).items():
        wanted = {key(message) for message in template}
        for file in [
            folder / f"{area}.pot",
            *(folder / name / f"{area}.po" for name in TRANSLATED),
        ]:
            if {key(message) for message in read(file)} != wanted:
                name = file.relative_to(folder)
                outdated.append(f"{name} is outdated. Run: python manage.py messages")
    return outdated
