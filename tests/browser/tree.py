"""The page as a screen reader reads it: Chromium's accessibility tree, one line for each item.

Lines are in reading order.
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
"""Roles that group or style, whose content is spoken as text."""
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


class SpokenNode(NamedTuple):
    role: str
    name: str
    depth: int
    properties: dict[str, Any]
    """`level`, `disabled`, `expanded`, `checked`, `pressed`, `live`, `invalid`, `required`,
    `focused`, `value` …, as they are.
    """

    def __str__(self) -> str:
        """Return the line that is spoken.

        For example `button Announce`, `heading 2 Build`, `combobox Target = Dalmatia (required)`.
        """
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


def accessibility_tree(page: Any) -> list[SpokenNode]:
    """Return everything that is spoken, in order.

    Texts of elements without a role of their own are left out.
    """
    session = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}
    session.detach()
    spoken: list[SpokenNode] = []

    def walk(node: dict[str, Any], depth: int) -> None:
        role = node.get("role", {}).get("value", "")
        if not node.get("ignored") and role not in SILENT:
            known = {
                prop["name"]: prop["value"].get("value") for prop in node.get("properties", ())
            }
            if "value" in node:
                known["value"] = node["value"].get("value")
            spoken.append(
                SpokenNode(
                    role, " ".join(str(node.get("name", {}).get("value", "")).split()), depth, known
                )
            )
            depth += 1
        for child in node.get("childIds", ()):
            if child in nodes:
                walk(nodes[child], depth)

    roots = [node for node in nodes.values() if node.get("parentId") not in nodes]
    for root in roots:
        walk(root, 0)
    return spoken


def spoken_lines(page: Any) -> list[str]:
    return [str(node) for node in accessibility_tree(page)]


def accessibility_faults(page: Any) -> list[str]:
    """Return what a listener cannot understand.

    These are elements without a name, headings that skip a level, two elements of one landmark with
    one name, and a page without its heading.
    """
    wrong, level = [], 1
    spoken = accessibility_tree(page)
    for node in spoken:
        if node.role in NEED_NAMES and not node.name:
            wrong.append(f"a {node.role} without a name")
        if node.role == "heading":
            now = int(node.properties["level"])
            if now > level + 1:
                wrong.append(f"heading {now} {node.name!r} after level {level}")
            level = now
    first = [node for node in spoken if node.role == "heading" and node.properties["level"] == 1]
    if len(first) != 1:
        wrong.append(f"{len(first)} headings of level 1")
    marks = [
        (node.role, node.name)
        for node in spoken
        if node.role in ("main", "navigation", "banner", "contentinfo", "region")
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
    """Return the text of the places whose changes are spoken."""
    return str(
        page.evaluate(
            f"[...document.querySelectorAll('{STATUS}')].map(one => one.innerText).join('\\n')"
        )
    )
