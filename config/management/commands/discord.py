"""`manage.py discord`: register the commands of the application at Discord."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from outgoing.client import Client, OutsideError
from web.discord.commands import command_descriptions

API = "https://discord.com/api/v10"


class Command(BaseCommand):
    help = (
        "Register the commands of this site's application at Discord. Run it once, and again"
        " after an upgrade (docs/host/discord.md)."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = ("DISCORD_PUBLIC_KEY", "DISCORD_APPLICATION_ID", "DISCORD_BOT_TOKEN")
        if missing := [name for name in wanted if not getattr(settings, name)]:
            raise CommandError(f"Set {', '.join(missing)} first (docs/host/discord.md).")
        url = f"{API}/applications/{settings.DISCORD_APPLICATION_ID}/commands"
        try:
            answer = Client().put(
                url,
                json=command_descriptions(),
                headers={"Authorization": f"Bot {settings.DISCORD_BOT_TOKEN}"},
            )
        except OutsideError as error:
            raise CommandError(str(error)) from None
        if answer.status != 200:
            raise CommandError(f"Discord answered {answer.status}: {answer.text[:300]}")
        self.stdout.write(f"{len(command_descriptions())} commands have been registered.")
