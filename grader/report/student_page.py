"""A student's page: one HTML file, with figures beside it that are also inside."""

from __future__ import annotations

from html import escape

from .explanation import errors_of, headline, lines_of
from .page import COUNTED, document, picture_html, points, scrolling, source_html, status_html, tests_html
from .student_view import LabView, StudentView


def _anchors(lab: LabView) -> dict[str, str]:
    return {test.name: f"{lab.entry.lab}-test-{test.position + 1}" for test in lab.tests}


def _summary(view: StudentView) -> str:
    rows = ""
    for lab in view.labs:
        entry = lab.entry
        so_far = " so far" if entry.is_sealed else ""
        rows += (f'<tr><td><a href="#{escape(entry.lab)}">{escape(entry.title)}</a></td>'
                 f'<td class="status">{status_html(entry.shown_status)}</td>'
                 f'<td class="n">{points(entry.shown_points)} / {points(entry.shown_max_points)}{so_far}</td></tr>')
    total = f"{points(view.points)} / {points(view.max_points)}{' so far' if view.is_sealed else ''}"
    return scrolling("Summary", (
        '<table><thead><tr><th scope="col">Lab</th><th scope="col">Status</th><th scope="col" class="n">Points</th></tr>'
        f'</thead><tbody>{rows}</tbody><tfoot><tr><th scope="row">Total</th><td></td><th class="n">{total}</th></tr></tfoot>'
        "</table>"))


def _points(lab: LabView) -> str:
    rows = ""
    for kind in lab.kinds:
        share = 100 * kind.points / kind.max_points if kind.max_points else 0
        rows += (f'<tr><th scope="row">{escape(kind.name)}</th><td class="n">{kind.passed} of {kind.count}</td>'
                 f'<td class="n">{points(kind.points)} / {points(kind.max_points)}</td>'
                 f'<td class="meter" aria-hidden="true"><span><i style="width:{share:.4g}%"></i></span></td></tr>')
    table = scrolling("Points by kind", (
        '<table><thead><tr><th scope="col">Kind</th><th scope="col" class="n">Passed</th>'
        '<th scope="col" class="n">Points</th><td class="meter"></td></tr></thead>'
        f"<tbody>{rows}</tbody></table>")) if rows else ""
    words = f"<p>{escape(' '.join(lab.towards_grade))}</p>" if lab.towards_grade else ""
    return f"<h3>Points</h3>{table}{words}" if table or words else ""


def _source(lab: LabView) -> str:
    if not lab.source:
        return ""
    notes: dict[int, list[str]] = {}
    anchors = _anchors(lab)
    for test in lab.tests if lab.ran else ():
        if test.points < test.max_points:
            for line in lines_of(test, lab.source_name):
                notes.setdefault(line, []).append(
                    f'<a href="#{escape(anchors[test.name])}">{escape(test.kind)}: {escape(test.sentence)}</a> '
                    f"{escape(headline(test))}")
    for line, error in errors_of(lab.build_log, lab.source_name):
        notes.setdefault(line, []).append(escape(error))
    counted = any(row.executed for row in lab.source)
    said = f"Counted on the lab's benchmark, all kernels together: {COUNTED}. " if counted else ""
    said += ("Lines that a test names have a note below them. " if lab.ran else "The compiler's errors stand below their lines. ") if notes else ""
    said += lab.source_cut
    return (f"<h3>Your {escape(lab.source_name)}, line by line</h3>" + (f"<p>{said}</p>" if said else "")
            + source_html(lab.source_name, lab.source, {line: "<br>".join(texts) for line, texts in notes.items()}))


def _handed_in(lab: LabView) -> str:
    submission = lab.entry.shown_submission
    if submission is None:
        return ""
    when = f", {escape(lab.when)}" if lab.when else ""
    return (f'<p class="quiet">Attempt {submission.attempt} of {max(lab.attempts, submission.attempt)}{when} · '
            f'<span class="code">{escape(submission.origin)}</span> · SHA-256 '
            f'<span class="code">{submission.sha256[:16]}…</span></p>')


def _lab(lab: LabView) -> str:
    entry = lab.entry
    parts = [
        f'<section id="{escape(entry.lab)}"><h2>{escape(entry.title)}</h2>',
        f"<p>{status_html(entry.shown_status)} · {points(entry.shown_points)} of {points(entry.shown_max_points)} points"
        f"{' so far' if entry.is_sealed else ''}</p>",
        _handed_in(lab),
    ]
    if entry.shown_status != "passed" or entry.is_sealed:
        parts.append(f"<p>{escape(entry.feedback)}</p>")
    if lab.steps:
        parts.append('<div class="next"><h3>What to try next</h3><ol>' + "".join(f"<li>{_code(step)}</li>" for step in lab.steps)
                     + "</ol></div>")
    parts.append(_points(lab))
    if lab.build_log:
        parts.append(f"<h3>What the compiler said</h3><pre class=\"log\">{escape(lab.build_log)}</pre>")
    if lab.ran:
        parts += ["<h3>Tests</h3>", tests_html(lab.tests, _anchors(lab))]
        if lab.hidden_note:
            parts.append(f'<p class="hidden">{escape(lab.hidden_note)}</p>')
    elif lab.tests:
        parts += [f'<h3>Tests</h3><p class="quiet">None of the {len(lab.tests)} tests was run.</p>']
    if lab.evidence and lab.evidence.pictures:
        parts += ["<h3>Figures</h3>", '<div class="figures">', *map(picture_html, lab.evidence.pictures), "</div>"]
    if lab.problem:
        parts.append(f'<p class="quiet">There are no figures: {escape(lab.problem)}</p>')
    if lab.evidence:
        parts.append(lab.evidence.components)
    parts.append(_source(lab))
    if lab.noticed:
        parts.append("<h3>About what was handed in</h3><ul>" + "".join(f"<li>{escape(one)}</li>" for one in lab.noticed) + "</ul>")
    return "".join([*parts, "</section>"])


def _code(text: str) -> str:
    """Text with `commands` set as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # A mark without its partner.
        return escape(text)
    return "".join(f"<code>{escape(part)}</code>" if i % 2 else escape(part) for i, part in enumerate(parts))


def student_page(view: StudentView) -> str:
    """The page as HTML."""
    name = f"{view.student.name} ({view.student.student})" if view.student.name else view.student.student
    title = view.course or "warpbook"
    header = f"<h1>{escape(name)}</h1><p class=\"quiet\">{escape(title)}: report of the labs</p>"
    body = _summary(view) if view.labs else "<p>No lab was graded.</p>"
    if view.noticed:
        body += "<ul>" + "".join(f"<li>{escape(one)}</li>" for one in view.noticed) + "</ul>"
    return document(f"{name}: {title}", header, body + "".join(_lab(lab) for lab in view.labs))
