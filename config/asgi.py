import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_asgi_application()

from campaign import vault  # noqa: E402 - after Django is set up

vault.must_fit()
