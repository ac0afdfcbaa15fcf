"""The class page: one file with its style and pictures inside, no script and nothing fetched."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path

from grader.course.exporters.view import Entry

from .class_counters import LabCounters, Measured
from .class_data import ClassData, LabView, TestShare
from .class_figures import SHOWN_TESTS, after_due, day, times_of
from .class_findings import findings_section
from .class_graph import SHOWN_CLUSTERS, Cluster
from .class_html import NUMBER, TEXT, beside, figures, of, share, some, table
from .class_mistakes import BY_CODE, BY_SIGNS, Mistake
from .class_scatter import limiters, short
from .page import COMPONENTS, STATUS, Picture, points
from .style import number

HARDEST = 10
SHOWN_STUDENTS = 8
HOW = {BY_CODE: "its code", BY_SIGNS: "the same test and message"}

Link = Callable[[str], str]  # From a student's id to HTML.


@dataclass(frozen=True)
class LabPart:
    """What the page says of one lab. Pictures are None where there is nothing to draw."""

    lab: LabView
    tests_picture: Picture | None
    mistakes: list[tuple[Mistake, list[Entry]]]
    counters: LabCounters
    counter: str
    scatter_picture: Picture | None


@dataclass(frozen=True)
class ClassPictures:
    points: Picture | None
    totals: Picture | None
    hardest: Picture | None
    submissions: Picture | None
    graph: Picture | None


def _labs_table(data: ClassData) -> str:
    columns = [
        ("Lab", TEXT),
        ("Due", TEXT),
        *(
            (title, NUMBER)
            for title in ("Handed in", "Late", "Passed", "Failed", "Does not build", "Not started", "Median points")
        ),
    ]
    rows = []
    for lab in data.labs:
        median = lab.median_points
        rows.append(
            (
                f'<a href="#lab-{escape(lab.name)}">{escape(lab.title)}</a>',
                _when(lab.due, data) if lab.due else "–",
                of(lab.came, len(lab.entries)),
                str(lab.late),
                str(lab.count("passed")),
                str(lab.count("failed", "inconclusive")),
                str(lab.count("build_failed")),
                str(lab.count("not_started")),
                "–" if median is None else of(median, lab.max_points),
            )
        )
    return table("Labs", columns, rows)


def hardest_tests(data: ClassData) -> list[tuple[LabView, TestShare]]:
    """Of all labs, those that the largest share of the answers failed."""
    found = [(lab, one) for lab in data.labs for one in lab.tests() if one.failed]
    return sorted(found, key=lambda pair: (-pair[1].failed_share, -pair[1].failed))[:HARDEST]


def _hardest(data: ClassData, pictures: ClassPictures) -> str:
    found = hardest_tests(data)
    if not found:
        return "<p>No test failed.</p>"
    columns = [("Lab", TEXT), ("Test", TEXT), ("Failed", NUMBER), ("Share", NUMBER)]
    rows = [
        (escape(lab.title), _test_name(one), of(one.failed, one.ran), share(one.failed_share)) for lab, one in found
    ]
    return (
        "<p>The share of the answers in which the test ran, and failed. Answers that do not build or were not started "
        "are not counted here.</p>" + beside(figures([pictures.hardest]), table("Hardest tests", columns, rows))
    )


def _test_name(one: TestShare) -> str:
    return f"{escape(one.test.kind)}: {escape(one.test.sentence)}" + (" <i>(hidden)</i>" if one.test.hidden else "")


def _lab(part: LabPart, data: ClassData, link: Link) -> str:
    lab = part.lab
    due = f" Due {day(lab.due, data.zone)}." if lab.due else ""
    pieces = [
        f'<section id="lab-{escape(lab.name)}"><h2>{escape(lab.title)}</h2>',
        f"<p>{lab.came} of {len(lab.entries)} students handed something in, {lab.late} of them late.{due}{_waiting(lab)}</p>",
    ]
    if not lab.handed_in:
        return "".join([*pieces, '<p class="quiet">There is nothing to show yet.</p></section>'])
    pieces.append(figures([part.tests_picture, part.scatter_picture]))
    pieces.append(_tests_table(lab))
    pieces.append(_mistakes(part.mistakes, link))
    pieces.append(_counters(part))
    return "".join([*pieces, "</section>"])


def _waiting(lab: LabView) -> str:
    count = sum(entry.is_undecided for entry in lab.entries)
    if not count:
        return ""
    return f" {_plural(count, 'submission')} {'waits' if count == 1 else 'wait'} for you to decide: see what was unexpected."


def _tests_table(lab: LabView) -> str:
    shares = lab.tests()
    if not shares:
        return '<p class="quiet">No test ran.</p>'
    columns = [
        ("Test", TEXT),
        *((title, NUMBER) for title in ("Passed", "Failed", "Inconclusive", "Not run", "Failed of those it ran in")),
    ]
    rows = [
        (
            _test_name(one),
            str(one.passed),
            str(one.failed),
            str(one.inconclusive),
            str(one.not_run),
            share(one.failed_share),
        )
        for one in shares
    ]
    more = f"<p>The figure shows the {SHOWN_TESTS} hardest.</p>" if len(shares) > SHOWN_TESTS else ""
    return f"<h3>Tests, the hardest first</h3>{more}" + table(f"Tests of {lab.title}", columns, rows)


def _mistakes(mistakes: Sequence[tuple[Mistake, list[Entry]]], link: Link) -> str:
    if not mistakes:
        return "<h3>Common mistakes</h3><p>No answer failed a test.</p>"
    known: dict[tuple[str, ...], list[tuple[str, list[Entry]]]] = {}
    for mistake, entries in mistakes:
        if mistake.how in HOW:
            known.setdefault(mistake.what, []).append((mistake.how, entries))
    others = [(mistake, entries) for mistake, entries in mistakes if mistake.how not in HOW]
    pieces = ["<h3>Common mistakes</h3>"]
    if known:
        pieces.append(
            "<p>Failing answers that resemble one of the wrong answers that warpbook's own tests are checked with. "
            "It is a likeness, seen by a program: by signs, another mistake may look the same.</p>"
        )
        rows = []
        for what, found in sorted(
            known.items(), key=lambda item: (-sum(len(entries) for _, entries in item[1]), item[0])
        ):
            entries = sorted((entry for _, group in found for entry in group), key=lambda entry: entry.student.student)
            seen = "; ".join(HOW[how] + (f" ({len(group)})" if len(found) > 1 else "") for how, group in found)
            rows.append(("<br><i>or</i> ".join(map(escape, what)), str(len(entries)), seen, _students(entries, link)))
        pieces.append(
            table(
                "Answers that resemble a known mistake",
                [("Resembles", TEXT), ("Answers", NUMBER), ("Seen by", TEXT), ("Students", TEXT)],
                rows,
            )
        )
    if others:
        pieces.append("<p>Failing answers that resemble none of them, by what their first failing test says:</p>")
        rows = [
            (
                f"{escape(mistake.test.split('.', 2)[-1])}: {escape(mistake.what[0])}",
                str(len(entries)),
                _students(entries, link),
            )
            for mistake, entries in others
        ]
        pieces.append(
            table(
                "Other failing answers, by message",
                [("Test and message", TEXT), ("Answers", NUMBER), ("Students", TEXT)],
                rows,
            )
        )
    return "".join(pieces)


def _students(entries: Sequence[Entry], link: Link) -> str:
    return some([link(entry.student.student) for entry in entries], SHOWN_STUDENTS)


def _counters(part: LabPart) -> str:
    found = part.counters
    if not found.answers:
        return ""
    times = [one.time_us for one in found.answers for _ in range(one.answers)]
    left_out = f" {found.without} graded answers have no time or no profile and are left out." if found.without else ""
    pieces = [
        f"<h3>Time and counters</h3><p>Predicted time of the benchmark: the median of {len(times)} answers is "
        f"{number(statistics.median(times))} µs.{left_out}</p>"
    ]
    if found.rungs:
        rows = [
            (
                escape(rung.title),
                number(rung.time_us),
                short(rung.counters[part.counter]),
                _limiter(rung.limiter),
                of(sum(time <= 1.05 * rung.time_us for time in times), len(times)),
            )
            for rung in found.rungs
        ]
        pieces.append(
            table(
                f"Rungs of {part.lab.title}",
                [
                    ("Rung of the ladder", TEXT),
                    ("Predicted µs", NUMBER),
                    (part.counter.capitalize(), NUMBER),
                    ("Limited by", TEXT),
                    ("Answers as fast, within 5 %", NUMBER),
                ],
                rows,
            )
        )
    pieces.append(
        table(
            f"What limits the answers to {part.lab.title}",
            [("Limited by", TEXT), ("Answers", NUMBER), ("Median µs", NUMBER)],
            [
                (_limiter(name), str(count), number(_median_time(found.answers, name)))
                for name, count in limiters(found.answers)
            ],
        )
    )
    return "".join(pieces)


def _median_time(answers: Sequence[Measured], limiter: str) -> float:
    return statistics.median([one.time_us for one in answers if one.limiter == limiter for _ in range(one.answers)])


def _limiter(name: str) -> str:
    return escape(COMPONENTS.get(name, name)) or "–"


def _similarity(data: ClassData, clusters: Sequence[Cluster], graph: Picture | None, link: Link) -> str:
    if not clusters:
        return "<p>No answers were found that are alike enough to look at.</p>"
    rows = [
        (
            escape(data.lab_title(cluster.lab)),
            str(cluster.number),
            some([link(student) for student in cluster.students], SHOWN_STUDENTS),
            str(len(cluster.pairs)),
            f"{cluster.pairs[0].score:.2f}",
        )
        for cluster in clusters
    ]
    more = f" The figure shows the first {SHOWN_CLUSTERS} groups." if len(clusters) > SHOWN_CLUSTERS else ""
    words = (
        "<p>A signal for a person, never a deduction: read both answers before you think of asking anybody. "
        f"A thick line is a high score; below 0.8 it is dashed.{more} "
        "<code>similarity.json</code> beside the gradebook has the excerpts.</p>"
    )
    columns = [("Lab", TEXT), ("Group", NUMBER), ("Students", TEXT), ("Pairs", NUMBER), ("Highest score", NUMBER)]
    return words + figures([graph]) + table("Groups of answers that are alike", columns, rows)


def _everybody(data: ClassData, link: Link) -> str:
    columns = [("Student", TEXT), ("Name", TEXT), ("Total", NUMBER), *((lab.title, NUMBER) for lab in data.labs)]
    rows = []
    for student in data.students:
        cells = [_cell(data.classroom.entries.get((student.student, lab.name))) for lab in data.labs]
        rows.append(
            (
                link(student.student),
                escape(student.name) or "–",
                f"{points(data.classroom.percent(student))} %",
                *cells,
            )
        )
    return table("Everybody", columns, rows)


def _cell(entry: Entry | None) -> str:
    if entry is None:
        return "–"
    grade = entry.grade
    if grade.status == "missing":
        return '<span class="quiet">–</span>'
    if grade.status == "not_graded":
        return f'<span class="not_graded" title="{escape(grade.reason)}">? no grade yet</span>'
    late = f' <span class="quiet">{grade.late_days} d late</span>' if grade.late_days else ""
    status = STATUS[grade.status]
    mark = f'<span class="{escape(grade.status)}" title="{escape(status)}">{status[0]}</span>'
    return f"{mark} {points(grade.points)}{late}"


def render(
    data: ClassData, parts: Sequence[LabPart], pictures: ClassPictures, clusters: Sequence[Cluster], link: Link
) -> str:
    """The whole page."""
    style = "".join(
        Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("page.css", "class_page.css")
    )
    title = f"{data.title}: the class" if data.title else "The class"
    sections = [
        ("overview", "Overview", _overview(data, pictures)),
        ("hardest", "Hardest tests", _hardest(data, pictures)),
        ("time", "Submissions over time", _over_time(data, pictures)),
        *((f"lab-{part.lab.name}", part.lab.title, "") for part in parts),
        ("similar", "Answers that are alike", _similarity(data, clusters, pictures.graph, link)),
        ("findings", "What was unexpected", findings_section(data, link)),
        ("everybody", "Everybody", _everybody(data, link)),
    ]
    labs = {f"lab-{part.lab.name}": _lab(part, data, link) for part in parts}
    contents = "".join(f'<li><a href="#{escape(name)}">{escape(heading)}</a></li>' for name, heading, _ in sections)
    body = "".join(
        labs.get(name) or f'<section id="{escape(name)}"><h2>{escape(heading)}</h2>{html}</section>'
        for name, heading, html in sections
    )
    isolation = "" if data.isolation != "none" else " Graded without a sandbox."
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} – warpbook</title><style>\n{style}</style></head><body>"
        f'<a class="skip" href="#overview">To the overview</a><header><h1>{escape(title)}</h1>'
        f'<p class="quiet">{_plural(len(data.students), "student")}, {_plural(len(data.labs), "lab")}, '
        f'{_plural(len(data.submissions), "attempt")}. '
        "For instructors: this page names students and shows hidden tests."
        f'{isolation}</p></header><nav aria-label="Contents"><ul>{contents}</ul></nav><main>{body}</main>'
        f"<footer><p>Symbols: {escape('; '.join(STATUS[status] for status in SYMBOLS))}.</p></footer></body></html>\n"
    )


SYMBOLS = ("passed", "failed", "inconclusive", "not_started", "not_graded", "missing")


def _overview(data: ClassData, pictures: ClassPictures) -> str:
    if not data.labs:
        return "<p>No lab was graded.</p>"
    return figures([pictures.points, pictures.totals]) + _labs_table(data)


def _over_time(data: ClassData, pictures: ClassPictures) -> str:
    unknown = sum(one.submitted_at is None for one in data.submissions)
    left_out = f"<p>Of {_plural(unknown, 'attempt')} the time is not known.</p>" if unknown else ""
    if pictures.submissions is None:
        return left_out or "<p>Nothing was handed in.</p>"
    said = (
        f"<p>All attempts, each lab on its own scale; times are in {escape(data.zone.key)}. Too late is what came after "
        "the due date, or after the date to which it was extended for that student.</p>"
    )
    return said + left_out + figures([pictures.submissions]) + _times_table(data)


def _times_table(data: ClassData) -> str:
    rows = []
    for lab in data.labs:
        times = times_of(data.submissions, lab.name)
        if times:
            after = str(after_due(lab, data.submissions)) if lab.due else "–"
            more = f"{len(lab.extended)}, to {_when(max(lab.extended.values()), data)}" if lab.extended else "–"
            rows.append(
                (escape(lab.title), str(len(times)), after, _when(times[0], data), _when(times[-1], data), more)
            )
    return table(
        "Submissions over time",
        [
            ("Lab", TEXT),
            ("Attempts", NUMBER),
            ("Too late", NUMBER),
            ("First", TEXT),
            ("Last", TEXT),
            ("Extensions", TEXT),
        ],
        rows,
    )


def _when(moment: datetime, data: ClassData) -> str:
    return f'<span class="when">{day(moment, data.zone)}</span>'


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")
