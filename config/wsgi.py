"""The WSGI application of the site."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.core.cache import caches
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.template.loader import get_template

from campaign import schema
from config import catalogues
from config.processes import WARMING_UP

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
schema.at_start()
catalogues.at_start()


def _ignore_head(
    status: str, headers: list[tuple[str, str]], error: object = None
) -> Callable[[bytes], object]:
    """Accept the status and headers of a response that no one reads."""
    return lambda _body: None


def warm_up() -> None:
    """Load every template and render the front page, so that the first readers need not wait.

    It leaves no connection open, so that the process can fork afterwards. A site that cannot answer
    yet starts nevertheless.
    """
    base = Path(settings.BASE_DIR)
    hosts = [name.lstrip(".") for name in settings.ALLOWED_HOSTS if name.strip(".*")]
    host = hosts[0] if hosts else "localhost"
    environ: dict[str, Any] = {
        "HTTP_HOST": host,
        "HTTP_X_FORWARDED_PROTO": "https",
        "REMOTE_ADDR": "127.0.0.1",
    }
    environ |= {"wsgi.url_scheme": "https", WARMING_UP: True}
    setup_testing_defaults(environ)
    try:
        for folder in (base / "templates", base / "people" / "templates"):
            for file in folder.rglob("*.html"):
                get_template(file.relative_to(folder).as_posix())
        for _part in application(environ, _ignore_head):
            pass
    except Exception:
        logging.getLogger(__name__).warning("The site could not be warmed up.", exc_info=True)
    finally:
        connections.close_all()
        caches.close_all()
