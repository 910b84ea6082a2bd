"""What no line of a log may hold: links that open a seat, an account or a feed, addresses that one may write to,
and what programs sign in by."""

import logging
import re
from copy import copy

SECRET = re.compile(
    r"(/join/|/password/key/|/me/email/|/feed/|/unsubscribe/)[^/?#\s\"'&]+"
    r"|((?:%2F)(?:join|password%2Fkey|me%2Femail|feed|unsubscribe)%2F)(?:(?!%2F)[^/?#\s\"'&])+"
    r"|((?:/api(?:/v\d+)?/webhooks|hooks\.slack\.com/services)/|/bot(?=\d+:)|(?:discord|slack|tgram)://)[^?#\s\"']+"
    r"|\b(tab_|whsec_)[A-Za-z0-9_-]{20,}",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """The text with the secret part of such links taken out, also where one is quoted in an address."""
    return SECRET.sub(lambda found: f"{found[1] or found[2] or found[3] or found[4]}…", text)


class Masked(logging.Formatter):
    """Masks the whole line, its traceback too: wherever it came from, nothing passes by.

    An answer below 500 has no traceback: a refusal is no fault, and a stranger could fill the log with them.
    """

    def format(self, record: logging.LogRecord) -> str:
        if getattr(record, "status_code", 500) < 500:
            record = copy(record)
            record.exc_info = record.exc_text = None
        return masked(super().format(record))
