"""The page as a screen reader has it: Chromium's own accessibility tree, in reading order, a line
for each thing spoken.
"""

from __future__ import annotations

from typing import Any, NamedTuple

SILENT = frozenset(
    {
        "none",
        "generic",
        "InlineTextBox",
        "StaticText",
        "LineBreak",
        "LayoutTable",
        "LayoutTableRow",
        "LayoutTableCell",
        "ListMarker",
        "paragraph",
        "Section",
        "Iframe",
        "strong",
        "emphasis",
        "time",
        "code",
        "mark",
        "Abbr",
    }
)
"""Roles that group or style: what they hold is spoken as text."""
NEED_NAMES = frozenset(
    {
        "button",
        "link",
        "textbox",
        "combobox",
        "checkbox",
        "radio",
        "radiogroup",
        "slider",
        "spinbutton",
        "searchbox",
        "tab",
        "dialog",
        "alertdialog",
        "image",
        "img",
        "menuitem",
        "switch",
        "region",
        "progressbar",
        "graphics-document",
    }
)


class Spoken(NamedTuple):
    role: str
    name: str
    depth: int
    properties: dict[str, Any]
    """`level`, `disabled`, `expanded`, `checked`, `pressed`, `live`, `invalid`, `required`,
    `focused`, `value` …, as they are.
    """

    def __str__(self) -> str:
        """`button Announce`, `heading 2 Build`, `combobox Target = Dalmatia (required)`."""
        known = self.properties
        level = f" {known['level']}" if self.role == "heading" else ""
        value = f" = {known['value']}" if known.get("value") else ""
        flags = [
            key
            for key in (
                "disabled",
                "required",
                "invalid",
                "pressed",
                "checked",
                "expanded",
                "selected",
                "live",
            )
            if known.get(key) not in (None, False, "false", "off", "")
        ]
        marks = f" ({', '.join(flags)})" if flags else ""
        return f"{self.role}{level} {self.name}{value}{marks}"


def tree(page: Any) -> list[Spoken]:
    """All that is spoken, in its order; texts of what has no role of its own are left out."""
    session = page.context.new_cdp_session(page)
    nodes = {one["nodeId"]: one for one in session.send("Accessibility.getFullAXTree")["nodes"]}
    session.detach()
    spoken: list[Spoken] = []

    def walk(node: dict[str, Any], depth: int) -> None:
        role = node.get("role", {}).get("value", "")
        if not node.get("ignored") and role not in SILENT:
            known = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
            if "value" in node:
                known["value"] = node["value"].get("value")
            spoken.append(
                Spoken(
                    role, " ".join(str(node.get("name", {}).get("value", "")).split()), depth, known
                )
            )
            depth += 1
        for child in node.get("childIds", ()):
            if child in nodes:
                walk(nodes[child], depth)

    roots = [one for one in nodes.values() if one.get("parentId") not in nodes]
    for root in roots:
        walk(root, 0)
    return spoken


def lines(page: Any) -> list[str]:
    return [str(one) for one in tree(page)]


def faults(page: Any) -> list[str]:
    """What a listener cannot make sense of: things without a name, headings that leave a level out,
    two things of one landmark with one name, a page without its heading.
    """
    wrong, level = [], 1
    spoken = tree(page)
    for one in spoken:
        if one.role in NEED_NAMES and not one.name:
            wrong.append(f"a {one.role} without a name")
        if one.role == "heading":
            now = int(one.properties["level"])
            if now > level + 1:
                wrong.append(f"heading {now} {one.name!r} after level {level}")
            level = now
    first = [one for one in spoken if one.role == "heading" and one.properties["level"] == 1]
    if len(first) != 1:
        wrong.append(f"{len(first)} headings of level 1")
    marks = [
        (one.role, one.name)
        for one in spoken
        if one.role in ("main", "navigation", "banner", "contentinfo", "region")
    ]
    wrong += [
        f"{role} {name!r} twice"
        for role, name in dict.fromkeys(marks)
        if marks.count((role, name)) > 1
    ]
    if ("main", "") not in marks and not any(role == "main" for role, _ in marks):
        wrong.append("no main")
    return wrong


STATUS = "[role=status], [role=alert], [role=log], [aria-live]"


def spoken_status(page: Any) -> str:
    """What stands in the places whose changes are spoken."""
    return str(
        page.evaluate(
            f"[...document.querySelectorAll('{STATUS}')].map(one => one.innerText).join('\\n')"
        )
    )
