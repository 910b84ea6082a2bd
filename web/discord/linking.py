"""The link between an account of the site and a Discord account, which is made with a code."""

from __future__ import annotations

import hmac
import secrets
from contextlib import suppress
from hashlib import sha256

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.language import LANGUAGES
from engine.strict_json import read_whole_number
from forum.dialects import escape_markdown
from people.address_proof import proven
from people.models import DiscordAccount, User
from web.discord.answers import LONGEST_LABEL, Answer, Refusal, message
from web.discord.asker import Asker
from web.frame.requests import mark_of_person

SECONDS_VALID = 600
"""Seconds for which a code is valid, and attempts are counted."""
MOST_TRIES = 5
CODE_LENGTH = 8
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not easily confused."""


def new_code(user: User) -> str:
    """Return a code with which a Discord account can be linked to this user."""
    code = "".join(secrets.choice(CODE_LETTERS) for _index in range(CODE_LENGTH))
    cache.set(code_key(code), mark_of_person(user), SECONDS_VALID)
    return code


def code_key(code: str) -> str:
    """Return the key of a code in the cache, from which the code cannot be read."""
    text = code.strip().upper()
    digest = hmac.new(settings.SECRET_KEY.encode(), text.encode(), sha256)
    return f"discord-code-{digest.hexdigest()}"


def maker_of_code(key: str) -> User | None:
    """Return the user who made a code, if they may still link an account.

    A code is no longer valid if all sessions of the user have ended since.
    """
    mark = cache.get(key) or ""
    number, _colon, _ended = mark.partition(":")
    users = User.objects.filter(
        pk=read_whole_number(number, 18) or 0, is_active=True, guest=False, demo=False
    )
    user = users.first()
    if user is None or mark_of_person(user) != mark or not proven(user):
        return None
    return user


def link_account(asker: Asker) -> Answer:
    """Link the asker's Discord account to the account whose code they typed."""
    tries_key = count_try(asker.interaction.discord_id)
    key = code_key(asker.option("code"))
    user = maker_of_code(key)
    if user is None:
        text = _(
            "This code is unknown or has already been used. Create a new one on your account’s "
            "page; it is valid for ten minutes."
        )
        raise Refusal(text)
    cache.delete_many([key, tries_key])
    name = asker.interaction.username[:LONGEST_LABEL]
    save_link(user, asker.interaction.discord_id, name)
    notify_of_link(user, name)
    text = _("Linked: you are {name} here. Type /next to see your tasks.")
    return message(text.format(name=escape_markdown(user.username)))


def count_try(discord_id: str) -> str:
    """Count an attempt, and return the key under which it is counted. Raises `Refusal`."""
    key = f"discord-tries-{sha256(discord_id.encode()).hexdigest()}"
    tries = cache.get(key, 0)
    if tries >= MOST_TRIES:
        raise Refusal(_("Too many attempts. Wait ten minutes, then create a new code."))
    cache.set(key, tries + 1, SECONDS_VALID)
    return key


def save_link(user: User, discord_id: str, name: str) -> None:
    """Save the link. It replaces earlier links of this user and of this Discord account."""
    DiscordAccount.objects.filter(discord=discord_id).exclude(user=user).delete()
    DiscordAccount.objects.update_or_create(
        user=user,
        defaults={"discord": discord_id, "name": name, "linked_at": timezone.now()},
    )


def notify_of_link(user: User, name: str) -> None:
    """Notify the user that a Discord account can play for them.

    The link remains even if the e-mail cannot be sent.
    """
    facts = {"name": name, "site": settings.SITE_URL, "list_url": reverse("credentials")}
    language = user.language if user.language in LANGUAGES else get_language() or "en"
    with suppress(OSError), translation.override(language):
        get_adapter().send_notification_mail("account/email/discord_linked", user, facts)
