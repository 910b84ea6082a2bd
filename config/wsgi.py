import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from campaign import schema  # noqa: E402  once Django is set up
from config import catalogues  # noqa: E402

schema.at_start()
catalogues.at_start()
# Programs, templates and positions live as long as the process: to look through them again and again for what may go takes
# longer than most pages.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 20)
