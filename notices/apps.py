from django.apps import AppConfig


class Notices(AppConfig):
    name = "notices"
    verbose_name = "Notices"

    def ready(self) -> None:
        """The kinds are known before the first page: a process that has written no notice yet still shows them."""
        from notices import kinds  # noqa: F401
