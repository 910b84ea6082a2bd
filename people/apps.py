from django.apps import AppConfig
from django.core.checks import register


class People(AppConfig):
    name = "people"
    verbose_name = "People"

    def ready(self) -> None:
        """The one signal that is heard: allauth has no other word for every way of confirming an address."""
        from allauth.account.signals import email_confirmed

        from people import proof, ways

        register(ways.check)
        email_confirmed.connect(proof.on_confirmed, dispatch_uid="people.proof")
