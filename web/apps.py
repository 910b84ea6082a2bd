from django.apps import AppConfig


class Web(AppConfig):
    name = "web"
    verbose_name = "Pages"
