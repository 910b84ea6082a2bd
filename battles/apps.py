from django.apps import AppConfig


class Battles(AppConfig):
    name = "battles"
    verbose_name = "Battles"
