"""The user who sends a request from Discord, and the campaign of the request."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext as _

from campaign import access
from campaign.models import Campaign
from engine.language import LANGUAGES
from engine.strict_json import read_whole_number
from people.models import DiscordAccount, User
from web.discord.answers import Refusal, out_of_date
from web.discord.interaction import Interaction
from web.discord.steps import BattleStep, MoveStep, Step, keep_step, kept_step
from web.frame.front import own_campaigns
from web.frame.table import TableContext


def linked_user(discord_id: str) -> User | AnonymousUser:
    """Return the user whose account is linked to this Discord account."""
    accounts = DiscordAccount.objects.select_related("user")
    account = accounts.filter(discord=discord_id, user__is_active=True).first()
    return account.user if account is not None else AnonymousUser()


def language_of(user: User | AnonymousUser, locale: str) -> str:
    """Return the language of the answer: the user's own, or else that of their Discord client."""
    own = user.language if user.is_authenticated else ""
    wanted = own or locale.partition("-")[0]
    return wanted if wanted in LANGUAGES else "en"


@dataclass(frozen=True, slots=True)
class Asker:
    """The user of an interaction. `request.user` is the user whose account is linked."""

    request: HttpRequest
    interaction: Interaction

    @property
    def user(self) -> User:
        """The linked user. Raises `Refusal` if there is none."""
        if not self.request.user.is_authenticated:
            raise not_linked()
        return self.request.user

    def option(self, name: str) -> str:
        """Return an option of the command; empty if it is missing."""
        return self.interaction.options.get(name, "")

    def chosen_value(self) -> str:
        """Return the option that was chosen in a menu. Raises `Refusal`."""
        if not self.interaction.values:
            raise out_of_date()
        return self.interaction.values[0]

    def chosen_number(self) -> int:
        """Return the number that was chosen in a menu. Raises `Refusal`."""
        number = read_whole_number(self.chosen_value(), 9)
        if number is None:
            raise out_of_date()
        return number

    # Steps

    def keep(self, step: Step) -> str:
        """Keep a step until the next button is pressed, and return its token."""
        return keep_step(self.interaction.discord_id, step)

    def kept(self, token: str) -> Step:
        """Return the step that is kept under a token. Raises `Refusal`."""
        step = kept_step(self.interaction.discord_id, token)
        if step is None:
            raise out_of_date()
        return step

    def kept_move(self, token: str) -> MoveStep:
        """Return the move that is kept under a token. Raises `Refusal`."""
        step = self.kept(token)
        if not isinstance(step, MoveStep):
            raise out_of_date()
        return step

    def kept_battle(self, token: str) -> BattleStep:
        """Return the battle that is kept under a token. Raises `Refusal`."""
        step = self.kept(token)
        if not isinstance(step, BattleStep):
            raise out_of_date()
        return step

    # Campaigns

    def campaigns(self) -> list[Campaign]:
        """Return the user's campaigns that are not archived."""
        if not self.request.user.is_authenticated:
            return []
        return [campaign for campaign in own_campaigns(self.request.user) if not campaign.archived]

    def table(self) -> TableContext:
        """Return the campaign that the command names, or else the user's only campaign.

        Raises `Refusal`.
        """
        reference = self.option("campaign")
        return self.table_of(reference) if reference else self.opened(self.only_campaign())

    def table_of_player(self) -> TableContext:
        """Return the campaign as `table` does, for a linked user. Raises `Refusal`."""
        if not self.request.user.is_authenticated:
            raise not_linked()
        return self.table()

    def table_of(self, reference: str) -> TableContext:
        """Return the campaign with this public id or address. Raises `Refusal`."""
        match = access.REF.fullmatch(reference)
        campaign = Campaign.objects.filter(public_id=match["id"]).first() if match else None
        if campaign is None:
            raise no_such_campaign()
        return self.opened(campaign)

    def only_campaign(self) -> Campaign:
        """Return the user's only campaign, or the only running one. Raises `Refusal`."""
        own = self.campaigns()
        running = [campaign for campaign in own if campaign.status == Campaign.Status.RUNNING]
        meant = running or own
        if not meant:
            raise Refusal(
                _("You do not have a seat in any campaign. Name a campaign: /table campaign.")
            )
        if len(meant) > 1:
            text = _("You play several campaigns. Choose one with the option “campaign”.")
            raise Refusal(text)
        return meant[0]

    def opened(self, campaign: Campaign) -> TableContext:
        """Return the campaign as the user sees it. Raises `Refusal` if they may not see it."""
        rights = access.access_of(campaign, self.request.user)
        for_members = campaign.visibility == Campaign.Visibility.MEMBERS
        if campaign.suspended or (for_members and not rights.member):
            raise no_such_campaign()
        return TableContext(self.request, campaign, rights)


def not_linked() -> Refusal:
    text = _(
        "Link your account first: open “Your account” at {site}, create a code, and type /link "
        "with it."
    )
    return Refusal(text.format(site=settings.SITE_URL))


def no_such_campaign() -> Refusal:
    return Refusal(_("There is no such campaign."))
