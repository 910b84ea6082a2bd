from django.apps import AppConfig


class People(AppConfig):
    name = "people"
    verbose_name = "People"

    def ready(self) -> None:
        """The one signal that is heard: allauth has no other word for every way of confirming an address."""
        from allauth.account.signals import email_confirmed

        from people import proof

        email_confirmed.connect(proof.on_confirmed, dispatch_uid="people.proof")
