"""Rules changed in play: the page where the game master proposes, the players answer, and the
change is put in force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import rulebook, services
from campaign.errors import TableError
from campaign.log import positions
from campaign.rulebook import NEEDS, Amendment
from engine.errors import IllegalMove
from games.contract.title import Amendable, RuleNumber, Varied
from web.frame.campaign_page import TableContext, campaign_page, see_other, show
from web.play import gm_move
from web.titles import extras

OPEN_PHASES = ("setup", "closed")
"""Where the record allows the move that changes rules."""
ROW = "v."
"""What the fields of new numbers begin with, before the path."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """GET shows every amendment, and to the game master the form; POST does `add`, `drop`, `look`,
    `ask`, `answer`, `withdraw` or `force`.
    """
    title = table.title
    if not isinstance(title, Amendable):
        raise Http404
    do = request.POST.get("do", "") if request.method == "POST" else ""
    if do in ("answer", "withdraw", "force"):
        return _act(request, table, do)
    numbers = {one.path: one for one in title.rule_numbers(table.position)}
    book = rulebook.amendment_book(table.campaign)
    standing = next((one for one in book if one.open), None)
    form = None
    if table.access.host and (standing is None or request.GET.get("change") or do):
        form = _form(request, table, numbers, standing)
        if (
            do == "ask"
            and not form["errors"]
            and form["rules"]
            and (answer := _ask(request, table, form))
        ):
            return answer
    context = {
        "book": [_shown(table, one, numbers) for one in reversed(book)],
        "form": form,
        "numbers": list(numbers.values()),
        "needs": [
            (key, words)
            for key, words in NEEDS.items()
            if _strict(key) >= _strict(table.campaign.amending)
        ],
        "needed": NEEDS[table.campaign.amending],
        "next_turn": table.campaign.turn + 1,
    }
    wrong = form is not None and bool(form["errors"]) and do == "ask"
    return show(
        request,
        table,
        "scenarios/amendments.html",
        context,
        here="rules",
        status=400 if wrong else 200,
    )


def _strict(need: str) -> int:
    return list(NEEDS).index(need)


def _form(
    request: HttpRequest,
    table: TableContext,
    numbers: Mapping[str, RuleNumber],
    standing: Amendment | None,
) -> dict[str, Any]:
    """What is typed, as it stands: a row for each number that changes, with what is wrong
    with it.
    """
    posted = request.POST
    title: Any = table.title
    if request.method == "POST":
        typed = {
            key.removeprefix(ROW): posted.get(key, "") for key in posted if key.startswith(ROW)
        }
        if posted.get("do") != "ask" and (path := _meant(posted.get("find", ""), numbers)):
            typed.setdefault(path, "")
        typed.pop(posted.get("drop", ""), None)
    else:
        typed = _of_proposal(standing, numbers) if standing is not None else {}
    errors: dict[str, str] = {}
    rows, new = [], {}
    for path, text in typed.items():
        number = numbers.get(path)
        if number is None:
            continue
        value = _read(table, text)
        row = {
            "number": number,
            "old": shown_number(number.value, number.unit),
            "typed": text,
            "wrong": "",
        }
        if value is None and (text.strip() or posted.get("do") == "ask"):
            halves = number.unit == "actions"
            errors[path] = row["wrong"] = (
                _("Type a number. Actions may be halves.") if halves else _("Type a number.")
            )
        elif value is not None and value != number.value:
            new[path] = value
        rows.append(row)
    if posted.get("do") == "ask" and not new and not errors:
        errors[""] = _("Change at least one number.")
    if posted.get("do") == "add" and not _meant(posted.get("find", ""), numbers):
        errors["find"] = _("No number has these words. Choose one of the list.")
    rules = title.amendment(table.position, new) if new else {}
    form = {
        "rows": rows,
        "rules": rules,
        "errors": errors,
        "find": posted.get("find", "") if "find" in errors else "",
        "reason": posted.get("reason", standing.reason if standing else ""),
        "need": posted.get("need", standing.need if standing else table.campaign.amending),
        "reads": [],
        "changes": standing.number if standing else None,
        "would": [],
        "looked": posted.get("do") == "look",
    }
    if rules and posted.get("do") in ("look", "ask"):
        form["would"] = _would(table, rules, errors)
        form["reads"] = [] if "" in errors else _as_it_will_read(table, rules)
    return form


def _meant(words: str, numbers: Mapping[str, RuleNumber]) -> str:
    """The path of the number that a line of the list means, or that a few words of it can only
    mean; empty if none.
    """
    wanted = words.casefold().split()
    lines = {path: line_of(one).casefold() for path, one in numbers.items()}
    exact = [path for path, line in lines.items() if line == words.strip().casefold()]
    if exact or not wanted:
        return exact[0] if exact else ""
    matching = [path for path, line in lines.items() if all(word in line for word in wanted)]
    return matching[0] if len(matching) == 1 else ""


def line_of(number: RuleNumber) -> str:
    return f"{number.rule} {number.meaning}"


def _of_proposal(standing: Amendment, numbers: Mapping[str, RuleNumber]) -> dict[str, str]:
    """The numbers of an open proposal, as they would be typed."""
    typed = {}
    for path, one in numbers.items():
        value: Any = standing.rules
        for key in path.split("."):
            try:
                value = value[int(key)] if isinstance(value, list) else value[key]
            except (KeyError, IndexError, TypeError):
                value = one.value
                break
        if value != one.value:
            typed[path] = shown_number(value, one.unit)
    return typed


def _read(table: TableContext, text: str) -> Any:
    """A number as people type it: 50, −30, 0,5, 1½. None where it is none."""
    try:
        return extras(table.title.key, "founding").number(text)  # type: ignore[union-attr]
    except ValueError:
        return None


def shown_number(value: Any, unit: str) -> str:
    """The number as people write it: halves of actions as ½."""
    if unit == "actions" and value * 2 % 1 == 0:
        whole, rest = divmod(int(value * 2), 2)
        return f"{whole or ''}½" if rest else str(whole)
    return str(value).replace("-", "\N{MINUS SIGN}")


def _would(table: TableContext, rules: Mapping[str, Any], errors: dict[str, str]) -> Sequence[Any]:
    """What the proposal would have done to what was played; a fault of the rules goes into
    `errors`.
    """
    title: Any = table.title
    try:
        title.decode(
            {"by": "gm", "move": rulebook.MOVE, "rules": rules, "reason": "."}, table.position
        )
    except IllegalMove as refusal:
        errors[""] = table.why_not(refusal)
        return []
    history = positions.history(table.campaign)
    before = [history.start, *(step.played.after for step in history.steps)]
    steps = (
        (was, step.entry.content, step.played.effects)
        for was, step in zip(before, history.steps, strict=False)
    )
    shown: Sequence[Any] = title.would_have_changed(steps, table.position, rules)
    return shown


def _as_it_will_read(table: TableContext, rules: Mapping[str, Any]) -> list[tuple[str, SafeString]]:
    """The paragraphs of the rulebook that would read otherwise, with their numbers."""
    title: Any = table.title
    if not isinstance(table.title, Varied) or not rules:
        return []
    _name, now = rulebook.chapters(table.title.key, title.scenario_now(table.position))
    _name, then = rulebook.chapters(
        table.title.key, title.scenario_now(title.amended(table.position, rules))
    )
    was = {paragraph for chapter in now for paragraph in chapter.paragraphs}
    return [
        (paragraph.number or chapter.number, paragraph.html)
        for chapter in then
        for paragraph in chapter.paragraphs
        if paragraph not in was
    ]


def _ask(request: HttpRequest, table: TableContext, form: dict[str, Any]) -> HttpResponse | None:
    """Propose it; None, with what is wrong in the form, where it is refused."""
    try:
        entry = services.propose_amendment(
            table.campaign,
            table.user,
            form["rules"],
            form["reason"],
            need=form["need"],
            changes=form["changes"],
        )
    except IllegalMove as refusal:
        form["errors"][""] = refusal.sentence
    except TableError as refusal:
        form["errors"][
            (
                "reason"
                if refusal.code == "no-reason"
                else "need"
                if refusal.code == "too-loose"
                else ""
            )
        ] = str(refusal)
    else:
        number = entry.content["amendment"]
        messages.success(
            request,
            _("Amendment %(number)s is proposed. The players are asked.") % {"number": number},
        )
        return see_other(table.url("amendments"))
    return None


def _act(request: HttpRequest, table: TableContext, do: str) -> HttpResponse:
    posted = request.POST
    number = (
        int(posted["number"])
        if posted.get("number", "").isdecimal() and len(posted["number"]) < 6
        else 0
    )
    try:
        if do == "answer":
            services.answer_amendment(
                table.campaign,
                table.user,
                number,
                posted.get("agrees") == "1",
                posted.get("why", ""),
                seat=posted.get("seat", ""),
            )
            messages.success(request, _("Your answer is in the log."))
        elif do == "withdraw":
            services.withdraw_amendment(table.campaign, table.user, number)
            messages.success(request, _("Amendment %(number)s is withdrawn.") % {"number": number})
        else:
            amendment = next(
                (
                    one
                    for one in rulebook.amendment_book(table.campaign)
                    if one.number == number and one.open
                ),
                None,
            )
            if amendment is None:
                raise Http404
            deed = gm_move.make_move(table, amendment.move, posted)
            if not deed.done:
                messages.error(request, deed.wrong)
    except TableError as refusal:
        if refusal.status in (403, 404):
            raise
        messages.error(request, str(refusal))
    return see_other(table.url("amendments"))


def _shown(
    table: TableContext, one: Amendment, numbers: Mapping[str, RuleNumber]
) -> dict[str, Any]:
    """An amendment as it is shown: its numbers beside those in force, its answers, what the reader
    may do.
    """
    asked = rulebook.voters(table.campaign) if one.open else sorted(one.answers)
    answers: list[dict[str, Any]] = [
        {
            "seat": seat,
            "name": table.name_of(seat),
            "answer": one.answers.get(seat),
            "mine": one.open and seat in table.access.seats,
        }
        for seat in asked
    ]
    yes = sum(1 for row in answers if row["answer"] is not None and row["answer"].agrees)
    agreed = one.agreed(asked)
    typed = _of_proposal(one, numbers) if one.open else {}
    return {
        "one": one,
        "answers": answers,
        "yes": yes,
        "all": len(asked),
        "need": NEEDS[one.need],
        "agreed": agreed,
        "rows": [
            {
                "number": numbers[path],
                "old": shown_number(numbers[path].value, numbers[path].unit),
                "new": text,
            }
            for path, text in typed.items()
        ],
        "reads": _as_it_will_read(table, one.rules) if one.open else [],
        "may_force": (
            one.open and agreed and table.access.game_master and table.campaign.phase in OPEN_PHASES
        ),
        "waits_for_close": one.open and agreed and table.campaign.phase not in OPEN_PHASES,
        "own": gm_move.always(table) if one.open else None,
    }
