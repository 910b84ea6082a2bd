"""The scenario editor: drafts on the map, the numbers of their rules, and published versions."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from campaign import drafts
from campaign.errors import Refused, TableError
from campaign.models import ScenarioDraft
from engine.errors import MalformedRecord, explain_fault
from engine.strict_json import replace_unprintable
from games.contract.plain import Bundle
from web.editor.contract import Act, EditorPart
from web.editor.forms import ActForm, NumbersForm, PublishForm, check_values
from web.editor.page import ChangedParts, changed_parts, editor_page, numbers_page
from web.frame import throttle
from web.frame.campaign_page import see_other
from web.frame.parts import part_of_page
from web.frame.raw_forms import form_key
from web.titles.contract import pages_of

OK, CONFLICT, WRONG = 200, 409, 422
STEPS = {"undo": drafts.undo, "redo": drafts.redo}


def draft_of(request: HttpRequest, ref: str) -> ScenarioDraft:
    """Return a draft of the reader.

    Raises:
        Http404: The reader has no draft with this reference.
    """
    draft = drafts.draft_of(request.user, ref)
    if draft is None:
        raise Http404
    return draft


def editor_part(draft: ScenarioDraft) -> EditorPart[Bundle]:
    """Return the editor of a draft's title.

    Raises:
        Http404: The title has no editor.
    """
    part = pages_of(draft.title).editor
    if part is None:
        raise Http404
    return part


@login_required
@require_http_methods(["GET", "HEAD"])
def editor(request: HttpRequest, ref: str) -> HttpResponse:
    """Show the map, the faults, and the panel of `?province=`, `?nation=` or `?tab=`."""
    draft = draft_of(request, ref)
    page = editor_page(draft, editor_part(draft), request.GET.dict())
    return render(request, "editor/editor.html", {"page": page})


@login_required
@require_POST
def act(request: HttpRequest, ref: str) -> HttpResponse:
    """Perform an act, undo or redo; a script gets the changed parts of the page."""
    draft = draft_of(request, ref)
    form = ActForm(request.POST)
    status, error = OK, ""
    try:
        draft = do_act(request, draft, form)
    except drafts.DraftChanged as moved:
        status, error, draft = CONFLICT, str(moved), draft_of(request, ref)
    except MalformedRecord as fault:
        status, error = WRONG, fault_text(fault)
    except TableError as refused:
        status, error = WRONG, str(refused)
    if request.headers.get("Accept") == "application/json" or not request.accepts("text/html"):
        return answer_script(request, draft, form, status, error)
    if error:
        messages.error(request, error)
    page = reverse(
        "scenario_numbers" if form.is_of_numbers else "scenario_editor", args=[draft.public_id]
    )
    back = form.cleaned_data["back"]
    return see_other(f"{page}?{back}" if back else page)


def fault_text(fault: MalformedRecord) -> str:
    """Return why an act is refused."""
    return replace_unprintable(f"{explain_fault(fault, {}).why}.")


def do_act(request: HttpRequest, draft: ScenarioDraft, form: ActForm) -> ScenarioDraft:
    """Perform the act of the form and return the changed draft.

    Raises:
        MovedOn: The draft has changed since the page was made.
        MalformedRecord: A field is wrong.
        TableError: The act is refused.
    """
    check_values(request.POST)
    step = STEPS.get(form.cleaned_data["act"])
    if step is not None:
        return step(request.user, draft.public_id, form.revision_number)
    act = editor_part(draft).act_of(drafts.bundle_of(draft), request.POST.dict())
    return drafts.change_draft(request.user, draft.public_id, form.revision_number, act)


def answer_script(
    request: HttpRequest, draft: ScenarioDraft, form: ActForm, status: int, error: str
) -> JsonResponse:
    """Return the parts of the page that an act has changed.

    If the browser has the present shape, only the changing part of the map is sent.
    """
    part = editor_part(draft)
    page, answer = changed_parts(draft, part, form.selection, form.cleaned_data["shape"])
    context = {"page": ChangedParts(page)}
    answer |= {
        "wrong": error,
        "panel": part_of_page(page.panel_template, context, request),
        "checks": part_of_page("editor/_checks.html", context, request),
        "saved": part_of_page("editor/_saved.html", context, request),
    }
    return JsonResponse(answer, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def numbers(request: HttpRequest, ref: str) -> HttpResponse:
    """Show the numbers of the rules and the changed rulebook, or save the typed numbers."""
    draft = draft_of(request, ref)
    part = editor_part(draft)
    wrong: dict[str, str] = {}
    if request.method == "POST":
        draft, wrong = save_numbers(request, draft, part)
        if not wrong:
            return see_other(request.get_full_path())
    page = numbers_page(draft, part, request.GET.dict(), wrong)
    return render(request, "editor/numbers.html", {"page": page}, status=WRONG if wrong else OK)


def save_numbers(
    request: HttpRequest, draft: ScenarioDraft, part: EditorPart[Bundle]
) -> tuple[ScenarioDraft, dict[str, str]]:
    """Save every typed number; return the draft, and the errors by path."""
    wrong: dict[str, str] = {}
    acts: Sequence[Act] = []
    try:
        check_values(request.POST)
        acts, wrong = part.rules_acts(drafts.bundle_of(draft), dict(request.POST.lists()))
    except Refused as refused:
        wrong = {"": str(refused)}
    usual = NumbersForm(request.POST).cleaned_data["usual"]
    for act in [part.rules_act(usual, None)] if usual else acts:
        try:
            draft = drafts.change_draft(request.user, draft.public_id, draft.revision, act)
        except MalformedRecord as fault:
            wrong[act["path"]] = fault_text(fault)
    return draft, wrong


@login_required
@require_POST
def publish(request: HttpRequest, ref: str) -> HttpResponse:
    """Publish the present draft as its next version."""
    draft = draft_of(request, ref)
    if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
        return throttle.refused(request, wait)
    form = PublishForm(request.POST)
    note, sharing = form.cleaned_data["note"], form.cleaned_data["sharing"]
    try:
        row = drafts.publish(request.user, ref, form.revision_number, note, sharing)
    except MalformedRecord as fault:
        messages.error(request, replace_unprintable(f"{fault}."))
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        text = _(
            "Version %(n)s has been published. It never changes. You can go on working on the "
            "draft."
        )
        messages.success(request, text % {"n": row.version})
        return see_other(reverse("scenario_shown", args=[row.public_id]))
    return redirect("scenario_editor", draft.public_id)


@login_required
@require_POST
def put_away(request: HttpRequest, ref: str) -> HttpResponse:
    """Remove a draft, or restore it."""
    try:
        if form_key(request, "act") == "back":
            drafts.restore_draft(request.user, ref)
            return see_other(reverse("scenario_editor", args=[ref]))
        draft = drafts.remove_draft(request.user, ref)
    except TableError as refused:
        messages.error(request, str(refused))
    else:
        text = _("The draft of %(name)s has been removed. Published versions remain.")
        messages.success(request, text % {"name": draft.name})
    return see_other(reverse("scenarios"))
