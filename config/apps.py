"""The packages as Django's applications, and what each one does when a process starts."""

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

        from people import address_proof, sign_in_ways

        register(sign_in_ways.check)
        email_confirmed.connect(address_proof.on_confirmed, dispatch_uid="people.address_proof")


class Campaign(AppConfig):
    name = "campaign"
    verbose_name = "Campaign"

    def ready(self) -> None:
        from campaign import keys

        register(keys.check, Tags.database)
        post_migrate.connect(bring_up_to_date, sender=self)


def bring_up_to_date(using: str = "default", verbosity: int = 1, **of_migrate: Any) -> None:
    """Write the rows that an older version of the program did not write.

    This is the last step of `migrate`, and happens only after the last migration. `flush` sends the
    same signal without a plan; then nothing is written.
    """
    from campaign import schema
    from campaign.clocks import services

    if "plan" not in of_migrate or using != "default" or schema.behind():
        return
    done = services.bring_up_to_date()
    if done and verbosity:
        sys.stdout.write(f"  Updated the clocks of {done} campaigns.\n")


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
        """Assign the hooks.

        Celery's application must exist before a task is delayed.
        """
        from config import (
            celery,  # noqa: F401  # it makes the application
            hooks,
        )

        register(catalogues.check)
        hooks.assign()
        hooks.check()
