from django.apps import AppConfig
from django.core.checks import Tags, register


class Campaign(AppConfig):
    name = "campaign"
    verbose_name = "Campaign"

    def ready(self) -> None:
        from campaign import vault

        register(vault.check, Tags.database)
