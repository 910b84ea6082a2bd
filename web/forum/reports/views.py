"""The views of the report pages.

Everyone who may read a campaign can read its reports. A game master also writes the template and
the own text.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from forum.posts import reports as forum_reports
from forum.posts import threads as writing
from web.forum.common import refuse
from web.forum.reports.forms import Choice, ChoiceForm, TemplateForm, WordsForm
from web.forum.reports.page import has_outbox, reports_page
from web.forum.reports.report import report_or_404, report_page, table_in_language
from web.forum.reports.template import template_page
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.table import TableContext


@campaign_page
def reports(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show every report, the latest turn first. Users with an outbox see that instead."""
    if has_outbox(table):
        return see_other(table.url("posts"))
    page = reports_page(table)
    return show(request, table, "forum/reports.html", {"page": page}, tab="reports")


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def report(request: HttpRequest, table: TableContext, key: str) -> HttpResponse:
    """Show a report by `?dialect=`, `?language=` and `?tone=`. A POST stores the own text."""
    if request.method == "POST":
        return write_words(request, table, key)
    form = ChoiceForm(request.GET)
    page = report_page(request, table, key, form.choice(), is_impatient=form.is_impatient)
    return show(request, table, "forum/report.html", {"page": page}, tab="reports")


def write_words(request: HttpRequest, table: TableContext, key: str) -> HttpResponse:
    """Put the game master's own text into a report."""
    choice: Choice = ChoiceForm(request.POST).choice()
    form = WordsForm(request.POST)
    report_or_404(table, key)
    if form.is_valid():
        try:
            writing.set_comment(
                table.campaign, request.user, key, choice.language, **form.cleaned_data
            )
        except writing.WrongField as refusal:
            refuse(form, refusal.field, str(refusal))
        else:
            messages.success(request, _("Your words have been inserted into the report."))
            return see_other(table.url("report", key) + choice.query())
    page = report_page(request, table, key, choice, form)
    return show(request, table, "forum/report.html", {"page": page}, tab="reports", status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def tone(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show and change the template of all reports in the language of `?language=`."""
    table.must_be_host()
    if request.method == "POST":
        return change_template(request, table)
    language = ChoiceForm(request.GET).choice().language
    with table_in_language(table, language):
        template = forum_reports.template(table.campaign)
    form = TemplateForm(language, initial=template._asdict())
    page = template_page(table, language, template, form)
    return show(request, table, "forum/report_tone.html", {"page": page}, tab="reports")


def change_template(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Store the template of a language."""
    language = ChoiceForm(request.POST).choice().language
    form = TemplateForm(language, request.POST)
    template = form.template()
    try:
        writing.set_template(
            table.campaign,
            request.user,
            language,
            tone=template.tone,
            subject=template.subject,
            greeting=template.greeting,
            signature=template.signature,
            parts=template.order,
        )
    except writing.WrongField as refusal:
        refuse(form, refusal.field, str(refusal))
        page = template_page(table, language, template, form)
        return show(
            request, table, "forum/report_tone.html", {"page": page}, tab="reports", status=400
        )
    messages.success(request, _("Saved. Reports will now look like this."))
    return see_other(f"{table.url('report_tone')}?language={language}")
