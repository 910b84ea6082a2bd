from django.apps import AppConfig


class Campaign(AppConfig):
    name = "campaign"
    verbose_name = "Campaign"
