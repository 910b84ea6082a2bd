from django.apps import AppConfig


class Notices(AppConfig):
    name = "notices"
    verbose_name = "Notices"
