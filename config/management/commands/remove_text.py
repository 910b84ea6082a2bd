"""`manage.py remove_text KIND REF --reason "…"`: a text that a person typed goes wherever it is
shown.
"""

from argparse import ArgumentParser
from typing import Any

from campaign.hosting.host_acts import HostCommand
from moderation import services
from moderation.models import Kind


class Command(HostCommand):
    help = (
        "Remove a text as a moderator does: its readers see that, when and why; what it said is"
        " kept sealed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=Kind.values)
        parser.add_argument(
            "ref",
            help=(
                "entry and evidence: abcdefgh.12; message: thread.4; else the 8 signs or the number"
            ),
        )
        super().add_arguments(parser)

    def do(self, options: dict[str, Any]) -> list[str]:
        row = services.remove_text(None, options["kind"], options["ref"], options["reason"])
        return [f"Removed: {row.get_kind_display()} {row.ref}.", f"It said: {row.text}"]
