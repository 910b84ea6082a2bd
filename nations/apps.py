from django.apps import AppConfig


class Nations(AppConfig):
    name = "nations"
    verbose_name = "Nations"
