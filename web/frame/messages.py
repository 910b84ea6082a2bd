"""Messages of a request for the next page, kept in a cookie or in the session."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookie(CookieStorage):
    """Django's message cookie with the name from the settings."""

    cookie_name = settings.MESSAGES_COOKIE_NAME


class Messages(FallbackStorage):
    """Django's usual storage with the cookie of this site.

    A request that updates a part of a page takes no messages, because the page would not show them.
    htmx names the part in `HX-Target`.
    """

    storage_classes = (HostCookie, SessionStorage)

    def __iter__(self) -> Iterator[Message]:
        """Return the messages for this page."""
        return iter(()) if "HX-Target" in self.request.headers else super().__iter__()
