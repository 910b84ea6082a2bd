from django.apps import AppConfig


class Forum(AppConfig):
    name = "forum"
    verbose_name = "Forum"
