"""The commands: their descriptions for Discord, and the functions that answer them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NotRequired, TypedDict

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from engine.language import LANGUAGES
from web.discord.answers import Answer, out_of_date
from web.discord.asker import Asker
from web.discord.battles import (
    ask_for_shares,
    choose_battle,
    claim_result,
    confirm_result,
    preview_claim,
    show_battles,
)
from web.discord.interaction import InteractionType
from web.discord.linking import link_account
from web.discord.moves import (
    announce,
    cancel,
    choose_offer,
    choose_value,
    show_more_moves,
    show_moves,
)
from web.discord.state import propose_campaigns, show_next, show_table

COMMANDS: dict[str, Callable[[Asker], Answer]] = {
    "table": show_table,
    "next": show_next,
    "moves": show_moves,
    "battle": show_battles,
    "link": link_account,
}
"""The functions that answer the commands, by name."""
STEPS: dict[str, Callable[[Asker, str], Answer]] = {
    "offer": choose_offer,
    "narrow": choose_value,
    "announce": announce,
    "more": show_more_moves,
    "fight": choose_battle,
    "share": ask_for_shares,
    "claimed": preview_claim,
    "claim": claim_result,
    "confirm": confirm_result,
    "drop": cancel,
}
"""The functions that answer buttons, menus and forms. Their `custom_id` is a name of this table, a
colon, and the token of a kept step; for `more` it is the public id of a campaign.
"""


def answer_to(asker: Asker) -> Answer:
    """Return the answer to an interaction. Raises `Refusal`."""
    interaction = asker.interaction
    if interaction.type == InteractionType.AUTOCOMPLETE:
        return propose_campaigns(asker)
    if interaction.type == InteractionType.COMMAND:
        command = COMMANDS.get(interaction.command)
        if command is None:
            raise out_of_date()
        return command(asker)
    name, _colon, token = interaction.custom_id.partition(":")
    step = STEPS.get(name)
    if step is None:
        raise out_of_date()
    return step(asker, token)


# The descriptions that are registered at Discord


class Description(TypedDict):
    """A text in English and in the other languages of the site."""

    description: str
    description_localizations: dict[str, str]


class OptionDescription(Description):
    """An option of a command; `type` 3 is a text."""

    type: int
    name: str
    required: bool
    autocomplete: NotRequired[bool]


class CommandDescription(Description):
    """A command; `type` 1 means that it is typed with a slash."""

    type: int
    name: str
    options: list[OptionDescription]


def command_descriptions() -> list[CommandDescription]:
    """Return the commands in the form in which they are registered at Discord."""
    campaign, code = campaign_option(), code_option()
    return [
        described_command("table", gettext_noop("Show the state of a campaign"), campaign),
        described_command("next", gettext_noop("Your tasks")),
        described_command(
            "moves",
            gettext_noop("Make your moves: choose, check the consequences, announce"),
            campaign,
        ),
        described_command(
            "battle", gettext_noop("Your battles: claim or confirm a result"), campaign
        ),
        described_command(
            "link", gettext_noop("Link your account with a code from its page"), code
        ),
    ]


def described_command(name: str, text: str, *options: OptionDescription) -> CommandDescription:
    return {"type": 1, "name": name, "options": list(options), **description(text)}


def campaign_option() -> OptionDescription:
    return {
        "type": 3,
        "name": "campaign",
        "required": False,
        "autocomplete": True,
        **description(gettext_noop("Which campaign")),
    }


def code_option() -> OptionDescription:
    return {
        "type": 3,
        "name": "code",
        "required": True,
        **description(gettext_noop("The code from your account’s page")),
    }


def description(text: str) -> Description:
    """Return a text, which is marked for translation, in all languages."""
    translations = {}
    for language in LANGUAGES:
        if language != "en":
            with translation.override(language):
                translations[language] = _(text)
    return {"description": text, "description_localizations": translations}
