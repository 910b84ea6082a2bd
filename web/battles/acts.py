"""Acts at a battle beside its moves: claims, evidence, lobby, agreements, substitutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from battles import projection as battles_projection
from battles import services as battle_services
from battles.models import Battle
from campaign.models import Campaign
from games.contract.title import Agreeing
from people.models import User, called
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
from web.moves.deeds import Deed, attempt, consider
from web.titles.contract import pages_of

DONE = {
    "set-up": gettext_lazy("The battle is set up."),
    "claim": gettext_lazy("Claimed. The other side confirms or disputes it."),
    "withdraw": gettext_lazy("The claim is withdrawn."),
    "confirm": gettext_lazy("Confirmed: the result is entered."),
    "dispute": gettext_lazy("Disputed. The game master judges."),
    "judge": gettext_lazy("Judged: the result is entered."),
    "agree": gettext_lazy("Logged."),
    "link": gettext_lazy("The link is shown."),
    "picture": gettext_lazy("The picture is shown."),
    "password": gettext_lazy("The lobby’s password is saved."),
    "substitute": gettext_lazy("Named, and notified."),
    "end-substitute": gettext_lazy("The substitute’s part has ended."),
}


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form of the page of a battle that was sent. `raw` is the result that it names, if any."""

    table: TableContext
    battle: Battle
    request: HttpRequest
    raw: RawMove | None

    @property
    def posted(self) -> QueryDict:
        return self.request.POST

    @property
    def place(self) -> tuple[Campaign, User | AnonymousUser, int]:
        """Return the first arguments of every service: campaign, user, number of the battle."""
        return self.table.campaign, self.table.user, self.battle.number

    def attempt(self, service: Callable[[], object]) -> Deed:
        """Call a service that checks by itself whether the act is still possible."""
        return attempt(self.table, lambda seen: service(), self.posted)

    def attempt_as_shown(self, service: Callable[..., object]) -> Deed:
        """Call a service that refuses if the page has missed something: it takes `seen`."""
        return attempt(self.table, service, self.posted)


def set_up(sent: SentForm) -> Deed:
    return sent.attempt(partial(battle_services.set_up, *sent.place))


def claim(sent: SentForm) -> Deed:
    title = sent.table.title
    if not isinstance(title, Agreeing) or sent.raw is None or not title.claimable(sent.raw):
        return Deed(wrong=_("Enter the result first."))
    form = ResultForm(sent.posted)
    return sent.attempt(
        partial(
            battle_services.claim,
            *sent.place,
            sent.raw,
            form.text("word"),
            form.text("line"),
            agreement=title.agreement_of(sent.raw),
        )
    )


def withdraw(sent: SentForm) -> Deed:
    return sent.attempt(
        partial(battle_services.withdraw, *sent.place, ClaimForm(sent.posted).number)
    )


def confirm(sent: SentForm) -> Deed:
    return sent.attempt_as_shown(
        partial(battle_services.confirm, *sent.place, ClaimForm(sent.posted).number)
    )


def dispute(sent: SentForm) -> Deed:
    forms, form = pages_of(sent.table.title.key).battle_forms, ClaimForm(sent.posted)
    if forms is not None and sent.raw is None and ResultForm(sent.posted).has_a_number:
        return Deed(wrong=forms.missing({"by": "shares"}).text)
    return sent.attempt(
        partial(battle_services.dispute, *sent.place, form.number, form.reason_text, sent.raw)
    )


def judge(sent: SentForm) -> Deed:
    form = ClaimForm(sent.posted)
    return sent.attempt_as_shown(
        partial(
            battle_services.judge, *sent.place, form.number, raw=sent.raw, reason=form.reason_text
        )
    )


def agree(sent: SentForm) -> Deed:
    form, refusal = AgreementForm(sent.posted), why_not_agree(sent)
    if refusal:
        return Deed(wrong=refusal)
    return sent.attempt(partial(battle_services.agree, *sent.place, form.text("to"), form.agrees))


def why_not_agree(sent: SentForm) -> str:
    """Return why the reader cannot agree; empty if they can."""
    forms, form = pages_of(sent.table.title.key).battle_forms, AgreementForm(sent.posted)
    if forms is None or form.text("to") not in forms.agreements(sent.battle.known):
        return _("There is no such thing to agree to.")
    if form.agrees and not owns_mare_nostrum(sent.table):
        return _("Confirm on your own page that you own Mare Nostrum, then agree.")
    return ""


def owns_mare_nostrum(table: TableContext) -> bool:
    """Return whether the reader owns the game that battles at sea are fought in."""
    return bool(table.user.is_authenticated and table.user.owns_mare_nostrum)


def show_link(sent: SentForm) -> Deed:
    url = LinkForm(sent.posted).text("url")
    return sent.attempt(partial(battle_services.add_link, *sent.place, url))


def show_picture(sent: SentForm) -> Deed:
    form = PictureForm(sent.posted, sent.request.FILES)
    if not form.is_valid():
        return Deed(wrong=form.error)
    picture = form.cleaned_data["picture"].read()
    return sent.attempt(partial(battle_services.add_picture, *sent.place, picture))


def set_password(sent: SentForm) -> Deed:
    password = PasswordForm(sent.posted).text("password")
    return sent.attempt(partial(battle_services.set_password, *sent.place, password))


def name_substitute(sent: SentForm) -> Deed:
    form = SubstituteForm(sent.posted)
    person = called(form.text("name"))
    return sent.attempt(
        partial(battle_services.name_substitute, *sent.place, form.text("side"), person)
    )


def end_substitute(sent: SentForm) -> Deed:
    side = SubstituteForm(sent.posted).text("side")
    return sent.attempt(partial(battle_services.end_substitute, *sent.place, side))


ACTS: Mapping[str, Callable[[SentForm], Deed]] = {
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
) -> Deed:
    """Do what a form asks for by its name `do`; `raw` is the result that it names."""
    if do not in ACTS:
        raise Http404
    deed = ACTS[do](SentForm(table, battle, request, raw))
    deed.raw = {"do": do}
    if deed.done:
        messages.success(request, DONE[do])
    return deed


@dataclass(frozen=True, slots=True)
class FormOutcome:
    """What was typed on the page of a battle, and what became of the form that was sent."""

    data: QueryDict
    deed: Deed | None = None

    @property
    def do(self) -> str:
        """Return the name of the form that was sent; empty if none was, or if it was a move."""
        return str(self.deed.raw.get("do", "")) if self.deed is not None else ""

    def refusal(self, *names: str) -> Deed | None:
        """Return why one of these forms was refused."""
        deed = self.deed
        return deed if deed is not None and deed.wrong and self.do in names else None


def missing_agreement(table: TableContext, battle: Battle, raw: RawMove) -> str:
    """Return to what both players must agree before this result is entered, and have not."""
    title = table.title
    agreement = title.agreement_of(raw) if isinstance(title, Agreeing) else ""
    return agreement if agreement and agreement not in battles_projection.agreed(battle) else ""


def enter_unagreed(
    table: TableContext, battle: Battle, raw: RawMove, agreement: str, posted: QueryDict
) -> Deed:
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
        ResultForm(posted).text("reason"),
    )
    deed = attempt(table, service, posted)
    deed.raw = raw
    if deed.done:
        messages.success(table.request, _("Entered. Your reason is in the log."))
    else:
        deed.follow = consider(table, raw).follow
    return deed
