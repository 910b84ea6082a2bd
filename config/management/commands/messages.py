"""Brings the catalogues of messages up to the code: what is new is added, what nobody asks for any more goes. Then compiles
them, and renews the tables in the guides that are made from the rules. With --compile it only compiles, which is a step of every
installation."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config import catalogues
from engine.language import FIRST, LANGUAGES, reading_in


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()  # one of them asks for this command

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--compile", action="store_true", help="only compile what is there")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["compile"]:
            self.bring_up_to_date()
        names = catalogues.compile_outdated(Path(settings.LOCALE_PATHS[0]))
        if names and options["verbosity"]:
            self.stdout.write(f"Compiled: {', '.join(names)}")
        if not options["compile"]:
            self.renew_guides()

    def bring_up_to_date(self) -> None:
        from web.shell import messages

        root = Path(settings.BASE_DIR)
        for language in (name for name in LANGUAGES if name != FIRST):
            folder = root / "locale" / language
            known = {name: messages.read(folder / f"{name}.po", language) for name in messages.AREAS}
            for name, asked in messages.wanted_messages(root).items():
                others = [catalogue for area, catalogue in known.items() if area != name]
                renewed = messages.renewed(asked.values(), language, [known[name], *others])
                messages.write(renewed, folder / f"{name}.po")
                missing = sum(1 for one in renewed if one.id and (one.fuzzy or not messages.is_translated(one.string)))
                self.stdout.write(f"{language}/{name}: {len(renewed)} messages, {missing} without words")

    def renew_guides(self) -> None:
        from games.contract.title import Amendable
        from games.registry import TITLES

        for language in LANGUAGES:
            guide = Path(settings.BASE_DIR, "docs", "" if language == FIRST else language, "scenarios.md")
            if not guide.is_file():  # not translated yet
                continue
            was = guide.read_text("utf-8")
            now = was
            with reading_in(language):
                for title in TITLES.values():
                    now = title.documented(now) if isinstance(title, Amendable) else now
            if now != was:
                guide.write_text(now, "utf-8")
                self.stdout.write(f"Renewed: {guide.relative_to(settings.BASE_DIR)}")
