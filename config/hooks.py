"""The packages as Django's applications, what each does when a process starts, and the hooks.

A hook is a function of a higher package that a lower package calls (`campaign.hooks`,
`forum.hooks`, `people.proof`).
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Tags, register
from django.core.exceptions import ImproperlyConfigured
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

    def ready(self) -> None:
        """The kinds are known before the first page: a process that has written no notice yet still
        shows them.
        """
        from notices import kinds  # noqa: F401


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
        from campaign import hooks
        from config import celery  # noqa: F401  before anybody leaves work to it, a command too
        from forum import hooks as forum_hooks
        from people import credentials, proof

        register(catalogues.check)
        fill()
        check(hooks)
        check(forum_hooks)
        check(proof)
        check(credentials)
        if list(hooks.ticks) != list(settings.TICKS):
            raise ImproperlyConfigured(
                f"settings.TICKS names {list(settings.TICKS)}, config.hooks {list(hooks.ticks)}."
            )


def fill() -> None:
    """Once, when all models are there: the functions' modules import them."""
    from battles import projection as battles_projection
    from battles import services as battles_services
    from campaign import forecasts, hooks, imports, playing_on, practice, review
    from campaign.clocks import selectors as clocks_selectors
    from campaign.clocks import services as clocks_services
    from campaign.dice import services
    from campaign.hosting import audit
    from campaign.hosting import host_acts as table_erasing
    from campaign.log import talk as log_talk
    from campaign.seats import seating as seat_programs
    from forum import hooks as forum_hooks
    from forum import reading
    from forum.posts import drafts, outbox, sending
    from moderation import services as moderation_services
    from nations import projection as nations_projection
    from notices import credentials as notice_credentials
    from notices import delivery, mailing, webhooks
    from notices import kinds as notice_kinds
    from notices import projection as notices_projection
    from notices import services as notice_services
    from people import credentials, proof
    from people import services as people_services
    from talk import services as talk_services
    from web.editor import beginning
    from web.exports import packs
    from web.forecast.automatic import forecast_after
    from web.forum.reports import facts as web_reports
    from web.own_data import storage as own_data
    from web.practice.automatic import play_after
    from web.scenarios import judging

    hooks.projections = [nations_projection, battles_projection]
    hooks.tellers = [
        clocks_services.reconcile_after,
        notices_projection.notify_members,
        drafts.draft_after,
        play_after,
        forecast_after,
    ]
    hooks.must_at_the_door = battles_projection.must_be_agreed
    hooks.solo_of_programs = battles_services.solo_of_programs

    hooks.wanted_clocks = [
        hooks.ClockReading(("turn", "slot", "answer", "battle"), clocks_selectors.of_play),
        hooks.ClockReading(("claim",), battles_projection.of_claims),
        hooks.ClockReading(("words",), clocks_selectors.of_words),
    ]
    hooks.clock_acts = {
        "slot": clocks_services.lapse,
        "answer": clocks_services.answer,
        "claim": battles_services.confirm_when_due,
        "words": services.close_when_due,
    }
    hooks.clock_tellers = [clocks_services.play_orders_in_time, notice_kinds.notify_of_clock]
    hooks.dice_renewed = clocks_services.reconcile_renewal
    hooks.tell_of_draw = notice_kinds.notify_draw_fallen
    hooks.tell_of_order = notice_kinds.notify_refused_order

    hooks.ticks = {
        "clocks": clocks_services.tick,
        "mail": mailing.tick,
        "letters": delivery.tick,
        "webhooks": webhooks.tick,
        "drafts": drafts.tick,
        "posts": sending.tick,
        "reading": reading.tick,
        "packs": packs.tick,
        "imports": imports.tick,
        "draws": services.tick,
        "practice": practice.tick,
        "forecasts": forecasts.resume,
        "onward": playing_on.tick,
        "accounts": table_erasing.tick,
        "audit": audit.tick,
    }

    hooks.erasers = [
        notice_services.erase,
        outbox.erase,
        talk_services.erase,
        moderation_services.erase,
        table_erasing.erase_table_rows,
        packs.remove_packs_about,
        own_data.erase,
        people_services.erase,
    ]
    hooks.judge_scenario = judging.judge
    hooks.read_shapes = beginning.read_shapes
    credentials.others = notice_credentials.SOURCES
    proof.enders = [notice_services.end_unproven]

    hooks.tell_of_message = notice_kinds.notify_of_message
    hooks.message_read = notice_services.message_read

    forum_hooks.reports = web_reports.contents
    forum_hooks.report = web_reports.report_by_key
    forum_hooks.report_parts = web_reports.parts
    forum_hooks.report_notes = [
        battles_services.noted,
        review.noted,
        seat_programs.noted,
        log_talk.noted,
    ]
    forum_hooks.picture_waits = web_reports.picture_waits
    forum_hooks.tell_of_post = notice_kinds.notify_post_trouble
    hooks.origins = battles_projection.origins

    hooks.house_rules = web_reports.house_rules
    hooks.scenario_drawing = web_reports.drawing


def check(module: ModuleType) -> None:
    """Check that every hook of a module has a function. Raises `ImproperlyConfigured`."""
    for purpose in module.__annotations__:
        if not getattr(module, purpose, None):
            raise ImproperlyConfigured(
                f"{module.__name__}.{purpose} is empty: config.hooks fills it."
            )
