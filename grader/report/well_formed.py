"""For tests: reads a page and reports everything that is not well-formed."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "hr"}


class WellFormed(HTMLParser):
    """Collects ids, text and links; complains about tags that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.text = ""
        self.images: list[str] = []

    def handle_starttag(self, tag, attributes):
        fields = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in fields:
            self.ids.append(fields["id"])
        if fields.get("role") == "img":
            self.images.append(fields.get("aria-label", ""))
        self.references += [fields[key] for key in ("href", "src", "xlink:href") if key in fields]

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes nothing at {self.getpos()}")

    def handle_data(self, data):
        self.text += data
