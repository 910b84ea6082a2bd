"""Battles at Discord: claim a result with two percentages, or confirm the other side's claim.

Everything else is done on the battle's page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from battles import projection
from battles import services as battle_services
from battles.models import Battle, Claim
from engine.errors import IllegalMove
from forum.dialects import escape_markdown
from games.contract.battles import WithSieges
from games.contract.plain import RawMove
from games.contract.title import WithAgreements
from web.battles.page import (
    BattleSummary,
    battle_summaries,
    battle_summary,
    claim_sheet,
)
from web.discord.answers import (
    Answer,
    Button,
    ButtonStyle,
    Refusal,
    button,
    form,
    link,
    menu,
    message,
    out_of_date,
    row,
    text_field,
    update,
)
from web.discord.asker import Asker
from web.discord.consequences import consequences
from web.discord.moves import cancel_button
from web.discord.steps import BattleStep
from web.frame.table import TableContext
from web.moves.actions import preview_action
from web.titles.contract import pages_of

SIDES = ("attacker", "defender")
"""The fields of the form, in the order of the sides."""
LONGEST_SHARE = 6
"""The largest number of characters of a percentage."""


def show_battles(asker: Asker) -> Answer:
    """Answer with the user's battle, or with a menu of their battles."""
    table = asker.table_of_player()
    running = projection.running(table.campaign)
    own = [battle for battle in running if projection.sides(battle, table.access)]
    if not own:
        return message(_("You have no battle in progress."))
    if len(own) == 1:
        text, buttons = battle_text(asker, table, own[0])
        return message(text, [row(*buttons)])
    token = asker.keep(BattleStep(campaign=table.campaign.public_id, seen=table.seen))
    options = [
        (str(summary.number), f"#{summary.number} {summary.where}")
        for summary in battle_summaries(table, own)
    ]
    choice = menu(f"fight:{token}", _("Choose a battle"), options)
    return message(f"**{escape_markdown(table.campaign.name)}**", [choice])


def choose_battle(asker: Asker, token: str) -> Answer:
    """Show the battle that was chosen."""
    table = asker.table_of(asker.kept_battle(token).campaign)
    text, buttons = battle_text(asker, table, own_battle(table, asker.chosen_number()))
    return update(text, [row(*buttons)])


def own_battle(table: TableContext, number: int) -> Battle:
    """Return a battle in which the user has a side. Raises `Refusal`."""
    battle = projection.battle(table.campaign, number)
    if battle is None or not projection.sides(battle, table.access):
        raise Refusal(_("This is not your battle."))
    return battle


def battle_text(asker: Asker, table: TableContext, battle: Battle) -> tuple[str, list[Button]]:
    """Return the state of a battle, and the buttons for the user."""
    summary = battle_summary(table, battle)
    step = BattleStep(campaign=table.campaign.public_id, number=battle.number, seen=table.seen)
    text = summary_text(summary, is_siege=is_siege(table, battle))
    buttons = [link(pgettext("link", "Open the battle"), summary.url)]
    claim = table.live_claims.get(battle.number)
    if claim is not None:
        result, confirms = claim_text(table, battle, claim)
        text += f"\n{result}"
        if confirms:
            token = asker.keep(replace(step, claim=claim.entry.number))
            label = pgettext("field", "Confirm the result")
            buttons.insert(0, button(label, f"confirm:{token}", ButtonStyle.PRIMARY))
    elif pages_of(table.title.key).battle_forms is not None and battle.status == "fighting":
        label, token = _("Claim the result…"), asker.keep(step)
        buttons.insert(0, button(label, f"share:{token}", ButtonStyle.PRIMARY))
    return text, buttons


def is_siege(table: TableContext, battle: Battle) -> bool:
    """Return whether a victory of the attacker leads to a siege."""
    title = table.title
    return isinstance(title, WithSieges) and title.is_siege(table.position, battle.number)


def summary_text(summary: BattleSummary, *, is_siege: bool) -> str:
    sides = " – ".join(escape_markdown(side.name) for side in summary.sides)
    kind = _("{kind}, then a siege").format(kind=summary.kind) if is_siege else summary.kind
    head = f"**#{summary.number} {escape_markdown(summary.where)}**"
    state = f"{escape_markdown(summary.state)}. {escape_markdown(summary.waits)}"
    text = f"{head} ({escape_markdown(kind)})\n" if kind else f"{head}\n"
    text += f"{sides}: {state}"
    if summary.due:
        text += f" <t:{int(summary.due.at.timestamp())}:R>"
    return text


def claim_text(table: TableContext, battle: Battle, claim: Claim) -> tuple[str, bool]:
    """Return a claimed result, and whether the user may confirm it."""
    sheet = claim_sheet(table, battle, claim)
    shares = ", ".join(f"{escape_markdown(name)} {value}%" for name, value in sheet.result.shares)
    return f"{escape_markdown(sheet.result.sentence)} {shares}", sheet.confirms


# Claiming a result


def ask_for_shares(asker: Asker, token: str) -> Answer:
    """Open the form for the losses of each side, in per cent."""
    step = asker.kept_battle(token)
    table = asker.table_of(step.campaign)
    battle = own_battle(table, step.number)
    label = _("{side}: percentage routed")
    fields = [
        text_field(key, label.format(side=side.name), LONGEST_SHARE)
        for key, side in zip(SIDES, battle_summary(table, battle).sides, strict=True)
    ]
    title = _("Result of battle #{number}").format(number=battle.number)
    return form(f"claimed:{asker.keep(step)}", title, fields)


def preview_claim(asker: Asker, token: str) -> Answer:
    """Show the consequences of the typed result, with a button that claims it."""
    step = asker.kept_battle(token)
    table = asker.table_of(step.campaign)
    battle, typed = own_battle(table, step.number), typed_shares(asker)
    move = result_move(table, battle, typed)
    considered = preview_action(table, move)
    if considered.wrong:
        raise Refusal(considered.wrong)
    names = [side.name for side in battle_summary(table, battle).sides]
    shares = ", ".join(
        f"{escape_markdown(name)} {escape_markdown(share)}%"
        for name, share in zip(names, typed, strict=True)
    )
    texts = [f"**#{battle.number}** {shares}", consequences(considered.follow)]
    token = asker.keep(replace(step, move=dict(move)))
    claim_button = button(
        pgettext("button", "Claim the result"), f"claim:{token}", ButtonStyle.PRIMARY
    )
    return message("\n".join(filter(None, texts)), [row(claim_button, cancel_button(token))])


def typed_shares(asker: Asker) -> Sequence[str]:
    """Return the typed percentage of each side. Raises `Refusal` if a field is missing."""
    typed = asker.interaction.form_fields
    if any(key not in typed for key in SIDES):
        raise out_of_date()
    return [typed[key] for key in SIDES]


def result_move(table: TableContext, battle: Battle, shares: Sequence[str]) -> RawMove:
    """Return the move that enters this result. Raises `Refusal` for texts without percentages."""
    forms = pages_of(table.title.key).battle_forms
    typed = {"by": "shares", **dict(zip(SIDES, shares, strict=True))}
    move = forms.result_move(battle.number, typed) if forms is not None else None
    if move is None:
        raise Refusal(_("Enter two percentages from 0 to 100."))
    return move


def claim_result(asker: Asker, token: str) -> Answer:
    """Claim the result that was shown."""
    step = asker.kept_battle(token)
    if step.move is None:
        raise out_of_date()
    table = asker.table_of(step.campaign)
    title = table.title
    agreement = title.agreement_of(step.move) if isinstance(title, WithAgreements) else ""
    try:
        battle_services.claim(
            table.campaign, asker.user, step.number, step.move, agreement=agreement
        )
    except IllegalMove as refusal:
        raise Refusal(table.why_not(refusal)) from None
    return update(_("Result claimed. The other side can confirm it here or on the battle’s page."))


def confirm_result(asker: Asker, token: str) -> Answer:
    """Confirm the other side's claim."""
    step = asker.kept_battle(token)
    if step.claim is None:
        raise out_of_date()
    table = asker.table_of(step.campaign)
    try:
        battle_services.confirm(table.campaign, asker.user, step.number, step.claim, step.seen)
    except IllegalMove as refusal:
        raise Refusal(table.why_not(refusal)) from None
    return update(_("Confirmed. The result has been entered."))
