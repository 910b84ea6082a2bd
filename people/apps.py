from django.apps import AppConfig


class People(AppConfig):
    name = "people"
    verbose_name = "People"
