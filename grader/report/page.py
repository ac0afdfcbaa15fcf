"""The HTML page: one file with its style and pictures inside, no script and nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from .explanation import paragraphs
from .profiles import Kernel
from .results import Lab, Results, Run, Test
from .source import MAX_LINES, SourceRow
from .style import number

STATUS = {
    "passed": "✓ passed",
    "failed": "✗ failed",
    "inconclusive": "? inconclusive",
    "skipped": "– skipped",
    "not_run": "· not run",
    "not_started": "○ not started",
    "build_failed": "✗ does not build",
    "missing": "○ not handed in",
    "not_graded": "? not graded yet",
}

GLOSSARY = (
    ("Request", "One load or store of one warp: up to 32 threads at once."),
    ("Sector", "32 bytes of global memory, the unit in which it is moved. A full warp that reads 4-byte words next to "
     "one another needs 4 sectors; words that lie far apart need up to 32."),
    ("Wavefront", "One pass through shared memory. Words that different threads want from one bank, and that are not the "
     "same word, need one pass each."),
    ("Predicted time", "What the virtual GPU's model of the device gives for the counted work. It puts answers in their "
     "order; it is no measurement."),
    ("Roofline", "A kernel lies under two lines: the sloping one is the bandwidth of a memory, the level one the rate at "
     "which instructions can be issued. A kernel close to its line cannot get faster without moving fewer bytes, or "
     "executing fewer instructions."),
)


# The components of the time model (common/simulator/model), in the words of a reader.
COMPONENTS = {
    "issue": "issuing instructions",
    "alu": "integer and logic",
    "fma": "multiply-add",
    "fp16": "half precision",
    "fp64": "double precision",
    "xu": "special functions",
    "tensor": "tensor cores",
    "lsu": "load/store unit, shared memory",
    "l1": "filling L1",
    "l2": "traffic to L2",
    "dram": "traffic to memory",
    "atomics": "atomics",
    "blocks": "starting blocks",
    "latency": "waiting",
    "launch": "launching",
    "page_faults": "page faults of managed memory",
    "remote": "memory of the host, over the bus",
    "grid_sync": "barriers of the whole grid",
}


@dataclass(frozen=True)
class Picture:
    name: str  # of the files NAME.png and NAME.svg
    title: str
    caption: str
    words: str  # the figure in words
    svg: str


@dataclass(frozen=True)
class LabReport:
    lab: Lab
    pictures: list[Picture]
    kernels: list[tuple[Run, Kernel]]
    source: list[SourceRow]


def points(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def status_html(status: str) -> str:
    return f'<span class="{escape(status)}">{STATUS[status]}</span>'


def scrolling(label: str, table: str) -> str:
    """A table that may be wider than the screen: its region is reached and scrolled by keyboard."""
    return f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(label)}">{table}</div>'


def optional(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{number(value)} {unit}".strip()


def _summary(labs: list[Lab]) -> str:
    measured = any(lab.graded.measured_us is not None for lab in labs)
    rows = "".join(
        f'<tr><td><a href="#{escape(lab.name)}">{escape(lab.title)}</a></td><td class="status">{status_html(lab.status)}</td>'
        f'<td class="n">{points(lab.points)} / {points(lab.max_points)}</td>'
        f'<td class="n">{optional(lab.graded.time_us, "µs")}</td>'
        + (f'<td class="n">{optional(lab.graded.measured_us, "µs")}</td>' if measured else "")
        +         f'<td class="n">{optional(lab.speedup_over_naive, "×")}</td></tr>'
        for lab in labs
    )
    total = f"{points(sum(lab.points for lab in labs))} / {points(sum(lab.max_points for lab in labs))}"
    return (
        '<div class="scroll" role="region" tabindex="0" aria-label="Summary"><table><thead><tr><th>Lab</th><th>Status</th>'
        '<th class="n">Points</th>'
        '<th class="n">Predicted</th>' + ('<th class="n">Measured</th>' if measured else "")
        + '<th class="n">Over naive</th></tr></thead>'
        f'<tbody>{rows}</tbody><tfoot><tr><th>Total</th><td></td><th class="n">{total}</th>'
        + "<td></td>" * (3 if measured else 2) + "</tr></tfoot>"
        "</table></div>"
    )


def _message(test: Test) -> str:
    """Each paragraph keeps its indent, also where a narrow screen breaks it."""
    return '<div class="message code">' + "".join(
        f'<div style="padding-left:{min(one.indent, 12)}ch">{escape(one.text)}</div>' for one in paragraphs(test)
    ) + "</div>"


def _test(test: Test, anchor: str = "") -> str:
    message = _message(test) if test.message.strip() else ""
    name = f' id="{escape(anchor)}"' if anchor else ""
    return (
        f'<div class="test"{name}><span>{status_html(test.status)}</span>'
        f'<span class="name">{escape(test.kind)}: {escape(test.sentence)}</span>'
        f'<span class="n">{points(test.points)} / {points(test.max_points)}</span>{message}</div>'
    )


def needy_first(tests: Sequence[Test]) -> list[Test]:
    """Tests in the order in which a reader wants them: those that need work come first."""
    order = {"failed": 0, "inconclusive": 1, "not_run": 2, "skipped": 3, "passed": 4}
    return sorted(tests, key=lambda test: order[test.status])


def tests_html(tests: Sequence[Test], anchors: Mapping[str, str] | None = None) -> str:
    """Tests with their messages, those that need work first. @param anchors ids in the page, by the test's name"""
    if not tests:
        return '<p class="quiet">No tests were recorded.</p>'
    return "".join(_test(test, (anchors or {}).get(test.name, ""))
                   for test in needy_first(tests))


def picture_html(picture: Picture) -> str:
    name, title = escape(picture.name), escape(picture.title)
    links = " ".join(f'<a class="png" href="{name}.{kind}" aria-label="{title}, as {kind.upper()}">{kind.upper()}</a>'
                     for kind in ("png", "svg"))
    return (f"<figure><figcaption><b>{title}</b> {escape(picture.caption)} {links}</figcaption>"
            f'<div role="img" aria-label="{escape(picture.words)}">{picture.svg}</div></figure>')


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _measurements(lab: Lab) -> str:
    """Predicted beside measured, for every rung; empty where nothing was measured."""
    runs = [*lab.ladder, lab.graded]
    if all(run.measured is None for run in runs):
        return ""
    large = any(run.large for run in runs)
    rows = ""
    for run in runs:
        time, big = run.measured, run.large
        rows += (
            f"<tr><td>{escape(run.title)}{' <i>(library)</i>' if run.library else ''}</td>"
            f'<td class="n">{optional(run.time_us, "µs")}</td><td class="n">{optional(time and time.us, "µs")}</td>'
            f'<td class="n">{f"{number(time.low_us)} – {number(time.high_us)}" if time else "–"}</td>'
            f'<td class="n">{_share(time and time.copy_share)}</td>'
        )
        if large:
            rows += (
                f'<td class="n">{optional(big and big.us, "µs")}</td>'
                f'<td class="n">{optional(big and big.gb_per_s, "GB/s")}</td>'
                f'<td class="n">{_share(big and big.copy_share)}</td>'
            )
        rows += "</tr>"
    head = "".join(
        f'<th class="n">{title}</th>'
        for title in ("Predicted", "Measured", "95 % interval", "Of a copy", *(("Large", "GB/s", "Of a copy") if large else ()))
    )
    titles = {run.rung: run.title for run in lab.ladder}
    notes = "".join(
        f"<p>The order differs: “{escape(titles.get(one, one))}” is predicted to be faster than "
        f"“{escape(titles.get(other, other))}”, and is measured to be slower.</p>"
        for one, other in lab.disorder
    )
    return (
        "<h3>Predicted and measured</h3><p>Medians of rounds in which all programs take turns, with nothing of their data "
        "in the L2 cache. “Of a copy” is the time in which cudaMemcpy between two device buffers moves as many bytes as "
        "the case has, as a part of the program's time.</p>"
        + scrolling("Predicted and measured",
                    f"<table><thead><tr><th>Program</th>{head}</tr></thead><tbody>{rows}</tbody></table>") + notes
    )


def components_html(kernels: list[tuple[Run, Kernel]]) -> str:
    """What each resource alone would need, by kernel; the largest is what limits it."""
    known = [*COMPONENTS, *sorted({name for _, kernel in kernels for name in kernel.model} - set(COMPONENTS))]
    names = [name for name in known if any(kernel.model.get(name, 0) >= 0.005 for _, kernel in kernels)]
    head = "".join(f'<th class="n">{escape(run.title)}</th>' for run, _ in kernels)
    rows = [("<b>predicted time</b>", [f"<b>{number(kernel.time_us)}</b>" for _, kernel in kernels])]
    for name in names:
        cells = []
        for _, kernel in kernels:
            value = number(round(kernel.model.get(name, 0), 2))
            cells.append(f'<b class="limiter">▸ {value}</b>' if name == kernel.limiter else value)
        rows.append((escape(COMPONENTS.get(name, name)), cells))
    body = "".join(
        f"<tr><td>{label}</td>" + "".join(f'<td class="n">{cell}</td>' for cell in cells) + "</tr>" for label, cells in rows
    )
    return (
        "<h3>What limits each kernel</h3><p>Microseconds that each resource alone would need. "
        "A kernel takes about as long as its slowest resource, its limiter (▸).</p>"
        + scrolling("What limits each kernel", f'<table class="limits"><thead><tr><th>Resource</th>{head}</tr></thead>'
                    f"<tbody>{body}</tbody></table>")
    )


def source_html(name: str, rows: list[SourceRow], notes: dict[int, str] | None = None) -> str:
    """A source with its counts, if it has any. @param notes HTML to stand under a line, by its number"""
    counted = any(row.executed for row in rows)
    body = "".join(_source_row(row, counted, (notes or {}).get(row.line, "")) for row in rows)
    counts = ('<th scope="col" class="n">Instructions</th><th scope="col" class="n">Threads</th>'
              '<th scope="col" class="n">Per request</th>') if counted else ""
    return scrolling(f"{name}, line by line", (
        f'<table class="source"><thead><tr><th scope="col" class="n">Line</th><th scope="col">Source</th>{counts}</tr></thead>'
        f"<tbody>{body}</tbody></table>"))


def _source_row(row: SourceRow, counted: bool, note: str) -> str:
    mark = ("<b>", "</b>") if row.wasteful else ("", "")
    cost = f"{mark[0]}{escape(row.cost)}{mark[1]}" if row.cost else ""
    counts = (f'<td class="n">{escape(row.executed)}</td><td class="n">{escape(row.lanes)}</td>'
              f'<td class="n">{cost}</td>') if counted else ""
    below = f'<tr class="note"><td></td><td colspan="{4 if counted else 1}">{note}</td></tr>' if note else ""
    return (f'<tr{" class=wasteful" if row.wasteful else ""}><td class="n code quiet">{row.line}</td>'
            f'<td class="code">{escape(row.text)}</td>{counts}</tr>{below}')


COUNTED = ("warp instructions, threads active in them (of 32), and what each memory request needed, with the best possible "
           "in brackets where that is less")


def _source(lab: Lab, rows: list[SourceRow]) -> str:
    return (f"<h3>{escape(lab.source)}, line by line</h3><p>Counted while the graded kernel ran: {COUNTED}.</p>"
            + (f"<p>Only {MAX_LINES:,} lines are shown.</p>" if len(rows) == MAX_LINES else "")
            + source_html(lab.source, rows))


def _lab(report: LabReport) -> str:
    lab = report.lab
    whose = "the reference solution" if lab.answer == "solution" else "the student's answer"
    parts = [
        f'<section id="{escape(lab.name)}"><h2>{escape(lab.title)}</h2>',
        f"<p>{status_html(lab.status)} · {points(lab.points)} of {points(lab.max_points)} points · {whose}, "
        f"<code>{escape(lab.source)}</code></p>",
        "<h3>Tests</h3>",
        tests_html(lab.tests),
    ]
    if report.pictures:
        parts += ["<h3>Figures</h3>", '<div class="figures">', *map(picture_html, report.pictures), "</div>"]
    parts.append(_measurements(lab))
    if report.kernels:
        parts.append(components_html(report.kernels))
    if report.source:
        parts.append(_source(lab, report.source))
    return "".join([*parts, "</section>"])


def document(title: str, header: str, body: str) -> str:
    """A whole page: style inside, no script, nothing fetched. @param header, body HTML"""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>\n{style}</style></head><body>"
        f"<header>{header}</header><main>{body}</main>{_glossary()}</body></html>\n"
    )


def _glossary() -> str:
    terms = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in GLOSSARY)
    return f"<footer><h3>Words used here</h3><dl>{terms}</dl></footer>"


def render(results: Results, device_name: str, reports: list[LabReport]) -> str:
    """The whole page."""
    where = f"virtual GPU, {device_name}"
    if results.backend == "gpu":
        where = f"{results.device}; counters and predictions: {where}"
    labs = [report.lab for report in reports]
    body = _summary(labs) if labs else "<p>No lab was graded.</p>"
    return document("warpbook report", f'<h1>warpbook report</h1><p class="quiet">Graded on: {escape(where)}</p>',
                    body + "".join(_lab(report) for report in reports))
