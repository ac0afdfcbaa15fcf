"""Pieces of the class page: tables, figures and links as HTML, every text of strangers escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .page import Picture, picture_html, points, scrolling

NUMBER, TEXT = "n", ""


def table(label: str, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> str:
    """@param columns title and NUMBER or TEXT; rows: cells that are HTML already

    A table that is wider than the page is scrolled in its place, by keyboard too.
    """
    head = "".join(f'<th scope="col"{_class(kind)}>{escape(title)}</th>' for title, kind in columns)
    body = "".join(
        "<tr>" + "".join(f"<td{_class(kind)}>{cell}</td>" for cell, (_, kind) in zip(row, columns)) + "</tr>"
        for row in rows
    )
    return scrolling(label, f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def figures(shown: Iterable[Picture | None]) -> str:
    """Those that there are, side by side where there is room."""
    pieces = [picture_html(one) for one in shown if one is not None]
    return f'<div class="figures">{"".join(pieces)}</div>' if pieces else ""


def beside(figure: str, table_html: str) -> str:
    """A figure and its table, side by side where there is room."""
    return f'<div class="beside">{figure}{table_html}</div>'


def of(part: float, whole: float) -> str:
    return f"{points(part)} / {points(whole)}"


def share(value: float) -> str:
    return f"{100 * value:.0f} %"


def some(items: Sequence[str], most: int) -> str:
    """The first of many, the others unfolded on demand. Items are HTML already."""
    if len(items) <= most + 2:
        return ", ".join(items)
    rest = ", ".join(items[most:])
    return f'{", ".join(items[:most])} <details><summary>and {len(items) - most} more</summary>{rest}</details>'
