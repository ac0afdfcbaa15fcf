"""How every figure looks: size, colours by role, and the SVG that follows the page's light or dark theme."""

from __future__ import annotations

import io
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

# Roles, with the colours of print and of the light theme. The blue, orange and sky are from the Okabe-Ito palette,
# which people with any common colour vision can distinguish; the page gives each role a dark variant (page.css).
INK = "#1b1f24"
MUTED = "#59636e"
GRID = "#d8dee4"
PAPER = "#fffffe"
ANSWER = "#0072b2"
RUNG = "#8fb8d0"
BAD = "#d55e00"
WEAK = "#f0bc92"
ROLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper", ANSWER: "answer", RUNG: "rung", BAD: "bad",
         WEAK: "weak"}

WIDTH = 4.4  # inches: on a phone 390 pixels wide, 9 points are then 10 pixels

matplotlib.rcParams.update(
    {
        "axes.edgecolor": MUTED,
        "axes.facecolor": "none",
        "axes.labelcolor": INK,
        "axes.labelsize": 9,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "figure.facecolor": PAPER,
        "font.size": 9,
        "grid.color": GRID,
        "legend.fontsize": 8.5,
        "legend.frameon": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "warpbook",
        "text.color": INK,
        "text.parse_math": False,  # names from results may hold '$'
        "xtick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.color": MUTED,
        "ytick.labelcolor": INK,
    }
)


def new_figure(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.add_subplot()


def legend_above(axes: Axes, columns: int) -> None:
    """Puts the legend above the plot, where it hides no data."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), ncols=columns, handlelength=1.4, columnspacing=1.2, borderpad=0)


def number(value: float) -> str:
    """Three significant digits, no exponent: 0.0123, 4.5, 1230."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{float(f'{value:.3g}'):.6f}".rstrip("0").rstrip(".")


def shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def themed(svg: str, prefix: str) -> str:
    """Prepares a standalone SVG for embedding in the page: CSS variables for colours, ids that no other figure uses."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    for colour, role in ROLES.items():
        svg = svg.replace(colour, f"var(--{role})")
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", svg)
    svg = re.sub(r'xlink:href="#([^"]+)"', rf'xlink:href="#{prefix}-\1"', svg)
    svg = re.sub(r"font-family: [^;\"]+", "font-family: var(--figure-font)", svg)
    # The page scales the picture to its column; the view box keeps the proportions.
    svg = re.sub(r'(<svg[^>]*?) width="[^"]+"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]+"', r"\1", svg, count=1)
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)


FONT = re.compile(r"font: (\d+ )?([\d.]+)px ([^;\"]+)")


def _longhands(font: re.Match[str]) -> str:
    """matplotlib's font shorthand as separate properties, which WeasyPrint needs."""
    weight = f"font-weight: {font[1].strip()}; " if font[1] else ""
    return f"{weight}font-size: {font[2]}px; font-family: {font[3]}"


def save(figure: Figure, folder: Path, name: str) -> str:
    """Writes NAME.png and NAME.svg into @p folder. @returns the SVG for the page

    This calls the canvases directly, and makes the layout once for both: savefig() would draw each file twice, and make
    the layout with each.
    """
    figure.dpi = 200  # For the PNG; SVG is in points.
    if (layout := figure.get_layout_engine()) is not None:
        layout.execute(figure)
        figure.set_layout_engine("none")
    FigureCanvasAgg(figure).print_png(folder / f"{name}.png")
    buffer = io.StringIO()
    FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None})
    svg = re.sub(FONT, _longhands, buffer.getvalue())
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    return themed(svg, name)
