"""A page as A4 PDF by WeasyPrint, with the style that a browser prints with (templates/print.css): the same bytes each time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EPOCH = "SOURCE_DATE_EPOCH"  # The time that is written into the fonts of a PDF, instead of the current one.


def pdf_of(page: str, folder: Path) -> bytes:
    """@param page one rendered for paper; folder: where its figures are, as NAME.svg"""
    from weasyprint import HTML  # Here, because it is slow to load and only PDFs need it.

    def fetch(url: str) -> dict[str, object]:
        """Loads figures of the page, and nothing else: no page can make this program read a file or contact another machine."""
        figure = re.fullmatch(r"figure:(\w+)", url)
        if figure is None:
            raise ValueError(f"{url}: a page may only refer to its figures")
        return {"file_obj": (folder / f"{figure[1]}.svg").open("rb"), "mime_type": "image/svg+xml"}

    with _same_time():
        pdf: bytes = HTML(string=page.encode("utf-8", "replace").decode(), url_fetcher=fetch).write_pdf()
    return pdf


@contextmanager
def _same_time() -> Iterator[None]:
    before = os.environ.get(EPOCH)
    os.environ[EPOCH] = before or "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[EPOCH]
