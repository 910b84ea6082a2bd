"""`manage.py unsuspend CAMPAIGN|USER`."""

from campaign.hosting.host_acts import StateCommand


class Command(StateCommand):
    how = "unsuspended"
    help = "Take back that a campaign or a person is suspended."
