"""The HTML page: one file with its style and pictures inside, no script and nothing fetched."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from .profiles import Kernel
from .results import Lab, Results, Run, Test
from .source import SourceRow
from .style import number

STATUS = {
    "passed": "✓ passed",
    "failed": "✗ failed",
    "inconclusive": "? inconclusive",
    "skipped": "– skipped",
    "not_run": "· not run",
    "not_started": "○ not started",
    "build_failed": "✗ does not build",
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


def _status(status: str) -> str:
    return f'<span class="{escape(status)}">{STATUS[status]}</span>'


def _optional(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{number(value)} {unit}".strip()


def _summary(labs: list[Lab]) -> str:
    measured = any(lab.graded.measured_us is not None for lab in labs)
    rows = "".join(
        f'<tr><td><a href="#{escape(lab.name)}">{escape(lab.title)}</a></td><td class="status">{_status(lab.status)}</td>'
        f'<td class="n">{points(lab.points)} / {points(lab.max_points)}</td>'
        f'<td class="n">{_optional(lab.graded.time_us, "µs")}</td>'
        + (f'<td class="n">{_optional(lab.graded.measured_us, "µs")}</td>' if measured else "")
        +         f'<td class="n">{_optional(lab.speedup_over_naive, "×")}</td></tr>'
        for lab in labs
    )
    total = f"{points(sum(lab.points for lab in labs))} / {points(sum(lab.max_points for lab in labs))}"
    return (
        '<div class="scroll"><table><thead><tr><th>Lab</th><th>Status</th><th class="n">Points</th>'
        '<th class="n">Predicted</th>' + ('<th class="n">Measured</th>' if measured else "")
        + '<th class="n">Over naive</th></tr></thead>'
        f'<tbody>{rows}</tbody><tfoot><tr><th>Total</th><td></td><th class="n">{total}</th>'
        + "<td></td>" * (3 if measured else 2) + "</tr></tfoot>"
        "</table></div>"
    )


def _test(test: Test) -> str:
    message = f"<pre>{escape(test.message.strip())}</pre>" if test.message.strip() else ""
    return (
        f'<div class="test"><span>{_status(test.status)}</span>'
        f'<span class="name">{escape(test.kind)}: {escape(test.sentence)}</span>'
        f'<span class="n">{points(test.points)} / {points(test.max_points)}</span>{message}</div>'
    )


def _tests(tests: list[Test]) -> str:
    if not tests:
        return '<p class="quiet">No tests were recorded.</p>'
    order = {"failed": 0, "inconclusive": 1, "not_run": 2, "skipped": 3, "passed": 4}
    return "".join(_test(test) for test in sorted(tests, key=lambda test: order[test.status]))


def _picture(picture: Picture) -> str:
    return (
        f'<figure><figcaption><b>{escape(picture.title)}</b> {escape(picture.caption)} '
        f'<a class="png" href="{escape(picture.name)}.png">PNG</a></figcaption>'
        f'<div role="img" aria-label="{escape(picture.words)}">{picture.svg}</div></figure>'
    )


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
            f'<td class="n">{_optional(run.time_us, "µs")}</td><td class="n">{_optional(time and time.us, "µs")}</td>'
            f'<td class="n">{f"{number(time.low_us)} – {number(time.high_us)}" if time else "–"}</td>'
            f'<td class="n">{_share(time and time.copy_share)}</td>'
        )
        if large:
            rows += (
                f'<td class="n">{_optional(big and big.us, "µs")}</td>'
                f'<td class="n">{_optional(big and big.gb_per_s, "GB/s")}</td>'
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
        f'<div class="scroll"><table><thead><tr><th>Program</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>{notes}'
    )


def _components(kernels: list[tuple[Run, Kernel]]) -> str:
    """What each resource alone would need, by kernel; the largest is what limits it."""
    names = [name for name in COMPONENTS if any(kernel.model.get(name, 0) >= 0.005 for _, kernel in kernels)]
    names += sorted({name for _, kernel in kernels for name in kernel.model} - set(COMPONENTS))
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
        f'<div class="scroll"><table class="limits"><thead><tr><th>Resource</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _source(lab: Lab, rows: list[SourceRow]) -> str:
    body = "".join(
        f'<tr{" class=wasteful" if row.wasteful else ""}><td class="n code quiet">{row.line}</td>'
        f'<td class="code">{escape(row.text)}</td><td class="n">{escape(row.executed)}</td>'
        f'<td class="n">{escape(row.lanes)}</td><td class="n">{"<b>" if row.wasteful else ""}{escape(row.cost)}'
        f'{"</b>" if row.wasteful else ""}</td></tr>'
        for row in rows
    )
    return (
        f"<h3>{escape(lab.source)}, line by line</h3>"
        "<p>Counted while the graded kernel ran: warp instructions, threads active in them (of 32), and what each memory "
        "request needed, with the best possible in brackets where that is less.</p>"
        '<div class="scroll"><table class="source"><thead><tr><th class="n">Line</th><th>Source</th>'
        '<th class="n">Instructions</th><th class="n">Threads</th><th class="n">Per request</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _lab(report: LabReport) -> str:
    lab = report.lab
    whose = "the reference solution" if lab.answer == "solution" else "the student's answer"
    parts = [
        f'<section id="{escape(lab.name)}"><h2>{escape(lab.title)}</h2>',
        f"<p>{_status(lab.status)} · {points(lab.points)} of {points(lab.max_points)} points · {whose}, "
        f"<code>{escape(lab.source)}</code></p>",
        "<h3>Tests</h3>",
        _tests(lab.tests),
    ]
    if report.pictures:
        parts += ["<h3>Figures</h3>", '<div class="figures">', *map(_picture, report.pictures), "</div>"]
    parts.append(_measurements(lab))
    if report.kernels:
        parts.append(_components(report.kernels))
    if report.source:
        parts.append(_source(lab, report.source))
    return "".join([*parts, "</section>"])


def render(results: Results, device_name: str, reports: list[LabReport]) -> str:
    """The whole page."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    where = f"virtual GPU, {device_name}"
    if results.backend == "gpu":
        where = f"{results.device}; counters and predictions: {where}"
    terms = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in GLOSSARY)
    labs = [report.lab for report in reports]
    body = _summary(labs) if labs else "<p>No lab was graded.</p>"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>warpbook report</title><style>\n{style}</style></head><body>"
        f'<header><h1>warpbook report</h1><p class="quiet">Graded on: {escape(where)}</p></header><main>{body}'
        + "".join(_lab(report) for report in reports)
        + f"</main><footer><h3>Words used here</h3><dl>{terms}</dl></footer></body></html>\n"
    )
