"""Notices of battles: challenges, their answers, claims and results; substitutes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from campaign.log.acts.battles import CLAIM, DISPUTE, SET_UP
from campaign.log.acts.seats import SUBSTITUTE
from campaign.models import GAME_MASTER, Clock, Membership
from engine.language import pgettext_noop
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind
from notices.models import Notice
from notices.present import CampaignNow, Present, Task

FIGHTING = "fighting"


class BattleKind(Kind):
    """A kind that links to its battle."""

    link = ("battle", "contest")


class OpenBattleKind(BattleKind):
    """A kind about a battle that waits for its reader."""

    is_urgent = True
    warns = True
    button = pgettext_noop("button in a letter", "Open the battle")
    awaits: str = Clock.Kind.BATTLE
    """The kind of the clock that waits for the reader."""

    def task(self, notice: Notice) -> Task:
        return Task(self.awaits, notice.seat, notice.facts["contest"])

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the battle has been decided."""
        return present.campaign_of(notice).is_over(notice.facts["contest"])


class AttackKind(OpenBattleKind):
    """A kind about an attack, whose letters name the attacked province if the title has one."""

    is_request = True
    body = "{other}: {line}"
    news = "{other}: {sentence}"
    TITLE_WITH_DEADLINE: str
    TITLE_WITHOUT: str

    def news_of(self, content: Content) -> str:
        return self.news

    def letter_words(self, content: Content, campaign: CampaignNow) -> Mapping[str, Any]:
        return {"place": campaign.place_of(content.facts["contest"])}

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        if not content.facts.get("other") or not campaign.place_of(content.facts["contest"]):
            return super().letter_title(content, campaign, has_deadline=has_deadline)
        return self.TITLE_WITH_DEADLINE if has_deadline else self.TITLE_WITHOUT


class ChallengeReceived(AttackKind):
    """The notice that you are challenged, and have to answer."""

    key = "challenged"
    name = gettext_noop("You are challenged")
    group = Group.YOUR_TURN
    title = gettext_noop("You have been challenged: #{contest}")
    title_with_place = gettext_noop("Challenge at {place}: #{contest}")
    awaits = Clock.Kind.ANSWER
    answer_button = gettext_noop("Accept")
    button = pgettext_noop("button in a letter", "Answer the challenge")

    TITLE_WITH_DEADLINE = gettext_noop(
        "{other:The} {other:attack|attacks} {place}: answer by {due}"
    )
    TITLE_WITHOUT = gettext_noop("{other:The} {other:attack|attacks} {place}: answer the challenge")

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the challenge has been answered."""
        return present.campaign_of(notice).is_answered(notice.facts["contest"])

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        for number, (before, facts) in event.contests.items():
            if before is None and facts["status"] == "challenged" and facts.get("defender"):
                target = facts.get("target") or ""
                known = {**attack_facts(number, facts), "target": target}
                yield Recipient(facts["defender"], about=str(number), facts=known)

    def title_of(self, content: Content) -> str:
        return self.title_with_place if content.values.get("place") else self.title


class ProvinceAttacked(AttackKind):
    """The notice of an attack that you need not answer, or whose defence you lead.

    You may lead the defence of independents.
    """

    key = "attacked"
    name = gettext_noop("You are attacked")
    group = Group.YOUR_TURN
    title = gettext_noop("An attack on you: #{contest}")
    title_for_leader = gettext_noop("You lead the defence of {place}: #{contest}")

    TITLE_WITH_DEADLINE = gettext_noop(
        "{other:The} {other:attack|attacks} {place}: play the battle by {due}"
    )
    TITLE_WITHOUT = gettext_noop("{other:The} {other:attack|attacks} {place}: play the battle")
    TITLE_OF_LEADER = gettext_noop("You lead the defence of {place}: play the battle by {due}")

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        if content.facts.get("leads") and has_deadline:
            return self.TITLE_OF_LEADER
        return super().letter_title(content, campaign, has_deadline=has_deadline)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        for number, (before, facts) in event.contests.items():
            if facts["status"] == "resolved":
                continue
            leader, known = facts.get("leader"), attack_facts(number, facts)
            if leader and (before is None or before.get("leader") != leader):
                known |= {"target": facts.get("target") or "", "leads": True}
                yield Recipient(leader, about=str(number), facts=known)
            elif before is None and facts["status"] != "challenged" and facts.get("defender"):
                yield Recipient(facts["defender"], about=str(number), facts=known)

    def title_of(self, content: Content) -> str:
        leads = content.facts.get("leads") and content.values.get("place")
        return self.title_for_leader if leads else self.title


class ResultClaimed(OpenBattleKind):
    """The notice that the other side has claimed a result, which you confirm or dispute."""

    key = "claimed"
    name = gettext_noop("A result is claimed")
    group = Group.YOUR_TURN
    title = gettext_noop("A result of battle #{contest} has been claimed")
    body = gettext_noop("{other} has made the claim. Confirm it or dispute it.")
    news = gettext_noop("{other:The} {other:have|has} made the claim.")
    is_request = True
    awaits = Clock.Kind.CLAIM

    def news_of(self, content: Content) -> str:
        return self.news

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the claim has been settled or replaced, or the battle decided."""
        return super().is_overtaken(notice, present) or present.is_claim_settled(notice)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(CLAIM):
            yield from to_other_sides(event)


class BattleMayStart(OpenBattleKind):
    """The notice that a challenge is accepted, so that both sides fight the battle."""

    key = "may-start"
    name = gettext_noop("A battle can start")
    group = Group.YOUR_TURN
    title = gettext_noop("Battle #{contest} can start")
    body = gettext_noop(
        "{speaker}: {sentence} Set it up, play it, and claim the result on its page."
    )
    news = "{speaker}: {sentence}"
    is_request = True

    def news_of(self, content: Content) -> str:
        return self.news

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        for number, (before, facts) in event.contests.items():
            was_challenged = before is not None and before["status"] == "challenged"
            if was_challenged and facts["status"] == FIGHTING:
                yield from to_all_sides(event, number, facts)


class BattleSetUp(OpenBattleKind):
    """The notice that, as the other side reports, a battle is ready in the game."""

    key = "set-up"
    name = gettext_noop("A battle is set up")
    group = Group.YOUR_TURN
    title = gettext_noop("Battle #{contest} has been set up")
    body = gettext_noop("{other}: the battle is ready in the game. Its page explains how to join.")
    is_request = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SET_UP):
            yield from to_other_sides(event)


class SubstituteNamed(OpenBattleKind):
    """The notice that you are the substitute of a seat in a battle."""

    key = "stands-in"
    name = gettext_noop("You are a substitute")
    group = Group.YOUR_TURN
    title = gettext_noop("You are the substitute for {seat:the} in battle #{contest}")
    body = gettext_noop(
        "Set the battle up, play it, and claim or confirm its result. If you cannot, step back on "
        "its page."
    )
    news = gettext_noop(
        "Set the battle up and play it. If you cannot, step back on the page of the battle."
    )

    def news_of(self, content: Content) -> str:
        return self.news

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SUBSTITUTE, "named"):
            yield Recipient(user=event.content["user"], facts=substitute_facts(event))


class ChallengeAnswered(BattleKind):
    """The notice that your challenge is answered."""

    key = "answered"
    name = gettext_noop("Your challenge is answered")
    group = Group.BATTLES
    title = gettext_noop("Your challenge has been answered: #{contest}")
    body = "{speaker}: {line}"

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        for number, (before, facts) in event.contests.items():
            was_challenged = before is not None and before["status"] == "challenged"
            attacker = facts.get("attacker")
            if was_challenged and facts["status"] != "challenged" and attacker:
                known = {"contest": number, "other": facts.get("defender") or ""}
                yield Recipient(attacker, about=str(number), facts=known)


class BattleDecided(BattleKind):
    """The notice that a battle of yours is decided."""

    key = "result"
    name = gettext_noop("Your battle is decided")
    group = Group.BATTLES
    title = gettext_noop("Battle #{contest} has been decided")
    body = "{speaker}: {line}"
    body_with_origin = "{sentence} {origin}"
    """The text of a result that players claimed: it names no speaker, but the seat that claimed it.
    """
    names_origin = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        for number, (before, facts) in event.contests.items():
            is_decided = before is None or before["status"] == FIGHTING
            if is_decided and facts["status"] == "resolved":
                yield from to_all_sides(event, number, facts)

    def body_of(self, content: Content) -> str:
        return self.body_with_origin if content.origin else self.body


class ResultDisputed(BattleKind):
    """The notice that the other side disputes a result."""

    key = "disputed"
    name = gettext_noop("A result is disputed")
    group = Group.BATTLES
    title = gettext_noop("The result of battle #{contest} has been disputed")
    body = "{other}: {reason}"
    is_urgent = True
    asked = gettext_noop(
        "Agree on the result and claim it again, or ask the game master to decide."
    )
    asked_of_master = gettext_noop("Decide on the result if the two sides do not agree.")

    def asked_of(self, notice: Notice) -> str:
        return self.asked_of_master if notice.seat == GAME_MASTER else self.asked

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the battle has been decided."""
        return present.campaign_of(notice).is_over(notice.facts["contest"])

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(DISPUTE):
            yield from to_other_sides(event, GAME_MASTER, reason=event.content["reason"])


class SubstituteForYou(BattleKind):
    """The notice that someone is your substitute in a battle."""

    key = "stood-for"
    name = gettext_noop("You get a substitute")
    group = Group.BATTLES
    title = gettext_noop("{user} is your substitute in battle #{contest}")
    body = gettext_noop("You still make the moves of {seat:the}.")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SUBSTITUTE, "named"):
            yield Recipient(event.entry.seat, facts=substitute_facts(event))


class SubstituteEnded(BattleKind):
    """The notice that a substitute's part has ended before the battle is decided."""

    key = "stands-in-ended"
    name = gettext_noop("A substitute is released early")
    group = Group.BATTLES
    title = gettext_noop("{user} is no longer the substitute for {seat:the} in battle #{contest}")
    body = gettext_noop("The holder of the seat plays the battle again.")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SUBSTITUTE, "ended"):
            facts = substitute_facts(event)
            yield Recipient(user=event.content["user"], facts=facts)
            yield Recipient(event.entry.seat, facts=facts)


def attack_facts(number: int, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a contest for the side that did not launch it."""
    return {"contest": number, "other": facts.get("attacker") or ""}


def substitute_facts(event: LoggedEvent) -> dict[str, Any]:
    """Return the facts of an act about a substitute."""
    content = event.content
    return {"contest": content["battle"], "seat": event.entry.seat, "user": content["user"]}


def to_all_sides(
    event: LoggedEvent, number: int, contest: Mapping[str, Any]
) -> Iterator[Recipient]:
    """Yield every recipient who takes part in a contest that a move changes, with substitutes."""
    facts = {"contest": number}
    sides = (contest.get("attacker"), contest.get("defender"), contest.get("leader"))
    for side in dict.fromkeys(sides):
        if side:
            yield Recipient(side, about=str(number), facts=facts)
    held = Membership.objects.filter(
        campaign=event.campaign, role=Membership.Role.SUBSTITUTE, contest=number, until=None
    )
    for user in held.filter(launch__struck_by=None).values_list("user_id", flat=True):
        yield Recipient(user=user, about=str(number), facts=facts)


def to_other_sides(event: LoggedEvent, *others: str, **more: Any) -> Iterator[Recipient]:
    """Yield every recipient who takes part in the battle of an act except the acting side.

    The other sides come first, then `others`, then the substitutes of the other sides.
    """
    number, seat = event.content["battle"], event.entry.seat
    facts = {"contest": number, "other": seat, **more}
    contest = event.campaign.game.rows(event.position_after).contests.get(number, {})
    sides = dict.fromkeys(contest.get(side) for side in ("attacker", "defender", "leader"))
    for side in (*(side for side in sides if side and side != seat), *others):
        yield Recipient(side, about=str(number), facts=facts)
    held = Membership.objects.filter(launch=event.entry.target, contest=number, until=None)
    for user in held.exclude(seat=seat).values_list("user_id", flat=True):
        yield Recipient(user=user, about=str(number), facts=facts)


KINDS = (
    ChallengeReceived(),
    ProvinceAttacked(),
    ResultClaimed(),
    BattleMayStart(),
    BattleSetUp(),
    SubstituteNamed(),
    ChallengeAnswered(),
    BattleDecided(),
    ResultDisputed(),
    SubstituteForYou(),
    SubstituteEnded(),
)
