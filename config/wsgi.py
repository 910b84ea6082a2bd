import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from campaign import schema  # noqa: E402  once Django is set up
from config import catalogues  # noqa: E402

schema.at_start()
catalogues.at_start()
