"""`manage.py unsuspend CAMPAIGN|USER`: end the suspension of a campaign or a user."""

from campaign.hosting.host_acts import StateCommand


class Command(StateCommand):
    how = "unsuspended"
    help = "End the suspension of a campaign or a user."
