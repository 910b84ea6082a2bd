"""`manage.py remove_text KIND REF --reason "…"`: remove a user's text wherever it is shown."""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting.host_acts import HostCommand
from moderation import services
from moderation.models import Kind


class Command(HostCommand):
    help = (
        "Remove a text as a moderator would: readers see when and why it was removed; the text"
        " itself is kept encrypted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=Kind.values)
        parser.add_argument(
            "ref",
            help=(
                "abcdefgh.12 for an entry or evidence, thread.4 for a message, otherwise the 8"
                " characters or the number"
            ),
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        row = services.remove_text(None, options["kind"], options["ref"], options["reason"])
        return [f"Removed: {row.get_kind_display()} {row.ref}.", f"It said: {row.text}"]
