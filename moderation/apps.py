from django.apps import AppConfig


class Moderation(AppConfig):
    name = "moderation"
    verbose_name = "Moderation"
