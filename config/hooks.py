"""The functions of higher packages that lower packages call.

The names are declared, each with its Protocol, in `campaign.hooks`, `forum.hooks`, `people.hooks`
and `web.frame.hooks`. `config.apps` imports this module when all models are loaded.
"""

from __future__ import annotations

from types import ModuleType

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from battles import projection as battles_projection
from battles import services as battles_services
from campaign import automatic_moves, forecasts, hooks, imports, practice
from campaign.clocks import services as clocks_services
from campaign.dice import services as dice_services
from campaign.hosting import audit, host_acts
from forum import hooks as forum_hooks
from forum import reading
from forum.posts import drafts, outbox, sending
from moderation import services as moderation_services
from nations import projection as nations_projection
from notices import credentials as notice_credentials
from notices import delivery, mailing, webhooks
from notices import projection as notices_projection
from notices import services as notice_services
from notices.kinds.deadlines import notify_of_clock
from notices.kinds.dice import notify_draw_fallen
from notices.kinds.messages import message_read, notify_of_message
from notices.kinds.standing_orders import notify_refused_order
from notices.kinds.undelivered import notify_post_trouble
from people import hooks as people_hooks
from talk import services as talk_services
from web.exports import packs
from web.forecast.automatic import forecast_after
from web.frame import hooks as frame_hooks
from web.own_data import storage as own_data
from web.practice.automatic import play_after
from web.practice.lessons import lesson_note
from web.titles import contract as title_pages
from web.titles.registry import TITLE_PAGES


def assign() -> None:
    """Assign every hook. This happens once, when a process starts."""
    assign_log()
    assign_clocks()
    assign_ticks()
    assign_people()
    assign_reports()
    assign_pages()


def assign_log() -> None:
    """Assign the hooks that are called around a log entry."""
    hooks.projections = [nations_projection, battles_projection]
    hooks.entry_written = [
        clocks_services.reconcile_after,
        notices_projection.notify_members,
        drafts.draft_after,
        play_after,
        forecast_after,
    ]
    hooks.programs_changed = battles_services.solo_of_programs
    hooks.result_origins = battles_projection.origins


def assign_clocks() -> None:
    """Assign the hooks of clocks, draws and standing orders."""
    hooks.clock_readings = [hooks.ClockReading(("claim",), battles_projection.of_claims)]
    hooks.clock_expired = {
        "claim": battles_services.confirm_when_due,
        "words": dice_services.close_when_due,
    }
    hooks.clock_event = notify_of_clock
    hooks.draw_fallen = notify_draw_fallen
    hooks.order_refused = notify_refused_order


def assign_ticks() -> None:
    """Assign the function of each part of the pulse, in the order of `settings.TICKS`."""
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
        "draws": dice_services.tick,
        "practice": practice.tick,
        "forecasts": forecasts.resume,
        "onward": automatic_moves.tick,
        "accounts": host_acts.tick,
        "audit": audit.tick,
    }


def assign_people() -> None:
    """Assign the hooks of users, messages and credentials."""
    hooks.user_erased = [
        notice_services.erase,
        outbox.erase,
        talk_services.erase,
        moderation_services.erase,
        packs.remove_packs_about,
        own_data.erase,
    ]
    hooks.message_posted = notify_of_message
    hooks.message_read = message_read
    people_hooks.credential_sources = notice_credentials.SOURCES
    people_hooks.access_ended = notice_services.end_unproven


def assign_reports() -> None:
    """Assign the hooks of reports and posts."""
    forum_hooks.report_notes = battles_services.report_notes
    forum_hooks.post_in_trouble = notify_post_trouble


def assign_pages() -> None:
    """Assign the pages of titles and the hooks of the layout."""
    title_pages.registered.update(TITLE_PAGES)
    frame_hooks.lesson_note = lesson_note


def check() -> None:
    """Check that every hook is assigned and every tick is known. Raises `ImproperlyConfigured`."""
    for module in (hooks, forum_hooks, people_hooks, frame_hooks):
        check_module(module)
    if list(hooks.ticks) != list(settings.TICKS):
        raise ImproperlyConfigured(
            f"settings.TICKS names {list(settings.TICKS)}, config.hooks {list(hooks.ticks)}."
        )


def check_module(module: ModuleType) -> None:
    """Check that every hook of a module is assigned. Raises `ImproperlyConfigured`."""
    for name in module.__annotations__:
        if not getattr(module, name, None):
            raise ImproperlyConfigured(
                f"{module.__name__}.{name} is empty: config.hooks assigns it."
            )
