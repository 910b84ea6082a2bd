"""The choice of a scenario in a founding form.

It may be a shipped scenario, a campaign's present scenario, a scenario of a shelf, or the user's
own scenario as text or file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext, pgettext_lazy

from campaign import scenarios as shelves
from campaign.limited_process import LimitExceeded
from campaign.models import Scenario
from engine.errors import MalformedRecord
from engine.strict_json import read, replace_unprintable
from games.contract.plain import RawScenario
from games.contract.scenarios import OwnScenarios
from games.contract.title import Title
from web.scenarios.forms import ChoiceForm
from web.scenarios.judging import Faults, decoded, scenario_and_drawing
from web.scenarios.text import editable_text, without_rules

OWN, SHELF = "own", "shelf:"
PRESENT = ""
"""The key of the campaign's present scenario."""
LISTED_OF_OTHERS = 60
REF_LENGTH = 8
FIELDS = {
    "scenario": pgettext_lazy("scenarios", "Scenario"),
    "scenario_text": gettext_lazy("Your scenario"),
}
CHOOSE = gettext_noop("Choose one of the scenarios.")
WHICH = gettext_noop(
    "You have entered a scenario of your own below. Choose “One of your own”, or empty that field."
)

Choice = tuple[str, str]
"""The key of a scenario and its name."""


@dataclass(frozen=True, slots=True)
class ScenarioGroup:
    """Scenarios of shelves under a common heading."""

    heading: str
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The scenarios that a founding form shows, and the chosen one.

    `raw` is a scenario that the title can read, whatever was typed; `drawing` is the text of its
    map, empty if it has none. `text` is the content of the field for the user's own scenario.
    """

    raw: RawScenario
    key: str
    text: str
    choices: Sequence[Choice]
    """The shipped scenarios and the present one, then `OWN` if users may bring scenarios."""
    own: bool
    drawing: str = ""
    groups: Sequence[ScenarioGroup] = ()

    @property
    def examples(self) -> list[Choice]:
        """The shipped scenarios, which serve as examples."""
        return [(key, name) for key, name in self.choices if key not in (PRESENT, OWN)]

    @property
    def is_own(self) -> bool:
        return self.key == OWN

    def offers(self, key: str) -> bool:
        """Return whether the form offers this scenario."""
        groups = (group.choices for group in self.groups)
        return any(key == known for rows in (self.choices, *groups) for known, _name in rows)


@dataclass(frozen=True, slots=True)
class Shipped:
    """The scenarios shipped with the title, and a campaign's present scenario with its map."""

    scenarios: Mapping[str, RawScenario]
    present_drawing: str

    def drawing(self, key: str) -> str:
        """Return the text of a scenario's map; empty for a shipped scenario."""
        return self.present_drawing if key == PRESENT else ""


def chosen_scenario(
    request: HttpRequest,
    title: Title,
    errors: dict[str, str],
    present: RawScenario | None = None,
    drawing: str = "",
) -> Chosen:
    """Return the scenario that a founding form chooses.

    Args:
        request: The request with the form; a GET may name a scenario in its address.
        title: The title to be played.
        errors: Receives the errors by their fields.
        present: The present scenario of a campaign.
        drawing: The text of its map.
    """
    known = dict(title.scenarios()) | ({PRESENT: present} if present is not None else {})
    shipped = Shipped(scenarios=known, present_drawing=drawing)
    is_posted = request.method == "POST"
    form = ChoiceForm(request.POST if is_posted else request.GET, request.FILES)
    offered = _offered(request, title, shipped, present, form.key)
    if is_posted:
        return _posted(request, title, shipped, offered, form, errors)
    if form.key.startswith(SHELF) and offered.offers(form.key):
        return _from_shelf(offered, request, form.key)
    return offered


def _offered(
    request: HttpRequest,
    title: Title,
    shipped: Shipped,
    present: RawScenario | None,
    key: str,
) -> Chosen:
    """Return the scenarios that the form offers, with the first of them chosen."""
    own = isinstance(title, OwnScenarios)
    choices = [(name, str(raw.get("name", name))) for name, raw in title.scenarios().items()]
    text = ""
    if present is not None:
        name = present.get("name") or _("the scenario")
        choices.insert(0, (PRESENT, _("Current: %(name)s") % {"name": name}))
        if own and not is_shipped(title, present):
            text = editable_text(present)
    first = choices[0][0]
    if own:
        choices.append((OWN, _("One of your own, pasted")))
    return Chosen(
        raw=shipped.scenarios[first],
        key=first,
        text=text,
        choices=choices,
        own=own,
        drawing=shipped.drawing(first),
        groups=_shelf_groups(request, title, key) if own else (),
    )


def _posted(
    request: HttpRequest,
    title: Title,
    shipped: Shipped,
    offered: Chosen,
    form: ChoiceForm,
    errors: dict[str, str],
) -> Chosen:
    """Return the posted choice; add its errors to `errors`."""
    key = form.key
    text = form.text(offered.text) if offered.own else ""
    sent = form.sent_file if offered.own else None
    typed = replace(offered, text=text)
    if key == OWN and offered.own:
        return _own(title, typed, sent, errors)
    if sent is not None or (text.strip() and text.split() != offered.text.split()):
        errors["scenario"] = _(WHICH)
    elif key.startswith(SHELF) and offered.offers(key):
        return _from_shelf(typed, request, key)
    elif key not in shipped.scenarios:
        errors["scenario"] = _(CHOOSE)
    if key in shipped.scenarios:
        return replace(typed, raw=shipped.scenarios[key], key=key, drawing=shipped.drawing(key))
    return replace(typed, key=key) if offered.offers(key) else typed


def _own(title: Title, typed: Chosen, sent: UploadedFile | None, errors: dict[str, str]) -> Chosen:
    """Return the scenario that was pasted or uploaded."""
    own = replace(typed, key=OWN, drawing="")
    try:
        if sent is not None:
            own = replace(own, text=decoded(sent))
        raw, drawing = scenario_and_drawing(title, own.text)
    except MalformedRecord as fault:
        errors["scenario_text"] = replace_unprintable(f"{fault}.")
    except Faults as faults:
        errors["scenario_text"] = replace_unprintable(str(faults))
    except LimitExceeded as refused:
        errors["scenario_text"] = str(refused)
    else:
        return replace(own, raw=raw, drawing=drawing)
    return own


def _shelf_groups(request: HttpRequest, title: Title, asked: str) -> list[ScenarioGroup]:
    """Return the scenarios of shelves that this reader may choose.

    The scenario that the address names is among them.
    """

    def choices(rows: Iterable[Scenario]) -> list[Choice]:
        return [(f"{SHELF}{row.public_id}", row.name) for row in rows if row.title == title.key]

    mine = choices(shelves.scenarios_of_user(request.user)) if request.user.pk else []
    shared = shelves.public_scenarios(request.user).filter(title=title.key)
    public = choices(islice(shared, LISTED_OF_OTHERS))
    if asked.startswith(SHELF) and asked not in dict([*mine, *public]):
        row = shelves.visible_scenario(asked.removeprefix(SHELF)[:REF_LENGTH], request.user)
        public += choices([row]) if row is not None and row.removed_at is None else []
    groups = (
        ScenarioGroup(heading=pgettext("heading", "Your scenarios"), choices=mine),
        ScenarioGroup(heading=pgettext("heading", "Shared by others"), choices=public),
    )
    return [group for group in groups if group.choices]


def _from_shelf(chosen: Chosen, request: HttpRequest, key: str) -> Chosen:
    row = shelves.visible_scenario(key.removeprefix(SHELF), request.user)
    if row is None:  # the owner has just withdrawn it
        return chosen
    drawing = row.drawing.text if row.drawing else ""
    return replace(chosen, raw=read(row.text), key=key, drawing=drawing)


def is_shipped(title: Title, scenario: RawScenario) -> bool:
    """Return whether a scenario is shipped with the title, apart from changed rules."""
    bare = without_rules(scenario)
    return any(bare == without_rules(raw) for raw in title.scenarios().values())
