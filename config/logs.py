"""Log lines, e-mails to the host and reports to Sentry, without secrets.

None of them may contain links that open a seat, an account or a feed, addresses to which messages
can be sent, tokens of programs, or answers of other sites to a sign-in.
"""

import logging
import os
import re
import threading
from collections.abc import Callable
from copy import copy
from pathlib import Path
from time import monotonic, time
from typing import Any

from pythonjsonlogger.json import JsonFormatter

SECRET = re.compile(
    r"(/join/|/invited/|/password/key/|/me/email/|/feed/|/unsubscribe/)[^/?#\s\"'&]+"
    r"|((?:%2F)(?:join|invited|password%2Fkey|me%2Femail|feed|unsubscribe)%2F)(?:(?!%2F)[^/?#\s\"'&])+"
    r"|((?:/api(?:/v\d+)?/webhooks|hooks\.slack\.com/services)/|/bot(?=\d+:)|(?:discord|slack|tgram)://)[^?#\s\"']+"
    r"|\b(tab_|whsec_)[A-Za-z0-9_-]{20,}"
    r"|([?&](?:code|state|key)=|\bopenid\.(?:sig|response_nonce)=|\bclient_secret=)[^&#\s\"']+",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """Return the text without the secret part of such links.

    Links that are quoted in an address are masked as well.
    """
    return SECRET.sub(lambda match: f"{match[match.lastindex or 0]}…", text)


class MaskingFormatter(logging.Formatter):
    """A formatter that masks the whole line, including its traceback.

    All further lines of a message are indented. So no text of a stranger can look like a log line
    for which fail2ban would ban another address (`people.attack_log`).

    An answer below 500 has no traceback: a refusal is no fault, and a stranger could fill the log
    with tracebacks.
    """

    def format(self, record: logging.LogRecord) -> str:
        if getattr(record, "status_code", 500) < 500:
            record = copy(record)
            record.exc_info = record.exc_text = None
        return masked(super().format(record)).replace("\n", "\n    ")


def masked_in(value: Any) -> Any:
    """Return a value with every text in it masked, including keys.

    A value of another type becomes its text.
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {masked(str(key)): masked_in(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [masked_in(item) for item in value]
    return masked(str(value))


class JsonLineFormatter(JsonFormatter):
    """A formatter that writes a JSON object for each line.

    It has the time (UTC), level, logger, message, a traceback, and the plain values that were given
    with the line. Texts are masked before they are written as JSON, so that masking removes no
    quotation mark.
    """

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "exc_info": "traceback"}
        super().__init__(
            ["levelname", "name", "message"],
            rename_fields=names,
            timestamp="time",
            json_ensure_ascii=False,
        )

    def format(self, record: logging.LogRecord) -> str:
        if getattr(record, "status_code", 500) < 500:
            record = copy(record)
            record.exc_info = record.exc_text = None
        return super().format(record)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Leave out objects, such as the request that Django gives with a line."""
        plain = (str, int, float, bool, list, tuple, dict, type(None))
        kept = {key: value for key, value in log_data.items() if isinstance(value, plain)}
        if "time" in log_data:
            kept = {"time": log_data["time"].isoformat(timespec="milliseconds"), **kept}
        return dict(masked_in(kept))


class SkipMonitoringRequests(logging.Filter):
    """A filter that drops answers to requests that machines repeat, except exceptions.

    A site that is not ready answers 503 each time.
    """

    PATHS = ("/health/ready", "/metrics")

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is kept."""
        request = getattr(record, "request", None)
        return bool(record.exc_info) or getattr(request, "path_info", "") not in self.PATHS


class AdminMailHandler(logging.Handler):
    """A handler that sends an e-mail to ADMINS about each error, with its masked traceback.

    The e-mail contains no form, cookie or setting. A single fault may break every page: a process
    sends at most `most` e-mails an hour, and the last of them says so.
    """

    HOUR = 3600.0

    def __init__(self, most: int = 10, clock: Any = monotonic) -> None:
        super().__init__()
        self.most, self.clock = most, clock
        self.sent: list[float] = []
        self.outage: float | None = None
        self.counting = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        from django.conf import settings
        from django.core.mail import mail_admins

        # A page that answers 5xx on purpose needs no repair; a 500 of the program was reported
        # before, with its traceback.
        if not settings.ADMINS or (record.name == "django.request" and not record.exc_info):
            return
        if is_outage(record) and not self.is_first_of_outage():
            return
        now = self.clock()
        with self.counting:
            self.sent = [at for at in self.sent if at > now - self.HOUR]
            left = self.most - len(self.sent)
            if left <= 0:
                return
            self.sent.append(now)
        notes = getattr(getattr(record, "request", None), "noted", None)
        shown = getattr(notes, "shown_as", "")
        parts = [
            f"Shown to the user as {shown}." if shown else "",
            self.format(record),
            f"Tabula {settings.VERSION}, {settings.SITE_URL}",
        ]
        if is_outage(record):
            parts.append(
                "Pages and programs get 503 until the database is back. You get no other e-mail"
                " about it for an hour."
            )
        if left == 1:
            parts.append("This process sends no more such letters for an hour: look at its log.")
        # A subject must be a single line; a request's path may be long.
        subject = " ".join(masked(record.getMessage()).split())[:120]
        text = "\n\n".join(part for part in parts if part)

        def send() -> None:
            try:
                mail_admins(subject, text)
            except Exception as error:
                # The mail server does not answer either; the log has the traceback.
                logging.getLogger(__name__).warning("No e-mail to ADMINS: %s", type(error).__name__)

        send_later(send)

    def is_first_of_outage(self) -> bool:
        """Return whether no process of this installation has reported an outage in the last hour.

        All processes share a cache in Redis or Valkey. Without it the processes of a machine share
        a file. A process that cannot write to the folder counts alone.
        """
        from django.conf import settings
        from django.core.cache import cache

        with self.counting:
            if self.outage is not None and self.clock() - self.outage < self.HOUR:
                return False
            self.outage = self.clock()
        if settings.REDIS_URL:
            try:
                return bool(cache.add("config.logs.outage", 1, int(self.HOUR)))
            except Exception as error:
                logging.getLogger(__name__).warning("No shared cache: %s", type(error).__name__)
        mark = Path(settings.VAR) / "outage"
        try:
            if mark.exists() and time() - mark.stat().st_mtime > self.HOUR:
                mark.unlink(missing_ok=True)
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return False
        except OSError:
            pass
        return True


def send_later(send: Callable[[], None]) -> None:
    """Call `send` in a thread, so that a silent mail server does not hold the request that broke.

    A row for the worker is not possible, because the database may be the part that fails. The
    process waits for the thread when it ends.
    """
    threading.Thread(target=send, name="letter to ADMINS").start()


def is_outage(record: logging.LogRecord) -> bool:
    """Return whether the record reports that the database does not answer."""
    from campaign import slow_database  # the settings import this module

    error = record.exc_info[1] if record.exc_info else None
    return hasattr(record, "outage") or slow_database.is_unavailable(error)


def report_to_sentry(dsn: str, release: str, site: str, **more: Any) -> None:
    """Report errors to Sentry: masked, without forms, cookies, IP addresses or local variables.

    Raises `ImproperlyConfigured` if sentry-sdk is not installed or the address is invalid.
    """
    from django.core.exceptions import ImproperlyConfigured

    try:
        import sentry_sdk
        from sentry_sdk.utils import BadDsn
    except ImportError:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set: run `pip install sentry-sdk`, or take the setting away."
        ) from None

    def cleaned(event: Any, hint: Any) -> Any:
        request = event.get("request") or {}
        event["request"] = {key: request[key] for key in ("method", "url") if key in request}
        for name in ("user", "server_name", "modules"):
            event.pop(name, None)
        return masked_in(event)

    try:
        sentry_sdk.init(
            dsn=dsn,
            release=f"tabula@{release}",
            environment=site,
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            traces_sample_rate=None,
            before_send=cleaned,
            **more,
        )
    except BadDsn as error:
        raise ImproperlyConfigured(f"SENTRY_DSN is no address of Sentry: {error}") from None
