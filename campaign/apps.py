import sys
from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate


class Campaign(AppConfig):
    name = "campaign"
    verbose_name = "Campaign"

    def ready(self) -> None:
        from campaign import keys

        register(keys.check, Tags.database)
        post_migrate.connect(bring_up_to_date, sender=self)


def bring_up_to_date(using: str = "default", verbosity: int = 1, **of_migrate: Any) -> None:
    """The last step of `migrate`: rows that an older version of the program did not write yet. Only where all migrations are
    there; `flush`, which sends the same signal without a plan, needs none of it."""
    from campaign import schema
    from campaign.clocks import services

    if "plan" not in of_migrate or using != "default" or schema.behind():
        return
    done = services.bring_up_to_date()
    if done and verbosity:
        sys.stdout.write(f"  Clocks of {done} campaigns brought up to date.\n")
