import logging
import os
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from django.conf import settings  # noqa: E402  once Django is set up
from django.core.cache import caches  # noqa: E402
from django.db import connections  # noqa: E402
from django.template.loader import get_template  # noqa: E402

from campaign import schema  # noqa: E402
from config import catalogues  # noqa: E402
from config.middleware import WARMING_UP  # noqa: E402

schema.at_start()
catalogues.at_start()


def warm_up() -> None:
    """Read every template, and make the front page once, which would take the first readers
    seconds.

    It leaves no connection open, so that a process may fork after it. A site that cannot answer yet
    starts all the same.
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
        for _part in application(environ, lambda *_answer: None):  # type: ignore[arg-type]
            pass
    except Exception:
        logging.getLogger(__name__).warning("The site could not be warmed up.", exc_info=True)
    finally:
        connections.close_all()
        caches.close_all()
