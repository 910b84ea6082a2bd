from django.apps import AppConfig


class Talk(AppConfig):
    name = "talk"
    verbose_name = "Talk"
