"""Brings the catalogues of messages up to the code: what is new is added, what nobody asks for any more goes."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from engine.language import FIRST, LANGUAGES
from web.shell import messages


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        for language in (name for name in LANGUAGES if name != FIRST):
            folder = root / "locale" / language
            known = {name: messages.read(folder / f"{name}.po", language) for name in messages.AREAS}
            for name, asked in messages.wanted_messages(root).items():
                others = [catalogue for area, catalogue in known.items() if area != name]
                made = messages.renewed(asked.values(), language, [known[name], *others])
                messages.write(made, folder / f"{name}.po")
                missing = sum(1 for one in made if one.id and (one.fuzzy or not messages.is_translated(one.string)))
                self.stdout.write(f"{language}/{name}: {len(made)} messages, {missing} without words")
