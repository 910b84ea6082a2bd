"""`manage.py unsuspend CAMPAIGN|USER`."""

from campaign.management.hosting import StateCommand


class Command(StateCommand):
    how = "unsuspended"
    help = "Take back that a campaign or a person is suspended."
