"""Messages of a request for the next page, kept in a cookie or in the session."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookie(CookieStorage):
    """Django's message cookie with the name from the settings."""

    cookie_name = settings.MESSAGES_COOKIE_NAME


class Messages(FallbackStorage):
    """Django's usual storage with our cookie."""

    storage_classes = (HostCookie, SessionStorage)
