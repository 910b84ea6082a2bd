"""`manage.py suspend CAMPAIGN|USER`: suspend a campaign or a user."""

from campaign.hosting.host_acts import StateCommand


class Command(StateCommand):
    how = "suspended"
    help = (
        "Suspend a campaign, so that no one can read it or play in it, or a user, who can then no"
        " longer sign in."
    )
