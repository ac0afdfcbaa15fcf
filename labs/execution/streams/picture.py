#!/usr/bin/env python3
"""Draws picture.svg of lab streams: the timeline of one slice, of four slices in streams, and the default-stream trap."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "streams", "font.size": 11,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]
ROWS = ["copies in", "kernels", "copies out"]
PIECES = (3.0, 2.0, 3.0)  # Lengths for one of four slices.


def schedule(slices, trap=False):
    """Start and length of every piece: each engine and each slice work in order. With `trap`, a kernel waits for all
    that was put into streams before it, and all that comes later waits for the kernel."""
    free, pieces, latest, gate = [0.0] * 3, [], 0.0, 0.0
    lengths = [length * 4 / slices for length in PIECES]
    for number in range(slices):
        ready = gate
        for row in range(3):
            start = max(free[row], ready, gate)
            if trap and row == 1:
                start = max(start, latest)
            end = start + lengths[row]
            free[row], ready, latest = end, end, max(latest, end)
            pieces.append((row, number, start, lengths[row]))
            if trap and row == 1:
                gate = end
    return pieces, latest


def timeline(axes, title, slices, trap=False):
    pieces, end = schedule(slices, trap)
    axes.set_title(title, loc="left", fontweight="bold")
    for row, number, start, length in pieces:
        axes.add_patch(Rectangle((start, -row), length, 0.8, facecolor=COLOURS[number % 4], edgecolor="white", linewidth=1.2))
        axes.text(start + length / 2, -row + 0.4, str(number), color="white", ha="center", va="center", fontsize=10)
    for row, name in enumerate(ROWS):
        axes.text(-0.4, -row + 0.4, name, ha="right", va="center")
    axes.plot([end, end], [-2.2, 1.0], color="#555555", linewidth=1, linestyle=":")
    axes.set_xlim(-6.6, 32.5)
    axes.set_ylim(-2.3, 1.1)
    axes.axis("off")


def main():
    figure, places = plt.subplots(3, 1, figsize=(6.4, 5.4), layout="constrained")
    timeline(places[0], "One slice: one after the other", 1)
    timeline(places[1], "Four slices in four streams: the copies have no gaps", 4)
    timeline(places[2], "Kernels in the default stream: all else waits for them", 4, True)
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
