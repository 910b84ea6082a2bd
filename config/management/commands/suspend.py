"""`manage.py suspend CAMPAIGN|USER`."""

from campaign.hosting.host_acts import StateCommand


class Command(StateCommand):
    how = "suspended"
    help = (
        "Suspend a campaign, which nobody reads or moves then, or a person, who signs in no more."
    )
