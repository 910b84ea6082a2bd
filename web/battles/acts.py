"""Acts at a battle other than its moves: claims, evidence, lobby, agreements, substitutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from battles import projection as battles_projection
from battles import services as battle_services
from battles.models import Battle
from campaign.models import Campaign
from games.contract.title import WithAgreements
from people.models import User, find_by_name
from web.battles.contract import RawMove
from web.battles.forms import (
    AgreementForm,
    ClaimForm,
    LinkForm,
    PasswordForm,
    PictureForm,
    ResultForm,
    SubstituteForm,
)
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome, attempt, preview_action
from web.titles.contract import pages_of

DONE = {
    "set-up": gettext_lazy("The battle has been marked as set up."),
    "claim": gettext_lazy("The result has been claimed. The other side can confirm or dispute it."),
    "withdraw": gettext_lazy("The claim has been withdrawn."),
    "confirm": gettext_lazy("Confirmed: the result has been entered."),
    "dispute": gettext_lazy("Disputed. The game master will decide."),
    "judge": gettext_lazy("Decided: the result has been entered."),
    "agree": gettext_lazy("Saved in the log."),
    "link": gettext_lazy("The link is now shown as evidence."),
    "picture": gettext_lazy("The picture is now shown as evidence."),
    "password": gettext_lazy("The lobby’s password has been saved."),
    "substitute": gettext_lazy("The substitute has been named and notified."),
    "end-substitute": gettext_lazy("The substitute has been dismissed."),
}


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form that was sent from the page of a battle.

    `raw` is the result that the form names, if any.
    """

    table: TableContext
    battle: Battle
    request: HttpRequest
    raw: RawMove | None

    @property
    def post_data(self) -> QueryDict:
        return self.request.POST

    @property
    def place(self) -> tuple[Campaign, User | AnonymousUser, int]:
        """Return the first arguments of every service: campaign, user, number of the battle."""
        return self.table.campaign, self.table.user, self.battle.number

    def attempt(self, service: Callable[[], object]) -> ActionOutcome:
        """Call a service that checks itself whether the act is still possible."""
        return attempt(self.table, lambda seen: service(), self.post_data)

    def attempt_as_shown(self, service: Callable[..., object]) -> ActionOutcome:
        """Call a service that takes `seen` and refuses if the page was out of date."""
        return attempt(self.table, service, self.post_data)


def set_up(sent: SentForm) -> ActionOutcome:
    return sent.attempt(partial(battle_services.set_up, *sent.place))


def claim(sent: SentForm) -> ActionOutcome:
    title = sent.table.title
    if not isinstance(title, WithAgreements) or sent.raw is None or not title.claimable(sent.raw):
        return ActionOutcome(wrong=pgettext("error", "Enter the result first."))
    form = ResultForm(sent.post_data)
    return sent.attempt(
        partial(
            battle_services.claim,
            *sent.place,
            sent.raw,
            form.text_of("word"),
            form.text_of("line"),
            agreement=title.agreement_of(sent.raw),
        )
    )


def withdraw(sent: SentForm) -> ActionOutcome:
    return sent.attempt(
        partial(battle_services.withdraw, *sent.place, ClaimForm(sent.post_data).number)
    )


def confirm(sent: SentForm) -> ActionOutcome:
    return sent.attempt_as_shown(
        partial(battle_services.confirm, *sent.place, ClaimForm(sent.post_data).number)
    )


def dispute(sent: SentForm) -> ActionOutcome:
    forms, form = pages_of(sent.table.title.key).battle_forms, ClaimForm(sent.post_data)
    if forms is not None and sent.raw is None and ResultForm(sent.post_data).has_a_number:
        return ActionOutcome(wrong=forms.missing({"by": "shares"}).text)
    return sent.attempt(
        partial(battle_services.dispute, *sent.place, form.number, form.reason_text, sent.raw)
    )


def judge(sent: SentForm) -> ActionOutcome:
    form = ClaimForm(sent.post_data)
    return sent.attempt_as_shown(
        partial(
            battle_services.judge, *sent.place, form.number, raw=sent.raw, reason=form.reason_text
        )
    )


def agree(sent: SentForm) -> ActionOutcome:
    form, refusal = AgreementForm(sent.post_data), why_not_agree(sent)
    if refusal:
        return ActionOutcome(wrong=refusal)
    return sent.attempt(
        partial(battle_services.agree, *sent.place, form.text_of("to"), form.agrees)
    )


def why_not_agree(sent: SentForm) -> str:
    """Return why the reader cannot agree; empty if they can."""
    forms, form = pages_of(sent.table.title.key).battle_forms, AgreementForm(sent.post_data)
    if forms is None or form.text_of("to") not in forms.agreements(sent.battle.facts):
        return _("There is nothing here to agree to.")
    if form.agrees and not owns_mare_nostrum(sent.table):
        return _("First confirm on your account page that you own Mare Nostrum, then agree.")
    return ""


def owns_mare_nostrum(table: TableContext) -> bool:
    """Return whether the reader owns Mare Nostrum, in which naval battles are fought."""
    return bool(table.user.is_authenticated and table.user.owns_mare_nostrum)


def show_link(sent: SentForm) -> ActionOutcome:
    url = LinkForm(sent.post_data).text_of("url")
    return sent.attempt(partial(battle_services.add_link, *sent.place, url))


def show_picture(sent: SentForm) -> ActionOutcome:
    form = PictureForm(sent.post_data, sent.request.FILES)
    if not form.is_valid():
        return ActionOutcome(wrong=form.error)
    picture = form.cleaned_data["picture"].read()
    return sent.attempt(partial(battle_services.add_picture, *sent.place, picture))


def set_password(sent: SentForm) -> ActionOutcome:
    password = PasswordForm(sent.post_data).text_of("password")
    return sent.attempt(partial(battle_services.set_password, *sent.place, password))


def name_substitute(sent: SentForm) -> ActionOutcome:
    form = SubstituteForm(sent.post_data)
    person = find_by_name(form.text_of("name"))
    return sent.attempt(
        partial(battle_services.name_substitute, *sent.place, form.text_of("side"), person)
    )


def end_substitute(sent: SentForm) -> ActionOutcome:
    side = SubstituteForm(sent.post_data).text_of("side")
    return sent.attempt(partial(battle_services.end_substitute, *sent.place, side))


ACTS: Mapping[str, Callable[[SentForm], ActionOutcome]] = {
    "set-up": set_up,
    "claim": claim,
    "withdraw": withdraw,
    "confirm": confirm,
    "dispute": dispute,
    "judge": judge,
    "agree": agree,
    "link": show_link,
    "picture": show_picture,
    "password": set_password,
    "substitute": name_substitute,
    "end-substitute": end_substitute,
}


def act_on_battle(
    table: TableContext, battle: Battle, request: HttpRequest, do: str, raw: RawMove | None = None
) -> ActionOutcome:
    """Perform the act with the name `do`; `raw` is the result that the form names."""
    if do not in ACTS:
        raise Http404
    outcome = ACTS[do](SentForm(table, battle, request, raw))
    outcome.raw = {"do": do}
    if outcome.done:
        messages.success(request, DONE[do])
    return outcome


@dataclass(frozen=True, slots=True)
class FormState:
    """The data typed on the page of a battle, and the outcome of the form that was sent."""

    data: QueryDict
    outcome: ActionOutcome | None = None

    @property
    def do(self) -> str:
        """Return the name of the form that was sent; empty if none was, or if it was a move."""
        return str(self.outcome.raw.get("do", "")) if self.outcome is not None else ""

    def refusal(self, *names: str) -> ActionOutcome | None:
        """Return the refusal if one of these forms was sent and refused."""
        outcome = self.outcome
        return outcome if outcome is not None and outcome.wrong and self.do in names else None


def missing_agreement(table: TableContext, battle: Battle, raw: RawMove) -> str:
    """Return the agreement that this result needs and that the players have not both given."""
    title = table.title
    agreement = title.agreement_of(raw) if isinstance(title, WithAgreements) else ""
    return agreement if agreement and agreement not in battles_projection.agreed(battle) else ""


def enter_unagreed(
    table: TableContext, battle: Battle, raw: RawMove, agreement: str, post_data: QueryDict
) -> ActionOutcome:
    """Enter a result to which the players have not both agreed.

    A refused result is shown again with its consequences.
    """
    service = partial(
        battle_services.enter_unagreed,
        table.campaign,
        table.user,
        battle.number,
        raw,
        agreement,
        ResultForm(post_data).text_of("reason"),
    )
    outcome = attempt(table, service, post_data)
    outcome.raw = raw
    if outcome.done:
        messages.success(
            table.request, _("The result has been entered. Your reason is in the log.")
        )
    else:
        outcome.follow = preview_action(table, raw).follow
    return outcome
