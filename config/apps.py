"""The packages as Django's applications, and what each does when a process starts."""

from __future__ import annotations

import sys
from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate

from config import catalogues


class People(AppConfig):
    name = "people"
    verbose_name = "People"

    def ready(self) -> None:
        """Connect the only signal of the site.

        allauth offers no other way to learn of every confirmed address.
        """
        from allauth.account.signals import email_confirmed

        from people import proof, ways

        register(ways.check)
        email_confirmed.connect(proof.on_confirmed, dispatch_uid="people.proof")


class Campaign(AppConfig):
    name = "campaign"
    verbose_name = "Campaign"

    def ready(self) -> None:
        from campaign import keys

        register(keys.check, Tags.database)
        post_migrate.connect(bring_up_to_date, sender=self)


def bring_up_to_date(using: str = "default", verbosity: int = 1, **of_migrate: Any) -> None:
    """Write rows that an older version of the program did not write, as the last step of `migrate`.

    This happens only after the last migration. `flush` sends the same signal without a plan, and
    nothing is written.
    """
    from campaign import schema
    from campaign.clocks import services

    if "plan" not in of_migrate or using != "default" or schema.behind():
        return
    done = services.bring_up_to_date()
    if done and verbosity:
        sys.stdout.write(f"  Clocks of {done} campaigns brought up to date.\n")


class Nations(AppConfig):
    name = "nations"
    verbose_name = "Nations"


class Battles(AppConfig):
    name = "battles"
    verbose_name = "Battles"


class Forum(AppConfig):
    name = "forum"
    verbose_name = "Forum"


class Notices(AppConfig):
    name = "notices"
    verbose_name = "Notices"


class Talk(AppConfig):
    name = "talk"
    verbose_name = "Talk"


class Moderation(AppConfig):
    name = "moderation"
    verbose_name = "Moderation"


class Web(AppConfig):
    name = "web"
    verbose_name = "Pages"


class Api(AppConfig):
    name = "api"


class Hooks(AppConfig):
    name = "config"
    verbose_name = "Hooks"

    def ready(self) -> None:
        """Assign the hooks. Celery's application must exist before anything delays a task."""
        from config import (
            celery,  # noqa: F401  # it makes the application
            hooks,
        )

        register(catalogues.check)
        hooks.assign()
        hooks.check()
